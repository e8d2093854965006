// Asks a crowd: its grid with a whole block at a time, its giants and statics with a few questions
// at a time. Internal.
#pragma once

#include "../../engine/answers/merge.hpp"
#include "../../engine/answers/nearest_checks.hpp"
#include "../../engine/crowd/large/large_candidates.hpp"
#include "../../engine/crowd/periodic/periodic_shape.hpp"
#include "../../engine/crowd/periodic/sources.hpp"
#include "../../engine/crowd/store/state.hpp"
#include "grid_source.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>

namespace throng {

/// Asks the grid with a whole block, which is fastest, and then giants and statics; in a periodic
/// world this is done once more for the copies of the block's questions. Some questions are asked
/// one by one: those that want no small agents, since then there is nothing to ask together; those
/// with long answers, which would have to move to make room for giants and statics; and those whose
/// copies may find an agent twice, since only the crowd itself then reports it once.
template <std::size_t Dim>
class Batch<Dim>::State::CrowdSource : public ShapeSource<Dim> {
public:
    CrowdSource(const Crowd<Dim>& crowd, Sets sets, const State& batch) noexcept
        : crowd_(crowd), sets_(sets), together_(has(sets, Sets::small)),
          small_(detail::state_of(crowd).grid, batch) {}

    /// Whether the grid answers a block as a whole, before giants and statics are added.
    [[nodiscard]] bool is_together() const noexcept { return together_; }

    /// Whether there are giants or statics to ask.
    [[nodiscard]] bool has_larger() const noexcept { return !state().only_grid(sets_); }

    [[nodiscard]] Status first_fault(const ShapesView<Dim>& questions) const noexcept override {
        for (std::size_t q = 0; q < questions.count; ++q) {
            const ShapesView<Dim> one = questions.part(q, 1);
            Status status =
                state().answer(state().is_plain(one, sets_), sets_,
                               [&](const auto& source) { return source.refusal_of(one); });
            status.index = q;
            if (!status.ok()) { return status; }
        }
        return {};
    }
    [[nodiscard]] bool asks_grid(const ShapesView<Dim>& questions) const noexcept override {
        return together_ && !(wraps() && is_path(questions.kind)) && !is_long(questions);
    }

    std::uint64_t query(const ShapesView<Dim>& questions, OutputPart& part, const HitsBuffer& out,
                        const Filters& filters) const override {
        ShapesView<Dim> asked = questions;
        if (!asks_grid(questions) || !note_copies(asked, part.copies)) {
            return query_each(questions, out, filters);
        }
        const std::uint64_t found = query_plain(asked, part, out, filters);
        if (part.copies.empty()) { return found; }
        list_copies(questions.kind, part, filters);
        return found + part.copies.append_to(out, questions.count);
    }
    std::uint64_t count(const ShapesView<Dim>& questions, OutputPart& part,
                        std::span<std::uint32_t> counts, const Filters& filters) const override {
        ShapesView<Dim> asked = questions;
        if (!asks_grid(questions) || !note_copies(asked, part.copies)) {
            return count_each(questions, counts, filters);
        }
        const std::uint64_t found = count_plain(asked, part, counts, filters);
        return found + count_copies(questions.kind, part, counts, filters);
    }
    std::uint64_t any(const ShapesView<Dim>& questions, OutputPart& part,
                      std::span<std::uint32_t> counts, const Filters& filters) const override {
        ShapesView<Dim> asked = questions;
        if (!together_ || (wraps() && is_path(questions.kind)) ||
            !note_copies(asked, part.copies)) {
            return tally_each(questions, counts, filters,
                              [&](const auto& one, const Filter& filter) {
                                  return crowd_.any(one, filter, sets_);
                              });
        }
        const std::uint64_t found = any_plain(asked, part, counts, filters);
        if (part.copies.empty()) { return found; }
        const std::span<std::uint32_t> of_copies = part.copies.counts();
        (void)any_plain(part.copies.view<Dim>(questions.kind), part, of_copies,
                        part.copies.filters_from(filters));
        return found + part.copies.any_to(counts);
    }

