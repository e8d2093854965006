// Distances between the bodies of two agents, for searches of the nearest. For *.kernel.cpp files
// only.
#pragma once

#include "../../shapes/body_ball_lanes.hpp"
#include "nearest.hpp"

namespace throng::simd {

/// The body of an agent, enlarged by the body that asks: the distance between two bodies is the
/// distance from the centre of one to a body with the sum of their half extents, rounded once.
template <class Arch, std::size_t Dim>
struct FacingBody : BodyLanes<Arch, Dim, Extents::either> {
    using One = BodyLanes<Arch, Dim, Extents::either>;
    Floats<Arch> asker[Dim];
    const AskingBodies<Dim>* queries = nullptr;
    bool alike = false; ///< whether all agents of the grid have the same extents

    FacingBody() = default;
    [[gnu::always_inline]] FacingBody(const GridView<Dim>& grid, const AskingBodies<Dim>& all,
                                      std::size_t q) noexcept
        : One(grid, all, q), queries(&all),
          alike(!grid.own_extents && all.agents.by_id[0] == nullptr) {
        for (std::size_t a = 0; a < Dim; ++a) {
            asker[a] = Floats<Arch>(all.own[a][q]);
            this->half[a] = Floats<Arch>((all.agents.largest[a] + all.own[a][q]) * this->box);
        }
        this->radius = Floats<Arch>(all.agents.largest[0] + all.own[0][q]);
    }

    [[gnu::always_inline]] Floats<Arch> half_at(const NodeArrays& row, std::uint32_t i,
                                                std::size_t a) const noexcept {
        if (alike) { return this->half[a]; }
        return (of_agents(row, i, a) + asker[a]) * this->box_lanes;
    }
    [[gnu::always_inline]] Floats<Arch> radius_at(const NodeArrays& row,
                                                  std::uint32_t i) const noexcept {
        return alike ? this->radius : of_agents(row, i, 0) + asker[0];
    }

private:
    /// The half extents that the grid keeps, or that are kept for it by id.
    [[gnu::always_inline]] Floats<Arch> of_agents(const NodeArrays& row, std::uint32_t i,
                                                  std::size_t a) const noexcept {
        if (this->own) { return floats_at<Arch>(row, Fields<Dim>::kHalfExtent + a, i); }
        std::uint32_t id[kLanes<Arch>];
        words_at<Arch>(row, Fields<Dim>::kId, i).store_unaligned(id);
        float lane[kLanes<Arch>];
        for (std::uint32_t n = 0; n < kLanes<Arch>; ++n) {
            // Behind the last agent of a row an id may be any number.
            lane[n] = id[n] < queries->ids ? queries->agents.by_id[a][id[n]] : 0.0f;
        }
        return Floats<Arch>::load_unaligned(lane);
    }
};

} // namespace throng::simd
