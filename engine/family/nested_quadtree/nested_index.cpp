#include "nested_index.hpp"

#include "../../agents/agent_blocks.hpp"
#include "../../agents/grid_shape.hpp"
#include "../../agents/validation.hpp"
#include "../../answers/id_runs.hpp"
#include "../../answers/pair_blocks.hpp"
#include "../../memory/vector.hpp"
#include "../../shapes/agent_test.hpp"
#include "../../shapes/bounds.hpp"
#include "nested_build.hpp"
#include "nested_quadtree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace throng {

namespace {

// Marks an id without an agent: no coordinate is NaN.
constexpr float kNoAgent = std::numeric_limits<float>::quiet_NaN();

/// The facts of each agent, by id.
struct Crowd {
    CrowdKind<2> kind;
    Vector<Point<2>> positions; // x is kNoAgent if the id has no agent
    Vector<Point<2>> half_extents;
    Vector<std::uint32_t> groups;

    [[nodiscard]] bool contains(Id id) const noexcept {
        return id < positions.size() && !std::isnan(positions[id][0]);
    }
    [[nodiscard]] const Point<2>& half_extent_of(Id id) const noexcept {
        return kind.own_half_extents ? half_extents[id] : kind.common_half_extent;
    }
    [[nodiscard]] bool is_in(Id id, std::uint32_t wanted) const noexcept {
        return wanted == kAllGroups || ((kind.groups ? groups[id] : kAllGroups) & wanted) != 0;
    }

    /// Makes room for ids below `ids`; new ones have no agent.
    void grow(std::size_t ids) {
        if (ids <= positions.size()) { return; }
        // Positions grow last, so that the other arrays are not shorter even after an exception.
        if (kind.own_half_extents) { half_extents.resize(std::max(ids, half_extents.size())); }
        if (kind.groups) { groups.resize(std::max(ids, groups.size())); }
        positions.resize(ids, Point<2>::all(kNoAgent));
    }

    void reserve(const CrowdKind<2>& of_kind, std::size_t ids) {
        positions.reserve(ids);
        if (of_kind.own_half_extents) { half_extents.reserve(ids); }
        if (of_kind.groups) { groups.reserve(ids); }
    }

    /// The blocks in which assign() copies a crowd.
    [[nodiscard]] static AgentBlocks blocks_of(std::size_t agents,
                                               const Executor& executor) noexcept {
        return {agents, executor, cost_of(agents)};
    }
    /// Copies a crowd. reserve() must have made room, and `claims` must have room for all blocks.
    void assign(const CrowdKind<2>& of_kind, const Agents<2>& agents, Executor& executor,
                LoopClaims& claims) noexcept {
        const std::size_t count = agents.positions.count;
        kind = of_kind;
        positions.resize(count);
        half_extents.resize(kind.own_half_extents ? count : 0);
        groups.resize(kind.groups ? count : 0);
        const AgentBlocks blocks = blocks_of(count, executor);
        const auto copy = [](const PointView<2>& from, Point<2>& to, std::size_t i) {
            to = {{from.values(0)[i], from.values(1)[i]}};
        };
        finish_blocks(
            executor, blocks.count(),
            [&](std::size_t block) {
                for (std::size_t i = blocks.begin(block); i < blocks.end(block); ++i) {
                    copy(agents.positions, positions[i], i);
                    if (kind.own_half_extents) { copy(agents.half_extents, half_extents[i], i); }
                    if (kind.groups) { groups[i] = agents.groups[i]; }
                }
            },
            claims, cost_of(count));
    }
    [[nodiscard]] static LoopCost cost_of(std::size_t agents) noexcept {
        return LoopCost::of(agents, 1.0);
    }

