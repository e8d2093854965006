// The table behind the pointers that hosts hold, so that none of them is ever dereferenced.
#pragma once

#include "../engine/core/threads.hpp"
#include "../throng.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace throng::c {

enum class Kind : std::uint8_t {
    none,
    crowd,
    batch,
    executor,
    memory,
    published,
    snapshot,
    change,
    contacts,
    obstacles,
    lasting,
    ranks,
    share,
    distributed,
    index
};

/// Objects by handle. A handle has the number of a slot and the number of earlier uses of that
/// slot, in the bits of a pointer that is not null. No two objects ever have the same handle: a
/// slot whose numbers are used up is not used again.
///
/// find() takes no lock and may be called at any time, with any handle. add() and remove() are for
/// any thread too, and take a mutex. A caller that uses an object from find() must make sure that
/// the object is not removed meanwhile.
class HandleTable {
public:
    /// The object of a handle and THRONG_OK, or null and the reason.
    struct Found {
        void* object;
        throng_code code;
    };

    /// Borrows the object until it is removed. Throws std::bad_alloc, or std::length_error when the
    /// numbers run out; then nothing has changed.
    [[nodiscard]] void* add(Kind kind, void* object);

    [[nodiscard]] Found find(const void* handle, Kind kind) const noexcept {
        if (handle == nullptr) { return {nullptr, THRONG_NULL_HANDLE}; }
        const Split split(handle);
        const Slot* const slot = slot_at(split.number);
        if (slot == nullptr) { return {nullptr, THRONG_DEAD_HANDLE}; }
        // Acquire: if the handle is alive, all that was written before add() returned it is
        // visible.
        const std::uint64_t life = slot->life.load(std::memory_order_acquire);
        const std::uint64_t kind_there = life & kKindMask;
        if (life >> kKindBits != split.use || kind_there == 0) {
            return {nullptr, THRONG_DEAD_HANDLE};
        }
        if (kind_there != static_cast<std::uint64_t>(kind)) {
            return {nullptr, THRONG_WRONG_HANDLE};
        }
        return {slot->object.load(std::memory_order_relaxed), THRONG_OK};
    }

    /// Like find(), and ends the handle: of two calls at once, only one gets the object.
    [[nodiscard]] Found remove(const void* handle, Kind kind) noexcept;

private:
    static constexpr unsigned kNumberBits = sizeof(void*) == 8 ? 32 : 22;
    static constexpr std::uint64_t kNumberMask = (std::uint64_t{1} << kNumberBits) - 1;
    static constexpr std::uint64_t kLastUse = UINTPTR_MAX >> kNumberBits;
    static constexpr unsigned kKindBits = 8;
    static constexpr std::uint64_t kKindMask = (1u << kKindBits) - 1;

    // Slots are in chunks that never move and are never freed, since find() reads them without a
    // lock. Four million are more objects than any host needs.
    static constexpr std::uint64_t kChunk = 1024;
    static constexpr std::uint64_t kChunks = 4096;
    static_assert(kChunk * kChunks <= kNumberMask + 1);

    struct Split {
        std::uint64_t number, use;
        explicit Split(const void* handle) noexcept {
            const auto bits = reinterpret_cast<std::uintptr_t>(handle);
            number = bits & kNumberMask;
            use = bits >> kNumberBits;
        }
    };

    // Slots are zero at first, like the whole table, which so takes no room in the library's file.
    struct Slot {
        std::atomic<std::uint64_t> life{0}; // the use, and the kind of the object
        std::atomic<void*> object{nullptr};
        std::uint64_t next_free = 0; // guarded by the mutex
    };

    /// Null where there never was a slot.
    [[nodiscard]] Slot* slot_at(std::uint64_t number) const noexcept {
        if (number >= kChunk * kChunks) { return nullptr; }
        Slot* const chunk = chunks_[number / kChunk].load(std::memory_order_acquire);
        return chunk == nullptr ? nullptr : chunk + number % kChunk;
    }
    /// The number of an unused slot.
    [[nodiscard]] std::uint64_t take_slot();

    std::array<std::atomic<Slot*>, kChunks> chunks_{};
    std::array<Slot, kChunk> first_{}; // not on the heap: few objects leave no memory behind
    Mutex mutex_;                      // guards all below
    std::uint64_t slots_ = 0;          // slots used at least once
    std::uint64_t free_ = 0;           // the first slot to be used again, plus 1; 0: there is none
};

/// The table that all calls share.
[[nodiscard]] HandleTable& handles() noexcept;

} // namespace throng::c
