// Questions to a crowd that have no copies: they go to the grid, the giants and the statics.
#include "../periodic/sources.hpp"

#include "../../answers/merge.hpp"
#include "../../grid/planner/query_planner.hpp"
#include "../../grid/store/state.hpp"
#include "../../shapes/single_shape.hpp"
#include "../large/large_candidates.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace throng {

template <std::size_t Dim>
bool Crowd<Dim>::State::is_sparse_for(const ShapesView<Dim>& one, Sets sets) const noexcept {
    return !only_grid(sets) && throng::is_sparse_for(one, detail::state_of(grid).facts());
}
template <std::size_t Dim>
bool Crowd<Dim>::State::asks_large_first(const ShapesView<Dim>& one, Sets sets) const noexcept {
    const GridFacts<Dim> facts = detail::state_of(grid).facts();
    std::size_t larger = 0;
    for_each_large(sets, [&](const LargeElements<Dim>& set) {
        larger += set.size();
        return true;
    });
    const bool few = larger <= facts.agents;
    if (larger == 0 || (few && finds_one_soon(one.kind, facts))) { return false; }
    const Box<Dim> bounds = bounds_of(one);
    if (few && !may_search_long(bounds, facts)) { return false; }
    return expects_large_first(one, bounds, sets);
}

template <std::size_t Dim>
bool Crowd<Dim>::State::expects_large_first(const ShapesView<Dim>& one, const Box<Dim>& bounds,
                                            Sets sets) const noexcept {
    const GridFacts<Dim> facts = detail::state_of(grid).facts();
    if (holds_all(one, facts)) { return false; }
    float large_hits = 0.0f;
    for_each_large(sets, [&](const LargeElements<Dim>& set) {
        // Half of the largest extent stands for the extents of all elements.
        Point<Dim> half{};
        for (std::size_t a = 0; a < Dim && !finds_centres(one.kind); ++a) {
            half[a] = 0.5f * set.largest()[a];
        }
        large_hits +=
            static_cast<float>(set.size()) * share_of(one.kind, bounds, half, facts.bounds);
        return true;
    });
    return throng::asks_large_first(one.kind, bounds, large_hits, facts);
}

template <std::size_t Dim>
bool Crowd<Dim>::State::has_long_answers(const ShapesView<Dim>& questions,
                                         Sets sets) const noexcept {
    constexpr float kLong = 1'000.0f; // ids of an answer: docs/planner.md
    if (only_grid(sets) || static_cast<float>(grid.size()) < kLong) { return false; }
    if (questions.count == 0 || !first_fault(questions).ok()) { return false; }
    const GridFacts<Dim> facts = detail::state_of(grid).facts();
    float hits = 0.0f;
    for (std::size_t q = 0; q < questions.count; ++q) {
        hits += expected_hits(questions.part(q, 1), facts);
    }
    return hits >= kLong * static_cast<float>(questions.count);
}

