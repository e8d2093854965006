// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "pairs.hpp"

#include "../search/storage_order.hpp"
#include "pair_search.hpp"

namespace throng::simd {

/// Hands all pairs of a range to the sink. False when it is full: then `at` says where to go on.
template <bool own_extents, class Arch, class Sink, std::size_t Dim>
bool search_all(const GridView<Dim>& grid, const KernelFilter& leave_out, PairsAt& at, Place end,
                Sink& sink) noexcept {
    // First the agent whose partners did not fit, if any.
    bool done = at.second == Place{} || search_agent<own_extents, Arch>(grid, leave_out, at, sink);
    if (!done) { return false; }
    // All agents of a packet share what it costs, so packets are large where there are enough
    // agents.
    constexpr auto kLane = static_cast<std::uint32_t>(kLanes<Arch>);
    constexpr std::uint32_t kVectors = 32 / kLane;
    for_each_few<Arch, kVectors * kLane>(
        grid, at.first, end, [&](Place place, std::uint32_t count) {
            if (count == kVectors * kLane &&
                search_packet<own_extents, kVectors, Arch>(grid, place, count, leave_out, sink)) {
                return true;
            }
            for (std::uint32_t few; count > 0; place.slot += few, count -= few) {
                few = count < kLane ? count : kLane;
                if (search_packet<own_extents, 1, Arch>(grid, place, few, leave_out, sink)) {
                    continue;
                }
                for (std::uint32_t i = 0; i < few; ++i) {
                    at = {{place.row, place.slot + i}, {place.row, place.slot + i + 1}};
                    done = search_agent<own_extents, Arch>(grid, leave_out, at, sink);
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
bool list_pairs_on(Arch, const GridView<Dim>& grid, std::uint32_t groups, PairsAt& at, Place end,
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
                             const PairsAt& at, Place end) noexcept {
    return with_extents<Arch>(grid, [&]<bool own_extents>() {
        PairsAt from = at;
        PairCount<Arch> count;
        search_all<own_extents, Arch>(grid, {.groups = groups}, from, end, count);
        return count.pairs;
    });
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_DIM(Dim)                                                                        \
    template bool list_pairs_on(KernelArch, const GridView<Dim>&, std::uint32_t, PairsAt&, Place,  \
                                PairsOutput&) noexcept;                                            \
    template std::uint64_t count_pairs_on(KernelArch, const GridView<Dim>&, std::uint32_t,         \
                                          const PairsAt&, Place) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::simd
