// Handles of the C API that several threads make, look up and destroy; and snapshots that are
// acquired while the next frame is built. Mainly for ThreadSanitizer.
#include "crews.hpp"

#include <throng/throng.h>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace throng::test {
namespace {

constexpr std::size_t kThreads = 4;

/// Agents on a line, one unit apart, from `first` on.
struct Line {
    std::vector<float> places;

    explicit Line(float first, std::size_t count = 100) {
        for (std::size_t i = 0; i < count; ++i) {
            places.push_back(first + static_cast<float>(i));
            places.push_back(0.0f);
        }
    }
    [[nodiscard]] throng_agents agents() const {
        return throng_agents_interleaved(2, places.data(), places.size() / 2, 2 * sizeof(float));
    }
};

/// How many agents are between two places.
std::uint64_t count_between(const throng_crowd* crowd, float low, float high) {
    const throng_box2 box = {{low, -1.0f}, {high, 1.0f}};
    throng_questions question = THRONG_QUESTIONS_INIT;
    question.shape = THRONG_BOX2;
    question.shapes = &box;
    question.count = 1;
    std::array<std::uint32_t, 100> ids;
    std::uint64_t total = 0;
    return throng_query_one(crowd, &question, ids.data(), ids.size(), &total).code == THRONG_OK
               ? total
               : ~std::uint64_t{0};
}

TEST(ThreadedCApi, MakesAndEndsHandlesOnAllThreads) {
    throng_crowd* shared = nullptr;
    const throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    ASSERT_EQ(throng_crowd_create(&settings, &shared).code, THRONG_OK);
    const Line standing(0.0f);
    const throng_agents agents = standing.agents();
    ASSERT_EQ(throng_crowd_update(shared, &agents, nullptr).code, THRONG_OK);

    std::array<std::set<throng_crowd*>, kThreads> made;
    std::atomic<std::size_t> wrong = 0;
    on_own_threads(kThreads, [&](std::size_t thread) {
        const auto demand = [&](bool holds) { wrong += holds ? 0 : 1; };
        const auto ok = [&](const throng_status& status) { demand(status.code == THRONG_OK); };
        const Line own(1000.0f * static_cast<float>(thread));
        const throng_agents line = own.agents();
        for (int round = 0; round < 60; ++round) {
            std::array<throng_crowd*, 3> crowds{};
            throng_batch* batch = nullptr;
            ok(throng_batch_create(nullptr, &batch));
            for (throng_crowd*& crowd : crowds) {
                ok(throng_crowd_create(&settings, &crowd));
                demand(made[thread].insert(crowd).second); // no handle comes twice
                ok(throng_crowd_update(crowd, &line, nullptr));
            }
            // Each thread finds its own crowd, and all find the shared one.
            const float first = own.places[0];
            for (throng_crowd* const crowd : crowds) {
                demand(count_between(crowd, first + 9.5f, first + 19.5f) == 10);
            }
            demand(count_between(shared, 9.5f, 29.5f) == 20);
            for (throng_crowd* const crowd : crowds) {
                ok(throng_crowd_destroy(crowd));
                demand(throng_crowd_destroy(crowd).code == THRONG_DEAD_HANDLE);
            }
            ok(throng_batch_destroy(batch));
        }
    });
    EXPECT_EQ(wrong.load(), 0u);
    std::set<throng_crowd*> all;
    for (const std::set<throng_crowd*>& some : made) {
        all.insert(some.begin(), some.end());
    }
    EXPECT_EQ(all.size(), kThreads * 60 * 3);
    EXPECT_EQ(throng_crowd_destroy(shared).code, THRONG_OK);
}

TEST(ThreadedCApi, LetsOneThreadOfManyDestroy) {
    for (int round = 0; round < 100; ++round) {
        throng_memory* memory = nullptr;
        const throng_memory_settings settings = THRONG_MEMORY_SETTINGS_INIT;
        ASSERT_EQ(throng_memory_create(&settings, &memory).code, THRONG_OK);
        std::atomic<int> ended = 0;
        on_own_threads(3, [&](std::size_t) {
            if (throng_memory_destroy(memory).code == THRONG_OK) { ++ended; }
        });
        EXPECT_EQ(ended.load(), 1);
    }
}

TEST(ThreadedCApi, IsAskedWhileFramesAreBuilt) {
    throng_published* published = nullptr;
    throng_executor* executor = nullptr;
    const throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    ASSERT_EQ(throng_published_create(&settings, &published).code, THRONG_OK);
    ASSERT_EQ(throng_executor_create_kind(THRONG_POOL, 2, &executor).code, THRONG_OK);
    std::atomic<bool> over = false;
    std::atomic<std::size_t> wrong = 0, asked = 0;
    const auto demand = [&](bool holds) { wrong += holds ? 0 : 1; };
    const auto write = [&] {
        for (std::uint64_t frame = 1; frame <= 60 || asked.load() < 30; ++frame) {
            const Line line(static_cast<float>(frame % 7));
            const throng_agents agents = line.agents();
            demand(throng_published_update(published, &agents, executor).code == THRONG_OK);
        }
        over = true;
    };
    const auto read = [&] {
        std::uint64_t last = 0;
        while (!over.load()) {
            throng_snapshot* snapshot = nullptr;
            demand(throng_snapshot_acquire(published, &snapshot).code == THRONG_OK);
            if (snapshot == nullptr) { continue; }
            throng_crowd* crowd = nullptr;
            std::uint64_t frame = 0;
            demand(throng_snapshot_look(snapshot, &frame, &crowd).code == THRONG_OK);
            demand(frame >= last);
            last = frame;
            const auto first = static_cast<float>(frame % 7);
            demand(count_between(crowd, -50.0f, first + 4.5f) == 5);
            demand(throng_snapshot_release(snapshot).code == THRONG_OK);
            demand(count_between(crowd, -50.0f, 50.0f) == ~std::uint64_t{0}); // gone with it
            ++asked;
        }
    };
    on_own_threads(3, [&](std::size_t i) { i == 0 ? write() : read(); });
    EXPECT_EQ(wrong.load(), 0u);
    EXPECT_EQ(throng_published_destroy(published).code, THRONG_OK);
    EXPECT_EQ(throng_executor_destroy(executor).code, THRONG_OK);
}

} // namespace
} // namespace throng::test
