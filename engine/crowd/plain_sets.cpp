// Questions to a crowd whose world does not wrap: to the grid first, then to giants and statics.
#include "sources.hpp"

#include "../answers/merge.hpp"
#include "../grid/query_planner.hpp"
#include "../grid/state.hpp"
#include "../shapes/single_shape.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace throng {

template <std::size_t Dim>
bool Crowd<Dim>::State::is_sparse_for(const ShapesView<Dim>& one) const noexcept {
    return throng::is_sparse_for(one, detail::state_of(grid).facts());
}
template <std::size_t Dim>
SearchPlan Crowd<Dim>::State::plan(const ShapesView<Dim>& one,
                                   const Filter& filter) const noexcept {
    return throng::plan(detail::state_of(grid).path(one, filter), one,
                        detail::state_of(grid).facts());
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PlainSets::visit(const ShapesView<Dim>& shape, IndexVisitor visitor,
                                          const Filter& filter) const {
    if (const Status status = check_single(shape); !status.ok()) { return {0, status}; }
    Found found;
    bool more = true;
    const auto until_enough = [&](std::span<const Id> run) { return more = visitor(run); };
    state_.for_each_set(sets_, [&](const auto& set) {
        found.count += set.visit(shape, until_enough, filter).count;
        return more;
    });
    return found;
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PlainSets::query(const ShapesView<Dim>& shape, std::span<Id> out,
                                          const Filter& filter) const {
    if (state_.only_grid(sets_)) { return state_.grid.query(shape, out, filter); }
    if (const Status status = check_single(shape); !status.ok()) { return {0, status}; }
    Found found;
    state_.for_each_set(sets_, [&](const auto& set) {
        const std::span<Id> room = out.subspan(std::min(found.count, out.size()));
        found.count += set.query(shape, room, filter).count;
        return true;
    });
    return found;
}

template <std::size_t Dim>
Status Crowd<Dim>::State::PlainSets::query(const ShapesView<Dim>& shapes, Hits& hits,
                                           const Filter& filter) const {
    Filter of_small = filter;
    if (!has(sets_, Sets::small)) { of_small.groups = 0; } // finds none
    Status status = state_.grid.query(shapes, hits, of_small);
    if (!status.ok()) { return status; }
    Hits more;
    state_.for_each_large(sets_, [&](const auto& set) {
        status = set.query(shapes, more, filter);
        if (status.ok()) { append_each(hits, more); }
        return status.ok();
    });
    return status;
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PlainSets::count(const ShapesView<Dim>& shape,
                                          const Filter& filter) const {
    if (state_.only_grid(sets_)) { return state_.grid.count(shape, filter); }
    if (const Status status = check_single(shape); !status.ok()) { return {0, status}; }
    Found found;
    state_.for_each_set(sets_, [&](const auto& set) {
        found.count += set.count(shape, filter).count;
        return true;
    });
    return found;
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PlainSets::any(const ShapesView<Dim>& shape, const Filter& filter) const {
    if (state_.only_grid(sets_)) { return state_.grid.any(shape, filter); }
    if (const Status status = check_single(shape); !status.ok()) { return {0, status}; }
    const auto any_of = [&](Sets some) {
        bool any = false;
        state_.for_each_set(some & sets_, [&](const auto& set) {
            any = set.any(shape, filter).count != 0;
            return !any;
        });
        return any;
    };
    // If the grid will hardly find an agent, giants and statics, which cost less, are asked first.
    const bool large_first = state_.is_sparse_for(shape);
    const bool any =
        any_of(large_first ? kLarge : Sets::small) || any_of(large_first ? Sets::small : kLarge);
    return {any ? std::size_t{1} : 0, {}};
}

template <std::size_t Dim>
CrowdStats Crowd<Dim>::State::PlainSets::explain(const ShapesView<Dim>& shape,
                                                 const Filter& filter) const {
    CrowdStats stats;
    stats.status = check_shape(shape);
    if (!stats.status.ok()) { return stats; }
    if (has(sets_, Sets::small)) {
        const SearchPlan plan = state_.plan(shape, filter);
        const QueryStats small = state_.grid.explain(shape, filter);
        stats.path = plan.path;
        stats.predicted_nanoseconds = plan.nanoseconds;
        stats.rows = small.rows;
        stats.tested = small.tested;
        stats.copied = small.copied;
        stats.small = small.hits;
    }
    if (has(sets_, Sets::giants) && state_.giants.size() != 0) {
        stats.giants = state_.giants.count(shape, filter).count;
    }
    if (has(sets_, Sets::statics) && state_.statics->size() != 0) {
        stats.statics = state_.statics->count(shape, filter).count;
    }
    return stats;
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PlainSets::nearest(const Point<Dim>& point, const Nearest& nearest,
                                            std::span<Near> out, const Filter& filter) const {
    Filter of_small = filter;
    if (!has(sets_, Sets::small)) { of_small.groups = 0; } // finds none
    Found found = state_.grid.nearest(point, nearest, out, of_small);
    if (!found.status.ok() || nearest.k == 0 || filter.groups == 0 || state_.only_grid(sets_)) {
        return found;
    }
    std::array<Near, kMostNearest> room;
    const std::span<Near> others = std::span<Near>(room).first(nearest.k);
    Nearest nearer = nearest;
    state_.for_each_large(sets_, [&](const auto& set) {
        // Agents farther away than the last of k do not matter any more.
        if (found.count == nearest.k) {
            const float last = radius_over(out[nearest.k - 1].distance2);
            nearer.radius = std::min(nearer.radius, last);
        }
        const std::size_t count = set.nearest(point, nearer, others, filter);
        found.count = merge_nearest(out.first(nearest.k), found.count, others.first(count));
        return true;
    });
    return found;
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PlainSets::first(const ShapesView<Dim>& path, PathHit& hit,
                                          const Filter& filter) const {
    if (const Status status = check_path(path); !status.ok()) { return {0, status}; }
    // No hit yet: later than any hit.
    PathHit best{std::numeric_limits<float>::infinity(), kNoId};
    const auto ask = [&](Sets some) {
        state_.for_each_set(some & sets_, [&](const auto& set) {
            // Each set is asked about the path only up to the best hit so far.
            const auto part = best.id == kNoId ? std::nullopt : until(path, best.time);
            best = first_in(set, part ? ShapesView<Dim>::one(*part) : path, filter, best);
            return true;
        });
    };
    // A tree's cost follows from what the path hits, the grid's from how far along the path it has
    // to look.
    const bool large_first = state_.is_sparse_for(path);
    ask(large_first ? kLarge : Sets::small);
    ask(large_first ? Sets::small : kLarge);
    if (best.id == kNoId) { return {}; }
    hit = best;
    return {1, {}};
}

template <std::size_t Dim>
Status Crowd<Dim>::State::PlainSets::hits(const ShapesView<Dim>& path, std::vector<PathHit>& out,
                                          const Filter& filter) const {
    if (state_.only_grid(sets_)) { return state_.grid.hits(path, out, filter); }
    if (const Status status = check_path(path); !status.ok()) { return status; }
    out.clear();
    state_.for_each_set(sets_, [&](const auto& set) {
        add_path_hits(set, path, filter, out);
        return true;
    });
    std::sort(out.begin(), out.end());
    return {};
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template bool Crowd<Dim>::State::is_sparse_for(const ShapesView<Dim>&) const noexcept;         \
    template SearchPlan Crowd<Dim>::State::plan(const ShapesView<Dim>&, const Filter&)             \
        const noexcept;                                                                            \
    template class Crowd<Dim>::State::PlainSets;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
