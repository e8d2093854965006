// A list that needs no heap until it is long.
#pragma once

#include "../core/assert.hpp"
#include "length_error.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace throng {

/// Up to `kInline` elements are in the object itself, more on the heap, where the room doubles: for
/// stacks and answers that are nearly always short, made anew in each call.
///
/// For local variables, not for members of numerous objects: once the elements have gone to the
/// heap, the room inside the list, `kInline` elements, lies idle.
///
/// T is plain data, trivially copyable, and is left uninitialised until it is pushed. A list can be
/// neither copied nor moved: a move would gain nothing while the elements are inside.
template <class T, std::size_t kInline = 128>
class SmallList {
    static_assert(std::is_trivially_copyable_v<T>, "elements are moved about as bytes");
    static_assert(kInline > 0, "a list that is always on the heap is a vector");

public:
    // User-provided, so that value initialisation writes no zeros over the room inside.
    SmallList() noexcept {} // NOLINT(modernize-use-equals-default)
    ~SmallList() {
        if (on_heap()) { std::allocator<T>().deallocate(data_, capacity_); }
    }
    SmallList(const SmallList&) = delete;
    SmallList& operator=(const SmallList&) = delete;

    /// Adds an element behind the others. Throws std::bad_alloc, or std::length_error where memory
    /// ends, as reserve() does; then nothing has changed.
    void push(const T& value) {
        const T copy = value; // it may be an element of this list, which moves
        if (size_ == capacity_) { grow(size_ + 1); }
        std::construct_at(data_ + size_, copy);
        ++size_;
    }

    /// Removes the last element, which must be there, and returns it.
    T pop() noexcept {
        THRONG_ASSERT(size_ > 0);
        return data_[--size_];
    }

    /// Removes all; elements that are on the heap stay there.
    void clear() noexcept { size_ = 0; }

    /// Makes room for this many elements in all; at least for twice as many as before if it must
    /// move.
    void reserve(std::size_t elements) {
        if (elements > capacity_) { grow(elements); }
    }

    /// `i` must be smaller than size().
    [[nodiscard]] T& operator[](std::size_t i) noexcept {
        THRONG_ASSERT(i < size_);
        return data_[i];
    }
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept {
        THRONG_ASSERT(i < size_);
        return data_[i];
    }

    // With data(), a list can be passed as a span. push() and reserve() may move the elements.
    [[nodiscard]] T* data() noexcept { return data_; }
    [[nodiscard]] const T* data() const noexcept { return data_; }
    [[nodiscard]] T* begin() noexcept { return data_; }
    [[nodiscard]] T* end() noexcept { return data_ + size_; }
    [[nodiscard]] const T* begin() const noexcept { return data_; }
    [[nodiscard]] const T* end() const noexcept { return data_ + size_; }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] bool on_heap() const noexcept { return data_ != room(); }

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept {
        return on_heap() ? capacity_ * sizeof(T) : 0;
    }

private:
    [[nodiscard]] T* room() noexcept { return reinterpret_cast<T*>(inside_.data()); }
    [[nodiscard]] const T* room() const noexcept {
        return reinterpret_cast<const T*>(inside_.data());
    }

    // Out of line, so that push() is short.
    [[gnu::noinline]] void grow(std::size_t least) {
        const std::size_t most = static_cast<std::size_t>(-1) / 2 / sizeof(T);
        if (least > most) { throw_too_long("SmallList"); }
        const std::size_t capacity = std::max(least, std::min(most, 2 * capacity_));
        T* const grown = std::allocator<T>().allocate(capacity);
        std::uninitialized_copy(data_, data_ + size_, grown);
        if (on_heap()) { std::allocator<T>().deallocate(data_, capacity_); }
        data_ = grown;
        capacity_ = capacity;
    }

    T* data_ = room();
    std::size_t size_ = 0;
    std::size_t capacity_ = kInline;
    alignas(T) std::array<std::byte, kInline * sizeof(T)> inside_;
};

} // namespace throng
