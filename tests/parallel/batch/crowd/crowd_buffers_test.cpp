// A crowd's answers in arrays of the caller's that end at a guard page: the part that fits is
// right, the counts are true, and at most 16 elements behind the answers are touched.
#include <throng/parallel/batch/batch.hpp>

#include "../../../simd/kernels/guarded.hpp"
#include "../../../support/dims.hpp"
#include "../../../support/numbers.hpp"
#include "../../../support/threads/executors.hpp"
#include "crowd_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {
namespace {

using test::Guarded;
using test::Ids;
using test::kCanary;
using test::World;

constexpr std::size_t kMostBehind = 16; // as the headers say

template <class Dim>
class CrowdBatchBuffers : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Dim::value;

    /// `ask` is a call of any batch that yields hits.
    template <class Ask>
    void check(const Ask& ask) {
        Hits wanted;
        ASSERT_EQ(ask(serial_, wanted), Status{});
        const std::size_t total = wanted.total();
        ASSERT_GT(total, 150u);
        const Guarded<Id> ids(total + 64);
        const Guarded<std::uint64_t> offsets(wanted.offsets.size());
        for (Batch<kAxes>* batch : {&serial_, &parallel_}) {
            for (const std::size_t room :
                 {std::size_t{0}, std::size_t{1}, std::size_t{17}, total / 3, total / 2, total - 17,
                  total - 16, total - 1, total, total + 1, total + 15, total + 16, total + 17,
                  total + 40}) {
                SCOPED_TRACE(testing::Message() << "room " << room << " for " << total);
                std::fill(ids.begin(), ids.end(), kCanary);
                std::fill(offsets.begin(), offsets.end(), 99u);
                const std::span<Id> out(ids.last(room), room);
                const Found found =
                    ask(*batch, HitsOutput{{offsets.begin(), wanted.offsets.size()}, out});
                ASSERT_EQ(found.status, Status{});
                ASSERT_EQ(found.count, total);
                ASSERT_TRUE(std::equal(offsets.begin(), offsets.end(), wanted.offsets.begin()));
                const std::size_t fit = std::min(room, total);
                ASSERT_TRUE(std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(fit),
                                       wanted.ids.begin()));
                ASSERT_EQ(std::count(ids.begin(), out.data(), kCanary), out.data() - ids.begin());
                const std::span<Id> behind = out.subspan(std::min(room, fit + kMostBehind));
                ASSERT_EQ(std::count(behind.begin(), behind.end(), kCanary),
                          static_cast<std::ptrdiff_t>(behind.size()));
            }
        }
    }

    /// All calls that yield hits, about the whole crowd and about some sets.
    void check_crowd(const Crowd<kAxes>& crowd, const scenes::Scene<kAxes>& scene) {
        std::vector<Box<kAxes>> boxes;
        std::vector<Ball<kAxes>> balls;
        for (std::size_t q = 0; q < 1'100; ++q) { // three blocks
            const Point<kAxes> at = scene.position_of(q % scene.size());
            boxes.push_back(Box<kAxes>::around(at, Point<kAxes>::all(q % 7 == 0 ? 0.5f : 0.1f)));
            balls.push_back({at, q % 5 == 0 ? 0.8f : 0.1f});
        }
        for (const Sets sets : {Sets::all, Sets::small, Sets::giants | Sets::statics}) {
            ASSERT_NO_FATAL_FAILURE(check([&](auto& batch, auto&& out) {
                return batch.query({crowd, sets}, boxes, out, {});
            }));
            ASSERT_NO_FATAL_FAILURE(check([&](auto& batch, auto&& out) {
                return batch.query({crowd, sets}, balls, out, {});
            }));
            for (const Order order : {Order::storage, Order::ids}) {
                ASSERT_NO_FATAL_FAILURE(check([&](auto& batch, auto&& out) {
                    return batch.neighbours({crowd, sets}, {1.5f}, out, order);
                }));
            }
        }
    }

    test::EagerPool pool_{3};
    Batch<kAxes> serial_;
    Batch<kAxes> parallel_{pool_};
};
TYPED_TEST_SUITE(CrowdBatchBuffers, test::Dims, test::DimNames);

TYPED_TEST(CrowdBatchBuffers, AreFilledAndNoMore) {
    constexpr std::size_t kDim = TypeParam::value;
    const World<kDim> world("mixed_sizes", 700, 300, scenes::Groups::none);
    ASSERT_GT(world.crowd.size(Sets::giants), 0u);
    this->check_crowd(world.crowd, world.scene);
}

TYPED_TEST(CrowdBatchBuffers, AreFilledAndNoMoreInWorldsThatBeginAgain) {
    constexpr std::size_t kDim = TypeParam::value;
    World<kDim> world("mixed_sizes", 700, 300, scenes::Groups::none);
    CrowdSettings<kDim> settings = world.crowd.settings();
    settings.periodic.fill(true);
    ASSERT_EQ(world.crowd.configure(settings), Status{});
    world.update(serial_executor());
    this->check_crowd(world.crowd, world.scene);
}

} // namespace
} // namespace throng
