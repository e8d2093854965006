// Counts who holds which state, for Snapshots: without it, of what type the states are.
#pragma once

#include "../simd/export.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace throng::detail {

/// So far apart, what one thread writes does not slow down what another reads.
inline constexpr std::size_t kApart = 64;

/// The part of a state that is known here; the state itself follows in a class derived from it.
struct alignas(kApart) SnapshotSlot {
    using Destroy = void (*)(SnapshotSlot*) noexcept;

    /// What the core holds of every slot for as long as it lives: more than readers can.
    static constexpr std::int64_t kOwner = std::int64_t{1} << 62;

    explicit SnapshotSlot(Destroy function) noexcept : destroy(function) {}

    /// kOwner, and those who took the slot, and less those who gave it back. Who took it and has
    /// not been counted yet is in the core's word.
    std::atomic<std::int64_t> holders{kOwner};
    std::uint64_t frame = 0; ///< written before the slot is published
    Destroy destroy;

    /// For who holds the slot already.
    void hold() noexcept { holders.fetch_add(1, std::memory_order_relaxed); }

    /// Release: what this thread read of the state, it has read before the next one writes there,
    /// or destroys it. Acquire: if it is this thread that destroys it.
    void let_go(std::int64_t count = 1) noexcept {
        if (holders.fetch_sub(count, std::memory_order_acq_rel) == count) { destroy(this); }
    }
};

/// Split reference counts. One word names the published slot and counts who has taken it since;
/// each slot counts who has given it back. Publishing swaps the word, and adds the count that it
/// had to the slot that it named: from then on that slot's count is exact, and says kOwner when
/// nobody holds it.
///
/// A slot is never written while its count says anything else, and the published one never at all.
/// The reader that names a slot has counted itself with the same instruction, so there is no moment
/// in which it has one without holding the other.
class THRONG_API SnapshotCore {
public:
    static constexpr unsigned kCountBits = 48;
    static constexpr std::size_t kMostSlots = (std::size_t{1} << (64 - kCountBits)) - 1;

    /// When so many have taken one and the same published slot, their count is moved to the slot:
    /// half of what the word can hold, so that it never runs over into the slot's number. Smaller
    /// for tests.
    static constexpr std::uint64_t kMoveAt = std::uint64_t{1} << (kCountBits - 1);

    explicit SnapshotCore(std::uint64_t move_at = kMoveAt) noexcept : move_at_(move_at) {}
    SnapshotCore(const SnapshotCore&) = delete;
    SnapshotCore& operator=(const SnapshotCore&) = delete;

    /// Lets go of all slots. Those that readers hold live on until these have let go.
    ~SnapshotCore();

    /// For any thread: the published slot, to be let go of; null before the first.
    ///
    /// Acquire, and publish() releases: what was written before the slot was published is seen.
    /// Other readers' additions in between belong to the same release sequence.
    [[nodiscard]] SnapshotSlot* acquire() noexcept {
        const std::uint64_t before = word_.fetch_add(1, std::memory_order_acquire);
        const std::size_t number = before >> kCountBits;
        SnapshotSlot* const slot = number == 0 ? nullptr : place(number);
        if ((before & kCountMask) + 1 >= move_at_) { move_count(before + 1, slot); }
        return slot;
    }

    // All below are for one thread at a time.

    /// The slot to write in, the same until it is published; null if every one is held.
    [[nodiscard]] SnapshotSlot* spare() noexcept;

    /// Makes room for another slot. Throws std::bad_alloc, or beyond kMostSlots std::length_error.
    void make_room();

    /// Takes over a slot, for which there must be room, and makes it the spare one.
    void add(SnapshotSlot* slot) noexcept;

    /// Publishes the spare slot. Returns the number of its frame.
    std::uint64_t publish() noexcept;

    /// Destroys all slots that nobody holds, but for the spare and the published one.
    void shrink() noexcept;

    /// How many slots there are.
    [[nodiscard]] std::size_t size() const noexcept;

    /// How many have taken the published slot and are not counted there.
    [[nodiscard]] std::uint64_t taken() const noexcept {
        return word_.load(std::memory_order_relaxed) & kCountMask;
    }

private:
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
    static constexpr std::uint64_t kCountMask = (std::uint64_t{1} << kCountBits) - 1;

    // Slots are numbered from 1. Block b has those from 2^b on, and never moves: readers look here.
    // A place is written only while no reader can know its number.
    [[nodiscard]] SnapshotSlot*& place(std::size_t number) const noexcept {
        const auto block = static_cast<std::size_t>(std::bit_width(number)) - 1;
        return blocks_[block][number - (std::size_t{1} << block)];
    }
    [[nodiscard]] bool is_idle(std::size_t number) const noexcept;
    void move_count(std::uint64_t word, SnapshotSlot* slot) noexcept;
    void count_takers(std::uint64_t word) noexcept;

    alignas(kApart) std::atomic<std::uint64_t> word_{0}; // number << kCountBits | takers

    alignas(kApart) const std::uint64_t move_at_;
    std::array<std::unique_ptr<SnapshotSlot*[]>, 64 - kCountBits> blocks_;

    alignas(kApart) std::size_t places_ = 0; // in use once, at least; empty ones hold null
    std::size_t spare_ = 0;                  // the number of the slot, or 0; so below
    std::size_t published_ = 0;              // as in the word
    std::uint64_t frames_ = 0;
};

} // namespace throng::detail
