// What the calls of a batch are about, and where their answers go.
#pragma once

#include "../../engine/agents/found.hpp"
#include "../../engine/agents/nearest.hpp"
#include "../../engine/core/id.hpp"
#include "../../engine/crowd/crowd.hpp"
#include "../../engine/crowd/sets.hpp"
#include "../../engine/grid/named_grid.hpp"
#include "../../engine/grid/row_grid.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// What a call asks: made implicitly from a grid, or from a crowd with or without sets, as in
/// `batch.query({crowd, Sets::agents}, balls, hits)`. Only points to the grid or crowd, which must
/// outlive it. Sets{} means no sets at all, not all sets.
template <std::size_t Dim>
struct Asked {
    const RowGrid<Dim>* grid = nullptr; ///< or null, and then a crowd
    const Crowd<Dim>* crowd = nullptr;
    Sets sets = Sets::all;

    Asked(const RowGrid<Dim>& of_agents) noexcept : grid(&of_agents) {}
    Asked(const Crowd<Dim>& of_all, Sets some = Sets::all) noexcept : crowd(&of_all), sets(some) {}
};

/// The agents that ask, and those that they ask about. Made implicitly from a grid or a crowd,
/// whose agents ask about each other, or from two lists of at most kMostGrids grids: askers and
/// others. All agents of a crowd ask; the sets say what they ask about. Only points to grids and
/// crowd.
template <std::size_t Dim>
struct Asking {
    std::span<const NamedGrid<Dim>> askers, others; ///< used if grid and crowd are null
    const RowGrid<Dim>* grid = nullptr;
    const Crowd<Dim>* crowd = nullptr;
    Sets sets = Sets::all;

    Asking(const Asked<Dim>& all) noexcept : grid(all.grid), crowd(all.crowd), sets(all.sets) {}
    Asking(const RowGrid<Dim>& all) noexcept : grid(&all) {}
    Asking(const Crowd<Dim>& all, Sets about = Sets::all) noexcept : crowd(&all), sets(about) {}
    /// Every agent of the askers asks, one grid after another, which agents of the others are near.
    /// An answer has the agents of the first grid first, and each grid's in canonical order. An
    /// asker's own grid may be among the others; only in this grid is the asker itself left out.
    /// Ids in answers are the grids' names, and with Order::ids an answer's index is its asker's
    /// name, so no two askers may have the same name. The number of answers is then the largest of
    /// these: id_bound() of each grid of askers whose ids are its names, and one more than the
    /// largest name in any other grid of askers. Refuses a grid with fewer names than ids. Among
    /// equally near agents, those of the first grid come first, and within one grid the agent with
    /// the smallest id, whatever its name.
    Asking(std::span<const NamedGrid<Dim>> all_askers,
           std::span<const NamedGrid<Dim>> all_others) noexcept
        : askers(all_askers), others(all_others) {}
};

/// The agents whose pairs are wanted: made implicitly from a grid, from two grids, or from a crowd
/// with or without sets. Only points to the grids or the crowd.
template <std::size_t Dim>
struct PairsOf {
    const RowGrid<Dim>* grid = nullptr;   ///< or null, and then a crowd
    const RowGrid<Dim>* others = nullptr; ///< where pairs of two grids are wanted
    const Crowd<Dim>* crowd = nullptr;
    PairSets sets = PairSets::all;

    PairsOf(const RowGrid<Dim>& of_agents) noexcept : grid(&of_agents) {}
    /// Each pair has an agent of the first grid, then an agent of the second.
    PairsOf(const RowGrid<Dim>& of_agents, const RowGrid<Dim>& and_others) noexcept
        : grid(&of_agents), others(&and_others) {}
    /// Without sets: all pairs of agents.
    PairsOf(const Crowd<Dim>& of_all, PairSets some = PairSets::agents) noexcept
        : crowd(&of_all), sets(some) {}
};

/// Where answers go: made implicitly from Hits, NearHits or Pairs, which grow; or from two arrays
/// of the caller's, which do not, as in `batch.query(crowd, balls, {offsets, ids})`.
template <class Growing, class First, class Second>
struct Output {
    Growing* growing = nullptr; ///< or null, and then the arrays
    std::span<First> first;
    std::span<Second> second;

    Output() = default; ///< arrays without room: pairs are only counted, other answers refused
    Output(Growing& answers) noexcept : growing(&answers) {}
    Output(std::span<First> to_first, std::span<Second> to_second) noexcept
        : first(to_first), second(to_second) {}
};
/// Where lists of ids go: Hits, or offsets and ids. `offsets` must have one entry more than there
/// are questions (none if there are no questions). It is always right, even if `ids` is too short;
/// `ids` then holds the first ids, as many as fit. Up to 16 entries of `ids` behind the answers may
/// be overwritten; nothing outside the two arrays is.
using HitsOutput = Output<Hits, std::uint64_t, Id>;
/// Where the nearest agents go: NearHits, or k entries and a count for each question.
using NearOutput = Output<NearHits, Near, std::uint32_t>;
/// Where pairs go: Pairs, or an array of firsts and one of seconds. Arrays that are too short hold
/// the first pairs, as many as fit the shorter one. Entries behind the pairs may be overwritten;
/// nothing outside the two arrays is.
using PairsOutput = Output<Pairs, Id, Id>;

} // namespace throng
