// Asks a crowd: its grid with a whole block at a time, its giants and statics with a few questions
// at a time. Internal.
#pragma once

#include "../../engine/answers/merge.hpp"
#include "../../engine/crowd/large_candidates.hpp"
#include "../../engine/crowd/state.hpp"
#include "grid_source.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// Asks the grid with a whole block, which is fastest, and then giants and statics. Two cases go
/// question by question: a periodic world, where only the crowd itself knows which agents are
/// behind a border, and questions that want no small agents, since then there is nothing to ask
/// together.
template <std::size_t Dim>
class Batch<Dim>::State::CrowdSource : public ShapeSource<Dim> {
public:
    CrowdSource(const Crowd<Dim>& crowd, Sets sets) noexcept
        : crowd_(crowd), sets_(sets), together_(plain(crowd) && has(sets, Sets::small)) {}

    /// Whether the grid answers a block first.
    [[nodiscard]] bool is_together() const noexcept { return together_; }

    [[nodiscard]] Status first_fault(const ShapesView<Dim>& questions) const noexcept override {
        for (std::size_t q = 0; q < questions.count; ++q) {
            Status status = detail::Access::refusal_of(crowd_, questions.part(q, 1));
            status.index = q;
            if (!status.ok()) { return status; }
        }
        return {};
    }

    std::uint64_t query(const ShapesView<Dim>& questions, OutputPart& part, const HitsBuffer& out,
                        const Filters& filters) const override {
        if (!together_) { return query_each(questions, out, filters); }
        const std::uint64_t small = GridSource(grid()).query(questions, part, out, filters);
        return append_larger(small, questions, part, out, filters);
    }
    std::uint64_t count(const ShapesView<Dim>& questions, OutputPart& part,
                        std::span<std::uint32_t> counts, const Filters& filters) const override {
        if (!together_) { return count_each(questions, counts, filters); }
        const std::uint64_t small = GridSource(grid()).count(questions, part, counts, filters);
        return count_larger(small, questions, counts, filters);
    }
    std::uint64_t any(const ShapesView<Dim>& questions, OutputPart& part,
                      std::span<std::uint32_t> counts, const Filters& filters) const override {
        if (together_) {
            const std::uint64_t small = GridSource(grid()).any(questions, part, counts, filters);
            LargeAnswers answers{LargeAnswers::Wanted::any, nullptr, counts};
            ask_larger(questions, filters, answers);
            return small + answers.sum;
        }
        return tally_each(questions, counts, filters, [&](const auto& one, const Filter& filter) {
            return crowd_.any(one, filter, sets_);
        });
    }
    std::uint64_t first(const ShapesView<Dim>& paths, std::span<PathHit> path_hits,
                        const Filters& filters) const override {
        std::uint64_t found = 0;
        for (std::size_t i = 0; i < paths.count; ++i) {
            path_hits[i] = {};
            found += checked(crowd_.first(paths.part(i, 1), path_hits[i], filters.of(i), sets_));
        }
        return found;
    }
    std::uint64_t nearest(std::span<const Point<Dim>> points, const Nearest& nearest,
                          OutputPart& part, const NearBuffer& out,
                          const Filter& filter) const override {
        if (!together_) { return nearest_each(points, nearest, out, filter); }
        const std::uint64_t small = GridSource(grid()).nearest(points, nearest, part, out, filter);
        return merge_larger(small, points, nearest, out, filter);
    }

    // Question by question: right whatever the crowd does.

    std::uint64_t query_each(const ShapesView<Dim>& questions, const HitsBuffer& out,
                             const Filters& filters) const {
        std::uint64_t end = out.used;
        out.offsets[0] = end;
        for (std::size_t q = 0; q < questions.count; ++q) {
            const std::span<Id> room = out.ids.subspan(std::min<std::size_t>(end, out.ids.size()));
            end += checked(crowd_.query(questions.part(q, 1), room, filters.of(q), sets_));
            out.offsets[q + 1] = end;
        }
        return end - out.used;
    }
    std::uint64_t count_each(const ShapesView<Dim>& questions, std::span<std::uint32_t> counts,
                             const Filters& filters) const {
        return tally_each(questions, counts, filters, [&](const auto& one, const Filter& filter) {
            return crowd_.count(one, filter, sets_);
        });
    }
    std::uint64_t nearest_each(std::span<const Point<Dim>> points, const Nearest& nearest,
                               const NearBuffer& out, const Filters& filters) const {
        std::uint64_t sum = 0;
        for (std::size_t q = 0; q < points.size(); ++q) {
            const std::uint64_t found = checked(
                crowd_.nearest(points[q], nearest, out.nearest.subspan(q * nearest.k, nearest.k),
                               filters.of(q), sets_));
            out.counts[q] = static_cast<std::uint32_t>(found);
            sum += found;
        }
        return sum;
    }

