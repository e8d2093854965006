// What kernels of hosts meet in plain and periodic worlds, as hashes.
#include "../../simd/isa/dispatch.hpp"
#include "../support/dims.hpp"
#include "meeting.hpp"
#include "named_hash.hpp"
#include "walkers.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::test {
namespace {

constexpr NamedHash kKernelHashes[] = {
#include "hashes/kernels.txt"
};

template <class D>
class KernelsGolden : public testing::Test {};
TYPED_TEST_SUITE(KernelsGolden, Dims, DimNames);

TYPED_TEST(KernelsGolden, WhomTheyMeetNeverChanges) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const Around around : kEveryAround) {
        check_everywhere(kKernelHashes, name_of<kDim>("meeting", around), [&](Executor& executor) {
            Walkers<kDim> walkers(around, executor);
            const Truth<kDim> truth = walkers.truth();
            NeighbourLoop<kDim> loop(executor);
            std::vector<float> sum(walkers.kAgents);
            std::vector<std::uint32_t> met(walkers.kAgents), names(walkers.kAgents);
            const Meeting<kDim> meeting{sum.data(), met.data(), names.data()};
            Hash hash;
            const auto ask = [&](const Neighbourhood& asked, Sets sets) {
                const Status status = simd::dispatch([&](auto arch) {
                    return meet_on(arch, loop, walkers.crowd, asked, meeting, sets);
                });
                EXPECT_EQ(status, Status{});
                for (std::size_t id = 0; id < sum.size(); ++id) {
                    hash.add(std::uint64_t{met[id]});
                    hash.add(std::uint64_t{names[id]});
                    add_bits(hash, sum[id]);
                }
            };
            for (const Body body : {Body::centre, Body::box, Body::disc}) {
                const Neighbourhood all{0.75f, false, kAllGroups, false, body};
                ask(all, Sets::all);
                const auto wanted = truth.neighbours(all);
                for (std::size_t id = 0; id < wanted.size(); ++id) {
                    EXPECT_EQ(met[id], wanted[id].size()) << id;
                }
                ask({0.75f, true, 3u, false, body}, Sets::agents);
                ask({0.75f, false, kAllGroups, true, body}, Sets::agents);
            }
            return hash.value();
        });
    }
}

} // namespace
} // namespace throng::test
