// The sources of an answer: PlainSets, or PeriodicCopies where a question has copies. Internal to
// the engine.
#pragma once

#include "../../grid/calls/named_grids.hpp"
#include "../store/state.hpp"
#include "periodic.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace throng {

/// Answers questions to some sets of a crowd, in whose world the questions have no copies. Borrows
/// the crowd's state.
template <std::size_t Dim>
class Crowd<Dim>::State::PlainSets {
public:
    PlainSets(const State& state, Sets sets) noexcept : state_(state), sets_(sets) {}

    [[nodiscard]] Status refusal_of(const ShapesView<Dim>& shape) const noexcept {
        return check_shape(shape);
    }
    Found visit(const ShapesView<Dim>& shape, IndexVisitor visitor, const Filter& filter) const;
    Found query(const ShapesView<Dim>& shape, std::span<Id> out, const Filter& filter) const;
    Status query(const ShapesView<Dim>& shapes, Hits& hits, const Filter& filter) const;
    Found count(const ShapesView<Dim>& shape, const Filter& filter) const;
    Found any(const ShapesView<Dim>& shape, const Filter& filter) const;
    CrowdStats explain(const ShapesView<Dim>& shape, const Filter& filter) const;
    Found first(const ShapesView<Dim>& path, PathHit& hit, const Filter& filter,
                const PathHit& after) const;
    Found hits_after(const PathHit& after, const ShapesView<Dim>& path, std::span<PathHit> out,
                     const Filter& filter) const;
    Status hits(const ShapesView<Dim>& path, std::vector<PathHit>& out, const Filter& filter) const;
    /// A body's question must have been checked.
    Found nearest(const NearestFrom<Dim>& from, const Nearest& nearest, std::span<Near> out,
                  const Filter& filter) const;

private:
    /// Asks the grid all questions, and then giants and statics.
    Status query_together(const ShapesView<Dim>& shapes, Hits& hits, const Filter& filter) const;

    static constexpr Sets kLarge = Sets::giants | Sets::statics;

    const State& state_;
    Sets sets_;
};

template <std::size_t Dim>
template <class Ask>
auto Crowd<Dim>::State::answer(bool plain, Sets sets, const Ask& ask) const {
    const AccessCheck::Reading reading(access);
    return plain ? ask(PlainSets(*this, sets)) : ask(PeriodicCopies(*this, sets));
}

// Questions that grids and large elements answer under different names.

/// The first hit of a path after `after`, if it comes before `best`; else `best`.
template <std::size_t Dim>
PathHit first_in(const RowGrid<Dim>& grid, const ShapesView<Dim>& path, const Filter& filter,
                 PathHit best, const PathHit& after) {
    PathHit hit;
    return grid.first_after(after, path, hit, filter).count == 0 ? best : std::min(best, hit);
}
template <std::size_t Dim>
PathHit first_in(const LargeElements<Dim>& set, const ShapesView<Dim>& path, const Filter& filter,
                 PathHit best, const PathHit& after) {
    return set.first(path, filter, best, after);
}

/// Adds the hits of a path that come after `after` to a page.
template <std::size_t Dim>
void add_hits_after(const RowGrid<Dim>& grid, const PathHit& after, const ShapesView<Dim>& path,
                    const Filter& filter, simd::HitPage& page) {
    detail::state_of(grid).add_hits_after(after, path, filter, page);
}
template <std::size_t Dim>
void add_hits_after(const LargeElements<Dim>& set, const PathHit& after,
                    const ShapesView<Dim>& path, const Filter& filter, simd::HitPage& page) {
    set.add_hits_after(after, path, filter, page);
}

/// The nearest agents or elements. A body's question must have been checked.
template <std::size_t Dim>
Found nearest_in(const RowGrid<Dim>& grid, const NearestFrom<Dim>& from, const Nearest& nearest,
                 std::span<Near> out, const Filter& filter) {
    if (from.is_point()) { return grid.nearest(from.point, nearest, out, filter); }
    const NamedGrid<Dim> named(grid);
    return NearestBodies<Dim>{named}.of_one(from, nearest, out, filter);
}
template <std::size_t Dim>
Found nearest_in(const LargeElements<Dim>& set, const NearestFrom<Dim>& from,
                 const Nearest& nearest, std::span<Near> out, const Filter& filter) {
    return {set.nearest(from, nearest, out, filter), {}};
}

/// Appends the hits of a path.
template <std::size_t Dim>
void add_path_hits(const RowGrid<Dim>& grid, const ShapesView<Dim>& path, const Filter& filter,
                   std::vector<PathHit>& all) {
    if (all.empty()) {
        (void)grid.hits(path, all, filter);
        return;
    }
    std::vector<PathHit> some;
    if (grid.hits(path, some, filter).ok()) { all.insert(all.end(), some.begin(), some.end()); }
}
template <std::size_t Dim>
void add_path_hits(const LargeElements<Dim>& set, const ShapesView<Dim>& path, const Filter& filter,
                   std::vector<PathHit>& all) {
    set.hits(path, filter, all);
}

} // namespace throng
