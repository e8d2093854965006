#include "../snapshot_core.hpp"

#include "../../core/assert.hpp"

#include <stdexcept>
#include <utility>

namespace throng::detail {

SnapshotCore::~SnapshotCore() {
    count_takers(word_.exchange(0, std::memory_order_acq_rel));
    for (std::size_t number = 1; number <= entries_; ++number) {
        if (SnapshotSlot* const slot = slot_at(number)) { slot->let_go(SnapshotSlot::kOwner); }
    }
}

/// Adds the count of a word that was replaced to its slot. Relaxed: only this thread asks for the
/// sum, and readers' subtractions order themselves.
void SnapshotCore::count_takers(std::uint64_t word) noexcept {
    if (const std::size_t number = word >> kCountBits; number != 0) {
        const auto takers = static_cast<std::int64_t>(word & kCountMask);
        slot_at(number)->holders.fetch_add(takers, std::memory_order_relaxed);
    }
}

/// Moves the count from the word to its slot, if the word is still `word`. If not, the next reader
/// will try: half of the count's room is left, for 2^47 tries.
///
/// The slot's count comes first, so that it is never too small. The writer that replaces the word,
/// with an acquire, sees the count because of the release in the exchange, and only then asks
/// whether the slot is held. This reader holds the slot meanwhile, so the slot cannot have been
/// published again with the same count.
void SnapshotCore::move_count(std::uint64_t word, SnapshotSlot* slot) noexcept {
    const std::uint64_t takers = word & kCountMask;
    THRONG_ASSERT(takers < kCountMask);
    const auto moved = static_cast<std::int64_t>(takers);
    if (slot != nullptr) { slot->holders.fetch_add(moved, std::memory_order_relaxed); }
    const bool same = word_.compare_exchange_strong(word, word - takers, std::memory_order_release,
                                                    std::memory_order_relaxed);
    if (!same && slot != nullptr) { slot->holders.fetch_sub(moved, std::memory_order_relaxed); }
}

/// Whether there is a slot with this number that is not published and that no reader holds.
/// Acquire: all reads by its former readers have happened before, because each let_go() is a
/// release, and all changes of a count belong to one release sequence.
bool SnapshotCore::is_idle(std::size_t number) const noexcept {
    const SnapshotSlot* const slot = slot_at(number);
    return number != published_ && slot != nullptr &&
           slot->holders.load(std::memory_order_acquire) == SnapshotSlot::kOwner;
}

SnapshotSlot* SnapshotCore::spare() noexcept {
    for (std::size_t number = 1; spare_ == 0 && number <= entries_; ++number) {
        if (is_idle(number)) { spare_ = number; }
    }
    return spare_ == 0 ? nullptr : slot_at(spare_);
}

void SnapshotCore::make_room() {
    std::size_t number = 1;
    while (number <= entries_ && slot_at(number) != nullptr) {
        ++number;
    }
    if (number <= entries_) { return; }
    if (number > kMostSlots) { throw std::length_error("Snapshots::next"); }
    if (std::has_single_bit(number)) {
        auto& block = blocks_[static_cast<std::size_t>(std::bit_width(number)) - 1];
        if (block == nullptr) { block = std::make_unique<SnapshotSlot*[]>(number); }
    }
    entries_ = number; // null so far
}

void SnapshotCore::add(SnapshotSlot* slot) noexcept {
    std::size_t number = 1;
    while (slot_at(number) != nullptr) {
        ++number;
    }
    slot_at(number) = slot;
}

SnapshotSlot* SnapshotCore::idle_after(const SnapshotSlot* slot) const noexcept {
    std::size_t number = 1;
    while (slot != nullptr && number <= entries_ && slot_at(number++) != slot) {}
    while (number <= entries_ && !is_idle(number)) {
        ++number;
    }
    return number <= entries_ ? slot_at(number) : nullptr;
}

std::uint64_t SnapshotCore::publish() noexcept {
    THRONG_ASSERT(spare_ != 0 && "next() comes before publish()");
    if (spare_ == 0) { return frames_; }
    slot_at(spare_)->frame = ++frames_;
    // Release: for acquire(). Acquire: for move_count().
    const std::uint64_t word = std::uint64_t{spare_} << kCountBits;
    count_takers(word_.exchange(word, std::memory_order_acq_rel));
    published_ = std::exchange(spare_, 0);
    return frames_;
}

void SnapshotCore::shrink() noexcept {
    for (std::size_t number = 1; number <= entries_; ++number) {
        if (number == spare_ || !is_idle(number)) { continue; }
        SnapshotSlot* const slot = std::exchange(slot_at(number), nullptr);
        slot->let_go(SnapshotSlot::kOwner);
    }
}

std::size_t SnapshotCore::size() const noexcept {
    std::size_t slots = 0;
    for (std::size_t number = 1; number <= entries_; ++number) {
        slots += slot_at(number) != nullptr ? 1 : 0;
    }
    return slots;
}

} // namespace throng::detail
