// Answers questions that find all agents of a grid. Internal to the engine.
#pragma once

#include "../../agents/filter.hpp"
#include "../../answers/spatial_index.hpp"
#include "../../core/id.hpp"
#include "../planner/query_planner.hpp"
#include "../rows/row_store.hpp"
#include "kernel_calls.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace throng {

/// Whether copying the ids of all rows takes less time than a search that finds them. Where rows
/// have few agents, both wait for the rows' headers, but the search prefetches the next header.
template <std::size_t Dim>
[[nodiscard]] bool copying_pays(const RowStore<Dim>& store, std::size_t agents) noexcept {
    return agents >= 4 * store.occupied().count();
}

/// Writes the ids of all agents, as many as fit.
template <std::size_t Dim>
void write_all(const RowStore<Dim>& store, std::span<Id> out) noexcept {
    // Rows of sparse worlds have a few ids each. Copying four at a time takes less time than a call
    // of memmove(); the next row overwrites the excess.
    constexpr std::size_t kFew = 16, kWide = 4;
    std::size_t written = 0;
    store.occupied().for_each([&](std::size_t r) {
        const simd::Row& row = store.rows()[r];
        const Id* const ids = store.ids(row);
        Id* const to = out.data() + written;
        const std::size_t room = out.size() - written;
        if (row.count <= kFew && room >= kFew) {
            for (std::size_t i = 0; i < row.count; i += kWide) {
                std::memcpy(to + i, ids + i, kWide * sizeof(Id));
            }
            written += row.count;
        } else {
            const std::size_t count = std::min<std::size_t>(row.count, room);
            std::copy_n(ids, count, to);
            written += count;
        }
    });
}

/// Shows all ids to the visitor until it returns false; returns how many ids it was shown. All runs
/// but the last have kLongestRun ids.
template <std::size_t Dim>
std::size_t visit_all(const RowStore<Dim>& store, IndexVisitor visitor) {
    std::array<Id, kLongestRun> run;
    std::size_t held = 0, shown = 0;
    for (std::size_t r = store.occupied().next(0); r < store.rows().size();
         r = store.occupied().next(r + 1)) {
        const simd::Row& row = store.rows()[r];
        for (std::size_t slot = 0; slot < row.count;) {
            const std::size_t count = std::min(row.count - slot, run.size() - held);
            std::copy_n(store.ids(row) + slot, count, run.data() + held);
            slot += count;
            held += count;
            if (held < run.size()) { continue; }
            shown += held;
            if (!visitor({run.data(), held})) { return shown; }
            held = 0;
        }
    }
    if (held != 0) { (void)visitor({run.data(), held}); }
    return shown + held;
}

/// What an answer with all agents has to copy: nothing if it is a count, else their ids.
enum class Copies : std::uint8_t { nothing, ids };

/// How many questions, from the q-th on, come before the first one that is best answered with all
/// agents; at most as many as a block holds.
template <std::size_t Dim, class State>
[[nodiscard]] std::size_t before_all(const State& state, const ShapesView<Dim>& shapes,
                                     std::size_t q, const Filters& filters,
                                     Copies copies) noexcept {
    const std::size_t most = std::min(AnyBlock<Dim>::room_for(shapes.kind), shapes.count - q);
    const auto first = [&]<class Shape>(const Shape* some) {
        const GridFacts<Dim> facts = state.facts();
        bool any = false;
        for (std::size_t i = 0; i < most; ++i) {
            any |= may_hold_all(some[i], facts);
        }
        if (!any) { return most; }
        for (std::size_t i = 0; i < most; ++i) {
            if (holds_all(some[i], facts) && !state.is_empty_for(filters.of(q + i)) &&
                kernel_filter_of(state.store, state.row_of, filters.of(q + i)).nothing() &&
                (copies == Copies::nothing || copying_pays(state.store, state.count))) {
                return i;
            }
        }
        return most;
    };
    switch (shapes.kind) {
    case ShapeKind::box:
        return first(shapes.template as<Box<Dim>>().data() + q);
    case ShapeKind::ball:
        return first(shapes.template as<Ball<Dim>>().data() + q);
    default:
        return most;
    }
}

} // namespace throng
