// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "query_buckets.hpp"

#include "../../search/search_rows.hpp"
#include "../../shapes/shape_dispatch.hpp"

namespace throng::simd {

/// A grid of a single cell: shapes need a grid, but their tests of agents only use which fields
/// agents have, and the largest half extents.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline GridView<Dim> grid_of(const ScanCrowd& crowd) noexcept {
    GridView<Dim> grid{};
    for (std::size_t a = 0; a < Dim; ++a) {
        grid.inverse_cell[a] = 1.0f;
        grid.cells[a] = 1;
        grid.max_half_extent[a] = crowd.max_half_extent[a];
    }
    grid.own_extents = crowd.own_extents;
    grid.groups = crowd.groups;
    return grid;
}

template <class Arch, class Block>
bool scan_on(Arch, const ScanCrowd& crowd, const Block& query, const KernelFilter& kernel_filter,
             const ScanSpan* spans, std::size_t count, QueryCursor& cursor) noexcept {
    const GridView<Block::kDim> grid = grid_of<Arch, Block::kDim>(crowd);
    return with_shape<Arch>(grid, query, [&]<class Shape>() {
        const Shape shape(grid, query, 0);
        // Tests of agents assume that the shape is not empty. Inverted boxes are empty, and search
        // no cell.
        const CellBox<Block::kDim> cells = cells_to_search<Arch>(grid, query, shape);
        for (std::size_t a = 0; a < Block::kDim; ++a) {
            if (cells.on[a].first > cells.on[a].last) { return true; }
        }
        const NodeFilter<Arch, Block::kDim, Skips::told> filter(grid, kernel_filter, 0);
        IdSink<Arch> sink = {cursor.out, cursor.end};
        for (; cursor.row < count; ++cursor.row, cursor.slot = 0) {
            const ScanSpan& span = spans[cursor.row];
            cursor.slot =
                test_span<Arch>(NodeArrays{span.nodes, span.capacity}, Fields<Block::kDim>::kId,
                                Span{cursor.slot, span.count}, shape, filter, sink);
            if (cursor.slot < span.count) { break; }
        }
        cursor.out = sink.out;
        return cursor.row == count;
    });
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template bool scan_on(KernelArch, const ScanCrowd&, const Block<Dim>&, const KernelFilter&,    \
                          const ScanSpan*, std::size_t, QueryCursor&) noexcept;
THRONG_FOR_EACH_QUERY_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
