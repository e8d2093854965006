// Finds the bodies near the bodies of a crowd's agents. Internal.
#pragma once

#include "../../engine/agents/body.hpp"
#include "../../engine/core/limits.hpp"
#include "../../engine/crowd/periodic/sources.hpp"
#include "../../engine/crowd/store/state.hpp"
#include "../../engine/grid/calls/named_grids.hpp"
#include "../../engine/grid/rows/storage_range.hpp"
#include "ordered_output.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// Agents of a crowd that ask which bodies are near: a slice of small agents at once, or any agent
/// by itself. Answers are in the order of the crowd's sets. In a periodic world only agents near a
/// border, whose neighbours may be behind the border, take longer.
template <std::size_t Dim>
class CrowdBodies {
public:
    CrowdBodies(const Crowd<Dim>& crowd, Sets sets, const Neighbourhood& neighbourhood) noexcept
        : crowd_(crowd), neighbourhood_(neighbourhood), sets_(sets), grids_(crowd.grids()) {}

    /// Calls call(BodyNeighbours) with the question of all agents of a slice, which knows nothing
    /// of periodic borders.
    template <class Call>
    std::uint64_t ask_slice(std::size_t slice, const Call& call) const {
        const auto& inside = detail::state_of(*grids_[0].grid);
        const StorageRange<Dim> range(inside.slices, slice, slice + 1);
        const simd::NeighbourQueryAcross<Dim> query =
            query_across<Dim>(grids_[0], grids_, neighbourhood_, [&](const NamedGrid<Dim>& other) {
                return has(sets_, kSetOf[static_cast<std::size_t>(&other - grids_.data())]);
            });
        return call(BodyNeighbours<Dim>{inside.kernel_view().grid, query, range.at, range.end,
                                        range.agents(inside.store)});
    }

    /// Whether no two copies of a small agent can find the same body: then ask_slice() and
    /// for_each_across() find all bodies, each once.
    [[nodiscard]] bool is_narrow() const noexcept {
        const auto& world = state().world;
        return !world.wraps || (world.is_moderate() && world.is_narrow(farthest()));
    }
    /// Calls visit(number, agent, id) for the bodies that small agents of a slice find across
    /// borders, later or not; the numbers count the slice's agents, and ascend.
    template <class Visit>
    void for_each_across(std::size_t slice, const Visit& visit) const {
        const auto& world = state().world;
        const float far = farthest();
        const typename StateOfCrowd::PlainSets sets(state(), sets_);
        state().for_each_near(
            slice, slice + 1, far, [&](std::size_t number, const SmallAgent<Dim>& agent) {
                const NarrowCopies<Dim> few(world, agent.position, far);
                for (std::size_t i = 1; i <= few.count(); ++i) {
                    const Point<Dim> from = detail::shifted(agent.position, few.offset(i));
                    const Box<Dim> around = Box<Dim>::around(from, Point<Dim>::all(far));
                    const auto take = [&](std::span<const Id> run) {
                        for (const Id id : run) {
                            const Agent<Dim> other = agent_of(id);
                            if (is_near(from, agent.half_extent, other)) {
                                visit(number, agent, id);
                            }
                        }
                        return true;
                    };
                    const Found found = sets.visit(ShapesView<Dim>(around), take,
                                                   Filter{neighbourhood_.groups, kNoId});
                    if (!found.status.ok()) { throw Refused{found.status}; }
                }
            });
    }

    /// The names of all agents and statics that `asker` finds, later or not, in part.found.
    std::span<const Id> found_by(Id asker, OutputPart& part) const {
        const auto& state = detail::state_of(crowd_);
        const bool giant = state.giants.contains(asker);
        const Agent<Dim> agent =
            giant ? state.giants.agent(asker) : Copies::agent_of(state.grid, asker);
        if (state.world.wraps && !is_inside(agent)) { return found_around(asker, agent, part); }
        Neighbourhood asked = neighbourhood_;
        asked.later_only = false;
        const NamedGrid<Dim>& askers = grids_[giant ? 1 : 0];
        const auto& inside = detail::state_of(*askers.grid);
        const Id id = giant ? state.giants.slot_of(asker) : asker;
        const std::uint32_t row = inside.row_of[id];
        const simd::RowSlot at = {row, inside.store.slot_of(row, id)};
        const simd::NeighbourQueryAcross<Dim> query =
            query_across<Dim>(askers, grids_, asked, [&](const NamedGrid<Dim>& other) {
                return has(sets_, kSetOf[static_cast<std::size_t>(&other - grids_.data())]);
            });
        const BodyNeighbours<Dim> neighbours{
            inside.kernel_view().grid, query, at, {at.row, at.slot + 1}, 1};
        for (;;) {
            std::array<std::uint64_t, 2> offsets{};
            const std::uint64_t count = neighbours.list({offsets, part.found});
            if (count <= part.found.size()) { return std::span(part.found).first(count); }
            part.found.resize(length_of(count + count / 4));
        }
    }

private:
    using StateOfCrowd = detail::StateOf<Crowd<Dim>>;
    using Copies = typename StateOfCrowd::PeriodicCopies;
    static constexpr std::array<Sets, 3> kSetOf = {Sets::small, Sets::giants, Sets::statics};

