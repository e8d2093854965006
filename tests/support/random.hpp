// Random numbers that are equal with every compiler and library: no std:: distributions.
#pragma once

#include <cstdint>

namespace throng::scenes {

/// SplitMix64 (Steele, Lea, Flood 2014): one addition and a mix, good enough for crowds.
class Random {
public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t next() noexcept {
        std::uint64_t z = state_ += 0x9E37'79B9'7F4A'7C15u;
        z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9u;
        z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBu;
        return z ^ (z >> 31);
    }

    /// A number below `end`, which must not be zero.
    std::uint32_t below(std::uint32_t end) noexcept {
        return static_cast<std::uint32_t>(((next() >> 32) * end) >> 32);
    }

    /// A number in [0, 1), a multiple of 2^-24.
    float unit() noexcept { return static_cast<float>(next() >> 40) * 0x1p-24f; }

    float between(float low, float high) noexcept { return low + (high - low) * unit(); }

    /// A bell curve from -1 to 1: the sum of three uniform numbers.
    float bell() noexcept { return (unit() + unit() + unit()) * (2.0f / 3.0f) - 1.0f; }

private:
    std::uint64_t state_;
};

} // namespace throng::scenes
