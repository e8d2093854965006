#include "first_hit.hpp"

#include "../isa/dispatch.hpp"

namespace throng::simd {

template <class Block>
Met cast_first(const GridView<Block::kDim>& grid, const Block& query,
               const KernelFilter& leave_out) noexcept {
    return dispatch([&](auto arch) { return cast_first_on(arch, grid, query, leave_out); });
}

template <class Block>
bool cast_all(const GridView<Block::kDim>& grid, const Block& query, const KernelFilter& leave_out,
              QueryCursor& cursor, MetOutput& out) noexcept {
    return dispatch(
        [&](auto arch) { return cast_all_on(arch, grid, query, leave_out, cursor, out); });
}

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template Met cast_first(const GridView<Dim>&, const Block<Dim>&,                               \
                            const KernelFilter&) noexcept;                                         \
    template bool cast_all(const GridView<Dim>&, const Block<Dim>&, const KernelFilter&,           \
                           QueryCursor&, MetOutput&) noexcept;
THRONG_FOR_EACH_PATH_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
