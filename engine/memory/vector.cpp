#include "vector.hpp"

#include "memory_scope.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

namespace throng {

namespace {

/// The record just before the memory that is given out.
struct Origin {
    MemorySource* source;
    std::size_t bytes; // in all
};

/// The offset, in a block, of the memory given out: behind its origin, and aligned.
constexpr std::size_t lead(std::size_t alignment) noexcept {
    return std::max({alignment, sizeof(Origin), std::size_t{__STDCPP_DEFAULT_NEW_ALIGNMENT__}});
}

constexpr std::size_t alignment_of_block(std::size_t alignment) noexcept {
    return std::max(alignment, std::size_t{__STDCPP_DEFAULT_NEW_ALIGNMENT__});
}

} // namespace

void* take_memory(std::size_t bytes, std::size_t alignment) {
    if (bytes > std::numeric_limits<std::size_t>::max() - lead(alignment)) {
        throw std::bad_alloc();
    }
    const Origin origin = {ThreadMemory::source(), bytes + lead(alignment)};
    void* const block =
        ThreadMemory::take(origin.source, origin.bytes, alignment_of_block(alignment));
    std::byte* const memory = static_cast<std::byte*>(block) + lead(alignment);
    ::new (memory - sizeof(Origin)) Origin(origin);
    return memory;
}

void give_back_memory(void* memory, std::size_t alignment) noexcept {
    if (memory == nullptr) { return; }
    auto* const behind = static_cast<std::byte*>(memory);
    const Origin origin = *std::launder(reinterpret_cast<Origin*>(behind - sizeof(Origin)));
    ThreadMemory::give_back(origin.source, behind - lead(alignment), origin.bytes,
                            alignment_of_block(alignment));
}

void throw_too_long(const char* what) { throw std::length_error(what); }

void throw_no_such_length() { throw std::bad_array_new_length(); }

} // namespace throng
