#include "any_block.hpp"

#include "kernel_blocks.hpp"
#include "with_shapes.hpp"

namespace throng {

namespace {

/// Calls call(block, shapes) with the block and a span, both in the types for the shapes' kind.
template <std::size_t Dim, class Call>
void with_both(AnyBlock<Dim>& any, const ShapesView<Dim>& shapes, const Call& call) noexcept {
    any.kind = shapes.kind;
    with_shapes(shapes, [&]<class Shape>(std::span<const Shape> all) {
        using Block = BlockOf<Shape>;
        static_assert(sizeof(Block) <= sizeof(any));
        static_assert(alignof(Block) == alignof(float));
        call(any.template as<Block>(), all);
    });
}

/// With __restrict, compilers know that the shapes are not in the block, and put several at once.
template <class Block, class Shape>
void put_each(Block& __restrict block, const Shape* __restrict shapes, std::size_t count) noexcept {
    if (count == 1) { return put(block, 0, *shapes); }
    for (std::size_t i = 0; i < count; ++i) {
        put(block, i, shapes[i]);
    }
}

} // namespace

template <std::size_t Dim>
void put_all(AnyBlock<Dim>& any, const ShapesView<Dim>& shapes) noexcept {
    with_both(any, shapes, [](auto& block, auto all) { put_each(block, all.data(), all.size()); });
}

template <std::size_t Dim>
void put_blank(AnyBlock<Dim>& any, ShapeKind kind) noexcept {
    with_both(any, {kind, nullptr, 0}, []<class Shape>(auto& block, std::span<const Shape>) {
        fill(block, simd::kBlockQueries, Shape{});
    });
}

template <std::size_t Dim>
void put_nothing(AnyBlock<Dim>& any, std::size_t i) noexcept {
    with_both(any, {any.kind, nullptr, 0}, [&]<class Shape>(auto& block, std::span<const Shape>) {
        detail::ShapeFacts<Shape>::put_nothing(block, i);
    });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void put_all(AnyBlock<Dim>&, const ShapesView<Dim>&) noexcept;                        \
    template void put_blank(AnyBlock<Dim>&, ShapeKind) noexcept;                                   \
    template void put_nothing(AnyBlock<Dim>&, std::size_t) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
