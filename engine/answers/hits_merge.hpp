// Appends the answers of one part of a crowd to those of another. Internal to the engine.
#pragma once

#include "../agents/found.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// Copies ids to `out` from place `begin` on, as many as fit.
inline void put_clipped(std::span<const Id> ids, std::uint64_t begin, std::span<Id> out) noexcept {
    if (begin >= out.size()) { return; }
    const std::size_t fit = std::min<std::size_t>(ids.size(), out.size() - begin);
    std::copy_n(ids.data(), fit, out.data() + begin);
}

/// Appends to each answer the answer of `more` to the same question. `offsets` say where in `ids`
/// the answers are. If they do not fit, before or after, `ids` holds the first of them, as many as
/// fit.
inline void append_each(std::span<std::uint64_t> offsets, std::span<Id> ids,
                        const Hits& more) noexcept {
    // From the last to the first: each moves up by what those before it gain. Once those gain
    // nothing, the rest is in its place.
    for (std::size_t q = offsets.size() - 1; q-- > 0 && more.offsets[q + 1] != 0;) {
        const std::uint64_t begin = offsets[q];
        const std::uint64_t end = offsets[q + 1];
        const std::uint64_t gained = more.offsets[q];
        if (gained != 0 && begin + gained < ids.size()) {
            const std::uint64_t kept_end = std::min<std::uint64_t>(end, ids.size() - gained);
            std::move_backward(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                               ids.begin() + static_cast<std::ptrdiff_t>(kept_end),
                               ids.begin() + static_cast<std::ptrdiff_t>(kept_end + gained));
        }
        put_clipped(more.of(q), end + gained, ids);
        offsets[q + 1] += more.offsets[q + 1];
    }
}

/// The same for answers that grow. Throws std::bad_alloc.
inline void append_each(Hits& hits, const Hits& more) {
    const std::uint64_t total = hits.total() + more.total();
    if (hits.ids.size() < total) { hits.ids.resize(total); }
    append_each(hits.offsets, hits.ids, more);
}

} // namespace throng
