// Every call of a crowd's batch, to be made over and over on whatever executor.
#pragma once

#include "../../support/hash.hpp"
#include "crowd_world.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {

/// What came of a call: `hash` stands for all that it answered.
struct CrowdOutcome {
    Status status;
    std::uint64_t hash = 0;

    friend bool operator==(const CrowdOutcome&, const CrowdOutcome&) = default;
};

/// The calls; one object keeps their outputs from one to the next, as a host does.
template <std::size_t Dim>
class CrowdCalls {
public:
    static constexpr std::size_t kCount = 22;
    /// Of the pairs, whose visitor sees blocks.
    static constexpr std::size_t kVisit = 21;

    /// As many questions as agents, all small; every other array is too short for most answers.
    explicit CrowdCalls(const World<Dim>& world) : crowd_(world.crowd) {
        const std::size_t agents = world.scene.size();
        for (std::size_t q = 0; q < agents; ++q) {
            const Point<Dim> at = world.scene.position_of(q);
            const float half = 0.1f * static_cast<float>(q % 9);
            boxes_.push_back(Box<Dim>::around(at, Point<Dim>::all(half)));
            balls_.push_back({at, 2.0f * half});
            points_.push_back(at);
            if (q % 8 == 0) { segments_.push_back({at, world.scene.position_of(agents - 1 - q)}); }
        }
        const std::size_t most = std::max(agents, crowd_.id_bound());
        offsets_.resize(most + 1);
        counts_.resize(most);
        ids_.resize(agents);
        seconds_.resize(agents);
        nearest_.resize(kNear * most);
        meetings_.resize(segments_.size());
    }

