// Changes of one agent at a time, and facts about the whole tree.
#include "state.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../agents/validation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace throng {

TightQuadtree::TightQuadtree() : state_(std::make_unique<State>()) { state_->lay_out({}); }
TightQuadtree::~TightQuadtree() = default;
TightQuadtree::TightQuadtree(TightQuadtree&&) noexcept = default;
TightQuadtree& TightQuadtree::operator=(TightQuadtree&&) noexcept = default;

void TightQuadtree::State::lay_out(const Box<2>& bounds) noexcept {
    tree.lattice = TightLattice(bounds, settings.depth);
    tree.split_above = settings.split_above;
}

Status TightQuadtree::configure(const Box<2>& bounds, const TightSettings& settings,
                                const CrowdKind<2>& kind) {
    State& state = *state_;
    const AccessCheck::Changing changing(state.access);
    if (const Status status = check_bounds(bounds); !status.ok()) { return status; }
    if (settings.depth == 0 || settings.depth > TightSettings::kMostDepth) {
        return {Cause::out_of_range, Argument::cell, 0};
    }
    if (settings.split_above == 0 || settings.split_above > TightSettings::kMostElements) {
        return {Cause::out_of_range, Argument::cell, 1};
    }
    if (const Status status = check_kind(kind); !status.ok()) { return status; }

    state.crowd.clear();
    state.tree.clear();
    state.crowd.kind = kind;
    if (kind.own_half_extents) { state.crowd.kind.common_half_extent = {}; }
    state.settings = settings;
    state.lay_out(bounds);
    state.laid_out = true;
    state.largest = {};
    state.list_edits = 0;
    return {};
}

void TightQuadtree::State::reserve_for(const TightTree::Home& home, Id id,
                                       const LatticeRange& range) {
    needs.clear();
    for (std::size_t i = 0; i < home.count; ++i) {
        const TightNode& leaf = tree.node(home.leaf[i].node);
        if (leaf.count < static_cast<std::int32_t>(tree.split_above) ||
            home.leaf[i].depth == tree.lattice.depth()) {
            continue;
        }
        needs.ids.assign(1, id);
        for (std::uint32_t r = leaf.first; r != TightTree::kNone; r = tree.references[r].next) {
            needs.ids.push_back(tree.references[r].element);
        }
        needs.add(tree, tree.lattice, home.leaf[i],
                  [&](Id other) { return other == id ? range : range_of(other); });
    }
    const std::size_t oversized = needs.oversized + (home.oversized ? 1 : 0);
    if (oversized != 0) { tree.reserve_oversized(oversized, crowd.bound()); }
    tree.reserve_references(home.count + needs.references);
    if (needs.blocks != 0) { tree.reserve_blocks(needs.blocks); }
}

void TightQuadtree::State::widen(const Point<2>& half_extent) noexcept {
    for (std::size_t a = 0; a < 2; ++a) {
        largest[a] = std::max(largest[a], half_extent[a]);
    }
}

Status TightQuadtree::insert(Id id, const Agent<2>& agent) {
    State& state = *state_;
    const AccessCheck::Changing changing(state.access);
    TightElements& crowd = state.crowd;
    TightTree& tree = state.tree;
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    if (const Status status = check_agent(agent, crowd.kind); !status.ok()) { return status; }
    if (id >= kMaxAgents) { return {Cause::too_many, Argument::id, id}; }
    if (crowd.contains(id)) { return {Cause::id_taken, Argument::id, id}; }

    const Point<2> half = agent.half_extent.value_or(crowd.kind.common_half_extent);
    const Box<2> cover = cover_of(agent.position, half);
    crowd.grow(std::size_t{id} + 1);
    if (!state.laid_out && crowd.count == 0) {
        const float around =
            std::min(std::max(512.0f * (cover.hi[0] - cover.lo[0]), 512.0f), kLargest);
        tree.clear();
        state.lay_out(Box<2>::around(agent.position, Point<2>::all(around)));
    }
    const LatticeRange range = tree.lattice.range(cover);
    const TightTree::Home home = tree.home_of(range);
    state.reserve_for(home, id, range);

    crowd.store(id, agent);
    ++crowd.count;
    state.widen(half);
    tree.link(id, home);
    state.list_edits += home.count;
    tree.split_leaves(range, crowd);
    return {};
}

Status TightQuadtree::erase(Id id) {
    State& state = *state_;
    const AccessCheck::Changing changing(state.access);
    if (!state.crowd.contains(id)) { return {Cause::id_unknown, Argument::id, id}; }
    state.tree.unlink(id, state.range_of(id));
    state.crowd.position[0][id] = TightElements::kNoAgent;
    --state.crowd.count;
    return {};
}

Status TightQuadtree::move(Id id, const Point<2>& position) {
    State& state = *state_;
    const AccessCheck::Changing changing(state.access);
    if (!state.crowd.contains(id)) { return {Cause::id_unknown, Argument::id, id}; }
    if (const Status status = check_point(position, Argument::positions); !status.ok()) {
        return status;
    }
    state.move(id, position);
    return {};
}

