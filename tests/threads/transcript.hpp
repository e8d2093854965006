// A grid's answers to every const call.
#pragma once

#include "../../engine/grid/grid_parts.hpp"
#include "../support/scenes/scenes.hpp"

#include <throng/engine/agents/filter.hpp>
#include <throng/engine/agents/found.hpp>
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/grid/query_stats.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {

/// The answers as numbers: equal if all answers are equal.
using Transcript = std::vector<std::uint64_t>;

namespace detail {

inline void note(Transcript& transcript, std::span<const std::uint32_t> ids) {
    transcript.push_back(ids.size());
    transcript.insert(transcript.end(), ids.begin(), ids.end());
}

template <std::size_t Dim, class Shape>
void ask_one_by_one(Transcript& transcript, const RowGrid<Dim>& grid, const Shape& shape,
                    const Filter& filter, std::vector<Id>& ids) {
    ids.resize(grid.size());
    const std::size_t found = grid.query(shape, std::span<Id>(ids), filter).count;
    note(transcript, {ids.data(), found});
    std::uint64_t sum = 0;
    const auto add_up = [&](std::span<const Id> run) {
        for (const Id id : run) {
            sum += id;
        }
        return true;
    };
    transcript.push_back(grid.visit(shape, add_up, filter).count);
    transcript.push_back(sum);
    transcript.push_back(grid.count(shape, filter).count);
    transcript.push_back(grid.any(shape, filter).count);
    transcript.push_back(grid.explain(shape, filter).hits);
}

template <std::size_t Dim, class Shape>
void ask(Transcript& transcript, const RowGrid<Dim>& grid, const std::vector<Shape>& shapes) {
    const Filter filters[] = {{}, {0x3u}, {kAllGroups, 7}};
    std::vector<Id> ids;
    Hits hits;
    std::size_t turn = 0;
    for (const Shape& shape : shapes) {
        ask_one_by_one(transcript, grid, shape, filters[turn++ % std::size(filters)], ids);
    }
    std::vector<std::uint32_t> scratch(GridParts<Dim>::scratch());
    std::vector<std::uint32_t> counts(shapes.size());
    const std::span<const Shape> all(shapes);
    transcript.push_back(grid.parts().count(all, 0, all.size(), scratch, counts).count);
    note(transcript, counts);
    transcript.push_back(grid.parts().any(all, 0, all.size(), scratch, counts).count);
    note(transcript, counts);
    for (const Filter& filter : filters) {
        if (!grid.query(all, hits, filter).ok()) { continue; }
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            note(transcript, hits.of(i));
        }
    }
}

} // namespace detail

/// The answers to every const call of `grid`, with the scene's boxes and balls.
template <std::size_t Dim>
[[nodiscard]] Transcript transcript_of(const RowGrid<Dim>& grid,
                                       const scenes::Scene<Dim>& questions) {
    Transcript transcript;
    detail::ask(transcript, grid, questions.boxes);
    detail::ask(transcript, grid, questions.balls);
    std::vector<Id> ids(grid.size());
    transcript.push_back(grid.order(ids));
    detail::note(transcript, ids);
    transcript.push_back(grid.contains(0));
    transcript.push_back(grid.shape().rows());
    transcript.push_back(grid.kind().groups);
    transcript.push_back(grid.memory().total() != 0);
    return transcript;
}

} // namespace throng::test
