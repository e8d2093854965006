// The oracle: every question tests every member. Only pairs skip members that are apart on the
// first axis.
#include "truth.hpp"

#include "apply_edit.hpp"

#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/agents/validation.hpp>
#include <throng/engine/shapes/agent_test.hpp>
#include <throng/engine/shapes/bounds.hpp>
#include <throng/engine/shapes/translated.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace throng::test {

namespace {

/// The member for agent `i` of the arrays.
template <std::size_t Dim>
typename Truth<Dim>::Member member_at(const Agents<Dim>& agents, std::size_t i, Id name) {
    const CrowdKind<Dim> kind = kind_of(agents);
    typename Truth<Dim>::Member member{name, {}, kind.common_half_extent, kAllGroups};
    for (std::size_t a = 0; a < Dim; ++a) {
        member.position[a] = agents.positions.values(a)[i];
        if (kind.own_half_extents) { member.half_extent[a] = agents.half_extents.values(a)[i]; }
    }
    if (kind.groups) { member.groups = agents.groups[i]; }
    return member;
}

/// The kind of a pair of members of these sets; the first set does not come after the second.
PairSets kind_of_pair(Sets first, Sets second) {
    if (second == Sets::statics) {
        if (first == Sets::statics) { return PairSets::none; }
        return first == Sets::small ? PairSets::small_statics : PairSets::giants_statics;
    }
    if (second == Sets::giants) {
        return first == Sets::small ? PairSets::small_giants : PairSets::giants_giants;
    }
    return PairSets::small_small;
}

} // namespace

template <std::size_t Dim>
Status Truth<Dim>::configure(const CrowdKind<Dim>& kind) {
    if (const Status status = check_kind(kind); !status.ok()) { return status; }
    kind_ = kind;
    if (kind_.own_half_extents) { kind_.common_half_extent = {}; }
    clear();
    return {};
}

template <std::size_t Dim>
Status Truth<Dim>::update(const Agents<Dim>& agents) {
    if (const Status status = check_agents(agents); !status.ok()) { return status; }
    clear();
    kind_ = kind_of(agents);
    std::vector<Member> members;
    for (std::size_t i = 0; i < agents.positions.count; ++i) {
        members.push_back(member_at(agents, i, static_cast<Id>(i)));
        members.back().position = world_.inside(members.back().position);
    }
    members_.insert(members_.begin(), members.begin(), members.end());
    return {};
}

template <std::size_t Dim>
Status Truth<Dim>::set_statics(const Agents<Dim>& statics) {
    if (const Status status = check_agents(statics); !status.ok()) { return status; }
    members_.resize(size());
    statics_have_groups_ = kind_of(statics).groups;
    for (std::size_t i = 0; i < statics.positions.count; ++i) {
        members_.push_back(member_at(statics, i, static_id(i)));
        members_.back().position = world_.inside(members_.back().position);
    }
    return {};
}

template <std::size_t Dim>
Status Truth<Dim>::insert(Id id, const Agent<Dim>& agent) {
    CrowdKind<Dim> kind = kind_;
    if (is_static(id)) {
        if (static_index(id) >= kMostInCrowd) { return {Cause::too_many, Argument::id, id}; }
        const bool first = statics() == 0;
        kind = {true, first ? agent.groups.has_value() : statics_have_groups_, {}};
    }
    if (const Status status = check_agent(agent, kind); !status.ok()) { return status; }
    if (is_static(id)) { statics_have_groups_ = kind.groups; }
    if (id >= kMaxAgents) { return {Cause::too_many, Argument::id, id}; }
    if (contains(id)) { return {Cause::id_taken, Argument::id, id}; }
    put({id, agent.position, agent.half_extent.value_or(kind_.common_half_extent),
         agent.groups.value_or(kAllGroups)});
    return {};
}

template <std::size_t Dim>
Status Truth<Dim>::erase(Id id) {
    const Member* const member = find(id);
    if (member == nullptr) { return {Cause::id_unknown, Argument::id, id}; }
    members_.erase(members_.begin() + (member - members_.data()));
    return {};
}

template <std::size_t Dim>
Status Truth<Dim>::move(Id id, const Point<Dim>& position) {
    Member* const member = find(id);
    if (member == nullptr) { return {Cause::id_unknown, Argument::id, id}; }
    if (const Status status = check_point(position, Argument::positions); !status.ok()) {
        return status;
    }
    member->position = world_.inside(position);
    return {};
}

template <std::size_t Dim>
Status Truth<Dim>::edit(const Edit<Dim>& edit) {
    return apply_to(*this, edit);
}

