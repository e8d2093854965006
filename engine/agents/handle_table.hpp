// Gives out the names of agents that come and go. Internal to the engine.
#pragma once

#include "../core/id.hpp"
#include "../core/status.hpp"
#include "../memory/vector.hpp"
#include "handles.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

template <class Index>
struct FrozenIndex;

/// The limits of a table. Smaller numbers than these are for tests, and for hosts with limits of
/// their own.
struct HandleLimits {
    std::uint32_t slots = kMaxHandleSlots;        ///< at most kMaxHandleSlots
    std::uint32_t last_generation = 0xFFFF'FFFFu; ///< at least 1
};

/// Gives out handles, and tells good ones from stale and foreign ones. This takes constant time a
/// handle, and eight bytes and a bit a slot; it allocates only when there are more slots than ever.
///
/// The slot that was given back last is given out next, since it is in the cache; if there is none,
/// the lowest that was not used since clear(). A slot that has had its last generation is
/// *retired*: it is not given out again, so no handle comes twice.
///
/// Every table has a number of its own in this process. Numbers begin again after 2^32 - 1 tables:
/// only then could a handle pass for one of a table made 2^32 - 1 tables later.
///
/// Const calls may run on any number of threads while no call changes the table.
class HandleTable {
public:
    explicit HandleTable(const HandleLimits& limits = {}) noexcept;

    /// The handles move along. The table moved from is like a new one, with a new number.
    HandleTable(HandleTable&& other) noexcept;
    HandleTable& operator=(HandleTable&& other) noexcept;
    HandleTable(const HandleTable&) = delete; // see copy_from()
    HandleTable& operator=(const HandleTable&) = delete;
    ~HandleTable() = default;

    /// Gives out a handle: null if every slot is taken or retired. After std::bad_alloc nothing has
    /// changed.
    [[nodiscard]] Handle add();

    /// Fills `out`, or gives out none and returns Cause::too_many, with the number of handles still
    /// available as index. Throws as add() for one handle does; `out` is then as it was.
    Status add(std::span<Handle> out);

    /// Writes the slots that add() will give out next, in the same order. Makes room for them, so
    /// that adding that many cannot throw. False if there are too few. Throws as add() does.
    [[nodiscard]] bool next_slots(std::span<Id> out);

    /// Makes a good handle stale. For any other, only returns the status of check().
    Status remove(Handle handle) noexcept;

    /// Removes all or none. A handle that comes twice is stale the second time. The status has the
    /// index of the first handle that cannot be removed.
    Status remove(std::span<const Handle> handles) noexcept;

    /// Ok for a handle that was given out here and not removed; Cause::handle_stale after that; and
    /// Cause::handle_foreign for one that this table has not given out.
    [[nodiscard]] Status check(Handle handle) const noexcept {
        if (handle.owner == tally_.owner && handle.slot < slots_.size()) {
            const Slot& slot = slots_[handle.slot];
            if (slot.generation == handle.generation && slot.next == kTaken) { return {}; }
        }
        return refusal(handle);
    }

    /// Whether an agent lives in this slot. The slot may be any number.
    [[nodiscard]] bool alive(Id slot) const noexcept {
        return slot < slots_.size() && slots_[slot].next == kTaken;
    }

    /// The handle of the agent in a slot; null if there is none.
    [[nodiscard]] Handle of(Id slot) const noexcept {
        return alive(slot) ? Handle{slot, slots_[slot].generation, tally_.owner} : Handle{};
    }

    /// How many handles are good.
    [[nodiscard]] std::size_t size() const noexcept { return tally_.size; }

    /// All slots of good handles are below this. It falls only with clear().
    [[nodiscard]] std::size_t bound() const noexcept { return tally_.bound; }

    /// The number of this table, which each of its handles has.
    [[nodiscard]] std::uint32_t owner() const noexcept { return tally_.owner; }

    /// Writes the generation in each slot below bound(): of the agent there, or of the next one.
    void generations(std::span<std::uint32_t> out) const noexcept {
        for (std::size_t slot = 0; slot < tally_.bound; ++slot) {
            out[slot] = slots_[slot].generation;
        }
    }

    /// How many slots have had their last generation.
    [[nodiscard]] std::size_t retired() const noexcept { return tally_.retired; }

    /// Calls visit(slot) for each slot below bound() without an agent, in ascending order. Takes
    /// time for each of these slots, and for a word for every 64 slots. `visit` must not change the
    /// table.
    template <class Visit>
    void for_each_dead(Visit&& visit) const;

    /// Makes room for this many slots in all, holes included, so that add() need not ask for
    /// memory.
    void reserve(std::size_t slots);

    /// Makes all handles stale, and begins again with the lowest slot. Takes time for every slot,
    /// and keeps the memory.
    void clear() noexcept;

    /// Makes this a copy of the other, number included: both know the same handles. For a copy of a
    /// crowd that is only queried: if both tables give out handles from then on, they give out the
    /// same handle twice. Handles that the other gives out later are foreign here. Reuses the
    /// memory of this table. If it throws std::bad_alloc nothing has changed.
    void copy_from(const HandleTable& other);

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept;

    /// Checks every invariant, slowly. Returns null if all hold, else the first that does not.
    [[nodiscard]] const char* validate() const noexcept;

private:
    template <class>
    friend struct FrozenIndex; // writes and reads all members

    // Values of Slot::next that do not name a hole.
    static constexpr Id kLastHole = kNoId;
    static constexpr Id kTaken = kNoId - 1;
    static constexpr Id kRetired = kNoId - 2;

    struct Slot {
        std::uint32_t generation; // of the agent there, or of the next one
        Id next;                  // of a hole: the hole given back before it; else see above
    };

    struct Tally {
        std::uint32_t owner;
        Id hole = kLastHole; // the first to be given out again
        std::size_t bound = 0;
        std::size_t size = 0;
        std::size_t holes = 0;
        std::size_t retired = 0; // including slots behind the bound
    };

    [[nodiscard]] Status refusal(Handle handle) const noexcept;
    [[nodiscard]] std::size_t room() const noexcept {
        return limits_.slots - tally_.retired - tally_.size;
    }
    void make_room(std::size_t handles);
    Handle take() noexcept;
    void give_back(Id slot) noexcept;
    void undo_give_back(Handle handle) noexcept;
    void flip_dead(Id slot) noexcept { dead_[slot / 64] ^= std::uint64_t{1} << (slot % 64); }

    HandleLimits limits_;
    Tally tally_;
    Vector<Slot> slots_;         // clear() keeps all: the generations still count
    Vector<std::uint64_t> dead_; // a bit for each slot below the bound: set if not taken
};

template <class Visit>
void HandleTable::for_each_dead(Visit&& visit) const {
    for (std::size_t w = 0; w * 64 < tally_.bound; ++w) {
        for (std::uint64_t bits = dead_[w]; bits != 0; bits &= bits - 1) {
            visit(static_cast<Id>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
        }
    }
}

} // namespace throng
