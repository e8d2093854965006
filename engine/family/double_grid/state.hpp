// What a double grid consists of. Internal to the engine.
#pragma once

#include "../../agents/grid_shape.hpp"
#include "../../core/access.hpp"
#include "../../memory/checked_loop.hpp"
#include "../../memory/hierarchical_bitset.hpp"
#include "../../memory/vector.hpp"
#include "../../memory/word_buffer.hpp"
#include "../../shapes/bounds.hpp"
#include "../bucket_store.hpp"
#include "coarse.hpp"
#include "double_grid.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace throng {

/// A loose cell: the cover of all its agents, and the first of their buckets.
template <std::size_t Dim>
struct LooseCell {
    Box<Dim> cover;
    std::uint32_t head;

    /// A cell whose cover overlaps no box, and united with any box yields that box.
    [[nodiscard]] static LooseCell empty() noexcept {
        constexpr float kFar = std::numeric_limits<float>::infinity();
        return {{Point<Dim>::all(kFar), Point<Dim>::all(-kFar)}, kNoBucket};
    }
};
static_assert(sizeof(LooseCell<2>) == 20 && sizeof(LooseCell<3>) == 28);

template <std::size_t Dim>
[[nodiscard]] Box<Dim> united(const Box<Dim>& one, const Box<Dim>& other) noexcept {
    Box<Dim> both;
    for (std::size_t a = 0; a < Dim; ++a) {
        both.lo[a] = std::min(one.lo[a], other.lo[a]);
        both.hi[a] = std::max(one.hi[a], other.hi[a]);
    }
    return both;
}

/// What a group of neighbouring bands needs, and where the task that fills the group writes.
template <std::size_t Dim>
struct BandGroup {
    std::size_t buckets = 0, links = 0; ///< how many; later the number of the first one
    typename CoarseGrid<Dim>::LevelLinks level_links{};
    std::uint32_t least = ~0u, greatest = 0; ///< tight cells that the cells reach into
};

/// The memory that update() writes to before it changes the grid; kept for the next update().
template <std::size_t Dim>
struct DoubleGridStaging {
    WordBuffer keys;                ///< the cell of every agent
    WordBuffer records;             ///< the agents by band: the number of the cell in its band,
                                    ///< then fields
    Vector<std::uint32_t> in_block; ///< block by band: counts, then where to write
    Vector<std::size_t> band_begin; ///< first record of each band, and the end
    Vector<float> block_max_half_extent; ///< largest half extent of each block, on each axis
    Vector<LooseCell<Dim>> cells;        ///< of the next frame; `head` counts agents at first
    Vector<BandGroup<Dim>> groups;
    WordBuffer cursors;     ///< group by cell of a band: where the next agent goes
    WordBuffer tight_cells; ///< by link, if several threads list links
    LoopClaims claims;

    [[nodiscard]] std::size_t memory() const noexcept {
        return keys.bytes() + records.bytes() + in_block.capacity() * sizeof(std::uint32_t) +
               band_begin.capacity() * sizeof(std::size_t) +
               block_max_half_extent.capacity() * sizeof(float) +
               cells.capacity() * sizeof(LooseCell<Dim>) +
               groups.capacity() * sizeof(BandGroup<Dim>) + cursors.bytes() + tight_cells.bytes() +
               claims.memory();
    }
};

template <std::size_t Dim>
struct DoubleGrid<Dim>::State : FromSource {
    static constexpr std::uint32_t kNoSlot = ~0u;

    GridShape<Dim> shape{};
    bool configured = false;
    std::size_t count = 0;
    Point<Dim> max_half_extent{}; ///< the half extent of all agents, or the largest since update()

    Vector<LooseCell<Dim>> cells; ///< x fastest, then y
    BucketStore<Dim> agents;
    CoarseGrid<Dim> tight;    ///< each tight cell lists the loose cells that reach into it
    HierarchicalBitset slack; ///< the loose cells whose covers may be larger than need be

    Vector<std::uint32_t> slot_of_id; ///< by id, or kNoSlot; not up to date unless slots_noted
    bool slots_noted = true; ///< false after update(): then the ids are those below `count`

    DoubleGridStaging<Dim> staging;

    /// One cell that holds everything. Throws std::bad_alloc.
    State();

    [[nodiscard]] std::uint32_t cell_of(const Point<Dim>& position) const noexcept {
        return shape.row_of(position) * shape.cells[0] + shape.cell_on(0, position[0]);
    }
    /// The loose cells that a box touches.
    [[nodiscard]] CoarseRange<Dim> range_of(const Box<Dim>& box) const noexcept {
        CoarseRange<Dim> range;
        for (std::size_t a = 0; a < Dim; ++a) {
            range.lo[a] = shape.cell_on(a, box.lo[a]);
            range.hi[a] = shape.cell_on(a, box.hi[a]);
        }
        return range;
    }
    [[nodiscard]] Box<Dim> cover_at(std::uint32_t slot) const noexcept {
        return cover_of(agents.position(slot), agents.half(slot));
    }
    /// The covers of a cell's agents, united.
    [[nodiscard]] Box<Dim> cover_of_chain(std::uint32_t head) const noexcept {
        Box<Dim> cover = LooseCell<Dim>::empty().cover;
        for (std::uint32_t b = head; b != kNoBucket; b = agents.next(b)) {
            for (std::uint32_t slot = 0; slot < agents.count(b); ++slot) {
                cover = united(cover, cover_at(b * agents.kRoom + slot));
            }
        }
        return cover;
    }

    void forget() noexcept; ///< removes all agents
    void note_slots();      ///< throws std::bad_alloc, and then nothing has changed
};

} // namespace throng
