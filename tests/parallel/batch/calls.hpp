// Every call of a batch, to repeat on any executor.
#pragma once

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/scenes/scenes.hpp"
#include "every_call.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

namespace throng::test {

/// Agents, other agents in the same world, and questions about both.
template <std::size_t Dim>
struct TwoGrids {
    RowGrid<Dim> grid, others;
    std::vector<Box<Dim>> boxes;
    std::vector<Ball<Dim>> balls;
    std::vector<Point<Dim>> points;  ///< the balls' centres
    std::vector<Segment<Dim>> paths; ///< between these points
    float near = 0.75f, far = 1.5f;  ///< for the neighbours of all agents

    /// Two crowds of `agents` each, and as many small questions.
    explicit TwoGrids(std::size_t agents)
        : scene_(scenes::make<Dim>("unaligned", agents, scenes::Groups::masks)),
          second_(scenes::make_clustered<Dim>(agents, 20)) {
        lay_out(Point<Dim>::all(1.5f), Point<Dim>::all(2.0f));
        scenes::Random random(3);
        for (std::size_t q = 0; q < agents; ++q) {
            const auto agent = random.below(static_cast<std::uint32_t>(agents));
            const Point<Dim> at = scene_.position_of(agent);
            boxes.push_back(Box<Dim>::around(at, Point<Dim>::all(random.between(-0.1f, 0.5f))));
            balls.push_back({at, random.between(0.0f, 1.0f)});
        }
        note_centres();
    }

    /// The scene of that name, and as many questions as agents. They are the scene's own, which end
    /// on agents and on edges of cells; questions that find many agents are asked less often.
    TwoGrids(std::string_view name, std::size_t agents)
        : scene_(scenes::make<Dim>(name, agents, scenes::Groups::masks)),
          second_(scenes::make<Dim>(name, agents / 2)) {
        lay_out(scene_.cell, second_.cell);
        near = 0.5f * scene_.cell[0];
        far = scene_.cell[0]; // as far apart as corners of cells
        boxes = repeated(scene_.boxes, agents);
        balls = repeated(scene_.balls, agents);
        note_centres();
    }

    void update(Executor& executor) {
        EXPECT_EQ(grid.update(scene_.agents(), executor), Status{});
        EXPECT_EQ(others.update(second_.agents(), executor), Status{});
    }

private:
    void note_centres() {
        for (const Ball<Dim>& ball : balls) {
            points.push_back(ball.centre);
        }
        for (std::size_t q = 0; q < points.size(); ++q) {
            paths.push_back({points[q], points[(q * 7 + 3) % points.size()]});
        }
    }

    void lay_out(const Point<Dim>& cell, const Point<Dim>& cell_of_others) {
        EXPECT_EQ(grid.configure(scene_.world, cell), Status{});
        EXPECT_EQ(others.configure(second_.world, cell_of_others), Status{});
        update(serial_executor());
    }

    template <class Shape>
    std::vector<Shape> repeated(const std::vector<Shape>& all, std::size_t count) const {
        std::vector<Shape> small, list;
        std::copy_if(all.begin(), all.end(), std::back_inserter(small),
                     [&](const Shape& shape) { return grid.count(shape).count < 20; });
        for (std::size_t q = 0; q < count; ++q) {
            const std::vector<Shape>& from = q % 32 == 0 ? all : small;
            list.push_back(from[(q % 32 == 0 ? q / 32 : q) % from.size()]);
        }
        return list;
    }

    scenes::Scene<Dim> scene_, second_;
};

/// Scenes with agents exactly on rims of balls and on corners of cells.
constexpr std::string_view kExactScenes[] = {"rim", "lattice_of_tenths"};

template <std::size_t Dim>
class Calls : public EveryCall<Calls<Dim>> {
public:
    static constexpr std::size_t kCount = 34;

    explicit Calls(const TwoGrids<Dim>& crowd)
        : EveryCall<Calls>(std::max(crowd.boxes.size(), past_names(crowd)), crowd.grid.size()),
          crowd_(crowd),
          names_(crowd.others.id_bound()), both_{crowd.grid, {crowd.others, names_}} {
        // The names of the others run backwards, behind those of the first.
        for (std::size_t i = 0; i < names_.size(); ++i) {
            names_[i] = static_cast<Id>(past_names(crowd) - 1 - i);
        }
    }

