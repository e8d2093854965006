// The nearest agent of one point, if there is one close by. For *.kernel.cpp files only.
#pragma once

#include "../../shapes/ball_lanes.hpp"
#include "../../shapes/node_filter.hpp"
#include "nearest.hpp"
#include "nearest_select.hpp"

namespace throng::simd {

/// Looks into the cells within half a row's height of a point: at most two rows on each axis, which
/// are read together, so that the processor waits for all of them at once.
template <Skips skips, class Arch, std::size_t Dim>
class NearestOne {
    static constexpr std::uint32_t kRows = Dim == 2 ? 2 : 4;
    /// With more nodes than this, a ball of a fitting radius takes less time.
    static constexpr std::uint32_t kManyNodes = 64 * kRows;

public:
    /// For the first point of a block.
    [[gnu::always_inline]] NearestOne(const GridView<Dim>& grid, const BallBlock<Dim>& points,
                                      const KernelFilter& kernel_filter) noexcept
        : grid_(grid), ball_(grid, points, 0), filter_(grid, kernel_filter, 0) {}

    /// Writes the answer and returns true; or returns false. Then `guess2` is the squared distance
    /// of the nearest agent seen; if no agent was seen it is unchanged.
    [[nodiscard, gnu::always_inline]] bool answer(float radius, float& guess2,
                                                  const NearestOutput& out) noexcept {
        const float reach = 0.499f * lowest_row();
        if (find_spans(reach) > kManyNodes) { return false; }

        // Distances are kept, so that the id of the least is found without computing them again.
        float distances2[kManyNodes + kRows * kLanes<Arch>];
        float* next = distances2;
        Floats<Arch> least2(kFarthest2);
        for_each_vector([&](const NodeArrays& row, std::uint32_t i, std::uint32_t left) {
            const Floats<Arch> distance2 = distances2_of(row, i, left);
            distance2.store_unaligned(next);
            next += kLanes<Arch>;
            least2 = smaller<Arch>(least2, distance2);
        });
        const float most2 = smaller_of(radius * radius, kLargest2);
        const float found2 = least<Arch>(least2);
        const bool found = found2 <= most2;
        // All agents nearer than `reach` lie in these cells, even after rounding.
        if (!((found ? found2 : most2) < reach * reach * 0.9999f)) {
            if (found) { guess2 = found2; }
            return false;
        }
        *out.counts = found ? 1 : 0;
        write_near<Arch>(out.near,
                         bits_of<Scalar>(Floats<Scalar>(found ? found2 : kFarthest2)).value,
                         found ? id_at(found2, distances2) : ~0u);
        return true;
    }

private:
    static constexpr float kFarthest2 = __builtin_huge_valf();
    static constexpr float kLargest2 = 0x1.FFFFFEp127f; ///< no agent is farther away

    [[gnu::always_inline]] static float smaller_of(float a, float b) noexcept {
        return a < b ? a : b;
    }
    [[gnu::always_inline]] float lowest_row() const noexcept {
        const float height = 1.0f / grid_.inverse_cell[1];
        return Dim == 2 ? height : smaller_of(height, 1.0f / grid_.inverse_cell[Dim - 1]);
    }

    /// Finds the spans that a ball with this radius reaches. Returns how many nodes they have, or
    /// more than kManyNodes if the ball reaches too many rows.
    [[gnu::always_inline]] std::uint32_t find_spans(float reach) noexcept {
        std::uint32_t low[Dim], high[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            low[a] = cell_of<Arch>(grid_, a, ball_.centre[a] - reach);
            high[a] = cell_of<Arch>(grid_, a, ball_.centre[a] + reach);
            // Where floats are coarse the rounded ends may be farther apart than a row is high.
            if (a > 0 && high[a] - low[a] > 1) { return kManyNodes + 1; }
        }
        std::uint32_t nodes = 0;
        for (std::uint32_t k = 0; k < kRows; ++k) {
            const std::uint32_t y = k % 2 == 0 ? low[1] : high[1];
            const std::uint32_t z = Dim == 2 ? 0 : k < 2 ? low[Dim - 1] : high[Dim - 1];
            const bool again =
                (k % 2 == 1 && low[1] == high[1]) || (k >= 2 && low[Dim - 1] == high[Dim - 1]);
            const Row& row = grid_.rows[z * grid_.cells[1] + y];
            if (again || row.words == nullptr) { continue; }
            const NodeArrays arrays = arrays_of<Arch>(grid_, row);
            const Span span = span_of<Arch>(row, low[0], high[0]);
            for (std::uint32_t field = 0; field <= Fields<Dim>::kId; ++field) {
                __builtin_prefetch(arrays.nodes + std::size_t{field} * arrays.capacity +
                                   span.begin);
            }
            arrays_[count_] = arrays;
            spans_[count_] = span;
            ++count_;
            nodes += span.end - span.begin;
        }
        return nodes;
    }

    /// Calls visit(row, first node, nodes from there on) for each vector of the spans.
    template <class Visit>
    [[gnu::always_inline]] void for_each_vector(const Visit& visit) const noexcept {
        for (std::uint32_t k = 0; k < count_; ++k) {
            for (std::uint32_t i = spans_[k].begin; i < spans_[k].end; i += kLanes<Arch>) {
                visit(arrays_[k], i, spans_[k].end - i);
            }
        }
    }

    /// The squares of the distances of `left` nodes; infinity for other nodes, and for agents that
    /// the filter leaves out.
    [[gnu::always_inline]] Floats<Arch> distances2_of(const NodeArrays& row, std::uint32_t i,
                                                      std::uint32_t left) const noexcept {
        const Floats<Arch> distance2 = select<Arch>(
            lanes_below<Arch>(left), ball_.distance2(row, i), Floats<Arch>(kFarthest2));
        if constexpr (skips == Skips::nothing) { return distance2; }
        constexpr std::uint32_t kAll = (1u << kLanes<Arch>)-1u;
        std::uint32_t others = first_lanes<Arch>(kAll & ~filter_.keep(row, i), left);
        if (others == 0) { return distance2; }
        float lanes[kLanes<Arch>];
        distance2.store_unaligned(lanes);
        for (; others != 0; others &= others - 1) {
            lanes[__builtin_ctz(others)] = kFarthest2;
        }
        return Floats<Arch>::load_unaligned(lanes);
    }

    /// The least id of the agents at this distance.
    [[gnu::always_inline]] std::uint32_t id_at(float found2,
                                               const float* distances2) const noexcept {
        const Floats<Arch> wanted(found2);
        std::uint32_t id = ~0u;
        for_each_vector([&](const NodeArrays& row, std::uint32_t i, std::uint32_t) {
            std::uint32_t bits =
                lane_bits<Arch>(Floats<Arch>::load_unaligned(distances2) == wanted);
            distances2 += kLanes<Arch>;
            const std::uint32_t* const ids =
                row.nodes + std::size_t{Fields<Dim>::kId} * row.capacity + i;
            for (; bits != 0; bits &= bits - 1) {
                const std::uint32_t other = ids[__builtin_ctz(bits)];
                id = other < id ? other : id;
            }
        });
        return id;
    }

    const GridView<Dim>& grid_;
    const BallLanes<Arch, Dim> ball_;
    const NodeFilter<Arch, Dim, skips> filter_;
    std::uint32_t count_ = 0; ///< the number of rows
    NodeArrays arrays_[kRows];
    Span spans_[kRows];
};

} // namespace throng::simd
