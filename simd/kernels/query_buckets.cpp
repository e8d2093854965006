#include "query_buckets.hpp"

#include "../isa/dispatch.hpp"

namespace throng::simd {

template <class Block>
bool scan(const ScanCrowd& crowd, const Block& query, const KernelFilter& leave_out,
          const ScanSpan* spans, std::size_t count, QueryCursor& cursor) noexcept {
    return dispatch(
        [&](auto arch) { return scan_on(arch, crowd, query, leave_out, spans, count, cursor); });
}

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template bool scan(const ScanCrowd&, const Block<Dim>&, const KernelFilter&, const ScanSpan*,  \
                       std::size_t, QueryCursor&) noexcept;
THRONG_FOR_EACH_QUERY_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
