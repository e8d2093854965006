// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "nearest.hpp"

#include "../search/agent_balls.hpp"
#include "../search/storage_order.hpp"
#include "../shapes/shape_dispatch.hpp"
#include "nearest_search.hpp"

namespace throng::simd {

template <class Arch, std::size_t Dim>
void nearest_batch_on(Arch, const GridView<Dim>& grid, BallBlock<Dim>& queries, std::size_t count,
                      const KernelFilter& leave_out, NearestAsk& ask,
                      const NearestOutput& out) noexcept {
    with_leave<Arch>(leave_out, [&]<Leave leave>() {
        NearestSearch<leave, Arch, Dim>(grid, queries, leave_out, ask, out)
            .answer(count, ask.guess2);
    });
}

template <class Arch, std::size_t Dim>
void nearest_around_on(Arch arch, const GridView<Dim>& grid, const Around& around, Place at,
                       Place end, NearestAsk& ask, const NearestOutput& out) noexcept {
    // Lanes without a query are computed with, too: no answer depends on them, but the memory
    // sanitizer cannot know that.
    BallBlock<Dim> balls = {};
    NearestOutput next = out;
    for_each_few<Arch, kBlockQueries>(grid, at, end, [&](Place place, std::uint32_t count) {
        copy_centres<Arch>(grid, place, count, balls);
        nearest_batch_on(arch, grid, balls, count,
                         left_out_by_agents<Arch>(grid, place, around.with_self, around.groups),
                         ask, next);
        next.near += std::size_t{count} * ask.k * kNearBytes;
        next.counts += count;
        return true;
    });
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_DIM(Dim)                                                                        \
    template void nearest_batch_on(KernelArch, const GridView<Dim>&, BallBlock<Dim>&, std::size_t, \
                                   const KernelFilter&, NearestAsk&,                               \
                                   const NearestOutput&) noexcept;                                 \
    template void nearest_around_on(KernelArch, const GridView<Dim>&, const Around&, Place, Place, \
                                    NearestAsk&, const NearestOutput&) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::simd
