#include "cell_pairs.hpp"

#include "../isa/dispatch.hpp"

namespace throng::simd {

template <std::size_t Dim>
bool list_cell_pairs(const CellPairs<Dim>& cells, CellPairsAt& at, SpanPairsOutput& out) noexcept {
    return dispatch([&](auto arch) { return list_cell_pairs_on(arch, cells, at, out); });
}

template bool list_cell_pairs(const CellPairs<2>&, CellPairsAt&, SpanPairsOutput&) noexcept;
template bool list_cell_pairs(const CellPairs<3>&, CellPairsAt&, SpanPairsOutput&) noexcept;

} // namespace throng::simd
