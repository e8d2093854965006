// The bounds of many floats. Internal to the engine.
#pragma once

#include "../../simd/isa/words4.hpp"
#include "../core/limits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace throng {

/// The least and the greatest of some floats, eight at a time. NaNs are passed over: skipped agents
/// may have them.
class Extremes {
public:
    void add(const float* values, std::size_t count) noexcept {
        Pair low = low_;
        Pair high = high_;
        std::size_t i = 0;
        for (; i + 8 <= count; i += 8) {
            for (std::size_t k = 0; k < 2; ++k) {
                const simd::Floats4 quad = simd::load_floats(values + i + 4 * k);
                low[k] = quad < low[k] ? quad : low[k];
                high[k] = quad > high[k] ? quad : high[k];
            }
        }
        for (; i < count; ++i) {
            const simd::Floats4 quad = simd::four_times(values[i]);
            low[0] = quad < low[0] ? quad : low[0];
            high[0] = quad > high[0] ? quad : high[0];
        }
        low_ = low;
        high_ = high;
    }
    [[nodiscard]] float lowest() const noexcept {
        const simd::Floats4 quad = low_[0] < low_[1] ? low_[0] : low_[1];
        return std::min({quad[0], quad[1], quad[2], quad[3]});
    }
    [[nodiscard]] float highest() const noexcept {
        const simd::Floats4 quad = high_[0] > high_[1] ? high_[0] : high_[1];
        return std::max({quad[0], quad[1], quad[2], quad[3]});
    }

private:
    using Pair = std::array<simd::Floats4, 2>;
    Pair low_ = {simd::four_times(kLargest), simd::four_times(kLargest)};
    Pair high_ = {simd::four_times(-kLargest), simd::four_times(-kLargest)};
};

} // namespace throng
