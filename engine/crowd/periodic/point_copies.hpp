// The copies of a point in a periodic world. Internal to the engine.
#pragma once

#include "../../agents/body.hpp"
#include "../../agents/point.hpp"
#include "../../agents/world_wrap.hpp"
#include "../../answers/nearest_from.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace throng {

/// The copies of a point: one that is moved into the world, and one in each neighbour of the world
/// on periodic axes. Borrows the world.
template <std::size_t Dim>
class PointCopies {
public:
    PointCopies(const WorldWrap<Dim>& world, const Point<Dim>& point) noexcept
        : world_(world), home_(world.kept(point)), size_(count(world)) {}

    /// How many copies a point has.
    [[nodiscard]] static std::size_t count(const WorldWrap<Dim>& world) noexcept {
        std::size_t copies = 1;
        for (const bool periodic : world.periodic) {
            if (periodic) { copies *= 3; }
        }
        return copies;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// The copy at home comes first.
    [[nodiscard]] Point<Dim> operator[](std::size_t i) const noexcept {
        constexpr std::array<float, 3> kSteps = {0.0f, -1.0f, 1.0f};
        Point<Dim> copy = home_;
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!world_.periodic[a]) { continue; }
            copy[a] = home_[a] + kSteps[i % 3] * world_.period[a];
            i /= 3;
        }
        return copy;
    }

    /// A lower bound of the squared distance from `from`, which is at a copy, to agents with half
    /// extents of at most `largest`: each step of its computation is at most the same step for an
    /// agent, and both round alike.
    [[nodiscard]] float least_distance2(const NearestFrom<Dim>& from, Body body,
                                        const Point<Dim>& largest) const noexcept {
        Point<Dim> closest = from.point;
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!world_.periodic[a]) { continue; }
            closest[a] = std::clamp(from.point[a], world_.bounds.lo[a], world_.bounds.hi[a]);
        }
        return from.distance2_to(body, closest, largest);
    }

private:
    const WorldWrap<Dim>& world_;
    Point<Dim> home_;
    std::size_t size_;
};

} // namespace throng
