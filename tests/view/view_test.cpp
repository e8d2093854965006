// What the window shows, tested without a window.
#include "../../demo/view/camera.hpp"
#include "../../demo/view/cells.hpp"
#include "../../demo/view/dots.hpp"
#include "../../demo/view/hand.hpp"
#include "../../demo/view/layout.hpp"
#include "../../demo/view/plot.hpp"
#include "../../demo/view/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace throng::demo {
namespace {

constexpr Box<2> kWorld = {{{-10.0f, 20.0f}}, {{190.0f, 120.0f}}};

ViewCamera camera_over(const Box<2>& world) {
    ViewCamera camera;
    camera.resize(1280.0f, 720.0f);
    camera.fit(world, {300.0f, 12.0f, 1268.0f, 560.0f});
    return camera;
}

TEST(ViewCamera, FitsTheWorldIntoItsArea) {
    const ScreenArea seen = camera_over(kWorld).to_screen(kWorld);
    EXPECT_GE(seen.left, 300.0f);
    EXPECT_GE(seen.top, 12.0f);
    EXPECT_LE(seen.right, 1268.0f);
    EXPECT_LE(seen.bottom, 560.0f);
    EXPECT_NEAR(seen.left + seen.right, 300.0f + 1268.0f, 0.1f);
    EXPECT_NEAR(seen.top + seen.bottom, 12.0f + 560.0f, 0.1f);
    EXPECT_GT(seen.width(), 0.9f * (1268.0f - 300.0f)); // not smaller than necessary
}

TEST(ViewCamera, FindsThePlaceUnderAPixelAgain) {
    ViewCamera camera = camera_over(kWorld);
    camera.zoom({900.0f, 200.0f}, 3.0f);
    camera.pan(-40.0f, 25.0f);
    for (const Pixel pixel : {Pixel{0.0f, 0.0f}, Pixel{1279.0f, 719.0f}, Pixel{640.0f, 33.0f}}) {
        const Pixel again = camera.to_screen(camera.to_world(pixel));
        EXPECT_NEAR(again.x, pixel.x, 0.01f);
        EXPECT_NEAR(again.y, pixel.y, 0.01f);
    }
    // Up on the screen is up in the world.
    EXPECT_GT(camera.to_world({0.0f, 0.0f})[1], camera.to_world({0.0f, 10.0f})[1]);
}

TEST(ViewCamera, ZoomsAroundThePixel) {
    ViewCamera camera = camera_over(kWorld);
    const float scale = camera.scale();
    const Point<2> before = camera.to_world({700.0f, 300.0f});
    camera.zoom({700.0f, 300.0f}, 2.0f);
    const Point<2> after = camera.to_world({700.0f, 300.0f});
    EXPECT_FLOAT_EQ(camera.scale(), scale * 2.0f);
    EXPECT_NEAR(after[0], before[0], 1e-3f);
    EXPECT_NEAR(after[1], before[1], 1e-3f);
}

TEST(ViewCamera, DoesNotLoseTheWorld) {
    ViewCamera camera = camera_over(kWorld);
    for (const auto& [x, y] : {std::pair(1e7f, 0.0f), std::pair(-1e7f, 1e7f)}) {
        camera.pan(x, y);
        EXPECT_TRUE(is_seen(kWorld, camera.visible()));
    }
    const ViewCamera fitted = camera_over(kWorld);
    camera = fitted;
    for (int i = 0; i < 200; ++i) {
        camera.zoom({640.0f, 360.0f}, 0.5f);
    }
    EXPECT_GT(camera.scale(), fitted.scale() * 0.1f);
    for (int i = 0; i < 200; ++i) {
        camera.zoom({640.0f, 360.0f}, 2.0f);
    }
    EXPECT_LT(camera.scale(), 1000.0f);
    EXPECT_TRUE(is_seen(kWorld, camera.visible()));
}

TEST(Layout, NothingLiesUponAnotherWhereThereIsRoom) {
    for (const auto& [width, height] : {std::pair(1280.0f, 720.0f), std::pair(3840.0f, 2160.0f)}) {
        const ScreenArea side = side_panel(height), plot = plot_panel(width, height);
        const ScreenArea beside = free_area(width, height, true);
        EXPECT_LE(side.right, plot.left);
        EXPECT_LE(side.right, beside.left);
        EXPECT_LE(beside.bottom, plot.top);
        EXPECT_FALSE(holds(side, {beside.left, beside.top}));
        EXPECT_TRUE(holds(plot, {plot.left, plot.top}));
        EXPECT_LT(plot.right, width);
        EXPECT_EQ(free_area(width, height, false).right, width);
    }
    // A window too small for panel and world: the whole window is used.
    EXPECT_EQ(free_area(320.0f, 200.0f, true).right, 320.0f);
}

TEST(Hand, IsAsLargeOnTheScreenWhateverTheZoom) {
    ViewCamera camera = camera_over(kWorld);
    Hand hand;
    hand.size = 50.0f;
    EXPECT_FLOAT_EQ(hand.brush(camera).size, 50.0f / camera.scale());
    camera.zoom({640.0f, 360.0f}, 2.0f);
    EXPECT_FLOAT_EQ(hand.brush(camera).size, 50.0f / camera.scale());
    hand.grow(1e6f);
    EXPECT_EQ(hand.size, Hand::kLargest);
    hand.grow(1e-6f);
    EXPECT_EQ(hand.size, Hand::kSmallest);
}

TEST(Hand, AimsWhereItIsDraggedTo) {
    const ViewCamera camera = camera_over(kWorld);
    for (const BrushKind kind : {BrushKind::ray, BrushKind::view}) {
        Hand hand;
        hand.kind = kind;
        hand.aim({400.0f, 300.0f}, {640.0f, 120.0f}, camera);
        const Brush brush = hand.brush(camera);
        EXPECT_EQ(brush.at, camera.to_world({400.0f, 300.0f}));
        EXPECT_NEAR(brush.towards[0], 0.8f, 1e-5f);
        EXPECT_NEAR(brush.towards[1], 0.6f, 1e-5f); // up on the screen is up in the world
        EXPECT_NEAR(brush.size * camera.scale(), 300.0f, 1e-2f);
    }
    Hand box;
    box.kind = BrushKind::box;
    box.aim({400.0f, 300.0f}, {460.0f, 320.0f}, camera);
    EXPECT_FLOAT_EQ(box.size, 60.0f);
}

TEST(Hand, StaysAsItIsWhenHardlyDragged) {
    const ViewCamera camera = camera_over(kWorld);
    Hand hand;
    hand.kind = BrushKind::ray;
    const Brush before = hand.brush(camera);
    hand.aim({400.0f, 300.0f}, {401.0f, 300.0f}, camera);
    EXPECT_EQ(hand.brush(camera).size, before.size);
    EXPECT_EQ(hand.brush(camera).towards, before.towards);
}

/// A stage that has only the given cells.
class Cells final : public Stage {
public:
    std::vector<IndexCell<2>> cells;