    /// Keeps the lists of the copies in the part, or adds what they find to their owners' counts:
    /// then it returns the sum of what it adds.
    void list_copies(ShapeKind kind, OutputPart& part, const Filters& filters) const {
        const Filters of_copies = part.copies.filters_from(filters);
        part.copies.list([&](const HitsBuffer& to) {
            return query_plain(part.copies.view<Dim>(kind), part, to, of_copies);
        });
    }
    std::uint64_t count_copies(ShapeKind kind, OutputPart& part, std::span<std::uint32_t> counts,
                               const Filters& filters) const {
        if (part.copies.empty()) { return 0; }
        (void)count_plain(part.copies.view<Dim>(kind), part, part.copies.counts(),
                          part.copies.filters_from(filters));
        return part.copies.add_counts_to(counts);
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
        if (!together_ || !starts_at_home(points, nearest)) {
            return nearest_each(points, nearest, out, filter);
        }
        (void)small_.nearest(points, nearest, part, out, filter);
        const std::uint64_t found = merge_larger(points, nearest, out, filter);
        const auto filter_of = [&](std::size_t) { return filter; };
        if (!wraps() || nearest.k == 0 || is_hopeless(nearest)) { return found; }
        if (nearest.body == Body::centre) {
            return merge_copies(points, nearest, part, out, filter, filter_of);
        }
        const std::vector<NearestFrom<Dim>> bodies(points.begin(), points.end());
        return merge_body_copies(std::span(bodies), nearest, out, filter_of);
    }
    /// Whether the nearest of what these points find themselves, and of what their copies find, are
    /// the nearest of all.
    [[nodiscard]] bool starts_at_home(std::span<const Point<Dim>> points,
                                      const Nearest& nearest) const noexcept {
        return !wraps() || (is_by_copies(nearest) &&
                            std::all_of(points.begin(), points.end(), [&](const Point<Dim>& point) {
                                return state().world.kept(point) == point;
                            }));
    }
    /// Whether copies add to the nearest: not if conditions leave out agents by their distance from
    /// the nearest copy.
    [[nodiscard]] static bool is_by_copies(const Nearest& nearest) noexcept {
        return !(nearest.least > 0.0f) && !(nearest.after.distance2 >= 0.0f);
    }
    /// Merges what the copies of points find into their nearest. Returns how many they have then.
    /// filter_of(q) is the filter of question q, and `filter` leaves out what all of these do.
    template <class FilterOf>
    std::uint64_t merge_copies(std::span<const Point<Dim>> points, const Nearest& nearest,
                               OutputPart& part, const NearBuffer& out, const Filter& filter,
                               const FilterOf& filter_of) const {
        const PeriodicCopies copies(state(), sets_);
        Nearest closer = nearest;
        closer.radius = 0.0f;
        std::uint64_t sum = 0;
        part.copies.clear();
        for (std::size_t q = 0; q < points.size(); ++q) {
            const std::span<Near> best = out.nearest.subspan(q * nearest.k, nearest.k);
            std::uint32_t& count = out.counts[q];
            if (filter_of(q).groups != 0 && copies.may_gain(points[q], nearest, best, count)) {
                const float far = radius_among(best, count, nearest.radius);
                const NarrowCopies<Dim> few = copies.around(points[q], far);
                for (std::size_t i = 1; i <= few.count() && few.narrow(); ++i) {
                    const Point<Dim> copy = detail::shifted(points[q], few.offset(i));
                    part.copies.add(q, few.side(i),
                                    std::as_bytes(std::span<const Point<Dim>, 1>(&copy, 1)));
                    closer.radius = std::max(closer.radius, far);
                }
                if (!few.narrow()) {
                    count = static_cast<std::uint32_t>(
                        copies.beyond(points[q], nearest, best, count, filter_of(q)));
                }
            }
            sum += count;
        }
        if (part.copies.empty()) { return sum; }
        part.copies.arrange(std::integral_constant<std::size_t, sizeof(Point<Dim>)>{});
        const std::span<const Point<Dim>> asked = part.copies.template points<Dim>();
        part.found_nearest.resize(asked.size() * nearest.k);
        part.found.resize(asked.size());
        const NearBuffer found{part.found_nearest, part.found};
        // No copy comes near the agent that a question leaves out because it is its own.
        (void)small_.nearest(asked, closer, part, found, filter);
        (void)merge_larger(asked, closer, found, filter);
        part.copies.for_each([&](std::size_t q, std::size_t place) {
            const std::span<Near> best = out.nearest.subspan(q * nearest.k, nearest.k);
            const std::size_t had = out.counts[q];
            const std::size_t after = merge_nearest(
                best, had, found.nearest.subspan(place * nearest.k, found.counts[place]));
            out.counts[q] = static_cast<std::uint32_t>(after);
            sum += after - had;
        });
        return sum;
    }
    /// The same for bodies, one by one.
    template <class FilterOf>
    std::uint64_t merge_body_copies(std::span<const NearestFrom<Dim>> bodies,
                                    const Nearest& nearest, const NearBuffer& out,
                                    const FilterOf& filter_of) const {
        const PeriodicCopies copies(state(), sets_);
        std::uint64_t sum = 0;
        for (std::size_t q = 0; q < bodies.size(); ++q) {
            std::size_t count = out.counts[q];
            if (filter_of(q).groups != 0) {
                const std::span<Near> best = out.nearest.subspan(q * nearest.k, nearest.k);
                count = copies.beyond(bodies[q], nearest, best, count, filter_of(q));
            }
            out.counts[q] = static_cast<std::uint32_t>(count);
            sum += count;
        }
        return sum;
    }
    /// The answers of a block without copies.
    std::uint64_t query_plain(const ShapesView<Dim>& questions, OutputPart& part,
                              const HitsBuffer& out, const Filters& filters) const {
        const std::uint64_t small = small_.query(questions, part, out, filters);
        return append_larger(small, questions, part, out, filters);
    }
    std::uint64_t count_plain(const ShapesView<Dim>& questions, OutputPart& part,
                              std::span<std::uint32_t> counts, const Filters& filters) const {
        const std::uint64_t small = small_.count(questions, part, counts, filters);
        return count_larger(small, questions, counts, filters);
    }
    std::uint64_t any_plain(const ShapesView<Dim>& questions, OutputPart& part,
                            std::span<std::uint32_t> counts, const Filters& filters) const {
        const std::uint64_t small = small_.any(questions, part, counts, filters);
        return find_any_larger(small, questions, counts, filters);
    }

