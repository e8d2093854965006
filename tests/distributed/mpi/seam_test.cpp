// The seam between crowds and MPI. Every rank of the job runs these tests at the same time.
#include "../../support/allocation_counter.hpp"
#include "../../support/random.hpp"
#include "failing_mpi.hpp"

#include <throng/distributed/mpi_ranks.hpp>
#include <throng/throng_mpi.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace throng::test {
namespace {

using namespace std::chrono_literals;
using Bytes = std::vector<std::byte>;

/// Tests run with patience and without, because the two wait in different ways.
class MpiSeam : public testing::TestWithParam<int> {
protected:
    MpiRanks ranks{MPI_COMM_WORLD, {.patience = std::chrono::seconds(GetParam())}};
    const std::uint32_t here = ranks.rank(), size = ranks.size();
};
INSTANTIATE_TEST_SUITE_P(Patience, MpiSeam, testing::Values(0, 100));

/// The content of a parcel between two ranks, which every rank can compute.
Bytes content(std::uint32_t from, std::uint32_t to, std::uint64_t round, std::size_t length) {
    scenes::Random random(from + 1000 * to + 1'000'000 * round);
    Bytes bytes(length);
    for (std::size_t i = 0; i < length; i += 997) { // so a long one is mostly zero
        bytes[i] = static_cast<std::byte>(random.between(1.0f, 255.0f));
    }
    return bytes;
}

/// Parcels, and the arrays that they borrow.
struct Post {
    std::vector<Bytes> bodies;
    std::vector<Parcel> parcels;

