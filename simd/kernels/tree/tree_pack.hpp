// The kernels that pack agents into a tree.
#pragma once

#include "../../isa/slack.hpp"
#include "../../views/tree_view.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// A survey of agents before they are sorted.
template <std::size_t Dim>
struct Survey {
    float lo[Dim], hi[Dim]; ///< bounds of the positions
    float largest[Dim];     ///< the largest half extents
    float disc[Dim];        ///< by how much half_extent[0] exceeds half_extent[a] at most
    bool sound;             ///< whether an index accepts all the numbers
};

/// Adds `count` agents to the survey; `half` may be null. Numbers beyond `most` and extents below
/// zero clear `sound`. Reads kSlack elements past the end.
template <std::size_t Dim>
void survey(Survey<Dim>& survey, const float* const (&axis)[Dim], const float* const* half,
            std::size_t count, float most) noexcept;

/// A Hilbert curve through 2^(bits * Dim) cells. Agents are also classed by size: agents with a
/// half extent above larger_than[c] come after all other agents.
template <std::size_t Dim>
struct CurveMap {
    static constexpr std::uint32_t kMostBits = Dim == 2 ? 15 : 10; ///< two more bits hold the class
    static constexpr std::size_t kClasses = 3;
    float origin[Dim];
    float inverse_cell;
    std::uint32_t bits;
    float larger_than[kClasses];
};

/// Writes the place of each agent on the curve. `half` may be null. Reads and writes kSlack
/// elements past the end.
template <std::size_t Dim>
void curve_keys(const CurveMap<Dim>& map, const float* const (&axis)[Dim], const float* const* half,
                std::size_t count, std::uint32_t* keys) noexcept;

/// Writes the covers of leaves first ... last - 1, counted as in memory, to `pages`.
template <std::size_t Dim>
void cover_leaves(const TreeView<Dim>& tree, std::uint32_t first, std::uint32_t last,
                  float* pages) noexcept;

/// Writes the covers of children first ... last - 1 of a level, 1 or higher, to `nodes`: on level 1
/// from the pages in the first `count` places, else from the `count` nodes of the level below.
template <std::size_t Dim>
void cover_nodes(const TreeView<Dim>& tree, std::uint32_t level, std::uint32_t first,
                 std::uint32_t last, std::uint32_t count, float* nodes) noexcept;

/// The same on one instruction set; each is compiled from tree_pack.kernel.cpp.
template <class Arch, std::size_t Dim>
void survey_on(Arch, Survey<Dim>& survey, const float* const (&axis)[Dim], const float* const* half,
               std::size_t count, float most) noexcept;
template <class Arch, std::size_t Dim>
void curve_keys_on(Arch, const CurveMap<Dim>& map, const float* const (&axis)[Dim],
                   const float* const* half, std::size_t count, std::uint32_t* keys) noexcept;
template <class Arch, std::size_t Dim>
void cover_leaves_on(Arch, const TreeView<Dim>& tree, std::uint32_t first, std::uint32_t last,
                     float* pages) noexcept;
template <class Arch, std::size_t Dim>
void cover_nodes_on(Arch, const TreeView<Dim>& tree, std::uint32_t level, std::uint32_t first,
                    std::uint32_t last, std::uint32_t count, float* nodes) noexcept;

} // namespace throng::simd