    void visit_cells(IndexCellVisitor<2> visitor) const override {
        for (const IndexCell<2>& cell : cells) {
            if (!visitor(cell)) { return; }
        }
    }
    Status step(FrameTimes&) override { return {}; }
    const char* scene() const noexcept override { return "cells"; }
    std::size_t dim() const noexcept override { return 2; }
    Box<2> world() const noexcept override { return kWorld; }
    Sight sight() const noexcept override { return {}; }
    std::uint64_t pairs() const noexcept override { return 0; }
    MemoryUse memory() const noexcept override { return {}; }
    Status set_agents(std::size_t) override { return {}; }
    float radius() const noexcept override { return 1.0f; }
    Status set_radius(float) override { return {}; }
    StructureKind structure() const noexcept override { return StructureKind::crowd; }
    Status set_structure(StructureKind) override { return {}; }
    Brushed ask(const Brush&) const override { return {}; }
};

IndexCell<2> cell_at(float x, float y, float side, std::uint32_t depth) {
    return {{{{x, y}}, {{x + side, y + side}}}, depth, 1};
}

TEST(ShownCells, LeavesOutWhatIsTooSmallOrOutOfSight) {
    const ViewCamera camera = camera_over(kWorld);
    const float pixel = 1.0f / camera.scale();
    Cells stage;
    stage.cells = {cell_at(50.0f, 50.0f, 5.0f * pixel, 2), cell_at(5000.0f, 50.0f, 10.0f, 1),
                   cell_at(0.0f, 30.0f, 40.0f, 0)};
    ShownCells shown;
    shown.gather(stage, camera);
    ASSERT_EQ(shown.cells().size(), 2u);
    EXPECT_EQ(shown.cells()[0].depth, 0u); // outermost cells first
    EXPECT_EQ(shown.deepest(), 2u);
    EXPECT_FALSE(shown.thinned());

    stage.cells.push_back(cell_at(60.0f, 50.0f, 3.0f * pixel, 3));
    shown.gather(stage, camera);
    EXPECT_EQ(shown.cells().size(), 2u);
    EXPECT_TRUE(shown.thinned());
}

TEST(ShownCells, KeepsEqualOutlinesOnceAndTheLargerOnesIfThereAreTooMany) {
    const ViewCamera camera = camera_over(kWorld);
    Cells stage;
    stage.cells.assign(100'000, cell_at(50.0f, 50.0f, 10.0f, 1));
    ShownCells shown;
    shown.gather(stage, camera);
    EXPECT_EQ(shown.cells().size(), 1u);
    EXPECT_FALSE(shown.thinned());

    // Too many cells of one size, and a larger one.
    for (std::size_t i = 0; i < stage.cells.size(); ++i) {
        const float x = static_cast<float>(i) * 1e-3f;
        stage.cells[i] = cell_at(x, 50.0f, 10.0f, 2);
    }
    stage.cells.push_back(cell_at(0.0f, 30.0f, 40.0f, 1));
    shown.gather(stage, camera);
    ASSERT_EQ(shown.cells().size(), 1u);
    EXPECT_EQ(shown.cells()[0].depth, 1u);
    EXPECT_TRUE(shown.thinned());
}

TEST(Glow, FadesUnlessMetAgain) {
    const Box<2> a = kWorld, b = {{{0.0f, 0.0f}}, {{1.0f, 1.0f}}};
    Glow glow;
    glow.light(std::vector{a, b, a});
    ASSERT_EQ(glow.cells().size(), 2u);
    glow.fade(Glow::kFadesIn * 0.5f);
    glow.light(std::vector{a});
    ASSERT_EQ(glow.cells().size(), 2u);
    for (const Glow::Cell& cell : glow.cells()) {
        EXPECT_FLOAT_EQ(cell.light, cell.box == a ? 1.0f : 0.5f);
    }
    glow.fade(Glow::kFadesIn * 0.75f);
    ASSERT_EQ(glow.cells().size(), 1u);
    EXPECT_EQ(glow.cells()[0].box, a);
}

TEST(Dots, AreDrawnAsRuns) {
    Dots dots;
    dots.begin(20.0f, 9.0f);
    for (const Pixel at :
         {Pixel{2.5f, 0.0f}, Pixel{4.5f, 1.9f}, Pixel{3.0f, 1.0f}, Pixel{19.9f, 8.9f},
          Pixel{-0.1f, 3.0f}, Pixel{5.0f, 1e9f}, Pixel{std::nanf(""), 3.0f}}) {
        dots.set(at);
    }
    std::vector<ScreenArea> runs;
    dots.for_each_run([&](const ScreenArea& run) { runs.push_back(run); });
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs[0].left, 2.0f);
    EXPECT_EQ(runs[0].right, 6.0f);
    EXPECT_EQ(runs[0].top, 0.0f);
    EXPECT_EQ(runs[1].left, 18.0f);
    EXPECT_EQ(runs[1].bottom, 10.0f);
}

TEST(RecentTimes, FollowsEachFrameOnce) {
    FrameTimes told;
    RecentTimes recent;
    recent.follow(told);
    EXPECT_TRUE(recent.frames().empty());
    EXPECT_EQ(recent.quantile(frame, 0.5f), 0.0f);
    for (int i = 0; i < 300; ++i) {
        told.begin();
        told.ended(move);
        told.ended(frame);
        recent.follow(told);
        recent.follow(told);
    }
    EXPECT_EQ(recent.frames().size(), RecentTimes::kMost);
    const auto& newest = recent.frames().back();
    EXPECT_FLOAT_EQ(newest.part[move], static_cast<float>(told.of(move).back()));
    EXPECT_EQ(newest.part[collide], 0.0f);
}

TEST(RecentTimes, CountsFromWhereItBeganAnew) {
    FrameTimes told;
    RecentTimes recent;
    const auto frames = [&](int count) {
        for (int i = 0; i < count; ++i) {
            told.begin();
            told.ended(frame);
            recent.follow(told);
        }
    };
    frames(10);
    recent.begin_anew();
    frames(1);
    EXPECT_TRUE(recent.frames().back().begins);
    const auto last = static_cast<float>(told.of(frame).back());
    EXPECT_FLOAT_EQ(recent.quantile(frame, 0.0f), last);
    EXPECT_FLOAT_EQ(recent.quantile(frame, 1.0f), last);
    // These frames are so short that a line at 60 Hz would flatten their curve.
    EXPECT_LT(recent.top(), kSixtyHertz);
}

TEST(RoundUp, GivesRoundNumbersThatAreNotBelow) {
    EXPECT_FLOAT_EQ(round_up(17.0f), 20.0f);
    EXPECT_FLOAT_EQ(round_up(2.1f), 2.5f);
    EXPECT_FLOAT_EQ(round_up(99.0f), 100.0f);
    EXPECT_FLOAT_EQ(round_up(0.03f), 0.05f);
    EXPECT_FLOAT_EQ(round_up(0.0f), 1.0f);
    for (float value = 1e-3f; value < 1e5f; value *= 1.37f) {
        EXPECT_GE(round_up(value), value);
        EXPECT_LE(round_up(value), 2.5f * value);
    }
}

TEST(Text, ReadsAsPeopleWrite) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(1'234'567'890), "1,234,567,890");
    EXPECT_EQ(duration(0.0), "0 ns");
    EXPECT_EQ(duration(850.4), "850 ns");
    EXPECT_EQ(duration(999.7), "1.00 \xC2\xB5s");
    EXPECT_EQ(duration(12'340.0), "12.3 \xC2\xB5s");
    EXPECT_EQ(duration(99'960.0), "100 \xC2\xB5s");
    EXPECT_EQ(duration(16.7e6), "16.7 ms");
    EXPECT_EQ(duration(2.5e9), "2.50 s");
    EXPECT_EQ(bytes(512), "512 bytes");
    EXPECT_EQ(bytes(1'500'000), "1.50 MB");
}

} // namespace
} // namespace throng::demo
