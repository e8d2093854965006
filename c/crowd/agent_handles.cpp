// Agents with handles that the crowd gives out.
#include "../../engine/agents/handles.hpp"
#include "../../engine/agents/validation.hpp"
#include "../../engine/crowd/store/state.hpp"
#include "../../engine/memory/vector.hpp"
#include "../agents.hpp"
#include "../arrays.hpp"
#include "../executor.hpp"
#include "../world_points.hpp"
#include "crowd.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::c {

namespace {

constexpr Names kNewcomers = {.edits = "agents"};

template <class Points>
bool lacks_an_axis(const Points& points) noexcept {
    return points.count != 0 && std::count(points.axis.begin(), points.axis.end(), nullptr) != 0;
}

/// The position of agent i, from the host's array.
template <std::size_t Dim>
Point<Dim> place_of(const throng::Crowd<Dim>&, const PointView<Dim>& positions, std::size_t i) {
    Point<Dim> place;
    for (std::size_t a = 0; a < Dim; ++a) {
        place[a] = positions.values(a)[i];
    }
    return place;
}
template <std::size_t Dim>
Point<Dim> place_of(const throng::Crowd<Dim>& crowd, const WorldPointView<Dim>& positions,
                    std::size_t i) {
    double place[Dim];
    for (std::size_t a = 0; a < Dim; ++a) {
        place[a] = positions.values(a)[i];
    }
    return kept_in(crowd, place);
}

/// Converts a host's agents to Agent<Dim>. Refuses the first agent that is wrong.
template <std::size_t Dim, class Any>
Status list(const throng::Crowd<Dim>& crowd, const Any& agents, Vector<Agent<Dim>>& out) {
    if (lacks_an_axis(agents.positions)) { return {Cause::null_pointer, Argument::positions}; }
    if (lacks_an_axis(agents.half_extents)) {
        return {Cause::null_pointer, Argument::half_extents};
    }
    const CrowdKind<Dim>& kind = crowd.kind();
    const bool have_own = agents.half_extents.count != 0;
    out.resize(agents.positions.count);
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i].position = place_of<Dim>(crowd, agents.positions, i);
        if (have_own) {
            out[i].half_extent = place_of<Dim>(crowd, agents.half_extents, i);
        } else if (kind.own_half_extents || agents.common_half_extent != kind.common_half_extent) {
            out[i].half_extent = agents.common_half_extent;
        }
        if (agents.groups.data != nullptr) { out[i].groups = agents.groups[i]; }
    }
    // Checks all positions first, as updates do.
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Status status = check_point(out[i].position, Argument::positions, i);
        if (!status.ok()) { return status; }
    }
    for (std::size_t i = 0; i < out.size() && have_own; ++i) {
        const Status status = check_half_extent(*out[i].half_extent, i);
        if (!status.ok()) { return status; }
    }
    return {};
}

/// The first `count` elements of an array of `room` elements. Throws Refused if there is less room.
template <class T>
std::span<T> first_of(void* array, std::size_t room, std::size_t count, const char* name) {
    const std::span<T> all = array_of<T>(array, room, name, "room");
    if (room < count) { refuse(THRONG_NO_ROOM, name, count); }
    return all.first(count);
}

std::span<const Handle> given(const throng_agent_handle* handles, std::size_t count) {
    return array_of<const Handle>(handles, count, "handles", "count");
}

std::span<const Id> given(const std::uint32_t* ids, std::size_t count) {
    return array_of<const Id>(ids, count, "ids", "count");
}

/// `keys`: null, or a key for each agent.
throng_status add(throng_crowd* crowd, const throng_agents* agents,
                  const std::span<const std::uint64_t>* keys, throng_agent_handle* handles,
                  std::size_t room, throng_executor* executor) {
    CrowdObject& object = look_up(crowd, "crowd");
    const AgentsReader newcomers(agents, kAgents);
    const auto on = executor_for(executor);
    return object.change([&]<std::size_t Dim>(throng::Crowd<Dim>& changed) {
        return newcomers.with<Dim>(
            [&](const auto& all) -> Status {
                const std::size_t count = all.positions.count;
                // Hosts take room for as many handles as they have keys.
                if (keys != nullptr && keys->size() != count) {
                    return {Cause::count_mismatch, Argument::keys};
                }
                const auto to = first_of<Handle>(handles, room, count, "handles");
                return capped(object.source(), [&]() -> Status {
                    Vector<Agent<Dim>> listed;
                    const Status status = list(changed, all, listed);
                    if (!status.ok()) { return status; }
                    return keys == nullptr ? changed.add(listed, to, *on)
                                           : changed.add(listed, to, *keys, *on);
                });
            },
            kNewcomers);
    });
}

throng_status move(throng_crowd* crowd, const throng::Names& names, const throng_agents* agents,
                   throng_executor* executor) {
    CrowdObject& object = look_up(crowd, "crowd");
    const AgentsReader moved(agents, kAgents);
    const auto on = executor_for(executor);
    return object.change([&]<std::size_t Dim>(throng::Crowd<Dim>& changed) {
        return moved.with<Dim>(
            [&](const auto& all) { return changed.move(names, all.positions, *on); });
    });
}

