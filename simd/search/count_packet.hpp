// A lane for each query: a packet of neighbouring queries against one agent at a time. For
// *.kernel.cpp files only.
#pragma once

#include "../isa/packed_lanes.hpp"
#include "../shapes/node_filter.hpp"
#include "packet_window.hpp"

namespace throng::simd {

/// The number of queries in a packet whose lanes are queries. A larger packet shares the work of
/// listing agents among more queries, but each query is compared with more of them. With two
/// vectors of 16, counts took 5 to 15 % longer.
template <class Arch>
inline constexpr std::uint32_t kTogetherVectors = kLanes<Arch> >= 16 ? 1 : 2;
template <class Arch>
inline constexpr std::uint32_t kTogether = kTogetherVectors<Arch>* kLanes<Arch>;

/// The cells that all queries of a packet search, and whether they should search them together.
template <class Arch, std::size_t Dim>
class CountWindow {
public:
    /// For kTogether queries from q on.
    template <class Shape>
    [[gnu::always_inline]] static CountWindow
    of(const GridView<Dim>& grid, const typename Shape::Block& queries, std::size_t q) noexcept {
        constexpr std::uint32_t kAll = (1u << kLanes<Arch>)-1;
        CountWindow result;
        float low[Dim], high[Dim], low_of_first[Dim], high_of_first[Dim];
        std::uint32_t sound = kAll;
        for (std::uint32_t v = 0; v < kTogetherVectors<Arch>; ++v) {
            sound &= Shape::sound(queries, q + v * kLanes<Arch>);
        }
        result.sound_ = sound == kAll;
        for (std::size_t a = 0; a < Dim; ++a) {
            Bounds<Arch> all = Shape::bounds(grid, queries, q, a);
            float lane[kLanes<Arch>];
            all.low.store_unaligned(lane);
            low_of_first[a] = lane[0];
            all.high.store_unaligned(lane);
            high_of_first[a] = lane[0];
            for (std::uint32_t v = 1; v < kTogetherVectors<Arch>; ++v) {
                const Bounds<Arch> more = Shape::bounds(grid, queries, q + v * kLanes<Arch>, a);
                all = {smaller<Arch>(all.low, more.low), larger<Arch>(all.high, more.high)};
            }
            low[a] = least<Arch>(all.low);
            high[a] = greatest<Arch>(all.high);
        }
        result.all_ = window_of<Arch>(grid, low, high);
        result.first_ = window_of<Arch>(grid, low_of_first, high_of_first);
        return result;
    }

    [[nodiscard]] const PacketWindow<Dim>& all() const noexcept { return all_; }

    /// The rule; docs/planner.md has its reasons. The first query stands for all: how much it
    /// searches tells how much each would search on its own.
    [[gnu::always_inline]] bool pays(const GridView<Dim>& grid) const noexcept {
        // A large search counts from the cell tables alone.
        if (!sound_ || cells(first_, 0) > kMostCells) { return false; }
        std::uint32_t rows = 1;
        for (std::size_t a = 1; a < Dim; ++a) {
            // The queries are scattered: do not even look at their rows.
            if (cells(all_, a) > cells(first_, a) + kMoreRows) { return false; }
            rows *= cells(all_, a);
        }
        std::uint64_t nodes = 0;
        for_each_row_in<Arch>(grid, all_, [&](std::uint32_t, NodeArrays, Span span) {
            nodes += span.end - span.begin;
            return true;
        });
        // nodes <= kNodesOfRow * rows + 1.5 * those that a query on its own would test
        const std::uint64_t wide = cells(all_, 0);
        return 2 * nodes * wide <=
               2 * kNodesOfRow * rows * wide + 3 * nodes * std::uint64_t{cells(first_, 0)};
    }

private:
    static constexpr std::uint32_t kMoreRows = 2;
    static constexpr std::uint32_t kMostCells = 32;
    /// Entering a row query by query takes as long as comparing a packet with this many agents.
    static constexpr std::uint64_t kNodesOfRow = 3 * kLanes<Arch> / 2;

    [[gnu::always_inline]] static std::uint32_t cells(const PacketWindow<Dim>& window,
                                                      std::size_t a) noexcept {
        return window.cells[a].last - window.cells[a].first + 1;
    }

