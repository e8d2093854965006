// The pairs of a crowd except those within its grid, a part at a time. Internal to the engine.
#pragma once

#include "../../../simd/kernels/grid/pairs.hpp"
#include "../../agents/body.hpp"
#include "../crowd.hpp"
#include "../large/large_candidates.hpp"
#include "../store/state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// Hands pairs to a visitor, each once. A call ends and returns false when the visitor has enough.
/// A part is a range of slots for giants and statics, and a range of slices for small agents.
template <std::size_t Dim>
struct Crowd<Dim>::State::CrossPairs {
    const State& state;
    std::uint32_t groups;
    Body body; ///< boxes or discs

    /// Whether small agents look for statics, and not the other way round. Only their numbers
    /// decide, and near the limit the choice hardly matters: for 100,000 agents and twice as many
    /// statics, either way took 30 to 38 ms; with four times as many statics, it took 22 to 38 ms
    /// if small agents asked, and 65 to 78 ms if statics asked.
    [[nodiscard]] bool small_ask_statics() const noexcept {
        return state.statics->size() / kStaticsPerAgent > state.grid.size();
    }

    /// In a periodic world, calls call(kind, slots) for each pair of sets whose agents may overlap
    /// across a border; PeriodicCopies::visit_pairs() finds these pairs, for a range of these
    /// slots.
    template <class Call>
    void for_each_border_kind(const Call& call) const {
        if (!state.world.wraps) { return; }
        const std::size_t slots = state.giants.size() == 0 ? 0 : state.giants.slots();
        call(PairSets::small_small, state.grid.parts().slices());
        call(PairSets::small_giants, slots);
        call(PairSets::giants_giants, slots);
        call(PairSets::small_statics, state.statics->slots());
        call(PairSets::giants_statics, state.statics->slots() == 0 ? 0 : slots);
    }

    bool small_of_giants(std::size_t begin, std::size_t past, PairVisitor visitor) const {
        return each_of(state.giants, begin, past, [&](const Asker& giant) {
            return pair_up(state.grid, giant, Role::second, visitor);
        });
    }
    /// Pairs of the giants in these slots with giants whose ids are larger.
    bool giants_of_giants(std::size_t begin, std::size_t past, PairVisitor visitor) const {
        return each_of(state.giants, begin, past, [&](const Asker& giant) {
            const auto larger = [&](std::span<const Id> first, std::span<const Id> second) {
                std::array<Id, kLongestRun> others;
                const auto end = std::copy_if(second.begin(), second.end(), others.begin(),
                                              [&](Id other) { return other > giant.id; });
                const auto count = static_cast<std::size_t>(end - others.begin());
                return count == 0 || visitor(first.first(count), {others.data(), count});
            };
            return pair_up(state.giants, giant, Role::first, larger);
        });
    }
    bool statics_of_giants(std::size_t begin, std::size_t past, PairVisitor visitor) const {
        return each_of(state.giants, begin, past, [&](const Asker& giant) {
            return pair_up(*state.statics, giant, Role::first, visitor);
        });
    }
    bool small_of_statics(std::size_t begin, std::size_t past, PairVisitor visitor) const {
        return each_of(*state.statics, begin, past, [&](const Asker& one) {
            return pair_up(state.grid, one, Role::second, visitor);
        });
    }
    /// Pairs of the small agents in slices begin ... past - 1 with statics.
    bool statics_of_small(std::size_t begin, std::size_t past, PairVisitor visitor) const {
        std::array<Box<Dim>, LargeCandidates<Dim>::kMany> boxes;
        std::array<Asker, boxes.size()> askers;
        std::size_t count = 0;
        bool more = true;
        LargeCandidates<Dim> few;
        const auto ask = [&] {
            few.answer(
                {ShapeKind::box, boxes.data(), count},
                [&](const auto& ask_set) { (void)ask_set(*state.statics); },
                [&](std::size_t q, const LargeElement<Dim>& one) {
                    if (!more || !one.passes(Filter{groups, kNoId})) { return; }
                    if (body == Body::disc && !discs_overlap(askers[q].centre, askers[q].radius,
                                                             one.position, one.half_extent[0])) {
                        return;
                    }
                    more = visitor({&askers[q].id, 1}, {&one.name, 1});
                },
                [&](std::size_t q, const LargeElements<Dim>& set) {
                    if (!more) { return; }
                    more = pair_up(set, askers[q], Role::first, visitor);
                });
            count = 0;
        };
        state.for_each_small(begin, past, [&](const SmallAgent<Dim>& agent) {
            if (!more || !agent.is_in(groups)) { return; }
            const float radius = agent.half_extent[0];
            boxes[count] = body == Body::disc
                               ? state.statics->box_around_disc(agent.position, radius)
                               : box_to_ask(agent.position, agent.half_extent);
            askers[count] = {agent.id, boxes[count], agent.position, radius};
            ++count;
            if (count == boxes.size()) { ask(); }
        });
        if (more && count != 0) { ask(); }
        return more;
    }

private:
    enum class Role : bool { first, second };

