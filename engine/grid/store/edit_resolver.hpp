// Reduces a list of edits to one change for each agent. Internal to the engine.
#pragma once

#include "../../agents/edit.hpp"
#include "../../core/status.hpp"
#include "../../memory/vector.hpp"
#include "../rows/row_store.hpp"
#include "edit_staging.hpp"
#include "grid_edits.hpp"
#include "state.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// Ok, or why an edit is refused, where `is_there` says whether its agent is in the grid. The
/// argument is not yet Argument::edits.
template <std::size_t Dim>
[[nodiscard]] Status check_edit(const Edit<Dim>& edit, const CrowdKind<Dim>& kind,
                                bool is_there) noexcept;

/// Reads edits in their order, as if each were carried out before the next, and notes one change
/// for each agent that they name. Changes nothing but the staging.
template <std::size_t Dim>
class EditResolver {
public:
    /// `agents` is how many there are in `store`; `most_in_row` is for tests.
    EditResolver(const RowStore<Dim>& store, const RowOfId& row_of, std::size_t agents,
                 EditStaging& staging, std::uint32_t most_in_row = kMaxAgentsInRow) noexcept
        : store_(store), row_of_(row_of), agents_(agents), staging_(staging),
          most_in_row_(most_in_row) {}

    /// Fills staging.ids and staging.changes; the status names the first edit that is refused.
    /// Throws std::bad_alloc.
    Status resolve(const GridEdits<Dim>& edits);

    /// The largest half extent that was inserted, on each axis; zero if agents have no extents of
    /// their own.
    [[nodiscard]] const Point<Dim>& max_half_extent() const noexcept { return max_half_extent_; }
    /// The box of all positions that the edits gave, also of agents that a later edit moved or
    /// erased again; inverted if there were none.
    [[nodiscard]] const Box<Dim>& places() const noexcept { return places_; }

private:
    void prefetch(Id id) const noexcept;
    Status make(const Edit<Dim>& edit, std::size_t index);

    [[nodiscard]] AgentChange& change_of(Id id);
    [[nodiscard]] bool is_full(std::uint32_t row) const noexcept;
    void go(AgentChange& change, std::uint32_t to) noexcept;

    const RowStore<Dim>& store_;
    const RowOfId& row_of_;
    std::size_t agents_;
    EditStaging& staging_;
    std::uint32_t most_in_row_;
    Point<Dim> max_half_extent_{};
    Box<Dim> places_ = GridState<Dim>::nowhere();
    Vector<std::int64_t> gain_of_row_; // empty while no row can overflow
};

extern template class EditResolver<2>;
extern template class EditResolver<3>;

} // namespace throng
