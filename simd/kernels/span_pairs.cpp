#include "span_pairs.hpp"

#include "../isa/dispatch.hpp"

namespace throng::simd {

template <std::size_t Dim>
bool list_span_pairs(const SpanPairs<Dim>& spans, SpanPairsAt& at, SpanPairsOutput& out) noexcept {
    return dispatch([&](auto arch) { return list_span_pairs_on(arch, spans, at, out); });
}

template bool list_span_pairs(const SpanPairs<2>&, SpanPairsAt&, SpanPairsOutput&) noexcept;
template bool list_span_pairs(const SpanPairs<3>&, SpanPairsAt&, SpanPairsOutput&) noexcept;

} // namespace throng::simd
