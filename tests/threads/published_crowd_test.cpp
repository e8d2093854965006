// Readers ask a crowd at full speed while its next frames are built.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/crowd/published_crowd.hpp>

#include "../support/scenes/scenes.hpp"
#include "../support/truth.hpp"
#include "crews.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace throng::test {
namespace {

constexpr std::size_t kReaders = 3;

/// The oracle's answers about a frame and its statics, as sums that do not depend on order.
using Heard = std::array<std::uint64_t, 6>;

template <class Ask>
std::uint64_t sum_of(const Ask& ask) {
    std::uint64_t sum = 0;
    (void)ask([&](std::span<const Id> run) {
        for (const Id id : run) {
            sum += (std::uint64_t{id} + 1) * 0x9E37'79B9'7F4A'7C15u;
        }
        return true;
    });
    return sum;
}

/// A few frames with giants that repeat, and two alternating sets of statics.
template <std::size_t Dim>
class Play {
public:
    static constexpr std::uint64_t kFrames = 4;

    Play() {
        for (std::uint64_t i = 0; i < kFrames; ++i) {
            scenes::Scene<Dim>& scene = scenes_[i];
            scene = scenes::make_uniform<Dim>(1'500 + 50 * i, i + 1);
            for (std::size_t a = 0; a < Dim; ++a) {
                scene.half_extent[a].assign(scene.size(), 0.25f);
                for (std::size_t g = i; g < scene.size(); g += 100) {
                    scene.half_extent[a][g] = 7.0f;
                }
            }
        }
        for (std::uint64_t i = 0; i < 2; ++i) {
            walls_[i] = scenes::make_uniform<Dim>(200, 77 + i);
            walls_[i].common_half_extent = Point<Dim>::all(0.5f + static_cast<float>(i));
        }
        for (std::uint64_t frame = 1; frame <= 2 * kFrames; ++frame) {
            Truth<Dim> truth;
            EXPECT_TRUE(truth.update(scenes_[frame % kFrames].agents()).ok());
            EXPECT_TRUE(truth.set_statics(walls_of(frame)).ok());
            for (std::size_t q = 0; q < Heard{}.size(); ++q) {
                heard_[frame % (2 * kFrames)][q] =
                    sum_of([&](IndexVisitor visitor) { return truth.visit(question(q), visitor); });
            }
        }
    }

    [[nodiscard]] Agents<Dim> agents(std::uint64_t frame) {
        return scenes_[frame % kFrames].agents();
    }
    /// The statics of frames 1 to 4 differ from those of frames 5 to 8, and so on.
    [[nodiscard]] Agents<Dim> walls_of(std::uint64_t frame) {
        return walls_[(frame - 1) / kFrames % 2].agents();
    }
    [[nodiscard]] bool is_true_of(const Snapshot<Crowd<Dim>>& snapshot) const {
        for (std::size_t q = 0; q < Heard{}.size(); ++q) {
            const std::uint64_t sum =
                sum_of([&](IndexVisitor v) { return snapshot->visit(question(q), v); });
            if (sum != heard_[snapshot.frame() % (2 * kFrames)][q]) { return false; }
        }
        return true;
    }

private:
    [[nodiscard]] Box<Dim> question(std::size_t q) const {
        return Box<Dim>::around(scenes_[0].position_of(200 * q),
                                Point<Dim>::all(1.0f + 2.0f * static_cast<float>(q)));
    }

    std::array<scenes::Scene<Dim>, kFrames> scenes_;
    std::array<scenes::Scene<Dim>, 2> walls_;
    std::array<Heard, 2 * kFrames> heard_{};
};

template <std::size_t Dim>
void build_while_asked(Executor& executor) {
    Play<Dim> play;
    PublishedCrowd<Dim> crowd;
    std::atomic<bool> over = false;
    std::atomic<std::uint64_t> wrong = 0, asked = 0;
    const auto write = [&] {
        for (std::uint64_t frame = 1; frame <= 40 || asked.load() < 20; ++frame) {
            if (frame % Play<Dim>::kFrames == 1) {
                EXPECT_EQ(crowd.set_statics(play.walls_of(frame), executor), Status{});
            }
            if (frame % 5 == 0) { // refused, so it must have no effect
                Agents<Dim> agents = play.agents(frame);
                agents.half_extents.count -= 1;
                EXPECT_EQ(crowd.update(agents, executor).cause, Cause::count_mismatch);
            }
            EXPECT_EQ(crowd.update(play.agents(frame), executor), Status{});
        }
        over = true;
    };
    const auto read = [&](std::size_t reader) {
        Snapshot<Crowd<Dim>> held; // readers hold frames for different times
        for (std::uint64_t round = 0; !over.load(); ++round) {
            Snapshot<Crowd<Dim>> snapshot = crowd.acquire();
            if (!snapshot) { continue; }
            if (!play.is_true_of(snapshot)) { ++wrong; }
            if (held && !play.is_true_of(held)) { ++wrong; }
            if (round % (3 * reader + 1) == 0) { held = std::move(snapshot); }
            ++asked;
        }
    };
    on_own_threads(kReaders + 1, [&](std::size_t i) { i == kReaders ? write() : read(i); });
    EXPECT_EQ(wrong.load(), 0u);
    EXPECT_LE(crowd.frames(), 2 * kReaders + 2);
}

/// In frame f, agent f % kMany is at the dock, and all others are in the field. A static stands
/// elsewhere in every third frame. Most frames are made by edits, some by updates.
void edit_while_asked(Executor& executor) {
    constexpr Id kMany = 300;
    const Point<2> dock{1000, 1000};
    const auto field_of = [](Id id) {
        return Point<2>{static_cast<float>(id % 20), static_cast<float>(id / 20)};
    };
    const auto tower_of = [](std::uint64_t frame) {
        return Point<2>{500.0f + 4.0f * static_cast<float>(frame / 3 % 50), 500.0f};
    };
    scenes::Scene<2> scene, standing;
    for (Id id = 0; id < kMany; ++id) {
        scene.add(field_of(id));
    }
    standing.add(tower_of(1));
    PublishedCrowd<2> crowd;
    EXPECT_EQ(crowd.configure({.bounds = Box<2>{{0, 0}, {1100, 1100}}, .cell = Point<2>{2, 2}}),
              Status{});
    EXPECT_EQ(crowd.set_statics(standing.agents(), executor), Status{});
    const auto update = [&](std::uint64_t frame) {
        scenes::Scene<2> now = scene;
        for (std::size_t a = 0; a < 2; ++a) {
            now.position[a][frame % kMany] = dock[a];
        }
        EXPECT_EQ(crowd.update(now.agents(), executor), Status{});
    };
    update(1);
    std::atomic<bool> over = false;
    std::atomic<std::uint64_t> wrong = 0, asked = 0;
    const auto is_true = [&](const Snapshot<Crowd<2>>& snapshot) {
        std::array<Id, 18> at_dock{};
        const auto id = static_cast<Id>(snapshot.frame() % kMany);
        return snapshot->query(Ball<2>{dock, 1.0f}, at_dock).count == 1 && at_dock[0] == id &&
               snapshot->count(Box<2>{{0, 0}, {20, 20}}).count == kMany - 1 &&
               snapshot->count(Ball<2>{tower_of(snapshot.frame()), 1.0f}).count == 1;
    };
    const auto write = [&] {
        for (std::uint64_t frame = 2; frame <= 200 || asked.load() < 20; ++frame) {
            const auto back = static_cast<Id>((frame - 1) % kMany);
            const auto there = static_cast<Id>(frame % kMany);
            const std::array edits = {Edit<2>::move(back, field_of(back)),
                                      Edit<2>::move(there, dock),
                                      Edit<2>::move(static_id(0), tower_of(frame))};
            const std::span<const Edit<2>> all(edits);
            if (frame % 16 == 0) {
                EXPECT_EQ(crowd.edit_statics(all.last(1)), Status{});
                update(frame);
            } else {
                EXPECT_EQ(crowd.edit(all.first(frame % 3 == 0 ? 3 : 2), executor), Status{});
            }
        }
        over = true;
    };
    const auto read = [&](std::size_t reader) {
        Snapshot<Crowd<2>> held;
        for (std::uint64_t round = 0; !over.load(); ++round) {
            Snapshot<Crowd<2>> snapshot = crowd.acquire();
            if (!is_true(snapshot)) { ++wrong; }
            if (held && !is_true(held)) { ++wrong; }
            if (round % (5 * reader + 1) == 0) { held = std::move(snapshot); }
            ++asked;
        }
    };
    on_own_threads(kReaders + 1, [&](std::size_t i) { i == kReaders ? write() : read(i); });
    EXPECT_EQ(wrong.load(), 0u);
    EXPECT_LE(crowd.frames(), 2 * kReaders + 2);
}

class ThreadedPublishedCrowd : public ::testing::TestWithParam<Crew> {};

TEST_P(ThreadedPublishedCrowd, IsAskedWhileFramesAreBuilt) {
    GetParam().call([](Executor& executor) {
        build_while_asked<2>(executor);
        build_while_asked<3>(executor);
    });
}

TEST_P(ThreadedPublishedCrowd, IsAskedWhileFramesAreEdited) { GetParam().call(edit_while_asked); }

INSTANTIATE_TEST_SUITE_P(, ThreadedPublishedCrowd, ::testing::ValuesIn(crews()),
                         [](const auto& of) { return of.param.name; });

TEST(PublishedCrowds, AFrameOutlivesThem) {
    Play<2> play;
    Snapshot<Crowd<2>> last;
    {
        PublishedCrowd<2> crowd;
        EXPECT_FALSE(crowd.acquire());
        ASSERT_EQ(crowd.set_statics(play.walls_of(1)), Status{});
        ASSERT_EQ(crowd.update(play.agents(1)), Status{});
        last = crowd.acquire();
        ASSERT_EQ(crowd.update(play.agents(2)), Status{});
    }
    EXPECT_EQ(last.frame(), 1u);
    EXPECT_TRUE(play.is_true_of(last));
    EXPECT_STREQ(last->validate(), nullptr);
}

TEST(PublishedCrowds, TakeAgentsAndStaticsFromFarAway) {
    PublishedCrowd<2> crowd;
    CrowdSettings<2> settings;
    settings.origin = {1e9, -1e9};
    ASSERT_EQ(crowd.configure(settings), Status{});
    const double x[] = {1e9 + 1.0, 1e9 + 2.0}, y[] = {-1e9, -1e9};
    const WorldAgents<2> here(WorldPointView<2>::separate({x, y}, 2));
    ASSERT_EQ(crowd.set_statics(here), Status{});
    ASSERT_EQ(crowd.update(here), Status{});
    const Ball<2> ball{{{1.0f, 0.0f}}, 0.5f};
    EXPECT_EQ(crowd.acquire()->count(ball).count, 2u); // one agent and one wall
    const double nowhere[] = {1e9, 1e300};
    EXPECT_EQ(crowd.update(WorldAgents<2>(WorldPointView<2>::separate({nowhere, y}, 2))),
              (Status{Cause::too_large, Argument::positions, 1}));
    EXPECT_EQ(crowd.acquire().frame(), 1u);
}

TEST(PublishedCrowds, FramesHaveTheCellsOfTheFirst) {
    Play<2> play;
    PublishedCrowd<2> crowd;
    ASSERT_EQ(crowd.update(play.agents(0)), Status{});
    const Snapshot<Crowd<2>> first = crowd.acquire();
    for (std::uint64_t frame = 1; frame < 6; ++frame) {
        ASSERT_EQ(crowd.update(play.agents(frame)), Status{});
        EXPECT_EQ(crowd.acquire()->grid().shape(), first->grid().shape());
    }
    EXPECT_EQ(crowd.frames(), 3u); // one held, one published, one being built
}

} // namespace
} // namespace throng::test
