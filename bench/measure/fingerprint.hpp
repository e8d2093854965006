// A hash of answers of any length.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::bench {

/// In practice, two fingerprints differ if any number differs, or the order of any two.
class Fingerprint {
public:
    template <class Number>
    void add(std::span<Number> numbers) noexcept {
        const std::size_t whole = numbers.size() / kLanes * kLanes;
        for (std::size_t i = 0; i < whole; i += kLanes) {
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                mix(lane, numbers[i + lane]);
            }
        }
        for (std::size_t i = whole; i < numbers.size(); ++i) {
            mix(i - whole, numbers[i]);
        }
        add(numbers.size());
    }
    void add(std::uint64_t number) noexcept { mix(0, number); }

    [[nodiscard]] std::uint64_t value() const noexcept {
        std::uint64_t sum = 0;
        for (const std::uint64_t lane : lanes_) {
            sum = (sum ^ lane) * kFactor;
            sum ^= sum >> 32;
        }
        return sum;
    }

private:
    // Several sums in parallel, since each step of a sum waits for the previous one.
    static constexpr std::size_t kLanes = 4;
    static constexpr std::uint64_t kFactor = 0x9E37'79B9'7F4A'7C15u;

    void mix(std::size_t lane, std::uint64_t number) noexcept {
        const std::uint64_t product = (lanes_[lane] ^ number) * kFactor;
        lanes_[lane] = product ^ (product >> 29);
    }

    std::array<std::uint64_t, kLanes> lanes_{1, 2, 3, 4};
};

} // namespace throng::bench
