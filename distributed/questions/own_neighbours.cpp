#include "own_neighbours.hpp"

#include "large_answers.hpp"
#include "routed_nearest.hpp"

#include <algorithm>
#include <cmath>

namespace throng {

/// `near` has one agent more than k, if there is one. If it is farther than the k-th, the first k
/// are the answer. If it is equally far, they are the answer only if no tie can be elsewhere.
template <std::size_t Dim>
bool OwnNeighbours<Dim>::is_sure(RankView<Dim>& here, const Point<Dim>& place,
                                 std::span<const Near> near) const noexcept {
    if (here.world.wraps) {
        // The distance across a border is that of the asker, moved and rounded, and not that of a
        // ghost.
        const float room = std::max(here.world.room_around(place), 0.0f);
        const bool full = near.size() >= nearest_.k;
        const bool inside =
            full ? near[nearest_.k - 1].distance2 < room * room : nearest_.radius < room;
        if (!inside) { return false; }
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
    Vector<Point<Dim>> all_places(owned);
    Vector<Id> names(owned);
    for_each_place(here.part, [&](Id id, Id name, const Point<Dim>& place) {
        if (id >= owned) { return; }
        all_places[id] = place;
        names[id] = name;
    });
    for (std::size_t i = 0; i < owned; ++i) {
        const auto id = static_cast<Id>(i);
        const std::span<const Near> near = local.of(names[id]);
        if (!is_sure(here, all_places[id], near)) {
            doubtful_.push_back(id);
            places_.push_back(all_places[id]);
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
