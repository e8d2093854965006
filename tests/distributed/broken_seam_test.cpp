// A seam that breaks its promises: the call is refused, and nothing has changed.
#include "../support/watched_ranks.hpp"
#include "snapshot.hpp"

#include <cstring>
#include <new>
#include <optional>

namespace throng::test {
namespace {

constexpr std::uint32_t kSeamRanks = 3;

/// A crowd that has made one step, and is about to be updated again.
template <class Seam>
struct Stepped {
    Seam ranks;
    Flock<2> flock;

    Stepped(Ranks& plain, const Plan& plan) : ranks(plain), flock(ranks, plan) {
        EXPECT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
        EXPECT_EQ(flock.step(0), Status{});
        flock.live_and_die(1);
    }
};

/// A rank on which one call of the seam throws after it was carried out.
class Throwing final : public WatchedRanks {
public:
    using WatchedRanks::WatchedRanks;
    std::optional<std::size_t> calls_before;

private:
    Status around(FunctionRef<Status()> call) override {
        const Status status = call();
        if (calls_before && (*calls_before)-- == 0) {
            calls_before.reset();
            throw std::bad_alloc();
        }
        return status;
    }
};

TEST(BrokenSeam, ACallOfTheSeamThatThrows) {
    const Plan plan;
    for (std::size_t call = 0; call < 9; ++call) {
        Status seen;
        ThreadRanks job(kSeamRanks, call);
        job.run([&](Ranks& plain) {
            Stepped<Throwing> stepped(plain, plan);
            Throwing& ranks = stepped.ranks;
            Flock<2>& flock = stepped.flock;
            const Snapshot before(flock);
            std::uint64_t agents = plan.agents;
            if (ranks.rank() == 1) { ranks.calls_before = call; }
            Status status = flock.crowd.update(flock.mine);
            if (status.ok()) {
                status = flock.crowd.size(agents);
            } else if (ranks.rank() == 1) {
                EXPECT_TRUE(Snapshot(flock) == before);
            }
            EXPECT_EQ(agents, plan.agents);
            if (ranks.rank() == 1) { seen = status; }
        });
        // update() calls begin and finish of agreement A (0, 1), of the exchange (2, 3) and of
        // agreement B (4, 5); size() those of an agreement (6, 7), and a gathering (8).
        const bool exchanges = call == 2 || call == 3;
        EXPECT_EQ(seen, exchanges ? (Status{Cause::over_memory, Argument::memory})
                                  : Status{Cause::rank_lost})
            << "call " << call;
    }
}

/// A rank that receives damaged parcels.
class Damaged final : public WatchedRanks {
public:
    using WatchedRanks::WatchedRanks;
    std::function<void(std::vector<std::byte>&)> damage;

    Status finish_exchange(std::vector<Arrival>& arrivals) override {
        const Status status = WatchedRanks::finish_exchange(arrivals);
        const auto parcel = std::find_if(arrivals.begin(), arrivals.end(),
                                         [](const Arrival& one) { return one.from == 0; });
        if (damage && parcel != arrivals.end()) { damage(parcel->bytes); }
        return status;
    }

private:
    Status around(FunctionRef<Status()> call) override { return call(); }
};

TEST(BrokenSeam, AParcelThatIsNotAsLongAsItSays) {
    const Plan plan;
    using Bytes = std::vector<std::byte>;
    const auto say = [](std::size_t number, std::uint64_t count) {
        return [=](Bytes& bytes) { std::memcpy(bytes.data() + 8 * number, &count, sizeof count); };
    };
    const std::vector<std::function<void(Bytes&)>> damages = {
        [](Bytes& bytes) { bytes.resize(1); },
        [](Bytes& bytes) { bytes.resize(15); },
        [](Bytes& bytes) { bytes.resize(16); },
        [](Bytes& bytes) { bytes.pop_back(); },
        [](Bytes& bytes) { bytes.emplace_back(); },
        say(0, 1000),
        say(1, 1000),
        say(0, ~std::uint64_t{0}),
        say(1, ~std::uint64_t{0}),
        say(1, std::uint64_t{1} << 61)};
    const std::uint64_t undisturbed = plain_hash<2>(plan);
    for (std::size_t which = 0; which < damages.size(); ++which) {
        Sum all;
        ThreadRanks job(kSeamRanks, which);
        job.run([&](Ranks& plain) {
            Stepped<Damaged> stepped(plain, plan);
            Damaged& ranks = stepped.ranks;
            Flock<2>& flock = stepped.flock;
            const Snapshot before(flock);
            if (ranks.rank() == 1) { ranks.damage = damages[which]; }
            ASSERT_EQ(flock.crowd.update(flock.mine),
                      (Status{Cause::count_mismatch, Argument::arrays, 0}))
                << "damage " << which;
            EXPECT_EQ(flock.crowd.refused_by(), 1u);
            EXPECT_TRUE(Snapshot(flock) == before);
            ranks.damage = nullptr;
            ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
            ASSERT_EQ(flock.answer(), Status{});
            for (int step = 2; step < plan.steps; ++step) {
                ASSERT_EQ(flock.step(step), Status{});
            }
            all.value += flock.sum.value;
        });
        EXPECT_EQ(all.value, undisturbed);
    }
}

} // namespace
} // namespace throng::test
