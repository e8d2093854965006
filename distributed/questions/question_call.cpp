// The collective questions of a distributed grid: their checks, their beginning and end.
#include "../../engine/answers/nearest_checks.hpp"
#include "../store/state.hpp"
#include "large_answers.hpp"
#include "routed_nearest.hpp"
#include "routed_paths.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace throng {

/// One collective call with questions, on one rank. Failures before the rounds are refused in the
/// first agreement, failures in a round in the agreement of that round. Answers reach the user's
/// arrays only when all ranks have agreed that they are complete.
template <std::size_t Dim>
class QuestionCall {
public:
    using State = typename DistributedGrid<Dim>::State;

    QuestionCall(DistributedGrid<Dim>& grid, DistributedCall call, Executor& executor,
                 Sets sets) noexcept
        : state_(*grid.state_), call_(call), executor_(executor), sets_(sets) {}

    /// `prepare(here)` may fail and throw. After it, `questions()` is this rank's number of
    /// questions, and `ask(here, rounds)` asks them.
    template <class Prepare, class Questions, class Ask>
    Status run(const Status& checked, const Prepare& prepare, const Questions& questions,
               const Ask& ask) {
        std::optional<RankView<Dim>> here;
        Status own = state_.configured ? checked : Status{Cause::not_configured};
        if (own.ok()) { own = state_.allow(executor_); }
        if (own.ok()) {
            own = without_throwing([&] {
                Census<Dim>& census = state_.census;
                if (!census.is_current()) {
                    census.look(state_.grid(), state_.whole, state_.ranks.size());
                }
                return prepare(here.emplace(view()));
            });
        }
        const std::uint64_t count = own.ok() ? questions() : 0;
        std::uint64_t word = count == 0 ? 1 : 0;
        const Status agreed = settle(call_, own, word);
        if (!agreed.ok() || word == 1) { return agreed; } // 1: no rank has questions
        if (!state_.census.is_current()) {
            const Status told = state_.census.share(state_.ranks, here->largest_half_extent);
            if (!told.ok()) { return told; }
        }
        const auto settle_round = [&](const Status& status, std::uint64_t& more) {
            return settle(DistributedCall::round, status, more);
        };
        Rounds rounds(state_.ranks, state_.question_bytes, settle_round);
        const Status asked = ask(*here, rounds);
        if (asked.ok()) {
            state_.stats.asked += count;
            state_.stats.answered += here->answered;
        }
        return asked;
    }

private:
    [[nodiscard]] RankView<Dim> view() {
        const CrowdKind<Dim>& kind = state_.kind;
        return {state_.ranks,
                state_.part,
                state_.grid(),
                state_.census,
                state_.layout.cuts,
                state_.whole,
                state_.layout.brick,
                kind.own_half_extents ? Point<Dim>::all(0.5f * state_.reach)
                                      : kind.common_half_extent,
                state_.question_bytes,
                state_.batch_on(executor_),
                executor_,
                state_.claims,
                sets_};
    }

    Status settle(DistributedCall call, const Status& own, std::uint64_t& word) {
        Agreement agreement(state_.ranks);
        const Status status = agreement.settle(state_.next_call(call), own, word);
        state_.refused_by = agreement.refused_by();
        word = agreement.word();
        return status;
    }

    State& state_;
    const DistributedCall call_;
    Executor& executor_;
    const Sets sets_;
};

namespace {

template <std::size_t Dim>
Status check(const ShapesView<Dim>& shapes, std::span<const GlobalFilter> filters) noexcept {
    if (const Status status = check_kind(shapes); !status.ok()) { return status; }
    if (const Status status = first_fault(shapes); !status.ok()) { return status; }
    return AskedFilters::check(filters, shapes.count);
}

template <std::size_t Dim>
Status check_paths(const ShapesView<Dim>& paths, std::span<const GlobalFilter> filters) noexcept {
    const Status status = check(paths, filters);
    // A rank without paths need not say what kind they are.
    if (!status.ok() || paths.count == 0 || is_path(paths.kind)) { return status; }
    return {Cause::out_of_range, Argument::shapes};
}

/// The nearest neighbours of a rank's own agents, as far as known here, and the agents to ask other
/// ranks about.
template <std::size_t Dim>
class OwnNeighbours {
public:
    OwnNeighbours(const NearestNeighbours& nearest, float reach) noexcept
        : nearest_(nearest), reach_(reach) {}

