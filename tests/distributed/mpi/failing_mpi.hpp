// Calls of MPI that can be made to fail, or to report another thread level. They replace MPI's own
// by its profiling interface.
#pragma once

#include <cstdint>
#include <optional>

namespace throng::test {

struct FailingMpi {
    /// Of the calls that move messages, counted from 0, this one and all later ones do their work
    /// and return an error.
    std::optional<std::uint64_t> fails_at;
    std::optional<int> thread_level; ///< what MPI_Query_thread() says
    std::uint64_t calls = 0;
    int longest = 0; ///< the largest number of bytes in one message
};

[[nodiscard]] FailingMpi& failing_mpi() noexcept;

} // namespace throng::test
