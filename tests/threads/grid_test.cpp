// A grid that several threads update and then ask. Mainly for ThreadSanitizer, but answers must be
// right, too.
#include "../support/dims.hpp"
#include "../support/random.hpp"
#include "crews.hpp"
#include "transcript.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

namespace throng::test {
namespace {

// Enough agents for four blocks, and for six times as many groups of bands.
constexpr std::size_t kGridAgents = 50'000;

struct Variant {
    const char* name;
    bool own_half_extents, groups;
    bool sparse; ///< many more cells than agents: bands are then sorted differently
};

constexpr Variant kVariants[] = {
    {"common_dense", false, false, false},
    {"masks_sparse", false, true, true},
    {"own_dense", true, false, false},
    {"own_and_masks_sparse", true, true, true},
};

template <std::size_t Dim>
scenes::Scene<Dim> crowd(const Variant& variant, std::uint64_t seed) {
    scenes::Scene<Dim> scene = scenes::make_uniform<Dim>(kGridAgents, seed);
    if (variant.groups) { scenes::add_groups(scene, seed); }
    if (variant.own_half_extents) {
        scenes::Random random(seed);
        for (std::vector<float>& axis : scene.half_extent) {
            axis.resize(kGridAgents);
            for (float& half : axis) {
                half = random.between(0.0f, 0.5f);
            }
        }
    }
    // Small questions: they read the same data as large ones, and large answers would take too
    // long.
    for (std::size_t i = 0; i < 12; ++i) {
        const Point<Dim> centre = scene.position_of(i * kGridAgents / 12);
        scene.boxes.push_back(Box<Dim>::around(centre, Point<Dim>::all(2.0f)));
        scene.balls.push_back({centre, 3.0f});
    }
    return scene;
}

template <std::size_t Dim>
void lay_cells(RowGrid<Dim>& grid, scenes::Scene<Dim>& scene, const Variant& variant) {
    if (!variant.sparse) { return; } // the first update chooses cells
    CrowdKind<Dim> kind;
    kind.own_half_extents = variant.own_half_extents;
    kind.groups = variant.groups;
    if (!kind.own_half_extents) { kind.common_half_extent = scene.common_half_extent; }
    ASSERT_TRUE(grid.configure(scene.world, Point<Dim>::all(0.375f), kind).ok());
}

/// Some thousand edits in one list, in every row.
template <std::size_t Dim>
std::vector<Edit<Dim>> changes(const scenes::Scene<Dim>& scene) {
    std::vector<Edit<Dim>> edits;
    for (Id id = 0; id < kGridAgents; id += 10) {
        edits.push_back(Edit<Dim>::move(id, scene.position_of(kGridAgents - 1 - id)));
        edits.push_back(Edit<Dim>::erase(id + 1));
    }
    return edits;
}

using Parameters = std::tuple<Crew, Variant>;

class ThreadedGrid : public ::testing::TestWithParam<Parameters> {};

template <std::size_t Dim>
void expect_readers_agree(const RowGrid<Dim>& grid, const RowGrid<Dim>& serial,
                          const scenes::Scene<Dim>& scene) {
    const Transcript expected = transcript_of(serial, scene);
    std::array<Transcript, 3> heard;
    on_own_threads(heard.size(), [&](std::size_t i) { heard[i] = transcript_of(grid, scene); });
    for (const Transcript& transcript : heard) {
        EXPECT_TRUE(transcript == expected);
    }
}

template <std::size_t Dim>
void update_and_ask(Executor& executor, const Variant& variant) {
    auto first = crowd<Dim>(variant, 1);
    auto second = crowd<Dim>(variant, 2);
    RowGrid<Dim> grid, serial;
    lay_cells(grid, first, variant);
    lay_cells(serial, first, variant);

    ASSERT_TRUE(grid.update(first.agents(), executor).ok());
    ASSERT_TRUE(serial.update(first.agents()).ok());
    expect_readers_agree(grid, serial, first);

    ASSERT_TRUE(grid.edit(changes(first), executor).ok());
    ASSERT_TRUE(serial.edit(changes(first)).ok());
    ASSERT_TRUE(grid.move(2, first.position_of(3)).ok());
    ASSERT_TRUE(serial.move(2, first.position_of(3)).ok());
    expect_readers_agree(grid, serial, first);

    // The grid is updated on another thread than before, and asked on the executor's threads.
    on_own_threads(1, [&](std::size_t) { EXPECT_TRUE(grid.update(second.agents()).ok()); });
    ASSERT_TRUE(grid.update(second.agents(), executor).ok());
    ASSERT_TRUE(serial.update(second.agents()).ok());
    const Transcript expected = transcript_of(serial, second);
    std::array<Transcript, 4> heard;
    executor.run(heard.size(), [&](std::size_t i) { heard[i] = transcript_of(grid, second); });
    for (const Transcript& transcript : heard) {
        EXPECT_TRUE(transcript == expected);
    }
}

TEST_P(ThreadedGrid, IsUpdatedAndAsked2d) {
    const auto& [crew, variant] = GetParam();
    crew.call([&, &which = variant](Executor& executor) { update_and_ask<2>(executor, which); });
}

TEST_P(ThreadedGrid, IsUpdatedAndAsked3d) {
    const auto& [crew, variant] = GetParam();
    crew.call([&, &which = variant](Executor& executor) { update_and_ask<3>(executor, which); });
}

INSTANTIATE_TEST_SUITE_P(, ThreadedGrid,
                         ::testing::Combine(::testing::ValuesIn(crews()),
                                            ::testing::ValuesIn(kVariants)),
                         [](const ::testing::TestParamInfo<Parameters>& of) {
                             return std::string(std::get<0>(of.param).name) + "_" +
                                    std::get<1>(of.param).name;
                         });

class ThreadedGrids : public ::testing::TestWithParam<Crew> {};

/// Updates and asks grid `i` of a host.
template <std::size_t Dim>
bool works(Executor& executor, std::uint64_t i) {
    auto scene = crowd<Dim>(kVariants[0], i);
    RowGrid<Dim> grid;
    const bool updated =
        grid.update(scene.agents(), executor).ok() && grid.update(scene.agents(), executor).ok();
    return updated && grid.count(scene.world).count == kGridAgents;
}

TEST_P(ThreadedGrids, AreUpdatedInsideTheHostsTasks) {
    GetParam().call([](Executor& executor) {
        std::array<bool, 6> fine{};
        on_host_tasks(fine.size(), [&](std::size_t i) { fine[i] = works<2>(executor, i); });
        EXPECT_EQ(fine, (std::array<bool, 6>{true, true, true, true, true, true}));
    });
}

TEST_P(ThreadedGrids, AreUpdatedInsideBlocks) {
    GetParam().call([](Executor& executor) {
        std::array<bool, 4> fine{};
        executor.run(fine.size(), [&](std::size_t i) { fine[i] = works<3>(executor, i); });
        EXPECT_EQ(fine, (std::array<bool, 4>{true, true, true, true}));
    });
}

TEST_P(ThreadedGrids, ShareAnExecutor) {
    GetParam().call([](Executor& executor) {
        std::array<bool, 3> fine{};
        on_own_threads(fine.size(), [&](std::size_t i) { fine[i] = works<2>(executor, i); });
        EXPECT_EQ(fine, (std::array<bool, 3>{true, true, true}));
    });
}

INSTANTIATE_TEST_SUITE_P(, ThreadedGrids, ::testing::ValuesIn(crews()),
                         [](const auto& of) { return of.param.name; });

} // namespace
} // namespace throng::test
