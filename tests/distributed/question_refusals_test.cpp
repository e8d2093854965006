// Questions that fail on one rank: all ranks get the same status, the previous answers remain, and
// the next call is answered.
#include "../support/numbers.hpp"
#include "starved.hpp"
#include "town.hpp"

#include <throng/distributed/one_rank.hpp>

#include <cstring>
#include <functional>
#include <string>

namespace throng::test {
namespace {

constexpr std::uint32_t kAskingRanks = 3;

/// The questions of a rank, and their answers.
struct Asked {
    std::vector<Ball<2>> balls;
    std::vector<Segment<2>> paths;
    std::vector<Point<2>> points;
    std::vector<GlobalFilter> filters;
    GlobalNearest nearest{3};
    NearestNeighbours neighbours{2};
    std::optional<ShapesView<2>> instead; ///< of balls or paths

    GlobalHits hits;
    std::vector<std::uint64_t> counts, found;
    GlobalNearHits near, nearest_neighbours;
    std::vector<GlobalMeeting> first;
    GlobalMeetings meetings;

    explicit Asked(const Town<2>& town, const Ranks& ranks) {
        scenes::Random random(ranks.rank());
        for (std::size_t i = 0; i < 4; ++i) {
            const Point<2> here = town.scene.position_of(random.below(100));
            const Point<2> there = town.scene.position_of(random.below(100));
            balls.push_back({here, random.between(0.5f, 6.0f)});
            paths.push_back({here, there});
            points.push_back(there);
        }
        counts.assign(balls.size(), 7);
        found.assign(balls.size(), 7);
    }

    Status ask(DistributedGrid<2>& crowd, std::size_t which,
               Executor& executor = serial_executor()) {
        const ShapesView<2> shapes = instead ? *instead : ShapesView<2>(balls);
        const ShapesView<2> ways = instead ? *instead : ShapesView<2>(paths);
        switch (which) {
        case 0:
            return crowd.query(shapes, hits, filters, executor);
        case 1:
            return crowd.count(shapes, counts, filters, executor);
        case 2:
            return crowd.any(shapes, found, filters, executor);
        case 3:
            return crowd.nearest(points, nearest, near, filters, executor);
        case 4:
            return crowd.first(ways, first, filters, executor);
        case 5:
            return crowd.meetings(ways, meetings, filters, executor);
        default:
            return crowd.nearest_neighbours(neighbours, nearest_neighbours, executor);
        }
    }

