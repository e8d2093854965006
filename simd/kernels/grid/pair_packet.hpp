// Finds the agents that a packet of neighbouring agents of one row overlaps. For *.kernel.cpp files
// only.
#pragma once

#include "../../isa/bit_levels.hpp"
#include "../../isa/packed_lanes.hpp"
#include "../../shapes/node_filter.hpp"
#include "../../shapes/row_spans.hpp"
#include "../../shapes/search_range.hpp"
#include "pair_bodies.hpp"

namespace throng::simd {

/// An agent is compared with at most this many agents behind it in its row. Larger searches are
/// left to search_rows().
inline constexpr std::uint32_t kMostAhead = 128;

/// A packet visits at most this many rows on an axis, and does not skip empty rows by the bitset.
inline constexpr std::uint32_t kMostRows = 8;

/// A few vectors of neighbouring agents, a lane for each, against one other agent at a time, with
/// no look-up and no branch for a single lane. The agents look only at agents behind them in
/// storage order, so every pair is found once. `Bodies` is PairBoxes or PairDiscs.
template <class Bodies>
class PairPacket {
public:
    using Arch = typename Bodies::Arch;
    static constexpr std::size_t kDim = Bodies::kDim;
    static constexpr auto kLane = static_cast<std::uint32_t>(kLanes<Arch>);
    static constexpr std::uint32_t kVectors = Bodies::kVectors;
    static constexpr std::uint32_t kAgents = kVectors * kLane;
    static_assert(kAgents <= 32, "a bit for each");

    /// `count` agents from `at` on, all in one row.
    [[gnu::always_inline]] PairPacket(const GridView<kDim>& grid, RowSlot at, std::uint32_t count,
                                      const PairQuestion& question) noexcept
        : bodies_(grid, question), filter_(grid, question.filter, 0),
          arrays_(arrays_of<Arch>(grid, grid.rows[at.row])), slot_(at.slot),
          left_(grid.rows[at.row].count - at.slot) {
        const Row& row = grid.rows[at.row];
        std::uint32_t last[kAgents];
        for (std::size_t a = 0; a < kDim; ++a) {
            Floats<Arch> low, high;
            for (std::uint32_t v = 0; v < kVectors; ++v) {
                const Bounds<Arch> bounds = bodies_.put(
                    grid, v, a, [&](std::size_t field) __attribute__((always_inline)) {
                        return agents(field, v, count);
                    });
                low = v == 0 ? bounds.low : smaller<Arch>(low, bounds.low);
                high = v == 0 ? bounds.high : larger<Arch>(high, bounds.high);
                if (a == 0) {
                    cells_of<Arch>(grid, 0, bounds.high).store_unaligned(last + v * kLane);
                }
            }
            low_[a] = least<Arch>(low);
            high_[a] = greatest<Arch>(high);
            first_[a] = cell_of<Arch>(grid, a, low_[a]);
            last_[a] = cell_of<Arch>(grid, a, high_[a]);
        }
        // The most nodes of their row that any of the agents looks at, from itself on.
        std::uint32_t furthest = 0;
        const auto look = [&](std::uint32_t lane, std::uint32_t end) {
            // Lanes after the last agent repeat it.
            const std::uint32_t ahead = end - slot_ - (lane < count ? lane : count - 1);
            furthest = furthest > ahead ? furthest : ahead;
        };
        // Two loops, so that neither tests the table's form each time.
        if (is_full<Arch>(row)) {
            for (std::uint32_t lane = 0; lane < kAgents; ++lane) {
                look(lane, row.words[last[lane] + 1]);
            }
        } else {
            for (std::uint32_t lane = 0; lane < kAgents; ++lane) {
                look(lane, span_of<Arch>(row, first_[0], last[lane]).end);
            }
        }
        ahead_ = furthest - 1;
        keep_row();
        lanes_ = in_row_[0] & ((count < 32 ? 1u << count : 0u) - 1u);
    }