    // Ask giants and statics, after the grid has found `small`; return the sum of both.

    std::uint64_t append_larger(std::uint64_t small, const ShapesView<Dim>& questions,
                                OutputPart& part, const HitsBuffer& out,
                                const Filters& filters) const {
        Hits& more = part.more;
        more.offsets.assign(questions.count + 1, 0);
        more.ids.clear();
        LargeAnswers answers{LargeAnswers::Wanted::ids, &more, {}};
        ask_larger(questions, filters, answers);
        if (more.ids.empty()) { return small; }
        for (std::size_t q = 0; q < questions.count; ++q) {
            more.offsets[q + 1] += more.offsets[q];
        }
        append_each(out.offsets.first(questions.count + 1), out.ids, more);
        return small + more.ids.size();
    }
    std::uint64_t count_larger(std::uint64_t small, const ShapesView<Dim>& questions,
                               std::span<std::uint32_t> counts, const Filters& filters) const {
        LargeAnswers answers{LargeAnswers::Wanted::counts, nullptr, counts};
        ask_larger(questions, filters, answers);
        return small + answers.sum;
    }
    std::uint64_t merge_larger(std::uint64_t small, std::span<const Point<Dim>> points,
                               const Nearest& nearest, const NearBuffer& out,
                               const Filter& filter) const {
        if (nearest.k == 0 || filter.groups == 0) { return small; }
        std::uint64_t sum = 0;
        for (std::size_t begin = 0; begin < points.size(); begin += kQuestionsOfFew) {
            const std::size_t count = std::min(kQuestionsOfFew, points.size() - begin);
            const NearBuffer best{out.nearest.subspan(begin * nearest.k, count * nearest.k),
                                  out.counts.subspan(begin, count)};
            detail::state_of(crowd_).for_each_large(sets_, [&](const auto& set) {
                merge_few(set, points.subspan(begin, count), nearest, best, filter);
                return true;
            });
            for (const std::uint32_t found : best.counts) {
                sum += found;
            }
        }
        return sum;
    }

private:
    /// What is wanted from giants and statics, and their answers.
    struct LargeAnswers {
        enum class Wanted : std::uint8_t { ids, counts, any };

        Wanted wanted;
        Hits* more = nullptr;            ///< for ids: appended; offsets[q + 1] counts the ids of q
        std::span<std::uint32_t> counts; ///< for the others
        std::uint64_t sum = 0;

        /// Asks a set, or its candidates for some questions, for question q of these: answer
        /// number `answer`.
        void ask(const LargeElements<Dim>& set, const LargeCandidates<Dim>& few,
                 const ShapesView<Dim>& some, std::size_t q, std::size_t answer,
                 const Filter& filter) {
            if (wanted == Wanted::any && counts[answer] != 0) { return; }
            const std::uint64_t found =
                few.complete() ? ask(few, q, filter) : ask(set, some.part(q, 1), filter);
            if (wanted == Wanted::ids) {
                more->offsets[answer + 1] += found;
                return;
            }
            counts[answer] += static_cast<std::uint32_t>(found);
            sum += found;
        }