    void add(std::uint32_t to, Bytes body) {
        bodies.push_back(std::move(body));
        parcels.push_back({to, {}});
    }
    /// The parcels, once all arrays are in place.
    std::span<const Parcel> all() {
        for (std::size_t i = 0; i < parcels.size(); ++i) {
            parcels[i].bytes = bodies[i];
        }
        return parcels;
    }
};

constexpr std::size_t kMebibyte = std::size_t{1} << 20;
constexpr std::array<std::size_t, 8> kLengths = {
    0, 1, 31, 100'000, kMebibyte - 1, kMebibyte, kMebibyte + 1, 3 * kMebibyte + 5};

std::size_t length_of(std::uint32_t from, std::uint32_t to, std::uint64_t round) {
    return kLengths[(from + 3 * to + 5 * round) % kLengths.size()];
}

/// Each rank sends to the next ranks, at most three; a rank that is alone sends to itself.
struct Ring {
    std::uint32_t size, partners = std::min(size, 3u);

    [[nodiscard]] std::vector<std::uint32_t> senders(std::uint32_t here) const {
        std::vector<std::uint32_t> all;
        for (std::uint32_t i = 1; i <= partners; ++i) {
            all.push_back((here + size - i) % size);
        }
        return all;
    }
    [[nodiscard]] Post post(std::uint32_t here, std::uint64_t round) const {
        Post post;
        for (std::uint32_t i = 1; i <= partners; ++i) {
            const std::uint32_t to = (here + i) % size;
            post.add(to, content(here, to, round, length_of(here, to, round)));
        }
        return post;
    }
    void expect(std::uint32_t here, std::uint64_t round, const std::vector<Arrival>& all) const {
        const std::vector<std::uint32_t> from = senders(here);
        ASSERT_EQ(all.size(), from.size());
        for (const Arrival& arrival : all) {
            EXPECT_EQ(std::count(from.begin(), from.end(), arrival.from), 1);
            EXPECT_TRUE(arrival.bytes ==
                        content(arrival.from, here, round, length_of(arrival.from, here, round)))
                << "from " << arrival.from << " in round " << round;
        }
    }
};

TEST_P(MpiSeam, ParcelsOfAllLengthsArriveAsTheyWere) {
    const Ring ring{size};
    const std::vector<std::uint32_t> from = ring.senders(here);
    std::vector<Arrival> arrivals;
    failing_mpi().longest = 0;
    for (std::uint64_t round = 0; round < kLengths.size(); ++round) {
        Post post = ring.post(here, round);
        ASSERT_EQ(ranks.begin_exchange(post.all(), from), Status{});
        ASSERT_EQ(ranks.finish_exchange(arrivals), Status{});
        ring.expect(here, round, arrivals);
    }
    EXPECT_EQ(static_cast<std::size_t>(failing_mpi().longest), kMebibyte);
}

TEST_P(MpiSeam, AnAgreementMayComeBetween) {
    const Ring ring{size};
    const std::vector<std::uint32_t> from = ring.senders(here);
    std::vector<Arrival> arrivals;
    for (std::uint64_t round = 0; round < 20; ++round) {
        std::array<std::uint64_t, 3> words = {here, ~std::uint64_t{here}, round};
        Post post = ring.post(here, round % 3);
        ASSERT_EQ(ranks.begin_agree(words), Status{});
        ASSERT_EQ(ranks.begin_exchange(post.all(), from), Status{});
        ASSERT_EQ(ranks.finish_agree(words), Status{});
        ASSERT_EQ(ranks.finish_exchange(arrivals), Status{});
        EXPECT_EQ(words[0], 0u);
        EXPECT_EQ(words[1], ~std::uint64_t{size - 1});
        EXPECT_EQ(words[2], round);
        ring.expect(here, round % 3, arrivals);
    }
}

TEST_P(MpiSeam, RoutesGoToAnyRank) {
    std::vector<Arrival> arrivals;
    for (std::uint64_t round = 0; round < 10; ++round) {
        // All ranks know who sends to whom; in the first round no rank sends.
        const auto sends = [&](std::uint32_t from, std::uint32_t to) {
            return round != 0 && scenes::Random(round + 100 * from + 10'000 * to).unit() < 0.4f;
        };
        Post post;
        for (std::uint32_t to = 0; to < size; ++to) {
            if (!sends(here, to)) { continue; }
            post.add(to, content(here, to, round, 10 * round));
        }
        ASSERT_EQ(ranks.route(post.all(), arrivals), Status{});
        std::size_t expected = 0;
        for (std::uint32_t from = 0; from < size; ++from) {
            expected += sends(from, here) ? 1 : 0;
        }
        EXPECT_EQ(arrivals.size(), expected);
        for (const Arrival& arrival : arrivals) {
            EXPECT_TRUE(sends(arrival.from, here));
            EXPECT_TRUE(arrival.bytes == content(arrival.from, here, round, 10 * round));
        }
    }
}

TEST_P(MpiSeam, GathersByRank) {
    const std::array<std::uint64_t, 2> own = {here, ~std::uint64_t{0} - here};
    std::vector<std::uint64_t> all(2 * std::size_t{size});
    ASSERT_EQ(ranks.gather(own, all), Status{});
    for (std::uint32_t rank = 0; rank < size; ++rank) {
        EXPECT_EQ(all[2 * rank], rank);
        EXPECT_EQ(all[2 * rank + 1], ~std::uint64_t{0} - rank);
    }
}

// A rank without memory still takes part, and the others notice nothing.
TEST_P(MpiSeam, NoMemoryForAParcel) {
    const Ring ring{size};
    const std::vector<std::uint32_t> from = ring.senders(here);
    std::uint64_t wanting = 1; // 0 once no allocation has failed
    for (std::size_t nth = 0; wanting != 0; ++nth) {
        ASSERT_LT(nth, 100u);
        MpiRanks fresh(MPI_COMM_WORLD, {.patience = std::chrono::seconds(GetParam())});
        Post post = ring.post(here, 1);
        const std::span<const Parcel> parcels = post.all();
        std::vector<Arrival> arrivals;
        bool sent = true, received = true, failed = false;
        {
            FailingAllocations failing(here == 0 ? nth : ~std::size_t{0} / 2);
            try {
                (void)fresh.begin_exchange(parcels, from);
            } catch (const std::bad_alloc&) { sent = false; }
            try {
                (void)fresh.finish_exchange(arrivals);
            } catch (const std::bad_alloc&) { received = false; }
            failed = failing.failed();
        }
        EXPECT_EQ(sent && received, !failed);
        if (here != 0) {
            ASSERT_EQ(arrivals.size(), from.size());
            for (const Arrival& arrival : arrivals) {
                if (arrival.from == 0 && arrival.bytes.empty()) { continue; }
                EXPECT_TRUE(arrival.bytes ==
                            content(arrival.from, here, 1, length_of(arrival.from, here, 1)));
            }
        }
        // The same exchange again, with memory.
        ASSERT_EQ(fresh.begin_exchange(parcels, from), Status{});
        ASSERT_EQ(fresh.finish_exchange(arrivals), Status{});
        ring.expect(here, 1, arrivals);
        std::uint64_t none = failed ? 0 : 1;
        ASSERT_EQ(fresh.begin_agree({&none, 1}), Status{});
        ASSERT_EQ(fresh.finish_agree({&none, 1}), Status{});
        wanting = 1 - none;
    }
}

TEST_P(MpiSeam, MessagesDoNotMeetThoseOfTheHost) {
    const std::uint32_t next = (here + 1) % size;
    int came = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&came, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    MpiRanks second(MPI_COMM_WORLD);
    const Ring ring{size};
    const std::vector<std::uint32_t> from = ring.senders(here);
    std::vector<Arrival> of_first, of_second;
    Post one = ring.post(here, 1), two = ring.post(here, 2);
    ASSERT_EQ(ranks.begin_exchange(one.all(), from), Status{});
    ASSERT_EQ(second.begin_exchange(two.all(), from), Status{});
    ASSERT_EQ(second.finish_exchange(of_second), Status{});
    ASSERT_EQ(ranks.finish_exchange(of_first), Status{});
    ring.expect(here, 1, of_first);
    ring.expect(here, 2, of_second);
    MPI_Barrier(MPI_COMM_WORLD); // all messages of the library's have been received
    int done = 1;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    EXPECT_EQ(done, 0) << "a message of the library's reached the host";
    MPI_Barrier(MPI_COMM_WORLD); // no rank goes on before all have looked
    const int own = static_cast<int>(here);
    MPI_Send(&own, 1, MPI_INT, static_cast<int>(next), 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(came, static_cast<int>((here + size - 1) % size));
}

// Agents of all ranks in one place, through the C calls: as many agents as ranks, and all pairs.
TEST_P(MpiSeam, ServesC) {
    throng_ranks* job = nullptr;
    const MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD);
    EXPECT_EQ(throng_ranks_of_mpi(world, -1.0, &job).code, THRONG_NEGATIVE);
    EXPECT_EQ(throng_ranks_of_mpi(world, 0.0, nullptr).code, THRONG_NULL_POINTER);
    ASSERT_EQ(throng_ranks_of_mpi(world, GetParam(), &job).code, THRONG_OK);
    std::uint32_t rank = 0, count = 0;
    ASSERT_EQ(throng_ranks_count(job, &rank, &count).code, THRONG_OK);
    EXPECT_EQ(rank, here);
    EXPECT_EQ(count, size);
    throng_share* share = nullptr;
    ASSERT_EQ(throng_share_create(2, 0, 0, &share).code, THRONG_OK);
    ASSERT_EQ(throng_share_resize(share, 1, 1).code, THRONG_OK);
    throng_share_arrays arrays = THRONG_SHARE_ARRAYS_INIT;
    ASSERT_EQ(throng_share_get(share, &arrays).code, THRONG_OK);
    arrays.ids[0] = here;
    throng_distributed_settings settings = THRONG_DISTRIBUTED_SETTINGS_INIT;
    settings.high[0] = settings.high[1] = 9.0f;
    settings.cell[0] = settings.cell[1] = settings.reach = 1.0f;
    settings.common_half_extent[0] = settings.common_half_extent[1] = 0.5f;
    throng_distributed* crowd = nullptr;
    ASSERT_EQ(throng_distributed_create(job, &settings, &crowd).code, THRONG_OK);
    ASSERT_EQ(throng_distributed_update(crowd, share, nullptr).code, THRONG_OK);
    std::uint64_t agents = 0, pairs = 0;
    ASSERT_EQ(throng_distributed_size(crowd, &agents).code, THRONG_OK);
    ASSERT_EQ(throng_distributed_count_pairs(crowd, nullptr, nullptr, &pairs).code, THRONG_OK);
    EXPECT_EQ(agents, size);
    EXPECT_EQ(pairs, std::uint64_t{size} * (size - 1) / 2);
    EXPECT_EQ(throng_distributed_destroy(crowd).code, THRONG_OK);
    EXPECT_EQ(throng_share_destroy(share).code, THRONG_OK);
    EXPECT_EQ(throng_ranks_destroy(job).code, THRONG_OK);
}

// The job has one rank, because others would wait for a lost one.
TEST_P(MpiSeam, AnErrorOfMpiLosesTheRank) {
    const std::uint64_t word = 7;
    const Bytes body(2 * kMebibyte + 1);
    const std::array<Parcel, 1> parcels = {{{0, body}}};
    const std::array<std::uint32_t, 1> from = {0};
    bool failed = true;
    for (std::uint64_t call = 0; failed; ++call) {
        ASSERT_LT(call, 100u);
        MpiRanks alone(MPI_COMM_SELF); // no patience, so waiting makes no counted calls
        FailingMpi& mpi = failing_mpi();
        mpi.calls = 0;
        mpi.fails_at = call;
        std::vector<Arrival> arrivals;
        std::array<std::uint64_t, 1> words{};
        const std::array<Status, 6> statuses = {
            alone.begin_exchange(parcels, from), alone.finish_exchange(arrivals),
            alone.begin_agree({&word, 1}),       alone.finish_agree(words),
            alone.gather({&word, 1}, words),     alone.route(parcels, arrivals)};
        failed = mpi.calls > call;
        mpi.fails_at.reset();
        EXPECT_EQ(failed, statuses.back() == Status{Cause::rank_lost});
        bool lost = false; // once true, true for all later calls
        for (const Status& status : statuses) {
            lost = lost || !status.ok();
            EXPECT_EQ(status, lost ? Status{Cause::rank_lost} : Status{});
        }
    }
}

} // namespace
} // namespace throng::test
