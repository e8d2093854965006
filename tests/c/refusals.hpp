// Helpers of the tests of refusals.
#pragma once

#include "../support/numbers.hpp"
#include "rig.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace throng::test {

inline constexpr std::uint32_t kDimensions[] = {2, 3};
inline constexpr std::size_t kHuge = ~std::size_t{0};

/// The text of the status.
[[nodiscard]] std::string text_of(const throng_status& status);

/// Expects THRONG_OK.
void ok(const throng_status& status);

/// Makes the call with one spoilt argument, in a new rig. It must be refused with this code and
/// argument, and must not change the rig's world.
throng_status expect_refused(const Call& call, std::uint32_t dimension, int code,
                             const std::string& argument, const std::function<void(Rig&)>& spoil);
/// Makes the call with such a change, which it must accept.
void expect_ok(const Call& call, std::uint32_t dimension, const std::function<void(Rig&)>& spoil);

/// A handle of this kind that was destroyed.
[[nodiscard]] void* dead(Kind kind);
/// A pointer with this bit pattern.
[[nodiscard]] void* of_bits(std::uintptr_t bits);
/// A pointer two bytes past the beginning of the array.
[[nodiscard]] void* misaligned(const void* array);

} // namespace throng::test
