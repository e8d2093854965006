// Puts together the answers of several sets. Internal to the engine.
#pragma once

#include "../agents/found.hpp"
#include "../agents/nearest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
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

/// The nearest first, and of several equally near the one with the smallest id.
[[nodiscard]] inline bool comes_before(const Near& a, const Near& b) noexcept {
    return a.distance2 < b.distance2 || (a.distance2 == b.distance2 && a.id < b.id);
}

/// A radius whose square is no less than this.
[[nodiscard]] inline float radius_over(float distance2) noexcept {
    float radius = std::sqrt(distance2);
    while (radius * radius < distance2) {
        radius = std::nextafter(radius, std::numeric_limits<float>::infinity());
    }
    return radius;
}

/// Merges the best of two sorted lists into `best`: its own first `count`, and `others`. It keeps
/// as many as it has room for. Returns how many there are then.
inline std::size_t merge_nearest(std::span<Near> best, std::size_t count,
                                 std::span<const Near> others) noexcept {
    if (others.empty() || (count == best.size() && !comes_before(others[0], best.back()))) {
        return count;
    }
    if (others.size() == 1) {
        const std::size_t n = std::min(count + 1, best.size());
        std::size_t slot = n - 1;
        for (; slot != 0 && comes_before(others[0], best[slot - 1]); --slot) {
            best[slot] = best[slot - 1];
        }
        best[slot] = others[0];
        return n;
    }
    std::array<Near, kMostNearest> merged;
    std::size_t a = 0, b = 0, n = 0;
    while (n < best.size() && (a < count || b < others.size())) {
        const bool first = b == others.size() || (a < count && comes_before(best[a], others[b]));
        merged[n++] = first ? best[a++] : others[b++];
    }
    std::copy_n(merged.begin(), n, best.begin());
    return n;
}

} // namespace throng
