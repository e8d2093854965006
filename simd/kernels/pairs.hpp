// Which agents of a grid touch each other?
#pragma once

#include "../isa/slack.hpp"
#include "../views/grid_view.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// How far the pairs of a range of agents have been listed.
struct PairsAt {
    RowSlot first;       ///< agents before this one are done,
    RowSlot second = {}; ///< and of this one's partners those before here
};

/// Where pairs go: each array has room for `capacity` ids, and no array is written beyond that.
struct PairsOutput {
    std::uint32_t* first;
    std::uint32_t* second;
    std::uint64_t capacity;
    std::uint64_t used;
};

/// Appends all pairs of overlapping agents, in canonical order, whose first agent in storage order
/// lies from `at.first` on and before `end`. Agents outside `groups` are in no pair. Returns true
/// when all are listed; or false when it needs more room: then pass other arrays for at least
/// kSlack pairs and call again.
template <std::size_t Dim>
bool list_pairs(const GridView<Dim>& grid, std::uint32_t groups, PairsAt& at, RowSlot end,
                PairsOutput& out) noexcept;

/// How many pairs list_pairs() would list.
template <std::size_t Dim>
std::uint64_t count_pairs(const GridView<Dim>& grid, std::uint32_t groups, const PairsAt& at,
                          RowSlot end) noexcept;

/// The same on one instruction set; each is compiled from pairs.kernel.cpp.
template <class Arch, std::size_t Dim>
bool list_pairs_on(Arch, const GridView<Dim>& grid, std::uint32_t groups, PairsAt& at, RowSlot end,
                   PairsOutput& out) noexcept;
template <class Arch, std::size_t Dim>
std::uint64_t count_pairs_on(Arch, const GridView<Dim>& grid, std::uint32_t groups,
                             const PairsAt& at, RowSlot end) noexcept;

} // namespace throng::simd
