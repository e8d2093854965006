// Small agents and giants come and go one by one: a batch about all agents must have as many
// answers as the crowd says, each in its agent's place.
#include <throng/parallel/batch/batch.hpp>

#include "../../../support/dims.hpp"
#include "../../../support/random.hpp"
#include "../../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace throng {
namespace {

using Ids = std::vector<Id>;

constexpr Order kOrders[] = {Order::storage, Order::ids};

/// A world 20 wide with cells as wide as small agents, 2; it may be periodic, and may have statics.
template <std::size_t Dim>
Crowd<Dim> crowd_without_agents(bool periodic, bool statics) {
    CrowdSettings<Dim> settings;
    settings.bounds = Box<Dim>{{}, Point<Dim>::all(20.0f)};
    settings.cell = Point<Dim>::all(2.0f);
    settings.periodic.fill(periodic);
    Crowd<Dim> crowd;
    EXPECT_EQ(crowd.configure(settings, {true, false, {}}), Status{});
    if (!statics) { return crowd; }
    const std::vector<Point<Dim>> places = {Point<Dim>::all(3.0f), Point<Dim>::all(11.0f)};
    const std::vector<Point<Dim>> halves = {Point<Dim>::all(1.0f), Point<Dim>::all(4.0f)};
    Agents<Dim> standing;
    standing.positions =
        PointView<Dim>::interleaved(places[0].axis.data(), places.size(), sizeof(Point<Dim>));
    standing.half_extents =
        PointView<Dim>::interleaved(halves[0].axis.data(), halves.size(), sizeof(Point<Dim>));
    EXPECT_EQ(crowd.set_statics(standing), Status{});
    return crowd;
}

/// The agents that ask, and the crowd's own answers for each of them.
template <std::size_t Dim>
class Askers {
public:
    explicit Askers(const Crowd<Dim>& crowd, Order order) : crowd_(crowd) {
        if (order == Order::storage) {
            agents_.resize(crowd.size());
            EXPECT_EQ(crowd.order(agents_), agents_.size());
        } else {
            for (std::size_t id = 0; id < crowd.id_bound(); ++id) {
                agents_.push_back(crowd.contains(static_cast<Id>(id)) ? static_cast<Id>(id)
                                                                      : kNoId);
            }
        }
    }

    /// The asking agent of each answer; kNoId for an id without an agent.
    [[nodiscard]] const Ids& agents() const noexcept { return agents_; }

    [[nodiscard]] Ids neighbours_of(Id agent, const Point<Dim>& at, float radius, Sets sets) const {
        Ids ids(crowd_.size() + crowd_.size(Sets::statics) + 1);
        const Found found = crowd_.query(Ball<Dim>{at, radius}, ids, {kAllGroups, agent}, sets);
        EXPECT_EQ(found.status, Status{});
        ids.resize(found.count);
        return ids;
    }
    [[nodiscard]] std::vector<Near> nearest_to(Id agent, const Point<Dim>& at, std::uint32_t k,
                                               Sets sets) const {
        std::vector<Near> near(k);
        EXPECT_EQ(crowd_.nearest(at, {k}, near, {kAllGroups, agent}, sets).status, Status{});
        return near;
    }

private:
    const Crowd<Dim>& crowd_;
    Ids agents_;
};

template <std::size_t Dim>
class Churn {
public:
    Churn(Crowd<Dim> crowd, bool handles) : crowd_(std::move(crowd)), handles_(handles) {}

