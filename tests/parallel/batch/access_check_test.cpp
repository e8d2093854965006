// A batch serves one call at a time; builds with assertions report a second one.
#include "../../../engine/core/access_check.hpp"
#include "../../support/reports.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace throng::test {
namespace {

constexpr const char* kServing =
    "a Batch, or NeighbourLoop, is called while it serves another call";
constexpr std::size_t kAgents = 100;

/// Thrown by a visitor to end the outer call before it touches anything again.
struct Enough {};

class BatchAccessCheck : public ::testing::Test {
protected:
    BatchAccessCheck() : places_(2 * kAgents) {
        for (std::size_t i = 0; i < kAgents; ++i) {
            places_[2 * i] = 0.1f * static_cast<float>(i);
        }
        agents_.positions = PointView<2>::interleaved(places_.data(), kAgents, 2 * sizeof(float));
        agents_.common_half_extent = {{0.25f, 0.25f}};
        EXPECT_TRUE(grid_.update(agents_).ok());
    }

    /// Expects the report `sentence` of a call during visit_pairs() of the same batch, made from
    /// this thread and from another. Null expects no report.
    template <class Call>
    void while_serving(const Call& call, const char* sentence) {
        for (const bool same_thread : {false, true}) {
            SCOPED_TRACE(same_thread ? "from the visitor" : "from another thread");
            reports_.clear();
            const auto visit = [&](std::size_t, std::span<const Id>, std::span<const Id>) -> bool {
                if (same_thread) {
                    call();
                } else {
                    std::thread(call).join();
                }
                throw Enough();
            };
            EXPECT_THROW((void)batch_.visit_pairs(grid_, visit), Enough);
            if (sentence == nullptr || !kAccessChecked) {
                EXPECT_EQ(reports_.count(), 0u) << reports_.last();
            } else {
                EXPECT_GE(reports_.count(), 1u);
                EXPECT_NE(reports_.last().find(sentence), std::string::npos) << reports_.last();
            }
            reports_.clear();
            EXPECT_NE(batch_.count_pairs(grid_).count, 0u);
            EXPECT_EQ(reports_.count(), 0u) << "a call is left inside";
        }
    }

    std::vector<float> places_;
    Agents<2> agents_;
    Reports reports_;
    RowGrid<2> grid_;
    Batch<2> batch_;
};

// Mostly calls that are refused: calls that ran would overwrite the outer call's scratch memory.
TEST_F(BatchAccessCheck, ServesOneCallAtATime) {
    const std::vector<Box<2>> boxes(3);
    const std::vector<Ball<2>> balls(3);
    const auto ask = [&](const auto& shapes) {
        const std::span all(shapes);
        while_serving([&] { (void)batch_.query(grid_, all, HitsOutput{}); }, kServing);
        while_serving([&] { (void)batch_.count(grid_, all, {}); }, kServing);
        while_serving([&] { (void)batch_.any(grid_, all, {}); }, kServing);
    };
    ask(boxes);
    ask(balls);
    while_serving([&] { (void)batch_.neighbours(grid_, {1.0f}, HitsOutput{}); }, kServing);
    while_serving([&] { (void)batch_.count_neighbours(grid_, {1.0f}, {}); }, kServing);
    while_serving([&] { (void)batch_.count_pairs(RowGrid<2>()); }, kServing);
    while_serving([&] { (void)batch_.pairs(RowGrid<2>(), PairsOutput{}); }, kServing);
    while_serving([&] { (void)batch_.pairs_within(grid_, -1.0f, PairsOutput{}); }, kServing);
    while_serving([&] { (void)batch_.memory(); }, kServing);
}

// The grid counts as in use during the whole call: an executor changes it before each block.
TEST_F(BatchAccessCheck, IsInItsGridForTheWholeCall) {
    class Meddler final : public Executor {
    public:
        explicit Meddler(RowGrid<2>& grid) : grid_(grid) {}
        void run(std::size_t blocks, Body body) override {
            for (std::size_t b = 0; b < blocks; ++b) {
                (void)grid_.erase(kNoId); // refused, but it is still a call that changes the grid
                body(b);
            }
        }

    private:
        RowGrid<2>& grid_;
    };
    Meddler meddler(grid_);
    Batch<2> batch(meddler);
    const std::vector<Box<2>> boxes(3);
    std::vector<std::uint32_t> counts(kAgents);
    Hits hits;
    Pairs pairs;
    const auto expect_report = [&](const char* call) {
        EXPECT_EQ(reports_.count() != 0, kAccessChecked) << call;
        reports_.clear();
    };
    (void)batch.query(grid_, std::span(boxes), hits);
    expect_report("query");
    (void)batch.count(grid_, std::span(boxes), counts);
    expect_report("count");
    (void)batch.neighbours(grid_, {1.0f}, hits);
    expect_report("neighbours");
    (void)batch.count_neighbours(grid_, {1.0f}, counts);
    expect_report("count_neighbours");
    (void)batch.pairs(grid_, pairs);
    expect_report("pairs");
    (void)batch.count_pairs(grid_);
    expect_report("count_pairs");
    (void)batch.pairs_within(grid_, 1.0f, pairs);
    expect_report("pairs_within");
}

TEST_F(BatchAccessCheck, StaysWhereItIs) {
    const auto move = [&] {
        Batch<2> moved = std::move(batch_);
        batch_ = std::move(moved);
    };
    while_serving(move, kServing);
}

TEST_F(BatchAccessCheck, AsksAGridThatDoesNotChange) {
    while_serving([&] { (void)grid_.count(Box<2>{{0.0f, 0.0f}, {1.0f, 1.0f}}); }, nullptr);
    while_serving([&] { (void)Batch<2>().count_pairs(grid_); }, nullptr);
}

} // namespace
} // namespace throng::test
