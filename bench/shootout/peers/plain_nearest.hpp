// The nearest centres found so far, for plain indexes that look at agents one by one.
#pragma once

#include "../subject.hpp"

#include <array>
#include <cstddef>
#include <limits>

namespace throng::shootout {

/// The kNearest closest of all that were offered, closest first.
class NearestSoFar {
public:
    /// Forgets all; those that are not nearer than `limit2`, squared, will not count.
    void begin(float limit2 = std::numeric_limits<float>::infinity()) noexcept {
        found_ = 0;
        limit2_ = limit2;
    }

    /// Farther agents, and those as far, no longer count.
    [[nodiscard]] float limit2() const noexcept { return limit2_; }
    [[nodiscard]] bool full() const noexcept { return found_ == kNearest; }

    void offer(float distance2, Id id) noexcept {
        if (!(distance2 < limit2_)) { return; }
        std::size_t at = full() ? kNearest - 1 : found_++;
        for (; at > 0 && near_[at - 1].distance2 > distance2; --at) {
            near_[at] = near_[at - 1];
        }
        near_[at] = {distance2, id};
        if (full()) { limit2_ = near_.back().distance2; }
    }

    void answer(Answers& answers) const {
        answers.take(found_, [&](std::size_t i) { return near_[i].id; });
    }

private:
    struct Near {
        float distance2;
        Id id;
    };
    std::array<Near, kNearest> near_;
    std::size_t found_ = 0;
    float limit2_ = std::numeric_limits<float>::infinity();
};

} // namespace throng::shootout
