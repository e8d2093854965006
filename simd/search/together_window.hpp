// Whether queries of a block are searched for together. For *.kernel.cpp files only.
#pragma once

#include "packet_window.hpp"
#include "search_near.hpp"

namespace throng::simd {

/// The size of a packet whose lanes are queries, in vectors and in queries. A larger packet shares
/// the work of listing agents among more queries, but each query is compared with more agents. With
/// two vectors of 16, counts took 5 to 15 % longer.
template <class Arch>
inline constexpr std::uint32_t kTogetherVectors = kLanes<Arch> >= 16 ? 1 : 2;
template <class Arch>
inline constexpr std::uint32_t kTogether = kTogetherVectors<Arch>* kLanes<Arch>;

/// How many agents a TogetherList has room for. Lists of ids need room for all nodes of a window.
inline constexpr std::uint32_t kMostTogether = 512;

/// The cells that all queries of a packet search, and whether it pays to search for the queries
/// together. The first query stands for all: how much it searches tells how much each query would
/// search on its own. docs/planner.md has the reasons for the rules.
template <class Arch, std::size_t Dim, std::uint32_t kVectors = kTogetherVectors<Arch>>
class TogetherWindow {
public:
    /// For kVectors vectors of queries from q on.
    template <class Shape>
    [[gnu::always_inline]] static TogetherWindow
    of(const GridView<Dim>& grid, const typename Shape::Block& queries, std::size_t q) noexcept {
        constexpr std::uint32_t kAll = (1u << kLanes<Arch>)-1;
        TogetherWindow result;
        float low[Dim], high[Dim], low_of_first[Dim], high_of_first[Dim];
        std::uint32_t sound = kAll;
        for (std::uint32_t v = 0; v < kVectors; ++v) {
            sound &= Shape::sound(queries, q + v * kLanes<Arch>);
        }
        result.sound_ = sound == kAll;
        Floats<Arch> lows[Dim], highs[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            Bounds<Arch> all = Shape::bounds(grid, queries, q, a);
            float lane[kLanes<Arch>];
            all.low.store_unaligned(lane);
            low_of_first[a] = lane[0];
            all.high.store_unaligned(lane);
            high_of_first[a] = lane[0];
            for (std::uint32_t v = 1; v < kVectors; ++v) {
                const Bounds<Arch> more = Shape::bounds(grid, queries, q + v * kLanes<Arch>, a);
                all = {smaller<Arch>(all.low, more.low), larger<Arch>(all.high, more.high)};
            }
            lows[a] = all.low;
            highs[a] = all.high;
        }
        bounds_of_lanes<Arch>(lows, highs, low, high);
        for (std::size_t a = 0; a < Dim; ++a) {
            result.wide_[a] = (high[a] - low[a]) * grid.inverse_cell[a];
            result.wide_of_first_[a] = (high_of_first[a] - low_of_first[a]) * grid.inverse_cell[a];
        }
        result.all_ = window_of<Arch>(grid, low, high);
        result.first_ = window_of<Arch>(grid, low_of_first, high_of_first);
        return result;
    }

    [[nodiscard]] const PacketWindow<Dim>& all() const noexcept { return all_; }

    [[gnu::always_inline]] bool pays_for_counts(const GridView<Dim>& grid) const noexcept {
        if (!is_coherent()) { return false; }
        const std::uint64_t nodes = nodes_in(grid, ~std::uint64_t{0});
        std::uint32_t rows = 1;
        for (std::size_t a = 1; a < Dim; ++a) {
            rows *= cells(all_, a);
        }
        // nodes <= kNodesOfRow * rows + 1.5 * the nodes that a query on its own would test
        const std::uint64_t wide = cells(all_, 0);
        return 2 * nodes * wide <=
               2 * kNodesOfRow * rows * wide + 3 * nodes * std::uint64_t{cells(first_, 0)};
    }

    /// `one_each`: whether queries leave out different agents: each its own agent, or all agents
    /// before its own.
    [[gnu::always_inline]] bool pays_for_lists(const GridView<Dim>& grid,
                                               bool one_each) const noexcept {
        if (!is_coherent()) { return false; }
        constexpr std::uint64_t kMost = kMostTogether - kLanes<Arch>;
        const std::uint64_t count = nodes_in(grid, kMost);
        if (count > kMost) { return false; }
        const auto nodes = static_cast<float>(count);
        // Widths are not rounded to cells, so that the decision is the same for similar packets.
        float listed = nodes, alone = nodes, rows = 1.0f;
        bool as_many_rows = true; // whether nearly all queries search equally many rows
        for (std::size_t a = 0; a < Dim; ++a) {
            const float whole = 1.0f / static_cast<float>(cells(all_, a));
            const float entered = wide_of_first_[a] + 1.0f;
            listed *= wide_[a] * whole;
            alone *= entered * whole;
            if (a == 0) { continue; }
            rows *= entered;
            const float part = entered - __builtin_floorf(entered);
            as_many_rows = as_many_rows && (part < 0.1f || part > 0.9f);
        }
        // Alone, a query tests at least this many nodes of a row.
        constexpr auto kStraight = static_cast<float>(kStraightNodes<Arch>);
        constexpr auto kLane = static_cast<float>(kLanes<Arch>);
        const bool one_look_a_row = alone < 0.75f * kStraight * rows;
        alone = alone < kStraight * rows ? kStraight * rows : alone;
        const float together = 7.0f * nodes + 46.0f * listed;
        const float apart = 45.0f * kLane * rows + (40.0f + 3.0f * kLane) * alone;
        // Separate searches are faster where the processor predicts all their branches well.
        const bool runs_smoothly = as_many_rows && one_look_a_row && !one_each;
        return together <= (runs_smoothly ? 0.35f : 1.0f) * apart;
    }

    /// The same for searches of the nearest agents, which list only the few nodes that some query
    /// may find. docs/nearest.md has the rule.
    [[gnu::always_inline]] bool pays_for_nearest(const GridView<Dim>& grid) const noexcept {
        constexpr std::uint64_t kMost = 4 * kMostTogether;
        return is_coherent() && nodes_in(grid, kMost) <= kMost;
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

    /// False for queries that are scattered over the world, and for large queries, which read
    /// little except the tables of cells. Looks at no row.
    [[gnu::always_inline]] bool is_coherent() const noexcept {
        if (!sound_ || cells(first_, 0) > kMostCells) { return false; }
        for (std::size_t a = 1; a < Dim; ++a) {
            if (cells(all_, a) > cells(first_, a) + kMoreRows) { return false; }
        }
        return true;
    }
    /// The nodes in the window; stops once they are more than `most`.
    [[gnu::always_inline]] std::uint64_t nodes_in(const GridView<Dim>& grid,
                                                  std::uint64_t most) const noexcept {
        std::uint64_t nodes = 0;
        for_each_row_in<Arch>(grid, all_, [&](std::uint32_t, const NodeArrays&, const Span& span) {
            nodes += span.end - span.begin;
            return nodes <= most;
        });
        return nodes;
    }

    PacketWindow<Dim> all_, first_;
    float wide_[Dim], wide_of_first_[Dim]; ///< widths of all_ and first_ in cells, not rounded
    bool sound_;
};

} // namespace throng::simd