    void come(bool giant) {
        Point<Dim> at;
        for (std::size_t a = 0; a < Dim; ++a) {
            at[a] = random_.between(0.0f, 20.0f);
        }
        const Agent<Dim> agent{at, Point<Dim>::all(giant ? 3.0f : 0.5f), {}};
        if (handles_) {
            Handle handle;
            ASSERT_EQ(crowd_.add(agent, handle), Status{});
            note(handle.slot, at);
        } else {
            // The new name is mostly larger than all names so far, so that names have gaps.
            Id id = static_cast<Id>(places_.size()) + random_.below(3);
            if (random_.below(4) == 0) { id = random_.below(id + 1); }
            if (crowd_.contains(id)) { return; }
            ASSERT_EQ(crowd_.insert(id, agent), Status{});
            note(id, at);
        }
        ASSERT_EQ(giant, crowd_.contains(latest_, Sets::giants));
    }
    /// Removes the agent with the largest name, or any.
    void go(bool last) {
        if (crowd_.size() == 0) { return; }
        Ids all(crowd_.size());
        (void)crowd_.order(all);
        const Id id = last ? *std::max_element(all.begin(), all.end()) : all[below(all.size())];
        if (handles_) {
            ASSERT_EQ(crowd_.remove(crowd_.handle_of(id)), Status{});
        } else if (random_.below(4) == 0) {
            const std::vector<Edit<Dim>> edits = {Edit<Dim>::erase(id)};
            ASSERT_EQ(crowd_.edit(edits), Status{});
        } else {
            ASSERT_EQ(crowd_.erase(id), Status{});
        }
    }

    void check(Batch<Dim>& batch, Sets sets) const {
        for (const Order order : kOrders) {
            const Askers<Dim> askers(crowd_, order);
            ASSERT_EQ(Batch<Dim>::answers(crowd_, order), askers.agents().size());
            ASSERT_NO_FATAL_FAILURE(check_neighbours(batch, askers, order, sets));
            ASSERT_NO_FATAL_FAILURE(check_nearest(batch, askers, order, sets));
        }
    }

    [[nodiscard]] const Crowd<Dim>& crowd() const noexcept { return crowd_; }
    [[nodiscard]] std::size_t below(std::size_t bound) {
        return random_.below(static_cast<std::uint32_t>(bound));
    }

private:
    static constexpr float kRadius = 4.0f;
    static constexpr std::uint32_t kNear = 2;

    void note(Id id, const Point<Dim>& at) {
        if (id >= places_.size()) { places_.resize(std::size_t{id} + 1); }
        places_[id] = at;
        latest_ = id;
    }

