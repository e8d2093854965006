// The seam between ranks: what OneRank and ThreadRanks deliver, and what they do when a rank or a
// message is lost.
#include <throng/distributed/one_rank.hpp>
#include <throng/distributed/thread_ranks.hpp>

#include "../support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <new>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace throng {
namespace {

using Bytes = std::vector<std::byte>;
using Words = std::vector<std::uint64_t>;

Bytes bytes_of(const std::string& text) {
    Bytes bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}
std::string text_of(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
std::string letter(std::uint32_t from, std::uint32_t to, int round) {
    return std::to_string(from) + ">" + std::to_string(to) + "#" + std::to_string(round) +
           std::string((from * 7 + to * 3) % 50, '.');
}

/// The previous and the next rank in a ring.
std::vector<std::uint32_t> beside(const Ranks& ranks) {
    const std::uint32_t size = ranks.size();
    std::set<std::uint32_t> both = {(ranks.rank() + 1) % size, (ranks.rank() + size - 1) % size};
    both.erase(ranks.rank());
    return {both.begin(), both.end()};
}

/// One letter to each of these ranks.
class Letters {
public:
    Letters(std::uint32_t from, const std::vector<std::uint32_t>& to, int round) {
        for (const std::uint32_t rank : to) {
            text_.push_back(bytes_of(letter(from, rank, round)));
        }
        for (std::size_t i = 0; i < to.size(); ++i) {
            parcels_.push_back({to[i], text_[i]});
        }
    }
    [[nodiscard]] std::span<const Parcel> parcels() const { return parcels_; }

private:
    std::vector<Bytes> text_;
    std::vector<Parcel> parcels_;
};

void expect_letters(const std::vector<Arrival>& arrivals, std::uint32_t to, int round,
                    const std::set<std::uint32_t>& from) {
    std::set<std::uint32_t> came;
    for (const Arrival& arrival : arrivals) {
        EXPECT_EQ(text_of(arrival.bytes), letter(arrival.from, to, round));
        EXPECT_TRUE(came.insert(arrival.from).second) << "came twice";
    }
    EXPECT_EQ(came, from);
}

/// Makes every kind of call once. Returns the first status that is not ok.
Status talk(Ranks& ranks, int round) {
    const std::uint32_t rank = ranks.rank(), size = ranks.size();
    const std::vector<std::uint32_t> to = beside(ranks);
    const Letters letters(rank, to, round);
    std::vector<Arrival> arrivals;
    const Words words = {rank + 10, 100 - rank};
    Status status = ranks.begin_agree(words);
    if (status.ok()) { status = ranks.begin_exchange(letters.parcels(), to); }
    if (status.ok()) { status = ranks.finish_exchange(arrivals); }
    if (!status.ok()) { return status; }
    expect_letters(arrivals, rank, round, {to.begin(), to.end()});
    Words least(2);
    status = ranks.finish_agree(least);
    if (!status.ok()) { return status; }
    EXPECT_EQ(least, (Words{10, 100 - size + 1}));

    // Routes letters to all ranks at a distance of a multiple of three, itself included.
    std::vector<std::uint32_t> far;
    std::set<std::uint32_t> from;
    for (std::uint32_t other = 0; other < size; ++other) {
        if ((other + 3 * size - rank) % 3 == 0) { far.push_back(other); }
        if ((rank + 3 * size - other) % 3 == 0) { from.insert(other); }
    }
    const Letters routed(rank, far, round);
    status = ranks.route(routed.parcels(), arrivals);
    if (!status.ok()) { return status; }
    expect_letters(arrivals, rank, round, from);

    Words all(2 * size);
    status = ranks.gather(words, all);
    for (std::uint32_t other = 0; other < size && status.ok(); ++other) {
        EXPECT_EQ(all[2 * other], other + 10);
        EXPECT_EQ(all[2 * other + 1], 100 - other);
    }
    return status;
}

TEST(OneRank, IsAJobByItself) {
    OneRank ranks;
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(talk(ranks, round), Status{});
    }
    const Bytes text = bytes_of("to myself");
    const Parcel parcel{0, text};
    const std::uint32_t from[] = {0};
    std::vector<Arrival> arrivals;
    EXPECT_EQ(ranks.begin_exchange({&parcel, 1}, from), Status{});
    EXPECT_EQ(ranks.finish_exchange(arrivals), Status{});
    ASSERT_EQ(arrivals.size(), 1u);
    EXPECT_EQ(text_of(arrivals[0].bytes), "to myself");
}

TEST(ThreadRanks, DeliversWhateverTheSeed) {
    for (const std::uint32_t size : {1u, 2u, 3u, 8u, 61u}) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            ThreadRanks job(size, seed);
            job.run([&](Ranks& ranks) {
                EXPECT_EQ(ranks.size(), size);
                for (int round = 0; round < 3; ++round) {
                    ASSERT_EQ(talk(ranks, round), Status{});
                }
            });
        }
    }
}

