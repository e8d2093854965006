// The right results of kernels: plain loops over all agents, in canonical order.
#pragma once

#include "../support/oracle.hpp"
#include "../support/scenes.hpp"

#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/shapes/ball.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace throng::test {

/// A scene's agents, and their neighbours.
template <std::size_t Dim>
class Reference {
public:
    /// One neighbour of one agent.
    struct Meeting {
        Id id, other;
        std::array<float, Dim> offset;
        float distance2;
    };

    Reference(const scenes::Scene<Dim>& scene, const GridShape<Dim>& shape)
        : positions_(scene.positions()), groups_(scene.groups),
          order_(oracle::CanonicalOrder<Dim>(shape, positions_).ids()), place_of_(order_.size()) {
        for (std::size_t place = 0; place < order_.size(); ++place) {
            place_of_[order_[place]] = static_cast<std::uint32_t>(place);
        }
    }

    [[nodiscard]] const std::vector<Id>& order() const noexcept { return order_; }
    [[nodiscard]] std::uint32_t place_of(Id id) const noexcept { return place_of_[id]; }

    /// Calls begin(id), meet(meeting) for all neighbours, and end(id), for every agent.
    template <class Begin, class Meet, class End>
    void for_each(const Neighbourhood& asked, const Begin& begin, const Meet& meet,
                  const End& end) const {
        for (const Id id : order_) {
            begin(id);
            const Ball<Dim> ball{positions_[id], asked.radius};
            for (const Id other : order_) {
                if (!contains(ball, positions_[other]) || (other == id && !asked.with_self) ||
                    !is_in(other, asked.groups)) {
                    continue;
                }
                Meeting meeting{id, other, {}, 0.0f};
                for (std::size_t a = 0; a < Dim; ++a) {
                    meeting.offset[a] = positions_[other][a] - positions_[id][a];
                    const float square = meeting.offset[a] * meeting.offset[a];
                    meeting.distance2 = a == 0 ? square : meeting.distance2 + square;
                }
                meet(meeting);
            }
            end(id);
        }
    }

private:
    [[nodiscard]] bool is_in(Id id, std::uint32_t groups) const noexcept {
        if (groups_.empty()) { return groups != 0; }
        return groups == kAllGroups || (groups_[id] & groups) != 0;
    }

    std::vector<Point<Dim>> positions_;
    std::vector<std::uint32_t> groups_;
    std::vector<Id> order_;
    std::vector<std::uint32_t> place_of_;
};

} // namespace throng::test
