// The collective questions of a distributed grid: their checks, their beginning and end.
#include "../../engine/answers/nearest_checks.hpp"
#include "../store/state.hpp"
#include "large_answers.hpp"
#include "own_neighbours.hpp"
#include "routed_nearest.hpp"
#include "routed_paths.hpp"
#include "shape_copies.hpp"

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
    using Take = typename ShapeCopies<Dim>::Take;

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

    [[nodiscard]] RankView<Dim> view() {
        return {state_.ranks,
                state_.part,
                state_.grid(),
                state_.census,
                state_.layout.cuts,
                state_.whole,
                state_.world,
                state_.layout.brick,
                state_.first_moved,
                state_.largest_half_extent(),
                state_.question_bytes,
                state_.batch_on(executor_),
                executor_,
                state_.claims,
                sets_};
    }

    /// Makes the copies of checked shapes.
    Status make(const Status& checked, const ShapesView<Dim>& shapes,
                std::span<const GlobalFilter> filters, ShapeCopies<Dim>& copies,
                Take take = Take::all) {
        if (!checked.ok()) { return checked; }
        return without_throwing([&] {
            return copies.make(state_.world, shapes, filters, state_.largest_of_all(), take);
        });
    }
    /// In a periodic world, folds the answers to copies; all ranks agree whether they had memory.
    template <class Fold>
    Status finish(const Status& asked, const Fold& fold) {
        if (!asked.ok() || !state_.world.wraps) { return asked; }
        const Status folded = without_throwing([&] {
            fold();
            return Status{};
        });
        std::uint64_t word = 0;
        return settle(DistributedCall::round, folded, word);
    }

    Status list(const Status& checked, const ShapesView<Dim>& shapes,
                std::span<const GlobalFilter> filters, Take take, GlobalHits& hits);
    Status count(const Status& checked, const ShapesView<Dim>& shapes,
                 std::span<const GlobalFilter> filters, Take take, bool any,
                 std::span<std::uint64_t> counts);

private:
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

} // namespace

template <std::size_t Dim>
Status QuestionCall<Dim>::list(const Status& checked, const ShapesView<Dim>& shapes,
                               std::span<const GlobalFilter> filters, Take take, GlobalHits& hits) {
    ShapeCopies<Dim> asked;
    GlobalHits large;
    const Status made = make(checked, shapes, filters, asked, take);
    const Status status = run(
        made,
        [&](RankView<Dim>& here) {
            hits.offsets.reserve(asked.shapes().count + 1);
            hits.offsets.push_back(0);
            LargeAnswers<Dim> all(here, asked.filters());
            return all.empty() ? Status{} : all.list(asked.shapes(), large);
        },
        [&] { return asked.shapes().count; },
        [&](RankView<Dim>& here, Rounds& rounds) {
            RoutedLists<Dim> lists(here, asked.shapes(), asked.filters(), large, hits);
            return rounds.run(lists);
        });
    return finish(status, [&] { asked.fold(hits); });
}

