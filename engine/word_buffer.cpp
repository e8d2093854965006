#include "word_buffer.hpp"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace throng {

namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;

std::align_val_t alignment_of(std::size_t bytes) noexcept {
    return std::align_val_t{bytes >= 2 * kHugePage ? kHugePage : 64};
}

} // namespace

WordBuffer::WordBuffer(std::size_t size) {
    if (size == 0) { return; }
    const std::size_t bytes = size * sizeof(std::uint32_t);
    void* const memory = ::operator new(bytes, alignment_of(bytes));
#if defined(__linux__)
    // Advice: where it is not taken, everything works, only slower.
    if (bytes >= 2 * kHugePage) { (void)madvise(memory, bytes, MADV_HUGEPAGE); }
#endif
    data_ = static_cast<std::uint32_t*>(memory);
    size_ = size;
}

WordBuffer::~WordBuffer() {
    if (data_ != nullptr) { ::operator delete(data_, alignment_of(bytes())); }
}

void WordBuffer::reserve(std::size_t size) {
    if (size > size_) { *this = WordBuffer(size); }
}

} // namespace throng