    /// All answers so far.
    [[nodiscard]] auto answers() const {
        std::vector<GlobalNear> all(near.nearest);
        all.insert(all.end(), nearest_neighbours.nearest.begin(), nearest_neighbours.nearest.end());
        std::vector<GlobalMeeting> met(first);
        met.insert(met.end(), meetings.meetings.begin(), meetings.meetings.end());
        return std::tuple(hits.ids, hits.offsets, counts, found, all, met);
    }
};
constexpr std::size_t kQuestions = 7;

/// Calls body(ranks, crowd, asked) on each rank, once the crowd is up to date.
void with_town(ThreadRanks& job, std::size_t question_bytes,
               const std::function<void(Ranks&, DistributedGrid<2>&, Asked&)>& body) {
    auto scene = scenes::make<2>("clustered", 200);
    const Town<2> town(scene);
    job.run([&](Ranks& plain) {
        Starved ranks(plain);
        DistributedGrid<2> crowd(ranks);
        Share<2> mine;
        town.deal(ranks, mine);
        auto settings = town.settings;
        settings.question_bytes = question_bytes;
        ASSERT_EQ(crowd.configure(settings), Status{});
        ASSERT_EQ(crowd.set_statics(town.statics), Status{});
        ASSERT_EQ(crowd.update(mine), Status{});
        Asked asked(town, ranks);
        body(ranks, crowd, asked);
    });
}

/// One question that one rank spoils.
struct Spoilt {
    std::vector<std::size_t> questions;
    std::function<void(Asked&)> spoil;
    Status wanted;
};

TEST(QuestionRefusals, ABadArgumentOnAnyRank) {
    const Segment<2> bad_path{{{0.0f, 0.0f}}, {{0.0f, 2e18f}}};
    const std::vector<Spoilt> all = {
        {{0, 1, 2},
         [](Asked& asked) { asked.balls[2].radius = -1.0f; },
         {Cause::negative, Argument::ball, 2}},
        {{0, 1, 2},
         [](Asked& asked) { asked.balls[3].centre[0] = kNan; },
         {Cause::not_finite, Argument::ball, 3}},
        {{4, 5},
         [&](Asked& asked) { asked.paths[1] = bad_path; },
         {Cause::too_large, Argument::segment, 1}},
        {{4, 5},
         [](Asked& asked) { asked.instead.emplace(asked.balls); },
         {Cause::out_of_range, Argument::shapes}},
        {{0, 1, 2, 4, 5},
         [](Asked& asked) {
             asked.instead = ShapesView<2>(static_cast<ShapeKind>(99), nullptr, 0);
         },
         {Cause::out_of_range, Argument::shapes}},
        {{0, 1, 2, 4, 5},
         [](Asked& asked) { asked.instead = ShapesView<2>(ShapeKind::ray, nullptr, 4); },
         {Cause::null_pointer, Argument::shapes}},
        {{0, 1, 2, 3, 4, 5},
         [](Asked& asked) { asked.filters.resize(3); },
         {Cause::count_mismatch, Argument::filters}},
        {{1},
         [](Asked& asked) { asked.counts.resize(3); },
         {Cause::count_mismatch, Argument::counts}},
        {{2},
         [](Asked& asked) { asked.found.resize(5); },
         {Cause::count_mismatch, Argument::counts}},
        {{3},
         [](Asked& asked) { asked.points[1][1] = kNan; },
         {Cause::not_finite, Argument::points, 1}},
        {{3, 6},
         [](Asked& asked) { asked.nearest.k = asked.neighbours.k = kMostNearest + 1; },
         {Cause::too_many, Argument::k}},
        {{3, 6},
         [](Asked& asked) { asked.nearest.radius = asked.neighbours.radius = kNan; },
         {Cause::not_finite, Argument::radius}},
        {{3, 6},
         [](Asked& asked) { asked.nearest.least = asked.neighbours.least = -1.0f; },
         {Cause::negative, Argument::least}},
        {{3, 6},
         [](Asked& asked) { asked.nearest.band.up = asked.neighbours.band.up = 2; },
         {Cause::out_of_range, Argument::band}},
        {{3},
         [](Asked& asked) { asked.nearest.after.distance2 = kNan; },
         {Cause::not_finite, Argument::after}},
        {{3},
         [](Asked& asked) { asked.nearest.body = static_cast<Body>(9); },
         {Cause::out_of_range, Argument::body}},
        {{6},
         [](Asked& asked) { asked.neighbours.body = Body::box; },
         {Cause::beyond_reach, Argument::body}}};
    for (std::size_t which = 0; which < all.size(); ++which) {
        for (const std::size_t question : all[which].questions) {
            for (std::uint32_t bad = 0; bad < kAskingRanks; ++bad) {
                SCOPED_TRACE(std::to_string(which) + " in question " + std::to_string(question));
                ThreadRanks job(kAskingRanks, bad);
                with_town(job, 1 << 20, [&](Ranks& ranks, DistributedGrid<2>& crowd, Asked& asked) {
                    ASSERT_EQ(asked.ask(crowd, question), Status{});
                    Asked spoilt = asked;
                    if (ranks.rank() == bad) { all[which].spoil(spoilt); }
                    const auto before = spoilt.answers();
                    ASSERT_EQ(spoilt.ask(crowd, question), all[which].wanted);
                    EXPECT_EQ(crowd.refused_by(), bad);
                    EXPECT_EQ(spoilt.answers(), before);
                    const auto answers = asked.answers();
                    ASSERT_EQ(asked.ask(crowd, question), Status{});
                    EXPECT_EQ(asked.answers(), answers);
                });
            }
        }
    }
}

TEST(QuestionRefusals, AGridThatIsNotConfigured) {
    auto scene = scenes::make<2>("uniform", 100);
    const Town<2> town(scene);
    ThreadRanks job(2);
    job.run([&](Ranks& ranks) {
        for (std::size_t question = 0; question < kQuestions; ++question) {
            DistributedGrid<2> crowd(ranks);
            Asked asked(town, ranks);
            EXPECT_EQ(asked.ask(crowd, question), Status{Cause::not_configured});
            // A crowd without agents answers everything.
            ASSERT_EQ(crowd.configure(town.settings), Status{});
            EXPECT_EQ(asked.ask(crowd, question), Status{});
            EXPECT_TRUE(asked.hits.ids.empty());
            EXPECT_TRUE(asked.meetings.meetings.empty());
        }
    });
}

TEST(QuestionRefusals, NoRankHasAnyQuestions) {
    ThreadRanks job(kAskingRanks);
    with_town(job, 1 << 20, [&](Ranks& ranks, DistributedGrid<2>& crowd, Asked& asked) {
        asked.balls.clear();
        asked.paths.clear();
        asked.points.clear();
        asked.counts.clear();
        asked.found.clear();
        const RankTraffic before = job.traffic()[ranks.rank()];
        for (std::size_t question = 0; question + 1 < kQuestions; ++question) {
            ASSERT_EQ(asked.ask(crowd, question), Status{});
        }
        const RankTraffic& after = job.traffic()[ranks.rank()];
        EXPECT_EQ(after.routes, before.routes); // nothing is sent
        EXPECT_EQ(asked.hits.offsets, std::vector<std::uint64_t>{0});
        EXPECT_EQ(asked.meetings.offsets, std::vector<std::uint64_t>{0});
        EXPECT_TRUE(asked.first.empty());
        EXPECT_TRUE(asked.near.counts.empty());
        EXPECT_EQ(crowd.stats().asked, 0u);
    });
}

/// Each allocation fails in turn, on the middle rank.
TEST(QuestionRefusals, AnyAllocationThatFails) {
    std::size_t refusals = 0;
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{1} << 20}) {
        for (std::size_t question = 0; question < kQuestions; ++question) {
            bool failed = true;
            for (std::size_t n = 0; failed; n += bytes == 1 ? 7 : 1) {
                ASSERT_LT(n, 3000u);
                failed = false;
                std::vector<Status> statuses(kAskingRanks);
                ThreadRanks job(kAskingRanks, n);
                with_town(job, bytes, [&](Ranks& plain, DistributedGrid<2>& crowd, Asked& asked) {
                    auto& ranks = dynamic_cast<Starved&>(plain);
                    const auto before = asked.answers();
                    if (ranks.rank() == 1) { ranks.starve(n); }
                    const Status status = asked.ask(crowd, question);
                    if (ranks.rank() == 1) { failed = ranks.feed(); }
                    statuses[ranks.rank()] = status;
                    if (!status.ok()) {
                        EXPECT_EQ(crowd.refused_by(), 1u);
                        EXPECT_EQ(asked.answers(), before);
                    }
                    Asked again = asked;
                    ASSERT_EQ(again.ask(crowd, question), Status{});
                    if (status.ok()) { EXPECT_EQ(again.answers(), asked.answers()); }
                });
                const Status wanted =
                    failed ? Status{Cause::over_memory, Argument::memory} : Status{};
                for (const Status& status : statuses) {
                    ASSERT_EQ(status, wanted) << "question " << question << ", allocation " << n;
                }
                refusals += failed ? 1 : 0;
            }
        }
    }
    EXPECT_GT(refusals, 200u);
}

