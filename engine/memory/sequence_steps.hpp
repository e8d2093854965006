// A sequence of loops whose blocks the host runs. Internal to the engine.
#pragma once

#include "loop_sequence.hpp"
#include "memory_source.hpp"

#include <atomic>
#include <cstddef>
#include <exception>

namespace throng {

/// Hands out the blocks of one loop after another, and never waits: what GridChange and CrowdChange
/// have in common, and where their public calls are explained. After cancel() one object serves the
/// next sequence.
class SequenceSteps {
public:
    SequenceSteps() = default;
    SequenceSteps(const SequenceSteps&) = delete;
    SequenceSteps& operator=(const SequenceSteps&) = delete;
    /// Whoever derives calls cancel() in its own, while ended() can still be called.
    virtual ~SequenceSteps() = default;

    [[nodiscard]] std::size_t blocks() const noexcept { return loop_.blocks; }
    [[nodiscard]] std::size_t threads_worth() const noexcept;
    void run(std::size_t begin, std::size_t end) noexcept;
    Status next();
    void cancel() noexcept;

protected:
    /// Begins a sequence, which lives, as `claims` do, until ended() is called. With a source of
    /// their own all its steps and blocks take memory there; null: as the thread does that runs
    /// them.
    Status start(LoopSequence& sequence, LoopClaims& claims, MemorySource* own);

    /// The sequence is done, has failed with this status, or was given up: it is not used any more.
    virtual void ended(const Status& status) noexcept = 0;

private:
    template <class Step>
    Status take(const Step& step);
    Status advance();
    [[nodiscard]] Status end_loop();
    void end(const Status& status) noexcept;

    void run_block(std::size_t block);
    void run_missing();
    void fail(const Status& status, std::exception_ptr error) noexcept;

    LoopSequence* sequence_ = nullptr; // null: none has begun
    LoopClaims* claims_ = nullptr;
    MemorySource* own_ = nullptr;
    LoopSequence::Loop loop_;
    std::atomic<bool> failed_ = false;
    // Of the first block that failed: a status, or else an exception.
    Status status_;
    std::exception_ptr error_;
};

} // namespace throng
