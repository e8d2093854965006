// Asks a grid alone. Internal.
#pragma once

#include "../../engine/grid/grid_parts.hpp"
#include "state.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

template <std::size_t Dim>
class Batch<Dim>::State::GridSource : public ShapeSource<Dim> {
public:
    /// `batch` says whether a tree answers in the grid's place.
    GridSource(const RowGrid<Dim>& grid, const State& batch) noexcept
        : grid_(grid), batch_(batch) {}

    [[nodiscard]] Status first_fault(const ShapesView<Dim>& questions) const noexcept override {
        return throng::first_fault(questions);
    }
    [[nodiscard]] bool asks_grid(const ShapesView<Dim>&) const noexcept override { return true; }

    std::uint64_t query(const ShapesView<Dim>& questions, OutputPart& part, const HitsBuffer& out,
                        const Filters& filters) const override {
        if (const PathTree<Dim>* const asked = batch_.asked_tree) {
            return checked(asked->query(questions, part, out, filters));
        }
        return checked(
            grid_.parts().query(questions, 0, questions.count, scratch(part), out, filters));
    }
    std::uint64_t count(const ShapesView<Dim>& questions, OutputPart& part,
                        std::span<std::uint32_t> counts, const Filters& filters) const override {
        if (const PathTree<Dim>* const asked = batch_.asked_tree) {
            return checked(asked->count(questions, part, counts, filters));
        }
        return checked(
            grid_.parts().count(questions, 0, questions.count, scratch(part), counts, filters));
    }
    std::uint64_t any(const ShapesView<Dim>& questions, OutputPart& part,
                      std::span<std::uint32_t> counts, const Filters& filters) const override {
        if (const PathTree<Dim>* const asked = batch_.asked_tree) {
            return checked(asked->any(questions, counts, filters));
        }
        return checked(
            grid_.parts().any(questions, 0, questions.count, scratch(part), counts, filters));
    }
    std::uint64_t first(const ShapesView<Dim>& paths, std::span<PathHit> path_hits,
                        const Filters& filters) const override {
        std::uint64_t found = 0;
        for (std::size_t i = 0; i < paths.count; ++i) {
            path_hits[i] = {};
            found += checked(grid_.first(paths.part(i, 1), path_hits[i], filters.of(i)));
        }
        return found;
    }
    std::uint64_t nearest(std::span<const Point<Dim>> points, const Nearest& nearest,
                          OutputPart& part, const NearBuffer& out,
                          const Filter& filter) const override {
        return checked(grid_.parts().nearest(points, nearest, 0, points.size(),
                                             nearest_scratch(part), out, filter));
    }

private:
    const RowGrid<Dim>& grid_;
    const State& batch_;
};

} // namespace throng
