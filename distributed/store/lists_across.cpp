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
/// Of later ones the grid finds all but the ghosts that come before the asker. These have found the
/// asker as one that comes after them, except where groups say which agents are found, but not who
/// asks: there the grid lists all.
///
/// Counts, then writes: lists of blocks, joined afterwards, take fresh memory for all answers in
/// each call. A call took 24 ms with them and takes 11 now (200,000 agents with 16 neighbours each,
/// one thread).
template <std::size_t Dim>
class DistributedGrid<Dim>::State::ListsAcross {
public:
    /// Borrows all; `found`, the answers of the local grids in the order of storage, are used up.
    /// Throws std::bad_alloc.
    ListsAcross(const State& state, const Neighbourhood& asked, Sets sets, Hits& found)
        : state_(state), asked_(asked), large_(sets & (Sets::giants | Sets::statics)),
          found_(found), names_(state.part.crowd().size()), kept_(names_.size()),
          before_(state.owned + 1), across_(blocks()) {
        (void)state.part.crowd().order(names_);
        if (state.part.crowd().size(large_) != 0) { note_places(); }
        if (!asked.later_only) { return; }
        least_ = state.census.below_each(state.first_moved, state.part.agents());
        least_.push_back(0); // what makes all agents keep any other name
        if (state.lists_whole(asked)) {
            note_order();
        } else {
            turn_round();
        }
    }

    [[nodiscard]] std::size_t blocks() const noexcept {
        return (names_.size() + kInBlock - 1) / kInBlock;
    }
    [[nodiscard]] LoopCost cost() const noexcept { return LoopCost::of(names_.size(), kEach); }

    /// Writes the length of each list of a block to the place behind its agent's.
    void count(std::size_t block, std::span<std::uint64_t> lengths) {
        Vector<Id>& across = across_[block];
        for (std::size_t first = begin(block); first < begin(block + 1); first += kTogether) {
            const std::size_t past = std::min(first + kTogether, begin(block + 1));
            const bool all = keeps_all(first, past);
            for_each_owned(first, past, [&](std::size_t asker, Id own) {
                const std::size_t before = across.size();
                if (!places_.empty()) { look_across(names_[asker], across); }
                kept_[asker] = static_cast<Id>(all ? found_by(asker).size() : keep(asker, own));
                lengths[own + 1] = before_[own] + kept_[asker] + across.size() - before;
            });
        }
    }
    /// Writes the lists of a block, which has been counted.
    void write(std::size_t block, std::span<const std::uint64_t> offsets, Id* ids) const noexcept {
        const Id* next_across = across_[block].data();
        const bool renamed = !state_.part.giants().empty();
        for_each_owned(begin(block), begin(block + 1), [&](std::size_t asker, Id own) {
            const std::span<const Id> home = found_by(asker).first(kept_[asker]);
            Id* to = std::copy(home.begin(), home.end(), ids + offsets[own] + before_[own]);
            for (Id* one = to - home.size(); renamed && one != to; ++one) {
                *one = state_.part.index_of(*one);
            }
            const auto rest = ids + offsets[own + 1] - to;
            std::copy_n(next_across, rest, to);
            next_across += rest;
        });
    }
    /// Writes the ghosts that come before their askers, after all else.
    void write_before(std::span<const std::uint64_t> offsets, std::span<Id> ids) noexcept {
        for (std::size_t i = turned_.size(); i > 0; --i) {
            const auto [own, ghost] = turned_[i - 1];
            ids[offsets[own] + --before_[own]] = ghost;
        }
    }

private:
    static constexpr std::size_t kInBlock = 256;
    static constexpr std::size_t kTogether = 16;
    static constexpr double kEach = 50.0; ///< nanoseconds for a list, at least

    /// An owned agent, and a ghost in its list.
    struct Turned {
        Id own, ghost;
    };

