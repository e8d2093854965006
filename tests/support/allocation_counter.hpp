// Counts allocations, and makes the n-th of them fail.
//
// Linking allocation_counter.cpp replaces the global operator new and delete of the executable, so
// it belongs only to tests that ask for it.
#pragma once

#include <cstddef>

namespace throng::test {

/// Allocations made through operator new since the program began, on all threads.
[[nodiscard]] std::size_t allocations() noexcept;

/// Blocks of operator new that operator delete has not taken back yet. After a call has failed and
/// its objects are destroyed, the number must be the same as before the call.
[[nodiscard]] std::size_t live_blocks() noexcept;

/// While such an object lives, the allocation after `successes` successful ones throws
/// std::bad_alloc; with `forever`, all later ones do too.
class FailingAllocations {
public:
    explicit FailingAllocations(std::size_t successes, bool forever = false) noexcept;
    ~FailingAllocations();
    FailingAllocations(const FailingAllocations&) = delete;
    FailingAllocations& operator=(const FailingAllocations&) = delete;

    /// Whether an allocation has failed.
    [[nodiscard]] bool failed() const noexcept;
};

} // namespace throng::test
