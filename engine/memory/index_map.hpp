// Small numbers for keys from a large range. Internal to the engine.
#pragma once

#include "vector.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace throng {

/// Numbers distinct keys 0, 1, 2 ... in the order in which they come. Its memory grows with the
/// number of keys, not with their size.
class IndexMap {
public:
    /// Neither a key nor a number.
    static constexpr std::uint32_t kNone = 0xFFFF'FFFFu;

    /// Forgets all keys and makes room for `keys`. Throws std::bad_alloc.
    void restart(std::size_t keys) {
        // At least half of the places stay empty, so that a search soon reaches an empty one.
        const std::size_t places = std::bit_ceil(2 * std::max<std::size_t>(keys, 1));
        places_.assign(places, Place{});
        shift_ = 64 - static_cast<unsigned>(std::countr_zero(places));
        count_ = 0;
    }

    [[nodiscard]] std::uint32_t size() const noexcept { return count_; }

    /// The number of `key`, which becomes size() - 1 if the key is new.
    std::uint32_t number(std::uint32_t key) noexcept {
        Place& place = places_[place_of(key)];
        if (place.key == kNone) { place = {key, count_++}; }
        return place.number;
    }

    /// The number of `key`, or kNone.
    [[nodiscard]] std::uint32_t find(std::uint32_t key) const noexcept {
        return places_[place_of(key)].number;
    }

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept { return places_.capacity() * sizeof(Place); }

private:
    struct Place {
        std::uint32_t key = kNone, number = kNone;
    };

    /// Where `key` is, or would go.
    [[nodiscard]] std::size_t place_of(std::uint32_t key) const noexcept {
        // Multiplicative hashing (Knuth): ids in sequence fall far from each other.
        std::size_t place = (key * std::uint64_t{0x9E37'79B9'7F4A'7C15u}) >> shift_;
        while (places_[place].key != key && places_[place].key != kNone) {
            place = (place + 1) & (places_.size() - 1);
        }
        return place;
    }

    Vector<Place> places_; // a power of two of them
    unsigned shift_ = 0;
    std::uint32_t count_ = 0;
};

} // namespace throng
