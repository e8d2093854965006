// All answers of an index about a scene, to compare before and after.
#pragma once

#include "canonical_order.hpp"
#include "scenes/scenes.hpp"
#include "truth.hpp"

#include <throng/engine/agents/agents.hpp>
#include <throng/engine/agents/filter.hpp>
#include <throng/engine/agents/found.hpp>
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace throng::test {

/// A grid with the scene's suggested world and cells, and with the scene in it.
template <std::size_t Dim>
[[nodiscard]] RowGrid<Dim> grid_of(scenes::Scene<Dim>& scene) {
    RowGrid<Dim> grid;
    EXPECT_EQ(grid.configure(scene.world, scene.cell), Status{});
    EXPECT_EQ(grid.update(scene.agents()), Status{});
    return grid;
}

/// The whole answer to one query, in its order.
template <class Index, class Shape>
[[nodiscard]] std::vector<Id> ask(const Index& index, const Shape& shape,
                                  const Filter& filter = {}) {
    std::vector<Id> ids(index.size());
    ids.resize(index.query(shape, std::span<Id>(ids), filter).count);
    return ids;
}

template <std::size_t Dim>
struct Answers {
    GridShape<Dim> shape;
    CrowdKind<Dim> kind;
    std::size_t size = 0;
    std::vector<Id> order;
    std::vector<std::vector<Id>> found;

    friend bool operator==(const Answers&, const Answers&) = default;
};

template <std::size_t Dim, class Index>
void ask_all(Answers<Dim>& answers, const Index& index, const scenes::Scene<Dim>& questions) {
    const Filter filters[] = {{}, {0x3u}};
    for (std::size_t i = 0; i < questions.boxes.size(); ++i) {
        answers.found.push_back(ask(index, questions.boxes[i], filters[i % 2]));
    }
    for (std::size_t i = 0; i < questions.balls.size(); ++i) {
        answers.found.push_back(ask(index, questions.balls[i], filters[i % 2]));
    }
}

template <std::size_t Dim>
[[nodiscard]] Answers<Dim> answers_of(const RowGrid<Dim>& grid,
                                      const scenes::Scene<Dim>& questions) {
    Answers<Dim> answers{grid.shape(), grid.kind(), grid.size(), {}, {}};
    answers.order.resize(grid.size());
    (void)grid.order(answers.order);
    ask_all(answers, grid, questions);
    return answers;
}

/// The answers that a grid of that shape must give about the agents of `truth`.
template <std::size_t Dim>
[[nodiscard]] Answers<Dim> expected_answers(const GridShape<Dim>& shape, const Truth<Dim>& truth,
                                            const scenes::Scene<Dim>& questions) {
    const CanonicalOrder order = truth.order(shape);
    Answers<Dim> answers{shape, truth.kind(), truth.size(), order.ids(), {}};
    ask_all(answers, truth, questions);
    for (Ids& ids : answers.found) {
        ids = order.sorted(std::move(ids));
    }
    return answers;
}

/// The answers that a grid of that shape must give after an update with a scene.
template <std::size_t Dim>
[[nodiscard]] Answers<Dim> expected_answers(const GridShape<Dim>& shape,
                                            scenes::Scene<Dim>& scene) {
    Truth<Dim> truth;
    (void)truth.update(scene.agents());
    return expected_answers(shape, truth, scene);
}

/// Empty if both are equal, otherwise their first difference.
template <std::size_t Dim>
[[nodiscard]] std::string difference(const Answers<Dim>& got, const Answers<Dim>& wanted) {
    if (got.shape != wanted.shape) { return "shape"; }
    if (got.kind != wanted.kind) { return "kind"; }
    if (got.size != wanted.size) {
        return "size " + std::to_string(got.size) + " and not " + std::to_string(wanted.size);
    }
    if (got.order != wanted.order) { return "order"; }
    for (std::size_t i = 0; i < wanted.found.size(); ++i) {
        if (got.found.size() != wanted.found.size() || got.found[i] != wanted.found[i]) {
            return "query " + std::to_string(i);
        }
    }
    return "";
}

} // namespace throng::test
