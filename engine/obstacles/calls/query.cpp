// Questions to obstacles about points, paths and looks, single ones and many.
#include "../../agents/validation.hpp"
#include "../../core/access.hpp"
#include "../../core/profile_scope.hpp"
#include "../../shapes/with_shapes.hpp"
#include "../store/answers.hpp"
#include "../store/packet.hpp"
#include "collect.hpp"

#include <algorithm>

namespace throng {

namespace obstacle {

namespace {

template <std::size_t Dim, class Shape>
Path<Dim> path_of(const Shape& shape) noexcept {
    if constexpr (std::is_same_v<Shape, Ray<Dim>>) {
        return {real(shape.origin), real(shape.direction), shape.length, 0.0};
    } else {
        Path<Dim> path;
        for (std::size_t a = 0; a < Dim; ++a) {
            path.from[a] = shape.from[a];
            path.way[a] = double{shape.to[a]} - path.from[a];
        }
        if constexpr (std::is_same_v<Shape, Capsule<Dim>>) { path.radius = shape.radius; }
        return path;
    }
}

/// Path i of a view of paths.
template <std::size_t Dim>
Path<Dim> path_at(const ShapesView<Dim>& paths, std::size_t i) noexcept {
    switch (paths.kind) {
    case ShapeKind::ray:
        return path_of<Dim>(paths.template as<Ray<Dim>>()[i]);
    case ShapeKind::capsule:
        return path_of<Dim>(paths.template as<Capsule<Dim>>()[i]);
    default:
        return path_of<Dim>(paths.template as<Segment<Dim>>()[i]);
    }
}

/// Answers paths begin ... end - 1 of a view, a packet at a time if they are segments or capsules:
/// calls together(n, i) for way n of a packet, which is path i, else alone(i), and adds up the
/// results.
template <std::size_t Dim, class Together, class Alone>
std::size_t answer_paths(ManyWays<Dim>& ways, const ShapesView<Dim>& paths, std::size_t begin,
                         std::size_t end, const Together& together, const Alone& alone) {
    std::size_t found = 0;
    for (std::size_t i = begin; i < end; i += kPacket) {
        const std::size_t n = std::min(end - i, kPacket);
        bool gathered = false;
        if (paths.kind == ShapeKind::segment) {
            gathered = ways.gather(paths.template as<Segment<Dim>>().data() + i, n);
        } else if (paths.kind == ShapeKind::capsule) {
            gathered = ways.gather(paths.template as<Capsule<Dim>>().data() + i, n);
        }
        for (std::size_t j = 0; j < n; ++j) {
            found += gathered ? together(j, i + j) : alone(i + j);
        }
    }
    return found;
}

template <std::size_t Dim>
Status check_paths(const WorldWrap<Dim>& world, const ShapesView<Dim>& paths) noexcept {
    return check_copies(world, paths.count, argument_of(paths.kind),
                        [&](std::size_t i) { return extent_of(path_at(paths, i)); });
}

/// The first obstacle on a path, or on any of its copies.
template <std::size_t Dim>
ObstacleHit<Dim> first_around(const View<Dim>& view, const Path<Dim>& path) noexcept {
    ObstacleHit<Dim> best;
    view.each_copy(extent_of(path), [&](const Shift<Dim>& shift) {
        const Path<Dim> copy = moved(path, shift);
        FirstOf<Dim> search = {{view, copy}, false};
        search.time = double{best.time};
        search.id = best.id;
        search.find();
        const auto time = static_cast<float>(search.time);
        if (search.slot == kNowhere || (time == best.time && search.id == best.id)) { return; }
        best = hit_of(view.records[search.slot], copy, search.time, shift);
    });
    return best;
}

} // namespace
} // namespace obstacle

namespace {

Status check_within(float within) noexcept { return check_length(within, Argument::radius); }

} // namespace

template <std::size_t Dim>
Found Obstacles<Dim>::nearest(const Point<Dim>& point, ObstacleNear<Dim>& near, float within,
                              const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    Status status = check_point(point, Argument::points);
    if (status.ok()) { status = check_within(within); }
    if (!status.ok()) { return {0, status}; }
    near = {};
    if (state_->is_empty_for(filter)) { return {}; }
    const obstacle::View<Dim> view = obstacle::view_of<Dim>(*state_, filter);
    obstacle::NearestOf<Dim> search = {{view, point}, within};
    search.find(obstacle::kNowhere);
    if (search.slot != obstacle::kNowhere) {
        near = obstacle::near_of(view.records[search.slot], search.around.point);
    }
    if (view.around != nullptr) { obstacle::look_around(view, point, within, near); }
    return {near.id != kNoId ? std::size_t{1} : 0, {}};
}

template <std::size_t Dim>
Found Obstacles<Dim>::nearest(std::span<const Point<Dim>> points, std::span<ObstacleNear<Dim>> near,
                              Executor& executor, float within, const Filter& filter) const {
    const ProfileScope profiled("Obstacles::nearest");
    const AccessCheck::Reading reading(state_->access);
    if (const Status status = check_within(within); !status.ok()) { return {0, status}; }
    if (near.size() < points.size()) { return {0, {Cause::no_room, Argument::nearest}}; }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Status status = check_point(points[i], Argument::points, i);
        if (!status.ok()) { return {0, status}; }
    }
    if (state_->is_empty_for(filter)) {
        std::fill_n(near.begin(), points.size(), ObstacleNear<Dim>{});
        return {};
    }
    const obstacle::View<Dim> view = obstacle::view_of<Dim>(*state_, filter);
    return obstacle::answer_all<1024>(points.size(), executor, 40.0, [&] {
        return [&, search = obstacle::NearestOfMany<Dim>(view, within)](std::size_t begin,
                                                                        std::size_t end) mutable {
            std::size_t found =
                search.find(points.data() + begin, end - begin, near.data() + begin);
            for (std::size_t i = begin; i < end && view.around != nullptr; ++i) {
                const bool before = near[i].id != kNoId;
                obstacle::look_around(view, points[i], within, near[i]);
                found += (near[i].id != kNoId ? 1u : 0u) - (before ? 1u : 0u);
            }
            return found;
        };
    });
}

