// The heap, with huge pages for large arrays. Internal to the engine.
#pragma once

#include <cstddef>

namespace throng {

/// Large blocks with at least a cache line's alignment begin at a huge page, and the system is
/// asked for huge pages: scattered writes over ordinary pages spend most of their time on address
/// translation. Throws std::bad_alloc.
[[nodiscard]] void* allocate_on_heap(std::size_t bytes, std::size_t alignment);

/// Frees memory that allocate_on_heap() gave for the same two numbers.
void free_on_heap(void* memory, std::size_t bytes, std::size_t alignment) noexcept;

} // namespace throng
