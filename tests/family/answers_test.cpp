// Every structure of the family against the oracle: whole crowds, every question.
#include "any_index.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace throng {
namespace {

template <std::size_t Dim>
class EveryAnswer : public test::AnyIndexTest<Dim> {};

THRONG_TEST_EVERY_INDEX(EveryAnswer, AnswersAsBruteForceDoesOnEveryScene) {
    for (const std::string_view name : scenes::names()) {
        for (const auto groups : {scenes::Groups::none, scenes::Groups::masks}) {
            SCOPED_TRACE(testing::Message() << name << (groups == scenes::Groups::none ? "" : "+"));
            auto scene = scenes::make<kDim>(name, 400, groups);
            ASSERT_NO_FATAL_FAILURE(this->take(scene));
            ASSERT_NO_FATAL_FAILURE(this->check_all(test::Questions<kDim>(scene)));
            // The same index takes the next scene: nothing of this one must be left.
        }
    }
}

THRONG_TEST_EVERY_INDEX(EveryAnswer, LaysItselfOutOverTheFirstCrowd) {
    auto scene = scenes::make<kDim>("mixed_sizes", 300);
    ASSERT_EQ(this->index_.update(scene.agents()), Status{});
    ASSERT_EQ(this->truth_.update(scene.agents()), Status{});
    ASSERT_NO_FATAL_FAILURE(this->check_all(test::Questions<kDim>(scene)));
    // An index that has never seen a crowd takes an agent, and another one far away from it; or
    // says that it must be laid out first.
    test::AnyIndex<kDim> other = this->made();
    const Point<kDim> far = Point<kDim>::all(-1e6f);
    const Status status = other.insert(5, {Point<kDim>{}, {}, {}});
    if (status.cause == Cause::not_configured) { return; }
    ASSERT_EQ(status, Status{});
    ASSERT_EQ(other.insert(2, {far, {}, {}}), Status{});
    ASSERT_STREQ(other.validate(), nullptr);
    ASSERT_EQ(other.size(), 2u);
    EXPECT_EQ(test::visited(other, Box<kDim>::at(far)), test::Ids{2});
    EXPECT_EQ(test::visited(other, Ball<kDim>{Point<kDim>{}, 1.0f}), test::Ids{5});
}

// Crowds that say little about how large cells should be, and the next one may say otherwise.
THRONG_TEST_EVERY_INDEX(EveryAnswer, LaysItselfOutOverAnything) {
    for (const float place : {0.0f, 1e-38f, 7.0f, -9e17f, 1e18f}) {
        for (const float size : {0.0f, 1e-40f, 2.0f, 1e17f}) {
            SCOPED_TRACE(testing::Message() << "at " << place << ", of size " << size);
            scenes::Scene<kDim> scene;
            scene.common_half_extent = Point<kDim>::all(size);
            for (int i = 0; i < 50; ++i) {
                scene.add(Point<kDim>::all(place));
            }
            test::AnyIndex<kDim> index = this->made();
            test::Truth<kDim> truth;
            ASSERT_EQ(index.update(scene.agents()), Status{});
            ASSERT_EQ(truth.update(scene.agents()), Status{});
            ASSERT_STREQ(index.validate(), nullptr);
            const Box<kDim> at = Box<kDim>::at(scene.position_of(0));
            ASSERT_NO_FATAL_FAILURE(test::check_question(index, truth, at, {}));
            ASSERT_EQ(test::pairs_of(index), test::pairs_of(truth));
            index.visit_cells([](const IndexCell<kDim>& cell) {
                for (std::size_t a = 0; a < kDim; ++a) {
                    EXPECT_LE(cell.box.lo[a], cell.box.hi[a]);
                }
                return true;
            });
        }
    }
}

// A single agent says little about where the crowd will be: the update chooses cells anew.
THRONG_TEST_EVERY_INDEX(EveryAnswer, ForgetsWhatItGuessed) {
    auto scene = scenes::make_uniform<kDim>(2000);
    for (std::vector<float>& axis : scene.position) {
        for (float& x : axis) {
            x += 10'000.0f;
        }
    }
    const Status status = this->index_.insert(0, {Point<kDim>{}, {}, {}});
    ASSERT_TRUE(status.ok() || status.cause == Cause::not_configured);
    ASSERT_EQ(this->index_.update(scene.agents()), Status{});
    ASSERT_EQ(this->truth_.update(scene.agents()), Status{});
    ASSERT_STREQ(this->index_.validate(), nullptr);
    ASSERT_EQ(test::pairs_of(this->index_), test::pairs_of(this->truth_));
    if (!this->entry_->has_cells) { return; }
    // The index has cells again that are no larger than they must be.
    std::uint32_t most = 0;
    this->index_.visit_cells([&](const IndexCell<kDim>& cell) {
        most = std::max(most, cell.count);
        return true;
    });
    EXPECT_LT(most, 250u);
}

THRONG_TEST_EVERY_INDEX(EveryAnswer, RefusesBoundsThatAreInverted) {
    if (!this->entry_->has_cells) { return; }
    auto scene = scenes::make<kDim>("uniform", 10);
    scene.world.lo[kDim - 1] = scene.world.hi[kDim - 1] + 1.0f;
    EXPECT_EQ(this->index_.lay_out(scene, {}),
              (Status{Cause::inverted, Argument::bounds, kDim - 1}));
}

// More agents than before, fewer of them large; the large agents have larger ids than any before.
THRONG_TEST_EVERY_INDEX(EveryAnswer, TakesAnotherCrowdWithOtherGiants) {
    auto scene = scenes::make<kDim>("uniform", 300);
    for (std::vector<float>& axis : scene.half_extent) {
        axis.assign(scene.size(), 0.2f);
        std::fill(axis.begin(), axis.begin() + 40, 50.0f);
    }
    auto larger = scenes::make_uniform<kDim>(3000);
    for (std::vector<float>& axis : larger.half_extent) {
        axis.assign(larger.size(), 0.2f);
        axis.back() = 200.0f;
    }
    ASSERT_NO_FATAL_FAILURE(this->take(scene));
    ASSERT_EQ(this->index_.update(larger.agents()), Status{});
    ASSERT_EQ(this->truth_.update(larger.agents()), Status{});
    ASSERT_STREQ(this->index_.validate(), nullptr);
    ASSERT_EQ(test::pairs_of(this->index_), test::pairs_of(this->truth_));
}

THRONG_TEST_EVERY_INDEX(EveryAnswer, FindsNothingWhereNothingIs) {
    auto scene = scenes::make<kDim>("uniform", 100);
    const test::Questions<kDim> questions(scene);
    ASSERT_NO_FATAL_FAILURE(this->check_all(questions)); // never configured
    ASSERT_NO_FATAL_FAILURE(this->take(scene));
    this->index_.clear();
    this->truth_.clear();
    ASSERT_NO_FATAL_FAILURE(this->check_all(questions));
    EXPECT_FALSE(this->index_.contains(0));
    std::size_t shown = 0;
    this->index_.visit_cells([&](const IndexCell<kDim>& cell) {
        shown += cell.count;
        return true;
    });
    EXPECT_EQ(shown, 0u);
    // The index has kept its shape, and takes agents again.
    ASSERT_NO_FATAL_FAILURE(this->take(scene));
    ASSERT_NO_FATAL_FAILURE(this->check_all(questions));
}

THRONG_TEST_EVERY_INDEX(EveryAnswer, ShowsItsCells) {
    auto scene = scenes::make<kDim>("clustered", 500);
    ASSERT_NO_FATAL_FAILURE(this->take(scene));
    std::size_t shown = 0;
    std::size_t cells = 0;
    this->index_.visit_cells([&](const IndexCell<kDim>& cell) {
        for (std::size_t a = 0; a < kDim; ++a) {
            EXPECT_LE(cell.box.lo[a], cell.box.hi[a]);
        }
        EXPECT_LE(cell.depth, 40u);
        shown += cell.count;
        ++cells;
        return true;
    });
    if (this->entry_->counts_once) {
        EXPECT_EQ(shown, scene.size());
    } else {
        EXPECT_GE(shown, scene.size());
    }
    std::size_t visits = 0;
    this->index_.visit_cells([&](const IndexCell<kDim>&) { return ++visits < 2; });
    EXPECT_EQ(visits, std::min<std::size_t>(cells, 2));
}

THRONG_TEST_EVERY_INDEX(EveryAnswer, PassesOnWhatAVisitorThrows) {
    auto scene = scenes::make<kDim>("uniform", 200);
    ASSERT_NO_FATAL_FAILURE(this->take(scene));
    const auto thrower = [](auto&&...) -> bool { throw std::runtime_error("enough"); };
    EXPECT_THROW((void)this->index_.visit(scene.world, thrower), std::runtime_error);
    EXPECT_THROW((void)this->index_.visit_pairs(thrower), std::runtime_error);
    EXPECT_THROW(this->index_.visit_cells(thrower), std::runtime_error);
    std::size_t runs = 0;
    (void)this->index_.visit_pairs([&](auto, auto) { return ++runs < 1; });
    EXPECT_EQ(runs, 1u);
    ASSERT_NO_FATAL_FAILURE(this->check_all(test::Questions<kDim>(scene, 4)));
}

THRONG_TEST_EVERY_INDEX(EveryAnswer, MovesAsAWhole) {
    auto scene = scenes::make<kDim>("mixed_sizes", 200);
    ASSERT_NO_FATAL_FAILURE(this->take(scene));
    test::AnyIndex<kDim> other = std::move(this->index_);
    this->index_ = std::move(other);
    ASSERT_NO_FATAL_FAILURE(this->check_all(test::Questions<kDim>(scene, 4)));
}

} // namespace
} // namespace throng
