// Whom a CrowdBatch asks, a block of questions at a time. Internal.
#pragma once

#include "../engine/crowd_state.hpp"
#include "../engine/few_large.hpp"
#include "../engine/hits_merge.hpp"
#include "../engine/near_merge.hpp"
#include "batch_state.hpp"
#include "crowd_batch.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace throng {

/// Whether a crowd's answers are those of its grid, and behind them those of its giants and its
/// statics. Where they are not, it is asked itself, question by question.
template <std::size_t Dim>
[[nodiscard]] bool plain(const Crowd<Dim>& crowd) noexcept {
    return !crowd.wraps(); // who is behind a border only the crowd knows
}

/// Asks the crowd itself: right whatever it does.
template <std::size_t Dim>
struct CrowdBatch<Dim>::OneByOne {
    const Crowd<Dim>& crowd;
    Sets sets;

    template <class Shape>
    Found query(std::span<const Shape> shapes, JoinedPart&, const HitsBuffer& out,
                const Filters& filters) const {
        std::uint64_t end = out.used;
        out.offsets[0] = end;
        for (std::size_t q = 0; q < shapes.size(); ++q) {
            const std::span<Id> room = out.ids.subspan(std::min<std::size_t>(end, out.ids.size()));
            const Found found = crowd.query(shapes[q], room, filters.of(q), sets);
            if (!found.status.ok()) { return found; }
            end += found.count;
            out.offsets[q + 1] = end;
        }
        return {end - out.used, {}};
    }
    template <class Shape>
    Found count(std::span<const Shape> shapes, JoinedPart&, std::span<std::uint32_t> counts,
                const Filters& filters) const {
        return tally(shapes.size(), counts,
                     [&](std::size_t q) { return crowd.count(shapes[q], filters.of(q), sets); });
    }
    template <class Shape>
    Found any(std::span<const Shape> shapes, JoinedPart&, std::span<std::uint32_t> counts,
              const Filters& filters) const {
        return tally(shapes.size(), counts,
                     [&](std::size_t q) { return crowd.any(shapes[q], filters.of(q), sets); });
    }
    template <class Path>
    Found first(const Path& path, Meeting& meeting, const Filter& filter) const {
        return crowd.first(path, meeting, filter, sets);
    }
    template <class Shape>
    [[nodiscard]] Status refusal_of(const Shape& shape) const noexcept {
        return crowd.refusal_of(shape);
    }

    Found nearest(std::span<const Point<Dim>> points, const Nearest& nearest, JoinedPart&,
                  const NearBuffer& out, const Filters& filters) const {
        return tally(points.size(), out.counts, [&](std::size_t q) {
            return crowd.nearest(points[q], nearest, out.nearest.subspan(q * nearest.k, nearest.k),
                                 filters.of(q), sets);
        });
    }

private:
    template <class Ask>
    static Found tally(std::size_t questions, std::span<std::uint32_t> counts, const Ask& ask) {
        Found sum;
        for (std::size_t q = 0; q < questions; ++q) {
            const Found found = ask(q);
            if (!found.status.ok()) { return found; }
            counts[q] = static_cast<std::uint32_t>(found.count);
            sum.count += found.count;
        }
        return sum;
    }
};

/// Asks the grid a whole block, which is fastest, and then giants and statics, a few neighbouring
/// questions at a time: mostly none of these finds any.
template <std::size_t Dim>
struct CrowdBatch<Dim>::Together {
    const Crowd<Dim>& crowd;
    Sets sets;

    template <class Shape>
    Found query(std::span<const Shape> shapes, JoinedPart& part, const HitsBuffer& out,
                const Filters& filters) const {
        const Found small =
            grid().query_range(shapes, 0, shapes.size(), BatchState::scratch(part), out, filters);
        return small.status.ok() ? append_larger(small, shapes, part, out, filters) : small;
    }
    template <class Shape>
    Found count(std::span<const Shape> shapes, JoinedPart& part, std::span<std::uint32_t> counts,
                const Filters& filters) const {
        const Found small = grid().count_range(shapes, 0, shapes.size(), BatchState::scratch(part),
                                               counts, filters);
        return small.status.ok() ? count_larger(small, shapes, counts, filters) : small;
    }
    template <class Shape>
    Found any(std::span<const Shape> shapes, JoinedPart& part, std::span<std::uint32_t> counts,
              const Filters& filters) const {
        Found found =
            grid().any_range(shapes, 0, shapes.size(), BatchState::scratch(part), counts, filters);
        if (!found.status.ok()) { return found; }
        for_each_near(shapes, [&](const auto& set, std::size_t q) {
            if (counts[q] != 0) { return; }
            counts[q] = static_cast<std::uint32_t>(set.any(shapes[q], filters.of(q)).count);
            found.count += counts[q];
        });
        return found;
    }
    template <class Path>
    Found first(const Path& path, Meeting& meeting, const Filter& filter) const {
        return OneByOne{crowd, sets}.first(path, meeting, filter);
    }

