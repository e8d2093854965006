// A hash to compare what all ranks must have alike. Internal to distributed/.
#pragma once

#include <cstdint>

namespace throng {

/// Mixes numbers one after another, as SplitMix64 does (Steele, Lea, Flood 2014).
class Fingerprint {
public:
    void add(std::uint64_t number) noexcept {
        std::uint64_t z = (value_ ^ number) + 0x9E37'79B9'7F4A'7C15u;
        z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9u;
        z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBu;
        value_ = z ^ (z >> 31);
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

private:
    std::uint64_t value_ = 0;
};

} // namespace throng
