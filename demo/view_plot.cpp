#include "view_plot.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace throng::demo {

void RecentTimes::follow(const FrameTimes& times) {
    const std::size_t frames = times.frames() - told_[frame];
    Frame told{};
    for (const Part part : {move, update, query, collide, frame}) {
        const std::vector<double>& all = times.of(part);
        for (std::size_t i = told_[part]; i < all.size(); ++i) {
            told[part] += static_cast<float>(all[i]);
        }
        told_[part] = all.size();
    }
    if (frames == 0) { return; }
    for (float& part : told) {
        part /= static_cast<float>(frames);
    }
    frames_.push_back(told);
    if (frames_.size() > kMost) { frames_.pop_front(); }
}

float RecentTimes::quantile(Part part, float share) const {
    if (frames_.empty()) { return 0.0f; }
    std::vector<float> times;
    for (const Frame& one : frames_) {
        times.push_back(one[part]);
    }
    const auto last = times.size() - 1;
    const auto rank =
        std::min(static_cast<std::size_t>(share * static_cast<float>(times.size())), last);
    const auto at = times.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(times.begin(), at, times.end());
    return *at;
}

float RecentTimes::top() const {
    return round_up(std::max(quantile(frame, 0.97f) * 1.15f, kSixtyHertz * 1.15f));
}

float round_up(float value) noexcept {
    if (!(value > 0.0f)) { return 1.0f; }
    const float ten = std::pow(10.0f, std::floor(std::log10(value)));
    for (const float step : {1.0f, 2.0f, 2.5f, 5.0f}) {
        if (value <= step * ten) { return step * ten; }
    }
    return 10.0f * ten;
}

} // namespace throng::demo
