// Reads the values of options, for all programs that measure.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace throng::bench {

/// Throws std::invalid_argument with a sentence about the argument.
[[noreturn]] inline void refuse(std::string_view option, std::string_view text) {
    throw std::invalid_argument(std::string(option) + " cannot be '" + std::string(text) + "'");
}

/// A number within bounds, or refuse().
template <class Number>
Number number(std::string_view option, std::string_view text, Number least, Number most) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    // Written so that NaN is refused too.
    if (error != std::errc{} || stop != end || !(value >= least && value <= most)) {
        refuse(option, text);
    }
    return value;
}

/// The parts of a list with commas, converted, without repetitions.
template <class Convert>
auto list(std::string_view text, const Convert& convert) {
    std::vector<decltype(convert(text))> values;
    for (;;) {
        const std::size_t comma = text.find(',');
        const auto value = convert(text.substr(0, comma));
        if (std::find(values.begin(), values.end(), value) == values.end()) {
            values.push_back(value);
        }
        if (comma == std::string_view::npos) { return values; }
        text.remove_prefix(comma + 1);
    }
}

} // namespace throng::bench
