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
/// Neighbouring blocks use neighbouring memory, and blocks of one number in one loop and the next,
/// mostly, the same. So each thread begins with a share of its own, in which it finds in its caches
/// what it wrote before, and helps others when that is done.
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
    /// should have different numbers, the same ones in all loops.
    void work(std::size_t most, std::size_t thread = 0) noexcept;

    /// Whether work() would find a block.
    [[nodiscard]] bool has_work() const noexcept;

    /// Throws the exception that was kept, if any. All calls of work() must have returned, and this
    /// thread must have synchronised with their returns.
    void rethrow();

private:
    /// They take a kilobyte of stack. Of more threads several begin with the same share.
    static constexpr std::size_t kMostShares = 16;
    static constexpr std::size_t kLine = 64; // of a cache

    struct alignas(kLine) Share {
        std::atomic<std::size_t> next;
        std::size_t past;
    };

    [[nodiscard]] bool may_take(const Share& share) const noexcept;

    std::array<Share, kMostShares> shares_;
    const Executor::Body& body_;
    const std::size_t used_;   ///< of the shares
    std::exception_ptr error_; // written by the first to fail
    const FloatControls mode_;
    std::atomic<bool> failed_ = false;
};

} // namespace throng
