// The executors on which tests run blocks: all of the library's, with more threads than a small
// machine has.
#pragma once

#include <throng/engine/core/executor.hpp>
#include <throng/engine/core/function_ref.hpp>

#include <cstddef>
#include <ostream>
#include <span>

namespace throng::test {

struct Crew {
    const char* name;

    /// Makes the executor, passes it to `work`, and destroys it.
    void (*call)(FunctionRef<void(Executor&)> work);
};

/// To add an executor, add a line to the list in crews.cpp.
[[nodiscard]] std::span<const Crew> crews() noexcept;

inline std::ostream& operator<<(std::ostream& stream, const Crew& crew) {
    return stream << crew.name;
}

/// Calls body(0) ... body(count - 1), each on a new std::thread, and waits for them.
/// ThreadSanitizer sees the order of these threads.
void on_own_threads(std::size_t count, FunctionRef<void(std::size_t)> body);

/// Calls body(0) ... body(count - 1) as tasks of a host that uses oneTBB, from its own arena.
void on_host_tasks(std::size_t count, FunctionRef<void(std::size_t)> body);

} // namespace throng::test
