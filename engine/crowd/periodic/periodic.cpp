// Questions to a crowd in a periodic world, except about pairs and the nearest.
#include "periodic.hpp"

#include "../../answers/id_runs.hpp"
#include "../../answers/merge.hpp"
#include "../../grid/planner/query_planner.hpp"
#include "../../grid/store/state.hpp"
#include "periodic_shape.hpp"
#include "sources.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <new>
#include <optional>
#include <vector>

namespace throng {

template <std::size_t Dim>
Agent<Dim> Crowd<Dim>::State::PeriodicCopies::agent_of(const RowGrid<Dim>& grid, Id id) noexcept {
    const auto& state = detail::state_of(grid);
    const RowStore<Dim>& store = state.store;
    const std::uint32_t r = state.row_of[id];
    const NodeWords<Dim> node = store.node(store.rows()[r], store.slot_of(r, id));
    Agent<Dim> agent{position_of<Dim>(node), store.kind().common_half_extent, {}};
    if (store.kind().own_half_extents) {
        for (std::size_t a = 0; a < Dim; ++a) {
            (*agent.half_extent)[a] =
                std::bit_cast<float>(node[simd::Fields<Dim>::kHalfExtent + a]);
        }
    }
    return agent;
}

template <std::size_t Dim>
const Point<Dim>& Crowd<Dim>::State::PeriodicCopies::largest_of(const RowGrid<Dim>& grid) noexcept {
    return detail::state_of(grid).max_half_extent;
}

template <std::size_t Dim>
Point<Dim> Crowd<Dim>::State::largest(Sets sets) const noexcept {
    Point<Dim> largest{};
    const auto widen = [&](const Point<Dim>& half) {
        for (std::size_t a = 0; a < Dim; ++a) {
            largest[a] = std::max(largest[a], half[a]);
        }
        return true;
    };
    if (has(sets, Sets::small)) { widen(detail::state_of(grid).max_half_extent); }
    for_each_large(sets, [&](const auto& set) { return widen(set.largest()); });
    return largest;
}

namespace {

/// Where the agents are that a shape may hit.
template <std::size_t Dim>
struct HitRange {
    Box<Dim> bounds;
    Point<Dim> reach{}; ///< how far from the bounds
    double slack;       ///< more than rounding can move the bounds of a copy

    HitRange(const WorldWrap<Dim>& world, const ShapesView<Dim>& shape,
             const Point<Dim>& largest) noexcept
        : bounds(bounds_of(shape)), slack(world.slack) {
        if (!finds_centres(shape.kind)) { reach = cover_of(Point<Dim>{}, largest).hi; }
        if (!axes_mix(shape.kind)) { return; }
        for (std::size_t a = 0; a < Dim; ++a) {
            if (world.periodic[a]) { continue; }
            slack += WorldWrap<Dim>::slack_of(bounds.lo[a], bounds.hi[a]);
        }
    }
};

/// Whether this is one shape that a crowd answers, and it is not inverted: in a periodic world an
/// inverted shape finds nothing, though rounding may turn one of its copies round.
template <std::size_t Dim>
[[nodiscard]] bool is_sound(const ShapesView<Dim>& shape) noexcept {
    return check_shape(shape).ok() && (shape.kind == ShapeKind::ball || !is_inverted(shape));
}

/// Whether this is a ball or a box that keeps inside, by a quick look: most do. Comparisons with
/// NaN are false.
template <std::size_t Dim>
[[nodiscard]] bool is_far_inside(const WorldWrap<Dim>& world, const ShapesView<Dim>& shape,
                                 const Point<Dim>& reach) noexcept {
    if (shape.count != 1 || shape.shapes == nullptr) { return false; }
    bool inside = true;
    const auto look = [&](float lo, float hi, std::size_t a) {
        inside &= lo - reach[a] > world.inner.lo[a] && hi + reach[a] < world.inner.hi[a];
    };
    if (shape.kind == ShapeKind::ball) {
        const Ball<Dim>& ball = shape.template as<Ball<Dim>>().front();
        for (std::size_t a = 0; a < Dim; ++a) {
            look(ball.centre[a] - ball.radius, ball.centre[a] + ball.radius, a);
        }
        return inside && ball.radius >= 0.0f;
    }
    if (shape.kind != ShapeKind::box) { return false; }
    const Box<Dim>& box = shape.template as<Box<Dim>>().front();
    for (std::size_t a = 0; a < Dim; ++a) {
        look(box.lo[a], box.hi[a], a);
        inside &= box.lo[a] <= box.hi[a];
    }
    return inside;
}

} // namespace

template <std::size_t Dim>
bool Crowd<Dim>::State::is_plain_in_periods(const ShapesView<Dim>& shape,
                                            Sets sets) const noexcept {
    if (only_grid(sets) && is_far_inside(world, shape, detail::state_of(grid).max_half_extent)) {
        return true;
    }
    if (!is_sound(shape)) { return false; }
    const HitRange<Dim> range(world, shape, largest(sets));
    return world.keeps_inside(range.bounds, range.reach, range.slack);
}

template <std::size_t Dim>
NarrowCopies<Dim> Crowd<Dim>::State::narrow_copies(const ShapesView<Dim>& shape,
                                                   const Point<Dim>& largest) const noexcept {
    if (!is_sound(shape)) { return {}; }
    const HitRange<Dim> range(world, shape, largest);
    return {world, anchor(shape), range.bounds, range.reach, range.slack};
}

template <std::size_t Dim>
bool Crowd<Dim>::State::PeriodicCopies::all_inside(const State& state) noexcept {
    const WorldWrap<Dim>& world = state.world;
    const auto is_inside = [&](const Point<Dim>& position) {
        bool inside = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            inside = inside && (!world.periodic[a] || (world.bounds.lo[a] <= position[a] &&
                                                       position[a] < world.bounds.hi[a]));
        }
        return inside;
    };
    // Goes over slots, not over all names below the bound: a crowd of one agent, read from an
    // archive, may give that agent the last name there is.
    const auto all_of = [&](const auto& set) {
        for (const Id name : set.name_of_slot()) {
            if (name != kNoId && !is_inside(agent_of(set, name).position)) { return false; }
        }
        return true;
    };
    // Row by row: a search for each id in its row would take quadratic time in the row's length.
    const RowStore<Dim>& store = detail::state_of(state.grid).store;
    for (const auto& row : store.rows()) {
        for (std::uint32_t slot = 0; slot < row.count; ++slot) {
            if (!is_inside(position_of<Dim>(store.node(row, slot)))) { return false; }
        }
    }
    return all_of(state.giants) && all_of(*state.statics);
}