template <std::size_t Dim>
Status Truth<Dim>::edit(std::span<const Edit<Dim>> edits) {
    Truth edited = *this;
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const Status status = edited.edit(edits[i]);
        if (!status.ok()) { return {status.cause, Argument::edits, i}; }
    }
    *this = std::move(edited);
    return {};
}

template <std::size_t Dim>
void Truth<Dim>::clear() noexcept {
    members_.erase(members_.begin(), members_.begin() + static_cast<std::ptrdiff_t>(size()));
}

template <std::size_t Dim>
void Truth<Dim>::put(const Member& member) {
    const auto at =
        std::lower_bound(members_.begin(), members_.end(), member.name,
                         [](const Member& before, Id name) { return before.name < name; });
    members_.insert(at, member)->position = world_.inside(member.position);
}

template <std::size_t Dim>
std::size_t Truth<Dim>::size() const noexcept {
    const auto first_static =
        std::lower_bound(members_.begin(), members_.end(), kFirstStatic,
                         [](const Member& before, Id name) { return before.name < name; });
    return static_cast<std::size_t>(first_static - members_.begin());
}

template <std::size_t Dim>
std::size_t Truth<Dim>::id_bound() const noexcept {
    const std::size_t agents = size();
    return agents == 0 ? 0 : std::size_t{members_[agents - 1].name} + 1;
}

template <std::size_t Dim>
const typename Truth<Dim>::Member* Truth<Dim>::find(Id name) const noexcept {
    const auto at =
        std::lower_bound(members_.begin(), members_.end(), name,
                         [](const Member& before, Id wanted) { return before.name < wanted; });
    return at != members_.end() && at->name == name ? &*at : nullptr;
}
template <std::size_t Dim>
typename Truth<Dim>::Member* Truth<Dim>::find(Id name) noexcept {
    return const_cast<Member*>(std::as_const(*this).find(name));
}

template <std::size_t Dim>
Sets Truth<Dim>::set_of(Id name) const {
    if (is_static(name)) { return Sets::statics; }
    return crowd_ != nullptr && crowd_->contains(name, Sets::giants) ? Sets::giants : Sets::small;
}

template <std::size_t Dim>
bool Truth<Dim>::is_asked(const Member& member, const Filter& filter, Sets sets) const {
    return member.name != filter.without &&
           (filter.groups == kAllGroups || (member.groups & filter.groups) != 0) &&
           (sets == Sets::all || has(sets, set_of(member.name)));
}

/// By definition: the shape is moved into the world and then by whole periods, and each copy is
/// tested alone. Members wider than the world are tested only by copies whose bounds come within a
/// period of the world; all others by every copy that could hit them.
template <std::size_t Dim>
template <class Shape>
std::vector<PathHit> Truth<Dim>::tested(const Shape& shape, const Filter& filter, Sets sets) const {
    struct Copy {
        AgentTest<Shape> test;
        bool is_near;
    };
    std::vector<Copy> copies;
    if (wraps()) {
        Offset<Dim> home{};
        const Offset<Dim> at = throng::detail::ShapeFacts<Shape>::anchor(shape);
        for (std::size_t a = 0; a < Dim; ++a) {
            const auto& [lo, hi] = world_.bounds;
            if (world_.axes[a]) { home[a] = put_between(at[a], lo[a], hi[a]) - at[a]; }
        }
        world_.for_each_step(copies_, [&](const Offset<Dim>& steps) {
            Offset<Dim> by = home;
            for (std::size_t a = 0; a < Dim; ++a) {
                by[a] += steps[a] * static_cast<double>(world_.period(a));
            }
            const Shape copy = shifted(shape, by);
            copies.push_back(
                {AgentTest<Shape>(copy), comes_within_a_period(ShapeGate<Dim>(copy).bounds())});
        });
    } else {
        copies.push_back({AgentTest<Shape>(shape), true});
    }

    std::vector<PathHit> found;
    for (const Member& member : members_) {
        if (!is_asked(member, filter, sets)) { continue; }
        const bool wide = wraps() && is_wide(member);
        bool is_hit = false;
        float first = std::numeric_limits<float>::infinity();
        for (const Copy& copy : copies) {
            if ((wide && !copy.is_near) || !copy.test.hits(member.position, member.half_extent)) {
                continue;
            }
            is_hit = true;
            if constexpr (!PathIn<Shape, Dim>) { break; }
            if constexpr (PathIn<Shape, Dim>) {
                first = std::min(first, copy.test.time(member.position, member.half_extent));
            }
        }
        if (is_hit) { found.push_back({first, member.name}); }
    }
    return found;
}

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Ids Truth<Dim>::ids_in(const Shape& shape, const Filter& filter, Sets sets) const {
    Ids ids;
    for (const PathHit& hit : tested(shape, filter, sets)) {
        ids.push_back(hit.id);
    }
    return ids;
}

