// The search for the next member of a hierarchical bitset, on raw levels of words.
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// The first set bit at or after `from`; `size` when there is none.
///
/// level[0] holds `size` bits; bit w of level[k + 1] is set when word w of level[k] is not zero;
/// the last of the `depth` levels is one word. Bits past the end of a level are zero.
///
/// Calls no function, and is a template on `Tag`, which differs between instruction sets: kernels
/// for different sets must not share a function, since the linker would keep one copy for all.
template <class Tag>
[[gnu::always_inline]] inline std::size_t next_set(const std::uint64_t* const* level,
                                                   std::size_t depth, std::size_t from,
                                                   std::size_t size) noexcept {
    std::size_t bit = from;
    std::size_t bits = size; // the number of bits of level k
    for (std::size_t k = 0; k < depth && bit < bits; ++k) {
        const std::uint64_t ahead = level[k][bit >> 6] >> (bit & 63);
        if (ahead == 0) {
            // Nothing more in this word: ask the level above for the next word that is not empty.
            bit = (bit >> 6) + 1;
            bits = (bits + 63) >> 6;
            continue;
        }
        bit += static_cast<std::size_t>(__builtin_ctzll(ahead));
        for (; k > 0; --k) {
            bit = (bit << 6) + static_cast<std::size_t>(__builtin_ctzll(level[k - 1][bit]));
        }
        return bit;
    }
    return size;
}

} // namespace throng::simd
