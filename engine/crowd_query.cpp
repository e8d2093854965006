// Questions to a crowd: to the grid first, then to giants and statics.
#include "crowd.hpp"

#include "crowd_images.hpp"
#include "crowd_state.hpp"
#include "hits_merge.hpp"
#include "path_choice.hpp"
#include "shape_gate.hpp"
#include "shape_images.hpp"

#include <algorithm>

namespace throng {

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found Crowd<Dim>::visit(const Shape& shape, Visitor visitor, const Filter& filter,
                        Sets sets) const {
    const Phase::Reading reading(state_->phase);
    if (state_->world.wraps) { return Images(*state_, sets).visit(shape, visitor, filter); }
    if (const Status status = check_shape(shape); !status.ok()) { return {0, status}; }
    bool more = true;
    Found found;
    const auto until_enough = [&](std::span<const Id> run) { return more = visitor(run); };
    if (has(sets, Sets::small)) {
        found.count += state_->grid.visit(shape, until_enough, filter).count;
    }
    if (!more) { return found; }
    state_->for_each_large(sets, [&](const auto& set) {
        found.count += set.visit(shape, until_enough, filter).count;
        return more;
    });
    return found;
}

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found Crowd<Dim>::query(const Shape& shape, std::span<Id> out, const Filter& filter,
                        Sets sets) const {
    const Phase::Reading reading(state_->phase);
    if (state_->world.wraps) { return Images(*state_, sets).query(shape, out, filter); }
    if (state_->only_grid(sets)) { return state_->grid.query(shape, out, filter); }
    if (const Status status = check_shape(shape); !status.ok()) { return {0, status}; }
    Found found;
    if (has(sets, Sets::small)) { found = state_->grid.query(shape, out, filter); }
    state_->for_each_large(sets, [&](const auto& set) {
        (void)set.visit(
            shape,
            [&](std::span<const Id> run) {
                if (found.count < out.size()) {
                    std::copy_n(run.data(), std::min(run.size(), out.size() - found.count),
                                out.data() + found.count);
                }
                found.count += run.size();
                return true;
            },
            filter);
        return true;
    });
    return found;
}

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Status Crowd<Dim>::query_all(std::span<const Shape> shapes, Hits& hits, const Filter& filter,
                             Sets sets) const {
    const Phase::Reading reading(state_->phase);
    if (state_->world.wraps) { return Images(*state_, sets).query_all(shapes, hits, filter); }
    Filter of_small = filter;
    if (!has(sets, Sets::small)) { of_small.groups = 0; } // nobody
    Status status = state_->grid.query(shapes, hits, of_small);
    if (!status.ok()) { return status; }
    Hits more;
    state_->for_each_large(sets, [&](const auto& set) {
        status = set.query(shapes, more, filter);
        if (status.ok()) { append_each(hits, more); }
        return status.ok();
    });
    return status;
}

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found Crowd<Dim>::count(const Shape& shape, const Filter& filter, Sets sets) const {
    const Phase::Reading reading(state_->phase);
    if (state_->world.wraps) { return Images(*state_, sets).count(shape, filter); }
    if (state_->only_grid(sets)) { return state_->grid.count(shape, filter); }
    if (const Status status = check_shape(shape); !status.ok()) { return {0, status}; }
    Found found;
    if (has(sets, Sets::small)) { found = state_->grid.count(shape, filter); }
    state_->for_each_large(sets, [&](const auto& set) {
        found.count += set.count(shape, filter).count;
        return true;
    });
    return found;
}

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found Crowd<Dim>::any(const Shape& shape, const Filter& filter, Sets sets) const {
    const Phase::Reading reading(state_->phase);
    if (state_->world.wraps) { return Images(*state_, sets).any(shape, filter); }
    if (state_->only_grid(sets)) { return state_->grid.any(shape, filter); }
    if (const Status status = check_shape(shape); !status.ok()) { return {0, status}; }
    const auto any_small = [&] {
        return has(sets, Sets::small) && state_->grid.any(shape, filter).count != 0;
    };
    const auto any_large = [&] {
        bool any = false;
        state_->for_each_large(sets, [&](const auto& set) {
            any = set.any(shape, filter).count != 0;
            return !any;
        });
        return any;
    };
    // Where the grid will hardly find anybody, the others, who cost less, are asked first.
    const bool large_first = PathChoice<Dim>::is_sparse(state_->grid, shape);
    const bool any = large_first ? any_large() || any_small() : any_small() || any_large();
    return {any ? std::size_t{1} : 0, {}};
}

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Status Crowd<Dim>::refusal_of(const Shape& shape) const noexcept {
    return state_->world.wraps ? ShapeImages<Shape, Dim>(state_->world, shape).status()
                               : check_shape(shape);
}

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
CrowdStats Crowd<Dim>::explain(const Shape& shape, const Filter& filter, Sets sets) const {
    const Phase::Reading reading(state_->phase);
    CrowdStats stats;
    stats.status = refusal_of(shape);
    if (!stats.status.ok()) { return stats; }
    if (state_->world.wraps) {
        const auto hits = [&](Sets set) {
            if (!has(sets, set)) { return std::size_t{0}; }
            return Images(*state_, set).count(shape, filter).count;
        };
        stats.small = hits(Sets::small);
        stats.giants = hits(Sets::giants);
        stats.statics = hits(Sets::statics);
        return stats;
    }
    if (has(sets, Sets::small)) {
        const auto plan = PathChoice<Dim>::plan(state_->grid, shape, filter);
        const QueryStats small = state_->grid.explain(shape, filter);
        stats.path = plan.path;
        stats.predicted_nanoseconds = plan.nanoseconds;
        stats.rows = small.rows;
        stats.tested = small.tested;
        stats.copied = small.copied;
        stats.small = small.hits;
    }
    if (has(sets, Sets::giants) && state_->giants.size() != 0) {
        stats.giants = state_->giants.count(shape, filter).count;
    }
    if (has(sets, Sets::statics) && state_->statics->size() != 0) {
        stats.statics = state_->statics->count(shape, filter).count;
    }
    return stats;
}

#define THRONG_FOR_SHAPE(Shape, Dim)                                                               \
    template Found Crowd<Dim>::query(const Shape<Dim>&, std::span<Id>, const Filter&, Sets) const; \
    template Status Crowd<Dim>::query_all(std::span<const Shape<Dim>>, Hits&, const Filter&, Sets) \
        const;                                                                                     \
    template Found Crowd<Dim>::visit(const Shape<Dim>&, Visitor, const Filter&, Sets) const;       \
    template Found Crowd<Dim>::count(const Shape<Dim>&, const Filter&, Sets) const;                \
    template Found Crowd<Dim>::any(const Shape<Dim>&, const Filter&, Sets) const;                  \
    template Status Crowd<Dim>::refusal_of(const Shape<Dim>&) const noexcept;                      \
    template CrowdStats Crowd<Dim>::explain(const Shape<Dim>&, const Filter&, Sets) const;
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE

} // namespace throng
