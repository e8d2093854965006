// Puts a brush's question to an index of any kind.
#pragma once

#include "../stage/names.hpp"
#include "brush.hpp"
#include "people.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/sets.hpp>
#include <throng/engine/grid/query_stats.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace throng::demo {

/// Asks an index and, for walls that are not in it, a tree of walls.
template <class Index, std::size_t Dim>
class Asker {
public:
    Asker(const Index& index, const LooseTree<Dim>& walls, const People<Dim>& people) noexcept
        : index_(index), walls_(walls), people_(people) {}

    [[nodiscard]] Brushed ask(const Brush& brush, StructureKind kind) const {
        Brushed answer;
        answer.way = name_of(kind);
        Brush asked = brush;
        if (brush.kind == BrushKind::nearest) { asked.size = ask_nearest(brush, answer); }
        with_shape<Dim>(asked, people_.world, [&](const auto& shape) {
            if (brush.kind != BrushKind::nearest) { ask_shape(shape, answer); }
            find_cells(shape, answer.met);
        });
        return answer;
    }

private:
    static constexpr bool kHasWalls = std::is_same_v<Index, throng::Crowd<Dim>>;

    template <class Shape>
    void ask_shape(const Shape& shape, Brushed& answer) const {
        answer.nanoseconds = nanoseconds_of([&] {
            answer.ids.clear();
            answer.status = visit(shape, answer.ids);
        });
        if (!answer.status.ok()) { return; }
        if constexpr (kHasWalls) {
            const CrowdStats stats = index_.explain(shape);
            answer.way += std::string(", by ") + to_string(stats.path);
            answer.tested = stats.tested;
        } else if constexpr (requires { index_.explain(shape); }) {
            answer.tested = index_.explain(shape).tested;
        }
    }

    template <class Shape>
    Status visit(const Shape& shape, std::vector<Id>& ids) const {
        const Found found = index_.visit(shape, [&](std::span<const Id> run) {
            ids.insert(ids.end(), run.begin(), run.end());
            return true;
        });
        if (kHasWalls || walls_.size() == 0 || !found.status.ok()) { return found.status; }
        return walls_
            .visit(shape,
                   [&](std::span<const Id> run) {
                       for (const Id wall : run) {
                           ids.push_back(static_id(wall));
                       }
                       return true;
                   })
            .status;
    }

    /// Returns the distance of the farthest agent found.
    float ask_nearest(const Brush& brush, Brushed& answer) const {
        Ball<Dim> ball;
        with_shape<Dim>(brush, people_.world, [&](const auto& shape) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(shape)>, Ball<Dim>>) {
                ball = shape;
            }
        });
        const auto k =
            static_cast<std::uint32_t>(std::min<std::size_t>(brush.nearest, kMostNearest));
        if constexpr (requires(std::span<Near> out) {
                          index_.nearest(ball.centre, Nearest{1}, out);
                      }) {
            std::vector<Near> near(k);
            Found found;
            answer.nanoseconds = nanoseconds_of([&] { found = nearest(ball.centre, near); });
            answer.status = found.status;
            for (std::size_t i = 0; i < found.count; ++i) {
                answer.ids.push_back(near[i].id);
            }
        } else {
            answer.way += ", in balls that grow";
            answer.nanoseconds = nanoseconds_of([&] { find_nearest(ball, k, answer); });
        }
        const auto distance2 = [&](Id id) {
            return distance2_between(ball.centre, people_.at(id));
        };
        return answer.ids.empty() ? 0.0f : std::sqrt(distance2(answer.ids.back()));
    }

    [[nodiscard]] Found nearest(const Point<Dim>& at, std::vector<Near>& near) const {
        const Nearest wanted{static_cast<std::uint32_t>(near.size())};
        if constexpr (kHasWalls) {
            return index_.nearest(at, wanted, near, {}, Sets::agents);
        } else {
            return index_.nearest(at, wanted, near);
        }
    }

    /// For structures without this question: grows a ball until it has enough agents.
    void find_nearest(Ball<Dim> ball, std::size_t k, Brushed& answer) const {
        const std::size_t wanted = std::min(k, index_.size());
        ball.radius = people_.radius;
        do {
            answer.ids.clear();
            answer.status =
                index_
                    .visit(ball,
                           [&](std::span<const Id> run) {
                               answer.ids.insert(answer.ids.end(), run.begin(), run.end());
                               return true;
                           })
                    .status;
            ball.radius *= 2.0f;
        } while (answer.status.ok() && answer.ids.size() < wanted && ball.radius < kLargest / 4.0f);
        std::sort(answer.ids.begin(), answer.ids.end(), [&](Id a, Id b) {
            return std::pair(distance2_between(ball.centre, people_.at(a)), a) <
                   std::pair(distance2_between(ball.centre, people_.at(b)), b);
        });
        answer.ids.resize(std::min(wanted, answer.ids.size()));
    }

    /// Finds the cells that may have agents in the shape.
    template <class Shape>
    void find_cells(const Shape& shape, std::vector<Box<2>>& met) const {
        // Balls and sectors find agents by their centres, other shapes by their boxes.
        constexpr bool kFindsBoxes =
            std::is_same_v<Shape, Box<Dim>> || std::is_same_v<Shape, Ray<Dim>>;
        const float beyond = kFindsBoxes ? overhang() : 0.0f;
        index_.visit_cells([&](const IndexCell<Dim>& cell) {
            Box<Dim> wide = cell.box;
            for (std::size_t a = 0; a < Dim; ++a) {
                wide.lo[a] -= beyond;
                wide.hi[a] += beyond;
            }
            if (meets(shape, wide)) {
                met.push_back({{cell.box.lo[0], cell.box.lo[1]}, {cell.box.hi[0], cell.box.hi[1]}});
            }
            return met.size() < kMostMet;
        });
    }

    /// How far agents may stick out of their cells. A grid's cell has the agents whose centres are
    /// in it; cells of other structures contain their agents as a whole, or list each agent in
    /// every cell that it touches.
    [[nodiscard]] float overhang() const noexcept {
        constexpr bool kByCentre = kHasWalls || std::is_same_v<Index, RowGrid<Dim>>;
        if (!kByCentre) { return 0.0f; }
        if (people_.half.empty()) { return people_.common_half; }
        float largest = 0.0f;
        for (std::size_t i = 0; i < people_.half.size(); ++i) {
            // Giants are not in a crowd's grid, but in a tree, whose nodes hold all of them.
            if constexpr (kHasWalls) {
                if (index_.contains(static_cast<Id>(i), Sets::giants)) { continue; }
            }
            largest = std::max(largest, people_.half[i]);
        }
        return largest;
    }

    const Index& index_;
    const LooseTree<Dim>& walls_;
    const People<Dim>& people_;
};

} // namespace throng::demo
