// Numbers as text to read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace throng::demo {

/// A number with commas: "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t number);
/// "850 ns", "1.24 us" with the sign for micro, "16.7 ms", "2.50 s": three digits.
[[nodiscard]] std::string duration(double nanoseconds);
/// "512 bytes", "1.50 MB", with units of a thousand.
[[nodiscard]] std::string bytes(std::size_t count);

} // namespace throng::demo
