// Readers at full speed while the next frames are built. Mainly for ThreadSanitizer, but answers
// must be right for the frame that a reader holds.
#include <throng/engine/crowd/snapshots.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../support/scenes/scenes.hpp"
#include "crews.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace throng::test {
namespace {

constexpr std::size_t kSnapshotReaders = 4;

/// The agents' positions in a few frames that repeat, and the right answers.
template <std::size_t Dim>
class Course {
public:
    static constexpr std::uint64_t kFrames = 5;

    Course() {
        for (std::uint64_t i = 0; i < kFrames; ++i) {
            scenes_[i] = scenes::make_uniform<Dim>(3'000 + 100 * i, i);
            RowGrid<Dim> grid;
            EXPECT_TRUE(grid.update(scenes_[i].agents()).ok());
            heard_[i] = hear(grid);
        }
    }
    [[nodiscard]] Agents<Dim> agents(std::uint64_t frame) {
        return scenes_[frame % kFrames].agents();
    }
    [[nodiscard]] bool is_true_of(const Snapshot<RowGrid<Dim>>& snapshot) const {
        return hear(*snapshot) == heard_[snapshot.frame() % kFrames];
    }

private:
    /// A hash of some answers that does not depend on the order of rows, which earlier frames
    /// influence.
    [[nodiscard]] std::uint64_t hear(const RowGrid<Dim>& grid) const {
        std::uint64_t hash = grid.size();
        for (std::size_t i = 0; i < 6; ++i) {
            const Ball<Dim> ball{scenes_[0].position_of(500 * i), 3.0f};
            (void)grid.visit(ball, [&](std::span<const Id> run) {
                for (const Id id : run) {
                    hash += (id + i) * std::uint64_t{0x9E37'79B9'7F4A'7C15u};
                }
                return true;
            });
        }
        return hash;
    }

    std::array<scenes::Scene<Dim>, kFrames> scenes_;
    std::array<std::uint64_t, kFrames> heard_{};
};

template <std::size_t Dim>
void build_while_asked(Executor& executor, std::uint64_t move_at) {
    using Grid = RowGrid<Dim>;
    Course<Dim> course;
    Snapshots<Grid> hub([] { return Grid(); }, move_at);
    std::atomic<bool> over = false;
    std::atomic<std::uint64_t> wrong = 0;
    std::atomic<std::uint64_t> asked = 0;
    const auto write = [&] {
        for (std::uint64_t frame = 1; frame <= 60 || asked.load() < 20; ++frame) {
            Grid& next = hub.next();
            if (frame % 7 == 0) { // refused, so it must have no effect
                Agents<Dim> agents = course.agents(frame);
                agents.common_half_extent = Point<Dim>::all(-1.0f);
                EXPECT_FALSE(next.update(agents, executor).ok());
            }
            EXPECT_TRUE(hub.next().update(course.agents(frame), executor).ok());
            EXPECT_EQ(hub.publish(), frame);
        }
        over = true;
    };
    const auto read = [&](std::size_t reader) {
        std::array<Snapshot<Grid>, 3> held; // later readers hold frames for longer
        std::uint64_t latest = 0;
        for (std::uint64_t round = 0; !over.load(); ++round) {
            Snapshot<Grid> snapshot = hub.acquire();
            if (!snapshot) { continue; }
            if (snapshot.frame() < latest || !course.is_true_of(snapshot)) { ++wrong; }
            latest = snapshot.frame();
            ++asked;
            for (int i = 0; i < 50; ++i) { // short-lived snapshots
                const Snapshot<Grid> copy = i % 2 == 0 ? snapshot : hub.acquire();
                if (copy.frame() < latest) { ++wrong; }
            }
            if (reader > 0) { held[round / (5 * reader) % reader % 3] = std::move(snapshot); }
            for (const Snapshot<Grid>& old : held) {
                if (old && !course.is_true_of(old)) { ++wrong; }
            }
        }
    };
    on_own_threads(kSnapshotReaders + 1,
                   [&](std::size_t i) { i == kSnapshotReaders ? write() : read(i); });
    EXPECT_EQ(wrong.load(), 0u);
    EXPECT_LE(hub.size(), 4 * kSnapshotReaders + 2);
    hub.shrink();
    (void)hub.next();
    EXPECT_EQ(hub.size(), 2u) << "a reader that is gone is still counted";
}

class ThreadedSnapshots : public ::testing::TestWithParam<Crew> {};

TEST_P(ThreadedSnapshots, ReadersAskWhileFramesAreBuilt) {
    GetParam().call([](Executor& executor) {
        build_while_asked<2>(executor, detail::SnapshotCore::kMoveAt);
        build_while_asked<3>(executor, 3);
    });
}

INSTANTIATE_TEST_SUITE_P(, ThreadedSnapshots, ::testing::ValuesIn(crews()),
                         [](const auto& of) { return of.param.name; });

/// Two numbers that belong together. Counts its live objects.
struct Twin {
    explicit Twin(std::atomic<int>& alive_) : alive(&alive_) { ++*alive; }
    Twin(const Twin&) = delete;
    Twin& operator=(const Twin&) = delete;
    ~Twin() { --*alive; }

    std::atomic<int>* alive;
    std::uint64_t first = 0, second = 0; // not atomic, so that a race would be reported
};

/// Readers only acquire and release, while the hub moves its reader count often.
void come_and_go(std::uint64_t move_at) {
    std::atomic<int> alive = 0;
    std::atomic<std::size_t> readers = kSnapshotReaders;
    std::atomic<std::uint64_t> wrong = 0;
    std::array<Snapshot<Twin>, kSnapshotReaders> last;
    std::optional<Snapshots<Twin>> hub(
        std::in_place, [&] { return Twin(alive); }, move_at);
    const auto write = [&] {
        for (std::uint64_t frame = 1; readers.load() != 0; ++frame) {
            Twin& next = hub->next();
            next.first = frame;
            next.second = ~frame;
            (void)hub->publish();
        }
    };
    const auto read = [&](std::size_t reader) {
        for (int round = 0; round < 20'000; ++round) {
            const Snapshot<Twin> snapshot = hub->acquire();
            if (!snapshot) { continue; }
            const Snapshot<Twin> copy = snapshot;
            if (copy->first != snapshot.frame() || copy->second != ~copy->first) { ++wrong; }
            if (round % 100 == 0) { last[reader] = copy; }
        }
        --readers;
    };
    on_own_threads(kSnapshotReaders + 1,
                   [&](std::size_t i) { i == kSnapshotReaders ? write() : read(i); });
    EXPECT_EQ(wrong.load(), 0u);
    // Readers hold a snapshot after the hub is destroyed, and release it all at once.
    hub->next().first = 1;
    (void)hub->publish();
    last.fill(hub->acquire());
    (void)hub->next();
    EXPECT_LE(alive.load(), static_cast<int>(3 * kSnapshotReaders) + 2);
    hub.reset();
    EXPECT_EQ(alive.load(), 1);
    on_own_threads(kSnapshotReaders, [&](std::size_t i) {
        if (last[i]->first != 1) { ++wrong; }
        last[i] = {};
    });
    EXPECT_EQ(alive.load(), 0);
    EXPECT_EQ(wrong.load(), 0u);
}

TEST(SnapshotReaders, ShortLivedReadersAreAllCounted) {
    come_and_go(detail::SnapshotCore::kMoveAt);
    come_and_go(1);
    come_and_go(2);
    come_and_go(17);
}

} // namespace
} // namespace throng::test
