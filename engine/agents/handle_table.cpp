#include "handle_table.hpp"

#include "../core/assert.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace throng {

namespace {

std::uint32_t next_owner() noexcept {
    static std::atomic<std::uint32_t> last{0};
    std::uint32_t owner = 0;
    while (owner == 0) { // zero is for null handles, so it is skipped when the counter wraps
        owner = last.fetch_add(1, std::memory_order_relaxed) + 1;
    }
    return owner;
}

std::size_t words_for(std::size_t slots) noexcept { return (slots + 63) / 64; }

/// Makes room for `count` values, by doubling at least.
template <class T>
void grow(Vector<T>& values, std::size_t count) {
    if (count > values.capacity()) { values.reserve(std::max(count, 2 * values.capacity())); }
}

} // namespace

HandleTable::HandleTable(const HandleLimits& limits) noexcept
    : limits_(limits), tally_{next_owner()} {
    THRONG_ASSERT(limits.slots <= kMaxHandleSlots);
    THRONG_ASSERT(limits.last_generation >= 1);
    limits_.slots = std::min(limits_.slots, kMaxHandleSlots);
    limits_.last_generation = std::max(limits_.last_generation, 1u);
}

// The table moved from loses its generations, so it gets a new number: no old handle is good in it.
HandleTable::HandleTable(HandleTable&& other) noexcept
    : limits_(other.limits_), tally_(std::exchange(other.tally_, Tally{next_owner()})),
      slots_(std::exchange(other.slots_, {})), dead_(std::exchange(other.dead_, {})) {}

HandleTable& HandleTable::operator=(HandleTable&& other) noexcept {
    if (this == &other) { return *this; }
    limits_ = other.limits_;
    tally_ = std::exchange(other.tally_, Tally{next_owner()});
    slots_ = std::exchange(other.slots_, {});
    dead_ = std::exchange(other.dead_, {});
    return *this;
}

Handle HandleTable::add() {
    if (room() == 0) { return {}; }
    make_room(1);
    return take();
}

Status HandleTable::add(std::span<Handle> out) {
    if (out.size() > room()) { return {Cause::too_many, Argument::handle, room()}; }
    make_room(out.size());
    for (Handle& handle : out) {
        handle = take();
    }
    return {};
}

bool HandleTable::next_slots(std::span<Id> out) {
    if (out.size() > room()) { return false; }
    make_room(out.size());
    Id hole = tally_.hole;
    std::size_t fresh = tally_.bound;
    for (Id& slot : out) {
        if (hole != kLastHole) {
            slot = hole;
            hole = slots_[hole].next;
            continue;
        }
        while (fresh < slots_.size() && slots_[fresh].next == kRetired) {
            ++fresh;
        }
        slot = static_cast<Id>(fresh++);
    }
    return true;
}

/// Makes room for this many calls of take().
void HandleTable::make_room(std::size_t handles) {
    if (handles <= tally_.holes) { return; }
    // take() skips the retired slots behind tally_.bound. Their number is that of all retired
    // slots, less those below the bound.
    const std::size_t passed = tally_.retired - (tally_.bound - tally_.size - tally_.holes);
    reserve(tally_.bound + (handles - tally_.holes) + passed);
}

void HandleTable::reserve(std::size_t slots) {
    slots = std::min<std::size_t>(slots, limits_.slots);
    grow(slots_, slots);
    grow(dead_, words_for(slots));
}

/// Gives out one handle, for which there must be room.
Handle HandleTable::take() noexcept {
    Id slot = tally_.hole;
    if (slot != kLastHole) {
        tally_.hole = slots_[slot].next;
        --tally_.holes;
        flip_dead(slot);
    } else {
        for (;;) {
            slot = static_cast<Id>(tally_.bound++);
            if (slot == slots_.size()) { slots_.push_back({1, kLastHole}); }
            if (words_for(tally_.bound) > dead_.size()) { dead_.push_back(0); }
            if (slots_[slot].next != kRetired) { break; }
            flip_dead(slot);
        }
    }
    slots_[slot].next = kTaken;
    ++tally_.size;
    return {slot, slots_[slot].generation, tally_.owner};
}

/// Makes a taken slot a hole, or retires it after its last generation.
void HandleTable::give_back(Id slot) noexcept {
    Slot& left = slots_[slot];
    if (left.generation == limits_.last_generation) {
        left.next = kRetired;
        ++tally_.retired;
    } else {
        ++left.generation;
        left.next = tally_.hole;
        tally_.hole = slot;
        ++tally_.holes;
    }
    flip_dead(slot);
    --tally_.size;
}

