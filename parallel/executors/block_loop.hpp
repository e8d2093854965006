// A running loop over blocks; it lives on its caller's stack.
#pragma once

#include "../../engine/core/executor.hpp"
#include "float_controls.hpp"

#include <atomic>
#include <cstddef>
#include <exception>

namespace throng {

/// Hands out the blocks of a loop, each once, to the threads that ask for work.
class BlockLoop {
public:
    /// Notes the caller's floating-point mode. The body must outlive the loop.
    BlockLoop(std::size_t blocks, const Executor::Body& body) noexcept;
    BlockLoop(const BlockLoop&) = delete;
    BlockLoop& operator=(const BlockLoop&) = delete;
    ~BlockLoop() = default;

    /// Runs up to `most` blocks that no thread has taken, in the floating-point mode of the loop's
    /// caller. An exception is kept, and blocks that have not begun by then do not run.
    void work(std::size_t most) noexcept;

    /// Whether work() would find a block.
    [[nodiscard]] bool has_work() const noexcept;

    /// Throws the exception that was kept, if any. All calls of work() must have returned, and this
    /// thread must have synchronised with their returns.
    void rethrow();

private:
    const std::size_t blocks_;
    const Executor::Body& body_;
    const FloatControls mode_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> failed_ = false;
    std::exception_ptr error_; // written by the first to fail
};

} // namespace throng
