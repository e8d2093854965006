// Identifies the content of a crowd or a grid: which agents it has, and where. Internal to the
// engine.
#pragma once

#include "../../core/access.hpp"
#include "../../grid/store/state.hpp"
#include "state.hpp"

#include <cstddef>

namespace throng {

/// The identity of what a crowd or a grid holds: no other content has the same.
struct Content {
    Edition grid{}, giants{}, statics{};

    Content() = default;
    template <std::size_t Dim>
    explicit Content(const RowGrid<Dim>& of_grid) noexcept
        : grid(detail::state_of(of_grid).edition) {}
    template <std::size_t Dim>
    explicit Content(const Crowd<Dim>& crowd) noexcept {
        const auto& state = detail::state_of(crowd);
        grid = detail::state_of(state.grid).edition;
        giants = detail::state_of(state.giants.centre_grid()).edition;
        statics = detail::state_of(state.statics->centre_grid()).edition;
    }
    friend bool operator==(const Content&, const Content&) noexcept = default;
};

} // namespace throng