    // These ask question by question, which is right for every crowd, periodic worlds included.

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
    /// `from` are points, or bodies that have been checked.
    template <class From>
    std::uint64_t nearest_each(std::span<const From> from, const Nearest& nearest,
                               const NearBuffer& out, const Filters& filters) const {
        std::uint64_t sum = 0;
        for (std::size_t q = 0; q < from.size(); ++q) {
            const std::uint64_t found =
                checked(state().answer(!wraps(), sets_, [&](const auto& source) {
                    return source.nearest(from[q], nearest,
                                          out.nearest.subspan(q * nearest.k, nearest.k),
                                          filters.of(q));
                }));
            out.counts[q] = static_cast<std::uint32_t>(found);
            sum += found;
        }
        return sum;
    }

    // These ask giants and statics, after the grid has found `small`; they return the sum of both.

    std::uint64_t append_larger(std::uint64_t small, const ShapesView<Dim>& questions,
                                OutputPart& part, const HitsBuffer& out,
                                const Filters& filters) const {
        part.large.clear();
        detail::state_of(crowd_).find_large(questions, filters, sets_, part.large);
        append_large(out.offsets.first(questions.count + 1), out.ids, part.large);
        return small + part.large.size();
    }
    std::uint64_t count_larger(std::uint64_t small, const ShapesView<Dim>& questions,
                               std::span<std::uint32_t> counts, const Filters& filters) const {
        std::uint64_t sum = small;
        const auto add = [&](std::size_t q, std::uint64_t found) {
            counts[q] += static_cast<std::uint32_t>(found);
            sum += found;
        };
        LargeCandidates<Dim> few;
        few.answer(
            questions, larger(),
            [&](std::size_t q, const LargeElement<Dim>& element) {
                add(q, element.passes(filters.of(q)) ? 1 : 0);
            },
            [&](std::size_t q, const LargeElements<Dim>& set) {
                add(q, set.count(questions.part(q, 1), filters.of(q)).count);
            });
        return sum;
    }
    std::uint64_t find_any_larger(std::uint64_t small, const ShapesView<Dim>& questions,
                                  std::span<std::uint32_t> counts, const Filters& filters) const {
        std::uint64_t sum = small;
        const auto note = [&](std::size_t q, bool found) {
            counts[q] = found ? 1 : 0;
            sum += counts[q];
        };
        LargeCandidates<Dim> few;
        few.answer(
            questions, larger(), [&](std::size_t q) { return counts[q] == 0; },
            [&](std::size_t q, const LargeElement<Dim>& element) {
                if (counts[q] == 0) { note(q, element.passes(filters.of(q))); }
            },
            [&](std::size_t q, const LargeElements<Dim>& set) {
                if (counts[q] != 0) { return; } // giants have found one
                note(q, set.any(questions.part(q, 1), filters.of(q)).count != 0);
            });
        return sum;
    }
    std::uint64_t merge_larger(std::span<const Point<Dim>> points, const Nearest& nearest,
                               const NearBuffer& out, const Filter& filter) const {
        if (nearest.k == 0 || is_hopeless(nearest)) { return 0; }
        if (!has_larger()) {
            const std::span<std::uint32_t> counts = out.counts.first(points.size());
            return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
        }
        if (nearest.body != Body::centre) { return merge_bodies(points, nearest, out, filter); }
        const bool conditional = has_conditions(nearest);
        LargeCandidates<Dim> few;
        std::array<Ball<Dim>, LargeCandidates<Dim>::kMany> balls;
        std::uint64_t sum = 0;
        for (std::size_t begin = 0; begin < points.size(); begin += balls.size()) {
            const auto some = points.subspan(begin, std::min(balls.size(), points.size() - begin));
            const std::span<std::uint32_t> counts = out.counts.subspan(begin, some.size());
            const auto best = [&](std::size_t q) {
                return out.nearest.subspan((begin + q) * nearest.k, nearest.k);
            };
            for (std::size_t q = 0; q < some.size(); ++q) {
                balls[q] = {some[q], radius_among(best(q), counts[q], nearest.radius)};
            }
            few.answer(
                {ShapeKind::ball, balls.data(), some.size()}, larger(),
                [&](std::size_t q, const LargeElement<Dim>& element) {
                    if (!element.passes(filter)) { return; }
                    const Near near{distance2_between(some[q], element.position), element.name};
                    if (conditional && !meets(nearest, some[q], element.position, near)) { return; }
                    counts[q] =
                        static_cast<std::uint32_t>(merge_nearest(best(q), counts[q], {&near, 1}));
                },
                [&](std::size_t q, const LargeElements<Dim>& set) {
                    counts[q] = static_cast<std::uint32_t>(
                        set.merge_nearest(some[q], nearest, best(q), counts[q], filter));
                });
            sum = std::accumulate(counts.begin(), counts.end(), sum);
        }
        return sum;
    }
    /// merge_larger() if agents count as bodies. Asks for points or bodies, set by set.
    template <class From>
    std::uint64_t merge_bodies(std::span<const From> from, const Nearest& nearest,
                               const NearBuffer& out, const Filter& filter) const {
        if (nearest.k == 0 || is_hopeless(nearest)) { return 0; }
        std::uint64_t sum = 0;
        for (std::size_t q = 0; q < from.size(); ++q) {
            std::size_t count = out.counts[q];
            larger()([&](const LargeElements<Dim>& set) {
                count = set.merge_nearest(
                    from[q], nearest, out.nearest.subspan(q * nearest.k, nearest.k), count, filter);
                return true;
            });
            out.counts[q] = static_cast<std::uint32_t>(count);
            sum += count;
        }
        return sum;
    }

private:
    using PeriodicCopies = typename detail::StateOf<Crowd<Dim>>::PeriodicCopies;

