// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "scan.hpp"

#include "search_wide.hpp"
#include "with_shape.hpp"

namespace throng::simd {

/// Shapes want a grid, of which tests of agents use the reach and the fields alone: one of a single
/// cell.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline GridView<Dim> grid_of(const ScanCrowd& crowd) noexcept {
    GridView<Dim> grid{};
    for (std::size_t a = 0; a < Dim; ++a) {
        grid.inverse_cell[a] = 1.0f;
        grid.cells[a] = 1;
        grid.reach[a] = crowd.reach[a];
    }
    grid.own_extents = crowd.own_extents;
    grid.groups = crowd.groups;
    return grid;
}

template <class Arch, class Block>
bool scan_on(Arch, const ScanCrowd& crowd, const Block& query, const LeaveOut& leave_out,
             const ScanSpan* spans, std::size_t count, Walk& walk) noexcept {
    const GridView<Block::kDim> grid = grid_of<Arch, Block::kDim>(crowd);
    return with_shape<Arch>(grid, query, [&]<class Shape>() {
        const Shape shape(grid, query, 0);
        // Tests of agents take it for granted that the shape holds anything: inverted boxes, which
        // are in no cell, do not.
        const CellBox<Block::kDim> cells = cells_to_search<Arch>(grid, query, shape);
        for (std::size_t a = 0; a < Block::kDim; ++a) {
            if (cells.on[a].first > cells.on[a].last) { return true; }
        }
        const NodeFilter<Arch, Block::kDim, Leave::some> filter(grid, leave_out, 0);
        IdSink<Arch> sink = {walk.out, walk.end};
        for (; walk.row < count; ++walk.row, walk.slot = 0) {
            const ScanSpan& span = spans[walk.row];
            walk.slot =
                test_span<Arch>(NodeArrays{span.nodes, span.capacity}, Fields<Block::kDim>::kId,
                                Span{walk.slot, span.count}, shape, filter, sink);
            if (walk.slot < span.count) { break; }
        }
        walk.out = sink.out;
        return walk.row == count;
    });
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template bool scan_on(KernelArch, const ScanCrowd&, const Block<Dim>&, const LeaveOut&,        \
                          const ScanSpan*, std::size_t, Walk&) noexcept;
THRONG_FOR_EACH_WALK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
