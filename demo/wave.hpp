// A sine that is the same on every machine, which the C library's is not.
#pragma once

#include <cmath>

namespace throng::demo {

/// sin(2 pi x), within a thousandth: two parabolas, and a correction.
[[nodiscard]] inline float wave(float turns) noexcept {
    const float x = 2.0f * (turns - std::floor(turns)) - 1.0f; // -1 ... 1, half a turn ahead
    const float arc = -4.0f * x * (1.0f - std::abs(x));
    return arc * (0.775f + 0.225f * std::abs(arc));
}

} // namespace throng::demo
