// How an update cuts its work. Internal to the engine.
#pragma once

#include "../agents/float_tile.hpp"
#include "../agents/grid_shape.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace throng {

/// How an update cuts its work. Its blocks also depend on the number of threads; no result does.
struct UpdatePlan {
    /// Blocks are that long, unless they then were too few for the threads, or too many: each has a
    /// counter for every band.
    static constexpr std::size_t kBlock = 16384;
    static constexpr std::size_t kShortestBlock = 2048;
    static constexpr std::size_t kBlocksOfThread = 4;
    static constexpr std::size_t kBlocks = 512;

    /// Bands of about this many agents fit the second cache. More than kBands of them are more
    /// write streams than the first cache and the address cache can hold.
    static constexpr std::size_t kBandAgents = 2048;
    static constexpr std::size_t kBands = 2048;

    /// Neighbouring bands are sorted by one task, which reuses its scratch.
    static constexpr std::size_t kGroups = 256;

    std::size_t agents = 0;
    std::size_t block = 0, blocks = 0; ///< agents in each, and how many
    unsigned band_shift = 0;           ///< a band has 2^band_shift rows
    std::size_t bands = 0;
    unsigned cell_bits = 0; ///< low bits of a record's key; its band's row is above them
    std::size_t groups = 0; ///< number of tasks, each of which sorts neighbouring bands
};

/// `threads` is how many may work on a loop; 0: not known.
template <std::size_t Dim>
UpdatePlan plan_for(std::size_t agents, const GridShape<Dim>& shape, std::size_t threads) noexcept {
    UpdatePlan plan;
    plan.agents = agents;
    const std::size_t shared =
        threads < 2 ? UpdatePlan::kBlock : agents / (UpdatePlan::kBlocksOfThread * threads);
    const std::size_t length =
        std::max(std::clamp(shared, UpdatePlan::kShortestBlock, UpdatePlan::kBlock),
                 agents / UpdatePlan::kBlocks + 1);
    plan.block = (length + kTile - 1) / kTile * kTile;
    plan.blocks = (agents + plan.block - 1) / plan.block;
    plan.cell_bits = static_cast<unsigned>(std::bit_width(shape.cells[0] - 1));
    const std::size_t wanted =
        std::clamp<std::size_t>(agents / UpdatePlan::kBandAgents, 1, UpdatePlan::kBands);
    while (((shape.rows() - 1) >> plan.band_shift) + 1 > wanted) {
        ++plan.band_shift;
    }
    // A record's key numbers the cells of its band in 32 bits.
    plan.band_shift = std::min(plan.band_shift, 32 - plan.cell_bits);
    plan.bands = ((shape.rows() - 1) >> plan.band_shift) + 1;
    plan.groups = std::min(plan.bands, UpdatePlan::kGroups);
    return plan;
}

} // namespace throng
