#include "obstacles.hpp"

#include "../crowd_settings.hpp"
#include "../executor.hpp"
#include "../structs.hpp"

#include <memory>
#include <utility>

namespace throng::c {

namespace {

/// The status of a call that takes all obstacles at once.
throng_status status_of_arrays(const Status& status) noexcept {
    switch (status.argument) {
    case Argument::box:
        return status_of(status, {.shapes = "arrays.boxes"});
    case Argument::oriented_box:
        return status_of(status, {.shapes = "arrays.turned_boxes"});
    default:
        return status_of(status);
    }
}

/// The status of a call that takes one obstacle, or its id.
throng_status status_of_one(const Status& status) noexcept {
    throng_status said = status_of(status);
    switch (status.argument) {
    case Argument::box:
    case Argument::oriented_box:
    case Argument::wall:
    case Argument::triangle:
        said.argument = "obstacle";
        break;
    case Argument::id:
        said.argument = "id";
        break;
    default:
        break;
    }
    return said;
}

class ArraysReader {
public:
    /// Throws Refused for arrays that are wrong in either dimension.
    explicit ArraysReader(const throng_obstacle_arrays* arrays) : given_(read(arrays, "arrays")) {
        if (given_.reserved != 0) { refuse(THRONG_WRONG_VALUE, "arrays.reserved"); }
    }

    /// Throws Refused if the arrays have another dimension.
    template <std::size_t Dim>
    [[nodiscard]] ObstacleArrays<Dim> in() const {
        if (given_.dimension != Dim) { refuse(THRONG_WRONG_DIMENSION, "arrays.dimension"); }
        ObstacleArrays<Dim> arrays;
        arrays.boxes = view_of<Box<Dim>>(given_.boxes, given_.box_stride, given_.box_count);
        arrays.turned_boxes = view_of<OrientedBox<Dim>>(
            given_.turned_boxes, given_.turned_box_stride, given_.turned_box_count);
        std::size_t count = given_.box_count + given_.turned_box_count;
        if constexpr (Dim == 2) {
            if (given_.triangle_count != 0) { refuse(THRONG_WRONG_DIMENSION, "arrays.triangles"); }
            arrays.walls = view_of<Wall>(given_.walls, given_.wall_stride, given_.wall_count);
            count += given_.wall_count;
        } else {
            if (given_.wall_count != 0) { refuse(THRONG_WRONG_DIMENSION, "arrays.walls"); }
            arrays.triangles =
                view_of<Triangle>(given_.triangles, given_.triangle_stride, given_.triangle_count);
            count += given_.triangle_count;
        }
        // If the sum overflows, one kind has too many elements and is refused first.
        if (given_.groups != nullptr) {
            arrays.groups = {given_.groups, given_.groups_stride, count};
        }
        return arrays;
    }

private:
    template <class Shape>
    static ValueView<Shape> view_of(const void* array, std::ptrdiff_t stride,
                                    std::size_t count) noexcept {
        constexpr std::ptrdiff_t kDense = sizeof(Shape);
        return {array, stride == 0 ? kDense : stride, count};
    }

