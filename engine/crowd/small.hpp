// The small agents of a crowd, one by one. Internal to the engine.
#pragma once

#include "../grid/state.hpp"
#include "../grid/storage_range.hpp"
#include "state.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace throng {

/// One of them.
template <std::size_t Dim>
struct SmallAgent {
    Id id;
    Point<Dim> position, half_extent;
    std::uint32_t groups; ///< all of them in a crowd without masks

    [[nodiscard]] bool is_in(std::uint32_t wanted) const noexcept {
        return wanted == kAllGroups || (groups & wanted) != 0;
    }
};

template <std::size_t Dim>
template <class Visit>
void Crowd<Dim>::State::for_each_small(std::size_t begin, std::size_t past, Visit&& visit) const {
    using Fields = simd::Fields<Dim>;
    const auto& inside = *grid.state_;
    const RowStore<Dim>& store = inside.store;
    const CrowdKind<Dim>& stored = store.kind();
    const Stretch<Dim> stretch(inside.slices, begin, past);
    stretch.for_each_row(store, [&](std::uint32_t r, std::uint32_t first, std::uint32_t end) {
        const simd::Row& row = store.rows()[r];
        std::array<const std::uint32_t*, 2 * Dim + 2> field{};
        for (std::size_t f = 0; f < store.fields(); ++f) {
            field[f] = store.field(row, f);
        }
        const auto number = [&](std::size_t f, std::uint32_t slot) {
            return std::bit_cast<float>(field[f][slot]);
        };
        for (std::uint32_t slot = first; slot < end; ++slot) {
            SmallAgent<Dim> agent{
                field[Fields::kId][slot], {}, stored.common_half_extent, kAllGroups};
            for (std::size_t a = 0; a < Dim; ++a) {
                agent.position[a] = number(Fields::kPosition + a, slot);
                if (stored.own_half_extents) {
                    agent.half_extent[a] = number(Fields::kHalfExtent + a, slot);
                }
            }
            if (stored.groups) {
                agent.groups = field[Fields::groups(stored.own_half_extents)][slot];
            }
            visit(agent);
        }
    });
}

} // namespace throng
