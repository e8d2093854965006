// Writes the ids of a query through its cursor, for every structure. Internal to the engine.
#pragma once

#include "../../simd/views/query_one.hpp"
#include "../agents/found.hpp"
#include "../shapes/any_block.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace throng {

/// The rest of write_hits(), once whole vectors do not fit any more.
template <class Resume>
[[gnu::noinline]] std::size_t write_last_hits(const Resume& resume, simd::QueryCursor cursor,
                                              std::span<Id> out, std::span<Id> last) noexcept {
    bool done = false;
    auto found = static_cast<std::size_t>(cursor.out - out.data());
    while (!done && found < out.size()) {
        cursor.out = last.data();
        cursor.end = last.data() + last.size();
        done = resume.template operator()<simd::Form::ids>(cursor);
        const auto more = static_cast<std::size_t>(cursor.out - last.data());
        const std::size_t fit = std::min(more, out.size() - found);
        std::copy_n(last.data(), fit, out.data() + found);
        found += more;
    }
    // Hits that do not fit are only counted.
    if (!done) {
        resume.template operator()<simd::Form::count>(cursor);
        found += cursor.hits;
    }
    return found;
}

/// Writes the hits of a question to `out`, as many as fit, and no further. Returns how many there
/// are. `resume.template operator()<form>(cursor)` continues from the cursor as simd::query_one()
/// does. `last` is scratch for at least two vectors: kernels write whole vectors, so the last ids
/// are copied from there.
template <class Resume>
[[gnu::always_inline]] inline std::size_t write_hits(const Resume& resume, std::span<Id> out,
                                                     std::span<Id> last,
                                                     simd::QueryCursor cursor = {}) noexcept {
    cursor.out = out.data();
    cursor.end = out.data() + out.size();
    // Skipped when there is no room at all: then there may be no buffer either.
    if (!out.empty() && resume.template operator()<simd::Form::ids>(cursor)) [[likely]] {
        return static_cast<std::size_t>(cursor.out - out.data());
    }
    return write_last_hits(resume, cursor, out, last);
}

/// Appends the hits of a question to those of a batch. Returns 1, or 0 if they do not fit.
template <class Resume>
std::size_t select_one(const Resume& resume, simd::BatchOutput& out) noexcept {
    simd::QueryCursor cursor;
    cursor.out = out.ids + out.used;
    cursor.end = out.ids + out.capacity;
    if (!resume.template operator()<simd::Form::ids>(cursor)) { return 0; }
    out.used = static_cast<std::uint64_t>(cursor.out - out.ids);
    out.offsets[1] = out.used;
    return 1;
}

/// Answers all questions, a block at a time: select(block, count, out) answers the first `count`
/// queries of a block until one does not fit, and returns how many it answered. Hits must have
/// enough offsets, the first of them zero.
template <std::size_t Dim, class Select>
void answer_all(const ShapesView<Dim>& shapes, Hits& hits, const Select& select) {
    const std::size_t room = AnyBlock<Dim>::room_for(shapes.kind);
    AnyBlock<Dim> block;
    if (room > 1) { put_blank(block, shapes.kind); }
    simd::BatchOutput out{};
    for (std::size_t first = 0; first < shapes.count;) {
        const std::size_t count = std::min(room, shapes.count - first);
        put_all(block, shapes.part(first, count));
        out.ids = hits.ids.data();
        out.capacity = hits.ids.size() - std::min(hits.ids.size(), simd::kSlack);
        out.offsets = hits.offsets.data() + first;
        const std::size_t answered =
            hits.ids.size() <= simd::kSlack ? 0 : select(block, count, out);
        first += answered;
        // The next answer did not fit: double the room, and ask again.
        if (answered < count) { hits.ids.resize(2 * hits.ids.size() + 4096); }
    }
}

} // namespace throng
