#include "text.hpp"

#include <array>
#include <cstdio>
#include <span>

namespace throng::demo {

namespace {

/// Three digits of a value, in the largest unit of which there is at least one.
std::string with_unit(double value, std::span<const char* const> units) {
    std::size_t unit = 0;
    // A value that would be rounded to 1000 gets the next unit.
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1000.0;
        ++unit;
    }
    std::array<char, 48> text{};
    const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    std::snprintf(text.data(), text.size(), "%.*f %s", decimals, value, units[unit]);
    return text.data();
}

} // namespace

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3) {
        text.insert(at - 3, 1, ',');
    }
    return text;
}

std::string duration(double nanoseconds) {
    constexpr std::array<const char*, 4> kUnits = {"ns", "\xC2\xB5s", "ms", "s"};
    return with_unit(nanoseconds, kUnits);
}

std::string bytes(std::size_t count) {
    constexpr std::array<const char*, 4> kUnits = {"bytes", "KB", "MB", "GB"};
    return with_unit(static_cast<double>(count), kUnits);
}

} // namespace throng::demo
