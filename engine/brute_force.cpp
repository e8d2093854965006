// The oracle: every question asks every agent.
#include "brute_force.hpp"

#include "nearest_ask.hpp"
#include "validation.hpp"

#include <algorithm>
#include <utility>

namespace throng {

namespace {

template <std::size_t Dim>
bool is_hit(const Box<Dim>& box, const Point<Dim>& position,
            const Point<Dim>& half_extent) noexcept {
    return overlaps(box, position, half_extent);
}

template <std::size_t Dim>
bool is_hit(const Ball<Dim>& ball, const Point<Dim>& position, const Point<Dim>&) noexcept {
    return contains(ball, position);
}

template <std::size_t Dim>
Point<Dim> point_at(const PointView<Dim>& view, std::size_t index) noexcept {
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = view.values(a)[index];
    }
    return point;
}

Status blame(Status status, std::size_t index) noexcept {
    status.index = index;
    return status;
}

/// Visits each id below `end` that matches, until the visitor has enough.
template <class Visitor, class Matches>
Found visit_ids(std::size_t end, const Visitor& visitor, const Matches& matches) {
    Found found;
    for (Id id = 0; id < end; ++id) {
        if (!matches(id)) { continue; }
        ++found.count;
        if (!visitor(std::span<const Id>(&id, 1))) { break; }
    }
    return found;
}

/// Both batches; `self` is the index, whose visit() finds the answers.
template <class Index, class Shape>
Status query_each(const Index& self, std::span<const Shape> shapes, Hits& answers,
                  const Filter& filter) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (const Status status = check_shape(shapes[i]); !status.ok()) { return blame(status, i); }
    }
    answers.ids.clear();
    answers.offsets.assign(1, 0);
    for (const Shape& shape : shapes) {
        const Found found = self.visit(
            shape,
            [&](std::span<const Id> run) {
                answers.ids.insert(answers.ids.end(), run.begin(), run.end());
                return true;
            },
            filter);
        answers.offsets.push_back(answers.offsets.back() + found.count);
    }
    return {};
}

template <class Index, class Shape>
Found query_one(const Index& self, const Shape& shape, std::span<Id> out, const Filter& filter) {
    std::size_t seen = 0;
    return self.visit(
        shape,
        [&](std::span<const Id> run) {
            for (const Id id : run) {
                if (seen < out.size()) { out[seen] = id; }
                ++seen;
            }
            return true;
        },
        filter);
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

/// The executor is taken only to speak like the others.
template <std::size_t Dim>
Status BruteForce<Dim>::update(const Agents<Dim>& agents, Executor&) {
    if (const Status status = check_agents(agents); !status.ok()) { return status; }

    const CrowdKind<Dim> kind = kind_of(agents);
    std::vector<Slot> slots(agents.positions.count);
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
template <class Shape>
bool BruteForce<Dim>::matches(Id id, const Shape& shape, const Filter& filter) const noexcept {
    const Slot& slot = slots_[id];
    const bool wanted = filter.groups == kAllGroups || (slot.groups & filter.groups) != 0;
    return slot.occupied && wanted && id != filter.without &&
           is_hit(shape, slot.position, slot.half_extent);
}

template <std::size_t Dim>
Found BruteForce<Dim>::visit(const Box<Dim>& box, Visitor visitor, const Filter& filter) const {
    if (const Status status = check_shape(box); !status.ok()) { return {0, status}; }
    return visit_ids(slots_.size(), visitor, [&](Id id) { return matches(id, box, filter); });
}

template <std::size_t Dim>
Found BruteForce<Dim>::visit(const Ball<Dim>& ball, Visitor visitor, const Filter& filter) const {
    if (const Status status = check_shape(ball); !status.ok()) { return {0, status}; }
    return visit_ids(slots_.size(), visitor, [&](Id id) { return matches(id, ball, filter); });
}

template <std::size_t Dim>
Found BruteForce<Dim>::query(const Box<Dim>& box, std::span<Id> out, const Filter& filter) const {
    return query_one(*this, box, out, filter);
}

template <std::size_t Dim>
Found BruteForce<Dim>::query(const Ball<Dim>& ball, std::span<Id> out, const Filter& filter) const {
    return query_one(*this, ball, out, filter);
}

template <std::size_t Dim>
Status BruteForce<Dim>::query(std::span<const Box<Dim>> boxes, Hits& hits,
                              const Filter& filter) const {
    return query_each(*this, boxes, hits, filter);
}

template <std::size_t Dim>
Status BruteForce<Dim>::query(std::span<const Ball<Dim>> balls, Hits& hits,
                              const Filter& filter) const {
    return query_each(*this, balls, hits, filter);
}

template <std::size_t Dim>
Found BruteForce<Dim>::count(const Box<Dim>& box, const Filter& filter) const {
    return visit(
        box, [](std::span<const Id>) { return true; }, filter);
}

template <std::size_t Dim>
Found BruteForce<Dim>::count(const Ball<Dim>& ball, const Filter& filter) const {
    return visit(
        ball, [](std::span<const Id>) { return true; }, filter);
}

template <std::size_t Dim>
Found BruteForce<Dim>::any(const Box<Dim>& box, const Filter& filter) const {
    return visit(
        box, [](std::span<const Id>) { return false; }, filter);
}

template <std::size_t Dim>
Found BruteForce<Dim>::any(const Ball<Dim>& ball, const Filter& filter) const {
    return visit(
        ball, [](std::span<const Id>) { return false; }, filter);
}

/// Everybody in the ball, sorted.
template <std::size_t Dim>
Found BruteForce<Dim>::nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                               const Filter& filter) const {
    Status status = check_nearest(nearest.k, nearest.radius);
    if (status.ok()) { status = check_shape(point); }
    if (!status.ok()) { return {0, status}; }
    if (out.size() < nearest.k) { return {0, {Cause::no_room, Argument::nearest}}; }
    std::vector<Near> all;
    for (Id id = 0; id < slots_.size(); ++id) {
        if (!matches(id, Ball<Dim>{point, nearest.radius}, filter)) { continue; }
        all.push_back({distance2_between(point, slots_[id].position), id});
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

} // namespace throng
