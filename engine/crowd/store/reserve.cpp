// Takes memory for later updates: for the grid, and for what a crowd keeps of each agent besides.
//
// All memory outside the grid is scratch that holds nothing between calls, or spare room. So if a
// later part fails, the parts that have grown change no answer, and serve the next call.
#include "../crowd.hpp"

#include "../../grid/store/update.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>

namespace throng {

template <std::size_t Dim>
Status Crowd<Dim>::reserve(std::size_t agents, Executor& executor) {
    State& state = *state_;
    return state.changing("Crowd::reserve", [&]() -> Status {
        if (!state.configured) { return {Cause::not_configured}; }
        if (agents > kMostInCrowd) { return {Cause::too_many, Argument::positions, kMostInCrowd}; }
        // The claims serve the loops of the crowd and of the grid, one after another.
        state.claims.prepare(std::max({SizeSplit<Dim>::blocks_of(agents),
                                       UpdatePlan::most_blocks(agents), UpdatePlan::kGroups}));
        if (state.kind.own_half_extents) {
            if (const Status status = state.prepare_spare(); !status.ok()) { return status; }
            const Status status = state.split.reserve(agents, state.claims, executor);
            if (!status.ok()) { return status; }
        }
        if (state.named_by_handles) {
            state.handles.reserve(agents);
            if (!state.keys.empty()) { state.keys.reserve(agents); }
            state.dead.reserve(agents);
            state.skipped.reserve(agents);
        }
        // Room for positions that are wrapped or converted from doubles. Whether doubles will come
        // is not known.
        if (state.world.wraps || state.settings.origin != std::array<double, Dim>{}) {
            state.prepare_to_keep(agents, state.kept_positions);
        }
        return detail::state_of(state.grid).reserve(agents, state.kind, executor);
    });
}

template Status Crowd<2>::reserve(std::size_t, Executor&);
template Status Crowd<3>::reserve(std::size_t, Executor&);

} // namespace throng
