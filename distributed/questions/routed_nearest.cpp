#include "routed_nearest.hpp"

#include "../../engine/answers/nearest_checks.hpp"
#include "../../engine/crowd/periodic/point_copies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace throng {

namespace {

/// The head of a parcel of questions for the nearest.
struct NearestHead {
    std::uint32_t count = 0, k = 0;
    float radius = 0.0f, least = 0.0f;
    std::uint32_t up = 0;
    float below = 0.0f, above = 0.0f;
    float after_distance2 = 0.0f;
    GlobalId after = 0;
    std::uint64_t body = 0;
};

NearestHead packed(const GlobalNearest& nearest, std::size_t count) noexcept {
    return {static_cast<std::uint32_t>(count),
            nearest.k,
            nearest.radius,
            nearest.least,
            nearest.band.up,
            nearest.band.below,
            nearest.band.above,
            nearest.after.distance2,
            nearest.after.id,
            static_cast<std::uint64_t>(nearest.body)};
}
GlobalNearest unpacked(const NearestHead& head) noexcept {
    return {head.k,
            head.radius,
            head.least,
            {head.up, head.below, head.above},
            {head.after_distance2, head.after},
            static_cast<Body>(head.body)};
}

} // namespace

template <std::size_t Dim>
Status RoutedNearest<Dim>::check(std::span<const Point<Dim>> points,
                                 const GlobalNearest& nearest) noexcept {
    Status status = check_nearest(nearest.k, nearest.radius);
    if (status.ok()) {
        status = check_conditions<Dim>({nearest.k, nearest.radius, nearest.least, nearest.band,
                                        Near{nearest.after.distance2, 0}, nearest.body});
    }
    for (std::size_t i = 0; i < points.size() && status.ok(); ++i) {
        status = check_point(points[i], Argument::points, i);
    }
    return status;
}

template <std::size_t Dim>
float RoutedNearest<Dim>::limit(std::size_t question) const noexcept {
    const std::size_t k = nearest_.k;
    return out_.counts[question] == k ? out_.nearest[(question + 1) * k - 1].distance2
                                      : nearest_.radius * nearest_.radius;
}

template <std::size_t Dim>
bool RoutedNearest<Dim>::next(AskLists& lists) {
    second_ = !second_ && end_ != begin_;
    if (second_) {
        latest_.assign(here_.ranks.size(), ~0u);
        for (std::size_t q = begin_; q < end_; ++q) {
            ask_others(static_cast<std::uint32_t>(q - begin_), lists);
        }
        return true;
    }
    begin_ = end_;
    if (begin_ == points_.size() || nearest_.k == 0) { return false; }
    first_.clear();
    first_begin_.clear();
    const std::size_t most = std::clamp<std::size_t>(here_.bytes / bytes_of_question(), 1, ~0u);
    for (; end_ < points_.size() && end_ - begin_ < most && lists.count() < most; ++end_) {
        ask_nearest(static_cast<std::uint32_t>(end_ - begin_), lists);
    }
    first_begin_.push_back(first_.size());
    return true;
}

template <std::size_t Dim>
void RoutedNearest<Dim>::ask_nearest(std::uint32_t question, AskLists& lists) {
    first_begin_.push_back(first_.size());
    if (!has(here_.sets, Sets::small)) { return; }
    std::uint64_t agents = 0;
    const Point<Dim> home = here_.world.kept(points_[begin_ + question]);
    here_.census.bounds().nearest_first(home, nearest_.body,
                                        [&](std::uint32_t rank, std::uint64_t more) {
                                            first_.push_back(rank);
                                            lists.add(rank, question);
                                            agents += more;
                                            return agents < nearest_.k;
                                        });
}

template <std::size_t Dim>
void RoutedNearest<Dim>::ask_others(std::uint32_t question, AskLists& lists) {
    if (!has(here_.sets, Sets::small)) { return; }
    for (std::size_t i = first_begin_[question]; i < first_begin_[question + 1]; ++i) {
        latest_[first_[i]] = question;
    }
    // A rank answers for all copies of a point at once.
    const PointCopies<Dim> copies(here_.world, points_[begin_ + question]);
    for (std::size_t i = 0; i < copies.size(); ++i) {
        here_.census.bounds().for_each_near(
            copies[i], nearest_.body, limit(begin_ + question), [&](std::uint32_t rank) {
                if (std::exchange(latest_[rank], question) != question) {
                    lists.add(rank, question);
                }
            });
    }
}

template <std::size_t Dim>
void RoutedNearest<Dim>::write(std::span<const std::uint32_t> questions, ParcelWriter& to) {
    Vector<Point<Dim>> points;
    Vector<float> limits;
    for (const std::uint32_t question : questions) {
        points.push_back(points_[begin_ + question]);
        limits.push_back(limit(begin_ + question));
    }
    to.put_one(packed(nearest_, questions.size()));
    to.put(points);
    to.put(limits);
    AskedFilters::write(filters_, begin_, questions, to);
}

