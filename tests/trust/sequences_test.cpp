// Plays random sequences of operations on every structure of the family and on brute force.
//
// 10^4 sequences in the plane and as many in space, or those of THRONG_SEEDS=<first>:<end>. A
// failure prints the seed and the shortened sequence; THRONG_SEEDS=<n> plays only that seed.
#include "../support/long_run.hpp"
#include "among_statics.hpp"
#include "by_batches.hpp"
#include "by_frames.hpp"
#include "by_handles.hpp"
#include "by_lists.hpp"
#include "planted.hpp"
#include "shrink.hpp"
#include "subjects.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <span>
#include <tuple>

namespace throng {
namespace {

constexpr std::uint64_t kUsual = 10'000;
constexpr std::uint64_t kParts = 10; // several processes can take parts, by gtest's shards

std::uint64_t sequences_to_try() { return test::emulated() ? kUsual / 10 : kUsual; }

/// A report about a fault, with the sequence shortened as far as possible.
template <std::size_t Dim>
std::string report(const test::Sequence<Dim>& sequence, const test::Candidate<Dim>& candidate) {
    const auto small = test::shrunk(
        sequence, [&](const auto& tried) { return !test::fault(tried, candidate).empty(); });
    return candidate.name + ", " + to_string(small) + test::fault(small, candidate);
}

/// Plays a sequence on all structures. Returns the first difference, or an empty text.
template <std::size_t Dim>
class Family {
public:
    Family() : all_(test::candidates<Dim>(static_cast<const test::Indexes*>(nullptr))) {
        all_.push_back(test::candidate<test::InCrowdByHandles<Dim>>());
        all_.push_back(test::candidate<test::InCrowdByBatches<Dim>>());
        all_.push_back(test::candidate<test::InCrowdByFrames<Dim>>());
        all_.push_back(test::candidate<test::InFittedCrowd<Dim>>());
        all_.push_back(test::candidate<test::InCrowdAmongStatics<Dim>>());
        all_.push_back(test::candidate<test::InCrowdByLists<Dim>>());
    }

