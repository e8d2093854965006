#include "huge_pages.hpp"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace throng {

namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{1} << 21;

bool wants_huge_pages(std::size_t bytes, std::size_t alignment) noexcept {
    return alignment >= kCacheLine && bytes >= 2 * kHugePage;
}

std::align_val_t actual(std::size_t bytes, std::size_t alignment) noexcept {
    const bool huge = wants_huge_pages(bytes, alignment) && alignment < kHugePage;
    return std::align_val_t{huge ? kHugePage : alignment};
}

} // namespace

void* allocate_on_heap(std::size_t bytes, std::size_t alignment) {
    if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) { return ::operator new(bytes); }
    void* const memory = ::operator new(bytes, actual(bytes, alignment));
#if defined(__linux__)
    // Only advice: if the system ignores it, everything still works, but slower.
    if (wants_huge_pages(bytes, alignment)) { (void)madvise(memory, bytes, MADV_HUGEPAGE); }
#endif
    return memory;
}

void free_on_heap(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
        ::operator delete(memory);
    } else {
        ::operator delete(memory, actual(bytes, alignment));
    }
}

} // namespace throng
