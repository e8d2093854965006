// A budget of memory.
#pragma once

#include "memory_source.hpp"

#include <atomic>
#include <cstddef>

namespace throng {

/// Passes on memory from another source, or from the heap, but never more at a time than the cap
/// allows. It counts the bytes that it is asked for, without the heap's own overhead. All its
/// functions may be called concurrently.
class THRONG_API CappedMemory final : public MemorySource {
public:
    /// `from`, null for the heap, must outlive this object.
    explicit CappedMemory(std::size_t cap, MemorySource* from = nullptr) noexcept
        : cap_(cap), from_(from) {}
    CappedMemory(const CappedMemory&) = delete;
    CappedMemory& operator=(const CappedMemory&) = delete;
    ~CappedMemory() override;

    [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept override;
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override;

    [[nodiscard]] std::size_t cap() const noexcept { return cap_; }
    /// Bytes given out and not taken back.
    [[nodiscard]] std::size_t used() const noexcept {
        return used_.load(std::memory_order_relaxed);
    }
    /// The greatest value that used() has had.
    [[nodiscard]] std::size_t peak() const noexcept {
        return peak_.load(std::memory_order_relaxed);
    }
    /// How many times allocate() has refused.
    [[nodiscard]] std::size_t refused() const noexcept {
        return refused_.load(std::memory_order_relaxed);
    }

private:
    const std::size_t cap_;
    MemorySource* const from_;
    std::atomic<std::size_t> used_ = 0;
    std::atomic<std::size_t> peak_ = 0;
    std::atomic<std::size_t> refused_ = 0;
};

} // namespace throng
