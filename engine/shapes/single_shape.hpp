// Checks one shape and puts it into its block, without a call for the usual ones, boxes and balls.
// Internal to the engine.
#pragma once

#include "any_block.hpp"
#include "kernel_blocks.hpp"
#include "shapes_view.hpp"

namespace throng {

/// check_shape() of a view, inline for boxes and balls. A single question takes tens of
/// nanoseconds; two calls and two switches would be a tenth of that.
template <std::size_t Dim>
[[nodiscard]] inline Status check_single(const ShapesView<Dim>& one) noexcept {
    if (one.count == 1 && one.shapes != nullptr) {
        if (one.kind == ShapeKind::box && all_sound(one.template as<Box<Dim>>())) { return {}; }
        if (one.kind == ShapeKind::ball && all_sound(one.template as<Ball<Dim>>())) { return {}; }
    }
    return check_shape(one);
}

/// Puts a shape that has been checked into its block, as question 0.
template <std::size_t Dim>
inline void put_single(AnyBlock<Dim>& any, const ShapesView<Dim>& one) noexcept {
    any.kind = one.kind;
    // The shape is copied first, so that compilers know that it is not in the block.
    if (one.kind == ShapeKind::box) {
        const Box<Dim> box = one.template as<Box<Dim>>()[0];
        put(any.template as<simd::BoxBlock<Dim>>(), 0, box);
    } else if (one.kind == ShapeKind::ball) {
        const Ball<Dim> ball = one.template as<Ball<Dim>>()[0];
        put(any.template as<simd::BallBlock<Dim>>(), 0, ball);
    } else {
        put_all(any, one);
    }
}

/// Whether a kind is one of the usual ones, boxes and balls.
[[nodiscard]] constexpr bool is_usual(ShapeKind kind) noexcept {
    return kind == ShapeKind::box || kind == ShapeKind::ball;
}

/// Returns call(question) for a single shape of a usual kind that has been checked. The question is
/// a LoneBox or a LoneBall, which kernels take, and which have only a few numbers.
template <std::size_t Dim, class Call>
[[gnu::always_inline]] inline decltype(auto) with_usual(const ShapesView<Dim>& one,
                                                        const Call& call) {
    if (one.kind == ShapeKind::box) {
        simd::LoneBox<Dim> box;
        put(box, 0, one.template as<Box<Dim>>()[0]);
        return call(box);
    }
    simd::LoneBall<Dim> ball;
    put(ball, 0, one.template as<Ball<Dim>>()[0]);
    return call(ball);
}

/// with_usual() for a shape of any kind: a BodyBall comes as a LoneBodyBall, the other kinds in an
/// AnyBlock.
template <std::size_t Dim, class Call>
decltype(auto) with_single(const ShapesView<Dim>& one, const Call& call) {
    if (is_usual(one.kind)) { return with_usual(one, call); }
    if (one.kind == ShapeKind::body_ball) {
        simd::LoneBodyBall<Dim> ball;
        put(ball, 0, one.template as<BodyBall<Dim>>()[0]);
        return call(ball);
    }
    AnyBlock<Dim> any;
    put_all(any, one);
    return call(any);
}

} // namespace throng
