// Searches for a packet of neighbouring queries together, a lane for each query: compares all of
// them with one agent at a time. For *.kernel.cpp files only.
#pragma once

#include "../shapes/node_filter.hpp"
#include "packet_outputs.hpp"
#include "together_window.hpp"

namespace throng::simd {

/// Agents that some query of a packet may find, packed, so that the loop that compares has no
/// branch.
template <class Arch, std::size_t numbers>
struct TogetherList {
    static constexpr std::uint32_t kRoom = kMostTogether;

    std::uint32_t count = 0;
    std::uint32_t number[numbers][kRoom + kSlack]; ///< bits of the floats that are compared
    std::uint32_t id[kRoom + kSlack];
};

/// Compares agents with kVectors vectors of queries of a block, from query q on.
template <Skips skips, class Arch, class Shape, std::uint32_t kVectors = kTogetherVectors<Arch>>
class TogetherSearch {
    static constexpr auto kLane = static_cast<std::uint32_t>(kLanes<Arch>);
    static constexpr std::size_t kDim = Shape::Block::kDim;
    using Packet = typename Shape::template Packet<kVectors>;

public:
    using List = TogetherList<Arch, Packet::kNumbers>;

    [[gnu::always_inline]] TogetherSearch(const GridView<kDim>& grid,
                                          const typename Shape::Block& queries, std::size_t q,
                                          const KernelFilter& kernel_filter) noexcept
        : grid_(grid), packet_(grid, queries, q), filter_(grid, of_all(kernel_filter), 0),
          one_each_(skips != Skips::nothing && kernel_filter.each != nullptr) {
        for (std::uint32_t v = 0; one_each_ && v < kVectors; ++v) {
            each_[v] = Words<Arch>::load_unaligned(kernel_filter.each + q + v * kLane);
        }
    }

    /// Adds the agents of a span to the list. Before a vector that may not fit it calls full(),
    /// which must make room.
    template <bool with_ids, class Full>
    [[gnu::always_inline]] void add(const NodeArrays& arrays, const Span& span, List& list,
                                    const Full& full) const noexcept {
        std::uint32_t count = list.count;
        if constexpr (kDim == 3) {
            // The next packet looks further along these rows, and they are more rows than the
            // processor prefetches by itself.
            constexpr std::uint32_t kAhead = 32;
            for (std::uint32_t f = 0; f <= Fields<kDim>::kId; ++f) {
                __builtin_prefetch(arrays.nodes + std::size_t{f} * arrays.capacity + span.end +
                                   kAhead);
            }
        }
        for (std::uint32_t i = span.begin; i < span.end; i += kLane) {
            if (count + kLane > List::kRoom) [[unlikely]] {
                list.count = count;
                full();
                count = list.count;
            }
            const std::uint32_t bits = first_lanes<Arch>(
                packet_.may_hit(grid_, arrays, i) & filter_.keep(arrays, i), span.end - i);
            for (std::size_t n = 0; n < Packet::kNumbers; ++n) {
                compress_store<Arch>(list.number[n] + count,
                                     bits_of<Arch>(Packet::number(grid_, arrays, i, n)), bits);
            }
            if (with_ids || (skips != Skips::nothing && one_each_)) {
                compress_store<Arch>(list.id + count, words_at<Arch>(arrays, Fields<kDim>::kId, i),
                                     bits);
            }
            count += static_cast<std::uint32_t>(__builtin_popcount(bits));
        }
        list.count = count;
    }

    /// Calls found(j, v, mask) with the queries of vector v that find agent j of the list.
    template <class Found>
    [[gnu::always_inline]] void compare(const List& list, const Found& found) const noexcept {
        // The test whether queries leave out agents of their own stays outside the loop.
        if (skips != Skips::nothing && one_each_) {
            compare<true>(list, found);
        } else {
            compare<false>(list, found);
        }
    }

    /// More than the bits of any distance.
    static constexpr std::uint32_t kLeftOut = 0x7FFF'FFFFu;

