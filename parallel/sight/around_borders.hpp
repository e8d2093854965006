// Looks across the borders of a periodic crowd. Internal to the library.
#pragma once

#include "../../engine/core/access.hpp"
#include "../../engine/crowd/images.hpp"
#include "../../engine/crowd/store/state.hpp"
#include "../../engine/obstacles/calls/looks.hpp"

#include <algorithm>
#include <cstddef>

namespace throng {

/// Looks from an agent to the copy of another that is nearest to it, as Images has it. Of two that
/// look at each other, the one with the smaller coordinates counts as the asker, so that both see
/// each other or neither does.
template <std::size_t Dim>
class AroundBorders {
public:
    explicit AroundBorders(const Crowd<Dim>& crowd) noexcept
        : world_(detail::state_of(crowd).world), images_(crowd) {}

    /// Where the crowd would keep an agent that is at this place.
    [[nodiscard]] Point<Dim> kept(const Point<Dim>& place) const noexcept {
        return world_.kept(place);
    }

    /// Whether all places within these bounds see each other where they are, through no border.
    [[nodiscard]] bool are_together(const Box<Dim>& bounds) const noexcept {
        bool together = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            // Less than half a period, by more than rounding.
            together = together && (!world_.periodic[a] ||
                                    bounds.hi[a] - bounds.lo[a] < 0.499f * world_.period[a]);
        }
        return together;
    }

    /// Whether two places that the crowd keeps are hidden from each other.
    [[nodiscard]] bool hide(const Looks<Dim>& looks, const Point<Dim>& one,
                            const Point<Dim>& other) const noexcept {
        const bool forward = !std::lexicographical_compare(other.axis.begin(), other.axis.end(),
                                                           one.axis.begin(), one.axis.end());
        const Point<Dim>& from = forward ? one : other;
        const Point<Dim>& to = forward ? other : one;
        const Image<Dim> image = images_.of(from, to);
        obstacle::Real<Dim> end = obstacle::real(to);
        for (std::size_t a = 0; a < Dim; ++a) {
            end[a] += image[a] * double{world_.period[a]};
        }
        return looks.is_hidden_around(obstacle::real(from), end);
    }

private:
    const WorldWrap<Dim>& world_;
    Images<Dim> images_;
};

} // namespace throng
