// The whole periods by which a question is moved in a periodic world. Internal to the engine.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace throng {

/// Whole numbers of periods on each axis, all combinations of them, in a fixed order: on each axis
/// none comes first, if it is among them, then upwards, and then those below none.
template <std::size_t Dim>
class PeriodSteps {
public:
    /// Questions with more copies are refused; the message in core/status.cpp names this number.
    static constexpr std::size_t kMost = 4096;

    PeriodSteps() noexcept { count_.fill(1); }

    /// On this axis, once: all whole numbers from `first` to `last`, of which there may be none.
    void take(std::size_t a, double first, double last) noexcept {
        const double count = std::max(last - first + 1.0, 0.0);
        first_[a] = first;
        // Capped: a question with more than kMost copies is refused anyway.
        count_[a] = static_cast<std::size_t>(std::min(count, kMost + 1.0));
        none_[a] = static_cast<std::size_t>(std::clamp(-first, 0.0, kMost * 1.0)) %
                   std::max<std::size_t>(count_[a], 1);
        size_ = std::min(size_ * count_[a], kMost + 1);
    }

    /// How many combinations there are; kMost + 1 stands for all larger numbers.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t on_axis(std::size_t a) const noexcept { return count_[a]; }

    [[nodiscard]] std::array<double, Dim> operator[](std::size_t i) const noexcept {
        std::array<double, Dim> steps;
        for (std::size_t a = 0; a < Dim; ++a) {
            steps[a] = first_[a] + static_cast<double>((i % count_[a] + none_[a]) % count_[a]);
            i /= count_[a];
        }
        return steps;
    }

private:
    std::array<double, Dim> first_{};
    std::array<std::size_t, Dim> count_{};
    std::array<std::size_t, Dim> none_{}; // the place of no period among an axis's numbers
    std::size_t size_ = 1;
};

} // namespace throng
