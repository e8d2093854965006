// All agents at once: changes the lists of agents that left their leaves, or writes all lists anew.
#include "state.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../agents/validation.hpp"
#include "../../core/profile_scope.hpp"

#include <algorithm>

namespace throng {

namespace {

Point<2> point_at(const PointView<2>& view, std::size_t i) noexcept {
    return {{view.values(0)[i], view.values(1)[i]}};
}

/// The bounds of a first crowd, a little wider, so that an agent at the border may take a step.
Box<2> home_of(const PointView<2>& positions) noexcept {
    Box<2> home = Box<2>::at(point_at(positions, 0));
    for (std::size_t i = 1; i < positions.count; ++i) {
        const Point<2> point = point_at(positions, i);
        for (std::size_t a = 0; a < 2; ++a) {
            home.lo[a] = std::min(home.lo[a], point[a]);
            home.hi[a] = std::max(home.hi[a], point[a]);
        }
    }
    const float widest = std::max(home.hi[0] - home.lo[0], home.hi[1] - home.lo[1]);
    for (std::size_t a = 0; a < 2; ++a) {
        // A crowd in a line has neighbours beside it too.
        const float more = std::max((home.hi[a] - home.lo[a]) * 0x1p-10f, widest * 0x1p-8f);
        home.lo[a] -= more;
        home.hi[a] += more;
    }
    return home;
}

} // namespace

Status TightQuadtree::update(const Agents<2>& agents, Executor&) {
    const ProfileScope profiled("TightQuadtree::update");
    State& state = *state_;
    const AccessCheck::Changing changing(state.access);
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    if (const Status status = check_agents(agents); !status.ok()) { return status; }
    const CrowdKind<2> kind = kind_of(agents);
    const std::size_t count = agents.positions.count;
    const bool same = state.crowd.kind == kind && state.crowd.count == count &&
                      state.crowd.bound() == count && count != 0 && state.laid_out;
    if (!same || !state.move_all(agents)) { state.build_anew(kind, agents); }
    return {};
}

void TightQuadtree::State::build_anew(const CrowdKind<2>& kind, const Agents<2>& agents) {
    const bool first = !laid_out && agents.positions.count != 0;
    const TightLattice lattice =
        first ? TightLattice(home_of(agents.positions), settings.depth) : tree.lattice;
    build.plan(tree, lattice, kind, agents);
    crowd.reserve(kind, agents.positions.count);

    laid_out = laid_out || first;
    tree.lattice = lattice;
    crowd.assign(kind, agents);
    build.fill(tree, crowd);
    largest = {};
    widen_for_all();
    list_edits = 0;
}

void TightQuadtree::State::widen_for_all() noexcept {
    if (!crowd.kind.own_half_extents) {
        widen(crowd.kind.common_half_extent);
        return;
    }
    for (std::size_t a = 0; a < 2; ++a) {
        for (const float half : crowd.half_extent[a]) {
            largest[a] = std::max(largest[a], half);
        }
    }
}

bool TightQuadtree::State::move_all(const Agents<2>& agents) {
    const std::size_t count = crowd.bound();
    // Lists that are written anew cost about as much as changes for one agent in eight, and lie in
    // order then, which makes pairs faster. Many changes are noticed early.
    if (list_edits > count / 2) { return false; }
    changes.clear();
    std::size_t enter = 0;
    for (Id id = 0; id < count; ++id) {
        const Point<2> half = crowd.kind.own_half_extents ? point_at(agents.half_extents, id)
                                                          : crowd.kind.common_half_extent;
        const LatticeRange to = tree.lattice.range(cover_of(point_at(agents.positions, id), half));
        const LatticeRange from = range_of(id);
        if (from == to) { continue; }
        if (tree.is_oversized(id)) {
            // Every query would test it for ever, though it has shrunk.
            if (to.reach() < TightTree::kMostLeavesAcross) { return false; }
            continue;
        }
        if (to.reach() >= TightTree::kMostLeavesAcross && tree.home_of(to).oversized) {
            return false;
        }
        tree.for_changes(from, to, [&](const TightSquare& at, const TightNode&, bool enters) {
            changes.push_back({at.node, at.x, at.y, at.depth, enters, id});
            enter += enters ? 1 : 0;
            return true;
        });
        if (changes.size() > 256 + id / 6) { return false; }
    }
    tree.reserve_references(enter);

    crowd.assign(crowd.kind, agents);
    if (crowd.kind.own_half_extents) { widen_for_all(); }
    for (const Change& change : changes) {
        if (change.enters) {
            tree.add_reference(change.node, change.id);
        } else {
            tree.remove_reference({change.node, change.x, change.y, change.depth}, change.id);
        }
    }
    // Only now, so that agents that leave make room for those that enter.
    for (const Change& change : changes) {
        if (change.enters &&
            tree.node(change.node).count > static_cast<std::int32_t>(tree.split_above)) {
            tree.split_leaves(range_of(change.id), crowd);
        }
    }
    list_edits += enter;
    return true;
}

} // namespace throng
