// Updates all agents at once: changes the lists for agents that left their leaves, or writes all
// lists anew.
#include "state.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../agents/agent_blocks.hpp"
#include "../../agents/validation.hpp"
#include "../../core/profile_scope.hpp"

#include <algorithm>
#include <atomic>

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
        // A crowd in a line gets some width, too: agents may step aside.
        const float more = std::max((home.hi[a] - home.lo[a]) * 0x1p-10f, widest * 0x1p-8f);
        home.lo[a] -= more;
        home.hi[a] += more;
    }
    return home;
}

/// Whether the changes of agents up to `id` are too many, so that all lists are to be written anew.
/// That costs about as much as changes for one agent in eight, and puts the lists in order, which
/// makes pairs faster.
bool are_many(std::size_t changes, Id id) noexcept { return changes > 256 + id / 6; }

} // namespace

Status TightQuadtree::update(const Agents<2>& agents, Executor& executor) {
    const ProfileScope profiled("TightQuadtree::update");
    State& state = *state_;
    const AccessCheck::Changing changing(state.access);
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    Status status = check_agents(agents, executor, state.claims);
    if (!status.ok()) { return status; }
    const CrowdKind<2> kind = kind_of(agents);
    const std::size_t count = agents.positions.count;
    const bool same = state.crowd.kind == kind && state.crowd.count == count &&
                      state.crowd.bound() == count && count != 0 && state.laid_out;
    bool few = false;
    if (same) { status = state.find_changes(agents, executor, few); }
    if (!status.ok()) { return status; }
    state.claims.prepare(TightElements::blocks_of(count, executor).count());
    if (few) {
        state.move_all(agents, executor);
        return {};
    }
    return state.build_anew(kind, agents, executor);
}

Status TightQuadtree::State::build_anew(const CrowdKind<2>& kind, const Agents<2>& agents,
                                        Executor& executor) {
    const bool first = !laid_out && agents.positions.count != 0;
    const TightLattice lattice =
        first ? TightLattice(home_of(agents.positions), settings.depth) : tree.lattice;
    if (const Status status = build.plan(tree, lattice, kind, agents, executor, claims);
        !status.ok()) {
        return status;
    }
    crowd.reserve(kind, agents.positions.count);

    laid_out = laid_out || first;
    tree.lattice = lattice;
    crowd.assign(kind, agents, executor, claims);
    build.fill(tree, crowd, executor, claims);
    largest = crowd.largest(executor, claims);
    list_edits = 0;
    return {};
}

Status TightQuadtree::State::find_changes(const Agents<2>& agents, Executor& executor, bool& few) {
    constexpr double kNanoseconds = 10.0; // the cost of an agent
    const std::size_t count = crowd.bound();
    few = false;
    if (list_edits > count / 2) { return {}; }
    const LoopCost cost = LoopCost::of(count, kNanoseconds);
    const AgentBlocks blocks(count, executor, cost);
    changes.resize(std::max(blocks.count(), changes.size()));
    for (Vector<Change>& list : changes) {
        list.clear();
    }
    std::atomic<bool> anew = false;
    const Status status = run_blocks(
        executor, blocks.count(),
        [&](std::size_t block) {
            if (!anew.load(std::memory_order_relaxed) &&
                !list_changes(agents, blocks.begin(block), blocks.end(block), changes[block])) {
                anew.store(true, std::memory_order_relaxed);
            }
        },
        claims, cost);
    if (!status.ok() || anew.load()) { return status; }
    // A block knows only its own changes. So are_many() is asked again about all changes, in the
    // order of the agents: then the result does not depend on the blocks.
    std::size_t listed = 0;
    std::size_t enter = 0;
    for (const Vector<Change>& list : changes) {
        for (const Change& change : list) {
            if (are_many(++listed, change.id)) { return {}; }
            enter += change.enters ? 1 : 0;
        }
    }
    tree.reserve_references(enter);
    few = true;
    return {};
}

bool TightQuadtree::State::list_changes(const Agents<2>& agents, std::size_t begin, std::size_t end,
                                        Vector<Change>& list) const {
    for (auto id = static_cast<Id>(begin); id < end; ++id) {
        const Point<2> half = crowd.kind.own_half_extents ? point_at(agents.half_extents, id)
                                                          : crowd.kind.common_half_extent;
        const LatticeRange to = tree.lattice.range(cover_of(point_at(agents.positions, id), half));
        const LatticeRange from = range_of(id);
        if (from == to) { continue; }
        if (tree.is_oversized(id)) {
            // If a shrunken agent stayed on the oversized list, every query would test it for ever.
            if (to.reach() < TightTree::kMostLeavesAcross) { return false; }
            continue;
        }
        if (to.reach() >= TightTree::kMostLeavesAcross && tree.home_of(to).oversized) {
            return false;
        }
        tree.for_changes(from, to, [&](const TightSquare& at, const TightNode&, bool enters) {
            list.push_back({at.node, at.x, at.y, at.depth, enters, id});
            return true;
        });
        if (are_many(list.size(), id)) { return false; }
    }
    return true;
}

void TightQuadtree::State::move_all(const Agents<2>& agents, Executor& executor) noexcept {
    crowd.assign(crowd.kind, agents, executor, claims);
    if (crowd.kind.own_half_extents) { widen(crowd.largest(executor, claims)); }
    for (const Vector<Change>& list : changes) {
        for (const Change& change : list) {
            if (change.enters) {
                tree.add_reference(change.node, change.id);
                ++list_edits;
            } else {
                tree.remove_reference({change.node, change.x, change.y, change.depth}, change.id);
            }
        }
    }
    // Splits only now, after agents that leave have made room for agents that enter.
    for (const Vector<Change>& list : changes) {
        for (const Change& change : list) {
            if (change.enters &&
                tree.node(change.node).count > static_cast<std::int32_t>(tree.split_above)) {
                tree.split_leaves(range_of(change.id), crowd);
            }
        }
    }
}

} // namespace throng
