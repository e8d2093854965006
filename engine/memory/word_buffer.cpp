#include "word_buffer.hpp"

#include "memory_scope.hpp"

#include <cstring>
#include <limits>
#include <new>

namespace throng {

namespace {

constexpr std::size_t kAlignment = 64;

} // namespace

WordBuffer::WordBuffer(std::size_t size) {
    if (size == 0) { return; }
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(std::uint32_t)) {
        throw std::bad_alloc();
    }
    source_ = ThreadMemory::source();
    data_ = static_cast<std::uint32_t*>(
        ThreadMemory::take(source_, size * sizeof(std::uint32_t), kAlignment));
    size_ = size;
}

WordBuffer::~WordBuffer() {
    if (data_ != nullptr) { ThreadMemory::give_back(source_, data_, bytes(), kAlignment); }
}

void WordBuffer::reserve(std::size_t size) {
    if (size > size_) { *this = WordBuffer(size); }
}

WordBuffer WordBuffer::copy() const {
    WordBuffer same(size_);
    if (size_ != 0) { std::memcpy(same.data_, data_, bytes()); }
    return same;
}

} // namespace throng
