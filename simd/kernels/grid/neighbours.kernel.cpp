// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "neighbours.hpp"

#include "../../search/agent_balls.hpp"
#include "../../search/ball_packets.hpp"
#include "../../search/neighbour_lists.hpp"
#include "../../search/neighbour_walk.hpp"
#include "../../search/storage_order.hpp"
#include "../../shapes/shape_dispatch.hpp"

namespace throng::simd {

/// Makes the balls around `count` agents of a row, from `at` on.
template <class Arch, std::size_t Dim>
void make_balls(const GridView<Dim>& grid, float radius, RowSlot at, std::uint32_t count,
                BallBlock<Dim>& balls) noexcept {
    copy_centres<Arch>(grid, at, count, balls);
    for (std::uint32_t i = 0; i < count; i += kLanes<Arch>) {
        Floats<Arch>(radius).store_unaligned(balls.radius + i);
        Floats<Arch>(radius * radius).store_unaligned(balls.radius2 + i);
    }
}

/// Answers for a range, while there is room() for the answers of a block of queries.
template <class Arch, class Output, class Room, std::size_t Dim>
std::size_t answer_neighbours(const GridView<Dim>& grid, const NeighbourQuery& query, RowSlot& at,
                              RowSlot end, Output& output, const Room& room) noexcept {
    constexpr std::uint32_t kBlock = kBlockQueries;
    std::size_t answered = 0;
    BallBlock<Dim> balls;
    for_each_few<Arch, kBlock>(grid, at, end, [&](RowSlot start, std::uint32_t count) {
        at = start;
        if (!room(answered)) { return false; }
        make_balls<Arch>(grid, query.radius, start, count, balls);
        const auto ask = [&]<Skips skips>(const KernelFilter& kernel_filter) {
            return query_packets<skips, Arch, BallLanes<Arch, Dim>>(grid, balls, count,
                                                                    kernel_filter, output);
        };
        std::size_t fitted = 0;
        if (query.later_only) {
            fitted = ask.template operator()<Skips::earlier>(
                filter_of_later(start, query.with_self, query.groups));
        } else {
            const KernelFilter kernel_filter =
                filter_of_agents<Arch>(grid, start, query.with_self, query.groups);
            fitted = with_skips<Arch>(kernel_filter, [&]<Skips skips>() {
                return ask.template operator()<skips>(kernel_filter);
            });
        }
        answered += fitted;
        at = {start.row, start.slot + static_cast<std::uint32_t>(fitted)};
        return fitted == count;
    });
    return answered;
}

template <class Arch, std::size_t Dim>
std::size_t list_neighbours_on(Arch, const GridView<Dim>& grid, const NeighbourQuery& query,
                               RowSlot& at, RowSlot end, BatchOutput& out) noexcept {
    std::uint32_t* const begin = out.ids + out.used;
    NearIds<Arch> output = {begin,   out.ids + out.capacity, begin,
                            out.ids, out.offsets + 1,        out.apart};
    const std::size_t answered =
        answer_neighbours<Arch>(grid, query, at, end, output, [](std::size_t) { return true; });
    out.used = static_cast<std::uint64_t>(output.done - out.ids);
    out.apart = output.apart;
    return answered;
}

/// Whether counting is fastest with a lane for each agent: 1.2 to 10 times as fast, except for the
/// largest and the smallest radii. With a large radius it is faster to count whole cells by their
/// tables. In space, with a radius of less than half a row, the agents of a packet look at too few
/// agents in common.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline bool is_for_lanes(const GridView<Dim>& grid, float radius) noexcept {
    return radius * grid.inverse_cell[0] <= 2.0f * kManyCells &&
           (Dim == 2 || radius * grid.inverse_cell[1] > 0.5f);
}

/// Counts the neighbours of each agent.
struct NeighbourCount {
    std::uint32_t* counts; ///< from the first agent of the range on

    template <class V>
    struct Lanes {
        typename V::Words near;

        [[gnu::always_inline]] Lanes(const NeighbourCount&, const typename V::Agents&) noexcept
            : near(0u) {}
        [[gnu::always_inline]] void visit(const NeighbourCount&,
                                          const typename V::Other& other) noexcept {
            near = V::add_if(other.near, near, typename V::Words(1u));
        }
        [[gnu::always_inline]] void finish(const NeighbourCount& count,
                                           const typename V::Agents& agents) const noexcept {
            agents.put_adjacent(count.counts + agents.first, near);
        }
    };
};

