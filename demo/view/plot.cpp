#include "plot.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace throng::demo {

namespace {

/// The 60 Hz line is shown unless it would be this many times as high as everything else.
constexpr float kWithinSight = 6.0f;

float quantile_of(std::vector<float>& times, float share) {
    if (times.empty()) { return 0.0f; }
    const auto rank = std::min(static_cast<std::size_t>(share * static_cast<float>(times.size())),
                               times.size() - 1);
    const auto at = times.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(times.begin(), at, times.end());
    return *at;
}

} // namespace

void RecentTimes::follow(const FrameTimes& times) {
    const std::size_t frames = times.frames() - told_[frame];
    Frame told{{}, begins_};
    for (std::size_t part = 0; part < kParts; ++part) {
        const std::vector<double>& all = times.of(static_cast<Part>(part));
        for (std::size_t i = told_[part]; i < all.size(); ++i) {
            told.part[part] += static_cast<float>(all[i]) / static_cast<float>(frames);
        }
        told_[part] = all.size();
    }
    if (frames == 0) { return; }
    frames_.push_back(told);
    begins_ = false;
    if (frames_.size() > kMost) { frames_.pop_front(); }
}

float RecentTimes::quantile(Part part, float share) const {
    std::vector<float> times;
    for (auto one = frames_.rbegin(); one != frames_.rend(); ++one) {
        times.push_back(one->part[part]);
        if (one->begins) { break; }
    }
    return quantile_of(times, share);
}

float RecentTimes::top() const {
    std::vector<float> times;
    for (const Frame& one : frames_) {
        times.push_back(one.part[frame]);
    }
    const float above = quantile_of(times, 0.97f) * 1.15f;
    return round_up(above * kWithinSight < kSixtyHertz ? above : std::max(above, kSixtyHertz));
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
