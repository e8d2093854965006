// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "pairs.hpp"

#include "../search/storage_order.hpp"
#include "pair_search.hpp"

namespace throng::simd {

/// Hands all pairs of a range to the sink. False when it is full: then `at` says where to go on.
template <bool own_extents, class Arch, class Sink, std::size_t Dim>
bool search_all(const GridView<Dim>& grid, const KernelFilter& kernel_filter, PairsAt& at,
                RowSlot end, Sink& sink) noexcept {
    // First the agent whose partners did not fit, if any.
    bool done =
        at.second == RowSlot{} || search_agent<own_extents, Arch>(grid, kernel_filter, at, sink);
    if (!done) { return false; }
    // All agents of a packet share what it costs, so packets are large where there are enough
    // agents.
    constexpr auto kLane = static_cast<std::uint32_t>(kLanes<Arch>);
    constexpr std::uint32_t kVectors = 32 / kLane;
    for_each_few<Arch, kVectors * kLane>(
        grid, at.first, end, [&](RowSlot start, std::uint32_t count) {
            if (count == kVectors * kLane && search_packet<own_extents, kVectors, Arch>(
                                                 grid, start, count, kernel_filter, sink)) {
                return true;
            }
            for (std::uint32_t few; count > 0; start.slot += few, count -= few) {
                few = count < kLane ? count : kLane;
                if (search_packet<own_extents, 1, Arch>(grid, start, few, kernel_filter, sink)) {
                    continue;
                }
                for (std::uint32_t i = 0; i < few; ++i) {
                    at = {{start.row, start.slot + i}, {start.row, start.slot + i + 1}};
                    done = search_agent<own_extents, Arch>(grid, kernel_filter, at, sink);
                    if (!done) { return false; }
                }
            }
            return true;
        });
    return done;
}

/// Calls body<own_extents>() as the grid needs it.
template <class Arch, std::size_t Dim, class Body>
[[gnu::always_inline]] inline auto with_extents(const GridView<Dim>& grid,
                                                const Body& body) noexcept {
    return grid.own_extents ? body.template operator()<true>() : body.template operator()<false>();
}

template <class Arch, std::size_t Dim>
bool list_pairs_on(Arch, const GridView<Dim>& grid, std::uint32_t groups, PairsAt& at, RowSlot end,
                   PairsOutput& out) noexcept {
    return with_extents<Arch>(grid, [&]<bool own_extents>() {
        PairList<Arch> list = {out.first + out.used, out.second + out.used,
                               out.second + out.capacity};
        const bool done = search_all<own_extents, Arch>(grid, {.groups = groups}, at, end, list);
        out.used = static_cast<std::uint64_t>(list.second - out.second);
        return done;
    });
}

template <class Arch, std::size_t Dim>
std::uint64_t count_pairs_on(Arch, const GridView<Dim>& grid, std::uint32_t groups,
                             const PairsAt& at, RowSlot end) noexcept {
    return with_extents<Arch>(grid, [&]<bool own_extents>() {
        PairsAt from = at;
        PairCount<Arch> count;
        search_all<own_extents, Arch>(grid, {.groups = groups}, from, end, count);
        return count.pairs;
    });
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_DIM(Dim)                                                                        \
    template bool list_pairs_on(KernelArch, const GridView<Dim>&, std::uint32_t, PairsAt&,         \
                                RowSlot, PairsOutput&) noexcept;                                   \
    template std::uint64_t count_pairs_on(KernelArch, const GridView<Dim>&, std::uint32_t,         \
                                          const PairsAt&, RowSlot) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::simd
