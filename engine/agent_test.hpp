// A shape as the test of an agent wants it. Internal to the engine.
#pragma once

#include "shapes.hpp"
#include "track.hpp"

namespace throng {

/// The one test of every shape that has the agent's numbers: where brute force, and structures that
/// look at one agent at a time, decide.
template <class Shape>
class AgentTest {
    static auto made_from(const Shape& shape) noexcept {
        if constexpr (requires { track_of(shape); }) {
            return track_of(shape);
        } else if constexpr (requires { sweep_of(shape); }) {
            return sweep_of(shape);
        } else if constexpr (requires { sight_of(shape); }) {
            return sight_of(shape);
        } else if constexpr (requires { convex_of(shape); }) {
            return convex_of(shape);
        } else {
            return shape;
        }
    }

    decltype(made_from(Shape{})) test_;

public:
    explicit AgentTest(const Shape& shape) noexcept : test_(made_from(shape)) {}

    template <std::size_t Dim>
    [[nodiscard]] bool hits(const Point<Dim>& position,
                            const Point<Dim>& half_extent) const noexcept {
        if constexpr (requires { overlaps(test_, position, half_extent); }) {
            return overlaps(test_, position, half_extent);
        } else if constexpr (requires { meets(test_, position, half_extent); }) {
            return meets(test_, position, half_extent);
        } else {
            return contains(test_, position);
        }
    }

    /// Of a path, when it meets an agent that it hits.
    template <std::size_t Dim>
    [[nodiscard]] float time(const Point<Dim>& position,
                             const Point<Dim>& half_extent) const noexcept {
        return time_of_meeting(test_, position, half_extent);
    }
};

} // namespace throng