    std::string fault(std::uint64_t seed) {
        const test::Sequence<Dim> sequence = test::make_sequence<Dim>(seed);
        const test::Reports reports;
        truth_.play(sequence, wanted_);
        // The last one takes as long as all others together.
        const std::size_t some = seed % 4 == 0 ? all_.size() : all_.size() - 1;
        for (const test::Candidate<Dim>& candidate : std::span(all_).first(some)) {
            candidate.play(sequence, got_);
            if (reports.count() != 0 || !difference(sequence, got_, wanted_).empty()) {
                return report(sequence, candidate);
            }
        }
        return "";
    }

private:
    const test::Candidate<Dim> truth_ = test::candidate<test::InBruteForce<Dim>>();
    std::vector<test::Candidate<Dim>> all_;
    test::Transcript wanted_, got_;
};

template <std::size_t Dim>
void check(std::uint64_t begin, std::uint64_t end) {
    Family<Dim> family;
    for (std::uint64_t seed = begin; seed < end; ++seed) {
        const std::string fault = family.fault(seed);
        ASSERT_TRUE(fault.empty()) << fault;
    }
}

class Sequences : public testing::TestWithParam<std::tuple<std::size_t, std::uint64_t>> {};

TEST_P(Sequences, AreAnsweredAsBruteForceDoes) {
    const auto [dim, part] = GetParam();
    const auto [first, last] = test::seeds_to_take(sequences_to_try());
    const std::uint64_t begin = first + (last - first) * part / kParts;
    const std::uint64_t end = first + (last - first) * (part + 1) / kParts;
    return dim == 2 ? check<2>(begin, end) : check<3>(begin, end);
}

INSTANTIATE_TEST_SUITE_P(Every, Sequences,
                         testing::Combine(testing::Values(std::size_t{2}, std::size_t{3}),
                                          testing::Range(std::uint64_t{0}, kParts)),
                         [](const auto& test_case) {
                             return std::to_string(std::get<0>(test_case.param)) + "d_part_" +
                                    std::to_string(std::get<1>(test_case.param));
                         });

TEST(Sequences, HaveBlocksToShuffle) {
    const auto by_batches = test::candidate<test::InCrowdByBatches<2>>();
    test::Transcript transcript;
    for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
        if (test::is_large(seed)) { by_batches.play(test::make_sequence<2>(seed), transcript); }
    }
    EXPECT_GT(test::CountedShuffle::shuffled, 20u);
}

/// Finds the first sequence that shows the fault, and shortens it.
void check_found(const test::Candidate<2>& planted, std::size_t most_operations,
                 std::size_t most_listed = 6) {
    std::uint64_t seed = 0;
    while (seed < sequences_to_try() &&
           test::fault(test::make_sequence<2>(seed), planted).empty()) {
        ++seed;
    }
    ASSERT_LT(seed, sequences_to_try());
    const auto sequence = test::make_sequence<2>(seed);
    const auto small = test::shrunk(
        sequence, [&](const auto& tried) { return !test::fault(tried, planted).empty(); });
    const std::string text = report(sequence, planted);
    EXPECT_LE(small.operations.size(), most_operations) << text;
    std::size_t listed = 0;
    for (const test::Operation<2>& operation : small.operations) {
        listed += operation.agents.size() + operation.edits.size() + operation.shapes.size();
    }
    EXPECT_LE(listed, most_listed) << text;
    EXPECT_NE(text.find("seed " + std::to_string(seed)), std::string::npos) << text;
}

template <test::Mistake kMistake>
void check_found(std::size_t most_operations, std::size_t most_listed = 6) {
    check_found(test::candidate<test::InPlanted<kMistake>>(), most_operations, most_listed);
}

TEST(SequencesFind, NothingInWhatIsBruteForce) {
    const auto planted = test::candidate<test::InPlanted<test::Mistake::none>>();
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        ASSERT_EQ(test::fault(test::make_sequence<2>(seed), planted), "");
    }
}
TEST(SequencesFind, AnInsertionThatIsForgotten) { check_found<test::Mistake::third_insert>(3); }
TEST(SequencesFind, WhoIsForgottenOnAnEdge) { check_found<test::Mistake::edge>(1); }
TEST(SequencesFind, ARimThatIsLeftOut) { check_found<test::Mistake::open_rim>(2); }
TEST(SequencesFind, AMoveThatForgetsSizes) { check_found<test::Mistake::moved_anew>(4); }
TEST(SequencesFind, AFrameThatLosesItsLast) { check_found<test::Mistake::smaller_frame>(2); }
TEST(SequencesFind, AStaticThatDoesNotCome) {
    check_found(test::candidate<test::InForgetful<true>>(), 2);
}
TEST(SequencesFind, StaticsThatGo) {
    check_found(test::candidate<test::InForgetful<false>>(), 3, 10);
}
TEST(SequencesFind, AStaticThatDoesNotComeByEveryQuestion) {
    const auto planted = test::candidate<test::InForgetful<true>>();
    for (const test::What what : {test::What::visit, test::What::query, test::What::query_some,
                                  test::What::count, test::What::any, test::What::batch,
                                  test::What::nearest, test::What::path_hits, test::What::pairs}) {
        bool found = false;
        for (std::uint64_t seed = 0; seed < sequences_to_try() && !found; ++seed) {
            auto sequence = test::make_sequence<2>(seed);
            std::erase_if(sequence.operations, [&](const auto& operation) {
                return operation.what >= test::What::visit && operation.what != what;
            });
            found = !test::fault(sequence, planted).empty();
        }
        EXPECT_TRUE(found) << to_string(
            test::Operation<2>{what, {}, {}, {}, {test::AnyShape<2>{}}});
    }
}
// An update needs ids 0 ... n, so agents with smaller ids than this one remain in the sequence.
TEST(SequencesFind, WhoGoesAndDoesNotComeBack) { check_found<test::Mistake::back_again>(2, 45); }

TEST(Sequences, AreTheSameForTheSameSeedAndCoverEveryDistribution) {
    std::set<test::Distribution> seen;
    std::set<test::What> done;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const auto sequence = test::make_sequence<3>(seed);
        if (seed < 50) { ASSERT_EQ(to_string(sequence), to_string(test::make_sequence<3>(seed))); }
        seen.insert(sequence.distribution);
        for (const auto& operation : sequence.operations) {
            done.insert(operation.what);
        }
    }
    EXPECT_EQ(seen.size(), test::kDistributionNames.size());
    EXPECT_EQ(done.size(), std::size_t{15});
}

} // namespace
} // namespace throng
