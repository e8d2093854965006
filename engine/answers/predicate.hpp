// Questions with a condition of the caller's: only agents that also satisfy a predicate are found.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../agents/filter.hpp"
#include "../agents/found.hpp"
#include "../agents/nearest.hpp"
#include "../core/id.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace throng {

// These functions take every index, and every shape that its visit() takes. The predicate comes
// last: it is called for hits that the filter does not leave out, each once and in the order of
// visit(), and not any more once the answer is known. It can be anything callable as bool(Id), for
// example a FunctionRef<bool(Id)>, and like a visitor may not change the index. A condition on the
// kind of an agent alone is faster as a group mask: see Filter.

/// As index.visit(shape, visitor, filter), but hands over only `wanted` ids; returns how many it
/// handed over.
template <class Index, class Shape, class Visitor, class Wanted>
Found visit_where(const Index& index, const Shape& shape, const Visitor& visitor,
                  const Wanted& wanted, const Filter& filter = {}) {
    std::array<Id, 256> run;
    std::size_t handed = 0;
    const Found found = index.visit(
        shape,
        [&](std::span<const Id> ids) {
            while (!ids.empty()) {
                const std::span<const Id> some = ids.first(std::min(ids.size(), run.size()));
                std::size_t kept = 0;
                for (const Id id : some) {
                    if (wanted(id)) { run[kept++] = id; }
                }
                handed += kept;
                if (kept != 0 && !visitor(std::span<const Id>(run.data(), kept))) { return false; }
                ids = ids.subspan(some.size());
            }
            return true;
        },
        filter);
    return {handed, found.status};
}

/// As index.query(shape, out, filter): the first out.size() are written, all are counted.
template <class Index, class Shape, class Wanted>
Found query_where(const Index& index, const Shape& shape, std::span<Id> out, const Wanted& wanted,
                  const Filter& filter = {}) {
    std::size_t count = 0;
    const Found found = index.visit(
        shape,
        [&](std::span<const Id> ids) {
            for (const Id id : ids) {
                if (!wanted(id)) { continue; }
                if (count < out.size()) { out[count] = id; }
                ++count;
            }
            return true;
        },
        filter);
    return {count, found.status};
}

/// As index.count(shape, filter).
template <class Index, class Shape, class Wanted>
Found count_where(const Index& index, const Shape& shape, const Wanted& wanted,
                  const Filter& filter = {}) {
    return query_where(index, shape, std::span<Id>(), wanted, filter);
}

/// As index.any(shape, filter): stops at the first wanted hit.
template <class Index, class Shape, class Wanted>
Found any_where(const Index& index, const Shape& shape, const Wanted& wanted,
                const Filter& filter = {}) {
    bool any = false;
    const Found found = index.visit(
        shape,
        [&](std::span<const Id> ids) {
            any = std::any_of(ids.begin(), ids.end(), wanted);
            return !any;
        },
        filter);
    return {any ? std::size_t{1} : std::size_t{0}, found.status};
}

// The functions below are for RowGrid and Crowd; a Crowd also takes Sets, behind the filter. The
// predicate is called in the order of the answer, between searches for candidates. If it throws,
// the index is as it was, and the answer must not be read.