template <std::size_t Dim>
template <PathIn<Dim> Path>
std::vector<PathHit> Truth<Dim>::hits(const Path& path, const Filter& filter, Sets sets) const {
    std::vector<PathHit> hits = tested(path, filter, sets);
    std::sort(hits.begin(), hits.end());
    return hits;
}

template <std::size_t Dim>
std::vector<Near> Truth<Dim>::nearest_to(const Point<Dim>& point, const Nearest& nearest,
                                         const Filter& filter, Sets sets,
                                         const Point<Dim>& of_asker) const {
    std::vector<Point<Dim>> copies;
    world_.for_each_step(1, [&](const Offset<Dim>& steps) {
        copies.push_back(world_.moved(world_.inside(point), steps));
    });
    std::vector<Near> all;
    for (const Member& member : members_) {
        if (!is_asked(member, filter, sets)) { continue; }
        const HeightBand& band = nearest.band;
        Point<Dim> sum;
        for (std::size_t a = 0; a < Dim; ++a) {
            sum[a] = of_asker[a] + member.half_extent[a];
        }
        float least = std::numeric_limits<float>::infinity();
        for (const Point<Dim>& copy : copies) {
            if (band.up != 0) {
                const float low = copy[band.up] - band.below, high = copy[band.up] + band.above;
                const float height = member.position[band.up];
                if (height < low || height > high) { continue; }
            }
            least = std::min(least, nearest.body == Body::centre
                                        ? Apart<Dim>(copy, member.position).distance2
                                        : distance2_to(nearest.body, copy, member.position, sum));
        }
        const bool later =
            std::tie(least, member.name) > std::tie(nearest.after.distance2, nearest.after.id);
        if (later && least >= nearest.least * nearest.least &&
            least <= nearest.radius * nearest.radius) {
            all.push_back({least, member.name});
        }
    }
    std::sort(all.begin(), all.end(), [](const Near& a, const Near& b) {
        return std::tie(a.distance2, a.id) < std::tie(b.distance2, b.id);
    });
    if (all.size() > nearest.k) { all.resize(nearest.k); }
    return all;
}

template <std::size_t Dim>
std::vector<Near> Truth<Dim>::nearest_to(Id agent, const NearestNeighbours& asked,
                                         Sets sets) const {
    const Member& asker = (*this)[agent];
    return nearest_to(asker.position,
                      {asked.k, asked.radius, asked.least, asked.band, kBeforeAll, asked.body},
                      {asked.groups, asked.with_self ? kNoId : agent}, sets, asker.half_extent);
}

/// Whether two discs have distance zero, as docs/body-neighbours.md defines it.
template <std::size_t Dim>
static bool discs_meet(const Point<Dim>& one, float radius, const Point<Dim>& other,
                       float radius_of_other) {
    const float between = std::sqrt(Apart<Dim>(one, other).distance2);
    const float gap = std::max(between - (radius + radius_of_other), 0.0f);
    return gap * gap <= 0.0f;
}