void TightQuadtree::State::move(Id id, const Point<2>& position) {
    const auto store = [&] {
        crowd.position[0][id] = position[0];
        crowd.position[1][id] = position[1];
    };
    const LatticeRange from = range_of(id);
    const LatticeRange to = tree.lattice.range(cover_of(position, crowd.half_extent_of(id)));
    if (from == to) {
        store();
        return;
    }
    const TightTree::Home home = tree.home_of(to);
    reserve_for(home, id, to);
    if (home.oversized || tree.is_oversized(id)) {
        tree.unlink(id, from);
        tree.link(id, home);
        list_edits += home.count;
    } else {
        tree.for_changes(from, to, [&](const TightSquare& at, const TightNode&, bool enters) {
            if (enters) {
                tree.add_reference(at.node, id);
                ++list_edits;
            } else {
                tree.remove_reference(at, id);
            }
            return true;
        });
    }
    store();
    tree.split_leaves(to, crowd);
}

void TightQuadtree::cleanup() noexcept {
    const AccessCheck::Changing changing(state_->access);
    state_->tree.cleanup();
}

void TightQuadtree::clear() noexcept {
    const AccessCheck::Changing changing(state_->access);
    state_->crowd.clear();
    state_->tree.clear();
    state_->largest = {};
    state_->list_edits = 0;
}

void TightQuadtree::visit_cells(IndexCellVisitor<2> visitor) const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const TightTree& tree = state.tree;
    const unsigned all = 1u << tree.lattice.depth();
    if (!tree.oversized.empty() && !visitor({tree.lattice.box_of(0, 0, all), 0,
                                             static_cast<std::uint32_t>(tree.oversized.size())})) {
        return;
    }
    const auto last = static_cast<std::uint16_t>(all - 1);
    bool more = true;
    tree.for_leaves(
        {0, 0, last, last},
        [&](const TightSquare& at) {
            const TightNode& here = tree.node(at.node);
            more = more && visitor({tree.lattice.box_of(at.x, at.y, tree.width_of(at)), at.depth,
                                    here.is_leaf() ? static_cast<std::uint32_t>(here.count) : 0});
            return more;
        },
        [](const TightSquare&, const TightNode&) { return true; });
}

std::size_t TightQuadtree::order(std::span<Id> out) const noexcept {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const TightTree& tree = state.tree;
    std::size_t written = 0;
    for (std::size_t i = 0; i < tree.oversized.size() && written < out.size(); ++i) {
        out[written++] = tree.oversized[i];
    }
    tree.for_all_leaves([&](const TightSquare& at, const TightNode& leaf) {
        for (std::uint32_t r = leaf.first; r != TightTree::kNone && written < out.size();
             r = tree.references[r].next) {
            const Id id = tree.references[r].element;
            // Lists an agent only in the leaf where its cover begins.
            const LatticeRange range = state.range_of(id);
            if (range.lo_x >= at.x && range.lo_y >= at.y) { out[written++] = id; }
        }
        return written < out.size();
    });
    return state.crowd.count;
}

std::size_t TightQuadtree::size() const noexcept { return state_->crowd.count; }
bool TightQuadtree::contains(Id id) const noexcept { return state_->crowd.contains(id); }
const Box<2>& TightQuadtree::bounds() const noexcept { return state_->tree.lattice.bounds(); }
const TightSettings& TightQuadtree::settings() const noexcept { return state_->settings; }
const CrowdKind<2>& TightQuadtree::kind() const noexcept { return state_->crowd.kind; }

MemoryUse TightQuadtree::memory() const noexcept {
    const State& state = *state_;
    const TightTree& tree = state.tree;
    MemoryUse use;
    use.nodes = state.crowd.memory();
    use.tables = tree.blocks.memory() + tree.references.memory() +
                 tree.oversized.capacity() * sizeof(Id) +
                 tree.oversized_marks.capacity() * sizeof(std::uint64_t) + sizeof(State);
    use.staging = state.build.memory() + state.needs.ids.capacity() * sizeof(Id) +
                  state.changes.capacity() * sizeof(Vector<State::Change>) + state.claims.memory();
    for (const auto& list : state.changes) {
        use.staging += list.capacity() * sizeof(State::Change);
    }
    return use;
}

const char* TightQuadtree::validate() const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const TightElements& crowd = state.crowd;
    std::size_t there = 0;
    for (Id id = 0; id < crowd.bound(); ++id) {
        if (!crowd.contains(id)) { continue; }
        ++there;
        for (std::size_t a = 0; a < 2; ++a) {
            if (crowd.half_extent_of(id)[a] > state.largest[a]) {
                return "an element larger than the largest";
            }
        }
    }
    if (there != crowd.count) { return "size is not the agents there"; }
    for (std::size_t a = 0; a < 2; ++a) {
        if (crowd.position[a].size() != crowd.bound() ||
            crowd.half_extent[a].size() != (crowd.kind.own_half_extents ? crowd.bound() : 0)) {
            return "arrays of different lengths";
        }
    }
    if (crowd.groups.size() != (crowd.kind.groups ? crowd.bound() : 0)) {
        return "masks that are not the agents'";
    }
    return state.tree.validate(crowd);
}

} // namespace throng
