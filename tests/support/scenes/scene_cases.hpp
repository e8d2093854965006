// A test of every scene, in the plane and in space, with and without masks.
#pragma once

#include "scenes.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace throng::test {

/// The dimension, the scene's name, and whether agents have masks.
using SceneCase = std::tuple<std::size_t, std::string_view, scenes::Groups>;

/// Cases of these scenes, for INSTANTIATE_TEST_SUITE_P.
inline auto scene_cases(const std::vector<std::string_view>& names,
                        const std::vector<scenes::Groups>& groups) {
    return testing::Combine(testing::Values(std::size_t{2}, std::size_t{3}),
                            testing::ValuesIn(names), testing::ValuesIn(groups));
}
inline auto all_scene_cases() {
    return scene_cases({scenes::names().begin(), scenes::names().end()},
                       {scenes::Groups::none, scenes::Groups::masks});
}

/// Calls check(scene) with the case's scene of `count` agents.
template <class Check>
void with_scene(const SceneCase& scene_case, std::size_t count, const Check& check) {
    const auto& [dim, name, groups] = scene_case;
    if (dim == 2) {
        auto scene = scenes::make<2>(name, count, groups);
        check(scene);
    } else {
        auto scene = scenes::make<3>(name, count, groups);
        check(scene);
    }
}

/// A name for the case, for example rim_2d_masks.
inline std::string scene_case_name(const testing::TestParamInfo<SceneCase>& test_case) {
    const auto& [dim, scene, groups] = test_case.param;
    return std::string(scene) + "_" + std::to_string(dim) + "d" +
           (groups == scenes::Groups::masks ? "_masks" : "");
}

} // namespace throng::test
