#include "capped_memory.hpp"

#include "../core/assert.hpp"
#include "huge_pages.hpp"

#include <new>

namespace throng {

namespace {

void* allocate_from(MemorySource* source, std::size_t bytes, std::size_t alignment) noexcept {
    if (source != nullptr) { return source->allocate(bytes, alignment); }
    try {
        return allocate_on_heap(bytes, alignment);
    } catch (const std::bad_alloc&) { return nullptr; }
}

void raise_to(std::atomic<std::size_t>& most, std::size_t value) noexcept {
    std::size_t before = most.load(std::memory_order_relaxed);
    while (before < value &&
           !most.compare_exchange_weak(before, value, std::memory_order_relaxed)) {}
}

} // namespace

CappedMemory::~CappedMemory() { THRONG_ASSERT(used() == 0); }

void* CappedMemory::allocate(std::size_t bytes, std::size_t alignment) noexcept {
    // Counted before it is taken, so that the cap is never exceeded, not even for a moment.
    std::size_t before = used();
    do {
        if (bytes > cap_ || before > cap_ - bytes) {
            refused_.fetch_add(1, std::memory_order_relaxed);
            return nullptr;
        }
    } while (!used_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
    void* const memory = allocate_from(from_, bytes, alignment);
    if (memory == nullptr) {
        used_.fetch_sub(bytes, std::memory_order_relaxed);
        refused_.fetch_add(1, std::memory_order_relaxed);
        return nullptr;
    }
    raise_to(peak_, before + bytes);
    return memory;
}

void CappedMemory::deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    if (from_ != nullptr) {
        from_->deallocate(memory, bytes, alignment);
    } else {
        free_on_heap(memory, bytes, alignment);
    }
    used_.fetch_sub(bytes, std::memory_order_relaxed);
}

} // namespace throng