template <std::size_t Dim>
IdPairs Truth<Dim>::pairs(std::uint32_t groups, PairSets sets, int copies, Body body) const {
    const auto around = [&](const Point<Dim>& position, const Point<Dim>& half_extent) {
        if (body == Body::box) { return Box<Dim>::around(position, half_extent); }
        // Widened by more than any rounding error in the disc's test.
        const float size = std::abs(position[0]) + half_extent[0];
        return Box<Dim>::around(position,
                                Point<Dim>::all(half_extent[0] + size * 0x1p-18f + 1e-17f));
    };
    std::vector<const Member*> asked;
    std::vector<Sets> set;
    std::vector<float> lo, hi; // of their boxes, on the first axis
    for (const Member& member : members_) {
        if (!is_asked(member, {groups}, Sets::all)) { continue; }
        asked.push_back(&member);
        set.push_back(set_of(member.name));
        const Box<Dim> box = around(member.position, member.half_extent);
        lo.push_back(box.lo[0]);
        hi.push_back(box.hi[0]);
    }
    IdPairs pairs;
    std::vector<Point<Dim>> copies_of; // the first member and its copies
    std::vector<Box<Dim>> boxes;       // and their boxes
    for (std::size_t one = 0; one < asked.size(); ++one) {
        if (set[one] == Sets::statics) { continue; }
        const Member& first = *asked[one];
        copies_of.clear();
        boxes.clear();
        world_.for_each_step(copies, [&](const Offset<Dim>& steps) {
            copies_of.push_back(world_.moved(first.position, steps));
            boxes.push_back(around(copies_of.back(), first.half_extent));
        });
        float low = boxes.front().lo[0], high = boxes.front().hi[0];
        for (const Box<Dim>& box : boxes) {
            low = std::min(low, box.lo[0]);
            high = std::max(high, box.hi[0]);
        }
        for (std::size_t other = one + 1; other < asked.size(); ++other) {
            // A quick test, since most members are far away and unoptimised tests are slow. It
            // leaves out no overlap: overlaps() compares the same sides, rounded alike, and every
            // copy of the first lies between `low` and `high`.
            if (lo[other] > high || hi[other] < low) { continue; }
            const bool turned = set[other] < set[one];
            if (!has(sets, turned ? kind_of_pair(set[other], set[one])
                                  : kind_of_pair(set[one], set[other]))) {
                continue;
            }
            const Member& second = *asked[other];
            bool overlap = false;
            for (std::size_t i = 0; i < boxes.size() && !overlap; ++i) {
                overlap = body == Body::box
                              ? overlaps(boxes[i], second.position, second.half_extent)
                              : discs_meet(copies_of[i], first.half_extent[0], second.position,
                                           second.half_extent[0]);
            }
            if (!overlap) { continue; }
            pairs.emplace_back(turned ? second.name : first.name,
                               turned ? first.name : second.name);
        }
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

template <std::size_t Dim>
std::vector<Ids> Truth<Dim>::neighbours(const Neighbourhood& asked, Sets sets) const {
    std::vector<Ids> found(id_bound());
    for (const Member& member : members_) {
        if (is_static(member.name)) { break; }
        if (asked.body != Body::centre) {
            found[member.name] = bodies_near(member, asked, sets);
            continue;
        }
        found[member.name] = ids_in(Ball<Dim>{member.position, asked.radius},
                                    {asked.groups, asked.with_self ? kNoId : member.name}, sets);
    }
    return found;
}

template <std::size_t Dim>
Ids Truth<Dim>::bodies_near(const Member& asker, const Neighbourhood& asked, Sets sets) const {
    std::vector<Point<Dim>> copies;
    world_.for_each_step(copies_, [&](const Offset<Dim>& steps) {
        Offset<Dim> by{};
        for (std::size_t a = 0; a < Dim; ++a) {
            if (steps[a] != 0) { by[a] = steps[a] * static_cast<double>(world_.period(a)); }
        }
        copies.push_back(throng::detail::shifted(asker.position, by));
    });
    Ids ids;
    for (const Member& member : members_) {
        if (!is_asked(member, {asked.groups, asked.with_self ? kNoId : asker.name}, sets)) {
            continue;
        }
        const bool near = std::any_of(copies.begin(), copies.end(), [&](const Point<Dim>& copy) {
            Point<Dim> offset, sum;
            for (std::size_t a = 0; a < Dim; ++a) {
                offset[a] = member.position[a] - copy[a];
                sum[a] = asker.half_extent[a] + member.half_extent[a];
            }
            return body_distance2(asked.body, offset, sum) <= asked.radius * asked.radius;
        });
        if (near) { ids.push_back(member.name); }
    }
    return ids;
}

template <std::size_t Dim>
std::vector<Ids> Truth<Dim>::touching(const Truth& others, std::uint32_t groups, Body body) const {
    std::vector<Ids> found(id_bound());
    for (const Member& member : members_) {
        if (is_static(member.name)) { break; }
        if (!is_asked(member, {groups}, Sets::all)) { continue; }
        if (body == Body::disc) {
            for (const Member& other : others.members_) {
                if (others.is_asked(other, {groups}, Sets::all) &&
                    discs_meet(member.position, member.half_extent[0], other.position,
                               other.half_extent[0])) {
                    found[member.name].push_back(other.name);
                }
            }
            continue;
        }
        found[member.name] =
            others.ids_in(Box<Dim>::around(member.position, member.half_extent), {groups});
    }
    return found;
}

template <std::size_t Dim>
CanonicalOrder Truth<Dim>::order(const GridShape<Dim>& shape) const {
    Ids agents;
    for (std::size_t i = 0; i < size(); ++i) {
        agents.push_back(members_[i].name);
    }
    return CanonicalOrder(stored(shape, agents));
}

template <std::size_t Dim>
Ids Truth<Dim>::stored(const GridShape<Dim>& shape, Ids agents) const {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, Id>> keys;
    keys.reserve(agents.size());
    for (const Id id : agents) {
        const Point<Dim>& at = (*this)[id].position;
        keys.emplace_back(shape.row_of(at), shape.cell_on(0, at[0]), id);
    }
    std::sort(keys.begin(), keys.end());
    std::transform(keys.begin(), keys.end(), agents.begin(),
                   [](const auto& key) { return std::get<2>(key); });
    return agents;
}

template <std::size_t Dim>
Ids Truth<Dim>::by_set(const Ids& names) const {
    Ids small, large;
    for (const Id name : names) {
        (set_of(name) == Sets::small ? small : large).push_back(name);
    }
    if (crowd_ != nullptr) { small = stored(crowd_->grid().shape(), std::move(small)); }
    std::sort(large.begin(), large.end(),
              [&](Id a, Id b) { return std::pair(set_of(a), a) < std::pair(set_of(b), b); });
    small.insert(small.end(), large.begin(), large.end());
    return small;
}

template <std::size_t Dim>
Ids Truth<Dim>::settled(std::span<const Id> answer) const {
    Ids ids(answer.begin(), answer.end());
    // Sorts giants and statics only if the sets come in the right order: otherwise the answer stays
    // wrong.
    auto begin = ids.begin();
    for (const Sets set : {Sets::small, Sets::giants, Sets::statics}) {
        const auto end = std::find_if(begin, ids.end(), [&](Id id) { return set_of(id) != set; });
        if (set != Sets::small) { std::sort(begin, end); }
        begin = end;
    }
    return ids;
}

template <std::size_t Dim>
IdPairs Truth<Dim>::settled(std::span<const Id> first, std::span<const Id> second) const {
    IdPairs pairs;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const bool small = set_of(first[i]) == Sets::small && set_of(second[i]) == Sets::small;
        const bool turned = small && first[i] > second[i]; // the crowd orders them by place
        pairs.emplace_back(turned ? second[i] : first[i], turned ? first[i] : second[i]);
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found Truth<Dim>::visit(const Shape& shape, IndexVisitor visitor, const Filter& filter,
                        std::size_t) const {
    if (const Status status = check_shape(shape); !status.ok()) { return {0, status}; }
    Found found;
    for (const Id id : ids_in(shape, filter)) {
        ++found.count;
        if (!visitor(std::span<const Id>(&id, 1))) { break; }
    }
    return found;
}

template <std::size_t Dim>
bool Truth<Dim>::comes_within_a_period(const Box<Dim>& bounds) const {
    bool near = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        near =
            near && (!world_.axes[a] || (bounds.lo[a] <= world_.bounds.hi[a] + world_.period(a) &&
                                         bounds.hi[a] >= world_.bounds.lo[a] - world_.period(a)));
    }
    return near;
}

template <std::size_t Dim>
bool Truth<Dim>::is_wide(const Member& member) const {
    bool wide = false;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float widest = std::max(member.half_extent[a], member.half_extent[0]);
        wide = wide || (world_.axes[a] && 1.001f * widest > world_.period(a));
    }
    return wide;
}

template <std::size_t Dim>
bool Truth<Dim>::wraps() const noexcept {
    return std::find(world_.axes.begin(), world_.axes.end(), true) != world_.axes.end();
}

template class Truth<2>;
template class Truth<3>;
#define THRONG_FOR_DIM(Shape, Dim)                                                                 \
    template Ids Truth<Dim>::ids_in(const Shape<Dim>&, const Filter&, Sets) const;                 \
    template Found Truth<Dim>::visit(const Shape<Dim>&, IndexVisitor, const Filter&, std::size_t)  \
        const;
#define THRONG_FOR_SHAPE(Shape, kind, KIND) THRONG_FOR_DIM(Shape, 2) THRONG_FOR_DIM(Shape, 3)
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_DIM
#undef THRONG_FOR_SHAPE
#define THRONG_FOR_DIM(Path, Dim)                                                                  \
    template std::vector<PathHit> Truth<Dim>::hits(const Path<Dim>&, const Filter&, Sets) const;
#define THRONG_FOR_PATH(Path, kind, KIND) THRONG_FOR_DIM(Path, 2) THRONG_FOR_DIM(Path, 3)
THRONG_FOR_EACH_PATH(THRONG_FOR_PATH)
#undef THRONG_FOR_DIM
#undef THRONG_FOR_PATH

} // namespace throng::test
