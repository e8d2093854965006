// A shape, prepared for tests of single agents. Internal to the engine.
#pragma once

#include "shapes.hpp"

namespace throng {

/// Tests single agents against a shape, by the one definition of each shape. Brute force, and
/// structures that look at one agent at a time, use it.
template <class Shape>
class AgentTest {
    decltype(detail::ShapeFacts<Shape>::test(Shape{})) test_;

public:
    explicit AgentTest(const Shape& shape) noexcept
        : test_(detail::ShapeFacts<Shape>::test(shape)) {}

    template <std::size_t Dim>
    [[nodiscard]] bool hits(const Point<Dim>& position,
                            const Point<Dim>& half_extent) const noexcept {
        if constexpr (requires { overlaps(test_, position, half_extent); }) {
            return overlaps(test_, position, half_extent);
        } else if constexpr (requires { meets(test_, position, half_extent); }) {
            return meets(test_, position, half_extent);
        } else if constexpr (requires { touches(test_, position, half_extent); }) {
            return touches(test_, position, half_extent);
        } else {
            return contains(test_, position);
        }
    }

    /// The time at which a path hits an agent. The path must hit the agent.
    template <std::size_t Dim>
    [[nodiscard]] float time(const Point<Dim>& position,
                             const Point<Dim>& half_extent) const noexcept {
        return time_of_hit(test_, position, half_extent);
    }
};

} // namespace throng