    [[nodiscard]] std::size_t begin(std::size_t block) const noexcept {
        return std::min(block * kInBlock, names_.size());
    }
    /// Calls call(asker, own) for the owned agents of some places in the order of storage; `own` is
    /// the local id.
    template <class Call>
    void for_each_owned(std::size_t first, std::size_t past, const Call& call) const {
        for (std::size_t asker = first; asker < past; ++asker) {
            const Id own = state_.part.index_of(names_[asker]);
            if (own < state_.owned) { call(asker, own); }
        }
    }
    void note_places() {
        places_.resize(state_.part.agents() + state_.part.giants().size());
        for_each_place(state_.part,
                       [&](Id, Id name, const Point<Dim>& place) { places_[name] = place; });
    }
    void note_order() {
        order_.resize(state_.part.agents() + state_.part.giants().size());
        for (std::size_t asker = 0; asker < names_.size(); ++asker) {
            order_[names_[asker]] = static_cast<Id>(asker);
        }
    }
    /// Finds the ghosts that come before their askers. No processor could foretell which of the two
    /// has the smaller name, so there is no branch; the place behind all owned agents is for
    /// others.
    void turn_round() {
        std::size_t count = 0;
        for (std::size_t asker = 0; asker < names_.size(); ++asker) {
            if (state_.is_moved(names_[asker])) { count += found_by(asker).size(); }
        }
        turned_.resize(count);
        count = 0;
        for (std::size_t asker = 0; asker < names_.size(); ++asker) {
            const Id ghost = names_[asker];
            if (!state_.is_moved(ghost)) { continue; }
            const Id least = least_[ghost - state_.first_moved];
            const std::size_t many = state_.owned - least;
            for (const Id found : found_by(asker)) {
                const bool has = found - least < many;
                turned_[count] = {found, ghost};
                ++before_[has ? found : state_.owned];
                count += has ? 1 : 0;
            }
        }
        turned_.resize(count);
    }

    /// What the local grids have found for an agent.
    [[nodiscard]] std::span<Id> found_by(std::size_t asker) const noexcept {
        const std::span<const Id> found = found_.of(asker);
        return {found_.ids.data() + (found.data() - found_.ids.data()), found.size()};
    }
    /// Whether nothing is left out of the lists of these askers: nothing that they have found is a
    /// ghost beyond a border. Most are far from borders.
    [[nodiscard]] bool keeps_all(std::size_t first, std::size_t past) const noexcept {
        if (!asked_.later_only) { return true; }
        // A sign is set for every ghost, and may be for a static: then keep() decides.
        std::uint32_t signs = 0;
        for (std::size_t i = found_.offsets[first]; i < found_.offsets[past]; ++i) {
            signs |= static_cast<std::uint32_t>(state_.first_moved) - 1 - found_.ids[i];
        }
        return order_.empty() && signs >> 31 == 0;
    }
    /// Moves those that a half list keeps to the front. Returns how many there are.
    [[nodiscard]] std::size_t keep(std::size_t asker, Id own) const noexcept {
        const std::span<Id> home = found_by(asker);
        // A giant's later ones are giants and statics.
        const bool small = names_[asker] < state_.part.agents();
        Id* to = home.data();
        for (const Id name : home) {
            const std::size_t ghost = name - static_cast<Id>(state_.first_moved);
            bool kept = own >= least_[std::min(ghost, least_.size() - 1)];
            if (!order_.empty() && !is_static(name)) {
                kept = state_.is_moved(name) ? kept && small : order_[name] >= asker;
            }
            *to = name;
            to += kept ? 1 : 0;
        }
        return static_cast<std::size_t>(to - home.data());
    }
    /// Appends the giants and statics that an agent sees across a border.
    void look_across(Id own, Vector<Id>& seen) const {
        const bool small = own < state_.part.agents();
        const NarrowCopies<Dim> copies(state_.world, places_[own], asked_.radius);
        for (std::size_t i = 1; i <= copies.count(); ++i) {
            const Ball<Dim> ball{detail::shifted(places_[own], copies.offset(i)), asked_.radius};
            (void)state_.part.crowd().visit(
                ball,
                [&](std::span<const Id> run) {
                    for (const Id name : run) {
                        const bool kept =
                            !asked_.later_only || is_static(name) || small || name < own;
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
    Vector<Id> names_;          ///< in the order of storage
    Vector<Point<Dim>> places_; ///< by name, if there are giants or statics
    Vector<Id> order_;          ///< of names, if whole lists are halved
    Vector<Id> kept_;           ///< for each asker, how many in `found_` are kept, the first ones
    Vector<Id> least_;          ///< for each ghost beyond a border, the first agent that has it
    Vector<Turned> turned_;     ///< by the ghosts' order
    Vector<Id> before_;         ///< for each owned agent, how many of `turned_` it has
    Vector<Vector<Id>> across_; ///< for each block, what its agents see across a border
};

template <std::size_t Dim>
Status DistributedGrid<Dim>::State::list_across(const Neighbourhood& asked, Sets sets,
                                                Executor& runs_on, Hits& hits) {
    ListsAcross lists(*this, asked, sets, answers);
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
    lists.write_before(offsets, hits.ids);
    hits.offsets = std::move(offsets);
    return {};
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status DistributedGrid<Dim>::State::list_across(const Neighbourhood&, Sets,           \
                                                             Executor&, Hits&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
