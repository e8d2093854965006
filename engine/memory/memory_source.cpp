#include "memory_source.hpp"

#include "../core/assert.hpp"
#include "huge_pages.hpp"
#include "memory_scope.hpp"

#include <new>
#include <utility>

namespace throng {

namespace {

constinit thread_local WithMemory* g_current = nullptr;

} // namespace

MemorySource::~MemorySource() = default;

WithMemory::WithMemory(MemorySource* source) noexcept
    : source_(source), around_(std::exchange(g_current, this)) {}

WithMemory::~WithMemory() {
    THRONG_ASSERT(g_current == this);
    g_current = around_;
}

WithMemory* ThreadMemory::current() noexcept { return g_current; }

MemorySource* ThreadMemory::source() noexcept {
    return g_current == nullptr ? nullptr : g_current->source_;
}

void* ThreadMemory::take(MemorySource* source, std::size_t bytes, std::size_t alignment) {
    if (source == nullptr) { return allocate_on_heap(bytes, alignment); }
    void* const memory = source->allocate(bytes, alignment);
    if (memory == nullptr) {
        g_current->refused_.store(true, std::memory_order_relaxed);
        throw std::bad_alloc();
    }
    return memory;
}

void ThreadMemory::give_back(MemorySource* source, void* memory, std::size_t bytes,
                             std::size_t alignment) noexcept {
    if (source == nullptr) {
        free_on_heap(memory, bytes, alignment);
    } else {
        source->deallocate(memory, bytes, alignment);
    }
}

ThreadMemory::Carried::Carried(WithMemory* with) noexcept
    : before_(std::exchange(g_current, with)) {}

ThreadMemory::Carried::~Carried() { g_current = before_; }

// Not a template: a host compiled without exceptions cannot compile a catch block.
Status capped(MemorySource* source, FunctionRef<Status()> call) {
    const WithMemory with(source);
    try {
        return call();
    } catch (const std::bad_alloc&) {
        if (!with.refused()) { throw; }
        return {Cause::over_memory, Argument::memory};
    }
}

} // namespace throng
