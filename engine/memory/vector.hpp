// Vectors, arrays and objects whose memory comes from their thread's source.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace throng {

/// Throw std::length_error and std::bad_array_new_length. They are in the library so that hosts
/// compiled without exceptions can use containers.
[[noreturn]] THRONG_API void throw_too_long(const char* what);
[[noreturn]] THRONG_API void throw_no_such_length();

/// Memory from the source of the thread's WithMemory, or from the heap. The block records its
/// source. Throws std::bad_alloc.
[[nodiscard]] THRONG_API void* take_memory(std::size_t bytes, std::size_t alignment);

/// Gives back memory that take_memory() gave for the same alignment, on any thread.
THRONG_API void give_back_memory(void* memory, std::size_t alignment) noexcept;

/// The number of elements as a std::size_t. Throws std::bad_alloc if a 32-bit process cannot have
/// that many.
[[nodiscard]] inline std::size_t length_of(std::uint64_t elements) {
    if (elements > std::numeric_limits<std::size_t>::max()) { throw_no_such_length(); }
    return static_cast<std::size_t>(elements);
}

/// One allocator type for all containers, so that they can be swapped and moved, wherever their
/// memory came from.
template <class T>
struct Allocated {
    using value_type = T;

    Allocated() noexcept = default;
    template <class Other>
    Allocated(const Allocated<Other>&) noexcept {} // allocators must convert

    [[nodiscard]] T* allocate(std::size_t count) {
        if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) { throw_no_such_length(); }
        return static_cast<T*>(take_memory(count * sizeof(T), alignof(T)));
    }
    void deallocate(T* memory, std::size_t) noexcept { give_back_memory(memory, alignof(T)); }

    friend bool operator==(const Allocated&, const Allocated&) noexcept { return true; }
};

/// The vector that all indexes use.
template <class T>
using Vector = std::vector<T, Allocated<T>>;

/// Frees an Array: plain data, whose length is kept elsewhere.
template <class T>
struct GiveBack {
    static_assert(std::is_trivially_destructible_v<T>);
    void operator()(T* memory) const noexcept { give_back_memory(memory, alignof(T)); }
};
template <class T>
using Array = std::unique_ptr<T[], GiveBack<T>>;

/// An array of `count` zeros. Throws std::bad_alloc.
template <class T>
[[nodiscard]] Array<T> make_array(std::size_t count) {
    Array<T> array(Allocated<T>().allocate(count));
    std::uninitialized_value_construct_n(array.get(), count);
    return array;
}

/// A base for classes whose objects are made with new: in memory from the thread's source.
struct FromSource {
    static void* operator new(std::size_t bytes) {
        return take_memory(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    }
    static void* operator new(std::size_t bytes, std::align_val_t alignment) {
        return take_memory(bytes, static_cast<std::size_t>(alignment));
    }
    static void operator delete(void* memory) noexcept {
        give_back_memory(memory, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    }
    static void operator delete(void* memory, std::align_val_t alignment) noexcept {
        give_back_memory(memory, static_cast<std::size_t>(alignment));
    }
};

} // namespace throng

#include "../../simd/isa/names_end.hpp"