template <std::size_t Dim>
typename Crowd<Dim>::State::PlainSets Crowd<Dim>::State::PeriodicCopies::plain() const noexcept {
    return {state_, sets_};
}

template <std::size_t Dim>
template <class Ask>
std::optional<Found> Crowd<Dim>::State::PeriodicCopies::sum_of_narrow(const ShapesView<Dim>& shape,
                                                                      const Ask& ask) const {
    const NarrowCopies<Dim> copies = state_.narrow_copies(shape, state_.largest(sets_));
    if (!copies.narrow()) { return std::nullopt; }
    Found found = ask(shape);
    for (std::size_t i = 1; i <= copies.count() && found.status.ok(); ++i) {
        const Found more = ask(shifted(shape, copies.offset(i)).view());
        found = {found.count + more.count, more.status};
    }
    return found;
}

template <std::size_t Dim>
template <class Near, class Ask>
void Crowd<Dim>::State::PeriodicCopies::for_each_copy(const Near& near, const Ask& ask) const {
    bool more = true;
    for (std::size_t i = 0; i < near.size() && more; ++i) {
        state_.for_each_set(sets_, [&](const auto& set) {
            return more = !near.may_reach(i, largest_of(set)) || ask(set, i);
        });
    }
}

template <std::size_t Dim>
Status Crowd<Dim>::State::PeriodicCopies::refusal_of(const ShapesView<Dim>& shape) const noexcept {
    return PeriodicShape<Dim>(world_, shape).status();
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PeriodicCopies::visit(const ShapesView<Dim>& shape, IndexVisitor visitor,
                                               const Filter& filter) const {
    bool more = true;
    const auto until_enough = [&](std::span<const Id> run) { return more = visitor(run); };
    const auto ask = [&](const ShapesView<Dim>& copy) {
        return more ? plain().visit(copy, until_enough, filter) : Found{};
    };
    if (const auto found = sum_of_narrow(shape, ask)) { return *found; }
    const PeriodicShape<Dim> copies(world_, shape);
    if (!copies.status().ok()) { return {0, copies.status()}; }
    IdRuns runs(visitor);
    const auto near = copies.reaching(state_.largest(sets_));
    for_each_copy(near, [&](const auto& set, std::size_t i) {
        const auto is_new = [&](Id id) {
            if (i == 0 || !near.may_hit_twice()) { return true; }
            const Agent<Dim> agent = agent_of(set, id);
            return near.is_first(i, agent.position, *agent.half_extent);
        };
        const auto pass_on = [&](std::span<const Id> run) {
            for (const Id id : run) {
                if (is_new(id) && !runs.add(id)) { return more = false; }
            }
            return true;
        };
        (void)set.visit(near[i].view(), pass_on, filter);
        return more;
    });
    return runs.finish();
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PeriodicCopies::query(const ShapesView<Dim>& shape, std::span<Id> out,
                                               const Filter& filter) const {
    std::size_t found = 0;
    const auto ask = [&](const ShapesView<Dim>& copy) {
        const Found some = plain().query(copy, out.subspan(std::min(found, out.size())), filter);
        found += some.count;
        return some;
    };
    if (const auto sum = sum_of_narrow(shape, ask)) { return *sum; }
    const PeriodicShape<Dim> copies(world_, shape);
    if (!copies.status().ok()) { return {0, copies.status()}; }
    const auto near = copies.reaching(state_.largest(sets_));
    if (near.may_hit_twice()) {
        const auto take = [&](std::span<const Id> run) {
            put_clipped(run, found, out);
            found += run.size();
            return true;
        };
        return visit(shape, take, filter);
    }
    for_each_copy(near, [&](const auto& set, std::size_t i) {
        const std::span<Id> room = out.subspan(std::min(found, out.size()));
        found += set.query(near[i].view(), room, filter).count;
        return true;
    });
    return {found, {}};
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PeriodicCopies::any(const ShapesView<Dim>& shape,
                                             const Filter& filter) const {
    bool any = false;
    const auto ask = [&](const ShapesView<Dim>& copy) {
        if (any) { return Found{}; }
        const Found found = plain().any(copy, filter);
        any = found.count != 0;
        return found;
    };
    if (const auto found = sum_of_narrow(shape, ask)) { return *found; }
    const auto stop = [](std::span<const Id>) { return false; };
    const Found found = visit(shape, stop, filter);
    return Found::of(found.count == 0 ? 0 : 1, found.status);
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PeriodicCopies::count(const ShapesView<Dim>& shape,
                                               const Filter& filter) const {
    const auto ask = [&](const ShapesView<Dim>& copy) { return plain().count(copy, filter); };
    if (const auto found = sum_of_narrow(shape, ask)) { return *found; }
    const PeriodicShape<Dim> copies(world_, shape);
    if (!copies.status().ok()) { return {0, copies.status()}; }
    const auto near = copies.reaching(state_.largest(sets_));
    if (near.may_hit_twice()) {
        return visit(
            shape, [](std::span<const Id>) { return true; }, filter);
    }
    std::size_t found = 0;
    for_each_copy(near, [&](const auto& set, std::size_t i) {
        found += set.count(near[i].view(), filter).count;
        return true;
    });
    return {found, {}};
}

template <std::size_t Dim>
CrowdStats Crowd<Dim>::State::PeriodicCopies::explain(const ShapesView<Dim>& shape,
                                                      const Filter& filter) const {
    CrowdStats stats;
    stats.status = refusal_of(shape);
    if (!stats.status.ok()) { return stats; }
    const auto hits = [&](Sets set) {
        return PeriodicCopies(state_, sets_ & set).count(shape, filter).count;
    };
    stats.small = hits(Sets::small);
    stats.giants = hits(Sets::giants);
    stats.statics = hits(Sets::statics);
    return stats;
}

template <std::size_t Dim>
Status Crowd<Dim>::State::PeriodicCopies::query(const ShapesView<Dim>& shapes, Hits& hits,
                                                const Filter& filter) const {
    if (const Status status = check_kind(shapes); !status.ok()) { return status; }
    for (std::size_t q = 0; q < shapes.count; ++q) {
        Status status = refusal_of(shapes.part(q, 1));
        status.index = q;
        if (!status.ok()) { return status; }
    }
    hits.ids.clear();
    hits.offsets.assign(1, 0);
    for (std::size_t q = 0; q < shapes.count; ++q) {
        const Found found = visit(
            shapes.part(q, 1),
            [&](std::span<const Id> run) {
                hits.ids.insert(hits.ids.end(), run.begin(), run.end());
                return true;
            },
            filter);
        hits.offsets.push_back(hits.offsets.back() + found.count);
    }
    return {};
}

/// Whether no copy hits the agent of this hit earlier.
template <std::size_t Dim>
template <class Set, class Near>
bool Crowd<Dim>::State::PeriodicCopies::is_earliest(const Set& set, const Near& near,
                                                    const PathHit& hit) noexcept {
    const Agent<Dim> agent = agent_of(set, hit.id);
    return !near.hits_before(hit.time, agent.position, *agent.half_extent);
}

/// The first hit of copy i after `after` that comes before `best` and is its agent's earliest; else
/// `best`. A hit may be an agent's second one, after an earlier hit by another copy. There may be
/// many of these, so hits are read page by page.
template <std::size_t Dim>
template <class Set, class Near>
PathHit Crowd<Dim>::State::PeriodicCopies::first_earliest(const Set& set, const Near& near,
                                                          std::size_t i, const Filter& filter,
                                                          const PathHit& best, PathHit after) {
    std::array<PathHit, 256> room;
    for (;;) {
        simd::HitPage page = page_in(room);
        add_hits_after(set, after, near[i].view(), filter, page);
        const std::span<PathHit> hits = std::span<PathHit>(room).first(page.count);
        std::sort(hits.begin(), hits.end());
        for (const PathHit& hit : hits) {
            if (!(hit < best)) { return best; }
            if (is_earliest(set, near, hit)) { return hit; }
        }
        if (hits.size() < room.size()) { return best; }
        after = hits.back();
    }
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PeriodicCopies::first(const ShapesView<Dim>& path, PathHit& hit,
                                               const Filter& filter, const PathHit& after) const {
    if (const Status status = check_path(path); !status.ok()) { return {0, status}; }
    const PeriodicShape<Dim> copies(world_, path);
    if (!copies.status().ok()) { return {0, copies.status()}; }
    // No hit yet: later than any hit.
    PathHit best{std::numeric_limits<float>::infinity(), kNoId};
    state_.for_each_set(sets_, [&](const auto& set) {
        const auto near = copies.reaching(largest_of(set));
        for (std::size_t i = 0; i < near.size(); ++i) {
            const PathHit next = first_in(set, near[i].view(), filter, best, after);
            if (next == best || after.time < 0.0f || is_earliest(set, near, next)) {
                best = next;
            } else {
                best = first_earliest(set, near, i, filter, best, next);
            }
        }
        return true;
    });
    if (best.id == kNoId) { return {}; }
    hit = best;
    return {1, {}};
}

template <std::size_t Dim>
std::optional<std::size_t>
Crowd<Dim>::State::PeriodicCopies::list_after(const PathHit& after, const ShapesView<Dim>& path,
                                              std::span<PathHit> out, const Filter& filter) const {
    try {
        std::vector<PathHit> all;
        (void)hits(path, all, filter); // refuses nothing: the path has been checked
        const auto next = std::upper_bound(all.begin(), all.end(), after);
        const std::size_t count = std::min(out.size(), static_cast<std::size_t>(all.end() - next));
        std::copy_n(next, count, out.begin());
        return count;
    } catch (const std::bad_alloc&) { return std::nullopt; }
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PeriodicCopies::hits_after(const PathHit& after,
                                                    const ShapesView<Dim>& path,
                                                    std::span<PathHit> out,
                                                    const Filter& filter) const {
    const bool sound = check_path(path).ok() && refusal_of(path).ok();
    if (sound && out.size() >= kFewHits) {
        if (const auto count = list_after(after, path, out, filter)) { return {*count, {}}; }
    }
    return first(path, out.front(), filter, after);
}

template <std::size_t Dim>
Status Crowd<Dim>::State::PeriodicCopies::hits(const ShapesView<Dim>& path,
                                               std::vector<PathHit>& out,
                                               const Filter& filter) const {
    if (const Status status = check_path(path); !status.ok()) { return status; }
    const PeriodicShape<Dim> copies(world_, path);
    if (!copies.status().ok()) { return copies.status(); }
    out.clear();
    state_.for_each_set(sets_, [&](const auto& set) {
        const auto near = copies.reaching(largest_of(set));
        for (std::size_t i = 0; i < near.size(); ++i) {
            add_path_hits(set, near[i].view(), filter, out);
        }
        return true;
    });
    // Keep the earliest hit of each agent.
    std::sort(out.begin(), out.end(), [](const PathHit& a, const PathHit& b) {
        return a.id != b.id ? a.id < b.id : a.time < b.time;
    });
    const auto same_agent = [](const PathHit& a, const PathHit& b) { return a.id == b.id; };
    out.erase(std::unique(out.begin(), out.end(), same_agent), out.end());
    std::sort(out.begin(), out.end());
    return {};
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Point<Dim> Crowd<Dim>::State::largest(Sets) const noexcept;                           \
    template NarrowCopies<Dim> Crowd<Dim>::State::narrow_copies(const ShapesView<Dim>&,            \
                                                                const Point<Dim>&) const noexcept; \
    template bool Crowd<Dim>::State::is_plain_in_periods(const ShapesView<Dim>&, Sets)             \
        const noexcept;                                                                            \
    template class Crowd<Dim>::State::PeriodicCopies;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
