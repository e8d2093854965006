// Calls of MPI that fail when they are told to, or say that they were started otherwise: by MPI's
// profiling interface, which lets a program replace any of them.
#pragma once

#include <cstdint>
#include <optional>

namespace throng::test {

struct FailingMpi {
    /// The call with this number from now on, counted from 0, of those that move messages, does its
    /// work and returns an error.
    std::optional<std::uint64_t> fails_at;
    std::optional<int> thread_level; ///< what MPI_Query_thread() says
    std::uint64_t calls = 0;
    int longest = 0; ///< the largest number of bytes in one message
};

[[nodiscard]] FailingMpi& failing_mpi() noexcept;

} // namespace throng::test