/// As index.nearest(point, nearest, out, filter, sets): the k nearest `wanted` agents. Asks for
/// growing pages, of up to 256 hits, with Nearest::after; so it is fast if the predicate rejects
/// only a few agents for each wanted one.
template <class Index, std::size_t Dim, class Wanted, class... OneOfSets>
Found nearest_where(const Index& index, const Point<Dim>& point, const Nearest& nearest,
                    std::span<Near> out, const Wanted& wanted, const Filter& filter = {},
                    const OneOfSets&... sets) {
    constexpr std::uint32_t kFirstPage = 16, kLargestPage = 256, kGrowth = 4;
    std::array<Near, kLargestPage> room;
    Nearest page = nearest;
    // k is checked here, everything else with the first page.
    if (nearest.k > kMostNearest) { return {0, {Cause::too_many, Argument::k}}; }
    page.k = 0;
    Found found = index.nearest(point, page, std::span<Near>(), filter, sets...);
    if (!found.status.ok()) { return found; }
    if (out.size() < nearest.k) { return {0, {Cause::no_room, Argument::nearest}}; }
    const std::span<Near> answer = out.first(nearest.k);
    std::fill(answer.begin(), answer.end(), Near{});
    std::size_t count = 0;
    bool more = nearest.k != 0;
    for (page.k = std::clamp(nearest.k, kFirstPage, kLargestPage); more;
         page.k = std::min(kGrowth * page.k, kLargestPage)) {
        const std::span<Near> candidates = std::span<Near>(room).first(page.k);
        found = index.nearest(point, page, candidates, filter, sets...);
        for (std::size_t i = 0; i < found.count && count < answer.size(); ++i) {
            if (wanted(candidates[i].id)) { answer[count++] = candidates[i]; }
        }
        more = found.count == page.k && count < answer.size();
        page.after = candidates.back();
    }
    return {count, {}};
}

namespace detail {

/// Lets first_where() ask an index for many hits at once. A friend of the indices that can.
struct HitPages {
    template <class Index, class... Args>
    static auto hits_after(const Index& index, Args&&... args)
        -> decltype(index.hits_after(std::forward<Args>(args)...)) {
        return index.hits_after(std::forward<Args>(args)...);
    }
};

/// Goes on with first_where() after `passed` hits that were not wanted. Each page is as long as all
/// earlier hits together, so that the search reads the same agents only a few times. Pages longer
/// than `room` allocate memory; if there is none, pages stop growing.
template <class Index, class Path, class Wanted, class... OneOfSets>
Found first_in_pages(const Index& index, const Path& path, PathHit after, std::size_t passed,
                     PathHit& hit, const Wanted& wanted, const Filter& filter,
                     const OneOfSets&... sets) {
    std::array<PathHit, 256> room;
    std::unique_ptr<PathHit[]> more;
    for (auto page = std::span<PathHit>(room);;) {
        if (passed > page.size()) {
            const std::size_t wider = 2 * passed;
            std::unique_ptr<PathHit[]> taken(new (std::nothrow) PathHit[wider]);
            if (taken != nullptr) {
                more = std::move(taken);
                page = {more.get(), wider};
            }
        }
        const std::size_t most = std::min(passed, page.size());
        const Found found =
            HitPages::hits_after(index, after, path, page.first(most), filter, sets...);
        if (found.count == 0) { return found; }
        for (const PathHit& next : page.first(found.count)) {
            if (wanted(next.id)) {
                hit = next;
                return {1, {}};
            }
        }
        after = page[found.count - 1];
        passed += found.count;
    }
}

} // namespace detail

/// As index.first(path, hit, filter, sets): the first hit of a `wanted` agent. Allocates memory
/// when hundreds of hits were not wanted; if there is no memory, the call takes longer.
template <class Index, class Path, class Wanted, class... OneOfSets>
Found first_where(const Index& index, const Path& path, PathHit& hit, const Wanted& wanted,
                  const Filter& filter = {}, const OneOfSets&... sets) {
    constexpr std::size_t kFew = 8; // one of the first hits is mostly wanted
    // A host's own index may have only first_after().
    constexpr bool kHasPages = requires(const PathHit& some, std::span<PathHit> page) {
        detail::HitPages::hits_after(index, some, path, page, filter, sets...);
    };
    PathHit after = kBeforeAllHits;
    for (std::size_t passed = 0; !kHasPages || passed < kFew; ++passed) {
        PathHit next;
        const Found found = index.first_after(after, path, next, filter, sets...);
        if (found.count == 0) { return found; }
        if (wanted(next.id)) {
            hit = next;
            return found;
        }
        after = next;
    }
    if constexpr (kHasPages) {
        return detail::first_in_pages(index, path, after, kFew, hit, wanted, filter, sets...);
    }
}

} // namespace throng

#include "../../simd/isa/names_end.hpp"
