// Chooses how a query is searched for, and predicts how long that takes. Internal to the engine.
#pragma once

#include "../../agents/box.hpp"
#include "../../shapes/ball.hpp"
#include "../../shapes/bounds.hpp"
#include "../../shapes/ray.hpp"
#include "../../shapes/segment.hpp"
#include "../../shapes/shapes_view.hpp"
#include "../../shapes/with_shapes.hpp"
#include "../query_stats.hpp"
#include "../rows/row_store.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace throng {

/// What a planner knows about a grid without a look at its agents.
template <std::size_t Dim>
struct GridFacts {
    const RowStore<Dim>& store;
    const Box<Dim>& bounds; ///< of all centres
    const Point<Dim>& max_half_extent;
    std::size_t agents;
};

/// A quick test before holds_all(): one comparison on x, without a branch. If it is false,
/// holds_all() is false, too, except for balls so small that squares underflow to zero.
template <std::size_t Dim>
[[nodiscard]] inline bool may_hold_all(const Box<Dim>& box, const GridFacts<Dim>& facts) noexcept {
    const float half = facts.store.kind().own_half_extents ? 0.0f : facts.max_half_extent[0];
    return facts.bounds.hi[0] - half <= box.hi[0];
}
template <std::size_t Dim>
[[nodiscard]] inline bool may_hold_all(const Ball<Dim>& ball,
                                       const GridFacts<Dim>& facts) noexcept {
    // Half of the bounds' width, less a margin that is larger than rounding errors.
    return ball.radius >= 0.49f * (facts.bounds.hi[0] - facts.bounds.lo[0]);
}

