// Where indexes take their memory from, if not from the heap.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../core/function_ref.hpp"
#include "../core/status.hpp"

#include <atomic>
#include <cstddef>

namespace throng {

namespace detail {
struct ThreadMemory;
} // namespace detail

/// Gives memory, and takes it back: an arena of the host's, or a budget such as CappedMemory.
///
/// It is called from every thread on which an executor runs the blocks of an update or a batch of
/// edits, and from any thread on which an index is destroyed.
class THRONG_API MemorySource {
public:
    MemorySource() = default;
    MemorySource(const MemorySource&) = default;
    MemorySource& operator=(const MemorySource&) = default;
    virtual ~MemorySource();

    /// This many bytes, at least one, at a multiple of `alignment`, a power of two. Null means
    /// refused: then the call that needs them fails, and has changed nothing.
    [[nodiscard]] virtual void* allocate(std::size_t bytes, std::size_t alignment) noexcept = 0;

    /// Takes back memory that allocate() gave for the same two numbers.
    virtual void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept = 0;
};

/// While it lives, every index made, updated or edited on this thread takes its memory from the
/// source, and so do the blocks of that work on other threads. Memory always goes back to the
/// source it came from, however late, so the source must outlive everything that took memory from
/// it.
///
/// Where the source refuses, the call throws std::bad_alloc and has changed nothing; capped() turns
/// that into a Status. These objects nest, and the innermost one counts. They must be destroyed on
/// the thread on which they were made, in reverse order.
class THRONG_API WithMemory {
public:
    explicit WithMemory(MemorySource& source) noexcept : WithMemory(&source) {}
    /// Null: the heap.
    explicit WithMemory(MemorySource* source) noexcept;
    ~WithMemory();
    WithMemory(const WithMemory&) = delete;
    WithMemory& operator=(const WithMemory&) = delete;

    /// Whether the source has refused any memory asked for under this object.
    [[nodiscard]] bool refused() const noexcept { return refused_.load(std::memory_order_relaxed); }

private:
    friend struct detail::ThreadMemory;

    MemorySource* source_;
    WithMemory* around_; // the enclosing one
    std::atomic<bool> refused_ = false;
};

/// Returns call(), a Status, run with the memory of the source; null: of the heap. If the call
/// fails because the source refuses, the status is Cause::over_memory, and as after any other
/// failure nothing has changed. All other exceptions pass through, std::bad_alloc of the heap too.
THRONG_API Status capped(MemorySource* source, FunctionRef<Status()> call);

} // namespace throng

#include "../../simd/isa/names_end.hpp"
