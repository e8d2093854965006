#include "handles.hpp"

#include <bit>
#include <cstddef>
#include <new>
#include <stdexcept>

namespace throng::c {

std::uint64_t HandleTable::take_slot() {
    if (free_ != 0) {
        const std::uint64_t number = free_ - 1;
        free_ = slot_at(number)->next_free;
        return number;
    }
    if (slots_ == kChunk * kChunks) { throw std::length_error("HandleTable::add"); }
    if (slots_ % kChunk == 0) {
        // Release: a thread that finds the chunk finds its slots empty.
        chunks_[slots_ / kChunk].store(slots_ == 0 ? first_.data() : new Slot[kChunk],
                                       std::memory_order_release);
    }
    return slots_++;
}

void* HandleTable::add(Kind kind, void* object) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = take_slot();
    Slot& slot = *slot_at(number);
    const std::uint64_t use = (slot.life.load(std::memory_order_relaxed) >> kKindBits) + 1;
    slot.object.store(object, std::memory_order_relaxed);
    slot.life.store(use << kKindBits | static_cast<std::uint64_t>(kind), std::memory_order_release);
    return std::bit_cast<void*>(static_cast<std::uintptr_t>(use << kNumberBits | number));
}

HandleTable::Found HandleTable::remove(const void* handle, Kind kind) noexcept {
    const std::lock_guard lock(mutex_);
    const Found found = find(handle, kind);
    if (found.code != THRONG_OK) { return found; }
    const Split split(handle);
    Slot& slot = *slot_at(split.number);
    slot.life.store(split.use << kKindBits, std::memory_order_relaxed);
    if (split.use != kLastUse) {
        slot.next_free = free_;
        free_ = split.number + 1;
    }
    return found;
}

HandleTable& handles() noexcept {
    // The table is never destroyed: a host may end its objects while its own statics are destroyed.
    // It is in static memory, made by placement new, since not every mutex may be left undestroyed,
    // or exists before the first call.
    alignas(HandleTable) static std::byte memory[sizeof(HandleTable)];
    static HandleTable& table = *new (memory) HandleTable;
    return table;
}

} // namespace throng::c