/// Whether the test of a shape holds for every agent of a grid with these bounds. The tests are
/// sums and products that never fall as an agent is farther away, even when rounded, so a test
/// holds for all agents if it holds at the ends of the bounds.
template <std::size_t Dim>
[[nodiscard]] bool holds_all(const Box<Dim>& box, const GridFacts<Dim>& facts) noexcept {
    bool all = true;
    for (std::size_t a = 0; a < Dim && all; ++a) {
        // If agents have extents of their own, the smallest decides, and it may be zero.
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
/// The same for a shape whose kind is known at run time. False for kinds without such a test.
template <std::size_t Dim>
[[nodiscard, gnu::always_inline]] inline bool holds_all(const ShapesView<Dim>& one,
                                                        const GridFacts<Dim>& facts) noexcept {
    switch (one.kind) {
    case ShapeKind::box:
        return holds_all(one.template as<Box<Dim>>()[0], facts);
    case ShapeKind::ball:
        return holds_all(one.template as<Ball<Dim>>()[0], facts);
    default:
        return false;
    }
}

/// Chooses how to search a grid that has agents; leaves_out() says whether the filter leaves any
/// agent out.
template <std::size_t Dim, class LeavesOut>
[[nodiscard, gnu::always_inline]] inline SearchPath
choose_path(const ShapesView<Dim>& one, const GridFacts<Dim>& facts,
            const LeavesOut& leaves_out) noexcept {
    if (holds_all(one, facts) && !leaves_out()) { return SearchPath::all; }
    return facts.store.tiles().empty() ? SearchPath::rows : SearchPath::tiles;
}

/// Why choose_path() gave this SearchPath.
[[nodiscard]] constexpr PathReason reason_for(SearchPath path) noexcept {
    switch (path) {
    case SearchPath::rows:
        return PathReason::only_way;
    case SearchPath::tiles:
        return PathReason::skips_rows;
    case SearchPath::all:
        return PathReason::holds_all;
    case SearchPath::none:
        break;
    }
    return PathReason::no_search;
}

/// The work of a count(). The planner's constants are the times for one of each item.
struct SearchWork {
    double calls = 0.0;
    double rows = 0.0;  ///< rows to look into
    double nodes = 0.0; ///< nodes to test
    double tiles = 0.0; ///< tiles whose words are combined
    double words = 0.0; ///< the words of these tiles
    double alls = 0.0;  ///< answers that are all agents, without a search
};

/// The work of a count() that searches as `path` says; `bounds` are those of the shape, and every
/// hit's box touches them.
template <std::size_t Dim>
[[nodiscard]] SearchWork work_of(SearchPath path, const Box<Dim>& bounds,
                                 const GridFacts<Dim>& facts) noexcept;

/// The time of this count(), in nanoseconds.
template <std::size_t Dim>
[[nodiscard]] double predict(SearchPath path, const Box<Dim>& bounds,
                             const GridFacts<Dim>& facts) noexcept;

/// The time of a count() with each SearchPath that is possible if choose_path() gave `chosen`.
template <std::size_t Dim>
[[nodiscard]] PathCosts predict_all(SearchPath chosen, const ShapesView<Dim>& one,
                                    const GridFacts<Dim>& facts) noexcept;

/// The fraction of the world in which the centre of an element of this half extent is a hit, if the
/// shape finds everything in its bounds. Exact for the part of a path inside the world.
template <std::size_t Dim>
[[nodiscard]] float share_of(ShapeKind kind, const Box<Dim>& bounds, const Point<Dim>& half,
                             const Box<Dim>& world) noexcept;

/// Whether a search for the first hit should ask a few large elements before the grid, because the
/// grid is likely to have no hit.
template <std::size_t Dim>
[[nodiscard]] bool is_sparse_for(const Box<Dim>& bounds, const GridFacts<Dim>& facts) noexcept;
template <std::size_t Dim>
[[nodiscard]] bool is_sparse_for(const ShapesView<Dim>& one, const GridFacts<Dim>& facts) noexcept;

/// The bounds of a shape that has been checked; inline for the frequent kinds.
template <std::size_t Dim>
[[nodiscard]] inline Box<Dim> bounds_of(const ShapesView<Dim>& one) noexcept {
    if (one.kind == ShapeKind::box) { return one.template as<Box<Dim>>()[0]; }
    if (one.kind == ShapeKind::ball) {
        const Ball<Dim>& ball = one.template as<Ball<Dim>>()[0];
        return Box<Dim>::around(ball.centre, Point<Dim>::all(ball.radius));
    }
    if (one.kind == ShapeKind::segment) {
        const Segment<Dim>& segment = one.template as<Segment<Dim>>()[0];
        Box<Dim> bounds;
        for (std::size_t a = 0; a < Dim; ++a) {
            bounds.lo[a] = std::min(segment.from[a], segment.to[a]);
            bounds.hi[a] = std::max(segment.from[a], segment.to[a]);
        }
        return bounds;
    }
    return gate_of(one).bounds();
}

/// How many agents a shape finds, if they are spread evenly over the bounds of all centres.
template <std::size_t Dim>
[[nodiscard]] float expected_hits(const ShapesView<Dim>& one,
                                  const GridFacts<Dim>& facts) noexcept {
    return static_cast<float>(facts.agents) *
           share_of(one.kind, bounds_of(one), facts.max_half_extent, facts.bounds);
}

/// Whether any() of shapes of this kind hardly ever looks into many rows in vain. Then the grid is
/// asked before large elements, without a prediction: the grid finds its first agent, or none, in
/// tens of nanoseconds, not much more than a prediction takes.
template <std::size_t Dim>
[[nodiscard]] inline bool finds_one_soon(ShapeKind kind, const GridFacts<Dim>& facts) noexcept {
    const bool usual = kind == ShapeKind::box || (Dim == 2 && kind == ShapeKind::ball);
    return usual && facts.store.tiles().empty();
}
/// Whether any() of a shape with these bounds, if finds_one_soon() is false, may look into many
/// rows.
template <std::size_t Dim>
[[nodiscard]] inline bool may_search_long(const Box<Dim>& bounds,
                                          const GridFacts<Dim>& facts) noexcept {
    constexpr float kFewRows = 8.0f;
    return (bounds.hi[1] - bounds.lo[1]) * facts.store.shape().inverse_cell[1] > kFewRows;
}

/// Whether any() should ask large elements before the grid, if it is expected to find `large_hits`
/// of them.
template <std::size_t Dim>
[[nodiscard]] bool asks_large_first(ShapeKind kind, const Box<Dim>& bounds, float large_hits,
                                    const GridFacts<Dim>& facts) noexcept;

/// The part of a path that can have hits no later than `time`, as a ray that gives its hits the
/// same times. Nothing if the part is the whole path, or if no such ray is known. The path hits
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
    Ray<Dim> ray = {segment.from, {}, 0.999f}; // with more, rounding may lead beyond the end
    for (std::size_t a = 0; a < Dim; ++a) {
        ray.direction[a] = segment.to[a] - segment.from[a];
    }
    const std::optional<Ray<Dim>> part = until(ray, time);
    return part && check_shape(*part).ok() ? part : std::nullopt;
}
template <std::size_t Dim>
[[nodiscard]] std::optional<Ray<Dim>> until(const Capsule<Dim>&, float) noexcept {
    return std::nullopt; // the times of a capsule depend on its end
}
template <std::size_t Dim>
[[nodiscard]] std::optional<Ray<Dim>> until(const ShapesView<Dim>& path, float time) noexcept {
    return with_paths(path, [&](auto paths) { return until(paths[0], time); });
}

} // namespace throng
