// Down the nodes that may have hits, and through the leaves a bucket at a time.
#include "loose_tree.hpp"

#include "../../shapes/bounds.hpp"
#include "../bucket_query.hpp"
#include "state.hpp"

#include <array>
#include <bit>

namespace throng {

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found LooseTree<Dim>::visit(const Shape& shape, IndexVisitor visitor, const Filter& filter,
                            std::size_t most) const {
    if (const Status status = check_shape(shape); !status.ok()) { return {0, status}; }
    const AccessCheck::Reading reading(state_->access);
    const State& state = *state_;
    const ShapeGate<Dim> gate(shape);
    const CrowdKind<Dim>& kind = state.store.kind();
    BucketQuery<Dim, Shape> scan(scan_crowd(kind, kind.common_half_extent), shape, filter, visitor,
                                 most);
    if (filter.groups == 0) { return scan.finish(); }

    // Straight down to the children of the smallest node that has all hits.
    const auto [coordinates, depth] = state.square_of(gate.bounds());
    std::uint32_t first = 0;
    for (unsigned d = 0, c = 0; d <= depth && state.blocks[first].is_inner(c); ++d) {
        first = state.blocks[first].first[c];
        c = state.lattice.child(coordinates, d);
    }

    std::array<std::uint32_t, kMostWaiting<Dim>> stack; // of blocks
    std::size_t waiting = 0;
    stack[waiting++] = first;
    while (waiting > 0) {
        const LooseBlock<Dim>& block = state.blocks[stack[--waiting]];
        // The last child first, so that the first inner one is next.
        for (std::uint32_t bits = block.touching(gate.bounds()); bits != 0;) {
            const auto c = static_cast<std::uint32_t>(std::bit_width(bits)) - 1;
            bits -= 1u << c;
            if constexpr (!std::is_same_v<Shape, Box<Dim>>) { // its bounds tell all
                if (!gate.may_hold(block.cover(c))) { continue; }
            }
            if (block.is_inner(c)) {
                // The block lies anywhere in memory, and so do buckets, which are tested many at a
                // time. Asked for early, large boxes take a sixth less.
                const auto* const children = &state.blocks[block.first[c]];
                __builtin_prefetch(children);
                __builtin_prefetch(&children->first);
                stack[waiting++] = block.first[c];
                continue;
            }
            for (std::uint32_t bucket = block.first[c]; bucket != kNoBucket;
                 bucket = state.store.next(bucket)) {
                const simd::ScanSpan span = state.store.span(bucket);
                for (std::size_t a = 0; a <= Dim; ++a) {
                    __builtin_prefetch(span.nodes + a * span.capacity);
                }
                if (!scan.add(span)) { return scan.finish(); }
            }
        }
    }
    return scan.finish();
}

#define THRONG_FOR_DIM(Shape, Dim)                                                                 \
    template Found LooseTree<Dim>::visit(const Shape<Dim>&, IndexVisitor, const Filter&,           \
                                         std::size_t) const;
#define THRONG_FOR_SHAPE(Shape, kind, KIND) THRONG_FOR_DIM(Shape, 2) THRONG_FOR_DIM(Shape, 3)
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_DIM
#undef THRONG_FOR_SHAPE

} // namespace throng
