// Memory for millions of 32-bit words, left uninitialised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace throng {

/// Words of any value, aligned to a cache line; large ones to a huge page, and asked of the system
/// as such: scattered writes over ordinary pages spend their time looking up addresses.
class WordBuffer {
public:
    WordBuffer() noexcept = default;

    /// Throws std::bad_alloc.
    explicit WordBuffer(std::size_t size);

    ~WordBuffer();
    WordBuffer(WordBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    WordBuffer& operator=(WordBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }

    /// Replaces the buffer by a larger one, if it is too small; what it held is lost. Throws
    /// std::bad_alloc, and then nothing has changed.
    void reserve(std::size_t size);

    [[nodiscard]] std::uint32_t* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(std::uint32_t); }
    [[nodiscard]] bool holds(const std::uint32_t* word) const noexcept {
        return word >= data_ && word < data_ + size_;
    }

private:
    std::uint32_t* data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace throng
