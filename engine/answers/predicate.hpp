// Questions with a condition of the caller's: only agents that also satisfy a predicate are found.
#pragma once

#include "../agents/filter.hpp"
#include "../agents/found.hpp"
#include "../core/id.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace throng {

// For every index and every shape that its visit() takes. The predicate comes last: it is called
// for agents that are hits and that the filter does not leave out, each once and in canonical
// order, and for no more of them once the answer is known. It is anything that can be called as
// bool(Id), a FunctionRef<bool(Id)> among others, and like a visitor may not change the index. What
// depends on an agent's kind alone is faster as a group mask: see Filter.

/// As index.visit(shape, visitor, filter), but hands over only ids that are `wanted`; returns how
/// many it handed over.
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

/// As index.any(shape, filter): stops at the first that is wanted.
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

} // namespace throng
