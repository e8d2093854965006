// Which path a search takes, and what it will cost. Internal to the engine.
#pragma once

#include "../agents/box.hpp"
#include "../shapes/ball.hpp"
#include "../shapes/ray.hpp"
#include "../shapes/segment.hpp"
#include "../shapes/shapes_view.hpp"
#include "../shapes/with_shapes.hpp"
#include "query_stats.hpp"
#include "row_store.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace throng {

/// What a planner knows of a grid without looking at its agents.
template <std::size_t Dim>
struct GridFacts {
    const RowStore<Dim>& store;
    const Box<Dim>& bounds; ///< of all centres
    const Point<Dim>& max_half_extent;
    std::size_t agents;
};

/// Whether the test of a shape holds for every agent of a grid with these bounds. The tests are
/// sums and products that never fall as an agent is farther away, even when rounded, so a test
/// holds for all agents if it holds at the ends of the bounds.
template <std::size_t Dim>
[[nodiscard]] bool holds_all(const Box<Dim>& box, const GridFacts<Dim>& facts) noexcept {
    bool all = true;
    for (std::size_t a = 0; a < Dim && all; ++a) {
        // Where agents have extents of their own the smallest counts, which may be zero.
        const float half = facts.store.kind().own_half_extents ? 0.0f : facts.max_half_extent[a];
        all = facts.bounds.hi[a] - half <= box.hi[a] && facts.bounds.lo[a] + half >= box.lo[a] &&
              box.lo[a] <= box.hi[a];
    }
    return all;
}
template <std::size_t Dim>
[[nodiscard]] bool holds_all(const Ball<Dim>& ball, const GridFacts<Dim>& facts) noexcept {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float offset = std::max(std::abs(facts.bounds.lo[a] - ball.centre[a]),
                                      std::abs(facts.bounds.hi[a] - ball.centre[a]));
        distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
    }
    return distance2 <= ball.radius * ball.radius;
}
/// The same for one shape whose kind is data. False for kinds of which it is not known.
template <std::size_t Dim>
[[nodiscard]] bool holds_all(const ShapesView<Dim>& one, const GridFacts<Dim>& facts) noexcept {
    switch (one.kind) {
    case ShapeKind::box:
        return holds_all(one.template as<Box<Dim>>()[0], facts);
    case ShapeKind::ball:
        return holds_all(one.template as<Ball<Dim>>()[0], facts);
    default:
        return false;
    }
}

/// The path of a query to a grid with agents; leaves_out() says whether any agent is left out.
template <std::size_t Dim, class LeavesOut>
[[nodiscard]] SearchPath choose_path(const ShapesView<Dim>& one, const GridFacts<Dim>& facts,
                                     const LeavesOut& leaves_out) noexcept {
    if (holds_all(one, facts) && !leaves_out()) { return SearchPath::all; }
    return facts.store.tiles().empty() ? SearchPath::rows : SearchPath::tiles;
}

/// What a count on that path takes, in nanoseconds; `bounds` hold the hits' boxes.
template <std::size_t Dim>
[[nodiscard]] double predict(SearchPath path, const Box<Dim>& bounds,
                             const GridFacts<Dim>& facts) noexcept;

/// A path, and what a count on it takes.
struct SearchPlan {
    SearchPath path;
    double nanoseconds;
};

/// The plan of a query that takes this path.
template <std::size_t Dim>
[[nodiscard]] SearchPlan plan(SearchPath path, const ShapesView<Dim>& one,
                              const GridFacts<Dim>& facts) noexcept;

/// Whether a search for any hit should ask a few large elements before the grid: it is likely to
/// find nothing in the grid.
template <std::size_t Dim>
[[nodiscard]] bool is_sparse_for(const Box<Dim>& bounds, const GridFacts<Dim>& facts) noexcept;
template <std::size_t Dim>
[[nodiscard]] bool is_sparse_for(const ShapesView<Dim>& one, const GridFacts<Dim>& facts) noexcept;

/// The part of a path that can have hits no later than `time`, as a ray on which all times are the
/// same. Nothing where the part is the whole path, or where no such ray is known. The path hits
/// every agent that the part hits. A hit later than `time` may get an earlier time on the part, but
/// still one later than `time`. docs/planner.md has the argument.
template <std::size_t Dim>
[[nodiscard]] std::optional<Ray<Dim>> until(const Ray<Dim>& ray, float time) noexcept {
    // A little more than the time, which is rounded.
    const float length = std::max(time * 1.0001f, 1e-30f);
    if (!(length < ray.length)) { return std::nullopt; }
    return Ray<Dim>{ray.origin, ray.direction, length};
}
template <std::size_t Dim>
[[nodiscard]] std::optional<Ray<Dim>> until(const Segment<Dim>& segment, float time) noexcept {
    Ray<Dim> ray = {segment.from, {}, 0.999f}; // further on, rounding may lead beyond the end
    for (std::size_t a = 0; a < Dim; ++a) {
        ray.direction[a] = segment.to[a] - segment.from[a];
    }
    const std::optional<Ray<Dim>> part = until(ray, time);
    return part && check_shape(*part).ok() ? part : std::nullopt;
}
template <std::size_t Dim>
[[nodiscard]] std::optional<Ray<Dim>> until(const Capsule<Dim>&, float) noexcept {
    return std::nullopt; // its times depend on where it ends
}
template <std::size_t Dim>
[[nodiscard]] std::optional<Ray<Dim>> until(const ShapesView<Dim>& path, float time) noexcept {
    return with_paths(path, [&](auto paths) { return until(paths[0], time); });
}

} // namespace throng
