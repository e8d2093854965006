// Replaces the global operator new and delete.
#include "allocation_counter.hpp"
#include "system/aligned_block.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

std::atomic<std::size_t> g_allocations{0};
std::atomic<std::size_t> g_live{0};
std::atomic<std::size_t> g_failing{kNever}; // the number of the allocation that fails
std::atomic<bool> g_forever{false};
std::atomic<bool> g_failed{false};

bool must_fail() noexcept {
    const std::size_t number = g_allocations.fetch_add(1);
    const std::size_t failing = g_failing.load();
    const bool fails = number == failing || (g_forever.load() && number > failing);
    if (fails) { g_failed = true; }
    return fails;
}

void* counted(void* memory) noexcept {
    if (memory != nullptr) { ++g_live; }
    return memory;
}

void* allocate(std::size_t size) noexcept {
    return must_fail() ? nullptr : counted(std::malloc(size == 0 ? 1 : size));
}

void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
    const auto step = static_cast<std::size_t>(alignment);
    const std::size_t rounded = (size + step - 1) / step * step;
    return must_fail() ? nullptr
                       : counted(throng::test::aligned_block(step, rounded == 0 ? step : rounded));
}

void release(void* memory) noexcept {
    if (memory != nullptr) { --g_live; }
    std::free(memory);
}

void release_aligned(void* memory) noexcept {
    if (memory != nullptr) { --g_live; }
    throng::test::free_aligned(memory);
}

void* or_throw(void* memory) {
    if (memory == nullptr) { throw std::bad_alloc(); }
    return memory;
}

} // namespace

namespace throng::test {

std::size_t allocations() noexcept { return g_allocations.load(); }

std::size_t live_blocks() noexcept { return g_live.load(); }

FailingAllocations::FailingAllocations(std::size_t successes, bool forever) noexcept {
    g_failed = false;
    g_forever = forever;
    g_failing = g_allocations.load() + successes;
}

FailingAllocations::~FailingAllocations() {
    g_failing = kNever;
    g_forever = false;
}

bool FailingAllocations::failed() const noexcept { return g_failed.load(); }

} // namespace throng::test

void* operator new(std::size_t size) { return or_throw(allocate(size)); }
void* operator new[](std::size_t size) { return or_throw(allocate(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return or_throw(allocate(size, alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return or_throw(allocate(size, alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate(size, alignment);
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release_aligned(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release_aligned(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    release_aligned(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    release_aligned(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
    release_aligned(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
    release_aligned(memory);
}