    Status look(RankView<Dim>& here);
    [[nodiscard]] std::size_t doubtful() const noexcept { return doubtful_.size(); }
    Status ask(RankView<Dim>& here, Rounds& rounds);

    GlobalNearHits hits;

private:
    /// The question for each doubtful agent.
    [[nodiscard]] GlobalNearest each() const noexcept {
        return {nearest_.k, nearest_.radius, nearest_.least, nearest_.band};
    }
    [[nodiscard]] bool is_sure(RankView<Dim>& here, const Point<Dim>& place,
                               std::span<const Near> near) const noexcept;

    const NearestNeighbours nearest_;
    const float reach_;
    Vector<Id> doubtful_; ///< local ids of agents to ask other ranks about
    Vector<Point<Dim>> places_;
    Vector<GlobalFilter> filters_;
    GlobalNearHits answers_;
};

/// `near` has one agent more than k, if there is one. If it is farther than the k-th, the first k
/// are the answer. If it is equally far, they are the answer only if no tie can be elsewhere.
template <std::size_t Dim>
bool OwnNeighbours<Dim>::is_sure(RankView<Dim>& here, const Point<Dim>& place,
                                 std::span<const Near> near) const noexcept {
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
    Vector<Point<Dim>> places(owned);
    Vector<Id> names(owned);
    for_each_place(here.part, [&](Id id, Id name, const Point<Dim>& place) {
        if (id >= owned) { return; }
        places[id] = place;
        names[id] = name;
    });
    for (std::size_t i = 0; i < owned; ++i) {
        const auto id = static_cast<Id>(i);
        const std::span<const Near> near = local.of(names[id]);
        if (!is_sure(here, places[id], near)) {
            doubtful_.push_back(id);
            places_.push_back(places[id]);
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

} // namespace

template <std::size_t Dim>
Status DistributedGrid<Dim>::query(const ShapesView<Dim>& shapes, GlobalHits& hits,
                                   std::span<const GlobalFilter> filters, Executor& executor,
                                   Sets sets) {
    GlobalHits found, large;
    const Status status = QuestionCall<Dim>(*this, DistributedCall::query, executor, sets)
                              .run(
                                  check(shapes, filters),
                                  [&](RankView<Dim>& here) {
                                      found.offsets.reserve(shapes.count + 1);
                                      found.offsets.push_back(0);
                                      LargeAnswers<Dim> all(here, filters);
                                      return all.empty() ? Status{} : all.list(shapes, large);
                                  },
                                  [&] { return shapes.count; },
                                  [&](RankView<Dim>& here, Rounds& rounds) {
                                      RoutedLists<Dim> lists(here, shapes, filters, large, found);
                                      return rounds.run(lists);
                                  });
    if (status.ok()) { hits = std::move(found); }
    return status;
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::count_all(const ShapesView<Dim>& shapes, bool any,
                                       std::span<std::uint64_t> counts,
                                       std::span<const GlobalFilter> filters, Executor& executor,
                                       Sets sets) {
    Status checked = check(shapes, filters);
    if (checked.ok() && counts.size() != shapes.count) {
        checked = {Cause::count_mismatch, Argument::counts};
    }
    Vector<std::uint64_t> found;
    const auto call = any ? DistributedCall::any : DistributedCall::count;
    const Status status =
        QuestionCall<Dim>(*this, call, executor, sets)
            .run(
                checked,
                [&](RankView<Dim>& here) {
                    found.resize(shapes.count);
                    LargeAnswers<Dim> large(here, filters);
                    return large.empty() ? Status{} : large.count(shapes, any, found);
                },
                [&] { return shapes.count; },
                [&](RankView<Dim>& here, Rounds& rounds) {
                    RoutedCounts<Dim> asking(here, shapes, filters, any, found);
                    return rounds.run(asking);
                });
    if (status.ok()) { std::copy(found.begin(), found.end(), counts.begin()); }
    return status;
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::nearest(std::span<const Point<Dim>> points,
                                     const GlobalNearest& nearest, GlobalNearHits& hits,
                                     std::span<const GlobalFilter> filters, Executor& executor,
                                     Sets sets) {
    Status checked = RoutedNearest<Dim>::check(points, nearest);
    if (checked.ok()) { checked = AskedFilters::check(filters, points.size()); }
    GlobalNearHits found;
    const Status status =
        QuestionCall<Dim>(*this, DistributedCall::nearest, executor, sets)
            .run(
                checked,
                [&](RankView<Dim>& here) {
                    found.k = nearest.k;
                    found.nearest.assign(points.size() * nearest.k, {});
                    found.counts.assign(points.size(), 0);
                    LargeAnswers<Dim> large(here, filters);
                    return large.empty() ? Status{} : large.nearest(points, nearest, found);
                },
                [&] { return points.size(); },
                [&](RankView<Dim>& here, Rounds& rounds) {
                    RoutedNearest<Dim> asking(here, points, nearest, filters, found);
                    return rounds.run(asking);
                });
    if (status.ok()) { hits = std::move(found); }
    return status;
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::first(const ShapesView<Dim>& paths, std::vector<GlobalMeeting>& first,
                                   std::span<const GlobalFilter> filters, Executor& executor,
                                   Sets sets) {
    std::vector<GlobalMeeting> found;
    const Status status = QuestionCall<Dim>(*this, DistributedCall::first, executor, sets)
                              .run(
                                  check_paths(paths, filters),
                                  [&](RankView<Dim>& here) {
                                      found.resize(paths.count);
                                      LargeAnswers<Dim> large(here, filters);
                                      return large.empty() ? Status{} : large.first(paths, found);
                                  },
                                  [&] { return paths.count; },
                                  [&](RankView<Dim>& here, Rounds& rounds) {
                                      RoutedFirst<Dim> asking(here, paths, filters, found);
                                      return rounds.run(asking);
                                  });
    if (status.ok()) { first = std::move(found); }
    return status;
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::meetings(const ShapesView<Dim>& paths, GlobalMeetings& meetings,
                                      std::span<const GlobalFilter> filters, Executor& executor,
                                      Sets sets) {
    GlobalMeetings found, large;
    const Status status =
        QuestionCall<Dim>(*this, DistributedCall::meetings, executor, sets)
            .run(
                check_paths(paths, filters),
                [&](RankView<Dim>& here) {
                    found.offsets.reserve(paths.count + 1);
                    found.offsets.push_back(0);
                    LargeAnswers<Dim> all(here, filters);
                    return all.empty() ? Status{} : all.meetings(paths, large);
                },
                [&] { return paths.count; },
                [&](RankView<Dim>& here, Rounds& rounds) {
                    RoutedMeetings<Dim> asking(here, paths, filters, large, found);
                    return rounds.run(asking);
                });
    if (status.ok()) { meetings = std::move(found); }
    return status;
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::nearest_neighbours(const NearestNeighbours& nearest,
                                                GlobalNearHits& hits, Executor& executor,
                                                Sets sets) {
    OwnNeighbours<Dim> own(nearest, state_->reach);
    Status checked = check_nearest<Dim>(nearest);
    if (checked.ok() && nearest.body != Body::centre) { // ghosts are chosen by centres
        checked = {Cause::beyond_reach, Argument::body};
    }
    const Status status =
        QuestionCall<Dim>(*this, DistributedCall::nearest_neighbours, executor, sets)
            .run(
                checked, [&](RankView<Dim>& here) { return own.look(here); },
                [&] { return own.doubtful(); },
                [&](RankView<Dim>& here, Rounds& rounds) { return own.ask(here, rounds); });
    if (status.ok()) { hits = std::move(own.hits); }
    return status;
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status DistributedGrid<Dim>::query(const ShapesView<Dim>&, GlobalHits&,               \
                                                std::span<const GlobalFilter>, Executor&, Sets);   \
    template Status DistributedGrid<Dim>::count_all(                                               \
        const ShapesView<Dim>&, bool, std::span<std::uint64_t>, std::span<const GlobalFilter>,     \
        Executor&, Sets);                                                                          \
    template Status DistributedGrid<Dim>::nearest(std::span<const Point<Dim>>,                     \
                                                  const GlobalNearest&, GlobalNearHits&,           \
                                                  std::span<const GlobalFilter>, Executor&, Sets); \
    template Status DistributedGrid<Dim>::first(const ShapesView<Dim>&,                            \
                                                std::vector<GlobalMeeting>&,                       \
                                                std::span<const GlobalFilter>, Executor&, Sets);   \
    template Status DistributedGrid<Dim>::meetings(                                                \
        const ShapesView<Dim>&, GlobalMeetings&, std::span<const GlobalFilter>, Executor&, Sets);  \
    template Status DistributedGrid<Dim>::nearest_neighbours(const NearestNeighbours&,             \
                                                             GlobalNearHits&, Executor&, Sets);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
