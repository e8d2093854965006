// The one seam between the engine and threads.
#pragma once

#include "../../simd/isa/export.hpp"
#include "function_ref.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// What runs the blocks of an executor.
enum class ExecutorKind : std::uint8_t {
    other,     ///< a class of the host's
    serial,    ///< the calling thread: serial_executor()
    tbb,       ///< oneTBB: TbbExecutor
    pool,      ///< ThreadPool
    callbacks, ///< a host's job system: CallbackExecutor
};

/// Runs blocks of work, in any order and on any threads. The engine never starts a thread itself.
///
/// How work is cut into blocks may depend on threads(). No result depends on how it is cut.
class THRONG_API Executor {
public:
    using Body = FunctionRef<void(std::size_t)>;

    Executor() = default;
    Executor(const Executor&) = default;
    Executor& operator=(const Executor&) = default;
    virtual ~Executor();

    /// Calls body(0) ... body(blocks - 1), each once, and returns when all have returned. A block
    /// left out or run twice is noticed by the caller; an exception may pass through.
    virtual void run(std::size_t blocks, Body body) = 0;

    /// The same on no more than `most` threads, the calling one included, for a loop that is not
    /// worth all of them. Unless overridden it runs as many blocks, which take one of these after
    /// another.
    virtual void run_on(std::size_t most, std::size_t blocks, Body body);

    /// How many threads may work on a loop that this thread starts, it included; 0 where that is
    /// not known. Work too little for so many is cut into fewer blocks, or runs on the calling
    /// thread.
    [[nodiscard]] virtual std::size_t threads() const noexcept;

    [[nodiscard]] virtual ExecutorKind kind() const noexcept;
};

/// Runs the blocks one after another on the calling thread. Shared, stateless, safe to use from
/// anywhere.
[[nodiscard]] THRONG_API Executor& serial_executor() noexcept;

} // namespace throng