    PacketWindow<Dim> all_, first_;
    bool sound_;
};

/// How many agents each of a packet of queries finds; with `first_only`, 1 if it finds any.
template <Skips skips, class Arch, class Shape, std::size_t Dim>
[[gnu::noinline]] void count_packet(const GridView<Dim>& grid, const typename Shape::Block& queries,
                                    std::size_t q, const PacketWindow<Dim>& window,
                                    const KernelFilter& kernel_filter, bool first_only,
                                    std::uint32_t* counts) noexcept {
    constexpr std::uint32_t kVectors = kTogetherVectors<Arch>;
    constexpr auto kLane = static_cast<std::uint32_t>(kLanes<Arch>);
    constexpr std::uint32_t kRoom = 512;
    using Packet = typename Shape::template Packet<kVectors>;
    const Packet packet(grid, queries, q);

    // Each query's own agent is left out lane by lane; the others are not even listed.
    const bool by_id = kernel_filter.each != nullptr;
    KernelFilter common = kernel_filter;
    common.each = nullptr;
    if (by_id) { common.without = ~0u; }
    const NodeFilter<Arch, Dim, skips> filter(grid, common, 0);
    Words<Arch> each[kVectors], hits[kVectors];
    for (std::uint32_t v = 0; v < kVectors; ++v) {
        hits[v] = Words<Arch>(0u);
        if (skips == Skips::some && by_id) {
            each[v] = Words<Arch>::load_unaligned(kernel_filter.each + q + v * kLane);
        }
    }

    // Agents that any of the queries may find. They are compressed first, so that the loop that
    // compares has no branch.
    std::uint32_t number[Packet::kNumbers][kRoom + kSlack]; // the bits of floats
    std::uint32_t id[kRoom + kSlack];
    std::uint32_t listed = 0;
    // Even the test for agents to leave out stays outside the loop.
    const auto compare_all = [&]<bool each_by_id>() __attribute__((always_inline)) {
        for (std::uint32_t j = 0; j < listed; ++j) {
            for (std::uint32_t v = 0; v < kVectors; ++v) {
                FloatMask<Arch> hit = packet.hits(v, [&](std::size_t n) {
                    return Floats<Arch>(__builtin_bit_cast(float, number[n][j]));
                });
                if constexpr (each_by_id) {
                    hit = hit & float_mask<Arch>(Words<Arch>(id[j]) != each[v]);
                }
                hits[v] = counted<Arch>(hits[v], hit);
            }
        }
        listed = 0;
    };
    const auto compare = [&]() __attribute__((always_inline)) {
        if constexpr (skips == Skips::some) {
            if (by_id) { return compare_all.template operator()<true>(); }
        }
        compare_all.template operator()<false>();
    };
    const auto list = [&](const NodeArrays& arrays, Span span) __attribute__((always_inline)) {
        for (std::uint32_t i = span.begin; i < span.end; i += kLane) {
            if (listed + kLane > kRoom) { compare(); }
            const std::uint32_t bits = first_lanes<Arch>(
                packet.may_hit(grid, arrays, i) & filter.keep(arrays, i), span.end - i);
            for (std::size_t n = 0; n < Packet::kNumbers; ++n) {
                compress_store<Arch>(number[n] + listed,
                                     bits_of<Arch>(Packet::number(grid, arrays, i, n)), bits);
            }
            if (skips == Skips::some && by_id) {
                compress_store<Arch>(id + listed, words_at<Arch>(arrays, Fields<Dim>::kId, i),
                                     bits);
            }
            listed += static_cast<std::uint32_t>(__builtin_popcount(bits));
        }
    };
    std::uint32_t done = ~0u;
    bool all_found = false;
    if (first_only) {
        // Queries that find many agents find some of them in the middle row.
        PacketWindow<Dim> middle = window;
        done = 0;
        for (std::size_t a = Dim - 1; a > 0; --a) {
            const std::uint32_t row = (window.cells[a].first + window.cells[a].last) / 2;
            middle.cells[a] = {row, row};
            done = done * grid.cells[a] + row;
        }
        for_each_row_in<Arch>(grid, middle,
                              [&](std::uint32_t, const NodeArrays& arrays, Span span) {
                                  list(arrays, span);
                                  return true;
                              });
        compare();
        all_found = true;
        for (std::uint32_t v = 0; v < kVectors; ++v) {
            all_found =
                all_found && (lane_bits<Arch>(hits[v] != Words<Arch>(0u)) == (1u << kLane) - 1);
        }
    }
    if (!all_found) {
        for_each_row_in<Arch>(grid, window,
                              [&](std::uint32_t row, const NodeArrays& arrays, Span span) {
                                  if (row != done) { list(arrays, span); }
                                  return true;
                              });
        compare();
    }
    for (std::uint32_t v = 0; v < kVectors; ++v) {
        if (first_only) { hits[v] = smaller<Arch>(hits[v], Words<Arch>(1u)); }
        hits[v].store_unaligned(counts + v * kLane);
    }
}

} // namespace throng::simd
