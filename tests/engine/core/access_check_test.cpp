// Calls that must not overlap, and do: builds with assertions report them, others do not check.
#include "../../../engine/core/access_check.hpp"
#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/reports.hpp"

#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/crowd/crowd_change.hpp>
#include <throng/engine/grid/change.hpp>
#include <throng/engine/grid/query_stats.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace throng::test {
namespace {

static_assert(kAccessChecked || std::is_empty_v<AccessCheck>);
static_assert(std::is_empty_v<BasicAccessCheck<false>> &&
              std::is_trivially_destructible_v<BasicAccessCheck<false>::Reading> &&
              std::is_trivially_destructible_v<BasicAccessCheck<false>::Changing>);

constexpr const char* kAsked = "a grid is asked while it is being changed";
constexpr const char* kChanged = "a grid is changed while it is being asked";
constexpr const char* kTwice = "a grid is changed while it is being changed";

constexpr std::size_t kAgents = 100;
const Box<2> kWorld{{-1.0f, -1.0f}, {1'000.0f, 1'000.0f}};

/// Thrown by an executor to end the update that it runs for.
struct Enough {};

/// Makes a call in place of a loop, and then ends the update by throwing Enough.
template <class Call>
class Interrupting final : public Executor {
public:
    explicit Interrupting(const Call& call) : call_(call) {}
    void run(std::size_t, Body) override {
        call_();
        throw Enough();
    }

private:
    const Call& call_;
};

class AccessCheckTest : public ::testing::Test {
protected:
    AccessCheckTest() {
        for (std::size_t i = 0; i < kAgents; ++i) {
            x_.push_back(static_cast<float>(i % 10));
            y_.push_back(static_cast<float>(i / 10));
        }
        agents_.positions = PointView<2>::separate({x_.data(), y_.data()}, kAgents);
        EXPECT_TRUE(grid_.update(agents_).ok());
        EXPECT_EQ(reports_.count(), 0u);
    }

    /// Makes a call while a query runs, from another thread and from the visitor's own thread, and
    /// expects reports with this sentence.
    template <class Call>
    void while_asked(const Call& call, const char* sentence) {
        for (const bool same_thread : {false, true}) {
            SCOPED_TRACE(same_thread ? "from the visitor" : "from another thread");
            reports_.clear();
            const Found found = grid_.visit(kWorld, [&](std::span<const Id>) {
                run(same_thread, call);
                return false; // the grid may be gone
            });
            EXPECT_TRUE(found.status.ok());
            expect(sentence);
            expect_quiet();
        }
    }

    template <class Call>
    void while_changed(const Call& call, const char* sentence) {
        const std::array<Edit<2>, 1> edits{Edit<2>::move(0, {1.0f, 1.0f})};
        for (const bool same_thread : {false, true}) {
            SCOPED_TRACE(same_thread ? "from the executor" : "from another thread");
            const auto other = [&] { run(same_thread, call); };
            Interrupting executor(other);
            reports_.clear();
            EXPECT_THROW((void)grid_.update(agents_, executor), Enough);
            expect(sentence);
            expect_quiet();

            EXPECT_TRUE(grid_.update(agents_).ok());
            reports_.clear();
            EXPECT_THROW((void)grid_.edit(edits, executor), Enough);
            expect(sentence);
            expect_quiet();
        }
    }

    template <class Call>
    static void run(bool same_thread, const Call& call) {
        if (same_thread) {
            call();
        } else {
            std::thread(call).join();
        }
    }

    /// Expects at least one report, the last with this sentence; no report in builds without
    /// checks.
    void expect(const char* sentence) const {
        if (!kAccessChecked) {
            EXPECT_EQ(reports_.count(), 0u);
            return;
        }
        EXPECT_GE(reports_.count(), 1u);
        EXPECT_NE(reports_.last().find(sentence), std::string::npos) << reports_.last();
    }

