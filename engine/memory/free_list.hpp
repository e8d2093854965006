// An array whose holes are reused.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../core/assert.hpp"
#include "atomic_of.hpp"
#include "vector.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace throng {

/// Elements that keep their index until they are removed; the next one added takes the index that
/// was given back last. Adding, removing and finding take constant time, and a list whose size
/// stays about the same allocates nothing.
///
/// For the nodes of trees: an index takes half the room of a pointer, and stays valid when the
/// array moves. A tree whose children come four at a time keeps a list of std::array<Node, 4>.
///
/// T is plain data, trivially copyable: elements are moved as bytes. A hole holds the index of the
/// next hole where its element was. One more bit for each slot tells holes from elements.
template <class T>
class FreeList {
    static_assert(std::is_trivially_copyable_v<T>, "elements are moved about as bytes");

public:
    using Index = std::uint32_t;
    static constexpr Index kNone = 0xFFFF'FFFFu; ///< no element has this index

    /// Adds an element; returns its index. Throws std::bad_alloc, or std::length_error if there are
    /// no more indices; then nothing has changed.
    Index add(const T& value);

    /// Removes element `i`, which must exist, as for operator[]. Other elements keep their indices.
    void remove(Index i) noexcept;

    [[nodiscard]] T& operator[](Index i) noexcept {
        THRONG_ASSERT(!is_free(i));
        return slots_[i].value;
    }
    [[nodiscard]] const T& operator[](Index i) const noexcept {
        THRONG_ASSERT(!is_free(i));
        return slots_[i].value;
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

    /// All indices are smaller than this; it falls only with clear().
    [[nodiscard]] std::size_t bound() const noexcept { return slots_.size(); }

    /// How many elements there can be before add() has to ask for memory.
    [[nodiscard]] std::size_t capacity() const noexcept {
        return std::min(slots_.capacity(), 64 * used_.capacity());
    }

    /// Whether no element has this index. The index may be any number.
    [[nodiscard]] bool is_free(Index i) const noexcept {
        return i >= slots_.size() || (used_[i / 64] >> (i % 64) & 1) == 0;
    }

    /// Calls visit(index, element) for each, in ascending order of the indices. `visit` may remove
    /// the element that it is given, and change the list in no other way.
    template <class Visit>
    void for_each(Visit&& visit) {
        for_each_of(*this, visit);
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        for_each_of(*this, visit);
    }

    /// Makes room for this many elements in all. Throws as add() does.
    void reserve(std::size_t elements);

    /// Removes all, and keeps the memory.
    void clear() noexcept;

    /// Removes all, and adds elements with indices from zero on, whose values are not set: for
    /// callers that write each of them, on several threads. Throws as reserve() does, but never
    /// within reserved room.
    void assign_unwritten(std::size_t elements);

    /// Holes that are not yet on the list of holes, in the order in which they were made.
    struct Holes {
        Index first = kNone, last = kNone;
        std::size_t count = 0;
    };
    /// As remove(), but the hole is added to `holes`, and size() falls only with use_again(). May
    /// be called on several threads at once, each with its own `holes`; no other call may run
    /// meanwhile.
    void remove_apart(Index i, Holes& holes) noexcept;
    /// Adds these holes to the list. Once all holes are added, the list is as after calls of
    /// remove().
    void use_again(const Holes& holes) noexcept;

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept {
        return slots_.capacity() * sizeof(Slot) + used_.capacity() * sizeof(std::uint64_t);
    }

    /// Checks every invariant, slowly. Null when all hold, else the first that does not.
    [[nodiscard]] const char* validate() const noexcept;

private:
    union Slot {
        T value;
        Index next; // of a hole: the hole that was given back before it
    };

    template <class Self, class Visit>
    static void for_each_of(Self& self, Visit& visit);

    static std::size_t words_for(std::size_t slots) noexcept { return (slots + 63) / 64; }

    Vector<Slot> slots_;
    Vector<std::uint64_t> used_; // a bit for each slot; no bit behind the last slot is set
    std::size_t size_ = 0;
    Index hole_ = kNone; // the first to be used again
};

template <class T>
auto FreeList<T>::add(const T& value) -> Index {
    Index i = hole_;
    if (i != kNone) {
        const Index next = slots_[i].next;
        slots_[i] = Slot{.value = value};
        hole_ = next;
    } else {
        if (slots_.size() >= kNone) { throw_too_long("FreeList::add"); }
        i = static_cast<Index>(slots_.size());
        // If there is then no memory for the slot, the added word does no harm.
        if (used_.size() < words_for(slots_.size() + 1)) { used_.push_back(0); }
        slots_.push_back(Slot{.value = value});
    }
    used_[i / 64] |= std::uint64_t{1} << (i % 64);
    ++size_;
    return i;
}

template <class T>
void FreeList<T>::remove(Index i) noexcept {
    THRONG_ASSERT(!is_free(i));
    slots_[i] = Slot{.next = hole_};
    hole_ = i;
    used_[i / 64] &= ~(std::uint64_t{1} << (i % 64));
    --size_;
}

template <class T>
template <class Self, class Visit>
void FreeList<T>::for_each_of(Self& self, Visit& visit) {
    for (std::size_t w = 0; w < self.used_.size(); ++w) {
        for (std::uint64_t bits = self.used_[w]; bits != 0; bits &= bits - 1) {
            const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
            visit(static_cast<Index>(i), self.slots_[i].value);
        }
    }
}

template <class T>
void FreeList<T>::reserve(std::size_t elements) {
    if (elements > kNone) { throw_too_long("FreeList::reserve"); }
    used_.reserve(words_for(elements));
    slots_.reserve(elements);
}

template <class T>
void FreeList<T>::clear() noexcept {
    slots_.clear();
    used_.clear();
    size_ = 0;
    hole_ = kNone;
}

template <class T>
void FreeList<T>::assign_unwritten(std::size_t elements) {
    reserve(elements);
    slots_.resize(elements, Slot{.next = kNone}); // writes only to new slots
    used_.assign(words_for(elements), ~std::uint64_t{0});
    if (elements % 64 != 0) { used_.back() = (std::uint64_t{1} << (elements % 64)) - 1; }
    size_ = elements;
    hole_ = kNone;
}

template <class T>
void FreeList<T>::remove_apart(Index i, Holes& holes) noexcept {
    slots_[i] = Slot{.next = holes.last};
    if (holes.count++ == 0) { holes.first = i; }
    holes.last = i;
    // Atomic: holes of other threads may have their bits in the same word.
    const std::uint64_t others = ~(std::uint64_t{1} << (i % 64));
    (void)atomic_of(used_[i / 64]).fetch_and(others, std::memory_order_relaxed);
}

template <class T>
void FreeList<T>::use_again(const Holes& holes) noexcept {
    if (holes.count == 0) { return; }
    slots_[holes.first].next = hole_;
    hole_ = holes.last;
    size_ -= holes.count;
}

template <class T>
const char* FreeList<T>::validate() const noexcept {
    if (used_.size() < words_for(slots_.size())) { return "slots without a bit"; }
    std::size_t used = 0;
    for (std::size_t w = 0; w < used_.size(); ++w) {
        used += static_cast<std::size_t>(std::popcount(used_[w]));
        const std::size_t slots = slots_.size() - std::min(slots_.size(), w * 64);
        if (slots < 64 && used_[w] >> slots != 0) { return "elements behind the last slot"; }
    }
    if (used != size_) { return "the size is not the elements there"; }
    // More steps than there are holes mean that the list is a circle, since no used slot is in it.
    std::size_t holes = 0;
    for (Index i = hole_; i != kNone; i = slots_[i].next) {
        if (i >= slots_.size()) { return "a hole that does not exist"; }
        if (!is_free(i)) { return "an element among the holes"; }
        if (++holes > slots_.size() - size_) { return "the list of holes has no end"; }
    }
    return holes == slots_.size() - size_ ? nullptr : "a hole that is not on the list";
}

} // namespace throng

#include "../../simd/isa/names_end.hpp"
