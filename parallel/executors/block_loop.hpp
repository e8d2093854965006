// A running loop over blocks; it lives on its caller's stack.
#pragma once

#include "../../engine/core/executor.hpp"
#include "float_controls.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>

namespace throng {

/// Hands out the blocks of a loop, each once, to the threads that ask for work.
///
/// Neighbouring blocks use neighbouring memory, and a block mostly uses the memory that the block
/// of the same number used in the loop before. So each thread begins with its own part of the
/// blocks, whose data its caches may still hold, and then helps the others.
class BlockLoop {
public:
    /// Notes the caller's floating-point mode. The body must outlive the loop. `threads` is how
    /// many are expected to come.
    BlockLoop(std::size_t blocks, const Executor::Body& body, std::size_t threads = 1) noexcept;
    BlockLoop(const BlockLoop&) = delete;
    BlockLoop& operator=(const BlockLoop&) = delete;
    ~BlockLoop() = default;

    /// Runs up to `most` blocks that no thread has taken, in the floating-point mode of the loop's
    /// caller. An exception is kept, and blocks that have not begun by then do not run. Threads
    /// should have different numbers, and keep these in all loops.
    void work(std::size_t most, std::size_t thread = 0) noexcept;

    /// Whether work() would find a block.
    [[nodiscard]] bool has_work() const noexcept;

    /// Throws the exception that was kept, if any. All calls of work() must have returned, and this
    /// thread must have synchronised with their returns.
    void rethrow();

private:
    /// This many parts take a kilobyte of stack. If there are more threads, several begin with the
    /// same part.
    static constexpr std::size_t kMostShares = 16;
    static constexpr std::size_t kLine = 64; // bytes of a cache line

    struct alignas(kLine) Share {
        std::atomic<std::size_t> next;
        std::size_t past;
    };

    [[nodiscard]] bool may_take(const Share& share) const noexcept;

    std::array<Share, kMostShares> shares_;
    const Executor::Body& body_;
    const std::size_t used_;   ///< elements of shares_ in use
    std::exception_ptr error_; // written by the first thread to fail
    const FloatControls mode_;
    std::atomic<bool> failed_ = false;
};

} // namespace throng
