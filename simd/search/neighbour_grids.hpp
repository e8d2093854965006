// The grids in which the agents of a range look for neighbours: their own, or several. For
// *.kernel.cpp files and fused/ only.
#pragma once

#include "../views/neighbour_query.hpp"
#include "agent_window.hpp"
#include "body_distance.hpp"

namespace throng::simd {

/// For agents that look in their own grid only: a class of its own, so that this case needs no
/// tests at run time. With `bodies` the query's body is a box or a disc, else the centre.
template <class Arch, std::size_t Dim, bool filtered, bool bodies>
class OwnGrid {
public:
    using Query = NeighbourQuery;
    static constexpr std::size_t kMost = 1;
    static constexpr bool kNamed = false;
    static constexpr bool kBodies = bodies;
    static constexpr bool kFiltered = filtered; ///< whether masks are tested
    static constexpr bool kMayFilter = bodies;  ///< masks are tested unless groups() is all ones
    static constexpr bool kMayCopy = false;     ///< whether agents look from copies, too

    [[gnu::always_inline]] OwnGrid(const GridView<Dim>& grid, const NeighbourQuery& query) noexcept
        : grid_(grid), query_(query) {
        float reach[Dim];
        reach_of<Arch>(reach, query.radius, bodies ? query.body : Body::centre,
                       grid.max_half_extent, grid.max_half_extent);
        look_ = AgentWindow<Arch, Dim>(grid, reach);
    }

    [[gnu::always_inline]] static constexpr std::size_t count() noexcept { return 1; }
    [[gnu::always_inline]] const GridView<Dim>& view(std::size_t) const noexcept { return grid_; }
    [[gnu::always_inline]] const AgentWindow<Arch, Dim>& look(std::size_t) const noexcept {
        return look_;
    }
    [[gnu::always_inline]] static constexpr bool is_own(std::size_t) noexcept { return true; }
    [[gnu::always_inline]] std::uint32_t groups(std::size_t) const noexcept {
        return !bodies || grid_.groups ? query_.groups : ~0u;
    }
    /// Half extents by id, of the agents that look and of a grid's agents; null: the grid has them.
    [[gnu::always_inline]] static constexpr const float* own_extents_by_id(std::size_t) noexcept {
        return nullptr;
    }
    [[gnu::always_inline]] static constexpr const float* extents_by_id(std::size_t,
                                                                       std::size_t) noexcept {
        return nullptr;
    }
    /// The largest half extents of the agents that look, and of a grid's agents.
    [[gnu::always_inline]] const float (&own_largest() const noexcept)[Dim] {
        return grid_.max_half_extent;
    }
    [[gnu::always_inline]] const float (&largest(std::size_t) const noexcept)[Dim] {
        return grid_.max_half_extent;
    }

    /// The cells that the first `count` lanes look at in a grid.
    [[gnu::always_inline]] void find(std::size_t, PacketWindow<Dim>& window,
                                     const Floats<Arch> (&position)[Dim],
                                     std::uint32_t count) const noexcept {
        look_.find(window, position, count);
        if (query_.groups == 0) { window.cells[Dim - 1] = CellRange::none(); }
    }

private:
    const GridView<Dim>& grid_;
    const NeighbourQuery& query_;
    AgentWindow<Arch, Dim> look_;
};

/// For agents that look in several grids, which may differ in everything: cells, masks, names. With
/// `copies` they look from the query's copies, too.
template <class Arch, std::size_t Dim, bool bodies, bool copies>
class ManyGrids {
public:
    using Query = NeighbourQueryAcross<Dim>;
    static constexpr std::size_t kMost = Query::kMostGrids;
    static constexpr bool kNamed = true;
    static constexpr bool kBodies = bodies;
    static constexpr bool kFiltered = true;
    static constexpr bool kMayFilter = true;
    static constexpr bool kMayCopy = copies;

    [[gnu::always_inline]] ManyGrids(const GridView<Dim>&, const Query& query) noexcept
        : query_(query) {
        for (std::size_t g = 0; g < count(); ++g) {
            float reach[Dim];
            reach_of<Arch>(reach, query.radius, bodies ? query.body : Body::centre, own_largest(),
                           largest(g));
            looks_[g] = AgentWindow<Arch, Dim>(view(g), reach);
        }
    }

    [[gnu::always_inline]] std::size_t count() const noexcept { return query_.count; }
    [[gnu::always_inline]] const GridView<Dim>& view(std::size_t g) const noexcept {
        return *query_.grids[g].view;
    }
    [[gnu::always_inline]] const AgentWindow<Arch, Dim>& look(std::size_t g) const noexcept {
        return looks_[g];
    }
    [[gnu::always_inline]] bool is_own(std::size_t g) const noexcept { return query_.grids[g].own; }
    [[gnu::always_inline]] std::uint32_t groups(std::size_t g) const noexcept {
        return query_.grids[g].groups;
    }
    [[gnu::always_inline]] const std::uint32_t* names(std::size_t g) const noexcept {
        return query_.grids[g].names;
    }
    [[gnu::always_inline]] const float* own_extents_by_id(std::size_t a) const noexcept {
        return query_.half_extents.by_id[a];
    }
    [[gnu::always_inline]] const float* extents_by_id(std::size_t g, std::size_t a) const noexcept {
        return query_.grids[g].half_extents.by_id[a];
    }
    [[gnu::always_inline]] const float (&own_largest() const noexcept)[Dim] {
        return query_.half_extents.largest;
    }
    [[gnu::always_inline]] const float (&largest(std::size_t g) const noexcept)[Dim] {
        return query_.grids[g].half_extents.largest;
    }

    [[gnu::always_inline]] void find(std::size_t g, PacketWindow<Dim>& window,
                                     const Floats<Arch> (&position)[Dim],
                                     std::uint32_t count) const noexcept {
        looks_[g].find(window, position, count);
    }

private:
    const Query& query_;
    AgentWindow<Arch, Dim> looks_[kMost];
};

} // namespace throng::simd