    /// Calls take(j, bits) with the bits of the squared distances of agent j of the list from the
    /// queries of the first vector; kLeftOut for queries that leave this agent out.
    template <class Take>
    [[gnu::always_inline]] void distances(const List& list, const Take& take) const noexcept {
        if (skips != Skips::nothing && one_each_) {
            distances<true>(list, take);
        } else {
            distances<false>(list, take);
        }
    }

private:
    /// The filter that all queries share. An agent that a single query leaves out is not in this
    /// filter, but left out lane by lane.
    [[gnu::always_inline]] static KernelFilter of_all(const KernelFilter& kernel_filter) noexcept {
        KernelFilter filter = kernel_filter;
        filter.each = nullptr;
        if (kernel_filter.each != nullptr) { filter.without = ~0u; }
        return filter;
    }

    [[gnu::always_inline]] static Floats<Arch> number_of(const List& list, std::size_t n,
                                                         std::uint32_t j) noexcept {
        return Floats<Arch>(__builtin_bit_cast(float, list.number[n][j]));
    }

    template <bool one_each, class Take>
    [[gnu::always_inline]] void distances(const List& list, const Take& take) const noexcept {
        const std::uint32_t count = list.count;
        for (std::uint32_t j = 0; j < count; ++j) {
            Words<Arch> distance = bits_of<Arch>(
                packet_.distance2(0, [&](std::size_t n) { return number_of(list, n, j); }));
            if constexpr (one_each) {
                distance = select<Arch>(float_mask<Arch>(Words<Arch>(list.id[j]) != each_[0]),
                                        distance, Words<Arch>(kLeftOut));
            }
            take(j, distance);
        }
    }

    template <bool one_each, class Found>
    [[gnu::always_inline]] void compare(const List& list, const Found& found) const noexcept {
        const std::uint32_t count = list.count;
        for (std::uint32_t j = 0; j < count; ++j) {
            for (std::uint32_t v = 0; v < kVectors; ++v) {
                FloatMask<Arch> hit =
                    packet_.hits(v, [&](std::size_t n) { return number_of(list, n, j); });
                if constexpr (one_each) {
                    hit = hit & float_mask<Arch>(Words<Arch>(list.id[j]) != each_[v]);
                }
                found(j, v, hit);
            }
        }
    }