TEST(QuestionRefusals, NoMemoryForWhatComes) {
    for (std::size_t question = 0; question < kQuestions; ++question) {
        bool refused = false;
        for (std::uint64_t call = 0; call < 40; ++call) {
            RankFaults faults;
            faults.no_memory = {2, call};
            ThreadRanks job(kAskingRanks, call, faults);
            auto scene = scenes::make<2>("clustered", 200);
            const Town<2> town(scene);
            job.run([&](Ranks& ranks) {
                DistributedGrid<2> crowd(ranks);
                Share<2> mine;
                town.deal(ranks, mine);
                ASSERT_EQ(crowd.configure(town.settings), Status{});
                if (!crowd.update(mine).ok()) { ASSERT_EQ(crowd.update(mine), Status{}); }
                Asked asked(town, ranks);
                const auto before = asked.answers();
                const Status status = asked.ask(crowd, question);
                if (!status.ok()) {
                    EXPECT_EQ(status, (Status{Cause::over_memory, Argument::memory}));
                    EXPECT_EQ(crowd.refused_by(), 2u);
                    EXPECT_EQ(asked.answers(), before);
                    ASSERT_EQ(asked.ask(crowd, question), Status{});
                    refused = true;
                }
            });
        }
        EXPECT_TRUE(refused) << question;
    }
}

