// A Crowd that is asked in batches, as an index.
#pragma once

#include "../support/threads/executors.hpp"
#include "subjects.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <algorithm>
#include <memory>

namespace throng::test {

/// Runs blocks in another order each time, and counts the loops that had blocks.
class CountedShuffle final : public Executor {
public:
    inline static std::size_t shuffled = 0;
    void run(std::size_t blocks, Body body) override {
        shuffled += blocks > 1 ? 1u : 0u;
        shuffle_.run(blocks, body);
    }

private:
    ShuffleExecutor shuffle_{7};
};

/// Asks every question as a batch; a single question is a batch of one. There is no batch for
/// hits().
template <std::size_t Dim>
class CrowdByBatches : public Crowd<Dim> {
    using Base = Crowd<Dim>;

public:
    CrowdByBatches() : executor_(std::make_unique<CountedShuffle>()), batch_(*executor_) {}

    Status update(const Agents<Dim>& agents) { return Base::update(agents, *executor_); }
    Status edit(std::span<const Edit<Dim>> edits) { return Base::edit(edits, *executor_); }

    template <ShapeIn<Dim> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {}) const {
        Found found{0, batch_.query(*this, one(shape), hits_, filter)};
        if (!found.status.ok()) { return found; }
        for (auto left = hits_.of(0); !left.empty();) {
            const auto run = left.first(std::min(left.size(), kLongestRun));
            left = left.subspan(run.size());
            found.count += run.size();
            if (!visitor(run)) { break; }
        }
        return found;
    }
    template <ShapeIn<Dim> Shape>
    Found query(const Shape& shape, std::span<Id> out, const Filter& filter = {}) const {
        std::uint64_t offsets[2];
        return batch_.query(*this, one(shape), HitsOutput{offsets, out}, filter);
    }
    template <ShapesIn<Dim> Shapes>
    Found query(const Shapes& shapes, Hits& hits, const Filter& filter = {}) const {
        const std::vector<Filter> each(SpanOf<Shapes>(shapes).size(), filter);
        return batch_.query(*this, shapes, hits, each);
    }
    template <ShapeIn<Dim> Shape>
    Found count(const Shape& shape, const Filter& filter = {}) const {
        std::uint32_t count[1];
        return batch_.count(*this, one(shape), count, filter);
    }
    template <ShapeIn<Dim> Shape>
    Found any(const Shape& shape, const Filter& filter = {}) const {
        std::uint32_t any[1];
        return batch_.any(*this, one(shape), any, filter);
    }

    Found nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                  const Filter& filter = {}) const {
        std::uint32_t count[1];
        return batch_.nearest(*this, one(point), nearest, NearOutput{out, count}, filter);
    }
    template <PathIn<Dim> Path>
    Found first(const Path& path, PathHit& hit, const Filter& filter = {}) const {
        PathHit met[1]; // a batch also writes a slot for no hit
        const Found found = batch_.first(*this, one(path), met, filter);
        if (found.count != 0) { hit = met[0]; }
        return found;
    }

    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const {
        return batch_.visit_pairs(
            *this,
            [&](std::size_t, std::span<const Id> first, std::span<const Id> second) {
                return visitor(first, second);
            },
            groups);
    }

private:
    template <class Asked>
    static std::span<const Asked> one(const Asked& asked) noexcept {
        return {&asked, 1};
    }

    std::unique_ptr<CountedShuffle> executor_; // has a fixed address when the crowd is moved
    mutable Batch<Dim> batch_;
    mutable Hits hits_;
};

template <std::size_t Dim>
struct InCrowdByBatches : Family<CrowdByBatches<Dim>, Dim> {
    static constexpr const char* kName = "crowd_by_batches";
};

} // namespace throng::test
