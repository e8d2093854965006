// Question 0 of a block, in the form in which kernels take a single question.
#pragma once

#include "../../../simd/views/shape_blocks.hpp"

#include <cstddef>

namespace throng::test {

template <std::size_t Dim>
simd::LoneBox<Dim> alone(const simd::BoxBlock<Dim>& boxes) {
    simd::LoneBox<Dim> box;
    for (std::size_t a = 0; a < Dim; ++a) {
        box.lo[a][0] = boxes.lo[a][0];
        box.hi[a][0] = boxes.hi[a][0];
    }
    return box;
}
template <std::size_t Dim>
simd::LoneBall<Dim> alone(const simd::BallBlock<Dim>& balls) {
    simd::LoneBall<Dim> ball;
    for (std::size_t a = 0; a < Dim; ++a) {
        ball.centre[a][0] = balls.centre[a][0];
    }
    ball.radius[0] = balls.radius[0];
    ball.radius2[0] = balls.radius2[0];
    return ball;
}
/// Blocks of the other shapes hold only one question.
template <class Block>
const Block& alone(const Block& block) {
    return block;
}

} // namespace throng::test
