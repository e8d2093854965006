// The questions of every host: about all agents in whole batches, and about small agents in parts.
#pragma once

#include "../../engine/grid/grid_parts.hpp"
#include "scene.hpp"

#include <throng/jobs.hpp>
#include <throng/throng.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hosts {

inline constexpr throng::Neighbourhood kNear{.radius = 1.25f};

/// Whole batches: the executor that the batch was made with does the work.
class WholeCrowd {
public:
    void ask(throng::Batch<2>& batch, const throng::Crowd<2>& crowd, const Scene& scene) {
        demand(batch.neighbours(crowd, kNear, near_));
        demand(batch.pairs({crowd, throng::PairSets::all}, pairs_));
        demand(batch.query(crowd, scene.balls(), hits_));
        demand(batch.nearest(crowd, scene.points(), {.k = 4}, nearest_));
    }

    void add_to(Hash& hash) const {
        hash.add(near_.offsets, near_.ids);
        hash.add(pairs_);
        hash.add(hits_.offsets, hits_.ids);
        hash.add(nearest_);
    }

private:
    throng::Hits near_, hits_;
    throng::Pairs pairs_;
    throng::NearHits nearest_;
};

/// One job's share of the questions, with room of its own for the answers.
class Part {
public:
    /// Asks for the agents of one slice of the grid, and for some of the balls.
    void ask(const throng::RowGrid<2>& grid, std::size_t slice,
             std::span<const throng::Ball<2>> balls) {
        scratch_.resize(throng::GridParts<2>::scratch());

        near_.offsets.resize(grid.parts().agents_in(slice, slice + 1) + 1);
        grow(near_.ids, [&] {
            return grid.parts().neighbours(kNear, slice, slice + 1, scratch_,
                                           {near_.offsets, near_.ids});
        });

        hits_.offsets.resize(balls.size() + 1);
        grow(hits_.ids, [&] {
            return grid.parts().query(balls, 0, balls.size(), scratch_, {hits_.offsets, hits_.ids});
        });

        pairs_.count = grow(pairs_.first, [&] {
            pairs_.second.resize(pairs_.first.size());
            return grid.parts().pairs(slice, slice + 1, scratch_, {pairs_.first, pairs_.second});
        });
    }

    [[nodiscard]] const throng::Hits& near() const { return near_; }
    [[nodiscard]] const throng::Hits& hits() const { return hits_; }
    [[nodiscard]] const throng::Pairs& pairs() const { return pairs_; }

private:
    /// Asks, and asks again if there was too little room. Returns the number of answers.
    template <class Call>
    static std::size_t grow(std::vector<throng::Id>& ids, const Call& call) {
        throng::Found found = call();
        if (found.status.ok() && found.count > ids.size()) {
            ids.resize(found.count + found.count / 4);
            found = call();
        }
        demand(found.status);
        return found.count;
    }

    std::vector<std::uint32_t> scratch_;
    throng::Hits near_, hits_;
    throng::Pairs pairs_;
};

/// The same questions about small agents, divided into jobs for the host: one for each slice of the
/// grid. A job writes only to its own part, so jobs may run in any order and on any threads.
class Parts {
public:
    /// Called before the jobs of a frame.
    void cut(const throng::RowGrid<2>& grid, const Scene& scene) {
        grid_ = &grid;
        balls_ = scene.balls();
        jobs_ = grid.parts().slices();
        if (jobs_ > parts_.size()) { parts_.resize(jobs_); }
    }

    [[nodiscard]] std::size_t jobs() const { return jobs_; }

    void ask(std::size_t job) {
        const std::size_t begin = balls_.size() * job / jobs_;
        const std::size_t end = balls_.size() * (job + 1) / jobs_;
        parts_[job].ask(*grid_, job, balls_.subspan(begin, end - begin));
    }

    /// Called after the jobs. In the order of the parts, the answers are those of one call.
    void add_to(Hash& hash) const {
        const std::span<const Part> parts(parts_.data(), jobs_);
        for (const Part& part : parts) {
            hash.add(part.near().offsets, part.near().ids);
        }
        for (const Part& part : parts) {
            hash.add(part.hits().offsets, part.hits().ids);
        }
        for (const Part& part : parts) {
            hash.add(part.pairs());
        }
    }

private:
    const throng::RowGrid<2>* grid_ = nullptr;
    std::span<const throng::Ball<2>> balls_;
    std::size_t jobs_ = 0;
    std::vector<Part> parts_;
};

} // namespace hosts
