// Which agents of a grid are near each agent of it?
#pragma once

#include "../views/grid_view.hpp"
#include "../views/query_block.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// The question that every agent asks: which agents have their centres in the ball around it?
struct Around {
    float radius;
    bool with_self;
    std::uint32_t groups; ///< of the agents to find; all ones where the grid keeps no masks
};

/// Answers for the agents from `at` on and before `end`, in storage order, appending ids until an
/// answer does not fit. Returns how many it answered, and moves `at` behind them.
template <std::size_t Dim>
std::size_t select_around(const GridView<Dim>& grid, const Around& around, Place& at, Place end,
                          BatchOutput& out) noexcept;

/// Counts the agents that each of them finds, in the same order. Goes on at least while
/// kBlockQueries of the `room` places for counts are left. Returns how many counts it wrote, and
/// moves `at` behind those agents.
template <std::size_t Dim>
std::size_t tally_around(const GridView<Dim>& grid, const Around& around, Place& at, Place end,
                         std::uint32_t* counts, std::size_t room) noexcept;

/// The same on one instruction set; each is compiled from neighbours.kernel.cpp.
template <class Arch, std::size_t Dim>
std::size_t select_around_on(Arch, const GridView<Dim>& grid, const Around& around, Place& at,
                             Place end, BatchOutput& out) noexcept;
template <class Arch, std::size_t Dim>
std::size_t tally_around_on(Arch, const GridView<Dim>& grid, const Around& around, Place& at,
                            Place end, std::uint32_t* counts, std::size_t room) noexcept;

} // namespace throng::simd
