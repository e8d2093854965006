// The agents nearest to a place in a periodic world.
#include "periodic.hpp"

#include "../../answers/merge.hpp"
#include "../../answers/nearest_checks.hpp"
#include "../../shapes/translated.hpp"
#include "../store/part.hpp"
#include "point_copies.hpp"
#include "sources.hpp"

#include <algorithm>
#include <array>

namespace throng {

namespace {

bool is_nearer(const Near& a, const Near& b) noexcept {
    return a.distance2 != b.distance2 ? a.distance2 < b.distance2 : a.id < b.id;
}

/// The nearest of two sorted lists, each agent once.
class NearestMerge {
public:
    /// Merges the others into the first `count` elements of `best`, which has room for as many as
    /// are wanted. Returns how many `best` has then.
    std::size_t merge(std::span<Near> best, std::size_t count,
                      std::span<const Near> others) noexcept {
        list(best.first(count), of_best_);
        list(others, of_others_);
        std::size_t a = 0, b = 0, n = 0;
        while (n < best.size() && (a < count || b < others.size())) {
            const bool ours = b == others.size() || (a < count && !is_nearer(others[b], best[a]));
            const Near next = ours ? best[a++] : others[b++];
            const std::span<const Near> rivals =
                ours ? listed(of_others_, others.size()) : listed(of_best_, count);
            // Of the same agent at the same distance, the one in `best` stays.
            const Near* const rival = find(rivals, next.id);
            if (rival != nullptr && (rival->distance2 < next.distance2 ||
                                     (rival->distance2 == next.distance2 && !ours))) {
                continue;
            }
            merged_[n++] = next;
        }
        std::copy_n(merged_.begin(), n, best.begin());
        return n;
    }

private:
    using List = std::array<Near, kMostNearest>;

    static bool has_smaller_id(const Near& a, const Near& b) noexcept { return a.id < b.id; }

    /// Copies `nearest` to `by_id`, sorted by id.
    static void list(std::span<const Near> nearest, List& by_id) noexcept {
        std::sort(by_id.begin(), std::copy(nearest.begin(), nearest.end(), by_id.begin()),
                  has_smaller_id);
    }
    static std::span<const Near> listed(const List& by_id, std::size_t count) noexcept {
        return std::span<const Near>(by_id).first(count);
    }
    static const Near* find(std::span<const Near> by_id, Id id) noexcept {
        const auto at =
            std::lower_bound(by_id.begin(), by_id.end(), Near{0.0f, id}, has_smaller_id);
        return at != by_id.end() && at->id == id ? &*at : nullptr;
    }

    List of_best_, of_others_, merged_;
};

/// Whether conditions leave out agents by their distance.
[[nodiscard]] bool chooses_by_distance(const Nearest& nearest) noexcept {
    return nearest.least > 0.0f || nearest.after.distance2 >= 0.0f;
}

/// Finds the agents nearest to one copy, if conditions leave out agents by their distance. Only the
/// distance from the nearest copy counts, so an agent that is nearer to another copy is no answer
/// for this copy. To make up for such agents, further ones are asked for, page by page.
template <std::size_t Dim, class Set, class AgentOf>
std::size_t nearest_of_own_in(const Set& set, const PointCopies<Dim>& copies,
                              const NearestFrom<Dim>& from, Nearest nearest, std::span<Near> out,
                              const Filter& filter, const AgentOf& agent_of) {
    const auto is_own = [&](const Near& near) {
        const Agent<Dim> agent = agent_of(near.id);
        for (std::size_t i = 0; i < copies.size(); ++i) {
            const Point<Dim> copy = copies[i];
            if (NearestFrom<Dim>(copy, from.half_extent)
                        .distance2_to(nearest.body, agent.position, *agent.half_extent) <
                    near.distance2 &&
                is_in_band(nearest.band, copy, agent.position)) {
                return false;
            }
        }
        return true;
    };
    std::array<Near, kMostNearest> room;
    const std::span<Near> page = std::span<Near>(room).first(nearest.k);
    std::size_t count = 0;
    for (std::size_t found = page.size(); found == page.size() && count < page.size();) {
        found = nearest_in(set, from, nearest, page, filter).count;
        for (std::size_t i = 0; i < found && count < page.size(); ++i) {
            if (is_own(page[i])) { out[count++] = page[i]; }
        }
        nearest.after = page.back();
    }
    return count;
}

/// Merges the nearest of a set into the `count` best. Returns the new count. A separate function,
/// since its lists are large and most questions need one set only.
template <class Find>
std::size_t merge_found(std::span<Near> best, std::size_t count, const Find& find) {
    std::array<Near, kMostNearest> room;
    const std::span<Near> others = std::span<Near>(room).first(best.size());
    const std::size_t found = find(others);
    return found == 0 ? count : NearestMerge().merge(best, count, others.first(found));
}

} // namespace

template <std::size_t Dim>
Found Crowd<Dim>::State::PeriodicCopies::nearest(const NearestFrom<Dim>& from,
                                                 const Nearest& nearest, std::span<Near> out,
                                                 const Filter& filter) const {
    bool is_inside = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        is_inside &= world_.inner.lo[a] < from.point[a] && from.point[a] < world_.inner.hi[a];
    }
    if (!is_inside || nearest.body != Body::centre || chooses_by_distance(nearest)) {
        return nearest_anywhere(from, nearest, out, filter);
    }
    // Most questions end here. What is refused is refused in a plain world, too.
    const Found found = plain().nearest(from, nearest, out, filter);
    if (!found.status.ok() || nearest.k == 0) { return found; }
    const std::span<Near> best = out.first(nearest.k);
    if (!may_gain(from.point, nearest, best, found.count)) { return found; }
    return {beyond(from, nearest, best, found.count, filter), {}};
}