    private:
        std::uint64_t ask(const LargeCandidates<Dim>& few, std::size_t q, const Filter& filter) {
            std::uint64_t found = 0;
            few.for_each(q, filter, [&](const LargeElement<Dim>& element) {
                if (wanted == Wanted::ids) { more->ids.push_back(element.name); }
                ++found;
                return wanted != Wanted::any;
            });
            return found;
        }
        std::uint64_t ask(const LargeElements<Dim>& set, const ShapesView<Dim>& one,
                          const Filter& filter) {
            if (wanted == Wanted::any) { return set.any(one, filter).count; }
            if (wanted == Wanted::counts) { return set.count(one, filter).count; }
            const auto append = [&](std::span<const Id> run) {
                if (run.size() == 1) { // usual, and a call would take longer than the copy
                    more->ids.push_back(run[0]);
                } else {
                    more->ids.insert(more->ids.end(), run.begin(), run.end());
                }
                return true;
            };
            return set.visit(one, append, filter).count;
        }
    };

    /// count_each(), or the same for any.
    template <class Ask>
    static std::uint64_t tally_each(const ShapesView<Dim>& questions,
                                    std::span<std::uint32_t> counts, const Filters& filters,
                                    const Ask& ask) {
        std::uint64_t sum = 0;
        for (std::size_t q = 0; q < questions.count; ++q) {
            const std::uint64_t found = checked(ask(questions.part(q, 1), filters.of(q)));
            counts[q] = static_cast<std::uint32_t>(found);
            sum += found;
        }
        return sum;
    }

    /// Asks both giants and statics every question.
    void ask_larger(const ShapesView<Dim>& questions, const Filters& filters,
                    LargeAnswers& answers) const {
        const auto& state = detail::state_of(crowd_);
        LargeCandidates<Dim> few_giants, few_statics;
        const auto few_of = [&](const LargeElements<Dim>& set) -> LargeCandidates<Dim>& {
            return &set == &state.giants ? few_giants : few_statics;
        };
        for (std::size_t begin = 0; begin < questions.count; begin += kQuestionsOfFew) {
            const ShapesView<Dim> some =
                questions.part(begin, std::min(kQuestionsOfFew, questions.count - begin));
            bool any = false;
            state.for_each_large(sets_, [&](const LargeElements<Dim>& set) {
                LargeCandidates<Dim>& few = few_of(set);
                any = !few.gather(set, some) || !few.empty() || any;
                return true;
            });
            // Question by question: set by set would mix up the order of the answers.
            for (std::size_t q = 0; any && q < some.count; ++q) {
                const Filter& filter = filters.of(begin + q);
                state.for_each_large(sets_, [&](const LargeElements<Dim>& set) {
                    answers.ask(set, few_of(set), some, q, begin + q, filter);
                    return true;
                });
            }
        }
    }

    static void merge_few(const LargeElements<Dim>& set, std::span<const Point<Dim>> points,
                          const Nearest& nearest, const NearBuffer& out, const Filter& filter) {
        const auto best = [&](std::size_t q) {
            return out.nearest.subspan(q * nearest.k, nearest.k);
        };
        std::array<Ball<Dim>, kQuestionsOfFew> balls;
        for (std::size_t q = 0; q < points.size(); ++q) {
            balls[q] = {points[q], nearest.radius};
            if (out.counts[q] == nearest.k) { // agents farther away cannot be among the k
                balls[q].radius = std::min(nearest.radius, radius_over(best(q).back().distance2));
            }
        }
        LargeCandidates<Dim> few;
        if (few.gather(set, {ShapeKind::ball, balls.data(), points.size()})) {
            for (std::size_t q = 0; q < points.size(); ++q) {
                few.for_each(q, filter, [&](const LargeElement<Dim>& element) {
                    const Near near{distance2_between(points[q], element.position), element.name};
                    out.counts[q] = static_cast<std::uint32_t>(
                        merge_nearest(best(q), out.counts[q], {&near, 1}));
                    return true;
                });
            }
            return;
        }
        std::array<Near, kMostNearest> room;
        const std::span<Near> others = std::span<Near>(room).first(nearest.k);
        for (std::size_t q = 0; q < points.size(); ++q) {
            const std::size_t found =
                set.nearest(points[q], {nearest.k, balls[q].radius}, others, filter);
            out.counts[q] = static_cast<std::uint32_t>(
                merge_nearest(best(q), out.counts[q], others.first(found)));
        }
    }

    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept {
        return detail::state_of(crowd_).grid;
    }

    const Crowd<Dim>& crowd_;
    Sets sets_;
    bool together_;
};

} // namespace throng
