// A sine that, unlike the C library's, is equal on every machine.
#pragma once

#include <cmath>
#include <cstdint>

namespace throng::demo {

/// sin(2 pi x), within a thousandth: two parabolas, and a correction. For |x| below 2^31.
[[nodiscard]] inline float wave(float turns) noexcept {
    // Not std::floor, which is a function call on processors without the instruction.
    float part = turns - static_cast<float>(static_cast<std::int32_t>(turns));
    part += part < 0.0f ? 1.0f : 0.0f;
    const float x = 2.0f * part - 1.0f; // -1 ... 1, half a turn ahead
    const float arc = -4.0f * x * (1.0f - std::abs(x));
    return arc * (0.775f + 0.225f * std::abs(arc));
}

} // namespace throng::demo
