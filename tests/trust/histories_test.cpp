// Random sequences on two indexes of each kind: one that lives on, and one that is sometimes
// replaced by a loaded copy of itself. After each update a third, new index is compared as well.
//
// The same calls must give the same bytes and the same answers in the same order, whatever happened
// before. sequences_test.cpp compares sorted answers, so it would not notice another order.
#include "../support/apply_edit.hpp"
#include "../support/long_run.hpp"
#include "../support/random.hpp"
#include "history.hpp"
#include "sequence.hpp"
#include "shrink.hpp"

#include <gtest/gtest.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace throng {
namespace {

using test::What;

std::uint64_t sequences() { return test::long_run() ? 100'000 : test::emulated() ? 100 : 1'000; }

template <class Entry>
class Lives {
    static constexpr std::size_t kDim = Entry::kDim;
    using Index = typename Entry::Index;
    /// Whether an update makes the earlier state irrelevant. A tight quadtree keeps the lists of a
    /// crowd that mostly stays in place.
    static constexpr bool kForgets = !std::same_as<Entry, test::InTightQuadtree>;
    using Sequence = test::Sequence<kDim>;
    using Operation = test::Operation<kDim>;

public:
    /// Plays the sequence. Returns the first difference, or an empty text.
    static std::string fault(const Sequence& sequence) {
        Lives lives(sequence);
        if (!lives.begin()) { return ""; }
        scenes::Random random(sequence.seed);
        for (std::size_t i = 0; i < sequence.operations.size(); ++i) {
            const Operation& operation = sequence.operations[i];
            // Not decided by the operation's number, so that leaving out operations changes little.
            if (random.below(3) != 0) { lives.reload(); }
            const std::string fault = lives.play(operation);
            if (!fault.empty()) {
                return "operation " + std::to_string(i) + ", " + to_string(operation) + ": " +
                       fault;
            }
        }
        return "";
    }

private:
    explicit Lives(const Sequence& sequence) : sequence_(sequence) {}

    bool begin() {
        const Status status = Entry::lay_out(one_, sequence_.layout, sequence_.kind);
        EXPECT_EQ(Entry::lay_out(other_, sequence_.layout, sequence_.kind), status);
        return status.ok();
    }

    void reload() {
        if constexpr (Freezable<Index>) { other_ = test::loaded_copy_of(other_); }
    }

    std::string play(const Operation& operation) {
        if (operation.what >= What::visit) { return ask(operation); }
        const Status status = change(one_, operation);
        if (change(other_, operation) != status) { return "another status after a load"; }
        if (differ(one_, other_)) { return "a loaded copy is another"; }
        if (operation.what != What::update || !status.ok() || !kForgets) { return ""; }
        // A new index with the same update.
        Index fresh;
        EXPECT_EQ(Entry::lay_out(fresh, sequence_.layout, sequence_.kind), Status{});
        EXPECT_EQ(change(fresh, operation), status);
        return differ(one_, fresh) ? "a new index is another after the update" : "";
    }

    static Status change(Index& index, const Operation& operation) {
        Status status;
        switch (operation.what) {
        case What::update:
            return index.update(agents_of(operation));
        case What::edit_one:
            return test::apply_to(index, operation.edits[0]);
        case What::edit_many:
            if constexpr (requires { index.edit(std::span(operation.edits)); }) {
                return index.edit(std::span(operation.edits));
            } else {
                for (const Edit<kDim>& edit : operation.edits) {
                    status = test::apply_to(index, edit);
                }
                return status;
            }
        case What::tidy:
            Entry::tidy(index);
            return {};
        default:
            index.clear();
            return {};
        }
    }

    static bool differ(const Index& a, const Index& b) {
        if constexpr (Freezable<Index>) {
            if (test::bytes_of(a) != test::bytes_of(b)) { return true; }
        }
        return test::all_ids<kDim>(a) != test::all_ids<kDim>(b) ||
               test::pairs_in_order_of(a) != test::pairs_in_order_of(b);
    }

    std::string ask(const Operation& operation) const {
        bool same = true;
        for (const test::AnyShape<kDim>& any : operation.shapes) {
            std::visit(
                [&](const auto& shape) {
                    const auto answer = [&](const Index& index) {
                        test::Ids ids;
                        (void)index.visit(
                            shape,
                            [&](std::span<const Id> run) {
                                ids.insert(ids.end(), run.begin(), run.end());
                                return true;
                            },
                            operation.filter);
                        return ids;
                    };
                    same = same && answer(one_) == answer(other_);
                },
                any);
        }
        return same ? "" : "another order after a load";
    }

    const Sequence& sequence_;
    Index one_, other_;
};

template <class Entry>
class Histories : public testing::Test {};
TYPED_TEST_SUITE(Histories, test::Indexes, test::IndexNames);

TYPED_TEST(Histories, AreForgottenByLoadingAndByUpdates) {
    const auto [begin, end] = test::seeds_to_take(sequences());
    for (std::uint64_t seed = begin; seed < end; ++seed) {
        const auto sequence = test::make_sequence<TypeParam::kDim>(seed);
        if (Lives<TypeParam>::fault(sequence).empty()) { continue; }
        const auto small = test::shrunk(
            sequence, [](const auto& tried) { return !Lives<TypeParam>::fault(tried).empty(); });
        FAIL() << to_string(small) << Lives<TypeParam>::fault(small);
    }
}

} // namespace
} // namespace throng
