// Ids on their way to a visitor. Internal to the engine.
#pragma once

#include "../agents/found.hpp"
#include "spatial_index.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace throng {

/// Collects ids one by one, and hands them over in runs of at most `most`.
class IdRuns {
public:
    explicit IdRuns(IndexVisitor visitor, std::size_t most = kLongestRun) noexcept
        : visitor_(visitor), most_(std::clamp<std::size_t>(most, 1, kLongestRun)) {}
    IdRuns(const IdRuns&) = delete;
    IdRuns& operator=(const IdRuns&) = delete;

    /// False once the visitor has enough.
    bool add(Id id) {
        run_[held_++] = id;
        return held_ < most_ || hand_over();
    }

    /// Hands over the remaining ids, unless the visitor had enough, and returns how many were
    /// visited.
    Found finish() {
        if (held_ != 0 && !enough_) { hand_over(); }
        return {visited_, {}};
    }

private:
    bool hand_over() {
        visited_ += held_;
        enough_ = !visitor_({run_.data(), held_});
        held_ = 0;
        return !enough_;
    }

    IndexVisitor visitor_;
    std::size_t most_, held_ = 0, visited_ = 0;
    bool enough_ = false;
    std::array<Id, kLongestRun> run_; // not initialised: only what was added is read
};

/// The same for pairs.
class PairRuns {
public:
    explicit PairRuns(IndexPairVisitor visitor) noexcept : visitor_(visitor) {}
    PairRuns(const PairRuns&) = delete;
    PairRuns& operator=(const PairRuns&) = delete;

    bool add(Id first, Id second) {
        first_[held_] = first;
        second_[held_++] = second;
        return held_ < kLongestRun || hand_over();
    }

    Found finish() {
        if (held_ != 0 && !enough_) { hand_over(); }
        return {visited_, {}};
    }

private:
    bool hand_over() {
        visited_ += held_;
        enough_ = !visitor_({first_.data(), held_}, {second_.data(), held_});
        held_ = 0;
        return !enough_;
    }

    IndexPairVisitor visitor_;
    std::size_t held_ = 0, visited_ = 0;
    bool enough_ = false;
    std::array<Id, kLongestRun> first_, second_;
};

} // namespace throng