    /// Expects that no call is counted as running any more: the next calls are not reported.
    void expect_quiet() {
        reports_.clear();
        (void)grid_.count(kWorld);
        EXPECT_TRUE(grid_.update(agents_).ok());
        EXPECT_EQ(grid_.count(kWorld).count, kAgents);
        EXPECT_EQ(grid_.validate(), nullptr);
        EXPECT_EQ(reports_.count(), 0u) << reports_.last();
    }

    std::vector<float> x_, y_;
    Agents<2> agents_;
    Reports reports_;
    RowGrid<2> grid_;
};

using AccessCheckDeathTest = AccessCheckTest;

TEST_F(AccessCheckTest, AGridThatIsAskedIsNotChanged) {
    const std::array<Edit<2>, 1> edits{Edit<2>::erase(3)};
    while_asked([&] { (void)grid_.update(agents_); }, kChanged);
    while_asked([&] { (void)grid_.edit(edits); }, kChanged);
    while_asked([&] { (void)GridChange<2>().update(grid_, agents_); }, kChanged);
    while_asked([&] { (void)GridChange<2>().edit(grid_, edits); }, kChanged);
    while_asked([&] { (void)grid_.insert(Id{kAgents}, {{1.0f, 1.0f}}); }, kChanged);
    while_asked([&] { (void)grid_.erase(5); }, kChanged);
    while_asked([&] { (void)grid_.move(5, {7.0f, 7.0f}); }, kChanged);
    while_asked([&] { (void)grid_.use(GridShape<2>(grid_.shape())); }, kChanged);
    while_asked(
        [&] {
            (void)grid_.configure({{0.0f, 0.0f}, {9.0f, 9.0f}}, {1.0f, 1.0f});
        },
        kChanged);
    while_asked([&] { grid_.clear(); }, kChanged);
    while_asked([&] { grid_.release_staging(); }, kChanged);
}

TEST_F(AccessCheckTest, AChangeThatIsRefusedIsReportedToo) {
    Agents<2> wrong = agents_;
    wrong.positions = PointView<2>::separate({nullptr, nullptr}, kAgents);
    while_asked([&] { EXPECT_FALSE(grid_.update(wrong).ok()); }, kChanged);
    while_asked([&] { EXPECT_FALSE(GridChange<2>().update(grid_, wrong).ok()); }, kChanged);
    while_asked([&] { EXPECT_FALSE(grid_.erase(Id{kAgents}).ok()); }, kChanged);
}

TEST_F(AccessCheckTest, AGridThatIsAskedStaysWhereItIs) {
    RowGrid<2> elsewhere;
    while_asked(
        [&] {
            RowGrid<2> moved = std::move(grid_);
            grid_ = std::move(moved);
        },
        kChanged);
    while_asked(
        [&] {
            std::swap(grid_, elsewhere);
            std::swap(grid_, elsewhere);
        },
        kChanged);
}

TEST_F(AccessCheckDeathTest, AGridThatIsAskedLives) {
    if (!kAccessChecked) { GTEST_SKIP() << "this build has no assertions"; }
    EXPECT_DEATH(
        {
            (void)set_assert_handler(nullptr);
            std::optional<RowGrid<2>> grid(std::move(grid_));
            (void)grid->visit(kWorld, [&](std::span<const Id>) {
                grid.reset();
                return false;
            });
        },
        kChanged);
}

TEST_F(AccessCheckTest, AGridThatIsChangedIsNotAsked) {
    const Ball<2> ball{{5.0f, 5.0f}, 1.0f};
    const std::span<const Ball<2>> balls(&ball, 1);
    const std::span<const Box<2>> boxes(&kWorld, 1);
    std::array<Id, 4> ids{};
    Hits hits;
    while_changed([&] { (void)grid_.query(ball, ids); }, kAsked);
    while_changed([&] { (void)grid_.query(kWorld, ids); }, kAsked);
    while_changed([&] { (void)grid_.query(balls, hits); }, kAsked);
    while_changed([&] { (void)grid_.query(boxes, hits); }, kAsked);
    while_changed([&] { (void)grid_.visit(ball, [](std::span<const Id>) { return true; }); },
                  kAsked);
    while_changed([&] { (void)grid_.count(ball); }, kAsked);
    while_changed([&] { (void)grid_.any(ball); }, kAsked);
    while_changed([&] { (void)grid_.explain(ball); }, kAsked);
    while_changed([&] { (void)grid_.order(ids); }, kAsked);
    while_changed([&] { (void)grid_.size(); }, kAsked);
    while_changed([&] { (void)grid_.contains(1); }, kAsked);
    while_changed([&] { (void)grid_.id_bound(); }, kAsked);
    while_changed([&] { (void)grid_.shape(); }, kAsked);
    while_changed([&] { (void)grid_.kind(); }, kAsked);
    while_changed([&] { (void)grid_.memory(); }, kAsked);
    while_changed([&] { (void)grid_.validate(); }, kAsked);
}

TEST_F(AccessCheckTest, AGridThatIsChangedIsNotAskedInParts) {
    const Ball<2> ball{{5.0f, 5.0f}, 1.0f};
    const std::span<const Ball<2>> balls(&ball, 1);
    const std::size_t slices = grid_.parts().slices();
    RowGrid<2> others;
    ASSERT_TRUE(others.update(agents_).ok());
    std::vector<std::uint32_t> scratch(GridParts<2>::scratch());
    std::vector<std::uint32_t> counts(kAgents);
    std::vector<std::uint64_t> offsets(kAgents + 1);
    const HitsBuffer hits{offsets, {}};
    while_changed([&] { (void)grid_.parts().query(balls, 0, 1, scratch, hits); }, kAsked);
    while_changed([&] { (void)grid_.parts().count(balls, 0, 1, scratch, counts); }, kAsked);
    while_changed([&] { (void)grid_.parts().any(balls, 0, 1, scratch, counts); }, kAsked);
    while_changed([&] { (void)grid_.parts().slices(); }, kAsked);
    while_changed([&] { (void)grid_.parts().agents_in(0, slices); }, kAsked);
    while_changed([&] { (void)grid_.parts().order(0, slices, {}); }, kAsked);
    while_changed([&] { (void)grid_.parts().positions(0, slices, {}); }, kAsked);
    while_changed([&] { (void)grid_.parts().neighbours({1.0f}, 0, slices, scratch, hits); },
                  kAsked);
    while_changed([&] { (void)grid_.parts().count_neighbours({1.0f}, 0, slices, scratch, counts); },
                  kAsked);
    while_changed([&] { (void)grid_.parts().pairs(0, slices, scratch, {}); }, kAsked);
    while_changed([&] { (void)grid_.parts().count_pairs(0, slices); }, kAsked);
    while_changed([&] { (void)grid_.parts().pairs(others, 0, slices, scratch, {}); }, kAsked);
    while_changed([&] { (void)others.parts().pairs(grid_, 0, slices, scratch, {}); }, kAsked);
}

TEST_F(AccessCheckTest, AGridIsChangedByOneAtATime) {
    const std::array<Edit<2>, 1> edits{Edit<2>::erase(3)};
    while_changed([&] { (void)grid_.update(agents_); }, kTwice);
    while_changed([&] { (void)grid_.edit(edits); }, kTwice);
    while_changed([&] { (void)grid_.insert(Id{kAgents}, {{1.0f, 1.0f}}); }, kTwice);
    while_changed([&] { (void)grid_.erase(5); }, kTwice);
    while_changed([&] { (void)grid_.move(5, {7.0f, 7.0f}); }, kTwice);
    while_changed([&] { grid_.clear(); }, kTwice);
}

TEST_F(AccessCheckTest, TheFirstUpdateOfAGridWithoutShapeIsAChangeToo) {
    RowGrid<2> fresh;
    const auto ask = [&] { EXPECT_EQ(fresh.count(kWorld).count, 0u); };
    Interrupting executor(ask);
    EXPECT_THROW((void)fresh.update(agents_, executor), Enough);
    expect(kAsked);
    reports_.clear();
    EXPECT_TRUE(fresh.update(agents_).ok());
    EXPECT_EQ(fresh.count(kWorld).count, kAgents);
    EXPECT_EQ(reports_.count(), 0u);
}

/// The crowd must not be asked from the call that begins a change until there are no blocks left,
/// however the change ends.
TEST_F(AccessCheckTest, ACrowdThatIsChangedInStepsIsNotAsked) {
    Crowd<2> crowd;
    ASSERT_TRUE(crowd.update(agents_).ok());
    const std::vector<float> half(kAgents, 0.25f);
    Agents<2> sized = agents_; // the first loop looks at sizes, and leaves the grid alone
    sized.half_extents = PointView<2>::separate({half.data(), half.data()}, kAgents);
    const std::array<Edit<2>, 1> edits{Edit<2>::move(0, {1.0f, 1.0f})};
    CrowdChange<2> change;
    const auto is_reported = [&] {
        (void)crowd.count(kWorld);
        expect(kAsked);
        reports_.clear();
        (void)crowd.erase(Id{kAgents});
        expect(kTwice);
        reports_.clear();
    };
    const auto is_quiet = [&] {
        EXPECT_EQ(crowd.count(kWorld).count, kAgents);
        EXPECT_EQ(crowd.validate(), nullptr);
        EXPECT_EQ(reports_.count(), 0u) << reports_.last();
    };
    for (const bool edited : {false, true}) {
        const auto begin = [&] {
            EXPECT_TRUE((edited ? change.edit(crowd, edits) : change.update(crowd, sized)).ok());
            EXPECT_NE(change.blocks(), 0u);
        };
        begin();
        while (change.blocks() != 0) {
            is_reported();
            change.run(0, change.blocks());
            EXPECT_TRUE(change.next().ok());
        }
        is_quiet();
        begin();
        change.cancel();
        is_quiet();
        begin();
        EXPECT_FALSE(change.next().ok()) << "blocks were left out";
        is_quiet();
        (void)crowd.visit(kWorld, [&](std::span<const Id>) {
            begin();
            change.cancel();
            return false;
        });
        expect(kChanged);
        reports_.clear();
        is_quiet();
    }
}

TEST_F(AccessCheckTest, QueriesMayOverlapAndNest) {
    std::size_t nested = 0;
    const auto ask = [&] {
        (void)grid_.visit(kWorld, [&](std::span<const Id> run) {
            nested += grid_.any(kWorld).count + run.size();
            return true;
        });
    };
    (void)grid_.visit(kWorld, [&](std::span<const Id>) {
        ask();
        std::thread(ask).join();
        return true;
    });
    EXPECT_EQ(nested, 2 * (kAgents + 1));
    std::vector<std::uint32_t> scratch(GridParts<2>::scratch());
    EXPECT_TRUE(grid_.parts().pairs(grid_, 0, grid_.parts().slices(), scratch, {}).status.ok());
    EXPECT_EQ(reports_.count(), 0u);
}

TEST_F(AccessCheckTest, OneGridMayBeChangedFromTheVisitorOfAnother) {
    RowGrid<2> other;
    (void)grid_.visit(kWorld, [&](std::span<const Id>) {
        EXPECT_TRUE(other.update(agents_).ok());
        EXPECT_TRUE(other.erase(3).ok());
        other = RowGrid<2>();
        return true;
    });
    EXPECT_EQ(reports_.count(), 0u);
}

TEST_F(AccessCheckTest, AVisitorThatThrowsLeavesNoCallInside) {
    EXPECT_THROW((void)grid_.visit(kWorld, [](std::span<const Id>) -> bool { throw Enough(); }),
                 Enough);
    expect_quiet();
}

} // namespace
} // namespace throng::test