    /// Makes one of them. Lets through what it throws.
    [[nodiscard]] CrowdOutcome make(std::size_t call, Batch<Dim>& batch) {
        const Neighbourhood near = {0.5f, false, kAllGroups};
        const Neighbourhood far = {1.0f, true, 0x8000'0001u};
        const HitsBuffer some = {offsets_, ids_};
        const NearBuffer some_near = {nearest_, counts_};
        const std::span<const Point<Dim>> points(points_);
        const std::size_t all = boxes_.size(), bound = crowd_.id_bound(), size = crowd_.size();
        switch (call) {
        case 0:
            return listed(batch.query(crowd_, boxes_, hits_));
        case 1:
            return listed(batch.query(crowd_, balls_, hits_, kSome, Sets::giants | Sets::statics));
        case 2:
            return buffered(batch.query(crowd_, balls_, some), all);
        case 3:
            return buffered(batch.query(crowd_, segments_, some), segments_.size());
        case 4:
            return counted(batch.count(crowd_, boxes_, counts_, kSome), all);
        case 5:
            return counted(batch.any(crowd_, balls_, counts_), all);
        case 6:
            return met(batch.first(crowd_, segments_, meetings_));
        case 7:
            return listed(batch.neighbours(crowd_, near, hits_));
        case 8:
            return listed(batch.neighbours(crowd_, far, hits_, Order::ids));
        case 9:
            return listed(batch.neighbours(crowd_, near, hits_, Order::ids, Sets::statics));
        case 10:
            return buffered(batch.neighbours(crowd_, far, some), size);
        case 11:
            return buffered(batch.neighbours(crowd_, near, some, Order::ids), bound);
        case 12:
            return counted(batch.count_neighbours(crowd_, far, counts_), size);
        case 13:
            return counted(batch.count_neighbours(crowd_, near, counts_, Order::ids), bound);
        case 14:
            return listed_near(batch.nearest(crowd_, points, {5}, near_hits_));
        case 15:
            return buffered_near(batch.nearest(crowd_, points, {kNear, 0.5f}, some_near, kSome),
                                 all);
        case 16:
            return listed_near(batch.nearest_neighbours(crowd_, {3}, near_hits_, Order::ids));
        case 17:
            return buffered_near(batch.nearest_neighbours(crowd_, {kNear, 0.5f, true, 0x3u},
                                                          some_near, Order::storage),
                                 size);
        case 18:
            return listed_pairs(batch.pairs(crowd_, pairs_, PairSets::all));
        case 19:
            return buffered_pairs(
                batch.pairs(crowd_, PairsBuffer{ids_, seconds_}, PairSets::all, 0x3u));
        case 20:
            return counted(batch.count_pairs(crowd_, PairSets::all), 0);
        default:
            return visited(batch);
        }
    }

    /// All of them, which must succeed.
    [[nodiscard]] std::vector<std::uint64_t> make_all(Batch<Dim>& batch) {
        std::vector<std::uint64_t> hashes;
        for (std::size_t call = 0; call < kCount; ++call) {
            const CrowdOutcome outcome = make(call, batch);
            EXPECT_EQ(outcome.status, Status{}) << "call " << call;
            hashes.push_back(outcome.hash);
        }
        return hashes;
    }

    /// After a call that failed: whether the arrays that it would have filled have nothing in them.
    [[nodiscard]] bool is_empty(std::size_t call) const noexcept {
        const bool hits = call < 2 || (call >= 7 && call < 10);
        const bool near = call == 14 || call == 16;
        return (!hits || hits_.total() == 0) && (call != 18 || pairs_.count == 0) &&
               (!near || (near_hits_.nearest.empty() && near_hits_.counts.empty()));
    }
    void forget() {
        hits_ = {};
        pairs_ = {};
        near_hits_ = {};
    }

private:
    static constexpr Filter kSome = {0x3u, 7};
    static constexpr std::uint32_t kNear = 4;

    template <class Add>
    static CrowdOutcome hashed(const Found& found, const Add& add) {
        test::Hash hash;
        hash.add(found.count);
        if (found.status.ok()) { add(hash); }
        return {found.status, found.status.ok() ? hash.value() : 0};
    }
    static void add(test::Hash& hash, std::span<const std::uint64_t> offsets, const Ids& ids) {
        for (const std::uint64_t offset : offsets) {
            hash.add(offset);
        }
        hash.add(std::span(ids).first(std::min<std::size_t>(offsets.back(), ids.size())));
    }
    static void add(test::Hash& hash, std::span<const Near> nearest,
                    std::span<const std::uint32_t> counts) {
        for (const Near& near : nearest) {
            hash.add(std::bit_cast<std::uint32_t>(near.distance2));
            hash.add(near.id);
        }
        hash.add(counts);
    }
    static void add(test::Hash& hash, const Ids& first, const Ids& second, std::size_t count) {
        hash.add(std::span(first).first(std::min(count, first.size())));
        hash.add(std::span(second).first(std::min(count, second.size())));
    }

    CrowdOutcome listed(const Status& status) const {
        return hashed({0, status}, [&](test::Hash& hash) { add(hash, hits_.offsets, hits_.ids); });
    }
    CrowdOutcome buffered(const Found& found, std::size_t questions) const {
        return hashed(found, [&](test::Hash& hash) {
            add(hash, std::span(offsets_).first(questions + 1), ids_);
        });
    }
    CrowdOutcome counted(const Found& found, std::size_t questions) const {
        return hashed(found,
                      [&](test::Hash& hash) { hash.add(std::span(counts_).first(questions)); });
    }
    CrowdOutcome met(const Found& found) const {
        return hashed(found, [&](test::Hash& hash) {
            for (const PathHit& hit : meetings_) {
                hash.add(std::bit_cast<std::uint32_t>(hit.time));
                hash.add(hit.id);
            }
        });
    }
    CrowdOutcome listed_near(const Status& status) const {
        return hashed({0, status},
                      [&](test::Hash& hash) { add(hash, near_hits_.nearest, near_hits_.counts); });
    }
    CrowdOutcome buffered_near(const Found& found, std::size_t questions) const {
        return hashed(found, [&](test::Hash& hash) {
            add(hash, std::span(nearest_).first(kNear * questions),
                std::span(counts_).first(questions));
        });
    }
    CrowdOutcome listed_pairs(const Status& status) const {
        return hashed({0, status}, [&](test::Hash& hash) {
            add(hash, pairs_.first, pairs_.second, pairs_.count);
        });
    }
    CrowdOutcome buffered_pairs(const Found& found) const {
        return hashed(found, [&](test::Hash& hash) { add(hash, ids_, seconds_, found.count); });
    }
    CrowdOutcome visited(Batch<Dim>& batch) {
        visited_.assign(Batch<Dim>::pair_blocks(crowd_, PairSets::all), 0);
        const Found found = batch.visit_pairs(
            crowd_,
            [&](std::size_t block, std::span<const Id> first, std::span<const Id> second) {
                test::Hash hash;
                hash.add(visited_.at(block)); // zero, unless it comes again
                hash.add(first);
                hash.add(second);
                visited_[block] = hash.value();
                return true;
            },
            PairSets::all);
        return hashed(found, [&](test::Hash& hash) {
            for (const std::uint64_t block : visited_) {
                hash.add(block);
            }
        });
    }

    const Crowd<Dim>& crowd_;
    std::vector<Box<Dim>> boxes_;
    std::vector<Ball<Dim>> balls_;
    std::vector<Point<Dim>> points_;
    std::vector<Segment<Dim>> segments_;
    Hits hits_;
    Pairs pairs_;
    NearHits near_hits_;
    std::vector<std::uint64_t> offsets_, visited_;
    std::vector<std::uint32_t> counts_;
    Ids ids_, seconds_;
    std::vector<Near> nearest_;
    std::vector<PathHit> meetings_;
};

} // namespace throng::test