    /// An agent or static that looks for partners.
    struct Asker {
        Id id = kNoId;
        Box<Dim> box;        // used if bodies are boxes
        Point<Dim> centre{}; // used if bodies are discs
        float radius = 0.0f; // used if bodies are discs
    };

    template <class Set, class Ask>
    bool each_of(const Set& set, std::size_t begin, std::size_t past, const Ask& ask) const {
        bool more = true;
        set.for_each_box(groups, begin, past, [&](Id id, const Box<Dim>& box) {
            Asker one{id, box};
            if (body == Body::disc) {
                const Agent<Dim> agent = set.agent(id);
                one.centre = agent.position;
                one.radius = (*agent.half_extent)[0];
            }
            return more = ask(one);
        });
        return more;
    }

    /// Hands on the pairs of `one` with all elements that overlap it.
    template <class Index>
    bool pair_up(const Index& index, const Asker& one, Role role, PairVisitor visitor) const {
        bool more = true;
        std::array<Id, kLongestRun> ones;
        std::size_t filled = 0;
        const auto hand_on = [&](std::span<const Id> run) {
            if (filled < run.size()) {
                std::fill(ones.begin() + static_cast<std::ptrdiff_t>(filled),
                          ones.begin() + static_cast<std::ptrdiff_t>(run.size()), one.id);
                filled = run.size();
            }
            const std::span<const Id> same(ones.data(), run.size());
            more = role == Role::first ? visitor(same, run) : visitor(run, same);
            return more;
        };
        if (body == Body::disc) {
            visit_discs(index, one, hand_on);
        } else {
            (void)index.visit(one.box, hand_on, Filter{groups, kNoId});
        }
        return more;
    }

    void visit_discs(const LargeElements<Dim>& set, const Asker& one, IndexVisitor visitor) const {
        set.visit_discs(one.centre, one.radius, visitor, groups);
    }
    void visit_discs(const RowGrid<Dim>& set, const Asker& one, IndexVisitor visitor) const {
        const auto& inside = detail::state_of(set);
        if (inside.count == 0 || groups == 0) { return; }
        simd::PairDisc<Dim> disc{{}, one.radius, one.id};
        std::copy_n(one.centre.axis.begin(), Dim, disc.centre);
        std::array<Id, kLongestRun> ones, others;
        simd::RowSlot second{};
        for (bool done = false; !done;) {
            simd::PairsOutput out = {ones.data(), others.data(), others.size(), 0};
            done = simd::list_disc_pairs(inside.kernel_view().grid,
                                         inside.store.groups_to_compare(groups), disc, second, out);
            if (out.used != 0 && !visitor({others.data(), out.used})) { return; }
        }
    }

    static constexpr std::size_t kStaticsPerAgent = 2;
};

} // namespace throng
