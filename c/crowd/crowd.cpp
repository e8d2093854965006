#include "crowd.hpp"

#include "../../engine/agents/grid_shape.hpp"
#include "../../engine/agents/reorder.hpp"
#include "../../engine/crowd/cell_stats.hpp"
#include "../../engine/frozen/frozen.hpp"
#include "../agents.hpp"
#include "../arrays.hpp"
#include "../crowd_settings.hpp"
#include "../edits.hpp"
#include "../executor.hpp"
#include "../structs.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace throng::c {

namespace {

/// Makes all of a host's edits, or none.
template <class GivenEdit>
throng_status edit_all(throng_crowd* crowd, const GivenEdit* edits, std::size_t count,
                       throng_executor* executor) {
    CrowdObject& object = look_up(crowd, "crowd");
    const auto given = array_of<const GivenEdit>(edits, count, "edits", "count");
    const auto on = executor_for(executor);
    return object.change([&]<std::size_t Dim>(throng::Crowd<Dim>& changed) {
        PreparedEdits<Dim> prepared(object.edits<Dim>());
        const Status room = capped(object.source(), [&] {
            prepared.read(given, changed);
            return Status();
        });
        if (!room.ok()) { return status_of(room); }
        const Status edited = changed.edit(prepared.all(), *on);
        if (edited.ok()) { prepared.keep(); }
        return status_of(edited);
    });
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_crowd_create(const throng_crowd_settings* settings, throng_crowd** out) {
    return guarded([&] {
        const SettingsReader given(settings);
        check_out(out, "out");
        given.with_dimension([&]<std::size_t Dim>(std::integral_constant<std::size_t, Dim>) {
            throng::Crowd<Dim> crowd;
            given.configure<Dim>(crowd);
            hand_out(std::make_unique<CrowdObject>(std::move(crowd), given.memory()), *out);
        });
        return kOk;
    });
}

throng_status throng_crowd_destroy(throng_crowd* crowd) {
    return guarded([&] {
        if (crowd != nullptr && look_up(crowd, "crowd").is_lent()) {
            refuse(THRONG_READ_ONLY, "crowd");
        }
        return end(crowd, "crowd");
    });
}

throng_status throng_crowd_update(throng_crowd* crowd, const throng_agents* agents,
                                  throng_executor* executor) {
    return guarded([&] {
        CrowdObject& object = look_up(crowd, "crowd");
        const AgentsReader given(agents, kAgents);
        const auto on = executor_for(executor);
        return object.change([&]<std::size_t Dim>(throng::Crowd<Dim>& changed) {
            return given.with<Dim>([&](const auto& all) { return changed.update(all, *on); });
        });
    });
}

throng_status throng_crowd_reserve(throng_crowd* crowd, size_t agents, throng_executor* executor) {
    return guarded([&] {
        CrowdObject& object = look_up(crowd, "crowd");
        const auto on = executor_for(executor);
        return status_of_reserve(
            object.change([&](auto& changed) { return changed.reserve(agents, *on); }));
    });
}

throng_status throng_crowd_set_statics(throng_crowd* crowd, const throng_agents* statics,
                                       throng_executor* executor) {
    return guarded([&] {
        CrowdObject& object = look_up(crowd, "crowd");
        const AgentsReader given(statics, kStatics);
        const auto on = executor_for(executor);
        return object.change([&]<std::size_t Dim>(throng::Crowd<Dim>& changed) {
            return given.with<Dim>([&](const auto& all) { return changed.set_statics(all, *on); });
        });
    });
}

throng_status throng_crowd_edit(throng_crowd* crowd, const throng_edit* edits, size_t count,
                                throng_executor* executor) {
    return guarded([&] { return edit_all(crowd, edits, count, executor); });
}

throng_status throng_crowd_edit_world(throng_crowd* crowd, const throng_world_edit* edits,
                                      size_t count, throng_executor* executor) {
    return guarded([&] { return edit_all(crowd, edits, count, executor); });
}

throng_status throng_crowd_clear(throng_crowd* crowd) {
    return guarded([&] {
        look_up(crowd, "crowd").change([](auto& changed) { changed.clear(); });
        return kOk;
    });
}

throng_status throng_crowd_save(const throng_crowd* crowd, const char* path) {
    return guarded([&] {
        const CrowdObject& object = look_up(crowd, "crowd");
        if (path == nullptr) { refuse(THRONG_NULL_POINTER, "path"); }
        return object.ask([&](const auto& saved) { return status_of(throng::save(saved, path)); });
    });
}

throng_status throng_crowd_load(throng_crowd* crowd, const char* path) {
    return guarded([&] {
        CrowdObject& object = look_up(crowd, "crowd");
        if (path == nullptr) { refuse(THRONG_NULL_POINTER, "path"); }
        return object.change([&](auto& loaded) { return status_of(throng::load(loaded, path)); });
    });
}

throng_status throng_crowd_count(const throng_crowd* crowd, throng_crowd_counts* out) {
    return guarded([&] {
        const CrowdObject& object = look_up(crowd, "crowd");
        throng_crowd_counts counts = read(out, "out");
        object.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& counted) {
            counts.dimension = Dim;
            const auto& cells = counted.grid().shape().cells;
            std::fill(std::begin(counts.cells), std::end(counts.cells), 0u);
            std::copy(cells.begin(), cells.end(), std::begin(counts.cells));
            counts.agents = counted.size();
            counts.giants = counted.size(throng::Sets::giants);
            counts.statics = counted.size(throng::Sets::statics);
            counts.id_bound = counted.id_bound();
            const throng::MemoryUse use = counted.memory();
            counts.index_bytes = use.index();
            counts.staging_bytes = use.staging + object.staging<Dim>();
            counts.slot_bound = counted.slots();
        });
        write(counts, out);
        return kOk;
    });
}

