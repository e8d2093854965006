// All pairs of a crowd whose boxes overlap, of whichever sets.
#include "crowd.hpp"

#include "crowd_images.hpp"
#include "crowd_state.hpp"

#include <algorithm>
#include <array>

namespace throng {

namespace {

/// Hands the pairs of an index's elements and one other to a visitor.
template <std::size_t Dim, class Index>
class PairsWithOne {
public:
    PairsWithOne(const Index& index, IndexPairVisitor visitor, std::uint32_t groups) noexcept
        : index_(index), visitor_(visitor), filter_{groups, kNoId} {}

    /// The pairs of those whom `box` finds, the first, and `other`, the second; or the other way
    /// round. False when the visitor has enough.
    bool with(const Box<Dim>& box, Id other, bool other_first) {
        bool more = true;
        std::array<Id, kLongestRun> others;
        others.fill(other);
        const auto pair_up = [&](std::span<const Id> run) {
            const std::span<const Id> same(others.data(), run.size());
            more = other_first ? visitor_(same, run) : visitor_(run, same);
            return more;
        };
        count_ += index_.visit(box, pair_up, filter_).count;
        return more;
    }

    [[nodiscard]] std::size_t count() const noexcept { return count_; }

private:
    const Index& index_;
    IndexPairVisitor visitor_;
    Filter filter_;
    std::size_t count_ = 0;
};

} // namespace

template <std::size_t Dim>
Found Crowd<Dim>::visit_pairs(PairSets sets, PairVisitor visitor, std::uint32_t groups) const {
    const Phase::Reading reading(state_->phase);
    const State& state = *state_;
    Found found;
    bool more = true;
    const auto until_enough = [&](std::span<const Id> first, std::span<const Id> second) {
        return more = visitor(first, second);
    };
    // Each of `ones` with those of `index` whom its box finds.
    const auto cross = [&](PairSets wanted, const auto& index, const auto& ones, bool ones_first) {
        if (!more || !has(sets, wanted)) { return; }
        PairsWithOne<Dim, std::remove_cvref_t<decltype(index)>> pairs(index, until_enough, groups);
        ones.for_each_box(
            groups, [&](Id one, const Box<Dim>& box) { return pairs.with(box, one, ones_first); });
        found.count += pairs.count();
    };
    if (has(sets, PairSets::small_small)) {
        found.count += state.grid.visit_pairs(until_enough, groups).count;
    }
    cross(PairSets::small_giants, state.grid, state.giants, false);
    if (more && has(sets, PairSets::giants_giants)) {
        found.count += state.giants.visit_pairs(until_enough, groups).count;
    }
    cross(PairSets::small_statics, state.grid, *state.statics, false);
    cross(PairSets::giants_statics, *state.statics, state.giants, true);
    if (more && state.world.wraps) {
        found.count += Images::visit_pairs(state, sets, until_enough, groups).count;
    }
    return found;
}

template Found Crowd<2>::visit_pairs(PairSets, PairVisitor, std::uint32_t) const;
template Found Crowd<3>::visit_pairs(PairSets, PairVisitor, std::uint32_t) const;

} // namespace throng