    /// Gathers the agents in other rows that the packet's agents may touch. False if there are more
    /// than a packet can take.
    [[gnu::always_inline]] bool gather(const GridView<kDim>& grid, std::uint32_t row) noexcept {
        if (ahead_ > kMostAhead) { return false; }
        // Vectors after the first could read further behind the row than its slack.
        if (kVectors > 1 && slot_ + kAgents + ahead_ > arrays_.capacity + kSlack) { return false; }
        const std::uint32_t y = kDim == 2 ? row : row % grid.cells[1];
        if (last_[1] - y > kMostRows) { return false; }
        bool fits = gather_rows(grid, row + 1, last_[1] - y);
        if constexpr (kDim == 3) {
            const std::uint32_t z = row / grid.cells[1];
            const std::uint32_t rows = last_[1] - first_[1] + 1;
            if (last_[2] - z > kMostRows || rows > kMostRows) { return false; }
            for (std::uint32_t plane = z + 1; fits && plane <= last_[2]; ++plane) {
                fits = gather_rows(grid, plane * grid.cells[1] + first_[1], rows);
            }
        }
        if (!fits) { return false; }
        bodies_.take_others(grid, other_, others_);
        return true;
    }

    /// The number of agents in the row, from the packet's first agent on.
    [[nodiscard]] std::uint32_t left() const noexcept { return left_; }
    /// Agents of the same row touch only if they are at most this many places apart.
    [[nodiscard]] std::uint32_t ahead() const noexcept { return ahead_; }
    /// The number of other agents gathered.
    [[nodiscard]] std::uint32_t others() const noexcept { return others_; }
    [[nodiscard]] const std::uint32_t* other_ids() const noexcept {
        return other_[Fields<kDim>::kId];
    }
    /// The ids of the packet's agents, and of the agents behind them in their row.
    [[nodiscard]] const std::uint32_t* ids() const noexcept {
        return arrays_.nodes + std::size_t{Fields<kDim>::kId} * arrays_.capacity + slot_;
    }

    /// A bit for each of the packet's agents that is in the groups.
    [[nodiscard]] std::uint32_t lanes() const noexcept { return lanes_; }
    /// A bit for each agent of the row that is in the groups, counted from the packet's first
    /// agent: for the 64 agents from number 32 * `part` on, the lowest bit first.
    [[nodiscard]] std::uint64_t in_row(std::uint32_t part) const noexcept {
        return in_row_[part] | std::uint64_t{in_row_[part + 1]} << 32;
    }

    /// True only if all places that the packet's agents look at are of the row and in the groups.
    [[nodiscard]] bool meets_all_ahead() const noexcept {
        return kAgents + ahead_ <= left_ && !filter_.by_group;
    }

    /// For each agent of a vector, whether it touches the agent `ahead` places behind it, which may
    /// be behind the row or outside the groups.
    [[gnu::always_inline]] FloatMask<Arch> touching_ahead(const GridView<kDim>& grid,
                                                          std::uint32_t v,
                                                          std::uint32_t ahead) const noexcept {
        return bodies_.touching(grid, v, arrays_, slot_ + v * kLane + ahead);
    }
    /// Which agents of a vector touch the gathered agent `other`.
    [[gnu::always_inline]] FloatMask<Arch> touching_other(std::uint32_t v,
                                                          std::uint32_t other) const noexcept {
        return bodies_.touching_other(v, other_, other);
    }

private:
    /// A field of a vector of agents; lanes behind the last agent repeat it.
    [[gnu::always_inline]] Floats<Arch> agents(std::size_t field, std::uint32_t v,
                                               std::uint32_t count) const noexcept {
        if (count == kAgents) [[likely]] {
            return floats_at<Arch>(arrays_, field, slot_ + v * kLane);
        }
        const float* const all =
            reinterpret_cast<const float*>(arrays_.nodes + field * arrays_.capacity + slot_);
        float lane[kLane];
        for (std::uint32_t i = 0; i < kLane; ++i) {
            const std::uint32_t agent = v * kLane + i;
            lane[i] = all[agent < count ? agent : count - 1];
        }
        return Floats<Arch>::load_unaligned(lane);
    }