/// A rank to which routed parcels come damaged, or do not come.
class Garbled final : public WatchedRanks {
public:
    using WatchedRanks::WatchedRanks;
    /// Called once, with the arrivals of the route with this number, counted from now.
    std::function<void(std::vector<Arrival>&)> damage;
    std::size_t route_number = 0;

    Status route(std::span<const Parcel> parcels, std::vector<Arrival>& arrivals) override {
        const Status status = WatchedRanks::route(parcels, arrivals);
        if (damage && route_number-- == 0) {
            damage(arrivals);
            damage = nullptr;
        }
        return status;
    }

private:
    Status around(FunctionRef<Status()> call) override { return call(); }
};

TEST(QuestionRefusals, AParcelThatIsNotAsLongAsItSays) {
    // Applies the change only to parcels from rank 0.
    const auto of = [](auto change) {
        return [=](std::vector<Arrival>& arrivals) {
            for (Arrival& arrival : arrivals) {
                if (arrival.from == 0) { change(arrival.bytes); }
            }
        };
    };
    using Bytes = std::vector<std::byte>;
    constexpr std::size_t kHeads = 5; // from here on, damage is in the header
    const std::vector<std::function<void(std::vector<Arrival>&)>> damages = {
        of([](Bytes& bytes) { bytes.clear(); }),
        of([](Bytes& bytes) { bytes.resize(bytes.size() - 1); }),
        of([](Bytes& bytes) { bytes.resize(bytes.size() - 16); }),
        of([](Bytes& bytes) { bytes.resize(bytes.size() + 16); }),
        of([](Bytes& bytes) { bytes.resize(16); }),
        of([](Bytes& bytes) { std::memset(bytes.data(), 0xFF, 16); }),
        of([](Bytes& bytes) { std::memset(bytes.data(), 0xFF, 4); }),
        of([](Bytes& bytes) { std::memset(bytes.data(), 0, 4); }),
        [](std::vector<Arrival>& arrivals) {
            std::erase_if(arrivals, [](const Arrival& arrival) { return arrival.from == 0; });
        }};
    auto scene = scenes::make<2>("clustered", 200);
    const Town<2> town(scene);
    for (std::size_t question = 0; question < kQuestions; ++question) {
        std::size_t refused = 0;
        for (std::size_t which = 0; which < damages.size(); ++which) {
            for (const std::size_t number : {0u, 1u}) { // of questions, then of answers
                // Only questions and the answers of lists and meetings begin with a count that can
                // be damaged.
                const bool counted = number == 0 || question == 0 || question == 5;
                if (!counted && which >= kHeads && which < kHeads + 3) { continue; }
                ThreadRanks job(kAskingRanks, which);
                job.run([&](Ranks& plain) {
                    Garbled ranks(plain);
                    DistributedGrid<2> crowd(ranks);
                    Share<2> mine;
                    town.deal(ranks, mine);
                    ASSERT_EQ(crowd.configure(town.settings), Status{});
                    ASSERT_EQ(crowd.update(mine), Status{});
                    Asked asked(town, ranks);
                    asked.neighbours.k = 60; // more than are within reach
                    Asked right = asked;
                    ASSERT_EQ(right.ask(crowd, question), Status{});
                    if (ranks.rank() == 1) {
                        ranks.damage = damages[which];
                        ranks.route_number = number;
                    }
                    const auto before = asked.answers();
                    const Status status = asked.ask(crowd, question);
                    ranks.damage = nullptr;
                    if (status.ok()) { // no damaged parcel was used
                        EXPECT_EQ(asked.answers(), right.answers());
                        return;
                    }
                    refused += ranks.rank() == 1 ? 1 : 0;
                    EXPECT_EQ(status.cause, Cause::count_mismatch)
                        << "damage " << which << " of " << number;
                    EXPECT_EQ(status.argument, Argument::arrays);
                    EXPECT_EQ(asked.answers(), before);
                    ASSERT_EQ(asked.ask(crowd, question), Status{});
                    EXPECT_EQ(asked.answers(), right.answers());
                });
            }
        }
        EXPECT_GE(refused, damages.size()) << question;
    }
}

