// Counts allocations, and makes the n-th of them fail.
//
// Linking allocation_counter.cpp replaces the global operator new and delete of the executable, so
// it belongs only to tests that ask for it.
#pragma once

#include <cstddef>

namespace throng::test {

/// Allocations made through operator new since the program began, on all threads.
[[nodiscard]] std::size_t allocations() noexcept;

/// Those of them that operator delete has not taken back yet. After a call has failed and its
/// objects are destroyed, the number must be what it was before the call.
[[nodiscard]] std::size_t live_blocks() noexcept;

/// While one of these lives, the allocation number `successes` from now (counting from 0) throws
/// std::bad_alloc; with `forever`, so do all after it.
class FailingAllocations {
public:
    explicit FailingAllocations(std::size_t successes, bool forever = false) noexcept;
    ~FailingAllocations();
    FailingAllocations(const FailingAllocations&) = delete;
    FailingAllocations& operator=(const FailingAllocations&) = delete;

    /// Whether any has failed.
    [[nodiscard]] bool failed() const noexcept;
};

} // namespace throng::test
