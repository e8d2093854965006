// Answers of one part of a crowd behind those of another. Internal to the engine.
#pragma once

#include "found.hpp"

#include <algorithm>
#include <cstddef>

namespace throng {

/// Appends to each answer of `hits` that of `more` to the same question. Throws std::bad_alloc.
inline void append_each(Hits& hits, const Hits& more) {
    if (more.total() == 0) { return; }
    const std::size_t questions = hits.offsets.size() - 1;
    const std::uint64_t total = hits.total() + more.total();
    if (hits.ids.size() < total) { hits.ids.resize(total); }
    // From the last to the first: each moves up by what those before it gain.
    for (std::size_t q = questions; q-- > 0;) {
        Id* const begin = hits.ids.data() + hits.offsets[q];
        Id* const end = hits.ids.data() + hits.offsets[q + 1];
        Id* const moved_end = end + more.offsets[q];
        std::move_backward(begin, end, moved_end);
        const auto added = more.of(q);
        std::copy(added.begin(), added.end(), moved_end);
        hits.offsets[q + 1] += more.offsets[q + 1];
    }
}

} // namespace throng
