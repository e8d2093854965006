#include "scan.hpp"

#include "dispatch.hpp"

namespace throng::simd {

template <class Block>
bool scan(const ScanCrowd& crowd, const Block& query, const LeaveOut& leave_out,
          const ScanSpan* spans, std::size_t count, Walk& walk) noexcept {
    return dispatch(
        [&](auto arch) { return scan_on(arch, crowd, query, leave_out, spans, count, walk); });
}

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template bool scan(const ScanCrowd&, const Block<Dim>&, const LeaveOut&, const ScanSpan*,      \
                       std::size_t, Walk&) noexcept;
THRONG_FOR_EACH_WALK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
