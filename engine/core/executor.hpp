// The only interface between the engine and threads.
#pragma once

#include "../../simd/isa/export.hpp"
#include "function_ref.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// Names what runs the blocks of an executor.
enum class ExecutorKind : std::uint8_t {
    other,     ///< a class of the host's
    serial,    ///< the calling thread: serial_executor()
    tbb,       ///< oneTBB: TbbExecutor
    pool,      ///< ThreadPool
    callbacks, ///< a host's job system: CallbackExecutor
};

/// Runs blocks of work, in any order and on any threads. The engine never starts a thread itself.
///
/// The number and size of blocks may depend on threads(). No result depends on them.
class THRONG_API Executor {
public:
    using Body = FunctionRef<void(std::size_t)>;

    Executor() = default;
    Executor(const Executor&) = default;
    Executor& operator=(const Executor&) = default;
    virtual ~Executor();

    /// Calls body(0) ... body(blocks - 1), each once, and returns when all have returned. The
    /// caller notices a block that was left out or run twice. Exceptions may pass through.
    virtual void run(std::size_t blocks, Body body) = 0;

    /// The same on at most `most` threads, the calling one included, for a loop that is too short
    /// for all of them. The default calls run() with `most` blocks, each of which works through
    /// blocks of the loop until none is left.
    virtual void run_on(std::size_t most, std::size_t blocks, Body body);

    /// How many threads may work on a loop that this thread starts, this thread included; 0 where
    /// that is not known. A loop too short for all of them is cut into fewer blocks, or runs on the
    /// calling thread.
    [[nodiscard]] virtual std::size_t threads() const noexcept;

    [[nodiscard]] virtual ExecutorKind kind() const noexcept;
};

/// Runs the blocks one after another on the calling thread. Shared, stateless, safe to use from
/// anywhere.
[[nodiscard]] THRONG_API Executor& serial_executor() noexcept;

} // namespace throng