    const GridView<kDim>& grid_;
    const Packet packet_;
    const NodeFilter<Arch, kDim, skips> filter_;
    const bool one_each_;
    Words<Arch> each_[kVectors];
};

/// Lists what each of kTogether queries from q on finds, in a window for which pays_for_lists()
/// holds. Returns how many queries it answered: fewer if the hits of the next query might not fit.
/// With `later_only` query q finds only agents from q slots after kernel_filter.begin on, in
/// storage order.
template <Skips skips, class Arch, class Shape, std::size_t Dim>
[[gnu::noinline]] std::size_t
answer_together(const GridView<Dim>& grid, const typename Shape::Block& queries, std::size_t q,
                const PacketWindow<Dim>& window, const KernelFilter& kernel_filter, bool later_only,
                NearIds<Arch>& result) noexcept {
    constexpr auto kLane = static_cast<std::uint32_t>(kLanes<Arch>);
    using Search = TogetherSearch<skips, Arch, Shape>;
    using List = typename Search::List;
    const Search search(grid, queries, q, kernel_filter);
    List list;
    const auto own_slot = static_cast<std::uint32_t>(kernel_filter.begin.slot + q);
    for_each_row_in<Arch>(grid, window,
                          [&](std::uint32_t row, const NodeArrays& arrays, Span span) {
                              if (later_only) {
                                  if (row < kernel_filter.begin.row) { return true; }
                                  if (row == kernel_filter.begin.row) { span.begin = own_slot; }
                              }
                              // There is room: pays_for_lists() has counted the nodes.
                              search.template add<true>(arrays, span, list, [] {});
                              return true;
                          });
    // For each candidate, a bit for each query that finds it.
    std::uint32_t finders[List::kRoom + kSlack];
    search.compare(
        list, [&](std::uint32_t j, std::uint32_t v, const FloatMask<Arch>& hit)
                  __attribute__((always_inline)) {
                      const std::uint32_t bits = lane_bits<Arch>(hit) << (v * kLane);
                      finders[j] = v == 0 ? bits : finders[j] | bits;
                  });
    for (std::uint32_t j = 0; j < kLane; ++j) {
        finders[list.count + j] = 0;
        list.id[list.count + j] = 0;
    }
    // The search of query j begins j slots after own_slot, and so does candidate j: only queries
    // 0 ... j may find it.
    for (std::uint32_t j = 0; later_only && j < kTogether<Arch>; ++j) {
        finders[j] &= (2u << j) - 1;
    }

    const std::uint32_t count = list.count;
    NearIds<Arch> output = result;
    std::uint32_t answered = 0;
    for (; answered < kTogether<Arch>; ++answered) {
        if (!output.has_room_for(count)) { break; }
        for (std::size_t j = 0; j < count; j += kLane) {
            output.next = compress_store<Arch>(
                output.next, Words<Arch>::load_unaligned(list.id + j),
                lanes_with<Arch>(Words<Arch>::load_unaligned(finders + j), answered));
        }
        output.finish_query();
    }
    result = output;
    return answered;
}

/// Counts what each of kTogether queries from q on finds; or, with result.first_only, whether it
/// finds anything. Returns kTogether.
template <Skips skips, class Arch, class Shape, std::size_t Dim>
[[gnu::noinline]] std::size_t
answer_together(const GridView<Dim>& grid, const typename Shape::Block& queries, std::size_t q,
                const PacketWindow<Dim>& window, const KernelFilter& kernel_filter, bool,
                NearCounts<Arch>& result) noexcept {
    constexpr std::uint32_t kVectors = kTogetherVectors<Arch>;
    constexpr auto kLane = static_cast<std::uint32_t>(kLanes<Arch>);
    using Search = TogetherSearch<skips, Arch, Shape>;
    const Search search(grid, queries, q, kernel_filter);
    typename Search::List list;
    Words<Arch> hits[kVectors];
    for (std::uint32_t v = 0; v < kVectors; ++v) {
        hits[v] = Words<Arch>(0u);
    }
    const auto compare = [&]() __attribute__((always_inline)) {
        search.compare(
            list, [&](std::uint32_t, std::uint32_t v, const FloatMask<Arch>& hit)
                      __attribute__((always_inline)) { hits[v] = counted<Arch>(hits[v], hit); });
        list.count = 0;
    };
    PacketWindow<Dim> part = window;
    std::uint32_t done = ~0u;
    if (result.first_only) {
        // Queries that find many agents nearly always find some of them in the middle row.
        for (std::size_t a = Dim - 1; a > 0; --a) {
            const std::uint32_t row = (window.cells[a].first + window.cells[a].last) / 2;
            part.cells[a] = {row, row};
        }
    }
    const auto all_found = [&]() __attribute__((always_inline)) {
        std::uint32_t found = (1u << kLane) - 1;
        for (std::uint32_t v = 0; v < kVectors; ++v) {
            found &= lane_bits<Arch>(hits[v] != Words<Arch>(0u));
        }
        return found == (1u << kLane) - 1;
    };
    for (bool last = !result.first_only;; last = true) {
        for_each_row_in<Arch>(
            grid, part,
            [&](std::uint32_t row, const NodeArrays& arrays, const Span& span)
                __attribute__((always_inline)) {
                    if (row != done) { search.template add<false>(arrays, span, list, compare); }
                    return true;
                });
        compare();
        if (last || all_found()) { break; }
        done = part.cells[1].first;
        if constexpr (Dim == 3) { done += part.cells[2].first * grid.cells[1]; }
        part = window;
    }
    for (std::uint32_t v = 0; v < kVectors; ++v) {
        if (result.first_only) { hits[v] = smaller<Arch>(hits[v], Words<Arch>(1u)); }
        hits[v].store_unaligned(result.counts + v * kLane);
    }
    result.counts += kTogether<Arch>;
    return kTogether<Arch>;
}

} // namespace throng::simd