throng_status throng_crowd_cell_stats(const throng_crowd* crowd, throng_cell_stats* out) {
    return guarded([&] {
        const CrowdObject& object = look_up(crowd, "crowd");
        throng_cell_stats written = read(out, "out");
        const throng::CellStats stats =
            object.ask([](const auto& asked) { return asked.cell_stats(); });
        written.rows = stats.rows;
        written.cells = stats.cells;
        written.used_rows = stats.used_rows;
        written.used_cells = stats.used_cells;
        written.agents = stats.agents;
        written.outside = stats.outside;
        written.company = stats.company;
        written.company_afresh = stats.company_afresh;
        write(written, out);
        return kOk;
    });
}

throng_status throng_crowd_order(const throng_crowd* crowd, uint32_t* ids, size_t room) {
    return guarded([&] {
        const CrowdObject& object = look_up(crowd, "crowd");
        const auto to = array_of<std::uint32_t>(ids, room, "ids", "room");
        return object.ask([&](const auto& ordered) {
            const std::size_t agents = ordered.order(to);
            return agents <= room ? kOk : status_with(THRONG_NO_ROOM, "ids", agents);
        });
    });
}

throng_status throng_reorder(const uint32_t* order, size_t count, const throng_array* arrays,
                             size_t arrays_count, throng_executor* executor) {
    return guarded([&] {
        const auto ids = array_of<const std::uint32_t>(order, count, "order", "count");
        const auto given =
            array_of<const throng_array>(arrays, arrays_count, "arrays", "arrays_count");
        std::vector<throng::detail::AgentArray> all;
        all.reserve(given.size());
        for (const throng_array& array : given) {
            if (array.bytes == 0 || count > PTRDIFF_MAX / array.bytes) {
                refuse(THRONG_WRONG_VALUE, "arrays", all.size());
            }
            if (array.data == nullptr && count != 0) {
                refuse(THRONG_NULL_POINTER, "arrays", all.size());
            }
            all.push_back({array.data, count, array.bytes});
        }
        const auto on = executor_for(executor);
        return status_of(throng::detail::reorder(ids, all, *on));
    });
}