template <std::size_t Dim>
Found Obstacles<Dim>::query(const ShapesView<Dim>& path, std::vector<ObstacleHit<Dim>>& hits,
                            const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    Status status = check_path(path);
    if (status.ok()) { status = obstacle::check_paths(state_->around.world, path); }
    if (!status.ok()) { return {0, status}; }
    hits.clear();
    if (state_->is_empty_for(filter)) { return {}; }
    const obstacle::View<Dim> view = obstacle::view_of<Dim>(*state_, filter);
    const obstacle::Path<Dim> whole = obstacle::path_at(path, 0);
    const auto ask = [&](const auto& shift) {
        const obstacle::Path<Dim> copy = moved(whole, shift);
        const obstacle::AlongPath<Dim> way = {view, copy};
        obstacle::collect(
            2.0f, [&](const simd::SeekTest& test) { way.seek(test); },
            [&](std::uint32_t slot) {
                const auto& record = view.records[slot];
                const double time = obstacle::time_of(record, copy);
                if (time == obstacle::kNever) { return; }
                hits.push_back(obstacle::hit_of(record, copy, time, shift));
            });
    };
    if (view.has_copies(whole)) {
        view.each_copy(extent_of(whole), hits, &ObstacleHit<Dim>::time, ask);
    } else {
        ask(obstacle::Unmoved{});
    }
    std::sort(hits.begin(), hits.end(), [](const auto& a, const auto& b) {
        return a.time < b.time || (a.time == b.time && a.id < b.id);
    });
    return {hits.size(), {}};
}

template <std::size_t Dim>
Found Obstacles<Dim>::first(const ShapesView<Dim>& path, ObstacleHit<Dim>& hit,
                            const Filter& filter) const {
    if (path.count != 1) { return {0, check_path(path)}; }
    return first(path, {&hit, 1}, serial_executor(), filter);
}

template <std::size_t Dim>
Found Obstacles<Dim>::first(const ShapesView<Dim>& paths, std::span<ObstacleHit<Dim>> hits,
                            Executor& executor, const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    if (const Status status = check_kind(paths); !status.ok()) { return {0, status}; }
    if (!is_path(paths.kind)) { return {0, {Cause::out_of_range, Argument::shapes}}; }
    if (const Status status = first_fault(paths); !status.ok()) { return {0, status}; }
    const Status status = obstacle::check_paths(state_->around.world, paths);
    if (!status.ok()) { return {0, status}; }
    if (hits.size() < paths.count) { return {0, {Cause::no_room, Argument::path_hits}}; }
    if (state_->is_empty_for(filter)) {
        std::fill_n(hits.begin(), paths.count, ObstacleHit<Dim>{});
        return {};
    }
    const obstacle::View<Dim> view = obstacle::view_of<Dim>(*state_, filter);
    const auto answer = [&](std::size_t i, const auto& find) -> std::size_t {
        const obstacle::Path<Dim> path = obstacle::path_at(paths, i);
        if (view.has_copies(path)) {
            hits[i] = obstacle::first_around(view, path);
            return hits[i].id != kNoId ? 1 : 0;
        }
        obstacle::FirstOf<Dim> search = {{view, path}, false};
        find(search);
        const bool found = search.slot != obstacle::kNowhere;
        hits[i] = found ? obstacle::hit_of(view.records[search.slot], path, search.time)
                        : ObstacleHit<Dim>{};
        return found ? 1 : 0;
    };
    const auto alone = [&](std::size_t i) {
        return answer(i, [](auto& search) { search.find(); });
    };
    if (paths.count == 1) { return {alone(0), {}}; }
    const ProfileScope profiled("Obstacles::first");
    return obstacle::answer_all<1024>(paths.count, executor, 100.0, [&] {
        return
            [&, ways = obstacle::ManyWays<Dim>(view)](std::size_t begin, std::size_t end) mutable {
                const auto together = [&](std::size_t lane, std::size_t i) {
                    return answer(i, [&](auto& search) {
                        ways.until(lane, [&](std::uint32_t slot) {
                            (void)search.look_at(slot);
                            return false;
                        });
                    });
                };
                return obstacle::answer_paths(ways, paths, begin, end, together, alone);
            };
    });
}

