// The source of a thread's, or a call's, memory. Internal to the engine.
#pragma once

#include "../core/status.hpp"
#include "memory_source.hpp"

#include <cstddef>
#include <utility>

namespace throng {

namespace detail {

/// Null stands for the heap wherever a source is named.
struct ThreadMemory {
    /// The innermost WithMemory of this thread, and its source; null: the heap.
    [[nodiscard]] static WithMemory* current() noexcept;
    [[nodiscard]] static MemorySource* source() noexcept;

    /// Memory from `source`, which must be source(). The caller must keep `source` for give_back().
    /// Throws std::bad_alloc.
    [[nodiscard]] static void* take(MemorySource* source, std::size_t bytes, std::size_t alignment);
    static void give_back(MemorySource* source, void* memory, std::size_t bytes,
                          std::size_t alignment) noexcept;

    /// While a Carried lives, this thread takes memory as under `with`, which another thread may
    /// have made.
    class Carried {
    public:
        explicit Carried(WithMemory* with) noexcept;
        ~Carried();
        Carried(const Carried&) = delete;
        Carried& operator=(const Carried&) = delete;

    private:
        WithMemory* before_;
    };
};

} // namespace detail

using detail::ThreadMemory;

/// Returns call(), a Status, run with the memory of the source as capped() does; without a source,
/// with the thread's memory as it is.
template <class Call>
Status with_own_memory(MemorySource* source, Call&& call) {
    if (source == nullptr) { return std::forward<Call>(call)(); }
    return capped(source, std::forward<Call>(call));
}

} // namespace throng
