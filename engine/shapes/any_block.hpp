// A block for shapes of any one kind, which also says the kind. Internal to the engine.
#pragma once

#include "../../simd/views/query_block.hpp"
#include "../../simd/views/shape_blocks.hpp"
#include "shapes_view.hpp"
#include "with_shapes.hpp"

#include <algorithm>
#include <cstddef>
#include <new>

namespace throng {

/// Room for the questions of one kernel call, whatever their shapes. It is left uninitialised until
/// one of the functions below fills it: a block of boxes is more than a kilobyte, and most calls
/// need only its first few questions.
template <std::size_t Dim>
class AnyBlock {
public:
    /// The block. Its type must be that for shapes of the kind.
    template <class Block>
    [[nodiscard]] Block& as() noexcept {
        return *std::launder(reinterpret_cast<Block*>(room_));
    }
    template <class Block>
    [[nodiscard]] const Block& as() const noexcept {
        return *std::launder(reinterpret_cast<const Block*>(room_));
    }

    /// How many shapes of a kind there is room for.
    [[nodiscard]] static constexpr std::size_t room_for(ShapeKind kind) noexcept {
        return with_kind<Dim>(
            kind, []<class Shape>() { return detail::ShapeFacts<Shape>::Block::kQueries; });
    }

private:
    // All other blocks are smaller; most hold one question. Blocks are plain numbers.
    static constexpr std::size_t kBytes =
        std::max(sizeof(simd::BoxBlock<Dim>), sizeof(simd::BodyBallBlock<Dim>));
    alignas(float) std::byte room_[kBytes];

public:
    /// The kind of the shapes in the block. Stored behind the block, so that vectors in the block
    /// do not straddle cache lines.
    ShapeKind kind;
};

/// Returns call(block), with the block in the type for its kind. with_path_block() takes blocks of
/// paths only, with_block() takes all.
template <std::size_t Dim, class Call>
decltype(auto) with_path_block(const AnyBlock<Dim>& any, const Call& call) {
    return with_path_kind<Dim>(any.kind, [&]<class Path>() -> decltype(auto) {
        return call(any.template as<typename detail::ShapeFacts<Path>::Block>());
    });
}
template <std::size_t Dim, class Call>
decltype(auto) with_block(const AnyBlock<Dim>& any, const Call& call) {
    return with_kind<Dim>(any.kind, [&]<class Shape>() -> decltype(auto) {
        return call(any.template as<typename detail::ShapeFacts<Shape>::Block>());
    });
}

/// Puts shapes into a block, as questions 0, 1 ...; there must be room for them. Later questions
/// stay as they were.
template <std::size_t Dim>
void put_all(AnyBlock<Dim>& any, const ShapesView<Dim>& shapes) noexcept;

/// Prepares a block for questions of a kind: no number in it stays uninitialised.
template <std::size_t Dim>
void put_blank(AnyBlock<Dim>& any, ShapeKind kind) noexcept;

/// Makes question i one that finds nothing.
template <std::size_t Dim>
void put_nothing(AnyBlock<Dim>& any, std::size_t i) noexcept;

} // namespace throng
