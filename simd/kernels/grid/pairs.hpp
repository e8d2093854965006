// The kernels that list or count the pairs of overlapping agents of a grid.
#pragma once

#include "../../isa/slack.hpp"
#include "../../views/body.hpp"
#include "../../views/grid_view.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// How far the pairs of a range of agents have been listed.
struct PairsAt {
    RowSlot first;       ///< agents before this one are done
    RowSlot second = {}; ///< partners of `first` before this one are done
};

/// Where pairs go: each array has room for `capacity` ids, and no array is written beyond that.
struct PairsOutput {
    std::uint32_t* first;
    std::uint32_t* second;
    std::uint64_t capacity;
    std::size_t used;
};

/// The disc of an agent that looks for partners in another grid.
template <std::size_t Dim>
struct PairDisc {
    float centre[Dim];
    float radius;
    std::uint32_t id;
};

/// Appends all pairs of overlapping agents, boxes or discs, in canonical order, whose first agent
/// in storage order lies from `at.first` on and before `end`. Agents outside `groups` are in no
/// pair. Returns true when all are listed; or false when it needs more room: then pass other arrays
/// for at least kSlack pairs and call again.
template <std::size_t Dim>
bool list_pairs(const GridView<Dim>& grid, std::uint32_t groups, Body body, PairsAt& at,
                RowSlot end, PairsOutput& out) noexcept;

/// How many pairs list_pairs() would list.
template <std::size_t Dim>
std::uint64_t count_pairs(const GridView<Dim>& grid, std::uint32_t groups, Body body,
                          const PairsAt& at, RowSlot end) noexcept;

/// Appends the pairs of a disc with the agents of a grid from `second` on. Returns as list_pairs()
/// does.
template <std::size_t Dim>
bool list_disc_pairs(const GridView<Dim>& others, std::uint32_t groups, const PairDisc<Dim>& disc,
                     RowSlot& second, PairsOutput& out) noexcept;
template <std::size_t Dim>
std::uint64_t count_disc_pairs(const GridView<Dim>& others, std::uint32_t groups,
                               const PairDisc<Dim>& disc, RowSlot second) noexcept;

/// The same on one instruction set; each is compiled from pairs.kernel.cpp.
template <class Arch, std::size_t Dim>
bool list_pairs_on(Arch, const GridView<Dim>& grid, std::uint32_t groups, Body body, PairsAt& at,
                   RowSlot end, PairsOutput& out) noexcept;
template <class Arch, std::size_t Dim>
std::uint64_t count_pairs_on(Arch, const GridView<Dim>& grid, std::uint32_t groups, Body body,
                             const PairsAt& at, RowSlot end) noexcept;
template <class Arch, std::size_t Dim>
bool list_disc_pairs_on(Arch, const GridView<Dim>& others, std::uint32_t groups,
                        const PairDisc<Dim>& disc, RowSlot& second, PairsOutput& out) noexcept;
template <class Arch, std::size_t Dim>
std::uint64_t count_disc_pairs_on(Arch, const GridView<Dim>& others, std::uint32_t groups,
                                  const PairDisc<Dim>& disc, RowSlot second) noexcept;

} // namespace throng::simd
