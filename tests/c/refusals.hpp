// What tests of refusals have in common.
#pragma once

#include "rig.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace throng::test {

inline constexpr std::uint32_t kDimensions[] = {2, 3};
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
inline constexpr std::size_t kHuge = ~std::size_t{0};

/// The sentence about it.
[[nodiscard]] std::string text_of(const throng_status& status);

/// It must be THRONG_OK.
void ok(const throng_status& status);

/// Makes the call with something spoilt, on a world of its own: it must be refused with this code,
/// for this argument, and the world be as it was.
throng_status expect_refused(const Call& call, std::uint32_t dimension, int code,
                             const std::string& argument, const std::function<void(Rig&)>& spoil);
/// The same where it must do what it says all the same.
void expect_ok(const Call& call, std::uint32_t dimension, const std::function<void(Rig&)>& spoil);

/// A handle of this kind that was destroyed.
[[nodiscard]] void* dead(Kind kind);
/// A pointer with these bits.
[[nodiscard]] void* of_bits(std::uintptr_t bits);
/// Two bytes further on than the array begins.
[[nodiscard]] void* misaligned(const void* array);

} // namespace throng::test
