// Defines which input is refused, one value at a time. Vector versions elsewhere must agree.
#include "validation.hpp"

#include <cmath>

namespace throng {

namespace {

Cause fault_of_coordinate(float value) noexcept {
    if (!std::isfinite(value)) { return Cause::not_finite; }
    return std::fabs(value) > kLargest ? Cause::too_large : Cause::ok;
}

/// For extents and radii. -0.0 is not negative.
Cause fault_of_length(float value) noexcept {
    if (!std::isfinite(value)) { return Cause::not_finite; }
    if (value < 0.0f) { return Cause::negative; }
    return value > kLargest ? Cause::too_large : Cause::ok;
}

template <std::size_t Dim>
bool is_given(const PointView<Dim>& view) noexcept {
    bool given = view.count != 0;
    for (const float* axis : view.axis) {
        given = given || axis != nullptr;
    }
    return given;
}

bool is_given(const ValueView<std::uint32_t>& view) noexcept {
    return view.count != 0 || view.data != nullptr;
}

template <std::size_t Dim>
bool lacks_data(const PointView<Dim>& view) noexcept {
    bool lacks = false;
    for (const float* axis : view.axis) {
        lacks = lacks || axis == nullptr;
    }
    return lacks && view.count != 0;
}

template <std::size_t Dim>
Point<Dim> point_at(const PointView<Dim>& view, std::size_t index) noexcept {
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = view.values(a)[index];
    }
    return point;
}

/// The status of the first index at which `check` finds a fault, skipped ids left out.
template <std::size_t Dim, class Check>
Status check_each(const PointView<Dim>& view, std::span<const Id> skipped, Check check) noexcept {
    auto next_out = skipped.begin();
    for (std::size_t i = 0; i < view.count; ++i) {
        if (next_out != skipped.end() && *next_out == i) {
            ++next_out;
            continue;
        }
        const Status status = check(point_at(view, i), i);
        if (!status.ok()) { return status; }
    }
    return {};
}

} // namespace

template <std::size_t Dim>
Status check_point(const Point<Dim>& point, Argument argument, std::size_t index) noexcept {
    for (const float value : point.axis) {
        const Cause cause = fault_of_coordinate(value);
        if (cause != Cause::ok) { return {cause, argument, index}; }
    }
    return {};
}

template <std::size_t Dim>
Status check_half_extent(const Point<Dim>& half_extent, std::size_t index) noexcept {
    for (const float value : half_extent.axis) {
        const Cause cause = fault_of_length(value);
        if (cause != Cause::ok) { return {cause, Argument::half_extents, index}; }
    }
    return {};
}

template <std::size_t Dim>
CrowdKind<Dim> kind_of(const Agents<Dim>& agents) noexcept {
    CrowdKind<Dim> kind;
    kind.own_half_extents = is_given(agents.half_extents);
    kind.groups = is_given(agents.groups);
    if (!kind.own_half_extents) { kind.common_half_extent = agents.common_half_extent; }
    return kind;
}

template <std::size_t Dim>
Status check_kind(const CrowdKind<Dim>& kind) noexcept {
    return kind.own_half_extents ? Status{} : check_half_extent(kind.common_half_extent);
}

template <std::size_t Dim>
Status check_bounds(const Box<Dim>& bounds) noexcept {
    if (const Status status = check_point(bounds.lo, Argument::bounds); !status.ok()) {
        return status;
    }
    if (const Status status = check_point(bounds.hi, Argument::bounds); !status.ok()) {
        return status;
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        if (bounds.lo[a] > bounds.hi[a]) { return {Cause::inverted, Argument::bounds, a}; }
    }
    return {};
}

template <std::size_t Dim>
Status check_views(const Agents<Dim>& agents) noexcept {
    const std::size_t count = agents.positions.count;
    const CrowdKind<Dim> kind = kind_of(agents);
    if (lacks_data(agents.positions)) { return {Cause::null_pointer, Argument::positions}; }
    if (count > kMaxAgents) { return {Cause::too_many, Argument::positions, kMaxAgents}; }
    if (kind.own_half_extents) {
        if (agents.half_extents.count != count) {
            return {Cause::count_mismatch, Argument::half_extents};
        }
        if (lacks_data(agents.half_extents)) {
            return {Cause::null_pointer, Argument::half_extents};
        }
    }
    if (kind.groups) {
        if (agents.groups.count != count) { return {Cause::count_mismatch, Argument::groups}; }
        if (agents.groups.data == nullptr && count != 0) {
            return {Cause::null_pointer, Argument::groups};
        }
    }
    return check_kind(kind);
}

template <std::size_t Dim>
Status check_agents(const Agents<Dim>& agents, std::span<const Id> skipped) noexcept {
    if (const Status status = check_views(agents); !status.ok()) { return status; }

    const Status positions =
        check_each(agents.positions, skipped, [](const Point<Dim>& point, std::size_t i) {
            return check_point(point, Argument::positions, i);
        });
    if (!positions.ok() || !kind_of(agents).own_half_extents) { return positions; }
    return check_each(agents.half_extents, skipped,
                      [](const Point<Dim>& half_extent, std::size_t i) {
                          return check_half_extent(half_extent, i);
                      });
}

template <std::size_t Dim>
Status check_agent(const Agent<Dim>& agent, const CrowdKind<Dim>& kind) noexcept {
    if (agent.half_extent.has_value() != kind.own_half_extents) {
        return {kind.own_half_extents ? Cause::missing : Cause::not_stored, Argument::half_extents};
    }
    if (agent.groups.has_value() != kind.groups) {
        return {kind.groups ? Cause::missing : Cause::not_stored, Argument::groups};
    }
    const Status position = check_point(agent.position, Argument::positions);
    if (!position.ok() || !agent.half_extent) { return position; }
    return check_half_extent(*agent.half_extent);
}

Status check_length(float length, Argument argument) noexcept {
    const Cause cause = fault_of_length(length);
    return cause == Cause::ok ? Status{} : Status{cause, argument};
}

template Status check_point(const Point<2>&, Argument, std::size_t) noexcept;
template Status check_point(const Point<3>&, Argument, std::size_t) noexcept;
template Status check_half_extent(const Point<2>&, std::size_t) noexcept;
template Status check_half_extent(const Point<3>&, std::size_t) noexcept;
template CrowdKind<2> kind_of(const Agents<2>&) noexcept;
template CrowdKind<3> kind_of(const Agents<3>&) noexcept;
template Status check_kind(const CrowdKind<2>&) noexcept;
template Status check_kind(const CrowdKind<3>&) noexcept;
template Status check_bounds(const Box<2>&) noexcept;
template Status check_bounds(const Box<3>&) noexcept;
template Status check_views(const Agents<2>&) noexcept;
template Status check_views(const Agents<3>&) noexcept;
template Status check_agents(const Agents<2>&, std::span<const Id>) noexcept;
template Status check_agents(const Agents<3>&, std::span<const Id>) noexcept;
template Status check_agent(const Agent<2>&, const CrowdKind<2>&) noexcept;
template Status check_agent(const Agent<3>&, const CrowdKind<3>&) noexcept;

} // namespace throng
