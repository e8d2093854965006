#include "sequence_steps.hpp"

#include "memory_scope.hpp"

#include <algorithm>
#include <utility>

namespace throng {

/// Takes a step of the sequence, and ends the sequence if the step fails or was the last.
template <class Step>
Status SequenceSteps::take(const Step& step) {
    Status status;
    try {
        status = with_own_memory(own_, step);
    } catch (...) {
        end({});
        throw;
    }
    if (!status.ok() || loop_.blocks == 0) { end(status); }
    return status;
}

Status SequenceSteps::start(LoopSequence& sequence, LoopClaims& claims, MemorySource* own) {
    sequence_ = &sequence;
    claims_ = &claims;
    own_ = own;
    return take([&] { return advance(); });
}

Status SequenceSteps::next() {
    if (sequence_ == nullptr) { return {}; }
    return take([&] {
        const Status status = end_loop();
        return status.ok() ? advance() : status;
    });
}

Status SequenceSteps::advance() {
    const Status status = sequence_->next(loop_);
    if (!status.ok() || loop_.blocks == 0) { return status; }
    // For a certain loop the claims have room already: an earlier loop had as many blocks.
    if (!loop_.certain) { claims_->prepare(loop_.blocks); }
    claims_->start(loop_.blocks);
    return {};
}

Status SequenceSteps::end_loop() {
    if (loop_.certain) {
        run_missing();
        return {};
    }
    if (failed_) {
        if (!status_.ok()) { return status_; }
        std::rethrow_exception(std::exchange(error_, nullptr));
    }
    const std::size_t missing = claims_->first_unfinished();
    return missing == loop_.blocks ? Status{}
                                   : Status{Cause::executor_failed, Argument::executor, missing};
}

void SequenceSteps::end(const Status& status) noexcept {
    if (sequence_ == nullptr) { return; }
    sequence_ = nullptr;
    own_ = nullptr;
    loop_ = {};
    failed_ = false;
    status_ = {};
    error_ = nullptr;
    ended(status);
}

std::size_t SequenceSteps::threads_worth() const noexcept {
    return std::clamp<std::size_t>(loop_.blocks, 1, loop_.cost.threads_worth());
}

void SequenceSteps::run(std::size_t begin, std::size_t end) noexcept {
    const std::size_t past = std::min(end, loop_.blocks);
    if (begin >= past) { return; }
    try {
        const Status status = with_own_memory(own_, [&] {
            for (std::size_t block = begin; block < past; ++block) {
                run_block(block);
            }
            return Status();
        });
        if (!status.ok()) { fail(status, nullptr); }
    } catch (...) { fail({}, std::current_exception()); }
}

void SequenceSteps::run_block(std::size_t block) {
    if (failed_.load(std::memory_order_relaxed) || !claims_->claim(block)) { return; }
    sequence_->run(block);
    claims_->finish(block);
}

void SequenceSteps::run_missing() {
    for (std::size_t b = claims_->first_unfinished(); b < loop_.blocks; ++b) {
        run_block(b);
    }
}

void SequenceSteps::fail(const Status& status, std::exception_ptr error) noexcept {
    // Only the first block to fail writes `status_` and `error_`; both are read after all blocks
    // have ended.
    if (failed_.exchange(true, std::memory_order_acq_rel)) { return; }
    status_ = status;
    error_ = std::move(error);
}

void SequenceSteps::cancel() noexcept {
    while (loop_.certain) {
        (void)next();
    }
    end({});
}

} // namespace throng
