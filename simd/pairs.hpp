// Which agents of a grid touch each other?
#pragma once

#include "grid_view.hpp"
#include "slack.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// How far the pairs of a stretch of agents have been listed.
struct PairsAt {
    Place first;       ///< agents before this one are done,
    Place second = {}; ///< and of this one's partners those before here
};

/// Where pairs go: each array has room for `capacity` ids, and nothing is written from there on.
struct PairsOutput {
    std::uint32_t* first;
    std::uint32_t* second;
    std::uint64_t capacity;
    std::uint64_t used;
};

/// Appends all pairs of overlapping agents of which the one that is stored first lies from
/// `at.first` on and before `end`, in canonical order; agents outside `groups` take part in none.
/// Returns true when all are listed; or false when more room is wanted: then hand over other arrays
/// for at least kSlack pairs and call again.
template <std::size_t Dim>
bool list_pairs(const GridView<Dim>& grid, std::uint32_t groups, PairsAt& at, Place end,
                PairsOutput& out) noexcept;

/// How many pairs list_pairs() would list.
template <std::size_t Dim>
std::uint64_t count_pairs(const GridView<Dim>& grid, std::uint32_t groups, const PairsAt& at,
                          Place end) noexcept;

/// The same on one instruction set; each is compiled from pairs.kernel.cpp.
template <class Arch, std::size_t Dim>
bool list_pairs_on(Arch, const GridView<Dim>& grid, std::uint32_t groups, PairsAt& at, Place end,
                   PairsOutput& out) noexcept;
template <class Arch, std::size_t Dim>
std::uint64_t count_pairs_on(Arch, const GridView<Dim>& grid, std::uint32_t groups,
                             const PairsAt& at, Place end) noexcept;

} // namespace throng::simd