throng_status update(throng_crowd* crowd, const throng_agents* agents, const throng::Names& names,
                     throng_executor* executor) {
    CrowdObject& object = look_up(crowd, "crowd");
    const AgentsReader reader(agents, kAgents);
    const auto on = executor_for(executor);
    return object.change([&]<std::size_t Dim>(throng::Crowd<Dim>& changed) {
        return reader.with<Dim>([&](const auto& all) { return changed.update(all, names, *on); });
    });
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_crowd_add(throng_crowd* crowd, const throng_agents* agents,
                               throng_agent_handle* handles, size_t room,
                               throng_executor* executor) {
    return guarded([&] { return add(crowd, agents, nullptr, handles, room, executor); });
}

throng_status throng_crowd_add_keyed(throng_crowd* crowd, const throng_agents* agents,
                                     const uint64_t* keys, size_t key_count,
                                     throng_agent_handle* handles, size_t room,
                                     throng_executor* executor) {
    return guarded([&] {
        const auto named = array_of<const std::uint64_t>(keys, key_count, "keys", "key_count");
        return add(crowd, agents, &named, handles, room, executor);
    });
}

throng_status throng_crowd_remove(throng_crowd* crowd, const throng_agent_handle* handles,
                                  size_t count, throng_executor* executor) {
    return guarded([&] {
        CrowdObject& object = look_up(crowd, "crowd");
        const auto gone = given(handles, count);
        const auto on = executor_for(executor);
        return status_of(object.change([&](auto& changed) { return changed.remove(gone, *on); }));
    });
}

throng_status throng_crowd_move(throng_crowd* crowd, const throng_agent_handle* handles,
                                size_t count, const throng_agents* agents,
                                throng_executor* executor) {
    return guarded([&] { return move(crowd, given(handles, count), agents, executor); });
}

throng_status throng_crowd_move_ids(throng_crowd* crowd, const uint32_t* ids, size_t count,
                                    const throng_agents* agents, throng_executor* executor) {
    return guarded([&] { return move(crowd, given(ids, count), agents, executor); });
}

throng_status throng_crowd_update_handles(throng_crowd* crowd, const throng_agents* agents,
                                          const throng_agent_handle* handles, size_t count,
                                          throng_executor* executor) {
    return guarded([&] { return update(crowd, agents, given(handles, count), executor); });
}

throng_status throng_crowd_update_ids(throng_crowd* crowd, const throng_agents* agents,
                                      const uint32_t* ids, size_t count,
                                      throng_executor* executor) {
    return guarded([&] { return update(crowd, agents, given(ids, count), executor); });
}

throng_status throng_crowd_resolve(const throng_crowd* crowd, const throng_agent_handle* handles,
                                   size_t count, uint32_t* ids, size_t room) {
    return guarded([&] {
        const CrowdObject& object = look_up(crowd, "crowd");
        const auto named = given(handles, count);
        const auto to = first_of<std::uint32_t>(ids, room, count, "ids");
        return status_of(object.ask([&](const auto& asked) -> throng::Status {
            for (std::size_t i = 0; i < count; ++i) {
                throng::Status status = asked.check(named[i]);
                status.index = i;
                if (!status.ok()) { return status; }
                to[i] = named[i].slot;
            }
            return {};
        }));
    });
}

throng_status throng_crowd_handles(const throng_crowd* crowd, const uint32_t* ids, size_t count,
                                   throng_agent_handle* handles, size_t room) {
    return guarded([&] {
        const CrowdObject& object = look_up(crowd, "crowd");
        const auto named = array_of<const std::uint32_t>(ids, count, "ids", "count");
        const auto to = first_of<throng::Handle>(handles, room, count, "handles");
        object.ask([&](const auto& asked) {
            std::transform(named.begin(), named.end(), to.begin(),
                           [&](std::uint32_t id) { return asked.handle_of(id); });
        });
        return kOk;
    });
}

throng_status throng_crowd_set_keys(throng_crowd* crowd, const throng_agent_handle* handles,
                                    size_t count, const uint64_t* keys, size_t key_count) {
    return guarded([&] {
        CrowdObject& object = look_up(crowd, "crowd");
        const auto named = given(handles, count);
        const auto to = array_of<const std::uint64_t>(keys, key_count, "keys", "key_count");
        return status_of(object.change([&](auto& changed) { return changed.set_keys(named, to); }));
    });
}

throng_status throng_crowd_keys(const throng_crowd* crowd, const uint32_t* ids, size_t count,
                                uint64_t* keys, size_t room, throng_executor* executor) {
    return guarded([&] {
        const CrowdObject& object = look_up(crowd, "crowd");
        const auto asked_for = given(ids, count);
        const auto to = first_of<std::uint64_t>(keys, room, count, "keys");
        const auto on = executor_for(executor);
        return status_of(
            object.ask([&](const auto& asked) { return asked.keys(asked_for, to, *on); }));
    });
}