    void check_neighbours(Batch<Dim>& batch, const Askers<Dim>& askers, Order order,
                          Sets sets) const {
        const Neighbourhood near{kRadius};
        const std::size_t answers = askers.agents().size();
        Hits hits;
        ASSERT_EQ(batch.neighbours({crowd_, sets}, near, hits, order), Status{});
        ASSERT_EQ(hits.offsets.size(), answers + 1);
        std::vector<std::uint64_t> offsets(answers + 1, 99'999);
        Ids ids(hits.total());
        ASSERT_EQ(batch.neighbours({crowd_, sets}, near, HitsOutput{offsets, ids}, order).count,
                  hits.total());
        ASSERT_EQ(offsets, hits.offsets);
        std::vector<std::uint32_t> counts(answers, 99'999);
        ASSERT_EQ(batch.count_neighbours({crowd_, sets}, near, counts, order).count, hits.total());
        for (std::size_t k = 0; k < answers; ++k) {
            const Id agent = askers.agents()[k];
            ASSERT_EQ(counts[k], hits.of(k).size()) << "answer " << k;
            if (agent == kNoId) {
                ASSERT_EQ(counts[k], 0u) << "answer " << k;
                continue;
            }
            ASSERT_EQ(Ids(hits.of(k).begin(), hits.of(k).end()),
                      askers.neighbours_of(agent, places_[agent], kRadius, sets))
                << "agent " << agent;
        }
        if (answers == 0) { return; }
        // All calls refuse arrays with room for one answer less.
        const HitsOutput short_one{std::span(offsets).first(answers), ids};
        ASSERT_EQ(batch.neighbours({crowd_, sets}, near, short_one, order).status,
                  (Status{Cause::no_room, Argument::offsets}));
        const std::span short_counts = std::span(counts).first(answers - 1);
        ASSERT_EQ(batch.count_neighbours({crowd_, sets}, near, short_counts, order).status,
                  (Status{Cause::no_room, Argument::counts}));
    }

    void check_nearest(Batch<Dim>& batch, const Askers<Dim>& askers, Order order, Sets sets) const {
        const NearestNeighbours wanted{kNear};
        const std::size_t answers = askers.agents().size();
        NearHits hits;
        ASSERT_EQ(batch.nearest_neighbours({crowd_, sets}, wanted, hits, order), Status{});
        ASSERT_EQ(hits.counts.size(), answers);
        ASSERT_EQ(hits.nearest.size(), answers * kNear);
        std::vector<Near> near(answers * kNear, Near{7.0f, 7});
        std::vector<std::uint32_t> counts(answers, 99'999);
        const Found found =
            batch.nearest_neighbours({crowd_, sets}, wanted, NearOutput{near, counts}, order);
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(near, hits.nearest);
        ASSERT_EQ(counts, hits.counts);
        for (std::size_t k = 0; k < answers; ++k) {
            const Id agent = askers.agents()[k];
            const std::vector<Near> expected =
                agent == kNoId ? std::vector<Near>(kNear)
                               : askers.nearest_to(agent, places_[agent], kNear, sets);
            ASSERT_TRUE(std::equal(expected.begin(), expected.end(), near.data() + k * kNear))
                << "answer " << k;
        }
        if (answers == 0) { return; }
        const NearOutput short_one{near, std::span(counts).first(answers - 1)};
        ASSERT_EQ(batch.nearest_neighbours({crowd_, sets}, wanted, short_one, order).status,
                  (Status{Cause::no_room, Argument::counts}));
    }

    Crowd<Dim> crowd_;
    bool handles_;
    scenes::Random random_{11};
    std::vector<Point<Dim>> places_; ///< of all agents ever added, by id
    Id latest_ = kNoId;
};

template <class Dim>
class CrowdBatchChurn : public testing::Test {};
TYPED_TEST_SUITE(CrowdBatchChurn, test::Dims, test::DimNames);

/// Calls call(churn) in every kind of world, with agents named by ids and by handles.
template <std::size_t Dim, class Call>
void for_each_churn(const Call& call) {
    for (const bool periodic : {false, true}) {
        for (const bool statics : {false, true}) {
            for (const bool handles : {false, true}) {
                SCOPED_TRACE(testing::Message()
                             << (periodic ? "periodic, " : "") << (statics ? "among statics, " : "")
                             << (handles ? "named by handles" : ""));
                Churn<Dim> churn(crowd_without_agents<Dim>(periodic, statics), handles);
                ASSERT_NO_FATAL_FAILURE(call(churn));
            }
        }
    }
}

/// The giant's name remains below id_bound(), although no table of the grid has it any more.
TYPED_TEST(CrowdBatchChurn, TheLastGiantLeavesAndItsNameWasTheLargest) {
    constexpr std::size_t kDim = TypeParam::value;
    Batch<kDim> batch;
    for_each_churn<kDim>([&](Churn<kDim>& churn) {
        for (const bool giant : {false, false, false, true}) {
            ASSERT_NO_FATAL_FAILURE(churn.come(giant));
        }
        ASSERT_EQ(churn.crowd().size(Sets::giants), 1u);
        ASSERT_NO_FATAL_FAILURE(churn.go(true));
        ASSERT_EQ(churn.crowd().size(Sets::giants), 0u);
        for (const Sets sets : {Sets::all, Sets::small, Sets::giants, Sets::statics}) {
            ASSERT_NO_FATAL_FAILURE(churn.check(batch, sets));
        }
    });
}

TYPED_TEST(CrowdBatchChurn, KeepsEveryAnswerInItsPlace) {
    constexpr std::size_t kDim = TypeParam::value;
    test::EagerPool pool(2);
    Batch<kDim> batch(pool);
    constexpr Sets kSome[] = {Sets::all, Sets::agents, Sets::small, Sets::giants, Sets::statics};
    for_each_churn<kDim>([&](Churn<kDim>& churn) {
        for (std::size_t step = 0; step < 120; ++step) {
            SCOPED_TRACE(testing::Message() << "step " << step);
            // Few giants come, so that sometimes the last of them leaves.
            const std::size_t what = churn.below(8);
            if (what < 4) {
                ASSERT_NO_FATAL_FAILURE(churn.come(what == 3));
            } else {
                ASSERT_NO_FATAL_FAILURE(churn.go(what < 7));
            }
            ASSERT_NO_FATAL_FAILURE(churn.check(batch, kSome[step % 5]));
        }
    });
}

} // namespace
} // namespace throng
