// Where the agents of a random sequence stand, and how large they are.
#pragma once

#include "../support/random.hpp"

#include <throng/engine/agents/box.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace throng::test {

enum class Distribution : std::uint8_t {
    uniform,
    one_cell,
    coincident,
    on_edges, ///< on cells' edges, in their middles, or a float beside
    rim,      ///< at one distance from a hub, exactly or a float more or less
    line,
    far_corner,
    huge,        ///< extents from a cell's to the whole world's
    empty,       ///< empty at first
    one,         ///< one agent at first
    mixed_sizes, ///< giants among them
    churn,       ///< they come and go
    clustered,
    tiny,    ///< denormal coordinates, and both zeros
    limits,  ///< coordinates near the largest
    outside, ///< far from the cells
};
inline constexpr std::array kDistributionNames = {
    "uniform", "one_cell", "coincident",  "on_edges", "rim",       "line", "far_corner", "huge",
    "empty",   "one",      "mixed_sizes", "churn",    "clustered", "tiny", "limits",     "outside"};

/// Borrows the numbers that it draws.
template <std::size_t Dim>
class Ground {
public:
    Ground(Distribution distribution, scenes::Random& random);

    [[nodiscard]] const Box<Dim>& world() const noexcept { return world_; }
    [[nodiscard]] const Point<Dim>& cell() const noexcept { return cell_; }

    /// A place for an agent.
    Point<Dim> place();
    /// The corner of a cell.
    Point<Dim> corner();
    Point<Dim> half_extent();
    /// One of the lengths that matter here; 0 and the largest are among them.
    float length();

    /// The point that others lie around, and the distance of those on the rim.
    [[nodiscard]] const Point<Dim>& hub() const noexcept { return hubs_[0]; }
    [[nodiscard]] float rim() const noexcept { return rim_; }

    /// The same, or one float to either side.
    float nudged(float value);

private:
    template <std::uint32_t kCount>
    float one_of(const float (&values)[kCount]) {
        return values[random_.below(kCount)];
    }
    Point<Dim> anywhere();
    Point<Dim> on_rim();

    Distribution distribution_;
    scenes::Random& random_;
    std::array<std::uint32_t, Dim> cells_{};
    Box<Dim> world_;
    Point<Dim> cell_;
    std::array<Point<Dim>, 3> hubs_;
    float rim_ = 0.0f;
};

} // namespace throng::test
