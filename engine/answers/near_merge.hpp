// Merges the nearest of several sets. Internal to the engine.
#pragma once

#include "../agents/nearest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace throng {

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
        std::size_t place = n - 1;
        for (; place != 0 && comes_before(others[0], best[place - 1]); --place) {
            best[place] = best[place - 1];
        }
        best[place] = others[0];
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