    /// Makes the call with this number. Exceptions pass through.
    [[nodiscard]] Outcome make(std::size_t call, Batch<Dim>& batch) {
        const RowGrid<Dim>&grid = crowd_.grid, &others = crowd_.others;
        const std::span<const Box<Dim>> boxes(crowd_.boxes);
        const std::span<const Ball<Dim>> balls(crowd_.balls);
        const std::span<const Segment<Dim>> paths(crowd_.paths);
        const Neighbourhood near = {crowd_.near, false, kAllGroups};
        const Neighbourhood far = {crowd_.far, true, 0x8000'0001u};
        Outputs& out = this->out_;
        const HitsOutput some = out.some();
        const PairsOutput some_pairs = out.some_pairs();
        const NearOutput some_near = out.some_near();
        switch (call) {
        case 0:
            return out.listed(batch.query(grid, boxes, out.hits));
        case 1:
            return out.listed(batch.query(grid, balls, out.hits, kSome));
        case 2:
            return out.buffered(batch.query(grid, boxes, some, kSome), boxes.size());
        case 3:
            return out.buffered(batch.query(grid, balls, some), balls.size());
        case 4:
            return out.counted(batch.count(grid, boxes, out.counts), boxes.size());
        case 5:
            return out.counted(batch.count(grid, balls, out.counts, kSome), balls.size());
        case 6:
            return out.counted(batch.any(grid, boxes, out.counts, kSome), boxes.size());
        case 7:
            return out.counted(batch.any(grid, balls, out.counts), balls.size());
        case 8:
            return out.listed(batch.neighbours(grid, near, out.hits));
        case 9:
            return out.listed(batch.neighbours(grid, near, out.hits, Order::ids));
        case 10:
            return out.buffered(batch.neighbours(grid, far, some), grid.size());
        case 11:
            return out.buffered(batch.neighbours(grid, far, some, Order::ids), grid.id_bound());
        case 12:
            return out.counted(batch.count_neighbours(grid, far, out.counts), grid.size());
        case 13:
            return out.counted(batch.count_neighbours(grid, near, out.counts, Order::ids),
                               grid.id_bound());
        case 14:
            return out.listed_pairs(batch.pairs(grid, out.pairs));
        case 15:
            return out.buffered_pairs(batch.pairs(grid, some_pairs, 0x3u));
        case 16:
            return out.counted(batch.count_pairs(grid), 0);
        case 17:
            return out.visited(grid.parts().slices(),
                               [&](auto visitor) { return batch.visit_pairs(grid, visitor); });
        case 18:
            return out.listed_pairs(batch.pairs({grid, others}, out.pairs, 0x3u));
        case 19:
            return out.buffered_pairs(batch.pairs({grid, others}, some_pairs));
        case 20:
            return out.visited(grid.parts().slices(), [&](auto visitor) {
                return batch.visit_pairs({grid, others}, visitor, 0x3u);
            });
        case 21:
            return out.listed_near(batch.nearest(grid, std::span<const Point<Dim>>(crowd_.points),
                                                 {5}, out.near_hits));
        case 22:
            return out.listed_near(batch.nearest_neighbours(grid, {3}, out.near_hits));
        case 23:
            return out.buffered_near(
                batch.nearest_neighbours(grid, {Outputs::kNear, crowd_.far, true, 0x3u}, some_near,
                                         Order::ids),
                grid.id_bound());
        case 24:
            return out.listed(batch.neighbours({both_, both_}, near, out.hits));
        case 25:
            return out.buffered(batch.neighbours({both_, both_}, far, some, Order::ids),
                                past_names(crowd_));
        case 26:
            return out.counted(batch.count_neighbours({both_, both_}, far, out.counts), named());
        case 27:
            return out.listed_near(batch.nearest_neighbours({both_, both_}, {3, crowd_.far},
                                                            out.near_hits, Order::ids));
        case 28:
            return out.listed_pairs(batch.pairs_within(grid, crowd_.near, out.pairs));
        case 29:
            return out.buffered_pairs(batch.pairs_within(grid, crowd_.near, some_pairs, 0x3u));
        case 30:
            return out.listed(batch.neighbours({both_, both_}, {crowd_.near, true, 0x3u, true},
                                               out.hits, Order::ids));
        case 31:
            return out.listed(batch.query(grid, paths, out.hits, kSome));
        case 32:
            return out.counted(batch.count(grid, paths, out.counts), paths.size());
        default:
            return out.buffered_near(batch.nearest(grid, std::span<const Point<Dim>>(crowd_.points),
                                                   {Outputs::kNear, crowd_.far}, some_near, kSome),
                                     crowd_.points.size());
        }
    }

    /// After a failed call: whether the arrays that it fills are empty.
    [[nodiscard]] bool is_empty(std::size_t call) const noexcept {
        const bool hits =
            call < 2 || call == 8 || call == 9 || call == 24 || call == 30 || call == 31;
        const bool pairs = call == 14 || call == 18 || call == 28;
        const bool near = call == 21 || call == 22 || call == 27;
        return (!hits || this->out_.has_no_hits()) && (!pairs || this->out_.has_no_pairs()) &&
               (!near || this->out_.has_no_near());
    }

private:
    static constexpr Filter kSome = {0x3u, 5};

    /// A bound of the names of both crowds, for calls that ask both as one.
    [[nodiscard]] static std::size_t past_names(const TwoGrids<Dim>& crowd) noexcept {
        return crowd.grid.id_bound() + crowd.others.id_bound();
    }
    [[nodiscard]] std::size_t named() const noexcept {
        return crowd_.grid.size() + crowd_.others.size();
    }

    const TwoGrids<Dim>& crowd_;
    Ids names_; // names of the agents of `others`
    std::array<NamedGrid<Dim>, 2> both_;
};

} // namespace throng::test