TEST(ThreadRanks, GoesTheSameWayWithTheSameSeed) {
    const auto way = [](std::uint64_t seed) {
        ThreadRanks job(7, seed);
        std::vector<std::uint32_t> order;         // only one rank runs at a time
        for (int again = 0; again < 2; ++again) { // each job starts afresh
            order.clear();
            job.run([&](Ranks& ranks) {
                for (int round = 0; round < 4; ++round) {
                    order.push_back(ranks.rank());
                    ASSERT_EQ(talk(ranks, round), Status{});
                }
            });
        }
        return order;
    };
    EXPECT_EQ(way(1), way(1));
    EXPECT_NE(way(1), way(2));
}

TEST(ThreadRanks, CountsWhatIsSent) {
    ThreadRanks job(4);
    job.run([](Ranks& ranks) { ASSERT_EQ(talk(ranks, 5), Status{}); });
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        const RankTraffic& traffic = job.traffic()[rank];
        std::uint64_t bytes =
            letter(rank, (rank + 1) % 4, 5).size() + letter(rank, (rank + 3) % 4, 5).size();
        std::uint64_t messages = 2;
        for (std::uint32_t other = 0; other < 4; ++other) {
            if ((other + 12 - rank) % 3 != 0 || other == rank) { continue; }
            bytes += letter(rank, other, 5).size();
            ++messages;
        }
        EXPECT_EQ(traffic, (RankTraffic{6, messages, bytes, 1, 1, 1}));
    }
}

/// The last status of each of four ranks that make every call for three rounds, until one fails.
std::vector<Status> outcomes(const RankFaults& faults, std::uint64_t seed) {
    ThreadRanks job(4, seed, faults);
    std::vector<Status> last(4, Status{Cause::cancelled});
    job.run([&](Ranks& ranks) {
        Status status;
        for (int round = 0; round < 3 && status.ok(); ++round) {
            status = talk(ranks, round);
        }
        if (!status.ok()) { // then every later call fails too
            EXPECT_EQ(talk(ranks, 9), status);
        }
        last[ranks.rank()] = status;
    });
    return last;
}

TEST(ThreadRanks, ARankThatEndsIsLostToAllOthers) {
    constexpr std::uint64_t kCalls = 18;
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        for (std::uint64_t call = 0; call <= kCalls; ++call) {
            RankFaults faults;
            faults.ends = {rank, call};
            const std::vector<Status> last = outcomes(faults, call);
            for (std::uint32_t other = 0; other < 4; ++other) {
                const Status wanted = call == kCalls  ? Status{}
                                      : other == rank ? Status{Cause::cancelled}
                                                      : Status{Cause::rank_lost};
                // A rank that had finished its calls before the loss does not notice it.
                if (wanted.cause == Cause::rank_lost && last[other].ok() && call == kCalls - 1) {
                    continue;
                }
                EXPECT_EQ(last[other], wanted) << rank << " at " << call << ", " << other;
            }
        }
    }
}

