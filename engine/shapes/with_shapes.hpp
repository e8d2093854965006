// Calls code that is compiled for each kind on shapes whose kind is data. Internal to the engine.
#pragma once

#include "../core/assert.hpp"
#include "shapes_view.hpp"

#include <cstddef>

namespace throng {

// These are in detail because hosts do not need them.
using detail::Offset;
using detail::ShapeFacts;

/// Returns call.template operator()<Path>() for the type of a kind of path.
template <std::size_t Dim, class Call>
constexpr decltype(auto) with_path_kind(ShapeKind kind, const Call& call) {
    switch (kind) {
#define THRONG_FOR_PATH(Path, path, PATH)                                                          \
    case ShapeKind::path:                                                                          \
        return call.template operator()<Path<Dim>>();
        THRONG_FOR_EACH_PATH(THRONG_FOR_PATH)
#undef THRONG_FOR_PATH
    default:
        THRONG_ASSERT(is_path(kind));
        __builtin_trap();
    }
}

/// Returns call.template operator()<Shape>() for the type of a kind. The kind must be known: kinds
/// from outside go through check_shape() or first_fault() first.
template <std::size_t Dim, class Call>
constexpr decltype(auto) with_kind(ShapeKind kind, const Call& call) {
    // The most frequent kinds come first, by branches instead of a jump table.
    if (kind == ShapeKind::box) { return call.template operator()<Box<Dim>>(); }
    if (kind == ShapeKind::ball) { return call.template operator()<Ball<Dim>>(); }
    switch (kind) {
#define THRONG_FOR_SHAPE(Shape, shape, SHAPE)                                                      \
    case ShapeKind::shape:                                                                         \
        return call.template operator()<Shape<Dim>>();
        THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
    }
    THRONG_ASSERT(static_cast<std::size_t>(kind) < kShapeKinds);
    // Not __builtin_unreachable(): GCC makes empty parts of functions of it, and LLD then loses the
    // way to unwind the function that follows, so exceptions abort.
    __builtin_trap();
}

/// Returns call(paths), with a span of the type of these paths.
template <std::size_t Dim, class Call>
decltype(auto) with_paths(const ShapesView<Dim>& paths, const Call& call) {
    return with_path_kind<Dim>(paths.kind, [&]<class Path>() -> decltype(auto) {
        return call(paths.template as<Path>());
    });
}

/// Returns call(shapes), with a span of the type of these shapes.
template <std::size_t Dim, class Call>
decltype(auto) with_shapes(const ShapesView<Dim>& shapes, const Call& call) {
    return with_kind<Dim>(shapes.kind, [&]<class Shape>() -> decltype(auto) {
        return call(shapes.template as<Shape>());
    });
}

// Facts of a kind, which are the same in the plane and in space.

[[nodiscard]] constexpr bool finds_centres(ShapeKind kind) noexcept {
    return with_kind<2>(kind, []<class Shape>() { return ShapeFacts<Shape>::kFindsCentres; });
}
[[nodiscard]] constexpr bool three_copies_suffice(ShapeKind kind) noexcept {
    return with_kind<2>(kind, []<class Shape>() { return ShapeFacts<Shape>::kThreeCopiesSuffice; });
}
[[nodiscard]] constexpr bool axes_mix(ShapeKind kind) noexcept {
    return with_kind<2>(kind, []<class Shape>() { return ShapeFacts<Shape>::kAxesMix; });
}

/// The argument that a Status names for shapes of a kind.
[[nodiscard]] constexpr Argument argument_of(ShapeKind kind) noexcept {
    switch (kind) {
#define THRONG_FOR_SHAPE(Shape, shape, SHAPE)                                                      \
    case ShapeKind::shape:                                                                         \
        return Argument::shape;
        THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
    }
    return Argument::shapes;
}

} // namespace throng
