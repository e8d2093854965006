// Strided values as the plain arrays that kernels read. Internal to the engine.
#pragma once

#include "../../simd/isa/slack.hpp"
#include "view.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace throng {

/// Agents are read in tiles of this many, which stay in the first-level cache.
inline constexpr std::size_t kFloatTile = 1024;

/// A tile of one axis as a plain array: the caller's own array if it is plain, or else a copy.
class FloatTile {
public:
    /// Returns values begin ... begin + count - 1, followed by kSlack floats of any value.
    const float* read(const ValueView<float>& view, std::size_t begin, std::size_t count) noexcept {
        const auto* const first =
            static_cast<const char*>(view.data) + static_cast<std::ptrdiff_t>(begin) * view.stride;
        if (view.stride == sizeof(float) && begin + count + simd::kSlack <= view.count &&
            reinterpret_cast<std::uintptr_t>(first) % alignof(float) == 0) {
            return reinterpret_cast<const float*>(first);
        }
        if (view.stride == sizeof(float)) {
            std::memcpy(copy_.data(), first, count * sizeof(float));
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                copy_[i] = view[begin + i];
            }
        }
        std::fill_n(copy_.data() + count, simd::kSlack, 0.0f);
        return copy_.data();
    }

private:
    std::array<float, kFloatTile + simd::kSlack> copy_;
};

} // namespace throng
