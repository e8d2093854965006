// Random numbers that depend only on their arguments, not on earlier calls.
#pragma once

#include <cstdint>

namespace throng::demo {

/// Numbers for an agent and a purpose: the same on any thread, in any order.
class Random {
public:
    explicit constexpr Random(std::uint64_t seed) noexcept : seed_(mixed(seed)) {}

    [[nodiscard]] constexpr std::uint64_t bits(std::uint64_t agent,
                                               std::uint64_t purpose) const noexcept {
        return mixed(mixed(seed_ ^ purpose) + agent);
    }
    /// A number in [0, 1).
    [[nodiscard]] constexpr float unit(std::uint64_t agent, std::uint64_t purpose) const noexcept {
        return static_cast<float>(bits(agent, purpose) >> 40) * 0x1p-24f;
    }
    [[nodiscard]] constexpr float between(float low, float high, std::uint64_t agent,
                                          std::uint64_t purpose) const noexcept {
        return low + (high - low) * unit(agent, purpose);
    }

    /// Spreads a change of any bit over all bits (the finaliser of SplitMix64: Steele, Lea and
    /// Flood, 2014).
    [[nodiscard]] static constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
        x += 0x9E37'79B9'7F4A'7C15u;
        x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9u;
        x = (x ^ (x >> 27)) * 0x94D0'49BB'1331'11EBu;
        return x ^ (x >> 31);
    }

private:
    std::uint64_t seed_;
};

} // namespace throng::demo
