// The one seam between the engine and threads.
#pragma once

#include "../../simd/isa/export.hpp"
#include "function_ref.hpp"

#include <cstddef>

namespace throng {

/// Runs blocks of work, in any order and on any threads. The engine never starts a thread itself.
///
/// What is in a block never depends on the number of threads, so neither does any result.
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
};

/// Runs the blocks one after another on the calling thread. Shared, stateless, safe to use from
/// anywhere.
[[nodiscard]] THRONG_API Executor& serial_executor() noexcept;

} // namespace throng