    void clear() noexcept {
        positions.clear();
        half_extents.clear();
        groups.clear();
    }
};

struct CoverInCrowd {
    const Crowd* crowd = nullptr;
    Box<2> operator()(Id id) const noexcept {
        return cover_of(crowd->positions[id], crowd->half_extent_of(id));
    }
};

using Tree = NestedQuadtree<Id, CoverInCrowd>;

Box<2> as_box(const NestedBox<float>& box) noexcept { return {{box.lo}, {box.hi}}; }

/// A world a little wider than the bounds, but finite.
NestedBox<float> world_over(const Box<2>& bounds) noexcept {
    NestedBox<float> world;
    for (std::size_t a = 0; a < 2; ++a) {
        const float wider = (bounds.hi[a] - bounds.lo[a]) / 64.0f;
        world.lo[a] = bounds.lo[a] - wider;
        world.hi[a] = bounds.hi[a] + wider;
    }
    return world;
}

/// Bounds around nearly all agents: the bounds of the cells that shape_for() chooses. There must be
/// at least one agent.
Box<2> bounds_for(const Agents<2>& agents) noexcept {
    const GridShape<2> shape = shape_for(agents).value;
    Box<2> bounds;
    for (std::size_t a = 0; a < 2; ++a) {
        const float side = static_cast<float>(shape.cells[a]) / shape.inverse_cell[a];
        bounds.lo[a] = shape.origin[a];
        bounds.hi[a] = shape.origin[a] + (std::isfinite(side) ? side : 0.0f);
    }
    return bounds;
}

} // namespace

// The tree has a pointer to the crowd, so both must keep their addresses.
struct NestedIndex::State : FromSource {
    Crowd crowd;
    Tree tree{{}, CoverInCrowd{&crowd}};
    NestedBuild<Tree> build;
    LoopClaims claims;
    bool configured = false;
};

NestedIndex::NestedIndex() : state_(std::make_unique<State>()) {}
NestedIndex::~NestedIndex() = default;
NestedIndex::NestedIndex(NestedIndex&&) noexcept = default;
NestedIndex& NestedIndex::operator=(NestedIndex&&) noexcept = default;

Status NestedIndex::configure(const Box<2>& bounds, const CrowdKind<2>& kind) {
    if (const Status status = check_bounds(bounds); !status.ok()) { return status; }
    if (const Status status = check_kind(kind); !status.ok()) { return status; }
    clear();
    state_->crowd.kind = kind;
    if (kind.own_half_extents) { state_->crowd.kind.common_half_extent = {}; }
    state_->configured = true;
    return state_->tree.reset(world_over(bounds));
}

Status NestedIndex::update(const Agents<2>& agents, Executor& executor) {
    State& state = *state_;
    if (const Status status = check_agents(agents, executor, state.claims); !status.ok()) {
        return status;
    }
    const CrowdKind<2> kind = kind_of(agents);
    const std::size_t count = agents.positions.count;
    const NestedBox<float> world =
        state.configured || count == 0 ? state.tree.world() : world_over(bounds_for(agents));
    if (const Status status = Tree::check_world(world); !status.ok()) { return status; }
    const auto box_at = [&](std::size_t i) {
        const auto point_at = [i](const PointView<2>& view) {
            return Point<2>{{view.values(0)[i], view.values(1)[i]}};
        };
        const Box<2> cover = cover_of(point_at(agents.positions),
                                      kind.own_half_extents ? point_at(agents.half_extents)
                                                            : kind.common_half_extent);
        return NestedBox<float>{cover.lo.axis, cover.hi.axis};
    };
    if (const Status status = state.build.plan(count, world, box_at, executor, state.claims);
        !status.ok()) {
        return status;
    }
    state.claims.prepare(Crowd::blocks_of(count, executor).count());
    state.crowd.reserve(kind, count);
    state.tree.reserve(count);
    // From here on nothing fails.
    state.configured = state.configured || count > 0;
    state.crowd.assign(kind, agents, executor, state.claims);
    state.build.fill(
        state.tree, [](std::uint32_t id) { return Id{id}; }, executor, state.claims);
    return {};
}

