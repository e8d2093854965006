// Every call of a crowd's batch, to repeat on any executor.
#pragma once

#include "../every_call.hpp"
#include "crowd_world.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace throng::test {

template <std::size_t Dim>
class CrowdCalls : public EveryCall<CrowdCalls<Dim>> {
public:
    static constexpr std::size_t kCount = 26;
    /// The number of the call that visits pairs, by blocks.
    static constexpr std::size_t kVisit = 21;

    /// As many small questions as agents; every other array is too short for most answers.
    explicit CrowdCalls(const World<Dim>& world)
        : EveryCall<CrowdCalls>(std::max(world.scene.size(), world.crowd.id_bound()),
                                world.scene.size()),
          crowd_(world.crowd) {
        const std::size_t agents = world.scene.size();
        for (std::size_t q = 0; q < agents; ++q) {
            const Point<Dim> at = world.scene.position_of(q);
            const float half = 0.1f * static_cast<float>(q % 9);
            boxes_.push_back(Box<Dim>::around(at, Point<Dim>::all(half)));
            balls_.push_back({at, 2.0f * half});
            points_.push_back(at);
            if (q % 8 == 0) { segments_.push_back({at, world.scene.position_of(agents - 1 - q)}); }
        }
        this->out_.path_hits.resize(segments_.size());
    }

    /// Makes the call with this number. Exceptions pass through.
    [[nodiscard]] Outcome make(std::size_t call, Batch<Dim>& batch) {
        const Neighbourhood near = {0.5f, false, kAllGroups};
        const Neighbourhood far = {1.0f, true, 0x8000'0001u};
        Outputs& out = this->out_;
        const HitsOutput some = out.some();
        const NearOutput some_near = out.some_near();
        const std::span<const Point<Dim>> points(points_);
        const std::size_t all = boxes_.size(), bound = crowd_.id_bound(), size = crowd_.size();
        switch (call) {
        case 0:
            return out.listed(batch.query(crowd_, boxes_, out.hits));
        case 1:
            return out.listed(
                batch.query({crowd_, Sets::giants | Sets::statics}, balls_, out.hits, kSome));
        case 2:
            return out.buffered(batch.query(crowd_, balls_, some), all);
        case 3:
            return out.buffered(batch.query(crowd_, segments_, some), segments_.size());
        case 4:
            return out.counted(batch.count(crowd_, boxes_, out.counts, kSome), all);
        case 5:
            return out.counted(batch.any(crowd_, balls_, out.counts), all);
        case 6:
            return out.met(batch.first(crowd_, segments_, out.path_hits));
        case 7:
            return out.listed(batch.neighbours(crowd_, near, out.hits));
        case 8:
            return out.listed(batch.neighbours(crowd_, far, out.hits, Order::ids));
        case 9:
            return out.listed(
                batch.neighbours({crowd_, Sets::statics}, near, out.hits, Order::ids));
        case 10:
            return out.buffered(batch.neighbours(crowd_, far, some), size);
        case 11:
            return out.buffered(batch.neighbours(crowd_, near, some, Order::ids), bound);
        case 12:
            return out.counted(batch.count_neighbours(crowd_, far, out.counts), size);
        case 13:
            return out.counted(batch.count_neighbours(crowd_, near, out.counts, Order::ids), bound);
        case 14:
            return out.listed_near(batch.nearest(crowd_, points, {5}, out.near_hits));
        case 15:
            return out.buffered_near(
                batch.nearest(crowd_, points, {Outputs::kNear, 0.5f}, some_near, kSome), all);
        case 16:
            return out.listed_near(
                batch.nearest_neighbours(crowd_, {3}, out.near_hits, Order::ids));
        case 17:
            return out.buffered_near(batch.nearest_neighbours(crowd_,
                                                              {Outputs::kNear, 0.5f, true, 0x3u},
                                                              some_near, Order::storage),
                                     size);
        case 18:
            return out.listed_pairs(batch.pairs({crowd_, PairSets::all}, out.pairs));
        case 19:
            return out.buffered_pairs(batch.pairs({crowd_, PairSets::all}, out.some_pairs(), 0x3u));
        case 20:
            return out.counted(batch.count_pairs({crowd_, PairSets::all}), 0);
        case 21:
            return out.listed_pairs(batch.pairs_within({crowd_, PairSets::all}, 0.5f, out.pairs));
        case 22:
            return out.buffered_pairs(
                batch.pairs_within({crowd_, PairSets::all}, 0.5f, out.some_pairs(), 0x3u));
        case 23:
            return out.listed(batch.neighbours(crowd_, {0.5f, true, 0x3u, true}, out.hits));
        case 24:
            return out.counted(batch.count_neighbours(crowd_, {0.5f, false, kAllGroups, true},
                                                      out.counts, Order::ids),
                               bound);
        default:
            return out.visited(Batch<Dim>::pair_blocks({crowd_, PairSets::all}), [&](auto visitor) {
                return batch.visit_pairs({crowd_, PairSets::all}, visitor);
            });
        }
    }

    /// After a failed call: whether the arrays that it fills are empty.
    [[nodiscard]] bool is_empty(std::size_t call) const noexcept {
        const bool hits = call < 2 || (call >= 7 && call < 10) || call == 23;
        const bool pairs = call == 18 || call == 21;
        const bool near = call == 14 || call == 16;
        return (!hits || this->out_.has_no_hits()) && (!pairs || this->out_.has_no_pairs()) &&
               (!near || this->out_.has_no_near());
    }

private:
    static constexpr Filter kSome = {0x3u, 7};

    const Crowd<Dim>& crowd_;
    std::vector<Box<Dim>> boxes_;
    std::vector<Ball<Dim>> balls_;
    std::vector<Point<Dim>> points_;
    std::vector<Segment<Dim>> segments_;
};

} // namespace throng::test
