// All pairs of agents and statics whose boxes or discs overlap, from the given pairs of sets.
#include "pairs.hpp"

#include "../../grid/grid_parts.hpp"
#include "../periodic/periodic.hpp"

namespace throng {

template <std::size_t Dim>
Found Crowd<Dim>::visit_pairs(PairSets sets, PairVisitor visitor, std::uint32_t groups,
                              Body body) const {
    const AccessCheck::Reading reading(state_->access);
    const State& state = *state_;
    if (const Status status = check_overlapping(body); !status.ok()) { return {0, status}; }
    const typename State::CrossPairs cross{state, groups, body};
    const std::size_t giants = state.giants.slots();
    Found found;
    bool more = true;
    const auto counted = [&](std::span<const Id> first, std::span<const Id> second) {
        found.count += first.size();
        return more = visitor(first, second);
    };
    if (has(sets, PairSets::small_small)) { (void)state.grid.visit_pairs(counted, groups, body); }
    if (more && has(sets, PairSets::small_giants)) { cross.small_of_giants(0, giants, counted); }
    if (more && has(sets, PairSets::giants_giants)) {
        (void)state.giants.visit_pairs(counted, groups, body);
    }
    if (more && has(sets, PairSets::small_statics)) {
        if (cross.small_ask_statics()) {
            cross.statics_of_small(0, state.grid.parts().slices(), counted);
        } else {
            cross.small_of_statics(0, state.statics->slots(), counted);
        }
    }
    if (more && has(sets, PairSets::giants_statics)) {
        cross.statics_of_giants(0, giants, counted);
    }
    cross.for_each_border_kind([&](PairSets kind, std::size_t slots) {
        if (more && has(sets, kind)) {
            more = State::PeriodicCopies::visit_pairs(state, state.world, kind, 0, slots, counted,
                                                      groups, body);
        }
    });
    return found;
}

template Found Crowd<2>::visit_pairs(PairSets, PairVisitor, std::uint32_t, Body) const;
template Found Crowd<3>::visit_pairs(PairSets, PairVisitor, std::uint32_t, Body) const;

} // namespace throng
