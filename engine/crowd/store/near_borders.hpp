// Finds the agents of a row that are near the border of a periodic world. Internal to the
// engine.
#pragma once

#include "../../agents/box.hpp"
#include "../../agents/world_wrap.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace throng {

/// Which borders: both of each axis, or those where it begins.
enum class Borders : bool { both, lower };

/// The places of which a ball of one radius, copied to the other side of the world, may come near
/// the world.
template <std::size_t Dim>
class NearBorders {
public:
    NearBorders(const WorldWrap<Dim>& world, double radius, Borders borders) noexcept
        : inner_(world.without_borders(radius)) {
        if (borders == Borders::lower) {
            inner_.hi = Point<Dim>::all(std::numeric_limits<float>::infinity());
        }
    }

    /// The coordinates of a row's agents, as floats.
    using Axes = std::array<const std::uint32_t*, Dim>;

    /// Calls visit(slot) for slots first ... past - 1 whose agent is near a border.
    template <class Visit>
    void for_each(const Axes& axes, std::uint32_t first, std::uint32_t past,
                  const Visit& visit) const {
        // Most agents are not: compilers test a group of them at once.
        constexpr std::uint32_t kGroup = 32;
        for (std::uint32_t begin = first; begin < past; begin += kGroup) {
            const std::uint32_t end = std::min(past, begin + kGroup);
            std::uint32_t any = 0;
            for (std::size_t a = 0; a < Dim; ++a) {
                const std::uint32_t* const at = axes[a];
                const float low = inner_.lo[a], high = inner_.hi[a];
                for (std::uint32_t slot = begin; slot < end; ++slot) {
                    const auto x = std::bit_cast<float>(at[slot]);
                    any |= static_cast<std::uint32_t>(x <= low) |
                           static_cast<std::uint32_t>(x >= high);
                }
            }
            for (std::uint32_t slot = begin; any != 0 && slot < end; ++slot) {
                bool near = false;
                for (std::size_t a = 0; a < Dim; ++a) {
                    const auto x = std::bit_cast<float>(axes[a][slot]);
                    near = near || x <= inner_.lo[a] || x >= inner_.hi[a];
                }
                if (near) { visit(slot); }
            }
        }
    }

private:
    Box<Dim> inner_;
};

} // namespace throng
