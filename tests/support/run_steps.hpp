// Runs a change in steps, on one thread.
#pragma once

#include "random.hpp"

#include <throng/engine/core/status.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace throng::test {

/// Runs the blocks of each loop in random order. `status` is that of the call that began the
/// change.
template <class Change>
Status run_in_any_order(Change& change, Status status, scenes::Random& random) {
    std::vector<std::size_t> blocks;
    while (status.ok() && change.blocks() != 0) {
        blocks.resize(change.blocks());
        std::iota(blocks.begin(), blocks.end(), std::size_t{0});
        for (std::size_t i = blocks.size(); i > 1; --i) {
            std::swap(blocks[i - 1], blocks[random.below(static_cast<std::uint32_t>(i))]);
        }
        for (const std::size_t block : blocks) {
            change.run(block, block + 1);
        }
        status = change.next();
    }
    return status;
}

/// Runs all blocks of each loop in order, without allocations.
template <class Change>
Status run_steps(Change& change, Status status) {
    for (; status.ok() && change.blocks() != 0; status = change.next()) {
        change.run(0, change.blocks());
    }
    return status;
}

} // namespace throng::test
