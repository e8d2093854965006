// An index of any structure of the family: tests that take one are compiled once a dimension, and
// not once a structure.
#pragma once

#include "questions.hpp"

#include <throng/engine/agents/edit.hpp>
#include <throng/engine/agents/validation.hpp>
#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/core/executor.hpp>
#include <throng/engine/core/progress.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace throng::test {

/// Takes no memory from the heap itself, since tests count that.
template <std::size_t Dim>
class AnyIndex {
public:
    struct Held;

    AnyIndex() = default;
    /// Holds the index that make(place) makes there.
    explicit AnyIndex(Held* (*make)(void*)) : held_(make(place_)) {}
    AnyIndex(AnyIndex&& other) noexcept { *this = std::move(other); }
    /// Moves as the structure moves into another of its kind.
    AnyIndex& operator=(AnyIndex&& other) noexcept {
        if (held_ == nullptr) {
            if (other.held_ != nullptr) { held_ = other.held_->move_to(place_); }
        } else {
            held_->take(*other.held_);
        }
        return *this;
    }
    ~AnyIndex() {
        if (held_ != nullptr) { held_->~Held(); }
    }
    Status lay_out(const scenes::Scene<Dim>& scene, const CrowdKind<Dim>& kind) {
        return held_->lay_out(scene, kind);
    }
    void tidy() { held_->tidy(); }

    Status update(const Agents<Dim>& agents) { return held_->update(agents); }
    Status update(const Agents<Dim>& agents, Executor& executor) {
        return held_->update(agents, executor);
    }
    [[nodiscard]] bool takes_progress() const { return held_->takes_progress(); }
    Status update(const Agents<Dim>& agents, Executor& executor, const Progress& progress) {
        return held_->update(agents, executor, progress);
    }
    [[nodiscard]] bool takes_batches() const { return held_->takes_batches(); }
    Status edit(std::span<const Edit<Dim>> edits, Executor& executor = serial_executor()) {
        return held_->edit(edits, executor);
    }
    /// The bytes that save() writes; none if it cannot be saved.
    [[nodiscard]] std::vector<std::byte> saved() const { return held_->saved(); }
    Status insert(Id id, const Agent<Dim>& agent) { return held_->insert(id, agent); }
    Status erase(Id id) { return held_->erase(id); }
    Status move(Id id, const Point<Dim>& position) { return held_->move(id, position); }
    void clear() { held_->clear(); }

    template <class Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {}) const {
        return held_->asked().visit(shape, visitor, filter);
    }
    template <class Shape>
    Found query(const Shape& shape, std::span<Id> out, const Filter& filter = {}) const {
        return held_->asked().query(shape, out, filter);
    }
    template <class Shape>
    Found query(const std::vector<Shape>& shapes, Hits& hits, const Filter& filter = {}) const {
        return held_->asked().query(shapes, hits, filter);
    }
    template <class Shape>
    Found count(const Shape& shape, const Filter& filter = {}) const {
        return held_->asked().count(shape, filter);
    }
    template <class Shape>
    Found any(const Shape& shape, const Filter& filter = {}) const {
        return held_->asked().any(shape, filter);
    }
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const {
        return held_->visit_pairs(visitor, groups);
    }
    void visit_cells(IndexCellVisitor<Dim> visitor) const { held_->visit_cells(visitor); }

    [[nodiscard]] std::size_t size() const { return held_->size(); }
    [[nodiscard]] bool contains(Id id) const { return held_->contains(id); }
    [[nodiscard]] const CrowdKind<Dim>& kind() const { return held_->kind(); }
    [[nodiscard]] MemoryUse memory() const { return held_->memory(); }
    [[nodiscard]] const char* validate() const { return held_->validate(); }

    /// The calls of a structure.
    struct Held {
        virtual ~Held() = default;
        virtual Held* move_to(void* place) noexcept = 0;
        virtual void take(Held& other) noexcept = 0;
        virtual Status lay_out(const scenes::Scene<Dim>& scene, const CrowdKind<Dim>& kind) = 0;
        virtual void tidy() = 0;
        virtual Status update(const Agents<Dim>& agents) = 0;
        virtual Status update(const Agents<Dim>& agents, Executor& executor) = 0;
        virtual Status update(const Agents<Dim>& agents, Executor& executor,
                              const Progress& progress) = 0;
        [[nodiscard]] virtual bool takes_progress() const = 0;
        [[nodiscard]] virtual bool takes_batches() const = 0;
        virtual Status edit(std::span<const Edit<Dim>> edits, Executor& executor) = 0;
        [[nodiscard]] virtual std::vector<std::byte> saved() const = 0;
        virtual Status insert(Id id, const Agent<Dim>& agent) = 0;
        virtual Status erase(Id id) = 0;
        virtual Status move(Id id, const Point<Dim>& position) = 0;
        virtual void clear() = 0;
        [[nodiscard]] virtual Asked<Dim> asked() const = 0;
        virtual Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups) const = 0;
        virtual void visit_cells(IndexCellVisitor<Dim> visitor) const = 0;
        [[nodiscard]] virtual std::size_t size() const = 0;
        [[nodiscard]] virtual bool contains(Id id) const = 0;
        [[nodiscard]] virtual const CrowdKind<Dim>& kind() const = 0;
        [[nodiscard]] virtual MemoryUse memory() const = 0;
        [[nodiscard]] virtual const char* validate() const = 0;
    };

    static constexpr std::size_t kMost = 4096; ///< the most bytes that an index may have

