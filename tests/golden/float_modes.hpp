// Answers for hosts whose threads use another rounding mode, or treat denormals as zeros.
#pragma once

#include "../support/answers.hpp"
#include "../support/float_mode.hpp"
#include "batch_hash.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace throng::test {

/// Scenes with denormal coordinates and extents, with rims where the last bit decides, and of all
/// sizes.
constexpr std::string_view kModeScenes[] = {"zeros_and_denormals", "rim", "lattice_of_tenths",
                                            "far_corner", "mixed_sizes"};

/// Calls check() in each of these modes, and restores the mode.
template <class Check>
void in_float_modes(std::span<const FloatMode> modes, const Check& check) {
    for (const FloatMode& mode : modes) {
        SCOPED_TRACE(testing::Message() << mode);
        const FloatModeScope scope(mode);
        const std::uint64_t before = float_controls();
        check();
        EXPECT_EQ(float_controls(), before) << "the host's mode";
    }
}

/// In each structure and on any executor, the answers are those of brute force in the same mode; in
/// modes where bounds are not reliable, those of the calling thread alone.
template <std::size_t Dim>
void expect_the_callers_float_mode(Executor& executor) {
    for (const std::string_view name : kModeScenes) {
        SCOPED_TRACE(name);
        auto scene = scenes::make<Dim>(name, 530, scenes::Groups::masks); // two slices
        const auto laid_out = [&](Executor& by) {
            RowGrid<Dim> grid;
            EXPECT_EQ(grid.configure(scene.world, scene.cell), Status{});
            EXPECT_EQ(grid.update(scene.agents(), by), Status{});
            EXPECT_STREQ(grid.validate(), nullptr);
            return grid;
        };
        in_float_modes(kEvenModes, [&] {
            const RowGrid<Dim> grid = laid_out(executor);
            EXPECT_EQ(difference(answers_of(grid, scene), expected_answers(grid.shape(), scene)),
                      "");
            EXPECT_EQ(hash_of(grid, scene, executor), expected_hash(grid.shape(), scene));
        });
        in_float_modes(kUnevenModes, [&] {
            const RowGrid<Dim> grid = laid_out(executor), alone = laid_out(serial_executor());
            EXPECT_EQ(difference(answers_of(grid, scene), answers_of(alone, scene)), "");
            EXPECT_EQ(hash_of(grid, scene, executor), hash_of(alone, scene, serial_executor()));
        });
    }
}

} // namespace throng::test
