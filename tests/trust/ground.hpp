// The places and sizes of agents in a random sequence.
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
    on_edges, ///< on edges of cells, in the middle of cells, or a float beside these
    rim,      ///< at one distance from a hub, or a float more or less
    line,
    far_corner,
    huge,        ///< extents from a cell to the whole world
    empty,       ///< empty at first
    one,         ///< one agent at first
    mixed_sizes, ///< with giants
    churn,       ///< agents come and go
    clustered,
    tiny,    ///< denormal coordinates, and both zeros
    limits,  ///< coordinates near the largest
    outside, ///< far from the cells
};
inline constexpr std::array kDistributionNames = {
    "uniform", "one_cell", "coincident",  "on_edges", "rim",       "line", "far_corner", "huge",
    "empty",   "one",      "mixed_sizes", "churn",    "clustered", "tiny", "limits",     "outside"};

/// Draws places and sizes; it borrows the random numbers.
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
    /// One of this distribution's typical lengths, among them 0 and the largest.
    float length();

    /// The centre of the distribution, and below, the distance from it to places on the rim.
    [[nodiscard]] const Point<Dim>& hub() const noexcept { return hubs_[0]; }
    [[nodiscard]] float rim() const noexcept { return rim_; }

    /// `value`, or the next float on either side.
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
