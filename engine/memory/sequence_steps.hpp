// A sequence of loops whose blocks the host runs. Internal to the engine.
#pragma once

#include "loop_sequence.hpp"
#include "memory_source.hpp"

#include <atomic>
#include <cstddef>
#include <exception>

namespace throng {

/// Hands out the blocks of one loop after another, and never waits. The base of ChangeState;
/// change.hpp explains the public calls. An object may serve many sequences, one after another, if
/// cancel() is called between them.
class SequenceSteps {
public:
    SequenceSteps() = default;
    SequenceSteps(const SequenceSteps&) = delete;
    SequenceSteps& operator=(const SequenceSteps&) = delete;
    /// A derived class must call cancel() in its own destructor, while ended() can still be called.
    virtual ~SequenceSteps() = default;

    [[nodiscard]] std::size_t blocks() const noexcept { return loop_.blocks; }
    [[nodiscard]] std::size_t threads_worth() const noexcept;
    void run(std::size_t begin, std::size_t end) noexcept;
    Status next();
    void cancel() noexcept;

protected:
    /// Begins a sequence. It and `claims` must live until ended() is called. All its steps and
    /// blocks take memory from the source `own`; null: from the source of the thread that runs
    /// them.
    Status start(LoopSequence& sequence, LoopClaims& claims, MemorySource* own);

    /// Called when the sequence is done, has failed with this status, or was given up; the
    /// sequence is not used after that.
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

    LoopSequence* sequence_ = nullptr; // null: no sequence is in progress
    LoopClaims* claims_ = nullptr;
    MemorySource* own_ = nullptr;
    LoopSequence::Loop loop_;
    std::atomic<bool> failed_ = false;
    // The failure of the first block that failed: a status, or else an exception.
    Status status_;
    std::exception_ptr error_;
};

} // namespace throng
