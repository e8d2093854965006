// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "../../views/query_block.hpp"

#define THRONG_DEFINES_BALL_SEARCHES
#include "../../search/ball_packets.hpp"
#include "../../shapes/shape_dispatch.hpp"

namespace throng::simd {

template <class Arch, class Block>
std::size_t query_block_on(Arch, const GridView<Block::kDim>& grid, const Block& queries,
                           std::size_t count, const KernelFilter& kernel_filter,
                           BatchOutput& out) noexcept {
    std::uint32_t* const begin = out.ids + out.used;
    NearIds<Arch> output = {begin,   out.ids + out.capacity, begin,
                            out.ids, out.offsets + 1,        out.apart};
    const std::size_t answered = with_shape<Arch>(grid, queries, [&]<class Shape>() {
        return with_skips<Arch>(kernel_filter, [&]<Skips skips>() {
            return query_packets<skips, Arch, Shape>(grid, queries, count, kernel_filter, output);
        });
    });
    out.used = static_cast<std::uint64_t>(output.done - out.ids);
    out.apart = output.apart;
    return answered;
}

template <class Arch, class Block>
void count_block_on(Arch, const GridView<Block::kDim>& grid, const Block& queries,
                    std::size_t count, const KernelFilter& kernel_filter, bool first_only,
                    std::uint32_t* counts) noexcept {
    NearCounts<Arch> output = {counts, first_only};
    with_shape<Arch>(grid, queries, [&]<class Shape>() {
        return with_skips<Arch>(kernel_filter, [&]<Skips skips>() {
            return query_packets<skips, Arch, Shape>(grid, queries, count, kernel_filter, output);
        });
    });
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template std::size_t query_block_on(KernelArch, const GridView<Dim>&, const Block<Dim>&,       \
                                        std::size_t, const KernelFilter&, BatchOutput&) noexcept;  \
    template void count_block_on(KernelArch, const GridView<Dim>&, const Block<Dim>&, std::size_t, \
                                 const KernelFilter&, bool, std::uint32_t*) noexcept;
THRONG_FOR_EACH_FULL_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
