// Small numbers for keys from a large range. Internal to the engine.
#pragma once

#include "vector.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace throng {

/// Numbers distinct keys 0, 1, 2 ... in the order in which they first appear. Its memory grows with
/// the number of keys, not with their size.
class IndexMap {
public:
    /// No key and no number has this value.
    static constexpr std::uint32_t kNone = 0xFFFF'FFFFu;

    /// Forgets all keys and makes room for `keys`. Throws std::bad_alloc.
    void restart(std::size_t keys) {
        // At least half of the slots stay empty, so that a search soon reaches an empty one.
        const std::size_t slots = std::bit_ceil(2 * std::max<std::size_t>(keys, 1));
        entries_.assign(slots, Entry{});
        shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots));
        count_ = 0;
    }

    [[nodiscard]] std::uint32_t size() const noexcept { return count_; }

    /// The number of `key`, which becomes size() - 1 if the key is new.
    std::uint32_t number(std::uint32_t key) noexcept {
        Entry& entry = entries_[slot_of(key)];
        if (entry.key == kNone) { entry = {key, count_++}; }
        return entry.number;
    }

    /// The number of `key`, or kNone.
    [[nodiscard]] std::uint32_t find(std::uint32_t key) const noexcept {
        return entries_[slot_of(key)].number;
    }

    /// Prefetches what number() or find() reads for `key`.
    void prefetch(std::uint32_t key) const noexcept {
        __builtin_prefetch(&entries_[first_slot_of(key)], 1);
    }

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept {
        return entries_.capacity() * sizeof(Entry);
    }

private:
    struct Entry {
        std::uint32_t key = kNone, number = kNone;
    };

    [[nodiscard]] std::size_t first_slot_of(std::uint32_t key) const noexcept {
        // Multiplicative hashing (Knuth): ids in sequence fall far from each other.
        return (key * std::uint64_t{0x9E37'79B9'7F4A'7C15u}) >> shift_;
    }

    /// The slot of `key`, or the slot where it would go.
    [[nodiscard]] std::size_t slot_of(std::uint32_t key) const noexcept {
        std::size_t slot = first_slot_of(key);
        while (entries_[slot].key != key && entries_[slot].key != kNone) {
            slot = (slot + 1) & (entries_.size() - 1);
        }
        return slot;
    }

    Vector<Entry> entries_; // their number is a power of two
    unsigned shift_ = 0;
    std::uint32_t count_ = 0;
};

} // namespace throng