    Found nearest(std::span<const Point<Dim>> points, const Nearest& nearest, JoinedPart& part,
                  const NearBuffer& out, const Filter& filter) const {
        const Found small = grid().nearest_range(points, nearest, 0, points.size(),
                                                 BatchState::nearest_scratch(part), out, filter);
        return small.status.ok() ? merge_larger(small, points, nearest, out, filter) : small;
    }

    // For the agents of a slice, who stand in these places.

    Found neighbours(const Neighbourhood& neighbourhood, std::size_t slice,
                     std::span<const Ball<Dim>> around, JoinedPart& part,
                     const HitsBuffer& out) const {
        const Found small = grid().neighbours_range(neighbourhood, slice, slice + 1,
                                                    BatchState::scratch(part), out);
        if (!small.status.ok() || around.empty()) { return small; }
        return append_larger(small, around, part, out, Filter{neighbourhood.groups});
    }
    Found count_neighbours(const Neighbourhood& neighbourhood, std::size_t slice,
                           std::span<const Ball<Dim>> around, JoinedPart& part,
                           std::span<std::uint32_t> counts) const {
        const Found small = grid().count_neighbours_range(neighbourhood, slice, slice + 1,
                                                          BatchState::scratch(part), counts);
        if (!small.status.ok()) { return small; }
        return count_larger(small, around, counts, Filter{neighbourhood.groups});
    }
    Found nearest_neighbours(const NearestNeighbours& nearest, std::size_t slice,
                             std::span<const Point<Dim>> places, JoinedPart& part,
                             const NearBuffer& out) const {
        const Found small = grid().nearest_neighbours_range(nearest, slice, slice + 1,
                                                            BatchState::nearest_scratch(part), out);
        if (!small.status.ok()) { return small; }
        return merge_larger(small, places, {nearest.k, nearest.radius}, out,
                            Filter{nearest.groups});
    }

private:
    using BatchState = typename Batch<Dim>::State;

    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept { return crowd.state_->grid; }

