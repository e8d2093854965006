// A rank that can run out of memory.
#pragma once

#include "../support/allocation_counter.hpp"
#include "../support/watched_ranks.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace throng::test {

/// A rank whose allocations fail, except those of the seam, which are not the grid's.
class Starved final : public WatchedRanks {
public:
    using WatchedRanks::WatchedRanks;

    /// After `successes` more allocations, the next one fails.
    void starve(std::size_t successes) {
        left_ = successes;
        resume();
    }
    /// Ends this, and returns whether an allocation has failed.
    bool feed() {
        pause();
        left_.reset();
        return std::exchange(failed_, false);
    }

private:
    Status around(FunctionRef<Status()> call) override {
        pause();
        const Status status = call();
        resume();
        return status;
    }
    void pause() {
        if (!failing_) { return; }
        failed_ = failed_ || failing_->failed();
        const std::size_t used = allocations() - since_;
        left_ = used <= *left_ ? std::optional<std::size_t>(*left_ - used) : std::nullopt;
        failing_.reset();
    }
    void resume() {
        if (!left_ || failed_) { return; }
        since_ = allocations();
        failing_.emplace(*left_);
    }

    std::optional<FailingAllocations> failing_;
    std::optional<std::size_t> left_;
    std::size_t since_ = 0;
    bool failed_ = false;
};

} // namespace throng::test
