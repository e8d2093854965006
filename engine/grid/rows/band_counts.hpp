// How many agents each band of rows has. Internal to the engine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng {

/// Whether agents of a tile have the same band as their neighbours, as in arrays in storage order.
/// Then four agents at a time advance a counter or a cursor, since single steps would wait for each
/// other. If bands are mixed, the test for four costs more than it saves.
[[nodiscard]] inline bool share_bands(const std::uint32_t* rows, std::size_t count,
                                      unsigned band_shift) noexcept {
    constexpr std::size_t kProbes = 4;
    if (count < 4 * kProbes) { return false; }
    std::size_t together = 0;
    for (std::size_t probe = 0; probe < kProbes; ++probe) {
        const std::uint32_t* const four = rows + probe * count / kProbes;
        together += four[0] >> band_shift == four[3] >> band_shift ? 1 : 0;
    }
    return together + 1 >= kProbes;
}

/// Whether four bands are the same.
[[nodiscard]] inline bool are_equal(const std::uint32_t* bands, unsigned shift) noexcept {
    const std::uint32_t differ =
        (bands[0] ^ bands[1]) | (bands[0] ^ bands[2]) | (bands[0] ^ bands[3]);
    return differ >> shift == 0;
}

/// Counts how many agents of a tile each band has.
inline void count_bands(const std::uint32_t* rows, std::size_t count, unsigned band_shift,
                        std::uint32_t* counts) noexcept {
    std::size_t i = 0;
    if (share_bands(rows, count, band_shift)) {
        for (; i + 4 <= count; i += 4) {
            if (are_equal(rows + i, band_shift)) {
                counts[rows[i] >> band_shift] += 4;
                continue;
            }
            for (std::size_t k = 0; k < 4; ++k) {
                ++counts[rows[i + k] >> band_shift];
            }
        }
    }
    for (; i < count; ++i) {
        ++counts[rows[i] >> band_shift];
    }
}

} // namespace throng
