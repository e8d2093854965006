// Medians and other quantiles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace throng::bench {

/// The value below which this fraction of the values lies; 0 if there are none.
[[nodiscard]] inline double quantile(std::vector<double> values, double part) {
    if (values.empty()) { return 0.0; }
    std::sort(values.begin(), values.end());
    const double place = part * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

[[nodiscard]] inline double median(std::vector<double> values) {
    return quantile(std::move(values), 0.5);
}

} // namespace throng::bench
