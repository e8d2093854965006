#include "cell_size.hpp"

#include "../../agents/validation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng {

namespace {

/// Cells are laid out for this many agents each: three quarters of a bucket. With fewer there are
/// more cells to list and search, with more there are more chains. Tried: 4, 6, 8, 9, 10, 12, 14.
/// A frame took longest with 4, twice as long as with 12; from 10 on there was no difference.
constexpr double kCellAgents = 12.0;

} // namespace

template <std::size_t Dim>
Point<Dim> cell_size_for(const Agents<Dim>& agents, const Box<Dim>& bounds) noexcept {
    const auto count = static_cast<double>(agents.positions.count);
    double least = 0.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        double half = static_cast<double>(agents.common_half_extent[a]) * count;
        if (kind_of(agents).own_half_extents) {
            half = 0.0;
            for (std::size_t i = 0; i < agents.positions.count; ++i) {
                half += static_cast<double>(agents.half_extents.values(a)[i]);
            }
        }
        least = std::max(least, half / count);
    }
    // An axis on which the world is narrower than a cell has one cell, and does not affect the size
    // of cells on the other axes.
    double side = 0.0;
    std::array<bool, Dim> flat{};
    for (std::size_t round = 0; round < Dim; ++round) {
        double room = kCellAgents / count, axes = 0.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            if (flat[a]) { continue; }
            room *= static_cast<double>(bounds.hi[a]) - static_cast<double>(bounds.lo[a]);
            axes += 1.0;
        }
        if (axes == 0.0) { break; }
        side = std::max(least, std::pow(room, 1.0 / axes));
        for (std::size_t a = 0; a < Dim; ++a) {
            flat[a] = static_cast<double>(bounds.hi[a]) - static_cast<double>(bounds.lo[a]) <= side;
        }
    }
    Point<Dim> cell;
    for (std::size_t a = 0; a < Dim; ++a) {
        // Cells are so wide that floats tell them apart, and that no axis has too many.
        const double width = static_cast<double>(bounds.hi[a]) - static_cast<double>(bounds.lo[a]);
        const double far = std::max(std::abs(static_cast<double>(bounds.lo[a])),
                                    std::abs(static_cast<double>(bounds.hi[a])));
        // If all agents are at one point, `side` is 0.
        const double fine = side == 0.0 ? 1.0 : side;
        const double wide = std::max({fine, width * 0x1p-20, far * 0x1p-20, 1e-9});
        cell[a] = std::min(static_cast<float>(wide), kLargest);
    }
    return cell;
}

template Point<2> cell_size_for(const Agents<2>&, const Box<2>&) noexcept;
template Point<3> cell_size_for(const Agents<3>&, const Box<3>&) noexcept;

} // namespace throng