/// The handle must be the one that was given back last.
void HandleTable::undo_give_back(Handle handle) noexcept {
    Slot& left = slots_[handle.slot];
    if (left.next == kRetired) {
        --tally_.retired;
    } else {
        --left.generation;
        tally_.hole = left.next;
        --tally_.holes;
    }
    left.next = kTaken;
    flip_dead(handle.slot);
    ++tally_.size;
}

Status HandleTable::remove(Handle handle) noexcept {
    const Status status = check(handle);
    if (status.ok()) { give_back(handle.slot); }
    return status;
}

Status HandleTable::remove(std::span<const Handle> handles) noexcept {
    for (std::size_t i = 0; i < handles.size(); ++i) {
        Status status = remove(handles[i]);
        if (status.ok()) { continue; }
        // Holes are a stack, so undoing in reverse order restores the very same state.
        status.index = i;
        while (i-- > 0) {
            undo_give_back(handles[i]);
        }
        return status;
    }
    return {};
}

/// Whether a handle that is not good is stale or foreign.
Status HandleTable::refusal(Handle handle) const noexcept {
    const Status foreign = {Cause::handle_foreign, Argument::handle};
    if (handle.owner != tally_.owner || handle.slot >= slots_.size() || handle.generation == 0) {
        return foreign;
    }
    const Slot& slot = slots_[handle.slot];
    // A generation rises when its slot is given back, so the slot's present generation has been
    // given out and returned only if the slot is retired.
    const bool given = handle.generation < slot.generation ||
                       (handle.generation == slot.generation && slot.next == kRetired);
    return given ? Status{Cause::handle_stale, Argument::handle} : foreign;
}

void HandleTable::clear() noexcept {
    for (std::size_t i = 0; i < tally_.bound; ++i) {
        if (slots_[i].next == kTaken) { give_back(static_cast<Id>(i)); }
        if (slots_[i].next != kRetired) { slots_[i].next = kLastHole; }
    }
    std::fill_n(dead_.begin(), words_for(tally_.bound), std::uint64_t{0});
    tally_.hole = kLastHole;
    tally_.bound = 0;
    tally_.holes = 0;
}

void HandleTable::copy_from(const HandleTable& other) {
    if (this == &other) { return; }
    slots_.reserve(other.slots_.size());
    dead_.reserve(other.dead_.size());
    slots_ = other.slots_; // room is reserved, so neither copy can fail
    dead_ = other.dead_;
    limits_ = other.limits_;
    tally_ = other.tally_;
}

std::size_t HandleTable::memory() const noexcept {
    return slots_.capacity() * sizeof(Slot) + dead_.capacity() * sizeof(std::uint64_t);
}

const char* HandleTable::validate() const noexcept {
    if (tally_.bound > slots_.size() || words_for(tally_.bound) > dead_.size()) {
        return "too few slots";
    }
    std::size_t taken = 0;
    std::size_t retired = 0;
    for (std::size_t i = 0; i < dead_.size() * 64; ++i) {
        const bool is_taken = alive(static_cast<Id>(i));
        const bool is_dead = (dead_[i / 64] >> (i % 64) & 1) != 0;
        if (is_dead != (i < tally_.bound && !is_taken)) { return "a bit that is not as its slot"; }
        if (is_taken && i >= tally_.bound) { return "a slot in use behind the bound"; }
        taken += is_taken ? 1 : 0;
    }
    for (const Slot& slot : slots_) {
        retired += slot.next == kRetired ? 1 : 0;
        if (slot.generation == 0 || slot.generation > limits_.last_generation) {
            return "a generation that there is not";
        }
    }
    // Counted before the chain of holes is followed: in a table read from an archive the chain may
    // lead anywhere.
    std::size_t gone = 0;
    for (std::size_t i = 0; i < tally_.bound; ++i) {
        gone += slots_[i].next == kRetired ? 1 : 0;
    }
    if (tally_.holes > tally_.bound || taken + tally_.holes + gone != tally_.bound) {
        return "slots are miscounted";
    }
    if (taken != tally_.size || retired != tally_.retired) { return "slots are miscounted"; }
    std::size_t holes = 0;
    for (Id i = tally_.hole; i != kLastHole; i = slots_[i].next) {
        if (i >= tally_.bound) { return "a hole that is no hole"; }
        if (++holes > tally_.holes) { return "holes are miscounted"; }
    }
    return holes == tally_.holes ? nullptr : "holes are miscounted";
}

} // namespace throng
