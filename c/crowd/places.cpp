// The cells and nodes of a crowd, and the positions of its agents as the crowd keeps them.
#include "../../engine/crowd/images.hpp"
#include "../agents.hpp"
#include "../arrays.hpp"
#include "../hits.hpp"
#include "../world_points.hpp"
#include "crowd.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::c {

namespace {

/// A host's array for the coordinates of `points` points. Throws Refused if it is too short.
template <class Float, std::size_t Dim>
std::span<Float> room_for(std::size_t points, Float* array, std::size_t room, const char* name) {
    const std::span<Float> all = array_of<Float>(array, room, name, "room");
    if (room / Dim < points) { refuse(THRONG_NO_ROOM, name, Dim * points); }
    return all;
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_crowd_cells(const throng_crowd* crowd, throng_cell* cells, size_t room,
                                 uint64_t* total) {
    return guarded([&] {
        const CrowdObject& asked = look_up(crowd, "crowd");
        CellsRoom out(cells, room);
        check_out(total, "total");
        asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            // Cells come before nodes, and have all small agents.
            std::size_t small = of.size() - of.size(throng::Sets::giants);
            of.visit_cells([&](const throng::IndexCell<Dim>& cell) {
                out.add(cell, small != 0 ? THRONG_SMALL : THRONG_GIANTS);
                small -= std::min<std::size_t>(small, cell.count);
                return true;
            });
        });
        return out.write(total);
    });
}

throng_status throng_crowd_local(const throng_crowd* crowd, const double* world, size_t count,
                                 float* local, size_t room) {
    return guarded([&] {
        const CrowdObject& object = look_up(crowd, "crowd");
        const auto* const from = array_of<const double>(world, count, "world", "count").data();
        return object.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            const auto to = room_for<float, Dim>(count, local, room, "local");
            for (std::size_t i = 0; i < count; ++i) {
                const auto point = of.local(world_point_of<Dim>(from + i * Dim));
                std::copy_n(point.axis.begin(), Dim, to.data() + i * Dim);
            }
            return kOk;
        });
    });
}

throng_status throng_crowd_world(const throng_crowd* crowd, const float* local, size_t count,
                                 double* world, size_t room) {
    return guarded([&] {
        const CrowdObject& object = look_up(crowd, "crowd");
        const auto* const from = array_of<const float>(local, count, "local", "count").data();
        return object.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            const auto to = room_for<double, Dim>(count, world, room, "world");
            for (std::size_t i = 0; i < count; ++i) {
                throng::Point<Dim> point;
                std::copy_n(from + i * Dim, Dim, point.axis.begin());
                std::copy_n(of.world(point).axis.begin(), Dim, to.data() + i * Dim);
            }
            return kOk;
        });
    });
}

throng_status throng_crowd_images(const throng_crowd* crowd, const throng_agents* points,
                                  const throng_agents* positions, int8_t* images, size_t room) {
    return guarded([&] {
        const CrowdObject& object = look_up(crowd, "crowd");
        const AgentsReader from(points, kPointsAsked), seen(positions, kPositions);
        return object.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            using Image = throng::Image<Dim>;
            static_assert(sizeof(Image) == Dim);
            return status_of(from.with_others<Dim>(seen, [&](const auto& all, const auto& others) {
                const std::size_t count = others.count;
                const auto out = room_for<std::int8_t, Dim>(count, images, room, "images");
                auto* const to = static_cast<Image*>(static_cast<void*>(out.data()));
                return throng::Images<Dim>(of).write(all, others, {to, count});
            }));
        });
    });
}