Status NestedIndex::insert(Id id, const Agent<2>& agent) {
    State& state = *state_;
    Crowd& crowd = state.crowd;
    if (const Status status = check_agent(agent, crowd.kind); !status.ok()) { return status; }
    if (id >= kMaxAgents) { return {Cause::too_many, Argument::id, id}; }
    if (contains(id)) { return {Cause::id_taken, Argument::id, id}; }

    const Point<2> half = agent.half_extent.value_or(crowd.kind.common_half_extent);
    crowd.grow(std::size_t{id} + 1);
    // Lays bounds around the first agent of an empty tree. An update() with a crowd replaces them.
    if (!state.configured && state.tree.size() == 0) {
        const float reach = std::max({512.0f, 512.0f * half[0], 512.0f * half[1]});
        const Box<2> around = Box<2>::around(agent.position, Point<2>::all(reach));
        if (const Status status = state.tree.reset(world_over(around)); !status.ok()) {
            return status;
        }
    }
    crowd.positions[id] = agent.position;
    if (crowd.kind.own_half_extents) { crowd.half_extents[id] = half; }
    if (crowd.kind.groups) { crowd.groups[id] = agent.groups.value_or(kAllGroups); }
    try {
        return state.tree.add(id);
    } catch (...) {
        crowd.positions[id] = Point<2>::all(kNoAgent);
        throw;
    }
}

Status NestedIndex::erase(Id id) {
    if (!contains(id)) { return {Cause::id_unknown, Argument::id, id}; }
    (void)state_->tree.remove(id);
    state_->crowd.positions[id] = Point<2>::all(kNoAgent);
    return {};
}

Status NestedIndex::move(Id id, const Point<2>& position) {
    if (!contains(id)) { return {Cause::id_unknown, Argument::id, id}; }
    if (const Status status = check_point(position, Argument::positions); !status.ok()) {
        return status;
    }
    Tree& tree = state_->tree;
    Point<2>& own = state_->crowd.positions[id];
    const Point<2> before = own;
    own = position;
    // First adds the agent in its new place, which may fail; then removes it from the old one,
    // which cannot.
    try {
        if (const Status status = tree.add(id); !status.ok()) {
            own = before;
            return status;
        }
    } catch (...) {
        own = before;
        throw;
    }
    own = before;
    (void)tree.remove(id);
    own = position;
    return {};
}

void NestedIndex::clear() noexcept {
    state_->crowd.clear();
    state_->tree.clear();
}

template <ShapeIn<2> Shape>
Found NestedIndex::visit(const Shape& shape, IndexVisitor visitor, const Filter& filter,
                         std::size_t most) const {
    if (const Status status = check_shape(shape); !status.ok()) { return {0, status}; }
    const Crowd& crowd = state_->crowd;
    const AgentTest<Shape> test(shape);
    const ShapeGate<2> gate(shape);
    const Box<2>& within = gate.bounds();
    const NestedBox<float> bounds{within.lo.axis, within.hi.axis};
    IdRuns runs(visitor, most);
    state_->tree.visit_where(
        [&](const NestedBox<float>& region) { return gate.may_hold(as_box(region)); },
        [&](Id id, const NestedBox<float>& cover) {
            if (!bounds.touches(cover) || id == filter.without || !crowd.is_in(id, filter.groups) ||
                !test.hits(crowd.positions[id], crowd.half_extent_of(id))) {
                return true;
            }
            return runs.add(id);
        });
    return runs.finish();
}

namespace {

/// Returns a function that takes pairs of agents whose covers touch, and hands on a pair if the
/// agents' boxes touch too: covers are a little wider.
auto sift_into(PairRuns& pairs, const Crowd& crowd, std::uint32_t groups) noexcept {
    return [&pairs, &crowd, groups](Id a, Id b) {
        const auto box = Box<2>::around(crowd.positions[a], crowd.half_extent_of(a));
        if (!crowd.is_in(a, groups) || !crowd.is_in(b, groups) ||
            !overlaps(box, crowd.positions[b], crowd.half_extent_of(b))) {
            return true;
        }
        return pairs.add(a, b);
    };
}

} // namespace

