#include "own_neighbours.hpp"

#include "../../engine/answers/nearest_checks.hpp"
#include "large_answers.hpp"
#include "routed_nearest.hpp"

#include <algorithm>
#include <cmath>

namespace throng {

/// `near` has one agent more than k, if there is one. If it is farther than the k-th, the first k
/// are the answer. If it is equally far, they are the answer only if no tie can be elsewhere.
template <std::size_t Dim>
bool OwnNeighbours<Dim>::is_sure(RankView<Dim>& here, const Point<Dim>& place,
                                 std::span<Near> near) const noexcept {
    if (here.world.wraps) {
        const float room = std::max(here.world.room_around(place), 0.0f);
        const bool full = near.size() >= nearest_.k;
        const bool inside =
            full ? near[nearest_.k - 1].distance2 < room * room : nearest_.radius < room;
        if (!inside) { return is_sure_across(here, place, near); }
    }
    // All agents within reach are known here.
    if (near.size() < nearest_.k) { return nearest_.radius <= reach_; }
    const Near& last = near[nearest_.k - 1];
    const bool tied = near.size() == nearest_.k ? nearest_.k == kMostNearest
                                                : near[nearest_.k].distance2 == last.distance2;
    if (!tied) { return true; }
    // Local ids break ties of owned agents as global ids do, but not ties with other agents.
    if (!LargeAnswers<Dim>(here, {}).empty()) { return false; }
    Box<Dim> ball;
    const double far = std::sqrt(double{last.distance2});
    for (std::size_t a = 0; a < Dim; ++a) {
        const double wide = far + (std::abs(place[a]) + far) * 0x1p-19 + 1e-17;
        ball.lo[a] = static_cast<float>(place[a] - wide);
        ball.hi[a] = static_cast<float>(place[a] + wide);
    }
    return here.owns(ball);
}

/// The distance across a border is that of the asker, moved and rounded, and not that of a ghost:
/// this corrects those of the first k. They are the answer if they are so much nearer than the next
/// one that rounding cannot have left out another.
template <std::size_t Dim>
bool OwnNeighbours<Dim>::is_sure_across(const RankView<Dim>& here, const Point<Dim>& place,
                                        std::span<Near> near) const noexcept {
    if (homes_.empty() || near.size() <= nearest_.k) { return false; }
    float last = 0.0f;
    for (Near& one : near.first(nearest_.k)) {
        if (here.first_moved <= one.id && one.id < here.part.agents()) {
            const Id home = homes_[one.id - here.first_moved];
            if (home == kNoId) { return false; }
            Point<Dim> moved = place;
            for (std::size_t a = 0; a < Dim; ++a) {
                // A reach is less than half a period: two that are farther apart than that have
                // met because the ghost was moved.
                const double period = here.world.period[a], by = own_places_[home][a] - place[a];
                if (2.0 * std::abs(by) > period) {
                    moved[a] = static_cast<float>(place[a] + std::copysign(period, by));
                }
            }
            one.distance2 = distance2_between(moved, own_places_[home]);
        }
        last = std::max(last, one.distance2);
    }
    // The slack is 2^-12 of the borders' numbers on each axis. Of the places and the difference
    // five roundings matter, each of at most 2^-24 of them.
    const double rounding = here.world.slack * 0x1p-8;
    return std::sqrt(double{last}) + rounding < std::sqrt(double{near[nearest_.k].distance2});
}

template <std::size_t Dim>
void OwnNeighbours<Dim>::find_homes(RankView<Dim>& here) {
    // Giants and statics are not among the ghosts, and conditions are about distances.
    if (!here.world.wraps || has_conditions(asked_by_each(nearest_)) ||
        !LargeAnswers<Dim>(here, {}).empty()) {
        return;
    }
    homes_ = here.census.below_each(here.first_moved, here.part.agents());
    for (std::size_t i = 0; i < homes_.size(); ++i) {
        const GlobalId name = here.census.name(static_cast<Id>(here.first_moved + i));
        const bool own = homes_[i] < here.census.owned() && here.census.name(homes_[i]) == name;
        if (!own) { homes_[i] = kNoId; }
    }
}

template <std::size_t Dim>
Status OwnNeighbours<Dim>::look(RankView<Dim>& here) {
    const std::size_t k = nearest_.k, owned = here.census.owned();
    hits.k = nearest_.k;
    hits.nearest.assign(owned * k, {});
    hits.counts.assign(owned, 0);
    if (k == 0) { return {}; }
    NearestNeighbours within = nearest_;
    within.k = std::min(nearest_.k + 1, kMostNearest);
    within.radius = std::min(nearest_.radius, reach_);
    NearHits local;
    const Status status =
        here.batch.nearest_neighbours({here.part.crowd(), here.sets}, within, local, Order::ids);
    if (!status.ok()) { return status; }
    own_places_.resize(owned);
    Vector<Id> names(owned);
    for_each_place(here.part, [&](Id id, Id name, const Point<Dim>& place) {
        if (id >= owned) { return; }
        own_places_[id] = place;
        names[id] = name;
    });
    find_homes(here);
    for (std::size_t i = 0; i < owned; ++i) {
        const auto id = static_cast<Id>(i);
        const auto near = std::span(local.nearest)
                              .subspan(std::size_t{names[id]} * local.k, local.counts[names[id]]);
        if (!is_sure(here, own_places_[id], near)) {
            doubtful_.push_back(id);
            places_.push_back(own_places_[id]);
            filters_.push_back(
                {nearest_.groups, nearest_.with_self ? kNoGlobalId : here.census.name(id)});
            continue;
        }
        const std::size_t count = std::min(near.size(), k);
        GlobalNear* const to = hits.nearest.data() + i * k;
        for (std::size_t n = 0; n < count; ++n) {
            to[n] = {near[n].distance2, here.global(near[n].id)};
        }
        std::sort(to, to + count);
        hits.counts[i] = static_cast<std::uint32_t>(count);
    }
    answers_.k = nearest_.k;
    answers_.nearest.assign(doubtful_.size() * k, {});
    answers_.counts.assign(doubtful_.size(), 0);
    return {};
}

template <std::size_t Dim>
Status OwnNeighbours<Dim>::look_at_large(RankView<Dim>& here) {
    LargeAnswers<Dim> large(here, filters_);
    return large.empty() ? Status{} : large.nearest(places_, each(), answers_);
}

template <std::size_t Dim>
Status OwnNeighbours<Dim>::ask(RankView<Dim>& here, Rounds& rounds) {
    RoutedNearest<Dim> asking(here, places_, each(), filters_, answers_);
    const Status status = rounds.run(asking);
    if (!status.ok()) { return status; }
    for (std::size_t i = 0; i < doubtful_.size(); ++i) {
        const std::size_t k = nearest_.k, id = doubtful_[i];
        std::copy_n(answers_.nearest.begin() + static_cast<std::ptrdiff_t>(i * k), k,
                    hits.nearest.begin() + static_cast<std::ptrdiff_t>(id * k));
        hits.counts[id] = answers_.counts[i];
    }
    return {};
}

template class OwnNeighbours<2>;
template class OwnNeighbours<3>;

} // namespace throng
