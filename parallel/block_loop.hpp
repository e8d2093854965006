// One loop over blocks while it runs, on the stack of its caller.
#pragma once

#include "../engine/executor.hpp"

#include <atomic>
#include <cfenv>
#include <cstddef>
#include <exception>

namespace throng {

/// Hands out the blocks of a loop, each once, to whichever threads ask for work.
class BlockLoop {
public:
    /// Notes the caller's floating-point mode. The body must outlive the loop.
    BlockLoop(std::size_t blocks, const Executor::Body& body) noexcept;
    BlockLoop(const BlockLoop&) = delete;
    BlockLoop& operator=(const BlockLoop&) = delete;
    ~BlockLoop() = default;

    /// Runs up to `most` blocks that nobody has taken, in the floating-point mode of whoever began
    /// the loop. An exception is kept, and keeps blocks that have not begun from running.
    void work(std::size_t most) noexcept;

    /// Whether work() would find a block.
    [[nodiscard]] bool has_work() const noexcept;

    /// Throws the exception that was kept, if one was. All calls of work() must have returned, and
    /// that must have been made known to this thread.
    void rethrow();

private:
    const std::size_t blocks_;
    const Executor::Body& body_;
    std::fenv_t mode_{};
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> failed_ = false;
    std::exception_ptr error_; // written by the first to fail
};

} // namespace throng
