// Asks a crowd: its grid with a whole block at a time, its giants and statics with a few questions
// at a time. Internal.
#pragma once

#include "../../engine/answers/merge.hpp"
#include "../../engine/crowd/large_candidates.hpp"
#include "../../engine/crowd/state.hpp"
#include "../../engine/shapes/with_shapes.hpp"
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
        return with_shapes(questions, [&](auto shapes) -> Status {
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                Status status = detail::Access::refusal_of(crowd_, shapes[q]);
                status.index = q;
                if (!status.ok()) { return status; }
            }
            return {};
        });
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
        return with_shapes(questions, [&](auto shapes) {
            std::uint64_t sum = 0;
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                const std::uint64_t found = checked(crowd_.any(shapes[q], filters.of(q), sets_));
                counts[q] = static_cast<std::uint32_t>(found);
                sum += found;
            }
            return sum;
        });
    }
    std::uint64_t first(const ShapesView<Dim>& paths, std::span<PathHit> meetings,
                        const Filters& filters) const override {
        return with_paths(paths, [&](auto some) {
            std::uint64_t found = 0;
            for (std::size_t i = 0; i < some.size(); ++i) {
                meetings[i] = {};
                found += checked(crowd_.first(some[i], meetings[i], filters.of(i), sets_));
            }
            return found;
        });
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
        return with_shapes(questions, [&](auto shapes) {
            std::uint64_t end = out.used;
            out.offsets[0] = end;
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                const std::span<Id> room =
                    out.ids.subspan(std::min<std::size_t>(end, out.ids.size()));
                end += checked(crowd_.query(shapes[q], room, filters.of(q), sets_));
                out.offsets[q + 1] = end;
            }
            return end - out.used;
        });
    }
    std::uint64_t count_each(const ShapesView<Dim>& questions, std::span<std::uint32_t> counts,
                             const Filters& filters) const {
        return with_shapes(questions, [&](auto shapes) {
            std::uint64_t sum = 0;
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                const std::uint64_t found = checked(crowd_.count(shapes[q], filters.of(q), sets_));
                counts[q] = static_cast<std::uint32_t>(found);
                sum += found;
            }
            return sum;
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
    /// The elements of a set that questions of this kind may find, with the calls of the set.
    /// Shapes that do not test boxes as a box does have no such candidates: no element can be
    /// excluded.
    template <class Shape>
    struct FewOf {
        LargeCandidates<Dim> found;
        const Shape* first = nullptr; ///< of the questions
        bool all = false;             ///< whether `found` is all that the questions can find

        /// Whether the questions may find any element. Later calls must be with one of them.
        template <class Set>
        [[nodiscard]] bool look(const Set& set, std::span<const Shape> questions) {
            first = questions.data();
            if constexpr (BoxedIn<Shape, Dim>) {
                all = found.gather(set, questions);
                return !all || !found.empty();
            } else {
                return true;
            }
        }

        template <class Visitor>
        [[nodiscard]] Found visit(const Shape& shape, const Visitor& visitor,
                                  const Filter& filter) const {
            Found sum;
            const auto q = static_cast<std::size_t>(&shape - first);
            found.for_each(q, shape, filter, [&](const LargeElement<Dim>& element) {
                ++sum.count;
                return visitor(std::span<const Id>(&element.name, 1));
            });
            return sum;
        }
        [[nodiscard]] Found count(const Shape& shape, const Filter& filter) const {
            return visit(
                shape, [](std::span<const Id>) { return true; }, filter);
        }
        [[nodiscard]] Found any(const Shape& shape, const Filter& filter) const {
            return visit(
                shape, [](std::span<const Id>) { return false; }, filter);
        }
    };

    /// What is wanted from giants and statics, and their answers.
    struct LargeAnswers {
        enum class Wanted : std::uint8_t { ids, counts, any };

        Wanted wanted;
        Hits* more = nullptr;            ///< for ids: appended; offsets[q + 1] counts the ids of q
        std::span<std::uint32_t> counts; ///< for the others
        std::uint64_t sum = 0;

        /// Asks a set, or its candidates.
        template <class Set, class Shape>
        void ask(const Set& set, std::size_t q, const Shape& shape, const Filter& filter) {
            if (wanted == Wanted::ids) {
                const auto append = [&](std::span<const Id> run) {
                    if (run.size() == 1) { // usual, and a call would take longer than the copy
                        more->ids.push_back(run[0]);
                    } else {
                        more->ids.insert(more->ids.end(), run.begin(), run.end());
                    }
                    return true;
                };
                more->offsets[q + 1] += set.visit(shape, append, filter).count;
                return;
            }
            if (wanted == Wanted::any && counts[q] != 0) { return; }
            const Found found =
                wanted == Wanted::any ? set.any(shape, filter) : set.count(shape, filter);
            counts[q] += static_cast<std::uint32_t>(found.count);
            sum += found.count;
        }
    };

    /// Asks both giants and statics every question.
    void ask_larger(const ShapesView<Dim>& questions, const Filters& filters,
                    LargeAnswers& answers) const {
        with_shapes(questions, [&](auto shapes) { ask_larger(shapes, filters, answers); });
    }
    template <class Shape>
    void ask_larger(std::span<const Shape> shapes, const Filters& filters,
                    LargeAnswers& answers) const {
        FewOf<Shape> few_giants, few_statics;
        // Giants and statics may be sets of the same type.
        const auto few_of = [&](const auto& set) -> FewOf<Shape>& {
            const bool giants = static_cast<const void*>(&set) == &detail::state_of(crowd_).giants;
            return giants ? few_giants : few_statics;
        };
        for (std::size_t begin = 0; begin < shapes.size(); begin += kQuestionsOfFew) {
            const std::size_t end = std::min(begin + kQuestionsOfFew, shapes.size());
            bool any = false;
            detail::state_of(crowd_).for_each_large(sets_, [&](const auto& set) {
                any = few_of(set).look(set, shapes.subspan(begin, end - begin)) || any;
                return true;
            });
            // Question by question: set by set would mix up the order of the answers.
            for (std::size_t q = begin; any && q < end; ++q) {
                detail::state_of(crowd_).for_each_large(sets_, [&](const auto& set) {
                    const FewOf<Shape>& few = few_of(set);
                    if (few.all) {
                        answers.ask(few, q, shapes[q], filters.of(q));
                    } else {
                        answers.ask(set, q, shapes[q], filters.of(q));
                    }
                    return true;
                });
            }
        }
    }

    template <class Set>
    static void merge_few(const Set& set, std::span<const Point<Dim>> points,
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
        const std::span<const Ball<Dim>> ball_of(balls.data(), points.size());
        LargeCandidates<Dim> few;
        if (few.gather(set, ball_of)) {
            for (std::size_t q = 0; q < points.size(); ++q) {
                few.for_each(q, ball_of[q], filter, [&](const LargeElement<Dim>& element) {
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
                set.nearest(points[q], {nearest.k, ball_of[q].radius}, others, filter);
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
