// The family's own kernels: one switch per call chooses the copy for this processor.
#include "../../isa/dispatch.hpp"
#include "cell_pairs.hpp"
#include "leaf_pairs.hpp"
#include "query_buckets.hpp"
#include "span_pairs.hpp"

namespace throng::simd {

template <class Block>
bool scan(const ScanCrowd& crowd, const Block& query, const KernelFilter& kernel_filter,
          const ScanSpan* spans, std::size_t count, QueryCursor& cursor) noexcept {
    return dispatch([&](auto arch) {
        return scan_on(arch, crowd, query, kernel_filter, spans, count, cursor);
    });
}

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template bool scan(const ScanCrowd&, const Block<Dim>&, const KernelFilter&, const ScanSpan*,  \
                       std::size_t, QueryCursor&) noexcept;
THRONG_FOR_EACH_QUERY_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

template <std::size_t Dim>
bool list_cell_pairs(const CellPairs<Dim>& cells, CellPairsAt& at, SpanPairsOutput& out) noexcept {
    return dispatch([&](auto arch) { return list_cell_pairs_on(arch, cells, at, out); });
}

template bool list_cell_pairs(const CellPairs<2>&, CellPairsAt&, SpanPairsOutput&) noexcept;
template bool list_cell_pairs(const CellPairs<3>&, CellPairsAt&, SpanPairsOutput&) noexcept;

void put_up_boxes(const LeafLattice& lattice, LeafTile& tile) noexcept {
    dispatch([&](auto arch) { put_up_boxes_on(arch, lattice, tile); });
}

std::uint32_t pair_leaves(const LeafTile& tile, const LeafTile& others, std::uint32_t at,
                          LeafPairs& out) noexcept {
    return dispatch([&](auto arch) { return pair_leaves_on(arch, tile, others, at, out); });
}

template <std::size_t Dim>
bool list_span_pairs(const SpanPairs<Dim>& spans, SpanPairsAt& at, SpanPairsOutput& out) noexcept {
    return dispatch([&](auto arch) { return list_span_pairs_on(arch, spans, at, out); });
}

template bool list_span_pairs(const SpanPairs<2>&, SpanPairsAt&, SpanPairsOutput&) noexcept;
template bool list_span_pairs(const SpanPairs<3>&, SpanPairsAt&, SpanPairsOutput&) noexcept;

} // namespace throng::simd
