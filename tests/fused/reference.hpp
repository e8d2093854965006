// The results that kernels must have: the oracle's neighbours, in canonical order.
#pragma once

#include "../support/canonical_order.hpp"
#include "../support/scenes/scenes.hpp"
#include "../support/truth.hpp"

#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/agents/nearest.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::test {

/// A scene's agents, and their neighbours.
template <std::size_t Dim>
class Reference {
public:
    /// One neighbour of one agent.
    struct Neighbour : Apart<Dim> {
        Id id, other;
    };

    Reference(scenes::Scene<Dim> scene, const GridShape<Dim>& shape) {
        EXPECT_EQ(truth_.update(scene.agents()), Status{});
        order_ = truth_.order(shape);
    }

    [[nodiscard]] const Ids& order() const noexcept { return order_.ids(); }
    [[nodiscard]] std::uint32_t index_of(Id id) const noexcept { return order_.rank(id); }

    /// Calls begin(id), visit(neighbour) for all neighbours, and end(id), for every agent.
    template <class Begin, class Visit, class End>
    void for_each(const Neighbourhood& asked, const Begin& begin, const Visit& visit,
                  const End& end) const {
        const std::vector<Ids> neighbours = truth_.neighbours(asked);
        for (const Id id : order_.ids()) {
            begin(id);
            const Ids found = order_.sorted(neighbours[id]);
            for (const Id other : asked.later_only ? order_.from(id, found) : found) {
                Neighbour neighbour{Apart<Dim>(truth_[id].position, truth_[other].position), id,
                                    other};
                if (asked.body != Body::centre) {
                    Point<Dim> offset, sum;
                    for (std::size_t a = 0; a < Dim; ++a) {
                        offset[a] = neighbour.offset[a];
                        sum[a] = truth_[id].half_extent[a] + truth_[other].half_extent[a];
                    }
                    neighbour.distance2 = body_distance2(asked.body, offset, sum);
                }
                visit(neighbour);
            }
            end(id);
        }
    }

private:
    Truth<Dim> truth_;
    CanonicalOrder order_;
};

} // namespace throng::test