template <std::size_t Dim>
void Crowd<Dim>::State::find_large(const ShapesView<Dim>& questions, const Filters& filters,
                                   Sets sets, std::vector<LargeHit>& large) const {
    const auto append = [&](std::size_t q, std::span<const Id> run) {
        for (const Id id : run) {
            large.push_back({q, id});
        }
        return true;
    };
    LargeCandidates<Dim> few;
    few.answer(
        questions, [&](const auto& body) { for_each_large(sets, body); },
        [&](std::size_t q, const LargeElement<Dim>& element) {
            if (element.passes(filters.of(q))) { append(q, {&element.name, 1}); }
        },
        [&](std::size_t q, const LargeElements<Dim>& set) {
            (void)set.visit(
                questions.part(q, 1), [&](std::span<const Id> run) { return append(q, run); },
                filters.of(q));
        });
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PlainSets::visit(const ShapesView<Dim>& shape, IndexVisitor visitor,
                                          const Filter& filter) const {
    if (const Status status = check_single(shape); !status.ok()) { return {0, status}; }
    Found found;
    bool more = true;
    const auto until_enough = [&](std::span<const Id> run) { return more = visitor(run); };
    state_.for_each_set(sets_, [&](const auto& set) {
        found.count += set.visit(shape, until_enough, filter).count;
        return more;
    });
    return found;
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PlainSets::query(const ShapesView<Dim>& shape, std::span<Id> out,
                                          const Filter& filter) const {
    if (const Status status = check_single(shape); !status.ok()) { return {0, status}; }
    Found found;
    state_.for_each_set(sets_, [&](const auto& set) {
        const std::span<Id> room = out.subspan(std::min(found.count, out.size()));
        found.count += set.query(shape, room, filter).count;
        return true;
    });
    return found;
}

template <std::size_t Dim>
Status Crowd<Dim>::State::PlainSets::query(const ShapesView<Dim>& shapes, Hits& hits,
                                           const Filter& filter) const {
    if (!has(sets_, Sets::small) || !state_.has_long_answers(shapes, sets_)) {
        return query_together(shapes, hits, filter);
    }
    hits.offsets.assign(shapes.count + 1, 0);
    for (std::size_t q = 0; q < shapes.count; ++q) {
        const std::uint64_t begin = hits.offsets[q];
        const auto ask = [&] {
            return query(shapes.part(q, 1), std::span<Id>(hits.ids).subspan(begin), filter).count;
        };
        std::size_t found = ask();
        if (begin + found > hits.ids.size()) {
            hits.ids.resize(length_of(2 * (begin + found) + 4096));
            found = ask();
        }
        hits.offsets[q + 1] = begin + found;
    }
    return {};
}

template <std::size_t Dim>
Status Crowd<Dim>::State::PlainSets::query_together(const ShapesView<Dim>& shapes, Hits& hits,
                                                    const Filter& filter) const {
    Filter of_small = filter;
    if (!has(sets_, Sets::small)) { of_small.groups = 0; } // finds none
    const Status status = state_.grid.query(shapes, hits, of_small);
    if (!status.ok()) { return status; }
    std::vector<LargeHit> large;
    state_.find_large(shapes, filter, sets_, large);
    append_large(hits, large);
    return status;
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PlainSets::count(const ShapesView<Dim>& shape,
                                          const Filter& filter) const {
    if (const Status status = check_single(shape); !status.ok()) { return {0, status}; }
    Found found;
    state_.for_each_set(sets_, [&](const auto& set) {
        found.count += set.count(shape, filter).count;
        return true;
    });
    return found;
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PlainSets::any(const ShapesView<Dim>& shape, const Filter& filter) const {
    if (const Status status = check_single(shape); !status.ok()) { return {0, status}; }
    const auto any_of = [&](Sets some) {
        bool any = false;
        state_.for_each_set(some & sets_, [&](const auto& set) {
            any = set.any(shape, filter).count != 0;
            return !any;
        });
        return any;
    };
    const bool large_first = state_.asks_large_first(shape, sets_);
    const bool any =
        any_of(large_first ? kLarge : Sets::small) || any_of(large_first ? Sets::small : kLarge);
    return {any ? std::size_t{1} : 0, {}};
}

template <std::size_t Dim>
CrowdStats Crowd<Dim>::State::PlainSets::explain(const ShapesView<Dim>& shape,
                                                 const Filter& filter) const {
    CrowdStats stats;
    stats.status = check_shape(shape);
    if (!stats.status.ok()) { return stats; }
    if (has(sets_, Sets::small)) {
        const QueryStats small = state_.grid.explain(shape, filter);
        stats.path = small.path;
        stats.reason = small.reason;
        stats.predicted = small.predicted;
        stats.predicted_nanoseconds = small.predicted.of(small.path);
        stats.large_first = state_.grid.size() != 0 && !state_.only_grid(sets_) &&
                            state_.asks_large_first(shape, sets_);
        stats.rows = small.rows;
        stats.tested = small.tested;
        stats.copied = small.copied;
        stats.small = small.hits;
    }
    if (has(sets_, Sets::giants) && state_.giants.size() != 0) {
        stats.giants = state_.giants.count(shape, filter).count;
    }
    if (has(sets_, Sets::statics) && state_.statics->size() != 0) {
        stats.statics = state_.statics->count(shape, filter).count;
    }
    return stats;
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PlainSets::nearest(const NearestFrom<Dim>& from, const Nearest& nearest,
                                            std::span<Near> out, const Filter& filter) const {
    Filter of_small = filter;
    if (!has(sets_, Sets::small)) { of_small.groups = 0; } // finds none
    Found found = nearest_in(state_.grid, from, nearest, out, of_small);
    if (!found.status.ok() || nearest.k == 0 || filter.groups == 0 || state_.only_grid(sets_)) {
        return found;
    }
    state_.for_each_large(sets_, [&](const auto& set) {
        found.count = set.merge_nearest(from, nearest, out.first(nearest.k), found.count, filter);
        return true;
    });
    return found;
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PlainSets::first(const ShapesView<Dim>& path, PathHit& hit,
                                          const Filter& filter, const PathHit& after) const {
    if (const Status status = check_path(path); !status.ok()) { return {0, status}; }
    // No hit yet: later than any hit.
    PathHit best{std::numeric_limits<float>::infinity(), kNoId};
    const auto ask = [&](Sets some) {
        state_.for_each_set(some & sets_, [&](const auto& set) {
            // Each set is asked about the path only up to the best hit so far.
            const auto part = best.id == kNoId ? std::nullopt : until(path, best.time);
            best = first_in(set, part ? ShapesView<Dim>(*part) : path, filter, best, after);
            return true;
        });
    };
    // What a search in a tree costs depends on what the path hits, and what a search in the grid
    // costs on how far along the path it goes.
    const bool large_first = state_.is_sparse_for(path, sets_);
    ask(large_first ? kLarge : Sets::small);
    ask(large_first ? Sets::small : kLarge);
    if (best.id == kNoId) { return {}; }
    hit = best;
    return {1, {}};
}

template <std::size_t Dim>
Found Crowd<Dim>::State::PlainSets::hits_after(const PathHit& after, const ShapesView<Dim>& path,
                                               std::span<PathHit> out, const Filter& filter) const {
    if (const Status status = check_path(path); !status.ok()) { return {0, status}; }
    simd::HitPage page = page_in(out);
    const auto ask = [&](Sets some) {
        state_.for_each_set(some & sets_, [&](const auto& set) {
            // Once the page is full, each set is asked only up to the page's last hit.
            const simd::TimedHit last = page.bound();
            const auto part = last.id == kNoId ? std::nullopt : until(path, last.time);
            add_hits_after(set, after, part ? ShapesView<Dim>(*part) : path, filter, page);
            return true;
        });
    };
    const bool large_first = state_.is_sparse_for(path, sets_);
    ask(large_first ? kLarge : Sets::small);
    ask(large_first ? Sets::small : kLarge);
    std::sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(page.count));
    return {page.count, {}};
}

template <std::size_t Dim>
Status Crowd<Dim>::State::PlainSets::hits(const ShapesView<Dim>& path, std::vector<PathHit>& out,
                                          const Filter& filter) const {
    if (state_.only_grid(sets_)) { return state_.grid.hits(path, out, filter); }
    if (const Status status = check_path(path); !status.ok()) { return status; }
    out.clear();
    state_.for_each_set(sets_, [&](const auto& set) {
        add_path_hits(set, path, filter, out);
        return true;
    });
    std::sort(out.begin(), out.end());
    return {};
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template bool Crowd<Dim>::State::is_sparse_for(const ShapesView<Dim>&, Sets) const noexcept;   \
    template bool Crowd<Dim>::State::asks_large_first(const ShapesView<Dim>&, Sets)                \
        const noexcept;                                                                            \
    template bool Crowd<Dim>::State::expects_large_first(const ShapesView<Dim>&, const Box<Dim>&,  \
                                                         Sets) const noexcept;                     \
    template bool Crowd<Dim>::State::has_long_answers(const ShapesView<Dim>&, Sets)                \
        const noexcept;                                                                            \
    template void Crowd<Dim>::State::find_large(const ShapesView<Dim>&, const Filters&, Sets,      \
                                                std::vector<LargeHit>&) const;                     \
    template class Crowd<Dim>::State::PlainSets;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
