// Sorts numbers by their keys, one digit after the other. Internal to the engine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace throng {

/// Keys, and the numbers sorted by them.
struct KeyedOrder {
    std::uint32_t* key;
    std::uint32_t* order;
};

/// Sorts `count` entries by the lowest `key_bits` bits of their keys: least digit first, each digit
/// by counting, so that equal keys keep their order. Returns where the sorted entries are: in
/// `from`, or in the spare `to`, which is as long.
template <unsigned kDigitBits>
KeyedOrder sort_by_digits(std::size_t count, unsigned key_bits, KeyedOrder from,
                          KeyedOrder to) noexcept {
    for (unsigned shift = 0; shift < key_bits; shift += kDigitBits) {
        std::array<std::uint32_t, std::size_t{1} << kDigitBits> cursor{};
        const auto mask = static_cast<std::uint32_t>(cursor.size() - 1);
        for (std::size_t i = 0; i < count; ++i) {
            ++cursor[from.key[i] >> shift & mask];
        }
        std::uint32_t begin = 0;
        for (std::uint32_t& entry : cursor) {
            begin += std::exchange(entry, begin);
        }
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t slot = cursor[from.key[i] >> shift & mask]++;
            to.key[slot] = from.key[i];
            to.order[slot] = from.order[i];
        }
        std::swap(from, to);
    }
    return from;
}

} // namespace throng
