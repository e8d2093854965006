// The reference counts of Snapshots, whatever the type of the states.
#pragma once

#include "../../simd/isa/export.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace throng::detail {

/// The distance in bytes at which one thread's writes do not slow down another's reads.
inline constexpr std::size_t kApart = 64;

/// The part of a state that this file knows; a derived class adds the state itself.
struct alignas(kApart) SnapshotSlot {
    using Destroy = void (*)(SnapshotSlot*) noexcept;

    /// The core's own part of every slot's count, while the core lives: more than readers can have.
    static constexpr std::int64_t kOwner = std::int64_t{1} << 62;

    explicit SnapshotSlot(Destroy function) noexcept : destroy(function) {}

    /// kOwner, plus how often the slot was taken, less how often it was given back. Takes that are
    /// not counted here yet are in the core's word.
    std::atomic<std::int64_t> holders{kOwner};
    std::uint64_t frame = 0; ///< written before the slot is published
    Destroy destroy;

    /// Holds the slot once more; only for a thread that holds it already.
    void hold() noexcept { holders.fetch_add(1, std::memory_order_relaxed); }

    /// Release: this thread's reads of the state happen before the writer writes there again, or
    /// the state is destroyed. Acquire: for the case that this thread destroys the state.
    void let_go(std::int64_t count = 1) noexcept {
        if (holders.fetch_sub(count, std::memory_order_acq_rel) == count) { destroy(this); }
    }
};

/// Split reference counts. One word names the published slot and counts how often it has been taken
/// since; each slot counts how often it was given back. Publishing swaps the word, and adds its
/// count to the slot that it named. From then on that slot's count is exact, and is kOwner when no
/// reader holds it.
///
/// A slot is written only while its count is kOwner, and the published slot never. One instruction
/// reads the slot's number and counts the reader, so a reader never knows a slot that it does not
/// hold.
class THRONG_API SnapshotCore {
public:
    static constexpr unsigned kCountBits = 48;
    static constexpr std::size_t kMostSlots = (std::size_t{1} << (64 - kCountBits)) - 1;

    /// After this many takes of one published slot, their count is moved to the slot. It is half of
    /// what the word can hold, so that the count never overflows into the slot's number. Smaller
    /// for tests.
    static constexpr std::uint64_t kMoveAt = std::uint64_t{1} << (kCountBits - 1);

    explicit SnapshotCore(std::uint64_t move_at = kMoveAt) noexcept : move_at_(move_at) {}
    SnapshotCore(const SnapshotCore&) = delete;
    SnapshotCore& operator=(const SnapshotCore&) = delete;

    /// Lets go of all slots. Slots that readers hold live on until the readers let go.
    ~SnapshotCore();

    /// For any thread: takes the published slot, which the caller must let go; null before the
    /// first publish().
    ///
    /// Acquire, and publish() releases: the caller sees all that was written before the slot was
    /// published. Other readers' additions in between belong to the same release sequence.
    [[nodiscard]] SnapshotSlot* acquire() noexcept {
        const std::uint64_t before = word_.fetch_add(1, std::memory_order_acquire);
        const std::size_t number = before >> kCountBits;
        SnapshotSlot* const slot = number == 0 ? nullptr : slot_at(number);
        if ((before & kCountMask) + 1 >= move_at_) { move_count(before + 1, slot); }
        return slot;
    }

    // All calls below are for one thread at a time.

    /// The slot to write in, the same until it is published; null if all are held.
    [[nodiscard]] SnapshotSlot* spare() noexcept;

    /// Makes room for another slot. Throws std::bad_alloc, or beyond kMostSlots std::length_error.
    void make_room();

    /// Takes over a slot, for which there must be room, and which no reader holds.
    void add(SnapshotSlot* slot) noexcept;

    /// The next slot after `slot` that no reader holds and that is not published; after null the
    /// first. Null if there is none.
    [[nodiscard]] SnapshotSlot* idle_after(const SnapshotSlot* slot) const noexcept;

    /// Publishes the spare slot. Returns the number of its frame.
    std::uint64_t publish() noexcept;

    /// Destroys all slots that no reader holds, except the spare and the published one.
    void shrink() noexcept;

    /// How many slots there are.
    [[nodiscard]] std::size_t size() const noexcept;

    /// How many takes of the published slot are not counted in the slot yet.
    [[nodiscard]] std::uint64_t taken() const noexcept {
        return word_.load(std::memory_order_relaxed) & kCountMask;
    }

private:
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
    static constexpr std::uint64_t kCountMask = (std::uint64_t{1} << kCountBits) - 1;

    // Entries are numbered from 1, and a slot has the number of its entry. Block b has the entries
    // from 2^b on, and never moves, since readers look here. An entry is written only while no
    // reader can know its number.
    [[nodiscard]] SnapshotSlot*& slot_at(std::size_t number) const noexcept {
        const auto block = static_cast<std::size_t>(std::bit_width(number)) - 1;
        return blocks_[block][number - (std::size_t{1} << block)];
    }
    [[nodiscard]] bool is_idle(std::size_t number) const noexcept;
    void move_count(std::uint64_t word, SnapshotSlot* slot) noexcept;
    void count_takers(std::uint64_t word) noexcept;

    alignas(kApart) std::atomic<std::uint64_t> word_{0}; // number << kCountBits | takers

    alignas(kApart) const std::uint64_t move_at_;
    std::array<std::unique_ptr<SnapshotSlot*[]>, 64 - kCountBits> blocks_;

    alignas(kApart) std::size_t entries_ = 0; // entries ever used; empty ones are null
    std::size_t spare_ = 0;                   // the number of the spare slot, or 0
    std::size_t published_ = 0;               // the number of the published slot, or 0
    std::uint64_t frames_ = 0;
};

} // namespace throng::detail