/// Of any place, and under any conditions. A function by itself, since the other one is short.
template <std::size_t Dim>
Found Crowd<Dim>::State::PeriodicCopies::nearest_anywhere(const NearestFrom<Dim>& from,
                                                          const Nearest& nearest,
                                                          std::span<Near> out,
                                                          const Filter& filter) const {
    Status status = check_nearest<Dim>(nearest);
    if (status.ok()) { status = check_shape(from.point); }
    if (!status.ok()) { return {0, status}; }
    if (out.size() < nearest.k) { return {0, {Cause::no_room, Argument::nearest}}; }
    if (nearest.k == 0) { return {}; }
    const std::span<Near> best = out.first(nearest.k);
    std::fill(best.begin(), best.end(), Near{});
    if (filter.groups == 0 || is_hopeless(nearest)) { return {}; }

    const NearestFrom<Dim> home(world_.kept(from.point), from.half_extent);
    if (chooses_by_distance(nearest)) {
        return {among_copies(0, home, nearest, best, 0, filter), {}};
    }
    const std::size_t count = plain().nearest(home, nearest, best, filter).count;
    return {beyond(home, nearest, best, count, filter), {}};
}

template <std::size_t Dim>
std::size_t Crowd<Dim>::State::PeriodicCopies::beyond(const NearestFrom<Dim>& home,
                                                      const Nearest& nearest, std::span<Near> best,
                                                      std::size_t count,
                                                      const Filter& filter) const {
    if (nearest.body != Body::centre) {
        return among_copies(1, home, nearest, best, count, filter);
    }
    if (!may_gain(home.point, nearest, best, count)) { return count; }
    const NarrowCopies<Dim> copies = around(home.point, radius_among(best, count, nearest.radius));
    if (!copies.narrow()) { return among_copies(1, home, nearest, best, count, filter); }
    for (std::size_t i = 1; i <= copies.count(); ++i) {
        // One period, added to a float: that rounds once.
        const NearestFrom<Dim> copy(detail::shifted(home.point, copies.offset(i)));
        state_.for_each_set(sets_, [&](const auto& set) {
            Nearest closer = nearest;
            closer.radius = radius_among(best, count, nearest.radius);
            count = with_room_for(best.size(), [&](std::span<Near> others) {
                const Found found = nearest_in(set, copy, closer, others, filter);
                return merge_nearest(best, count, others.first(found.count));
            });
            return true;
        });
    }
    return count;
}

template <std::size_t Dim>
std::size_t
Crowd<Dim>::State::PeriodicCopies::among_copies(std::size_t first, const NearestFrom<Dim>& home,
                                                const Nearest& nearest, std::span<Near> best,
                                                std::size_t count, const Filter& filter) const {
    const bool by_distance = chooses_by_distance(nearest);
    const PointCopies<Dim> copies(world_, home.point);
    for (std::size_t i = first; i < copies.size(); ++i) {
        const NearestFrom<Dim> copy(copies[i], home.half_extent);
        state_.for_each_set(sets_, [&](const auto& set) {
            const float least = copies.least_distance2(copy, nearest.body, largest_of(set));
            // Agents as far away as the last may have smaller ids.
            if (least > nearest.radius * nearest.radius ||
                (count == nearest.k && least > best.back().distance2)) {
                return true;
            }
            Nearest closer = nearest;
            closer.radius = radius_among(best, count, nearest.radius);
            const auto find = [&](std::span<Near> to) {
                if (!by_distance) { return nearest_in(set, copy, closer, to, filter).count; }
                return nearest_of_own_in(set, copies, copy, closer, to, filter,
                                         [&](Id id) { return agent_of(set, id); });
            };
            count = count == 0 ? find(best) : merge_found(best, count, find);
            return true;
        });
    }
    return count;
}

template <std::size_t Dim>
Found CrowdPart<Dim>::nearest(const WorldWrap<Dim>& world, const Point<Dim>& point,
                              const Nearest& nearest, std::span<Near> out, const Filter& filter,
                              Sets sets) const {
    if (!world.wraps) { return crowd_.nearest(point, nearest, out, filter, sets); }
    using Copies = typename detail::StateOf<Crowd<Dim>>::PeriodicCopies;
    return Copies(detail::state_of(crowd_), sets, world).nearest(point, nearest, out, filter);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found Crowd<Dim>::State::PeriodicCopies::nearest_anywhere(                            \
        const NearestFrom<Dim>&, const Nearest&, std::span<Near>, const Filter&) const;            \
    template Found Crowd<Dim>::State::PeriodicCopies::nearest(                                     \
        const NearestFrom<Dim>&, const Nearest&, std::span<Near>, const Filter&) const;            \
    template std::size_t Crowd<Dim>::State::PeriodicCopies::beyond(                                \
        const NearestFrom<Dim>&, const Nearest&, std::span<Near>, std::size_t, const Filter&)      \
        const;                                                                                     \
    template Found CrowdPart<Dim>::nearest(const WorldWrap<Dim>&, const Point<Dim>&,               \
                                           const Nearest&, std::span<Near>, const Filter&, Sets)   \
        const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
