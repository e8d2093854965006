// What neighbours add up to, for each agent, without a list of them.
#pragma once

#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/core/status.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/neighbour_loop.hpp>

#include <cstddef>
#include <cstdint>

namespace throng::python {

/// What a neighbour counts for, by its distance d from the agent; r is the radius.
enum class Weight : std::uint8_t {
    flat,    ///< 1
    linear,  ///< 1 - d / r
    poly6,   ///< (1 - d * d / (r * r))^3
    inverse, ///< 1 / d, and nothing at the agent's own place
};

/// The slope of Weight::inverse, 1 over the cube of the distance, is nothing where that is less.
inline constexpr float kLeastCube = 1e-30f;

enum class Reduced : std::uint8_t {
    sum,  ///< of weight times value
    mean, ///< the sum over the sum of weights
    least,
    most,
    gradient, ///< of the sum, by the agent's own place: Dim columns of one value for each agent
};

/// What is reduced. Arrays are by id, with `columns` numbers for each agent, side by side; a
/// gradient has Dim, and its values one.
struct Reduction {
    Reduced how = Reduced::sum;
    Weight weight = Weight::flat;
    const float* values = nullptr; ///< null: the way from the agent to its neighbour
    std::size_t columns = 1;
    bool less_own = false; ///< the agent's own values are taken away from the mean
    float empty = 0.0f;    ///< the mean, least and most of no neighbours
    float scale = 1.0f;    ///< a factor of all that comes out
    float* out = nullptr;  ///< for all ids
    // For the kernels.
    std::size_t column = 0; ///< the first that is being reduced
    float inverse_radius = 0.0f;
};

/// Reduces over all agents of a crowd, small and giant. A periodic world that is not wider than
/// twice the reach is refused, Cause::wraps: it takes ListedSums.
template <std::size_t Dim>
[[nodiscard]] Status reduce(NeighbourLoop<Dim>& loop, const Crowd<Dim>& crowd,
                            const Neighbourhood& neighbourhood, Reduction reduction);

/// Of one instruction set: `count` columns from reduction.column on, which is 1 or Dim.
template <class Arch, std::size_t Dim>
[[nodiscard]] Status reduce_on(Arch arch, NeighbourLoop<Dim>& loop, const Crowd<Dim>& crowd,
                               const Neighbourhood& neighbourhood, const Reduction& reduction,
                               std::size_t count);

} // namespace throng::python