    /// A bound, on one axis, for the distance to the centre of any agent or copy that this agent
    /// finds.
    [[nodiscard]] double reach(const Agent<Dim>& agent, std::size_t a) const noexcept {
        const auto& world = detail::state_of(crowd_).world;
        const std::size_t h = neighbourhood_.body == Body::box ? a : 0;
        double largest = 0.0;
        for (const NamedGrid<Dim>& grid : grids_) {
            largest = std::max(largest, double{half_extents_of(grid).largest[h]});
        }
        const double reach =
            double{neighbourhood_.radius} + double{(*agent.half_extent)[h]} + largest;
        const double size = reach + std::abs(double{agent.position[a]}) + double{world.period[a]};
        return reach + size * 0x1p-19 + 1e-18;
    }

    /// How far any body that any small agent finds may be, on every axis.
    [[nodiscard]] float farthest() const noexcept {
        Agent<Dim> widest{{}, state().largest(Sets::small), {}};
        double far = 0.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            far = std::max(far, reach(widest, a));
        }
        return static_cast<float>(far + far * 0x1p-20);
    }

    [[nodiscard]] const auto& state() const noexcept { return detail::state_of(crowd_); }

    /// Whether a body at a place is near another one.
    [[nodiscard]] bool is_near(const Point<Dim>& from, const Point<Dim>& half,
                               const Agent<Dim>& other) const noexcept {
        Point<Dim> offset, sum;
        for (std::size_t a = 0; a < Dim; ++a) {
            offset[a] = other.position[a] - from[a];
            sum[a] = half[a] + (*other.half_extent)[a];
        }
        return body_distance2(neighbourhood_.body, offset, sum) <=
               neighbourhood_.radius * neighbourhood_.radius;
    }

    /// Whether the agent's reach crosses no border of the world.
    [[nodiscard]] bool is_inside(const Agent<Dim>& agent) const noexcept {
        const auto& world = detail::state_of(crowd_).world;
        bool inside = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            const double far = reach(agent, a);
            inside =
                inside && (!world.periodic[a] || (agent.position[a] - far >= world.bounds.lo[a] &&
                                                  agent.position[a] + far <= world.bounds.hi[a]));
        }
        return inside;
    }

    /// Asks the crowd with a box around all possible neighbours, and tests each hit. Throws
    /// Refused.
    std::span<const Id> found_around(Id asker, const Agent<Dim>& agent, OutputPart& part) const {
        const auto& world = detail::state_of(crowd_).world;
        Box<Dim> box;
        for (std::size_t a = 0; a < Dim; ++a) {
            // One period to either side covers the whole axis.
            const double far = world.periodic[a]
                                   ? std::min(reach(agent, a), double{world.period[a]})
                                   : reach(agent, a);
            box.lo[a] = side(agent.position[a] - far);
            box.hi[a] = side(agent.position[a] + far);
        }
        part.found.clear();
        const Filter filter{neighbourhood_.groups, neighbourhood_.with_self ? kNoId : asker};
        const auto take = [&](std::span<const Id> run) {
            for (const Id other : run) {
                if (is_near(agent, agent_of(other))) { part.found.push_back(other); }
            }
            return true;
        };
        const Found found =
            Copies(detail::state_of(crowd_), sets_).visit(ShapesView<Dim>(box), take, filter);
        if (!found.status.ok()) { throw Refused{found.status}; }
        return part.found;
    }

    /// The asker's nearest copy decides. It is the copy that is nearest on each axis: no rounding
    /// makes a distance shrink as an offset grows.
    [[nodiscard]] bool is_near(const Agent<Dim>& asker, const Agent<Dim>& other) const noexcept {
        const auto& world = detail::state_of(crowd_).world;
        Point<Dim> offset, sum;
        for (std::size_t a = 0; a < Dim; ++a) {
            offset[a] = other.position[a] - asker.position[a];
            sum[a] = (*asker.half_extent)[a] + (*other.half_extent)[a];
            if (!world.periodic[a]) { continue; }
            for (const float step : {-1.0f, 1.0f}) {
                const float copy = asker.position[a] + step * world.period[a];
                const float from_copy = other.position[a] - copy;
                if (std::abs(from_copy) < std::abs(offset[a])) { offset[a] = from_copy; }
            }
        }
        return body_distance2(neighbourhood_.body, offset, sum) <=
               neighbourhood_.radius * neighbourhood_.radius;
    }

    [[nodiscard]] Agent<Dim> agent_of(Id name) const noexcept {
        const auto& state = detail::state_of(crowd_);
        if (is_static(name)) { return state.statics->agent(name); }
        return state.giants.contains(name) ? state.giants.agent(name)
                                           : Copies::agent_of(state.grid, name);
    }

    /// Clamped, since no centre lies beyond kLargest.
    [[nodiscard]] static float side(double x) noexcept {
        return static_cast<float>(std::clamp(x, -double{kLargest}, double{kLargest}));
    }

    const Crowd<Dim>& crowd_;
    const Neighbourhood& neighbourhood_;
    Sets sets_;
    std::array<NamedGrid<Dim>, 3> grids_;
};

} // namespace throng
