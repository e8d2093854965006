// Lists of neighbours in a periodic world, where the local grids do not find all by themselves.
#include "../../engine/crowd/store/narrow_copies.hpp"
#include "state.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace throng {

/// Adds giants and statics that owned agents see across a border to their lists, and halves these
/// if later ones only are wanted: an agent in the world keeps those that follow it in the order of
/// the grid, or of names; and across a border giants and ghosts whose names are smaller. Small
/// agents keep giants, and both keep statics.
///
/// Counts, then writes: lists of blocks, joined afterwards, take fresh memory for all answers in
/// each call. A call took 24 ms with them and takes 11 now (200,000 agents with 16 neighbours each,
/// one thread).
template <std::size_t Dim>
class DistributedGrid<Dim>::State::ListsAcross {
public:
    /// Borrows all; `found`, the answers of the local grids, are used up. Throws std::bad_alloc.
    ListsAcross(const State& state, const Neighbourhood& asked, Sets sets, Hits& found)
        : state_(state), asked_(asked), large_(sets & (Sets::giants | Sets::statics)),
          found_(found), order_(state.part.agents()), names_(state.owned), places_(state.owned),
          kept_(state.owned), across_(blocks()) {
        Id next = 0;
        for_each_place(state.part, [&](Id id, Id name, const Point<Dim>& place) {
            if (is_small(name)) { order_[id] = next++; }
            if (id >= state_.owned) { return; }
            names_[id] = name;
            places_[id] = place;
        });
    }

    [[nodiscard]] std::size_t blocks() const noexcept {
        return (state_.owned + kInBlock - 1) / kInBlock;
    }
    [[nodiscard]] LoopCost cost() const noexcept { return LoopCost::of(state_.owned, kEach); }

    /// Writes the length of each list of a block to the place behind its agent's.
    void count(std::size_t block, std::span<std::uint64_t> lengths) {
        Vector<Id>& across = across_[block];
        for (std::size_t asker = begin(block); asker < begin(block + 1); ++asker) {
            const std::size_t before = across.size();
            look_across(asker, across);
            const std::span<Id> home = found_by(asker);
            kept_[asker] = home.size();
            if (asked_.later_only) {
                // Half of them are kept, in no order that a processor could foretell: no branch.
                Id* to = home.data();
                for (const Id name : home) {
                    *to = name;
                    to += keeps(asker, name) ? 1 : 0;
                }
                kept_[asker] = static_cast<std::size_t>(to - home.data());
            }
            lengths[asker + 1] = kept_[asker] + across.size() - before;
        }
    }
    /// Writes the lists of a block, which has been counted.
    void write(std::size_t block, std::span<const std::uint64_t> offsets, Id* ids) const noexcept {
        const Id* next_across = across_[block].data();
        for (std::size_t asker = begin(block); asker < begin(block + 1); ++asker) {
            const std::span<const Id> home = found_by(asker).first(kept_[asker]);
            Id* const to = std::transform(home.begin(), home.end(), ids + offsets[asker],
                                          [&](Id name) { return state_.part.index_of(name); });
            const auto rest = ids + offsets[asker + 1] - to;
            std::copy_n(next_across, rest, to);
            next_across += rest;
        }
    }

private:
    static constexpr std::size_t kInBlock = 256;
    static constexpr double kEach = 50.0; ///< nanoseconds for a list, at least

    [[nodiscard]] std::size_t begin(std::size_t block) const noexcept {
        return std::min(block * kInBlock, state_.owned);
    }
    [[nodiscard]] bool is_small(Id name) const noexcept { return name < state_.part.agents(); }

    /// What the local grids have found for an agent.
    [[nodiscard]] std::span<Id> found_by(std::size_t asker) const noexcept {
        const std::span<const Id> found = found_.of(names_[asker]);
        return {found_.ids.data() + (found.data() - found_.ids.data()), found.size()};
    }
    /// Whether half lists keep one of these.
    [[nodiscard]] bool keeps(std::size_t asker, Id name) const noexcept {
        if (is_static(name)) { return true; }
        const Id own = names_[asker];
        if (is_small(own) != is_small(name)) { return is_small(own); }
        if (state_.is_moved(name)) { return state_.has_across(own, name); }
        return is_small(own) ? order_[name] >= order_[own] : name >= own;
    }
    /// Appends the giants and statics that an agent sees across a border.
    void look_across(std::size_t asker, Vector<Id>& seen) const {
        const Id own = names_[asker];
        const NarrowCopies<Dim> copies(state_.world, places_[asker], asked_.radius);
        for (std::size_t i = 1; i <= copies.count(); ++i) {
            const Ball<Dim> ball{detail::shifted(places_[asker], copies.offset(i)), asked_.radius};
            (void)state_.part.crowd().visit(
                ball,
                [&](std::span<const Id> run) {
                    for (const Id name : run) {
                        const bool kept =
                            !asked_.later_only || is_static(name) || is_small(own) || name < own;
                        if (kept) { seen.push_back(state_.part.index_of(name)); }
                    }
                    return true;
                },
                Filter{asked_.groups, kNoId}, large_);
        }
    }

    const State& state_;
    const Neighbourhood& asked_;
    const Sets large_;
    Hits& found_;
    Vector<Id> order_; ///< of small agents
    Vector<Id> names_;
    Vector<Point<Dim>> places_;
    Vector<std::size_t> kept_;  ///< for each agent, how many in `found_` are kept, the first ones
    Vector<Vector<Id>> across_; ///< for each block, what its agents see across a border
};

template <std::size_t Dim>
Status DistributedGrid<Dim>::State::list_across(const Neighbourhood& asked, Sets sets, Hits& found,
                                                Executor& runs_on, Hits& hits) {
    ListsAcross lists(*this, asked, sets, found);
    std::vector<std::uint64_t> offsets(owned + 1);
    const Status counted = run_blocks(
        runs_on, lists.blocks(), [&](std::size_t block) { lists.count(block, offsets); }, claims,
        lists.cost());
    if (!counted.ok()) { return counted; }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    hits.ids.resize(length_of(offsets.back())); // the last step that can fail
    finish_blocks(
        runs_on, lists.blocks(),
        [&](std::size_t block) { lists.write(block, offsets, hits.ids.data()); }, claims,
        lists.cost());
    hits.offsets = std::move(offsets);
    return {};
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status DistributedGrid<Dim>::State::list_across(const Neighbourhood&, Sets, Hits&,    \
                                                             Executor&, Hits&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