private:
    alignas(std::max_align_t) std::byte place_[kMost];
    Held* held_ = nullptr;
};

/// A structure of the family, for code that does not know its type.
template <std::size_t Dim>
struct AnyEntry {
    std::string name; ///< such as loose_tree_2d
    typename AnyIndex<Dim>::Held* (*make)(void* place);
    bool counts_once, has_cells, is_parallel; ///< as in Family
};
/// All structures; in any_index.cpp.
template <std::size_t Dim>
std::span<const AnyEntry<Dim>> any_entries();

/// An index and the oracle side by side, as in EveryIndex.
template <std::size_t Dim>
class AnyIndexTest : public testing::Test {
public:
    void begin(const AnyEntry<Dim>& entry) {
        entry_ = &entry;
        index_ = made();
    }
    /// Whether a suite tests this structure; by default all structures.
    static bool is_about(const AnyEntry<Dim>&) { return true; }

protected:
    /// A new, empty index.
    [[nodiscard]] AnyIndex<Dim> made() const { return AnyIndex<Dim>(entry_->make); }

    /// Puts the scene into the index and into the oracle.
    void take(scenes::Scene<Dim>& scene) {
        ASSERT_EQ(index_.lay_out(scene, kind_of(scene.agents())), Status{});
        ASSERT_EQ(index_.update(scene.agents()), Status{});
        ASSERT_EQ(truth_.update(scene.agents()), Status{});
    }
    void check_pairs() { check_pairs_of<Dim>(index_, truth_); }
    /// Checks that the index holds what the oracle holds.
    void check_all(const Questions<Dim>& questions) { check_index<Dim>(index_, truth_, questions); }

    const AnyEntry<Dim>* entry_ = nullptr;
    AnyIndex<Dim> index_;
    Truth<Dim> truth_;
};

/// Registers a test of each structure that its suite is about.
template <template <std::size_t> class Suite, template <std::size_t> class Test>
class ForEveryIndex {
public:
    ForEveryIndex(const char* suite, const char* name, const char* file, int line) {
        add_all<2>(suite, name, file, line);
        add_all<3>(suite, name, file, line);
    }

private:
    template <std::size_t Dim>
    static void add_all(const char* suite, const char* name, const char* file, int line) {
        for (const AnyEntry<Dim>& entry : any_entries<Dim>()) {
            if (!Suite<Dim>::is_about(entry)) { continue; }
            testing::RegisterTest((std::string(suite) + "/" + entry.name).c_str(), name, nullptr,
                                  nullptr, file, line, [&entry]() -> Suite<Dim>* {
                                      auto* const test = new Test<Dim>;
                                      test->begin(entry);
                                      return test;
                                  });
        }
    }
};

} // namespace throng::test

/// A test of each structure, in a suite that is an AnyIndexTest: the body knows kDim.
#define THRONG_TEST_EVERY_INDEX(Suite, Name)                                                       \
    template <std::size_t kDim>                                                                    \
    class Suite##Name final : public Suite<kDim> {                                                 \
        void TestBody() override;                                                                  \
    };                                                                                             \
    const test::ForEveryIndex<Suite, Suite##Name> k##Suite##Name(#Suite, #Name, __FILE__,          \
                                                                 __LINE__);                        \
    template <std::size_t kDim>                                                                    \
    void Suite##Name<kDim>::TestBody()
