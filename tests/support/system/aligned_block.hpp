// Aligned memory from the C library.
#pragma once

#include <cstddef>
#include <cstdlib>

#if defined(_WIN32)
#include <malloc.h>
#endif

namespace throng::test {

/// Null if there is no memory. The size must be a multiple of the alignment.
inline void* aligned_block(std::size_t alignment, std::size_t size) noexcept {
#if defined(_WIN32)
    return _aligned_malloc(size, alignment);
#else
    return std::aligned_alloc(alignment, size);
#endif
}

inline void free_aligned(void* block) noexcept {
#if defined(_WIN32)
    _aligned_free(block);
#else
    std::free(block);
#endif
}

} // namespace throng::test
