// A profiler that is installed and removed while several threads update grids of their own.
#include <throng/engine/core/profile.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../support/scenes/scenes.hpp"
#include "crews.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

namespace throng::test {
namespace {

/// How many calls are running and how many have ended, as the hooks count them, and a number that
/// the hooks must find as it was set.
struct Tally {
    int number = 0; // not atomic: written before the hooks are set, read by them
    std::atomic<int> open = 0, ended = 0;
};

void begin(const char*, void* user) noexcept {
    auto& tally = *static_cast<Tally*>(user);
    EXPECT_EQ(tally.number, 7);
    ++tally.open;
}

void end(const char*, void* user) noexcept {
    auto& tally = *static_cast<Tally*>(user);
    --tally.open;
    ++tally.ended;
}

TEST(ThreadedProfile, HooksComeAndGo) {
    constexpr std::size_t kUpdating = 3;
    Tally tally;
    ProfileHooks hooks;
    std::atomic<std::size_t> updating = kUpdating;
    on_own_threads(kUpdating + 1, [&](std::size_t i) {
        if (i == kUpdating) {
            tally.number = 7;
            hooks = {begin, end, &tally};
            while (updating.load() != 0) {
                EXPECT_EQ(set_profile_hooks(&hooks), nullptr);
                EXPECT_EQ(set_profile_hooks(nullptr), &hooks);
            }
            return;
        }
        auto scene = scenes::make_uniform<2>(500, i);
        RowGrid<2> grid;
        // Waits until hooks were called often enough, which takes longer on a busy machine.
        const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (tally.ended.load() < 100 && std::chrono::steady_clock::now() < late) {
            EXPECT_TRUE(grid.update(scene.agents()).ok());
        }
        --updating;
    });
    EXPECT_EQ(tally.open.load(), 0);
    EXPECT_GT(tally.ended.load(), 0);
}

} // namespace
} // namespace throng::test