    throng_obstacle_arrays given_;
};

/// An obstacle of the host's. Throws Refused if the pointer is null or misaligned.
template <class Shape>
const Shape& obstacle_at(const void* obstacle) {
    check_pointer(obstacle, alignof(Shape) - 1, "obstacle");
    return *static_cast<const Shape*>(obstacle);
}

/// Calls put(shape) with the obstacle of a kind. Throws Refused for unknown kinds, and for those of
/// another dimension.
template <std::size_t Dim, class Put>
Status with_obstacle(std::uint32_t shape, const void* obstacle, const Put& put) {
    switch (shape) {
    case THRONG_BOX2:
    case THRONG_BOX3:
    case THRONG_ORIENTED_BOX2:
    case THRONG_ORIENTED_BOX3:
    case THRONG_WALL2:
    case THRONG_TRIANGLE3:
        break;
    default:
        refuse(THRONG_WRONG_VALUE, "shape");
    }
    if (shape % 10 != Dim) { refuse(THRONG_WRONG_DIMENSION, "shape"); }
    if (shape / 10 == THRONG_BOX2 / 10) { return put(obstacle_at<Box<Dim>>(obstacle)); }
    if (shape / 10 == THRONG_ORIENTED_BOX2 / 10) {
        return put(obstacle_at<OrientedBox<Dim>>(obstacle));
    }
    if constexpr (Dim == 2) {
        return put(obstacle_at<Wall>(obstacle));
    } else {
        return put(obstacle_at<Triangle>(obstacle));
    }
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_obstacles_create(uint32_t dimension, throng_obstacles** out) {
    return guarded([&] {
        if (dimension != 2 && dimension != 3) { refuse(THRONG_WRONG_VALUE, "dimension"); }
        check_out(out, "out");
        hand_out(dimension == 2 ? std::make_unique<ObstaclesObject>(throng::Obstacles<2>())
                                : std::make_unique<ObstaclesObject>(throng::Obstacles<3>()),
                 *out);
        return kOk;
    });
}

throng_status throng_obstacles_destroy(throng_obstacles* obstacles) {
    return end(obstacles, "obstacles");
}

throng_status throng_obstacles_configure(throng_obstacles* obstacles,
                                         const throng_crowd_settings* settings) {
    return guarded([&] {
        ObstaclesObject& object = look_up(obstacles, "obstacles");
        const SettingsReader given(settings);
        return status_of(object.change([&]<std::size_t Dim>(throng::Obstacles<Dim>& of) {
            return given.configure_world<Dim>(of);
        }));
    });
}

throng_status throng_obstacles_set(throng_obstacles* obstacles,
                                   const throng_obstacle_arrays* arrays,
                                   throng_executor* executor) {
    return guarded([&] {
        ObstaclesObject& object = look_up(obstacles, "obstacles");
        const ArraysReader given(arrays);
        const auto on = executor_for(executor);
        return status_of_arrays(object.change([&]<std::size_t Dim>(throng::Obstacles<Dim>& of) {
            return of.set(given.in<Dim>(), *on);
        }));
    });
}

throng_status throng_obstacles_insert(throng_obstacles* obstacles, uint32_t id, uint32_t shape,
                                      const void* obstacle, uint32_t groups) {
    return guarded([&] {
        ObstaclesObject& object = look_up(obstacles, "obstacles");
        return status_of_one(object.change([&]<std::size_t Dim>(throng::Obstacles<Dim>& of) {
            return with_obstacle<Dim>(shape, obstacle,
                                      [&](const auto& one) { return of.insert(id, one, groups); });
        }));
    });
}

throng_status throng_obstacles_replace(throng_obstacles* obstacles, uint32_t id, uint32_t shape,
                                       const void* obstacle, uint32_t groups) {
    return guarded([&] {
        ObstaclesObject& object = look_up(obstacles, "obstacles");
        return status_of_one(object.change([&]<std::size_t Dim>(throng::Obstacles<Dim>& of) {
            return with_obstacle<Dim>(shape, obstacle,
                                      [&](const auto& one) { return of.replace(id, one, groups); });
        }));
    });
}

throng_status throng_obstacles_erase(throng_obstacles* obstacles, uint32_t id) {
    return guarded([&] {
        return status_of_one(
            look_up(obstacles, "obstacles").change([&](auto& of) { return of.erase(id); }));
    });
}

throng_status throng_obstacles_clear(throng_obstacles* obstacles) {
    return guarded([&] {
        look_up(obstacles, "obstacles").change([](auto& of) { of.clear(); });
        return kOk;
    });
}

throng_status throng_obstacles_release(throng_obstacles* obstacles) {
    return guarded([&] {
        look_up(obstacles, "obstacles").change([](auto& of) { of.release_staging(); });
        return kOk;
    });
}

throng_status throng_obstacles_save(const throng_obstacles* obstacles, const char* path) {
    return guarded([&] {
        const ObstaclesObject& object = look_up(obstacles, "obstacles");
        if (path == nullptr) { refuse(THRONG_NULL_POINTER, "path"); }
        return object.ask([&](const auto& saved) { return status_of(throng::save(saved, path)); });
    });
}

throng_status throng_obstacles_load(throng_obstacles* obstacles, const char* path) {
    return guarded([&] {
        ObstaclesObject& object = look_up(obstacles, "obstacles");
        if (path == nullptr) { refuse(THRONG_NULL_POINTER, "path"); }
        return object.change([&](auto& loaded) { return status_of(throng::load(loaded, path)); });
    });
}

throng_status throng_obstacles_count(const throng_obstacles* obstacles,
                                     throng_obstacle_counts* out) {
    return guarded([&] {
        const ObstaclesObject& object = look_up(obstacles, "obstacles");
        throng_obstacle_counts counts = read(out, "out");
        object.ask([&]<std::size_t Dim>(const throng::Obstacles<Dim>& of) {
            const throng::MemoryUse use = of.memory();
            counts.dimension = Dim;
            counts.reserved = 0;
            counts.obstacles = of.size();
            counts.index_bytes = use.index();
            counts.staging_bytes = use.staging;
        });
        write(counts, out);
        return kOk;
    });
}

throng_status throng_obstacles_contains(const throng_obstacles* obstacles, uint32_t id,
                                        uint32_t* found) {
    return guarded([&] {
        const ObstaclesObject& object = look_up(obstacles, "obstacles");
        check_out(found, "found");
        *found = object.ask([&](const auto& of) { return of.contains(id); }) ? 1 : 0;
        return kOk;
    });
}