    [[nodiscard]] const auto& state() const noexcept { return detail::state_of(crowd_); }
    [[nodiscard]] bool wraps() const noexcept { return state().world.wraps; }

    /// Notes the copies of a block's questions, none if the world does not wrap, and moves the
    /// questions into the world. Returns false if they have to be asked one by one, since copies of
    /// a question may find the same agent. Throws Refused.
    bool note_copies(ShapesView<Dim>& questions, BlockCopies& copies) const {
        copies.clear();
        if (!wraps()) { return true; }
        const ShapesView<Dim> given = questions;
        const Point<Dim> largest = state().largest(sets_);
        for (std::size_t q = 0; q < given.count; ++q) {
            const ShapesView<Dim> one = given.part(q, 1);
            const NarrowCopies<Dim> few = state().narrow_copies(one, largest);
            if (few.narrow()) {
                for (std::size_t i = 1; i <= few.count(); ++i) {
                    const AnyShape<Dim> copy = shifted(one, few.offset(i));
                    copies.add(q, few.side(i), BlockCopies::bytes_of(copy.view()));
                }
                continue;
            }
            const PeriodicShape<Dim> all(state().world, one);
            if (!all.status().ok()) { throw Refused{all.status()}; }
            const auto near = all.reaching(largest);
            if (near.may_hit_twice()) { return false; }
            for (std::size_t i = 0; i < near.size(); ++i) {
                const AnyShape<Dim> copy = near[i];
                if (i == 0) {
                    copies.move(questions, q, copy.view());
                } else {
                    copies.add(q, 0, BlockCopies::bytes_of(copy.view()));
                }
            }
        }
        static_assert(NarrowCopies<Dim>::kSides <= BlockCopies::kSides);
        copies.arrange(shape_size<Dim>(questions.kind));
        return true;
    }

    /// Asks question by question, for count_each() and any().
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

    /// The giants and statics of the sets asked for, in the form that LargeCandidates takes.
    [[nodiscard]] auto larger() const noexcept {
        return [&](const auto& body) { detail::state_of(crowd_).for_each_large(sets_, body); };
    }
    [[nodiscard]] bool is_long(const ShapesView<Dim>& questions) const noexcept {
        return detail::state_of(crowd_).has_long_answers(questions, sets_);
    }
    const Crowd<Dim>& crowd_;
    Sets sets_;
    bool together_;
    GridSource small_;
};

} // namespace throng