/// Wrong numbers in a parcel whose length is right.
TEST(QuestionRefusals, AParcelThatLies) {
    struct Lie {
        std::size_t question, route; ///< 0 for questions, 1 for answers
        std::function<void(std::span<std::byte>)> tell;
        Status wanted;
    };
    const auto change = [](std::span<std::byte> bytes, std::size_t at, auto value) {
        ASSERT_LE(at + sizeof value, bytes.size());
        std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    // Lowers the first answer count that is not zero by one; counts begin at byte `at`, `step`
    // apart.
    const auto one_less = [](auto number, std::size_t at, std::size_t step) {
        return [=](std::span<std::byte> bytes) mutable {
            for (std::size_t to = at; to + sizeof number <= bytes.size(); to += step) {
                std::memcpy(&number, bytes.data() + to, sizeof number);
                if (number == 0) { continue; }
                --number;
                std::memcpy(bytes.data() + to, &number, sizeof number);
                return;
            }
        };
    };
    const Status length{Cause::count_mismatch, Argument::arrays, 0};
    const std::vector<Lie> lies = {
        {0, 1, one_less(std::uint32_t{}, 36, 8), length},
        {5, 1, one_less(std::uint64_t{}, 16, 8), length},
        {3,
         0,
         [&](auto bytes) { change(bytes, 4, kMostNearest + 1); },
         {Cause::too_many, Argument::k}},
        {3, 0, [&](auto bytes) { change(bytes, 8, kNan); }, {Cause::not_finite, Argument::radius}},
        {3, 0, [&](auto bytes) { change(bytes, 12, kNan); }, {Cause::not_finite, Argument::least}},
        {3, 0, [&](auto bytes) { change(bytes, 16, 2u); }, {Cause::out_of_range, Argument::band}},
        {3, 0, [&](auto bytes) { change(bytes, 48, kNan); }, {Cause::not_finite, Argument::points}},
    };
    auto scene = scenes::make<2>("clustered", 200);
    const Town<2> town(scene);
    for (std::size_t which = 0; which < lies.size(); ++which) {
        SCOPED_TRACE(which);
        const Lie& lie = lies[which];
        ThreadRanks job(2);
        job.run([&](Ranks& plain) {
            Garbled ranks(plain);
            DistributedGrid<2> crowd(ranks);
            Share<2> mine;
            town.deal(ranks, mine);
            ASSERT_EQ(crowd.configure(town.settings), Status{});
            ASSERT_EQ(crowd.update(mine), Status{});
            Asked asked(town, ranks);
            // All questions are about the agent in the lowest corner, which only rank 0 has, so the
            // parcel has no rows.
            Point<2> corner = town.scene.position_of(0);
            for (std::size_t i = 1; i < town.scene.size(); ++i) {
                const Point<2> place = town.scene.position_of(i);
                if (place[0] + place[1] < corner[0] + corner[1]) { corner = place; }
            }
            asked.balls.assign(4, {corner, 0.0f});
            asked.paths.assign(4, {corner, corner});
            if (ranks.rank() == 1) {
                ranks.route_number = lie.route;
                ranks.damage = [&](std::vector<Arrival>& arrivals) {
                    for (Arrival& arrival : arrivals) {
                        if (arrival.from == 0) { lie.tell(arrival.bytes); }
                    }
                };
            }
            const auto before = asked.answers();
            EXPECT_EQ(asked.ask(crowd, lie.question), lie.wanted);
            EXPECT_EQ(asked.answers(), before);
        });
    }
}

/// No more bytes are under way than the settings allow, and the answers are the same.
TEST(QuestionRefusals, NoMoreOnTheWayThanAgreed) {
    constexpr std::size_t kBytes = 6000;
    auto scene = scenes::make<2>("clustered", 3000);
    const Town<2> town(scene);
    class Measuring final : public WatchedRanks {
    public:
        using WatchedRanks::WatchedRanks;
        std::size_t most = 0;
        Status route(std::span<const Parcel> parcels, std::vector<Arrival>& arrivals) override {
            std::size_t out = 0, in = 0;
            for (const Parcel& parcel : parcels) {
                out += parcel.bytes.size();
            }
            const Status status = WatchedRanks::route(parcels, arrivals);
            for (const Arrival& arrival : arrivals) {
                in += arrival.bytes.size();
            }
            most = std::max({most, out, in});
            return status;
        }

    private:
        Status around(FunctionRef<Status()> call) override { return call(); }
    };
    ThreadRanks job(kAskingRanks);
    job.run([&](Ranks& plain) {
        Measuring ranks(plain);
        DistributedGrid<2> crowd(ranks);
        Share<2> mine;
        town.deal(ranks, mine);
        auto settings = town.settings;
        settings.question_bytes = kBytes;
        ASSERT_EQ(crowd.configure(settings), Status{});
        ASSERT_EQ(crowd.set_statics(town.statics), Status{});
        ASSERT_EQ(crowd.update(mine), Status{});
        std::vector<Ball<2>> balls;
        for (std::size_t i = ranks.rank(); i < town.scene.size(); i += 7) {
            balls.push_back({town.scene.position_of(i), 0.5f * town.scene.cell[0]});
        }
        ranks.most = 0;
        GlobalHits hits;
        const std::uint64_t routes = job.traffic()[ranks.rank()].routes;
        ASSERT_EQ(crowd.query(balls, hits), Status{});
        EXPECT_GT(job.traffic()[ranks.rank()].routes, routes + 20);
        std::size_t longest = 0;
        for (std::size_t q = 0; q < balls.size(); ++q) {
            ASSERT_EQ(as_vector(hits.of(q)),
                      listed(town, ShapesView<2>(balls[q]), Filter{}, Sets::all));
            longest = std::max(longest, hits.of(q).size());
        }
        // Beside ids there are headers and words that say where ids belong; a single answer may
        // exceed the limit.
        EXPECT_LE(ranks.most, 3 * kBytes + kAskingRanks * 32 * longest);
        EXPECT_EQ(crowd.stats().asked, balls.size());
        EXPECT_GT(crowd.stats().answered, 0u);
    });
}

} // namespace
} // namespace throng::test
