// The oracle: every query tests every agent.
#include "brute_force.hpp"

#include "../agents/validation.hpp"
#include "../answers/id_runs.hpp"
#include "../answers/nearest_checks.hpp"
#include "../shapes/agent_test.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace throng {

namespace {

template <std::size_t Dim>
Point<Dim> point_at(const PointView<Dim>& view, std::size_t index) noexcept {
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = view.values(a)[index];
    }
    return point;
}

} // namespace

template <std::size_t Dim>
Status BruteForce<Dim>::configure(const CrowdKind<Dim>& kind) {
    if (const Status status = check_kind(kind); !status.ok()) { return status; }
    kind_ = kind;
    if (kind_.own_half_extents) { kind_.common_half_extent = {}; }
    clear();
    return {};
}

/// Takes an executor only to have the same interface as the other structures.
template <std::size_t Dim>
Status BruteForce<Dim>::update(const Agents<Dim>& agents, Executor&) {
    if (const Status status = check_agents(agents); !status.ok()) { return status; }

    const CrowdKind<Dim> kind = kind_of(agents);
    Vector<Slot> slots(agents.positions.count);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        slots[i].position = point_at(agents.positions, i);
        slots[i].half_extent =
            kind.own_half_extents ? point_at(agents.half_extents, i) : kind.common_half_extent;
        if (kind.groups) { slots[i].groups = agents.groups[i]; }
        slots[i].occupied = true;
    }
    kind_ = kind;
    slots_ = std::move(slots);
    size_ = slots_.size();
    return {};
}

template <std::size_t Dim>
Status BruteForce<Dim>::insert(Id id, const Agent<Dim>& agent) {
    if (const Status status = check_agent(agent, kind_); !status.ok()) { return status; }
    if (id >= kMaxAgents) { return {Cause::too_many, Argument::id, id}; }
    if (contains(id)) { return {Cause::id_taken, Argument::id, id}; }

    if (id >= slots_.size()) { slots_.resize(std::size_t{id} + 1); }
    slots_[id] = {agent.position, agent.half_extent.value_or(kind_.common_half_extent),
                  agent.groups.value_or(kAllGroups), true};
    ++size_;
    return {};
}

template <std::size_t Dim>
Status BruteForce<Dim>::erase(Id id) {
    if (!contains(id)) { return {Cause::id_unknown, Argument::id, id}; }
    slots_[id].occupied = false;
    --size_;
    return {};
}

template <std::size_t Dim>
Status BruteForce<Dim>::move(Id id, const Point<Dim>& position) {
    if (!contains(id)) { return {Cause::id_unknown, Argument::id, id}; }
    if (const Status status = check_point(position, Argument::positions); !status.ok()) {
        return status;
    }
    slots_[id].position = position;
    return {};
}

template <std::size_t Dim>
Status BruteForce<Dim>::edit(std::span<const Edit<Dim>> edits, Executor&) {
    BruteForce edited = *this;
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const auto& [kind, id, agent] = edits[i];
        Status status;
        switch (kind) {
        case Edit<Dim>::Kind::insert:
            status = edited.insert(id, agent);
            break;
        case Edit<Dim>::Kind::erase:
            status = edited.erase(id);
            break;
        case Edit<Dim>::Kind::move:
            status = edited.move(id, agent.position);
            break;
        }
        if (!status.ok()) { return {status.cause, Argument::edits, i}; }
    }
    *this = std::move(edited);
    return {};
}

template <std::size_t Dim>
void BruteForce<Dim>::clear() noexcept {
    slots_.clear();
    size_ = 0;
}

template <std::size_t Dim>
template <class Test>
bool BruteForce<Dim>::matches(Id id, const Test& test, const Filter& filter) const noexcept {
    const Slot& slot = slots_[id];
    const bool wanted = filter.groups == kAllGroups || (slot.groups & filter.groups) != 0;
    return slot.occupied && wanted && id != filter.without &&
           test.hits(slot.position, slot.half_extent);
}

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found BruteForce<Dim>::visit(const Shape& shape, IndexVisitor visitor, const Filter& filter,
                             std::size_t) const {
    if (const Status status = check_shape(shape); !status.ok()) { return {0, status}; }
    const AgentTest<Shape> test(shape);
    Found found;
    for (Id id = 0; id < slots_.size(); ++id) {
        if (!matches(id, test, filter)) { continue; }
        ++found.count;
        if (!visitor(std::span<const Id>(&id, 1))) { break; }
    }
    return found;
}

template <std::size_t Dim>
Found BruteForce<Dim>::visit_pairs(IndexPairVisitor visitor, std::uint32_t groups) const {
    PairRuns pairs(visitor);
    for (Id first = 0; first < slots_.size(); ++first) {
        const Slot& slot = slots_[first];
        const AgentTest own(Box<Dim>::around(slot.position, slot.half_extent));
        if (!matches(first, own, {groups})) { continue; }
        for (Id second = first + 1; second < slots_.size(); ++second) {
            if (!matches(second, own, {groups})) { continue; }
            if (!pairs.add(first, second)) { return pairs.finish(); }
        }
    }
    return pairs.finish();
}

