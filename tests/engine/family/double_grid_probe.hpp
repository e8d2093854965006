// What double grids keep inside, for tests to read and spoil.
#pragma once

#include "../../../engine/family/double_grid/state.hpp"

#include <throng/engine/family/double_grid/double_grid.hpp>

#include <cstddef>

namespace throng {

template <std::size_t Dim>
struct DoubleGridProbe {
    using State = detail::StateOf<DoubleGrid<Dim>>;
    static State& state(DoubleGrid<Dim>& grid) { return detail::state_of(grid); }
};

struct TightGridProbe {
    template <std::size_t Dim>
    static auto& heads(CoarseGrid<Dim>& tight) {
        return tight.heads_;
    }
    template <std::size_t Dim>
    static auto& links(CoarseGrid<Dim>& tight) {
        return tight.links_;
    }
    template <std::size_t Dim>
    static HierarchicalBitset& listed(CoarseGrid<Dim>& tight) {
        return tight.listed_;
    }
};

} // namespace throng
