// A scene whose agents are in three grids with different settings, and the answers of plain loops.
#pragma once

#include "../canonical_order.hpp"
#include "../ids.hpp"
#include "../random.hpp"
#include "../truth.hpp"
#include "scenes.hpp"

#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/grid/named_grid.hpp>
#include <throng/engine/shapes/ball.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::test {

/// One grid has most agents, the other two are small beside it. Agents have names with gaps: in one
/// grid these are the ids, in two a table gives them. The last grid has no masks, and each of its
/// agents is where another agent is. Half extents are kept in the first grid, common to all agents
/// of the second, and outside the grid for the third.
template <std::size_t Dim>
class SplitCrowd {
public:
    static constexpr std::size_t kParts = 3;

    /// One grid and its agents, in the order in which they were given.
    struct Part {
        RowGrid<Dim> grid;
        Ids names;
        std::vector<Point<Dim>> positions;
        std::array<std::vector<float>, Dim> half; // by place in the part
        Truth<Dim> truth;                         // named by place
        CanonicalOrder order;
        bool renames = false;
        bool beside = false; // half extents are outside the grid

        [[nodiscard]] NamedGrid<Dim> named() const {
            NamedGrid<Dim> named = renames ? NamedGrid<Dim>(grid, names) : NamedGrid<Dim>(grid);
            if (!beside) { return named; }
            for (std::size_t a = 0; a < Dim; ++a) {
                named.half_extents[a] = half[a].data();
                for (const float h : half[a]) {
                    named.largest[a] = std::max(named.largest[a], h);
                }
            }
            return named;
        }
    };

    /// One neighbour of one agent.
    struct Neighbour : Apart<Dim> {
        Id id, other;     // by name
        std::size_t grid; // its index among `others`
        Id place;         // the other agent's place in that grid
    };

    /// The grids have shapes[s] and the next ones, cyclically.
    SplitCrowd(const scenes::Scene<Dim>& scene, const std::vector<GridShape<Dim>>& shapes,
               std::size_t s)
        : size_(scene.size()) {
        for (Id id = 0; id < size_; ++id) {
            const std::size_t p = id % 13 == 3 ? 1 : id % 11 == 2 ? 2 : 0;
            Part& part = parts_[p];
            part.names.push_back(id);
            // An agent of the last grid is where another of its grid is, or one of another grid, by
            // turns.
            const Id where = p == 2 ? id - 1 - id % 2 : id;
            part.positions.push_back(scene.position_of(where));
            const bool has_mask = p != 2 && !scene.groups.empty();
            Point<Dim> half;
            for (std::size_t a = 0; a < Dim; ++a) {
                half[a] = p == 1 ? common_half(a) : 0.125f * static_cast<float>((id + 3 * a) % 11);
                part.half[a].push_back(half[a]);
            }
            part.truth.put({static_cast<Id>(part.truth.size()), part.positions.back(), half,
                            has_mask ? scene.groups[id] : kAllGroups});
        }
        scenes::Random random(s);
        for (std::size_t p = 0; p < kParts; ++p) {
            Part& part = parts_[p];
            part.renames = p != 0;
            part.beside = p == 2;
            for (std::size_t i = part.names.size(); part.renames && i > 1; --i) {
                std::swap(part.names[i - 1],
                          part.names[random.below(static_cast<std::uint32_t>(i))]);
            }
            fill(part, shapes[(s + 2 * p) % shapes.size()], p != 2 && !scene.groups.empty());
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] const Part& part(std::size_t p) const noexcept { return parts_[p]; }
    /// The given parts, to ask them together.
    [[nodiscard]] std::vector<NamedGrid<Dim>> grids(const std::vector<std::size_t>& some) const {
        std::vector<NamedGrid<Dim>> named;
        for (const std::size_t p : some) {
            named.push_back(parts_[p].named());
        }
        return named;
    }

    /// For all agents of a part, calls begin(name), then visit(neighbour) for each neighbour in
    /// `others`, then end(name).
    template <class Begin, class Visit, class End>
    void for_each(std::size_t askers, const std::vector<std::size_t>& others,
                  const Neighbourhood& asked, const Begin& begin, const Visit& visit,
                  const End& end) const {
        const Part& mine = parts_[askers];
        for (const Id asker : mine.order.ids()) {
            begin(mine.names[asker]);
            const Ball<Dim> ball{mine.positions[asker], asked.radius};
            for (std::size_t g = 0; g < others.size(); ++g) {
                const std::size_t p = others[g];
                const Part& part = parts_[p];
                const bool but_itself = p == askers && !asked.with_self;
                const Filter filter{asked.groups, but_itself ? asker : kNoId};
                Ids found = part.order.sorted(asked.body == Body::centre
                                                  ? part.truth.ids_in(ball, filter)
                                                  : bodies_near(mine, asker, part, asked, filter));
                if (asked.later_only && p == askers) { found = part.order.from(asker, found); }
                for (const Id other : found) {
                    Neighbour neighbour{Apart<Dim>(ball.centre, part.positions[other]),
                                        mine.names[asker], part.names[other], g, other};
                    if (asked.body != Body::centre) {
                        neighbour.distance2 = body_distance(mine, asker, part, other, asked.body);
                    }
                    visit(neighbour);
                }
            }
            end(mine.names[asker]);
        }
    }

private:
    /// The common half extent of the second part.
    static float common_half(std::size_t a) { return 0.125f * static_cast<float>(3 + a); }
    /// The squared distance between two bodies.
    static float body_distance(const Part& mine, Id asker, const Part& part, Id other, Body body) {
        Point<Dim> offset, sum;
        for (std::size_t a = 0; a < Dim; ++a) {
            offset[a] = part.positions[other][a] - mine.positions[asker][a];
            sum[a] = mine.half[a][asker] + part.half[a][other];
        }
        return body_distance2(body, offset, sum);
    }
    static Ids bodies_near(const Part& mine, Id asker, const Part& part, const Neighbourhood& asked,
                           const Filter& filter) {
        Ids found;
        for (Id other = 0; other < part.names.size(); ++other) {
            const bool is_in =
                filter.groups == kAllGroups || (part.truth[other].groups & filter.groups) != 0;
            if (other != filter.without && is_in &&
                body_distance(mine, asker, part, other, asked.body) <=
                    asked.radius * asked.radius) {
                found.push_back(other);
            }
        }
        return found;
    }

    static void fill(Part& part, const GridShape<Dim>& shape, bool groups) {
        CrowdKind<Dim> kind{.groups = groups};
        for (std::size_t a = 0; a < Dim && part.renames && !part.beside; ++a) {
            kind.common_half_extent[a] = common_half(a);
        }
        kind.own_half_extents = !part.renames;
        EXPECT_EQ(part.grid.use(shape, kind), Status{});
        for (Id place = 0; place < part.names.size(); ++place) {
            Agent<Dim> agent{part.positions[place]};
            if (groups) { agent.groups = part.truth[place].groups; }
            if (kind.own_half_extents) { agent.half_extent = part.truth[place].half_extent; }
            EXPECT_EQ(part.grid.insert(part.renames ? place : part.names[place], agent), Status{});
        }
        part.order = part.truth.order(shape);
    }

    std::size_t size_;
    std::array<Part, kParts> parts_;
};

} // namespace throng::test
