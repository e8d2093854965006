// What a Crowd is made of. Internal to the engine.
#pragma once

#include "crowd.hpp"
#include "large_set.hpp"
#include "phase.hpp"
#include "size_split.hpp"

#include <memory>
#include <type_traits>

namespace throng {

template <std::size_t Dim>
struct Crowd<Dim>::State {
    using Giants = LargeSet<Dim, LooseTree<Dim>>;
    using Statics = LargeSet<Dim, StaticTree<Dim>>;

    CrowdSettings<Dim> settings;
    CrowdKind<Dim> kind;
    RowGrid<Dim> grid;
    Giants giants;
    Giants spare; ///< where the next giants are made, while these still count
    std::shared_ptr<const Statics> statics = std::make_shared<const Statics>();
    SizeSplit<Dim> split;
    bool configured = false;
    [[no_unique_address]] Phase phase;

    /// Whether an agent that comes alone goes to the grid.
    [[nodiscard]] bool fits_grid(const Agent<Dim>& agent) const noexcept;

    /// Calls ask(set) for giants and statics, as far as they are wanted and there are any, until it
    /// returns false.
    template <class Ask>
    bool for_each_large(Sets sets, Ask&& ask) const {
        if (has(sets, Sets::giants) && giants.size() != 0 && !ask(giants)) { return false; }
        return !has(sets, Sets::statics) || statics->size() == 0 || ask(*statics);
    }

    /// Whether the grid's answer is the whole answer.
    [[nodiscard]] bool only_grid(Sets sets) const noexcept {
        return has(sets, Sets::small) && (!has(sets, Sets::giants) || giants.size() == 0) &&
               (!has(sets, Sets::statics) || statics->size() == 0);
    }

    /// Calls visit(SmallAgent) for the agents of slices begin ... past - 1 of the grid, in
    /// canonical order. In crowd_small.hpp.
    template <class Visit>
    void for_each_small(std::size_t begin, std::size_t past, Visit&& visit) const;

    [[nodiscard]] std::size_t size() const noexcept { return grid.size() + giants.size(); }
    [[nodiscard]] bool has_agent(Id id) const noexcept {
        return grid.contains(id) || giants.contains(id);
    }

    /// Cells over the world, and nobody in them. Nothing has changed where it fails.
    Status lay_out(const GridShape<Dim>& shape, const CrowdKind<Dim>& of_agents);

    /// Of a crowd that goes, or becomes another: nobody may be in it.
    static void expect_nobody(const std::unique_ptr<State>& state) noexcept {
        if (state != nullptr) { const Phase::Changing going(state->phase); }
    }
};

/// The box over which a grid has its cells.
template <std::size_t Dim>
[[nodiscard]] Box<Dim> world_of(const GridShape<Dim>& shape) noexcept {
    Box<Dim> world;
    for (std::size_t a = 0; a < Dim; ++a) {
        world.lo[a] = shape.origin[a];
        const float side = static_cast<float>(shape.cells[a]) / shape.inverse_cell[a];
        world.hi[a] = std::min(shape.origin[a] + side, kLargest);
    }
    return world;
}

} // namespace throng