template <std::size_t Dim>
Status QuestionCall<Dim>::count(const Status& checked, const ShapesView<Dim>& shapes,
                                std::span<const GlobalFilter> filters, Take take, bool any,
                                std::span<std::uint64_t> counts) {
    ShapeCopies<Dim> asked;
    Vector<std::uint64_t> found;
    const Status made = make(checked, shapes, filters, asked, take);
    const Status status = run(
        made,
        [&](RankView<Dim>& here) {
            found.resize(asked.shapes().count);
            LargeAnswers<Dim> large(here, asked.filters());
            return large.empty() ? Status{} : large.count(asked.shapes(), any, found);
        },
        [&] { return asked.shapes().count; },
        [&](RankView<Dim>& here, Rounds& rounds) {
            RoutedCounts<Dim> asking(here, asked.shapes(), asked.filters(), any, found);
            return rounds.run(asking);
        });
    if (!status.ok()) { return status; }
    asked.fold(counts, [&](std::uint64_t sum, std::size_t copy) {
        return any ? std::max(sum, found[copy]) : sum + found[copy];
    });
    return {};
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::query(const ShapesView<Dim>& shapes, GlobalHits& hits,
                                   std::span<const GlobalFilter> filters, Executor& executor,
                                   Sets sets) {
    GlobalHits found;
    QuestionCall<Dim> call(*this, DistributedCall::query, executor, sets);
    const Status status =
        call.list(check(shapes, filters), shapes, filters, ShapeCopies<Dim>::Take::all, found);
    if (status.ok()) { hits = std::move(found); }
    return status;
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::count_all(const ShapesView<Dim>& shapes, bool any,
                                       std::span<std::uint64_t> counts,
                                       std::span<const GlobalFilter> filters, Executor& executor,
                                       Sets sets) {
    using Take = typename ShapeCopies<Dim>::Take;
    Status checked = check(shapes, filters);
    if (checked.ok() && counts.size() != shapes.count) {
        checked = {Cause::count_mismatch, Argument::counts};
    }
    Vector<std::uint64_t> found;
    if (checked.ok()) {
        checked = without_throwing([&] {
            found.resize(shapes.count);
            return Status{};
        });
    }
    QuestionCall<Dim> call(*this, any ? DistributedCall::any : DistributedCall::count, executor,
                           sets);
    // Where two copies may find the same agent, numbers do not add up: these agents are listed.
    const bool adds_up = any || !state_->world.wraps;
    Status status =
        call.count(checked, shapes, filters, adds_up ? Take::all : Take::once, any, found);
    if (status.ok() && !adds_up) {
        GlobalHits lists;
        status = call.list(checked, shapes, filters, Take::twice, lists);
        for (std::size_t q = 0; q < found.size() && status.ok(); ++q) {
            found[q] += lists.of(q).size();
        }
    }
    if (status.ok()) { std::copy(found.begin(), found.end(), counts.begin()); }
    return status;
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::nearest(std::span<const Point<Dim>> points,
                                     const GlobalNearest& nearest, GlobalNearHits& hits,
                                     std::span<const GlobalFilter> filters, Executor& executor,
                                     Sets sets) {
    QuestionCall<Dim> call(*this, DistributedCall::nearest, executor, sets);
    Status checked = RoutedNearest<Dim>::check(points, nearest);
    if (checked.ok()) { checked = AskedFilters::check(filters, points.size()); }
    GlobalNearHits found;
    const Status status = call.run(
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
    ShapeCopies<Dim> asked;
    std::vector<GlobalMeeting> found;
    QuestionCall<Dim> call(*this, DistributedCall::first, executor, sets);
    const Status made = call.make(check_paths(paths, filters), paths, filters, asked);
    Status status = call.run(
        made,
        [&](RankView<Dim>& here) {
            found.resize(asked.shapes().count);
            LargeAnswers<Dim> large(here, asked.filters());
            return large.empty() ? Status{} : large.first(asked.shapes(), found);
        },
        [&] { return asked.shapes().count; },
        [&](RankView<Dim>& here, Rounds& rounds) {
            RoutedFirst<Dim> asking(here, asked.shapes(), asked.filters(), found);
            return rounds.run(asking);
        });
    status = call.finish(status, [&] { asked.fold(found); });
    if (status.ok()) { first = std::move(found); }
    return status;
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::meetings(const ShapesView<Dim>& paths, GlobalMeetings& meetings,
                                      std::span<const GlobalFilter> filters, Executor& executor,
                                      Sets sets) {
    ShapeCopies<Dim> asked;
    GlobalMeetings found, large;
    QuestionCall<Dim> call(*this, DistributedCall::meetings, executor, sets);
    const Status made = call.make(check_paths(paths, filters), paths, filters, asked);
    Status status = call.run(
        made,
        [&](RankView<Dim>& here) {
            found.offsets.reserve(asked.shapes().count + 1);
            found.offsets.push_back(0);
            LargeAnswers<Dim> all(here, asked.filters());
            return all.empty() ? Status{} : all.meetings(asked.shapes(), large);
        },
        [&] { return asked.shapes().count; },
        [&](RankView<Dim>& here, Rounds& rounds) {
            RoutedMeetings<Dim> asking(here, asked.shapes(), asked.filters(), large, found);
            return rounds.run(asking);
        });
    status = call.finish(status, [&] { asked.fold(found); });
    if (status.ok()) { meetings = std::move(found); }
    return status;
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::nearest_neighbours(const NearestNeighbours& nearest,
                                                GlobalNearHits& hits, Executor& executor,
                                                Sets sets) {
    QuestionCall<Dim> call(*this, DistributedCall::nearest_neighbours, executor, sets);
    OwnNeighbours<Dim> own(nearest, state_->reach);
    Status checked = check_nearest<Dim>(nearest);
    if (checked.ok() && nearest.body != Body::centre) { // ghosts are chosen by centres
        checked = {Cause::beyond_reach, Argument::body};
    }
    const Status status = call.run(
        checked,
        [&](RankView<Dim>& here) {
            const Status looked = own.look(here);
            return looked.ok() ? own.look_at_large(here) : looked;
        },
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