TEST(ThreadRanks, ALostMessageStopsAll) {
    for (std::uint64_t message = 0; message < 24; ++message) {
        RankFaults faults;
        faults.dropped = message;
        for (const Status& status : outcomes(faults, message)) {
            EXPECT_EQ(status, Status{Cause::rank_lost}) << message;
        }
    }
}

TEST(ThreadRanks, ALateMessageStopsNone) {
    for (std::uint64_t message = 0; message < 24; ++message) {
        RankFaults faults;
        faults.delayed = message;
        for (const Status& status : outcomes(faults, message)) {
            EXPECT_EQ(status, Status{}) << message;
        }
    }
}

TEST(ThreadRanks, ACallWithoutMemoryHasTakenPart) {
    for (std::uint64_t call = 0; call < 6; ++call) {
        RankFaults faults;
        faults.no_memory = {1, call};
        ThreadRanks job(3, call, faults);
        job.run([&](Ranks& ranks) {
            const std::vector<std::uint32_t> to = beside(ranks);
            bool refused = false;
            for (int round = 0; round < 3; ++round) {
                const Letters letters(ranks.rank(), to, round);
                std::vector<Arrival> arrivals;
                ASSERT_EQ(ranks.begin_exchange(letters.parcels(), to), Status{});
                try {
                    ASSERT_EQ(ranks.finish_exchange(arrivals), Status{});
                    expect_letters(arrivals, ranks.rank(), round, {to.begin(), to.end()});
                } catch (const std::bad_alloc&) { refused = true; }
            }
            EXPECT_EQ(refused, ranks.rank() == 1);
        });
    }
}

TEST(ThreadRanks, AnExceptionEndsItsRankAndIsThrownInTheEnd) {
    ThreadRanks job(3);
    std::vector<Status> last(3);
    EXPECT_THROW(job.run([&](Ranks& ranks) {
        if (ranks.rank() == 1) { throw std::runtime_error("planted"); }
        last[ranks.rank()] = talk(ranks, 0);
    }),
                 std::runtime_error);
    EXPECT_EQ(last[0], Status{Cause::rank_lost});
    EXPECT_EQ(last[2], Status{Cause::rank_lost});
    job.run([](Ranks& ranks) { EXPECT_EQ(talk(ranks, 0), Status{}); });
}

TEST(ThreadRanks, NoMemoryForAThread) {
    constexpr std::uint32_t kRanks = 4;
    bool failed = true;
    std::size_t lost = 0;
    for (std::size_t n = 0; failed; ++n) {
        ASSERT_LT(n, 100u);
        ThreadRanks job(kRanks, n);
        const auto meet = [&](Ranks& ranks) {
            const std::uint64_t word = 1;
            const Status status = ranks.begin_agree({&word, 1});
            lost += status.cause == Cause::rank_lost ? 1 : 0;
        };
        test::FailingAllocations failing(n);
        bool thrown = false;
        try {
            job.run(meet);
        } catch (const std::bad_alloc&) { thrown = true; }
        failed = failing.failed();
        EXPECT_EQ(thrown, failed);
    }
    EXPECT_GE(lost, 1u + 2u + 3u); // with one, two and three threads started
}

TEST(ThreadRanks, RanksThatMakeDifferentCallsDoNotWaitForever) {
    ThreadRanks job(2);
    job.run([](Ranks& ranks) {
        std::vector<Arrival> arrivals;
        Words word(1);
        const std::uint32_t other[] = {1 - ranks.rank()};
        const Status status =
            ranks.rank() == 0 ? ranks.begin_exchange({}, other) : ranks.begin_agree(word);
        EXPECT_EQ(status, Status{});
        EXPECT_EQ(ranks.rank() == 0 ? ranks.finish_exchange(arrivals) : ranks.finish_agree(word),
                  Status{Cause::rank_lost});
    });
}

} // namespace
} // namespace throng