    /// Behind the grid's answers those of giants and statics.
    template <class Shape>
    Found append_larger(const Found& small, std::span<const Shape> shapes, JoinedPart& part,
                        const HitsBuffer& out, const Filters& filters) const {
        Hits& more = part.more;
        more.offsets.assign(shapes.size() + 1, 0);
        more.ids.clear();
        for_each_near(shapes, [&](const auto& set, std::size_t q) {
            const auto append = [&](std::span<const Id> run) {
                if (run.size() == 1) { // the rule, and the call takes longer than the copy
                    more.ids.push_back(run[0]);
                } else {
                    more.ids.insert(more.ids.end(), run.begin(), run.end());
                }
                return true;
            };
            more.offsets[q + 1] += set.visit(shapes[q], append, filters.of(q)).count;
        });
        if (more.ids.empty()) { return small; }
        for (std::size_t q = 0; q < shapes.size(); ++q) {
            more.offsets[q + 1] += more.offsets[q];
        }
        append_each(out.offsets.first(shapes.size() + 1), out.ids, more);
        return {small.count + more.ids.size(), {}};
    }
    template <class Shape>
    Found count_larger(const Found& small, std::span<const Shape> shapes,
                       std::span<std::uint32_t> counts, const Filters& filters) const {
        Found sum = small;
        for_each_near(shapes, [&](const auto& set, std::size_t q) {
            const std::size_t found = set.count(shapes[q], filters.of(q)).count;
            counts[q] += static_cast<std::uint32_t>(found);
            sum.count += found;
        });
        return sum;
    }
    /// Among the nearest of the grid those of giants and statics.
    Found merge_larger(const Found& small, std::span<const Point<Dim>> points,
                       const Nearest& nearest, const NearBuffer& out, const Filter& filter) const {
        if (nearest.k == 0 || filter.groups == 0) { return small; }
        Found sum;
        for (std::size_t begin = 0; begin < points.size(); begin += kQuestionsOfFew) {
            const std::size_t count = std::min(kQuestionsOfFew, points.size() - begin);
            const NearBuffer best{out.nearest.subspan(begin * nearest.k, count * nearest.k),
                                  out.counts.subspan(begin, count)};
            crowd.state_->for_each_large(sets, [&](const auto& set) {
                merge_few(set, points.subspan(begin, count), nearest, best, filter);
                return true;
            });
            for (const std::uint32_t found : best.counts) {
                sum.count += found;
            }
        }
        return sum;
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
            if (out.counts[q] == nearest.k) { // nobody farther away can be among them
                balls[q].radius = std::min(nearest.radius, radius_over(best(q).back().distance2));
            }
        }
        const std::span<const Ball<Dim>> around(balls.data(), points.size());
        FewLarge<Dim> few;
        if (few.gather(set, around)) {
            for (std::size_t q = 0; q < points.size(); ++q) {
                few.for_each(q, around[q], filter, [&](const LargeElement<Dim>& element) {
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
                set.nearest(points[q], {nearest.k, around[q].radius}, others, filter);
            out.counts[q] = static_cast<std::uint32_t>(
                merge_nearest(best(q), out.counts[q], others.first(found)));
        }
    }

    /// Calls ask(set, q) for every question and every set, giants before statics; the set may be
    /// stood for by those of it that the question can find.
    template <class Shape, class Ask>
    void for_each_near(std::span<const Shape> shapes, const Ask& ask) const {
        FewOf<Shape> few_giants, few_statics;
        for (std::size_t begin = 0; begin < shapes.size(); begin += kQuestionsOfFew) {
            const std::size_t end = std::min(begin + kQuestionsOfFew, shapes.size());
            bool any = false;
            crowd.state_->for_each_large(sets, [&](const auto& set) {
                FewOf<Shape>& few = is_giants(set) ? few_giants : few_statics;
                any = few.look(set, shapes.subspan(begin, end - begin)) || any;
                return true;
            });
            // All questions to one set and then to the other would mix up their answers.
            for (std::size_t q = begin; any && q < end; ++q) {
                crowd.state_->for_each_large(sets, [&](const auto& set) {
                    const FewOf<Shape>& few = is_giants(set) ? few_giants : few_statics;
                    if (few.all) {
                        ask(few, q);
                    } else {
                        ask(set, q);
                    }
                    return true;
                });
            }
        }
    }

    // Giants and statics may be kept in sets of one type.
    template <class Set>
    [[nodiscard]] bool is_giants(const Set& set) const noexcept {
        return static_cast<const void*>(&set) == &crowd.state_->giants;
    }

    /// Those of a set that questions of this kind may find, asked like the set. Of shapes that do
    /// not look at boxes as a box does, nobody can be said to be out of question.
    template <class Shape>
    struct FewOf {
        FewLarge<Dim> found;
        const Shape* first = nullptr; ///< of the questions
        bool all = false;             ///< whether these are all that the questions can find

        /// Whether the questions may find anybody. What is asked later must be one of them.
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
};

/// How a crowd is to be asked.
template <std::size_t Dim>
struct CrowdBatch<Dim>::Asked {
    /// Whether a Batch on the grid gives the whole answer.
    [[nodiscard]] static bool grid_alone(const Crowd<Dim>& crowd, Sets sets) noexcept {
        return plain(crowd) && crowd.state_->only_grid(sets);
    }

    /// The same of what all agents ask: giants ask too.
    [[nodiscard]] static bool agents_alone(const Crowd<Dim>& crowd, Sets sets) noexcept {
        return grid_alone(crowd, sets) && crowd.state_->giants.size() == 0;
    }

    /// Calls body with whom to ask where it does not. Without small agents to be found there is
    /// nothing to be asked together.
    template <class Body>
    static auto with_source(const Crowd<Dim>& crowd, Sets sets, const Body& body) {
        if (plain(crowd) && has(sets, Sets::small)) { return body(Together{crowd, sets}); }
        return body(OneByOne{crowd, sets});
    }
};

} // namespace throng