template <std::size_t Dim>
void BruteForce<Dim>::visit_cells(IndexCellVisitor<Dim> visitor) const {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    if (size_ == 0) { return; }
    (void)visitor({{Point<Dim>::all(-kInfinity), Point<Dim>::all(kInfinity)},
                   0,
                   static_cast<std::uint32_t>(size_)});
}

template <std::size_t Dim>
template <PathIn<Dim> Path>
Status BruteForce<Dim>::hits(const Path& path, std::vector<PathHit>& out,
                             const Filter& filter) const {
    if (const Status status = check_shape(path); !status.ok()) { return status; }
    std::vector<PathHit> found;
    const AgentTest<Path> test(path);
    (void)visit(
        path,
        [&](std::span<const Id> run) {
            for (const Id id : run) {
                found.push_back({test.time(slots_[id].position, slots_[id].half_extent), id});
            }
            return true;
        },
        filter);
    std::sort(found.begin(), found.end());
    out = std::move(found);
    return {};
}

template <std::size_t Dim>
template <PathIn<Dim> Path>
Found BruteForce<Dim>::first(const Path& path, PathHit& hit, const Filter& filter) const {
    std::vector<PathHit> found;
    const Status status = hits(path, found, filter);
    if (!status.ok() || found.empty()) { return {0, status}; }
    hit = found.front();
    return {1, {}};
}

/// Collects all agents in the ball, and sorts them.
template <std::size_t Dim>
Found BruteForce<Dim>::nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                               const Filter& filter) const {
    Status status = check_nearest<Dim>(nearest);
    if (status.ok()) { status = check_shape(point); }
    if (!status.ok()) { return {0, status}; }
    if (out.size() < nearest.k) { return {0, {Cause::no_room, Argument::nearest}}; }
    const AgentTest test(BodyBall<Dim>{{point, nearest.radius}, nearest.body});
    std::vector<Near> all;
    for (Id id = 0; id < slots_.size(); ++id) {
        if (!matches(id, test, filter)) { continue; }
        const Near near{
            distance2_to(nearest.body, point, slots_[id].position, slots_[id].half_extent), id};
        if (meets(nearest, point, slots_[id].position, near)) { all.push_back(near); }
    }
    const std::size_t found = std::min<std::size_t>(all.size(), nearest.k);
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(found), all.end(),
                      [](const Near& a, const Near& b) {
                          return a.distance2 != b.distance2 ? a.distance2 < b.distance2
                                                            : a.id < b.id;
                      });
    std::fill_n(out.data(), nearest.k, Near{});
    std::copy_n(all.data(), found, out.data());
    return {found, {}};
}

template <std::size_t Dim>
std::size_t BruteForce<Dim>::order(std::span<Id> out) const noexcept {
    std::size_t written = 0;
    for (Id id = 0; id < slots_.size() && written < out.size(); ++id) {
        if (slots_[id].occupied) { out[written++] = id; }
    }
    return size_;
}

template <std::size_t Dim>
bool BruteForce<Dim>::contains(Id id) const noexcept {
    return id < slots_.size() && slots_[id].occupied;
}

template <std::size_t Dim>
MemoryUse BruteForce<Dim>::memory() const noexcept {
    MemoryUse use;
    use.nodes = slots_.capacity() * sizeof(Slot);
    return use;
}

template <std::size_t Dim>
const char* BruteForce<Dim>::validate() const {
    const auto occupied =
        std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.occupied; });
    return static_cast<std::size_t>(occupied) == size_ ? nullptr : "size is not the agents there";
}

template class BruteForce<2>;
template class BruteForce<3>;
#define THRONG_FOR_DIM(Shape, Dim)                                                                 \
    template Found BruteForce<Dim>::visit(const Shape<Dim>&, IndexVisitor, const Filter&,          \
                                          std::size_t) const;
#define THRONG_FOR_SHAPE(Shape, kind, KIND) THRONG_FOR_DIM(Shape, 2) THRONG_FOR_DIM(Shape, 3)
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_DIM
#undef THRONG_FOR_SHAPE
#define THRONG_FOR_DIM(Path, Dim)                                                                  \
    template Found BruteForce<Dim>::first(const Path<Dim>&, PathHit&, const Filter&) const;        \
    template Status BruteForce<Dim>::hits(const Path<Dim>&, std::vector<PathHit>&, const Filter&)  \
        const;
#define THRONG_FOR_PATH(Path, kind, KIND) THRONG_FOR_DIM(Path, 2) THRONG_FOR_DIM(Path, 3)
THRONG_FOR_EACH_PATH(THRONG_FOR_PATH)
#undef THRONG_FOR_DIM
#undef THRONG_FOR_PATH

} // namespace throng
