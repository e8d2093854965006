// What is added up from several threads at once, and comes out the same all the same.
#pragma once

#include <throng/engine/agents/point.hpp>
#include <throng/engine/core/id.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::demo {

/// A sum of vectors for each agent. Floats would come out differently in another order; these are
/// whole numbers of 2^-16, so every structure and any number of threads come to the same bits. Both
/// axes share a word, to be added in one step: what the lower half carries over is taken back when
/// they are read.
class Sums {
public:
    /// This many, all zero.
    void reset(std::size_t agents) { words_.assign(agents, 0); }

    void add(Id agent, const Point<2>& vector) noexcept {
        const std::uint64_t word = (static_cast<std::uint64_t>(whole(vector[1])) << 32) +
                                   static_cast<std::uint64_t>(whole(vector[0]));
        std::atomic_ref(words_[agent]).fetch_add(word, std::memory_order_relaxed);
    }

    /// Begins anew at zero. Not while others add.
    [[nodiscard]] Point<2> take(Id agent) noexcept {
        const std::uint64_t word = words_[agent];
        if (word == 0) { return {}; }
        words_[agent] = 0;
        const auto x = static_cast<std::int32_t>(static_cast<std::uint32_t>(word));
        const std::uint64_t above = word - static_cast<std::uint64_t>(std::int64_t{x});
        const auto y = static_cast<std::int32_t>(static_cast<std::uint32_t>(above >> 32));
        return {{static_cast<float>(x) / kOne, static_cast<float>(y) / kOne}};
    }

    /// The nearest number that such sums are made of, in those units.
    [[nodiscard]] static std::int64_t whole(float value) noexcept {
        return static_cast<std::int64_t>(std::clamp(value, -kMost, kMost) * kOne);
    }
    static constexpr float kOne = 65'536.0f;

private:
    static constexpr float kMost = 256.0f; // a hundred of these still fit

    std::vector<std::uint64_t> words_;
};

} // namespace throng::demo
