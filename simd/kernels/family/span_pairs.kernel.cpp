// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "span_pairs.hpp"

#include "pair_tile.hpp"

namespace throng::simd {

template <class Arch, std::size_t Dim>
bool list_span_pairs_on(Arch, const SpanPairs<Dim>& spans, SpanPairsAt& at,
                        SpanPairsOutput& out) noexcept {
    return with_pair_kind<Arch>(spans.own_extents, spans.with_groups, spans.groups,
                                [&]<bool own_extents, bool with_groups>() {
                                    return list_all<own_extents, with_groups, Arch>(spans, at, out);
                                });
}

using KernelArch = THRONG_KERNEL_ARCH;
template bool list_span_pairs_on(KernelArch, const SpanPairs<2>&, SpanPairsAt&,
                                 SpanPairsOutput&) noexcept;
template bool list_span_pairs_on(KernelArch, const SpanPairs<3>&, SpanPairsAt&,
                                 SpanPairsOutput&) noexcept;

} // namespace throng::simd
