// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "kept_lists.hpp"

#include "../../isa/packed_lanes.hpp"

namespace throng::simd {

/// Compares one agent with the agents in a vector of places at a time.
template <class Arch, std::size_t Dim, bool wraps>
struct KeptAgent {
    Floats<Arch> centre[Dim], below[Dim], above[Dim], radius2;

    [[gnu::always_inline]] KeptAgent(const KeptLists<Dim>& lists, std::size_t k) noexcept
        : radius2(lists.radius2) {
        for (std::size_t a = 0; a < Dim; ++a) {
            const float at = lists.position[a][k];
            centre[a] = Floats<Arch>(at);
            if constexpr (wraps) {
                below[a] = Floats<Arch>(at - lists.period[a]);
                above[a] = Floats<Arch>(at + lists.period[a]);
            }
        }
    }

    /// The square of the offset on one axis: the least over all copies of the agent. Rounding keeps
    /// order, so the least squares of all axes give the least distance of all copies.
    [[gnu::always_inline]] Floats<Arch> square(const KeptLists<Dim>& lists, std::uint32_t place,
                                               std::size_t a) const noexcept {
        const Floats<Arch> x = Floats<Arch>::load_unaligned(lists.position[a] + place);
        const Floats<Arch> offset = x - centre[a];
        if constexpr (wraps) {
            const Floats<Arch> to_below = x - below[a], to_above = x - above[a];
            return smaller<Arch>(offset * offset,
                                 smaller<Arch>(to_below * to_below, to_above * to_above));
        } else {
            return offset * offset;
        }
    }

    /// if (dx * dx + dy * dy <= r * r), for the places from `place` on.
    [[gnu::always_inline]] std::uint32_t hits(const KeptLists<Dim>& lists,
                                              std::uint32_t place) const noexcept {
        Floats<Arch> distance2 = square(lists, place, 0);
        for (std::size_t a = 1; a < Dim; ++a) {
            distance2 = distance2 + square(lists, place, a);
        }
        return lane_bits<Arch>(distance2 <= radius2);
    }
};

/// Writes the ids of a run's hits to `to`; returns how many there are.
template <class Arch, bool wraps, std::size_t Dim>
[[gnu::always_inline]] inline std::uint32_t
filter_run(const KeptLists<Dim>& lists, const KeptAgent<Arch, Dim, wraps>& agent,
           const PlaceRun& run, std::uint32_t* to) noexcept {
    std::uint32_t place = run.first;
    std::uint32_t lanes = run.lanes & ((1u << kPlacesInRun) - 1u);
    std::uint32_t hits = 0;
    for (;;) {
        const std::uint32_t bits = agent.hits(lists, place) & lanes;
        (void)compress_store<Arch>(to + hits, Words<Arch>::load_unaligned(lists.ids + place), bits);
        hits += static_cast<std::uint32_t>(__builtin_popcount(bits));
        if constexpr (kLanes<Arch> >= kPlacesInRun) { return hits; }
        lanes >>= kLanes<Arch>;
        if (lanes == 0) { return hits; }
        // The next vector begins at the next candidate.
        const auto gap = static_cast<std::uint32_t>(__builtin_ctz(lanes));
        lanes >>= gap;
        place += static_cast<std::uint32_t>(kLanes<Arch>) + gap;
    }
}

/// Whether an agent has no neighbours behind a border.
template <std::size_t Dim>
[[gnu::always_inline]] inline bool is_inside(const KeptLists<Dim>& lists, std::size_t k) noexcept {
    bool inside = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float at = lists.position[a][k];
        inside = inside & (lists.low[a] < at) & (at < lists.high[a]);
    }
    return inside;
}

/// Goes run by run across lists: a list has three or four runs, and the end of a loop for each list
/// would be mispredicted.
template <class Arch, bool wraps, std::size_t Dim>
[[gnu::always_inline]] inline std::uint64_t
filter_each(const KeptLists<Dim>& given, std::size_t begin, std::size_t end, std::uint64_t used,
            std::uint32_t* out, std::uint64_t* ends) noexcept {
    const KeptLists<Dim> lists = given; // no store changes it, so it stays in registers
    std::uint64_t hits = 0;
    std::size_t k = begin;
    const PlaceRun* const past = lists.runs + lists.offsets[end];
    for (const PlaceRun* run = lists.runs + lists.offsets[begin]; run != past; ++run) {
        // Most agents are inside, and neighbours of an agent mostly are where it is.
        if (wraps && !is_inside(lists, k)) {
            hits += filter_run(lists, KeptAgent<Arch, Dim, true>(lists, k), *run, out + hits);
        } else {
            hits += filter_run(lists, KeptAgent<Arch, Dim, false>(lists, k), *run, out + hits);
        }
        ends[k - begin] = used + hits;
        k += run->lanes / kEndsList;
    }
    return used + hits;
}

template <class Arch, std::size_t Dim>
std::uint64_t filter_lists_on(Arch, const KeptLists<Dim>& lists, std::size_t begin, std::size_t end,
                              std::uint64_t used, std::uint32_t* out,
                              std::uint64_t* ends) noexcept {
    return lists.wraps ? filter_each<Arch, true>(lists, begin, end, used, out, ends)
                       : filter_each<Arch, false>(lists, begin, end, used, out, ends);
}

using KernelArch = THRONG_KERNEL_ARCH;
template std::uint64_t filter_lists_on(KernelArch, const KeptLists<2>&, std::size_t, std::size_t,
                                       std::uint64_t, std::uint32_t*, std::uint64_t*) noexcept;
template std::uint64_t filter_lists_on(KernelArch, const KeptLists<3>&, std::size_t, std::size_t,
                                       std::uint64_t, std::uint32_t*, std::uint64_t*) noexcept;

} // namespace throng::simd
