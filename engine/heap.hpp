// The heap, with huge pages for large arrays. Internal to the engine.
#pragma once

#include <cstddef>

namespace throng {

/// Large blocks that are to begin with a cache line begin with a huge page, and are asked of the
/// system as such: scattered writes over ordinary pages spend their time looking up addresses.
/// Throws std::bad_alloc.
[[nodiscard]] void* allocate_on_heap(std::size_t bytes, std::size_t alignment);

/// What allocate_on_heap() gave for the same two numbers.
void free_on_heap(void* memory, std::size_t bytes, std::size_t alignment) noexcept;

} // namespace throng
