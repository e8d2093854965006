// Tests lists of agents in a kernel and hands the hits to a visitor. Internal to the engine.
#pragma once

#include "../../simd/isa/slack.hpp"
#include "../../simd/kernels/family/query_buckets.hpp"
#include "../agents/agents.hpp"
#include "../agents/filter.hpp"
#include "../answers/id_runs.hpp"
#include "../shapes/kernel_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace throng {

/// The facts of a crowd that a scan needs. `max_half_extent` is the half extent that all agents
/// have, or the largest.
template <std::size_t Dim>
[[nodiscard]] simd::ScanCrowd scan_crowd(const CrowdKind<Dim>& kind,
                                         const Point<Dim>& max_half_extent) noexcept {
    simd::ScanCrowd crowd{};
    std::copy_n(max_half_extent.axis.data(), Dim, crowd.max_half_extent);
    crowd.own_extents = kind.own_half_extents;
    crowd.groups = kind.groups;
    return crowd;
}

/// Tests the agents of lists that are added one by one, many lists in one call of the kernel.
template <std::size_t Dim, class Shape>
class BucketQuery {
public:
    BucketQuery(const simd::ScanCrowd& crowd, const Shape& shape, const Filter& filter,
                IndexVisitor visitor, std::size_t most = kLongestRun) noexcept
        : crowd_(crowd), visitor_(visitor), most_(std::clamp<std::size_t>(most, 1, kLongestRun)) {
        enough_ = filter.groups == 0; // then no agent matches, with masks or without
        kernel_filter_.groups = crowd.groups ? filter.groups : kAllGroups;
        kernel_filter_.without = filter.without;
        fill(block_, 0, shape);
        // A caller that wants few hits should not pay for tests of many agents.
        if (most < kSpans) { at_once_ = std::max<std::size_t>(most, 1); }
    }
    BucketQuery(const BucketQuery&) = delete;
    BucketQuery& operator=(const BucketQuery&) = delete;

    /// Adds a list of agents. False once the visitor has enough.
    bool add(const simd::ScanSpan& span) {
        spans_[held_++] = span;
        return held_ < at_once_ || test();
    }

    /// Tests all lists added so far, so that the caller may reuse their memory. False once the
    /// visitor has enough.
    bool flush() { return !enough_ && (held_ == 0 || test()); }

    /// Tests what is left, unless the visitor had enough, and returns how many hits were visited.
    Found finish() {
        flush();
        return {visited_, {}};
    }

private:
    static constexpr std::size_t kSpans = 64;

    bool test() {
        simd::QueryCursor cursor;
        for (bool done = false; !done && !enough_;) {
            cursor.out = run_.data();
            cursor.end = run_.data() + kLongestRun;
            done = simd::scan(crowd_, block_, kernel_filter_, spans_.data(), held_, cursor);
            hand_over({run_.data(), static_cast<std::size_t>(cursor.out - run_.data())});
        }
        held_ = 0;
        return !enough_;
    }

    void hand_over(std::span<const Id> ids) {
        while (!ids.empty() && !enough_) {
            const std::size_t count = std::min(ids.size(), most_);
            visited_ += count;
            enough_ = !visitor_(ids.first(count));
            ids = ids.subspan(count);
        }
    }

    simd::ScanCrowd crowd_;
    simd::KernelFilter kernel_filter_;
    IndexVisitor visitor_;
    std::size_t most_, at_once_ = kSpans, held_ = 0, visited_ = 0;
    bool enough_ = false;
    BlockOf<Shape> block_;
    std::array<simd::ScanSpan, kSpans> spans_; // left uninitialised, like run_
    std::array<Id, kLongestRun + simd::kSlack> run_;
};

} // namespace throng
