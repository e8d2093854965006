// What becomes of the ids that walks write, whatever is walked through. Internal to the engine.
#pragma once

#include "../simd/walk.hpp"
#include "found.hpp"
#include "question_blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace throng {

/// Writes the hits of a question to `out`, as many as fit, and no further. Returns how many there
/// are. `walks.template operator()<form>(walk)` goes on with a walk as simd::walk() does; `last` is
/// scratch for at least two vectors: kernels write whole ones, so what comes last takes a detour.
template <class Walks>
std::size_t write_hits(const Walks& walks, std::span<Id> out, std::span<Id> last) noexcept {
    simd::Walk walk;
    walk.out = out.data();
    walk.end = out.data() + out.size();
    // Not with no room at all: then there may be no buffer either.
    bool done = !out.empty() && walks.template operator()<simd::Form::ids>(walk);
    auto found = static_cast<std::size_t>(walk.out - out.data());
    while (!done && found < out.size()) {
        walk.out = last.data();
        walk.end = last.data() + last.size();
        done = walks.template operator()<simd::Form::ids>(walk);
        const auto more = static_cast<std::size_t>(walk.out - last.data());
        const std::size_t fit = std::min(more, out.size() - found);
        std::copy_n(last.data(), fit, out.data() + found);
        found += more;
    }
    // What does not fit is only counted.
    if (!done) {
        walks.template operator()<simd::Form::count>(walk);
        found += walk.hits;
    }
    return found;
}

/// Appends the hits of a question to a batch's. Returns 1, or 0 if they do not fit.
template <class Walks>
std::size_t select_one(const Walks& walks, simd::BatchOutput& out) noexcept {
    simd::Walk walk;
    walk.out = out.ids + out.used;
    walk.end = out.ids + out.capacity;
    if (!walks.template operator()<simd::Form::ids>(walk)) { return 0; }
    out.used = static_cast<std::uint64_t>(walk.out - out.ids);
    out.offsets[1] = out.used;
    return 1;
}

/// Answers all of these, a block at a time: select(block, count, out) answers queries 0 ... count -
/// 1 of a block until one does not fit, and returns how many that were. Hits has offsets enough,
/// and the first is zero.
template <class Shape, class Select>
void answer_all(std::span<const Shape> shapes, Hits& hits, const Select& select) {
    constexpr std::size_t kQueries = BlockOf<Shape>::kQueries;
    BlockOf<Shape> block;
    if constexpr (kQueries > 1) { fill(block, kQueries, Shape{}); }
    simd::BatchOutput out{};
    for (std::size_t first = 0; first < shapes.size();) {
        const std::size_t count = std::min(kQueries, shapes.size() - first);
        for (std::size_t i = 0; i < count; ++i) {
            put(block, i, shapes[first + i]);
        }
        out.ids = hits.ids.data();
        out.capacity = hits.ids.size() - std::min(hits.ids.size(), simd::kSlack);
        out.offsets = hits.offsets.data() + first;
        const std::size_t answered =
            hits.ids.size() <= simd::kSlack ? 0 : select(block, count, out);
        first += answered;
        // What comes next did not fit: twice the room, and ask again.
        if (answered < count) { hits.ids.resize(2 * hits.ids.size() + 4096); }
    }
}

} // namespace throng
