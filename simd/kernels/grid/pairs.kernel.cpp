// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "pairs.hpp"

#include "../../search/storage_order.hpp"
#include "pair_search.hpp"

namespace throng::simd {

/// The type of a packet's agents: boxes or discs.
template <Body body, bool own_extents, class Arch, std::size_t Dim, std::uint32_t kVectors>
struct BodiesOfPairs {
    using Type = PairBoxes<Arch, Dim, own_extents, kVectors>;
};
template <bool own_extents, class Arch, std::size_t Dim, std::uint32_t kVectors>
struct BodiesOfPairs<Body::disc, own_extents, Arch, Dim, kVectors> {
    using Type = PairDiscs<Arch, Dim, kVectors>;
};

/// Hands all pairs of a range to the sink. False when the sink is full: then `at` says where to go
/// on.
template <Body body, bool own_extents, class Arch, class Sink, std::size_t Dim>
bool search_all(const GridView<Dim>& grid, const PairQuestion& question, PairsAt& at, RowSlot end,
                Sink& sink) noexcept {
    // First the agent whose partners did not fit, if any.
    bool done = at.second == RowSlot{} ||
                search_agent<body, own_extents, Arch>(grid, question.filter, at, sink);
    if (!done) { return false; }
    // All agents of a packet share its costs, so packets are large where there are enough agents.
    constexpr auto kLane = static_cast<std::uint32_t>(kLanes<Arch>);
    constexpr std::uint32_t kVectors = 32 / kLane;
    using Many = typename BodiesOfPairs<body, own_extents, Arch, Dim, kVectors>::Type;
    using Few = typename BodiesOfPairs<body, own_extents, Arch, Dim, 1>::Type;
    for_each_few<Arch, kVectors * kLane>(
        grid, at.first, end, [&](RowSlot start, std::uint32_t count) {
            if (count == kVectors * kLane &&
                search_packet<Many>(grid, start, count, question, sink)) {
                return true;
            }
            for (std::uint32_t few; count > 0; start.slot += few, count -= few) {
                few = count < kLane ? count : kLane;
                if (search_packet<Few>(grid, start, few, question, sink)) { continue; }
                for (std::uint32_t i = 0; i < few; ++i) {
                    at = {{start.row, start.slot + i}, {start.row, start.slot + i + 1}};
                    done = search_agent<body, own_extents, Arch>(grid, question.filter, at, sink);
                    if (!done) { return false; }
                }
            }
            return true;
        });
    return done;
}

/// The same for `body`: makes the question, and chooses the copy of search_all().
template <class Arch, std::size_t Dim>
[[gnu::noinline]] bool search_bodies(const GridView<Dim>& grid, std::uint32_t groups, Body body,
                                     PairsAt& at, RowSlot end, PairSink<Arch>& sink) noexcept {
    PairQuestion question = {{.groups = groups}};
    if (body == Body::box) {
        return grid.own_extents ? search_all<Body::box, true, Arch>(grid, question, at, end, sink)
                                : search_all<Body::box, false, Arch>(grid, question, at, end, sink);
    }
    const float radius = grid.max_half_extent[0];
    if (!grid.own_extents) { question.disc_limit2 = disc_limit2<Arch>(0.0f, radius + radius); }
    return search_all<Body::disc, false, Arch>(grid, question, at, end, sink);
}
/// Hands all pairs of a disc to the sink, from `second` on.
template <class Arch, std::size_t Dim>
[[gnu::noinline]] bool search_disc(const GridView<Dim>& others, std::uint32_t groups,
                                   const PairDisc<Dim>& disc, RowSlot& second,
                                   PairSink<Arch>& sink) noexcept {
    return search_partners_of_disc<Arch>(others, disc, {.groups = groups}, second, sink);
}

/// A sink for the room that is left in `out`.
template <class Arch>
[[gnu::always_inline]] inline PairSink<Arch> list_behind(const PairsOutput& out) noexcept {
    return {out.first + out.used, out.second + out.used, out.second + out.capacity};
}

template <class Arch, std::size_t Dim>
bool list_pairs_on(Arch, const GridView<Dim>& grid, std::uint32_t groups, Body body, PairsAt& at,
                   RowSlot end, PairsOutput& out) noexcept {
    PairSink<Arch> list = list_behind<Arch>(out);
    const bool done = search_bodies<Arch>(grid, groups, body, at, end, list);
    out.used = static_cast<std::uint64_t>(list.second - out.second);
    return done;
}

template <class Arch, std::size_t Dim>
std::uint64_t count_pairs_on(Arch, const GridView<Dim>& grid, std::uint32_t groups, Body body,
                             const PairsAt& at, RowSlot end) noexcept {
    PairsAt from = at;
    if (body == Body::box) {
        const PairQuestion question = {{.groups = groups}};
        PairCount<Arch> boxes;
        if (grid.own_extents) {
            search_all<Body::box, true, Arch>(grid, question, from, end, boxes);
        } else {
            search_all<Body::box, false, Arch>(grid, question, from, end, boxes);
        }
        return boxes.pairs;
    }
    PairSink<Arch> count = {nullptr, nullptr, nullptr, true};
    search_bodies<Arch>(grid, groups, body, from, end, count);
    return count.pairs;
}

template <class Arch, std::size_t Dim>
bool list_disc_pairs_on(Arch, const GridView<Dim>& others, std::uint32_t groups,
                        const PairDisc<Dim>& disc, RowSlot& second, PairsOutput& out) noexcept {
    PairSink<Arch> list = list_behind<Arch>(out);
    const bool done = search_disc<Arch>(others, groups, disc, second, list);
    out.used = static_cast<std::uint64_t>(list.second - out.second);
    return done;
}

template <class Arch, std::size_t Dim>
std::uint64_t count_disc_pairs_on(Arch, const GridView<Dim>& others, std::uint32_t groups,
                                  const PairDisc<Dim>& disc, RowSlot second) noexcept {
    PairSink<Arch> count = {nullptr, nullptr, nullptr, true};
    search_disc<Arch>(others, groups, disc, second, count);
    return count.pairs;
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_DIM(Dim)                                                                        \
    template bool list_pairs_on(KernelArch, const GridView<Dim>&, std::uint32_t, Body, PairsAt&,   \
                                RowSlot, PairsOutput&) noexcept;                                   \
    template std::uint64_t count_pairs_on(KernelArch, const GridView<Dim>&, std::uint32_t, Body,   \
                                          const PairsAt&, RowSlot) noexcept;                       \
    template bool list_disc_pairs_on(KernelArch, const GridView<Dim>&, std::uint32_t,              \
                                     const PairDisc<Dim>&, RowSlot&, PairsOutput&) noexcept;       \
    template std::uint64_t count_disc_pairs_on(KernelArch, const GridView<Dim>&, std::uint32_t,    \
                                               const PairDisc<Dim>&, RowSlot) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::simd