    /// Notes which of the agents looked at, from the packet's first on, are in the row and in the
    /// groups.
    [[gnu::always_inline]] void keep_row() noexcept {
        const std::uint32_t looked_at = kAgents + (ahead_ < kMostAhead ? ahead_ : kMostAhead);
        const std::uint32_t there = left_ < looked_at ? left_ : looked_at;
        const std::uint64_t first =
            there < 64 ? (std::uint64_t{1} << there) - 1 : ~std::uint64_t{0};
        in_row_[0] = static_cast<std::uint32_t>(first);
        in_row_[1] = static_cast<std::uint32_t>(first >> 32);
        in_row_[2] = 0;
        if (ahead_ > 32) [[unlikely]] {
            for (std::uint32_t begin = 64; begin < looked_at + 32; begin += 32) {
                in_row_[begin / 32] = begin >= there        ? 0
                                      : there - begin >= 32 ? ~0u
                                                            : (1u << (there - begin)) - 1u;
            }
        }
        if (!filter_.by_group) { return; }
        constexpr std::uint32_t kAll = (1u << kLane) - 1;
        for (std::uint32_t i = 0; i < there; i += kLane) {
            const std::uint32_t dropped = ~filter_.keep(arrays_, slot_ + i) & kAll;
            in_row_[i / 32] &= ~(dropped << i % 32);
        }
    }

    [[gnu::always_inline]] bool gather_rows(const GridView<kDim>& grid, std::uint32_t first,
                                            std::uint32_t rows) noexcept {
        for (const Row *row = grid.rows + first, *end = row + rows; row != end; ++row) {
            Span span;
            if (is_full<Arch>(*row)) [[likely]] {
                span = {row->words[first_[0]], row->words[last_[0] + 1]};
            } else {
                if (row->words == nullptr) { continue; }
                span = span_of<Arch>(*row, first_[0], last_[0]);
            }
            const NodeArrays arrays = arrays_of<Arch>(grid, *row);
            // If the packet's agents are far apart, the spans hold many agents that are not near.
            if (span.end - span.begin > 4 * kMostOthers) { return false; }
            for (std::uint32_t i = span.begin; i < span.end; i += kLanes<Arch>) {
                if (others_ + kLane > kMostOthers) { return false; }
                // On x all agents of the span are near, since their cells are.
                FloatMask<Arch> near = within(arrays, i, 1);
                if constexpr (kDim == 3) { near = near & within(arrays, i, 2); }
                const std::uint32_t bits = first_lanes<Arch>(
                    lane_bits<Arch>(near) & filter_.keep(arrays, i), span.end - i);
                for (std::size_t f = 0; f < kDim + 1 + bodies_.half_extents(); ++f) {
                    compress_store<Arch>(other_[f] + others_, words_at<Arch>(arrays, f, i), bits);
                }
                others_ += static_cast<std::uint32_t>(__builtin_popcount(bits));
            }
        }
        return true;
    }

    /// if (x >= low && x <= high)
    [[gnu::always_inline]] FloatMask<Arch> within(const NodeArrays& arrays, std::uint32_t i,
                                                  std::size_t a) const noexcept {
        const Floats<Arch> x = floats_once_at<Arch>(arrays, Fields<kDim>::kPosition + a, i);
        return (x >= Floats<Arch>(low_[a])) & (x <= Floats<Arch>(high_[a]));
    }

    Bodies bodies_;
    const NodeFilter<Arch, kDim, Skips::groups> filter_;
    const NodeArrays arrays_;
    const std::uint32_t slot_, left_;
    float low_[kDim], high_[kDim];           // bounds of the centres of all hits
    std::uint32_t first_[kDim], last_[kDim]; // the cells of these bounds
    std::uint32_t ahead_, lanes_;
    // Words for the packet's agents and kMostAhead + 1 places, and one word that is read beyond
    // these.
    static constexpr std::uint32_t kRowWords = (kMostAhead + 1) / 32 + 2;
    std::uint32_t in_row_[kRowWords];
    std::uint32_t others_ = 0;
    OtherFields<kDim> other_;
};

} // namespace throng::simd
