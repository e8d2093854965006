// What questions need to know about a rank's agents beyond its grid. Internal to distributed/.
#pragma once

#include "../../engine/core/status.hpp"
#include "../../engine/crowd/store/part.hpp"
#include "../../engine/grid/grid_parts.hpp"
#include "../../engine/grid/row_grid.hpp"
#include "../../engine/memory/vector.hpp"
#include "../global_answers.hpp"
#include "../rank_bounds.hpp"
#include "../ranks.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// The names of all agents by local id. Every update copies them, since the user may change the
/// arrays of a share. Only questions need the rest: the rows of the owned agents, and the bounds of
/// all ranks.
template <std::size_t Dim>
class Census {
public:
    /// Makes room for the names of an update. Throws std::bad_alloc.
    void make_room(std::size_t agents) { names_.reserve(agents); }
    /// Takes the names after an update, those of owned agents first. There must be room.
    void renew(std::span<const GlobalId> names, std::size_t owned) noexcept;

    [[nodiscard]] std::size_t owned() const noexcept { return owned_; }
    [[nodiscard]] GlobalId name(Id id) const noexcept { return names_[id]; }
    /// The number of owned agents whose names are below this one.
    [[nodiscard]] Id below(GlobalId name) const noexcept;
    /// The owned agent of this name, or kNoId.
    [[nodiscard]] Id find(GlobalId name) const noexcept;
    /// For each of some adjacent ghosts that are in the order of names, the number of owned agents
    /// whose names are below its name. Has room for one more. Throws std::bad_alloc.
    [[nodiscard]] Vector<Id> below_each(std::size_t first, std::size_t past) const;
    /// The filter in the local ids of this rank's grid.
    [[nodiscard]] Filter local(const GlobalFilter& filter) const noexcept {
        return {filter.groups, find(filter.without)};
    }

    /// Whether look() and share() have been called since the latest update; all ranks agree on
    /// that.
    [[nodiscard]] bool is_current() const noexcept { return current_; }
    /// Finds the rows and the bounds of the owned agents. `whole` is the shape of the cells of all
    /// ranks. Throws std::bad_alloc.
    void look(const RowGrid<Dim>& grid, const GridShape<Dim>& whole, std::uint32_t ranks);
    /// Collective: tells all ranks the bounds. Fails only with Cause::rank_lost.
    Status share(Ranks& ranks, const Point<Dim>& largest_half_extent);

    /// The row of an owned agent, in the cells of all ranks.
    [[nodiscard]] std::uint32_t row(Id id) const noexcept { return rows_[id]; }
    [[nodiscard]] const RankBounds<Dim>& bounds() const noexcept { return bounds_; }

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept {
        return names_.capacity() * sizeof(GlobalId) + rows_.capacity() * sizeof(std::uint32_t) +
               words_.capacity() * sizeof(std::uint64_t) + bounds_.memory();
    }

private:
    Vector<GlobalId> names_;
    std::size_t owned_ = 0;
    bool current_ = false;
    Vector<std::uint32_t> rows_;
    RankBox<Dim> box_{};
    Vector<std::uint64_t> words_;
    RankBounds<Dim> bounds_;
};

/// Calls call(id, position) for each agent of a grid, in canonical order.
template <std::size_t Dim, class Call>
void for_each_place(const RowGrid<Dim>& grid, const Call& call) {
    Vector<Id> ids;
    Vector<Point<Dim>> places;
    for (std::size_t slice = 0; slice < grid.parts().slices(); ++slice) {
        const std::size_t count = grid.parts().agents_in(slice, slice + 1);
        ids.resize(count);
        places.resize(count);
        (void)grid.parts().order(slice, slice + 1, ids);
        (void)grid.parts().positions(slice, slice + 1, places);
        for (std::size_t i = 0; i < count; ++i) {
            call(ids[i], places[i]);
        }
    }
}

/// Calls call(index, name, position) for each agent of a part, giants last. `name` is the agent's
/// id in the part's Crowd.
template <std::size_t Dim, class Call>
void for_each_place(const CrowdPart<Dim>& part, const Call& call) {
    const std::array<NamedGrid<Dim>, 3> grids = part.crowd().grids();
    for_each_place(*grids[0].grid, [&](Id id, const Point<Dim>& place) { call(id, id, place); });
    for_each_place(*grids[1].grid, [&](Id giant, const Point<Dim>& place) {
        const Id name = grids[1].name_of(giant);
        call(part.index_of(name), name, place);
    });
}

extern template class Census<2>;
extern template class Census<3>;

} // namespace throng
