#include "any_index.hpp"

#include "../support/fail_each.hpp"
#include "indexes.hpp"

#include <cstddef>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace throng::test {

namespace {

template <class Entry, std::size_t Dim = Entry::kDim>
class Holder final : public AnyIndex<Dim>::Held {
    using Index = typename Entry::Index;
    using Held = typename AnyIndex<Dim>::Held;
    static constexpr bool kProgress =
        requires(Index & index, const Agents<Dim>& agents, Executor& executor) {
        index.update(agents, executor, Progress());
    };
    static constexpr bool kBatches =
        requires(Index & index, std::span<const Edit<Dim>> edits, Executor& executor) {
        index.edit(edits, executor);
    };

public:
    Holder() = default;
    explicit Holder(Index&& index) noexcept : index_(std::move(index)) {}

    static Held* make(void* place) {
        static_assert(sizeof(Holder) <= AnyIndex<Dim>::kMost &&
                      alignof(Holder) <= alignof(std::max_align_t));
        return new (place) Holder;
    }
    Held* move_to(void* place) noexcept override { return new (place) Holder(std::move(index_)); }
    void take(Held& other) noexcept override {
        index_ = std::move(static_cast<Holder&>(other).index_);
    }
    Status lay_out(const scenes::Scene<Dim>& scene, const CrowdKind<Dim>& kind) override {
        return Entry::lay_out(index_, scene, kind);
    }
    void tidy() override { Entry::tidy(index_); }
    Status update(const Agents<Dim>& agents) override { return index_.update(agents); }
    Status update(const Agents<Dim>& agents, Executor& executor) override {
        if constexpr (requires { index_.update(agents, executor); }) {
            return index_.update(agents, executor);
        } else {
            return index_.update(agents);
        }
    }
    Status update(const Agents<Dim>& agents, Executor& executor,
                  const Progress& progress) override {
        if constexpr (kProgress) {
            return index_.update(agents, executor, progress);
        } else {
            return update(agents, executor);
        }
    }
    [[nodiscard]] bool takes_progress() const override { return kProgress; }
    [[nodiscard]] bool takes_batches() const override { return kBatches; }
    Status edit(std::span<const Edit<Dim>> edits, Executor& executor) override {
        if constexpr (kBatches) {
            return index_.edit(edits, executor);
        } else {
            ADD_FAILURE() << "it takes no batches of edits";
            return {};
        }
    }
    [[nodiscard]] std::vector<std::byte> saved() const override { return test::saved(index_); }
    Status insert(Id id, const Agent<Dim>& agent) override { return index_.insert(id, agent); }
    Status erase(Id id) override { return index_.erase(id); }
    Status move(Id id, const Point<Dim>& position) override { return index_.move(id, position); }
    void clear() override { index_.clear(); }
    [[nodiscard]] Asked<Dim> asked() const override { return index_; }
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups) const override {
        return index_.visit_pairs(visitor, groups);
    }
    void visit_cells(IndexCellVisitor<Dim> visitor) const override { index_.visit_cells(visitor); }
    [[nodiscard]] std::size_t size() const override { return index_.size(); }
    [[nodiscard]] bool contains(Id id) const override { return index_.contains(id); }
    [[nodiscard]] const CrowdKind<Dim>& kind() const override { return index_.kind(); }
    [[nodiscard]] MemoryUse memory() const override { return index_.memory(); }
    [[nodiscard]] const char* validate() const override { return index_.validate(); }

private:
    Index index_;
};

template <std::size_t Dim, class... Entries>
std::vector<AnyEntry<Dim>> entries_among(const testing::Types<Entries...>*) {
    std::vector<AnyEntry<Dim>> entries;
    const auto add = [&]<class Entry>(const Entry*) {
        if constexpr (Entry::kDim == Dim) {
            entries.push_back({IndexNames::GetName<Entry>(0), &Holder<Entry>::make,
                               Entry::kCountsOnce, Entry::kHasCells, Entry::kIsParallel});
        }
    };
    (add(static_cast<const Entries*>(nullptr)), ...);
    return entries;
}

} // namespace

template <std::size_t Dim>
std::span<const AnyEntry<Dim>> any_entries() {
    static const auto entries = entries_among<Dim>(static_cast<const Indexes*>(nullptr));
    return entries;
}

template std::span<const AnyEntry<2>> any_entries();
template std::span<const AnyEntry<3>> any_entries();

} // namespace throng::test
