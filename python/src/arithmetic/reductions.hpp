// Reductions over each agent's neighbours, without lists.
#pragma once

#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/core/status.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/neighbour_loop.hpp>

#include <cstddef>
#include <cstdint>

namespace throng::python {

/// The weight of a neighbour at distance d from the agent; r is the radius.
enum class Weight : std::uint8_t {
    flat,    ///< 1
    linear,  ///< 1 - d / r
    poly6,   ///< (1 - d * d / (r * r))^3
    inverse, ///< 1 / d, but 0 at the agent's own place
};

/// The slope of Weight::inverse, 1 / d^3, is 0 where d^3 is less than this.
inline constexpr float kLeastCube = 1e-30f;

enum class Reduced : std::uint8_t {
    sum,  ///< of weight times value
    mean, ///< the sum, divided by the sum of weights
    least,
    most,
    gradient, ///< of the sum, by the agent's place: Dim columns; one value for each agent
};

/// The arguments of a reduction. Arrays are by id, with `columns` numbers for each agent, side by
/// side; a gradient has Dim columns, but its values one.
struct Reduction {
    Reduced how = Reduced::sum;
    Weight weight = Weight::flat;
    const float* values = nullptr; ///< null: reduces ways to neighbours
    std::size_t columns = 1;
    bool less_own = false; ///< subtracts the agent's own values from the mean
    float empty = 0.0f;    ///< the mean, least or most without neighbours
    float scale = 1.0f;    ///< a factor of all results
    float* out = nullptr;  ///< by id, for all ids
    // State for the kernels:
    std::size_t column = 0; ///< first column in work
    float inverse_radius = 0.0f;
};

/// Reduces over all agents of a crowd, small ones and giants. Refuses periodic worlds with
/// Cause::wraps; use ListedSums for those.
template <std::size_t Dim>
[[nodiscard]] Status reduce(NeighbourLoop<Dim>& loop, const Crowd<Dim>& crowd,
                            const Neighbourhood& neighbourhood, Reduction reduction);

extern template Status reduce(NeighbourLoop<2>&, const Crowd<2>&, const Neighbourhood&, Reduction);
extern template Status reduce(NeighbourLoop<3>&, const Crowd<3>&, const Neighbourhood&, Reduction);

/// Reduces on one instruction set: `count` columns, 1 or Dim, from reduction.column on.
template <class Arch, std::size_t Dim>
[[nodiscard]] Status reduce_on(Arch arch, NeighbourLoop<Dim>& loop, const Crowd<Dim>& crowd,
                               const Neighbourhood& neighbourhood, const Reduction& reduction,
                               std::size_t count);

} // namespace throng::python