Found NestedIndex::visit_pairs(IndexPairVisitor visitor, std::uint32_t groups) const {
    PairRuns pairs(visitor);
    state_->tree.find_all_intersections(sift_into(pairs, state_->crowd, groups));
    return pairs.finish();
}

Found NestedIndex::visit_pairs(IndexPairVisitor visitor, Executor& executor,
                               std::uint32_t groups) const {
    constexpr double kNanoseconds = 50.0; // the cost of an agent
    constexpr std::size_t kPartsOfBlock = 4;
    const State& state = *state_;
    const LoopCost cost = LoopCost::of(size(), kNanoseconds);
    const std::size_t most = pair_blocks(executor, cost, size());
    if (most <= 1) { return visit_pairs(visitor, groups); }
    const auto parts = state.tree.pair_parts(kPartsOfBlock * most);
    const std::size_t blocks = std::min(parts.size(), most);
    return visit_pair_blocks(executor, blocks, cost, visitor,
                             [&](std::size_t block, IndexPairVisitor hand_on) {
                                 PairRuns pairs(hand_on);
                                 const auto sift = sift_into(pairs, state.crowd, groups);
                                 // Takes every blocks-th part, since the slow agents are all in
                                 // the first parts.
                                 for (std::size_t p = block; p < parts.size(); p += blocks) {
                                     if (!state.tree.find_intersections(parts[p], sift)) { break; }
                                 }
                                 (void)pairs.finish();
                             });
}

void NestedIndex::visit_cells(IndexCellVisitor<2> visitor) const {
    state_->tree.visit_nodes(
        [&](const NestedBox<float>& box, std::uint32_t depth, std::uint32_t count) {
            return visitor({as_box(box), depth, count});
        });
}

std::size_t NestedIndex::size() const noexcept { return state_->tree.size(); }
bool NestedIndex::contains(Id id) const noexcept { return state_->crowd.contains(id); }
const CrowdKind<2>& NestedIndex::kind() const noexcept { return state_->crowd.kind; }

MemoryUse NestedIndex::memory() const noexcept {
    const Crowd& crowd = state_->crowd;
    MemoryUse use;
    use.nodes = state_->tree.memory();
    use.staging = state_->build.memory() + state_->claims.memory();
    use.ids = (crowd.positions.capacity() + crowd.half_extents.capacity()) * sizeof(Point<2>) +
              crowd.groups.capacity() * sizeof(std::uint32_t);
    return use;
}

const char* NestedIndex::validate() const {
    const Crowd& crowd = state_->crowd;
    const Tree& tree = state_->tree;
    if (const char* const fault = tree.validate()) { return fault; }
    std::size_t present = 0;
    for (std::size_t id = 0; id < crowd.positions.size(); ++id) {
        present += crowd.contains(static_cast<Id>(id)) ? 1 : 0;
    }
    if (present != tree.size()) { return "the agents are not those in the tree"; }
    std::vector<bool> seen(crowd.positions.size());
    const char* fault = nullptr;
    tree.visit_where([](const auto&) { return true; },
                     [&](Id id, const NestedBox<float>& box) {
                         if (!crowd.contains(id) || seen[id]) {
                             fault = "a value that is no agent, or one that was there before";
                         } else if (as_box(box) != CoverInCrowd{&crowd}(id)) {
                             fault = "an agent that is not where it was put in";
                         } else {
                             seen[id] = true;
                         }
                         return fault == nullptr;
                     });
    return fault;
}

#define THRONG_FOR_SHAPE(Shape, kind, KIND)                                                        \
    template Found NestedIndex::visit(const Shape<2>&, IndexVisitor, const Filter&, std::size_t)   \
        const;
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE

} // namespace throng
