// Calls that search several grids together. Internal to the engine and to parallel/.
#pragma once

#include "../../../simd/views/neighbour_query.hpp"
#include "../../agents/buffers.hpp"
#include "../../agents/found.hpp"
#include "../../agents/nearest.hpp"
#include "../../agents/validation.hpp"
#include "../../answers/nearest_from.hpp"
#include "../../core/status.hpp"
#include "../named_grid.hpp"
#include "../store/state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// Ok, or the reason for a refusal: too many grids, or a grid with fewer names than ids, with half
/// extents on some axes only, or with an invalid largest half extent.
template <std::size_t Dim>
[[nodiscard]] Status check_names(std::span<const NamedGrid<Dim>> grids,
                                 Argument argument) noexcept {
    if (grids.size() > kMostGrids) { return {Cause::too_many, argument, kMostGrids}; }
    for (std::size_t g = 0; g < grids.size(); ++g) {
        if (!grids[g].names.empty() && grids[g].names.size() < grids[g].grid->id_bound()) {
            return {Cause::count_mismatch, argument, g};
        }
        const auto& own = grids[g].half_extents;
        const bool has_own = own[0] != nullptr;
        for (const float* axis : own) {
            if ((axis != nullptr) != has_own) { return {Cause::null_pointer, argument, g}; }
        }
        if (has_own && !check_half_extent(grids[g].largest).ok()) {
            return {Cause::out_of_range, argument, g};
        }
    }
    return {};
}

/// The half extents of a grid's agents, as kernels take them.
template <std::size_t Dim>
[[nodiscard]] simd::HalfExtents<Dim> half_extents_of(const NamedGrid<Dim>& named) noexcept {
    const bool by_id = named.half_extents[0] != nullptr;
    const Point<Dim>& largest =
        by_id ? named.largest : detail::state_of(*named.grid).max_half_extent;
    simd::HalfExtents<Dim> extents;
    std::copy_n(named.half_extents.data(), Dim, extents.by_id);
    std::copy_n(largest.axis.data(), Dim, extents.largest);
    return extents;
}

/// The kernels' query for the neighbours of the agents of `askers` in those grids of `others` for
/// which wants(other) holds. Also leaves out empty grids, which may not even have cells. Names must
/// have been checked.
template <std::size_t Dim, class Wants>
[[nodiscard]] simd::NeighbourQueryAcross<Dim>
query_across(const NamedGrid<Dim>& askers, std::span<const NamedGrid<Dim>> others,
             const Neighbourhood& neighbourhood, const Wants& wants) noexcept {
    static_assert(kMostGrids == simd::NeighbourQueryAcross<Dim>::kMostGrids);
    const auto names_of = [](const NamedGrid<Dim>& named) {
        return !named.names.empty() ? named.names.data() : nullptr;
    };
    simd::NeighbourQueryAcross<Dim> query{neighbourhood.radius,
                                          neighbourhood.with_self,
                                          neighbourhood.later_only,
                                          names_of(askers),
                                          0,
                                          {},
                                          neighbourhood.body,
                                          half_extents_of(askers)};
    for (const NamedGrid<Dim>& other : others) {
        const auto& inside = detail::state_of(*other.grid);
        if (inside.count == 0 || neighbourhood.groups == 0 || !wants(other)) { continue; }
        query.grids[query.count++] = {
            &inside.kernel_view().grid, inside.store.groups_to_compare(neighbourhood.groups),
            other.grid == askers.grid, names_of(other), half_extents_of(other)};
    }
    return query;
}

/// Lists or counts, for some agents, the bodies near their own: grid after grid, in the query's
/// order. The query's body must not be Body::centre, and agents of its grids must not change.
template <std::size_t Dim>
struct BodyNeighbours {
    const simd::GridView<Dim>& askers;
    const simd::NeighbourQueryAcross<Dim>& query;
    simd::RowSlot at, end; ///< the slots of the agents that ask
    std::size_t agents;    ///< the number of these agents

    /// Writes lists of names from out.used on, as many names as fit, and all offsets. Returns how
    /// many neighbours there are.
    [[nodiscard]] std::uint64_t list(const HitsBuffer& out) const noexcept;
    /// Writes one count for each agent, for which there must be room.
    [[nodiscard]] std::uint64_t count(std::span<std::uint32_t> counts) const noexcept;
};

extern template struct BodyNeighbours<2>;
extern template struct BodyNeighbours<3>;

/// Finds the agents of `others` whose bodies are nearest to given bodies. Answers have ids, not
/// names. Names must have been checked.
template <std::size_t Dim>
struct NearestBodies {
    const NamedGrid<Dim>& others;

    /// Finds the bodies nearest to the agents of slices begin ... end - 1 of `askers`, which may be
    /// the same grid. Answers as GridParts::nearest_neighbours() does; the body must not be
    /// Body::centre.
    [[nodiscard]] Found of_slices(const NamedGrid<Dim>& askers, const NearestNeighbours& nearest,
                                  std::size_t begin, std::size_t end,
                                  std::span<std::uint32_t> scratch, const NearBuffer& out) const;
    /// Finds the bodies nearest to one body, as RowGrid::nearest(). The question must have been
    /// checked.
    [[nodiscard]] Found of_one(const NearestFrom<Dim>& from, const Nearest& nearest,
                               std::span<Near> out, const Filter& filter) const;
};

extern template struct NearestBodies<2>;
extern template struct NearestBodies<3>;

} // namespace throng
