// Where the squares of a tree lie, and the one function that maps a place to them. Internal to the
// engine.
#pragma once

#include "../../agents/box.hpp"
#include "../../agents/grid_shape.hpp"
#include "../../agents/point.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace throng {

/// A square, or a cube, halved kLevels times on each axis. A place is known by its coordinates: the
/// numbers of the smallest squares that it is in. Each bit of them, the highest first, says in
/// which half of a square it lies, so a tree decides everything with whole numbers.
///
/// Squares at the border reach to infinity. Coordinates never fall as floats grow; the tree relies
/// on no more than that.
template <std::size_t Dim>
class TreeLattice {
public:
    static constexpr unsigned kLevels = 16;
    static constexpr std::uint32_t kSquares = 1u << kLevels; ///< the smallest, on each axis
    using Coordinates = std::array<std::uint32_t, Dim>;

    TreeLattice() noexcept = default;

    /// The smallest square that holds `bounds`, which must be sound.
    explicit TreeLattice(const Box<Dim>& bounds) noexcept
        : TreeLattice(bounds.lo, widest_of(bounds)) {}

    TreeLattice(const Point<Dim>& origin, float side) noexcept : side_(side) {
        const float inverse = side_ > 0.0f ? static_cast<float>(kSquares) / side_ : 0.0f;
        grid_.origin = origin;
        // A single point: agents cannot be told apart, and all are in the first square.
        grid_.inverse_cell = Point<Dim>::all(std::isfinite(inverse) ? inverse : 0.0f);
        grid_.cells.fill(kSquares);
    }

    [[nodiscard]] Coordinates coordinates(const Point<Dim>& point) const noexcept {
        Coordinates coordinates;
        for (std::size_t a = 0; a < Dim; ++a) {
            coordinates[a] = grid_.cell_on(a, point[a]);
        }
        return coordinates;
    }

    /// Which of the children of a square at `depth` a place is in: bit a says which half of axis a.
    [[nodiscard]] static std::uint32_t child(const Coordinates& coordinates,
                                             unsigned depth) noexcept {
        std::uint32_t child = 0;
        for (std::size_t a = 0; a < Dim; ++a) {
            child |= (coordinates[a] >> (kLevels - 1 - depth) & 1u) << a;
        }
        return child;
    }

    /// The lowest coordinates within child `child` of the square at `depth` that has these.
    [[nodiscard]] static Coordinates within(Coordinates coordinates, unsigned depth,
                                            std::uint32_t child) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            coordinates[a] |= (child >> a & 1u) << (kLevels - 1 - depth);
        }
        return coordinates;
    }

    /// The depth of the smallest square that both are in.
    [[nodiscard]] static unsigned common_depth(const Coordinates& a,
                                               const Coordinates& b) noexcept {
        std::uint32_t differ = 0;
        for (std::size_t axis = 0; axis < Dim; ++axis) {
            differ |= a[axis] ^ b[axis];
        }
        return kLevels - static_cast<unsigned>(std::bit_width(differ));
    }

    /// The square at `depth` of the place with these coordinates, as the bounds have it.
    [[nodiscard]] Box<Dim> square(const Coordinates& coordinates, unsigned depth) const noexcept {
        const float side = std::ldexp(side_, -static_cast<int>(depth));
        Box<Dim> box;
        for (std::size_t a = 0; a < Dim; ++a) {
            const auto number = static_cast<float>(coordinates[a] >> (kLevels - depth));
            box.lo[a] = grid_.origin[a] + number * side;
            box.hi[a] = grid_.origin[a] + (number + 1.0f) * side;
        }
        return box;
    }

    /// The smallest squares, as a grid.
    [[nodiscard]] const GridShape<Dim>& grid() const noexcept { return grid_; }
    /// Of the largest square.
    [[nodiscard]] float side() const noexcept { return side_; }

private:
    static float widest_of(const Box<Dim>& bounds) noexcept {
        float widest = 0.0f;
        for (std::size_t a = 0; a < Dim; ++a) {
            widest = std::fmax(widest, bounds.hi[a] - bounds.lo[a]);
        }
        return widest;
    }

    GridShape<Dim> grid_{};
    float side_ = 0.0f;
};

} // namespace throng
