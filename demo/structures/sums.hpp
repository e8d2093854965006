// Sums to which several threads add at once, with the same result in any order.
#pragma once

#include <throng/engine/agents/point.hpp>
#include <throng/engine/core/id.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::demo {

/// A sum of vectors for each agent. Sums of floats would depend on the order; these are integer
/// multiples of 2^-16, so every structure and any number of threads give the same bits. Both axes
/// share a word, so that one addition adds both; reading undoes the carry from the lower half.
class Sums {
public:
    /// Sets this many sums to zero.
    void reset(std::size_t agents) { words_.assign(agents, 0); }

    void add(Id agent, const Point<2>& vector) noexcept {
        const std::uint64_t word = (static_cast<std::uint64_t>(whole(vector[1])) << 32) +
                                   static_cast<std::uint64_t>(whole(vector[0]));
        std::atomic_ref(words_[agent]).fetch_add(word, std::memory_order_relaxed);
    }

    /// Returns the sum and sets it to zero. No other thread may add meanwhile.
    [[nodiscard]] Point<2> take(Id agent) noexcept {
        const std::uint64_t word = words_[agent];
        if (word == 0) { return {}; }
        words_[agent] = 0;
        const auto x = static_cast<std::int32_t>(static_cast<std::uint32_t>(word));
        const std::uint64_t above = word - static_cast<std::uint64_t>(std::int64_t{x});
        const auto y = static_cast<std::int32_t>(static_cast<std::uint32_t>(above >> 32));
        return {{static_cast<float>(x) / kOne, static_cast<float>(y) / kOne}};
    }

    /// The value in units of 2^-16, rounded towards zero, and limited to 256 in both directions.
    [[nodiscard]] static std::int64_t whole(float value) noexcept {
        return static_cast<std::int64_t>(std::clamp(value, -kMost, kMost) * kOne);
    }
    static constexpr float kOne = 65'536.0f;

private:
    static constexpr float kMost = 256.0f; // a sum of a hundred of these still fits

    std::vector<std::uint64_t> words_;
};

} // namespace throng::demo