template <std::size_t Dim>
Found Obstacles<Dim>::sight(std::span<const Segment<Dim>> between, std::span<std::uint8_t> clear,
                            Executor& executor, const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    Status status = first_fault(ShapesView<Dim>(between));
    if (status.ok()) {
        status = obstacle::check_paths(state_->around.world, ShapesView<Dim>(between));
    }
    if (!status.ok()) { return {0, status}; }
    if (clear.size() < between.size()) { return {0, {Cause::no_room, Argument::counts}}; }
    if (state_->is_empty_for(filter)) {
        std::fill_n(clear.begin(), between.size(), std::uint8_t{1});
        return {between.size(), {}};
    }
    const obstacle::View<Dim> view = obstacle::view_of<Dim>(*state_, filter);
    const auto alone = [&](std::size_t i) -> std::size_t {
        const obstacle::Path<Dim> path = obstacle::path_of<Dim>(between[i]);
        if (view.has_copies(path)) {
            clear[i] = obstacle::is_blocked_around(view, path) ? 0 : 1;
            return clear[i];
        }
        obstacle::FirstOf<Dim> search = {{view, path}, true};
        search.find();
        clear[i] = search.slot == obstacle::kNowhere ? 1 : 0;
        return clear[i];
    };
    if (between.size() == 1) { return {alone(0), {}}; }
    const ProfileScope profiled("Obstacles::sight");
    return obstacle::answer_all<1024>(between.size(), executor, 50.0, [&] {
        return [&, ways = obstacle::ManyWays<Dim>(view)](std::size_t begin,
                                                         std::size_t end) mutable {
            const auto together = [&](std::size_t lane, std::size_t i) -> std::size_t {
                if (view.around != nullptr && view.has_copies(obstacle::path_of<Dim>(between[i]))) {
                    return alone(i);
                }
                const auto blocks = [&](std::uint32_t slot) {
                    return obstacle::time_of(view.records[slot],
                                             obstacle::path_of<Dim>(between[i])) !=
                           obstacle::kNever;
                };
                clear[i] = ways.crosses(lane) || ways.until(lane, blocks) ? 0 : 1;
                return clear[i];
            };
            return obstacle::answer_paths(ways, ShapesView<Dim>(between), begin, end, together,
                                          alone);
        };
    });
}

template <std::size_t Dim>
Found Obstacles<Dim>::sight(const Segment<Dim>& between, const Filter& filter) const {
    std::uint8_t clear = 0;
    return sight({&between, 1}, {&clear, 1}, serial_executor(), filter);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found Obstacles<Dim>::nearest(const Point<Dim>&, ObstacleNear<Dim>&, float,           \
                                           const Filter&) const;                                   \
    template Found Obstacles<Dim>::nearest(std::span<const Point<Dim>>,                            \
                                           std::span<ObstacleNear<Dim>>, Executor&, float,         \
                                           const Filter&) const;                                   \
    template Found Obstacles<Dim>::query(const ShapesView<Dim>&, std::vector<ObstacleHit<Dim>>&,   \
                                         const Filter&) const;                                     \
    template Found Obstacles<Dim>::first(const ShapesView<Dim>&, ObstacleHit<Dim>&, const Filter&) \
        const;                                                                                     \
    template Found Obstacles<Dim>::first(const ShapesView<Dim>&, std::span<ObstacleHit<Dim>>,      \
                                         Executor&, const Filter&) const;                          \
    template Found Obstacles<Dim>::sight(const Segment<Dim>&, const Filter&) const;                \
    template Found Obstacles<Dim>::sight(std::span<const Segment<Dim>>, std::span<std::uint8_t>,   \
                                         Executor&, const Filter&) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
