// How an update of a double grid divides its work. Internal to the engine.
#pragma once

#include "../../agents/float_tile.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace throng {

/// Agents are counted in blocks, copied from blocks to bands of cells, and from bands to the
/// buckets of their cells. How many blocks and tasks there are depends on the number of threads; no
/// result does. One thread gets one group of bands and one part of the tight cells.
struct DoubleGridPlan {
    /// The usual length of a block, roughly. Blocks are shorter if there would be too few for the
    /// threads, and longer if there would be too many: each has a counter for every band.
    static constexpr std::size_t kBlock = 16384;
    static constexpr std::size_t kShortestBlock = 2048;
    static constexpr std::size_t kBlocksOfThread = 4;
    static constexpr std::size_t kBlocks = 512;

    /// Bands of about this many agents fit the L2 cache with their buckets. More than kBands bands
    /// would be more write streams than the L1 cache and the TLB can hold.
    static constexpr std::size_t kBandAgents = 2048;
    static constexpr std::size_t kBands = 2048;
    static constexpr std::size_t kBandCells = 4096; ///< longer bands gain nothing

    /// The most groups of neighbouring bands. One task finds the covers of a group's cells, and one
    /// fills their buckets, with the same cursors for all bands.
    static constexpr std::size_t kGroups = 256;

    /// The most parts into which tight cells are divided: the task that makes the lists of one part
    /// may have to go over all links.
    static constexpr std::size_t kParts = 16;

    std::size_t agents = 0, cells = 0;
    std::size_t block = 0, blocks = 0; ///< agents in a block, and number of blocks
    unsigned shift = 0;                ///< a band has 2^shift cells
    std::size_t bands = 0;
    std::size_t groups = 0; ///< groups of bands
    std::size_t parts = 0;  ///< parts of the tight cells

    /// `threads` is how many may work on a loop; 0: not known.
    [[nodiscard]] static DoubleGridPlan of(std::size_t agents, std::size_t cells,
                                           std::size_t threads) noexcept {
        DoubleGridPlan plan;
        plan.agents = agents;
        plan.cells = cells;
        const bool alone = threads == 1;
        const std::size_t shared = threads == 0 ? kBlock : agents / (kBlocksOfThread * threads);
        const std::size_t length = std::max(std::clamp(shared, kShortestBlock, kBlock),
                                            agents / (alone ? 1 : kBlocks) + 1);
        plan.block = (length + kFloatTile - 1) / kFloatTile * kFloatTile;
        plan.blocks = (agents + plan.block - 1) / plan.block;
        const auto sparse = [&] {
            return (std::uint64_t{agents} << plan.shift) < std::uint64_t{kBandAgents} * cells;
        };
        while (((cells - 1) >> plan.shift) + 1 > kBands ||
               (sparse() && std::size_t{1} << plan.shift < std::min(cells, kBandCells))) {
            ++plan.shift;
        }
        plan.bands = ((cells - 1) >> plan.shift) + 1;
        plan.groups = alone ? 1 : std::min(plan.bands, kGroups);
        plan.parts = alone ? 1 : threads == 0 ? kParts : std::min(2 * threads, kParts);
        return plan;
    }

    [[nodiscard]] std::size_t first_cell(std::size_t band) const noexcept { return band << shift; }
    [[nodiscard]] std::size_t cells_of(std::size_t band) const noexcept {
        return std::min(std::size_t{1} << shift, cells - first_cell(band));
    }
    [[nodiscard]] std::size_t first_band(std::size_t group) const noexcept {
        return group * bands / groups;
    }
};

} // namespace throng
