// Checks shapes, and puts them into the blocks that kernels take. Internal to the engine.
#pragma once

#include "../../simd/views/query_block.hpp"
#include "../../simd/views/shape_blocks.hpp"
#include "shapes.hpp"

#include <cstddef>
#include <span>

namespace throng {

/// The block that holds queries of a shape.
template <class Shape>
using BlockOf = typename detail::ShapeFacts<Shape>::Block;

/// Puts a shape into a block as question i, or as the only question if the block holds one.
template <class Block, class Shape>
void put(Block& block, std::size_t i, const Shape& shape) noexcept {
    detail::ShapeFacts<Shape>::put(block, i, shape);
}

/// Puts `shape` into a block as the first `count` questions and kSlack more, since kernels read
/// that far; into a block of one question only once.
template <class Shape>
void fill(BlockOf<Shape>& block, std::size_t count, const Shape& shape) noexcept {
    const std::size_t slots = BlockOf<Shape>::kQueries > 1 ? count + simd::kSlack : 1;
    for (std::size_t i = 0; i < slots; ++i) {
        put(block, i, shape);
    }
}

/// Whether check_shape() accepts all of the shapes.
template <class Shape>
[[nodiscard]] bool all_sound(std::span<const Shape> shapes) noexcept {
    return detail::ShapeFacts<Shape>::all_sound(shapes);
}

/// The status of the first shape that check_shape() refuses, or ok.
template <class Shape>
[[nodiscard]] Status first_fault(std::span<const Shape> shapes) noexcept {
    if (all_sound(shapes)) { return {}; }
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        Status status = check_shape(shapes[q]);
        status.index = q;
        if (!status.ok()) { return status; }
    }
    return {};
}

} // namespace throng
