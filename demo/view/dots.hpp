// Any number of dots on the screen, drawn as a few rectangles.
#pragma once

#include "camera.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::demo {

/// A coarse grid of squares, each set or not, which limits the work of drawing for any number of
/// hits.
class Dots {
public:
    static constexpr float kSide = 2.0f; ///< pixels

    /// Clears all squares.
    void begin(float width, float height) {
        columns_ = static_cast<std::size_t>(std::ceil(width / kSide));
        rows_ = static_cast<std::size_t>(std::ceil(height / kSide));
        set_.assign(columns_ * rows_, 0);
    }

    /// Sets a square; does nothing for a place outside the screen.
    void set(const Pixel& at) noexcept {
        const float column = at.x / kSide, row = at.y / kSide;
        if (!(column >= 0.0f && row >= 0.0f && column < static_cast<float>(columns_) &&
              row < static_cast<float>(rows_))) {
            return;
        }
        set_[static_cast<std::size_t>(row) * columns_ + static_cast<std::size_t>(column)] = 1;
    }

    /// Calls call(area) for each run of squares beside each other, row by row.
    template <class Call>
    void for_each_run(const Call& call) const {
        for (std::size_t row = 0; row < rows_; ++row) {
            const auto begin = set_.begin() + static_cast<std::ptrdiff_t>(row * columns_);
            const auto end = begin + static_cast<std::ptrdiff_t>(columns_);
            for (auto first = std::find(begin, end, 1); first != end;) {
                const auto past = std::find(first, end, 0);
                call(ScreenArea{
                    static_cast<float>(first - begin) * kSide, static_cast<float>(row) * kSide,
                    static_cast<float>(past - begin) * kSide, static_cast<float>(row + 1) * kSide});
                first = std::find(past, end, 1);
            }
        }
    }

private:
    std::size_t columns_ = 0, rows_ = 0;
    std::vector<std::uint8_t> set_;
};

} // namespace throng::demo