template <class Arch, std::size_t Dim>
std::size_t count_neighbours_on(Arch, const GridView<Dim>& grid, const NeighbourQuery& query,
                                RowSlot& at, RowSlot end, std::uint32_t* counts,
                                std::size_t room) noexcept {
    if (is_for_lanes<Arch>(grid, query.radius)) {
        AgentRange range = {at, end, 0};
        const std::uint64_t answered = walk_neighbours<Arch, false, false>(
            grid, query, range, NeighbourCount{counts}, room < kBlockQueries ? 0 : room);
        at = range.at;
        return answered;
    }
    NearCounts<Arch> output = {counts, false};
    return answer_neighbours<Arch>(grid, query, at, end, output, [&](std::size_t answered) {
        return room - answered >= kBlockQueries;
    });
}

/// Passes the neighbours of at most `most` agents to `kernel`, as bodies.
template <class Arch, class Kernel, std::size_t Dim>
[[gnu::always_inline]] inline std::uint64_t
walk_bodies(const GridView<Dim>& grid, const NeighbourQueryAcross<Dim>& query, AgentRange& range,
            const Kernel& kernel, std::uint64_t most = ~std::uint64_t{0}) noexcept {
    return walk_neighbours_across<Arch, true, false>(grid, query, range, kernel, most);
}

/// Lists the neighbours of `agents` agents of a row, at most kBlockQueries: counts them first, then
/// writes lists while there is room.
template <class Arch, std::size_t Dim>
void list_where_counted(const GridView<Dim>& grid, const NeighbourQueryAcross<Dim>& query,
                        RowSlot at, std::uint32_t agents, BatchOutput& out) noexcept {
    std::uint32_t counts[kBlockQueries];
    const RowSlot end = {at.row, at.slot + agents};
    AgentRange counted = {at, end, 0};
    (void)walk_bodies<Arch>(grid, query, counted, NeighbourCount{counts});
    out.offsets[0] = out.used;
    for (std::uint32_t i = 0; i < agents; ++i) {
        out.offsets[i + 1] = out.offsets[i] + counts[i];
    }
    ListOutput output = {out, true};
    AgentRange listed = {at, end, 0};
    (void)walk_bodies<Arch>(grid, query, listed, NeighbourLists{output});
    out.used = out.offsets[agents];
}

template <class Arch, std::size_t Dim>
std::size_t list_neighbours_across_on(Arch, const GridView<Dim>& grid,
                                      const NeighbourQueryAcross<Dim>& query, RowSlot& at,
                                      RowSlot end, BatchOutput& out) noexcept {
    constexpr std::uint32_t kBlock = 256;
    std::size_t answered = 0;
    bool counted_first = false; // set once lists are long, or room is scarce
    std::uint64_t* const offsets = out.offsets;
    for_each_few<Arch, kBlock>(grid, at, end, [&](RowSlot start, std::uint32_t count) {
        at = start;
        const RowSlot past = {start.row, start.slot + count};
        if (!counted_first) {
            ListOutput output = {out, false};
            AgentRange range = {at, past, 0};
            (void)walk_bodies<Arch>(grid, query, range, NeighbourLists{output});
            answered += output.answered;
            at.slot += static_cast<std::uint32_t>(output.answered);
            out.offsets = offsets + answered;
            counted_first = output.stopped;
        }
        while (at.slot < past.slot && out.used < out.capacity) {
            const std::uint32_t left = past.slot - at.slot;
            const std::uint32_t few = left < kBlockQueries ? left : kBlockQueries;
            list_where_counted<Arch>(grid, query, at, few, out);
            answered += few;
            at.slot += few;
            out.offsets = offsets + answered;
        }
        return at.slot == past.slot;
    });
    out.offsets = offsets;
    return answered;
}

template <class Arch, std::size_t Dim>
std::size_t count_neighbours_across_on(Arch, const GridView<Dim>& grid,
                                       const NeighbourQueryAcross<Dim>& query, RowSlot& at,
                                       RowSlot end, std::uint32_t* counts,
                                       std::size_t room) noexcept {
    AgentRange range = {at, end, 0};
    const std::uint64_t answered =
        walk_bodies<Arch>(grid, query, range, NeighbourCount{counts}, room);
    at = range.at;
    return answered;
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_DIM(Dim)                                                                        \
    template std::size_t list_neighbours_on(KernelArch, const GridView<Dim>&,                      \
                                            const NeighbourQuery&, RowSlot&, RowSlot,              \
                                            BatchOutput&) noexcept;                                \
    template std::size_t count_neighbours_on(KernelArch, const GridView<Dim>&,                     \
                                             const NeighbourQuery&, RowSlot&, RowSlot,             \
                                             std::uint32_t*, std::size_t) noexcept;                \
    template std::size_t list_neighbours_across_on(KernelArch, const GridView<Dim>&,               \
                                                   const NeighbourQueryAcross<Dim>&, RowSlot&,     \
                                                   RowSlot, BatchOutput&) noexcept;                \
    template std::size_t count_neighbours_across_on(                                               \
        KernelArch, const GridView<Dim>&, const NeighbourQueryAcross<Dim>&, RowSlot&, RowSlot,     \
        std::uint32_t*, std::size_t) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::simd