template <std::size_t Dim>
std::size_t nearest_owned(const RankView<Dim>& here, const Point<Dim>& point,
                          const GlobalNearest& nearest, float limit, const Filter& filter,
                          std::span<GlobalNear> found) {
    const Census<Dim>& census = here.census;
    Nearest asked = {nearest.k,    nearest.radius, nearest.least,
                     nearest.band, kBeforeAll,     nearest.body};
    if (!(nearest.after.distance2 < 0.0f)) {
        // Starts after the last owned agent whose global id is at most that of nearest.after;
        // without such an agent, starts with all agents at that distance.
        const Id past = nearest.after.id == kNoGlobalId ? static_cast<Id>(census.owned())
                                                        : census.below(nearest.after.id + 1);
        asked.after = {nearest.after.distance2, past - 1};
        if (past == 0) {
            const float nearer = std::nextafter(nearest.after.distance2, 0.0f);
            asked.after = nearest.after.distance2 > 0.0f ? Near{nearer, kNoId} : kBeforeAll;
        }
    }
    // No answer is farther than the limit, and searches end sooner with it.
    const float enough = std::sqrt(limit) * (1.0f + 0x1p-20f) + 1e-18f;
    asked.radius = std::min(asked.radius, enough);
    // Near borders copies meet agents and their ghosts. Another page takes a search of all copies:
    // with k for the first one, whole crowds took four times as long in space, and twice in the
    // plane.
    if (here.world.wraps) {
        asked.k = std::min<std::uint32_t>(std::uint32_t{2 * Dim} * asked.k, kMostNearest);
    }
    std::size_t count = 0;
    std::array<Near, kMostNearest> near;
    // Ghosts among the nearest take places of owned agents; then the search goes on after the last
    // agent found, for more agents each time.
    for (;;) {
        const std::size_t got = here.part
                                    .nearest(here.world, point, asked,
                                             std::span(near).first(asked.k), filter, Sets::small)
                                    .count;
        for (std::size_t i = 0; i < got; ++i) {
            if (near[i].id >= census.owned()) { continue; }
            if (count == nearest.k || near[i].distance2 > limit) { return count; }
            found[count++] = {near[i].distance2, census.name(near[i].id)};
        }
        if (count == nearest.k || got < asked.k || near[got - 1].distance2 > limit) {
            return count;
        }
        asked.after = near[got - 1];
        asked.k = std::min(4 * asked.k, kMostNearest);
    }
}

template <std::size_t Dim>
Status RoutedNearest<Dim>::answer(ParcelReader from, std::size_t, ParcelWriter& to) {
    NearestHead head;
    std::span<const Point<Dim>> points;
    std::span<const float> limits;
    AskedFilters filters;
    if (!from.take_one(head) || !from.take(head.count, points) || !from.take(head.count, limits) ||
        !filters.read(from, head.count, here_.census) || !from.empty() || head.count == 0 ||
        head.k == 0) {
        return kBadParcel;
    }
    const GlobalNearest nearest = unpacked(head);
    if (const Status status = check(points, nearest); !status.ok()) { return status; }
    Vector<GlobalNear> all(points.size() * head.k);
    Vector<std::uint32_t> counts(points.size());
    const Status status = answer_each(here_, points.size(), [&](std::size_t q) {
        const std::span<GlobalNear> found(all.data() + q * head.k, head.k);
        counts[q] = static_cast<std::uint32_t>(
            nearest_owned(here_, points[q], nearest, limits[q], filters.of(q), found));
    });
    if (!status.ok()) { return status; }
    here_.answered += points.size();
    std::size_t total = 0; // number of answers, without empty places
    for (std::size_t q = 0; q < points.size(); ++q) {
        std::copy_n(all.data() + q * head.k, counts[q], all.data() + total);
        total += counts[q];
    }
    Vector<float> distances;
    Vector<GlobalId> ids;
    for (std::size_t i = 0; i < total; ++i) {
        distances.push_back(all[i].distance2);
        ids.push_back(all[i].id);
    }
    to.put(counts);
    to.put(distances);
    to.put(ids);
    return {};
}

template <std::size_t Dim>
Status RoutedNearest<Dim>::read(std::span<const std::uint32_t> questions, Arrival&& arrival,
                                std::size_t& answered) {
    const Status bad{kBadParcel.cause, kBadParcel.argument, arrival.from};
    ParcelReader from(arrival.bytes);
    std::span<const std::uint32_t> counts;
    if (!from.take(questions.size(), counts)) { return bad; }
    std::uint64_t total = 0;
    for (const std::uint32_t count : counts) {
        if (count > nearest_.k) { return bad; }
        total += count;
    }
    std::span<const float> distances;
    std::span<const GlobalId> ids;
    if (!from.take(total, distances) || !from.take(total, ids) || !from.empty()) { return bad; }
    Vector<GlobalNear> more;
    for (std::size_t q = 0, at = 0; q < counts.size(); ++q) {
        more.clear();
        for (const std::size_t end = at + counts[q]; at < end; ++at) {
            more.push_back({distances[at], ids[at]});
        }
        const std::size_t question = begin_ + questions[q], k = nearest_.k;
        std::uint32_t& count = out_.counts[question];
        const std::span<GlobalNear> best(out_.nearest.data() + question * k, k);
        merged_.resize(count + more.size());
        std::merge(best.begin(), best.begin() + count, more.begin(), more.end(), merged_.begin());
        count = static_cast<std::uint32_t>(std::min(merged_.size(), k));
        std::copy_n(merged_.begin(), count, best.begin());
    }
    answered = counts.size();
    return {};
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template class RoutedNearest<Dim>;                                                             \
    template std::size_t nearest_owned(const RankView<Dim>&, const Point<Dim>&,                    \
                                       const GlobalNearest&, float, const Filter&,                 \
                                       std::span<GlobalNear>);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
