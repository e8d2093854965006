// Declares the searches of packets of balls, which kernels for blocks of queries and kernels for
// neighbours share: query_block.kernel.cpp compiles them. For *.kernel.cpp files only.
#pragma once

#include "../shapes/ball_lanes.hpp"
#include "query_packets.hpp"

namespace throng::simd {

#define THRONG_BALLS_TOGETHER(prefix, skips, Output, Dim)                                          \
    prefix template std::size_t                                                                    \
    answer_together<skips, THRONG_KERNEL_ARCH, BallLanes<THRONG_KERNEL_ARCH, Dim>>(                \
        const GridView<Dim>&, const BallBlock<Dim>&, std::size_t, const PacketWindow<Dim>&,        \
        const KernelFilter&, bool, Output<THRONG_KERNEL_ARCH>&) noexcept;
#define THRONG_BALL_SEARCHES(prefix, skips, Dim)                                                   \
    prefix template std::size_t                                                                    \
    search_near<skips, THRONG_KERNEL_ARCH, BallLanes<THRONG_KERNEL_ARCH, Dim>>(                    \
        const GridView<Dim>&, const BallBlock<Dim>&, std::size_t, std::size_t,                     \
        const PacketCells<THRONG_KERNEL_ARCH, Dim>&, NearRows, const KernelFilter&,                \
        NearIds<THRONG_KERNEL_ARCH>&) noexcept;                                                    \
    prefix template std::size_t                                                                    \
    search_near<skips, THRONG_KERNEL_ARCH, BallLanes<THRONG_KERNEL_ARCH, Dim>>(                    \
        const GridView<Dim>&, const BallBlock<Dim>&, std::size_t, std::size_t,                     \
        const PacketCells<THRONG_KERNEL_ARCH, Dim>&, NearRows, const KernelFilter&,                \
        NearCounts<THRONG_KERNEL_ARCH>&) noexcept;                                                 \
    THRONG_BALLS_TOGETHER(prefix, skips, NearCounts, Dim)
#define THRONG_BALL_PACKETS(prefix, Output, Dim)                                                   \
    prefix template std::size_t                                                                    \
    search_packets<THRONG_KERNEL_ARCH, BallLanes<THRONG_KERNEL_ARCH, Dim>>(                        \
        const GridView<Dim>&, const BallBlock<Dim>&, std::size_t, const KernelFilter&,             \
        const PacketSearches<THRONG_KERNEL_ARCH, BallBlock<Dim>, Output<THRONG_KERNEL_ARCH>>&,     \
        Output<THRONG_KERNEL_ARCH>&) noexcept;
#define THRONG_ALL_BALL_SEARCHES(prefix)                                                           \
    THRONG_BALL_SEARCHES(prefix, Skips::nothing, 2)                                                \
    THRONG_BALL_SEARCHES(prefix, Skips::nothing, 3)                                                \
    THRONG_BALL_SEARCHES(prefix, Skips::some, 2)                                                   \
    THRONG_BALL_SEARCHES(prefix, Skips::some, 3)                                                   \
    THRONG_BALLS_TOGETHER(prefix, Skips::some, NearIds, 2)                                         \
    THRONG_BALLS_TOGETHER(prefix, Skips::some, NearIds, 3)                                         \
    THRONG_BALL_PACKETS(prefix, NearIds, 2)                                                        \
    THRONG_BALL_PACKETS(prefix, NearIds, 3)                                                        \
    THRONG_BALL_PACKETS(prefix, NearCounts, 2)                                                     \
    THRONG_BALL_PACKETS(prefix, NearCounts, 3)

#if !defined(THRONG_DEFINES_BALL_SEARCHES)
THRONG_ALL_BALL_SEARCHES(extern)
#else
THRONG_ALL_BALL_SEARCHES()
#endif

} // namespace throng::simd
