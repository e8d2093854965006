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
/// outlive it. Mind that Sets{} is no set at all.
template <std::size_t Dim>
struct Asked {
    const RowGrid<Dim>* grid = nullptr; ///< or null, and then a crowd
    const Crowd<Dim>* crowd = nullptr;
    Sets sets = Sets::all;

    Asked(const RowGrid<Dim>& of_agents) noexcept : grid(&of_agents) {}
    Asked(const Crowd<Dim>& of_all, Sets some = Sets::all) noexcept : crowd(&of_all), sets(some) {}
};

/// Whose agents ask, and what they ask: made implicitly from a grid or a crowd, whose agents ask
/// about each other, or from askers and others, at most kMostGrids grids each. All agents of a
/// crowd ask; the sets say what they ask about. Only points to the grids or the crowd.
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
    /// asker's own grid may be among the others; only there is the asker itself left out. Ids in
    /// answers are the grids' names, and with Order::ids an answer's index is its asker's name, so
    /// no two askers may have the same name. The number of answers is then the largest of these:
    /// id_bound() of each grid of askers whose ids are its names, and one more than the largest
    /// name in any other grid of askers. Refuses a grid with fewer names than ids. Of several
    /// agents equally near, those of the first grid come first, and within one grid the agent with
    /// the smallest id, whatever its name.
    Asking(std::span<const NamedGrid<Dim>> all_askers,
           std::span<const NamedGrid<Dim>> all_others) noexcept
        : askers(all_askers), others(all_others) {}
};

/// Whose pairs are wanted: made implicitly from a grid, or from a crowd with or without sets.
/// Without sets: all pairs of agents. Only points to the grid or crowd.
template <std::size_t Dim>
struct PairsOf {
    const RowGrid<Dim>* grid = nullptr; ///< or null, and then a crowd
    const Crowd<Dim>* crowd = nullptr;
    PairSets sets = PairSets::all;

    PairsOf(const RowGrid<Dim>& of_agents) noexcept : grid(&of_agents) {}
    PairsOf(const Crowd<Dim>& of_all, PairSets some = PairSets::agents) noexcept
        : crowd(&of_all), sets(some) {}
};

/// Where answers go: made implicitly from Hits, NearHits or Pairs, which grow, or from arrays of
/// the caller's, which do not.
template <class Growing, class Arrays, class First, class Second>
struct Output {
    Growing* growing = nullptr; ///< null if answers go to `arrays`
    Arrays arrays{};

    Output(Growing& answers) noexcept : growing(&answers) {}
    Output(const Arrays& answers) noexcept : arrays(answers) {}
    /// As in `batch.query(crowd, balls, {offsets, ids})`.
    Output(std::span<First> first, std::span<Second> second) noexcept : arrays{first, second} {}
};
/// Where lists of ids go.
using HitsOutput = Output<Hits, HitsBuffer, std::uint64_t, Id>;
/// Where the nearest agents go.
using NearOutput = Output<NearHits, NearBuffer, Near, std::uint32_t>;
/// Where pairs go.
using PairsOutput = Output<Pairs, PairsBuffer, Id, Id>;

} // namespace throng
