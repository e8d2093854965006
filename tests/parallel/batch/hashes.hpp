// Hashes of all of a batch's answers, to compare one executor with another.
#pragma once

#include "../../../engine/grid/grid_parts.hpp"
#include "calls.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace throng::test {

/// The hashes of all calls after an update on the same executor.
template <std::size_t Dim>
std::vector<std::uint64_t> hashes(TwoGrids<Dim>& crowd, Executor& executor) {
    crowd.update(executor);
    Calls<Dim> calls(crowd);
    Batch<Dim> batch(executor);
    return calls.make_all(batch);
}

/// Calls check(crowd) with each crowd whose questions end exactly on agents, in several slices.
template <std::size_t Dim, class Check>
void for_each_exact_crowd(std::size_t agents, const Check& check) {
    for (const std::string_view name : kExactScenes) {
        SCOPED_TRACE(name);
        TwoGrids<Dim> crowd(name, agents);
        EXPECT_GE(crowd.grid.parts().slices(), 3u);
        check(crowd);
    }
}

} // namespace throng::test
