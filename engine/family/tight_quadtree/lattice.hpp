// The places where leaves of a tight quadtree may begin and end: whole numbers that stand for
// coordinates. Internal.
#pragma once

#include "../../../simd/kernels/family/leaf_pairs.hpp"
#include "../../agents/agents.hpp"
#include "../../agents/box.hpp"
#include "../../agents/point.hpp"
#include "../../shapes/bounds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace throng {

/// The finest cells that a box touches, from lo to hi on each axis, both included.
struct LatticeRange {
    std::uint16_t lo_x = 0, lo_y = 0, hi_x = 0, hi_y = 0;

    friend constexpr bool operator==(const LatticeRange& a, const LatticeRange& b) noexcept {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    }
    /// The distance from the first cell to the last on the longer side: 0 for one cell.
    [[nodiscard]] constexpr unsigned reach() const noexcept {
        return static_cast<unsigned>(std::max(hi_x - lo_x, hi_y - lo_y));
    }
    /// The same range in cells that are 2^shift finest cells wide.
    [[nodiscard]] constexpr LatticeRange coarser(unsigned shift) const noexcept {
        constexpr std::uint64_t kOnes = 0x0001'0001'0001'0001u;
        return std::bit_cast<LatticeRange>(std::bit_cast<std::uint64_t>(*this) >> shift &
                                           kOnes * (0xFFFFu >> shift));
    }
};
static_assert(sizeof(LatticeRange) == 8);

/// Lays 2^depth cells a side over the bounds, and says into which of them coordinates fall.
///
/// A tight quadtree compares places by cells alone. A larger coordinate never falls into an earlier
/// cell, so covers that overlap in floats share a cell. Agents outside the bounds are in the cells
/// at the border, which therefore reach to infinity.
class TightLattice {
public:
    static constexpr unsigned kMostDepth = 16;

    TightLattice() noexcept : TightLattice({Point<2>::all(0.0f), Point<2>::all(1.0f)}, 1) {}

    /// Bounds that have no width, or hardly any, are widened.
    TightLattice(const Box<2>& bounds, unsigned depth) noexcept : depth_(depth), bounds_(bounds) {
        const auto cells = static_cast<double>(1u << depth);
        for (std::size_t a = 0; a < 2; ++a) {
            const float far = std::max(std::abs(bounds.lo[a]), std::abs(bounds.hi[a]));
            // A cell spans at least a few floats, so that rounding does not spoil halves of bounds.
            const float least =
                std::max(far * 0x1p-4f * static_cast<float>(cells) * 0x1p-16f, 1e-9f);
            if (bounds_.hi[a] - bounds_.lo[a] < least) {
                bounds_.lo[a] -= 0.5f * least;
                bounds_.hi[a] = bounds_.lo[a] + least;
            }
            const double width = static_cast<double>(bounds_.hi[a]) - bounds_.lo[a];
            cell_[a] = width / cells;
            origin_[a] = origin_[a + 2] = bounds_.lo[a];
            scale_[a] = scale_[a + 2] = static_cast<float>(cells / width);
        }
        last_ = Floats{} + static_cast<float>((1u << depth) - 1);
    }

    [[nodiscard]] unsigned depth() const noexcept { return depth_; }
    [[nodiscard]] const Box<2>& bounds() const noexcept { return bounds_; }

    [[nodiscard]] LatticeRange range(const Box<2>& box) const noexcept {
        const Floats sides = {box.lo[0], box.lo[1], box.hi[0], box.hi[1]};
        Floats cells = (sides - origin_) * scale_;
        cells = cells > 0.0f ? cells : Floats{};
        cells = cells < last_ ? cells : last_;
        return std::bit_cast<LatticeRange>(
            __builtin_convertvector(__builtin_convertvector(cells, Ints), Shorts));
    }

    /// Where a cell begins; the first begins before all coordinates.
    [[nodiscard]] static float edge_of_cell(unsigned cell) noexcept {
        return cell == 0 ? -kEverywhere : static_cast<float>(cell);
    }
    [[nodiscard]] simd::LeafLattice for_leaves(const CrowdKind<2>& kind) const noexcept {
        const Point<2>& half = kind.common_half_extent;
        const Box<2> cover = cover_of(Point<2>{}, half);
        return {{origin_[0], origin_[1]},
                {scale_[0], scale_[1]},
                {half[0], half[1]},
                {cover.hi[0], cover.hi[1]},
                kind.own_half_extents};
    }

    /// A coordinate in cells, counted from the first; less than edge_of_cell(c) if it falls before
    /// cell c.
    [[nodiscard]] float in_cells(float coordinate, std::size_t axis) const noexcept {
        return (coordinate - origin_[axis]) * scale_[axis];
    }

    /// The box of a square of cells, for drawings.
    [[nodiscard]] Box<2> box_of(unsigned x, unsigned y, unsigned width) const noexcept {
        Box<2> box;
        const unsigned from[] = {x, y};
        for (std::size_t a = 0; a < 2; ++a) {
            box.lo[a] = static_cast<float>(bounds_.lo[a] + cell_[a] * from[a]);
            box.hi[a] = static_cast<float>(bounds_.lo[a] + cell_[a] * (from[a] + width));
        }
        return box;
    }

    /// A box that holds whatever touches a square of cells and is no wider than `widest`.
    [[nodiscard]] Box<2> box_around(unsigned x, unsigned y, unsigned width,
                                    const Point<2>& widest) const noexcept {
        Box<2> box = box_of(x, y, width);
        const unsigned from[] = {x, y};
        for (std::size_t a = 0; a < 2; ++a) {
            // Cells are computed in floats, which may be a little off.
            const float far = std::max(std::abs(bounds_.lo[a]), std::abs(bounds_.hi[a]));
            const float more = widest[a] + (far + widest[a]) * 0x1p-20f;
            const bool first = from[a] == 0;
            const bool last = from[a] + width == 1u << depth_;
            box.lo[a] = first ? -kEverywhere : box.lo[a] - more;
            box.hi[a] = last ? kEverywhere : box.hi[a] + more;
        }
        return box;
    }

private:
    // Four lanes: both sides on both axes. Every processor that this is compiled for has four.
    using Floats = float __attribute__((vector_size(16)));
    using Ints = std::int32_t __attribute__((vector_size(16)));
    using Shorts = std::uint16_t __attribute__((vector_size(8)));
    static constexpr float kEverywhere = std::numeric_limits<float>::infinity();

    Floats origin_{}, scale_{}, last_{};
    double cell_[2]{};
    unsigned depth_;
    Box<2> bounds_;
};

} // namespace throng
