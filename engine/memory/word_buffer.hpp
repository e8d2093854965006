// Memory for millions of 32-bit words, left uninitialised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace throng {

class MemorySource;

/// Uninitialised words, aligned to a cache line, from the memory of the thread that makes the
/// buffer. Large buffers from the heap lie in huge pages.
class WordBuffer {
public:
    WordBuffer() noexcept = default;

    /// Throws std::bad_alloc.
    explicit WordBuffer(std::size_t size);

    ~WordBuffer();
    WordBuffer(WordBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
          source_(other.source_) {}
    WordBuffer& operator=(WordBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(source_, other.source_);
        return *this;
    }

    /// Replaces the buffer by a larger one if it is too small; its contents are then lost. Throws
    /// std::bad_alloc, and then nothing has changed.
    void reserve(std::size_t size);

    /// A buffer of the same size with the same words. Throws std::bad_alloc.
    [[nodiscard]] WordBuffer copy() const;

    [[nodiscard]] std::uint32_t* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(std::uint32_t); }
    [[nodiscard]] bool holds(const std::uint32_t* word) const noexcept {
        return word >= data_ && word < data_ + size_;
    }

private:
    std::uint32_t* data_ = nullptr;
    std::size_t size_ = 0;
    MemorySource* source_ = nullptr; // null: the heap
};

} // namespace throng
