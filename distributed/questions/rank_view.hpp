// What questions use of a rank's state. Internal to distributed/.
#pragma once

#include "../../engine/agents/grid_shape.hpp"
#include "../../engine/agents/world_wrap.hpp"
#include "../../engine/core/executor.hpp"
#include "../../engine/crowd/sets.hpp"
#include "../../engine/crowd/store/part.hpp"
#include "../../engine/grid/row_grid.hpp"
#include "../../engine/memory/checked_loop.hpp"
#include "../../parallel/batch/batch.hpp"
#include "../cuts.hpp"
#include "../ranks.hpp"
#include "../store/census.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace throng {

template <std::size_t Dim>
struct RankView {
    Ranks& ranks;
    const CrowdPart<Dim>& part; ///< the owned agents and the ghosts
    const RowGrid<Dim>& grid;   ///< grid of the small agents of `part`
    const Census<Dim>& census;
    const Cuts<Dim>& cuts;
    const GridShape<Dim>& whole;
    const WorldWrap<Dim>& world;
    Brick<Dim> brick;        ///< the cells of this rank
    std::size_t first_moved; ///< the first ghost beyond a border of a periodic world
    Point<Dim> largest_half_extent;
    std::size_t bytes; ///< the most bytes that may be on the way
    Batch<Dim>& batch;
    Executor& executor;
    LoopClaims& claims;
    Sets sets;                  ///< the sets that this rank asks about
    std::uint64_t answered = 0; ///< questions that this rank answered

    /// The global id of an agent or a static of the part.
    [[nodiscard]] GlobalId global(Id name) const noexcept {
        return is_static(name) ? global_static_id(static_index(name))
                               : census.name(part.index_of(name));
    }

    /// Whether all small agents with centres in a box are owned. Cells decide: no cell has both
    /// owned agents and ghosts, except those at a border of a periodic world.
    [[nodiscard]] bool owns(const Box<Dim>& box) const noexcept {
        bool inside = !brick.empty() && world.keeps_inside(box, {}, world.slack);
        for (std::size_t a = 0; a < Dim; ++a) {
            const std::uint32_t first = brick.first[a], past = first + brick.cells[a];
            inside = inside && whole.cell_on(a, box.lo[a]) >= first &&
                     whole.cell_on(a, box.hi[a]) < past;
        }
        return inside;
    }
    /// Whether all small agents whose covers may touch a box are owned.
    [[nodiscard]] bool owns_around(Box<Dim> box) const noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            const double wide =
                1.01 * std::max(largest_half_extent[a], largest_half_extent[0]) + 1e-17;
            box.lo[a] = static_cast<float>(box.lo[a] - wide - 0x1p-19 * std::abs(box.lo[a]));
            box.hi[a] = static_cast<float>(box.hi[a] + wide + 0x1p-19 * std::abs(box.hi[a]));
        }
        return owns(box);
    }
};

/// Nanoseconds to answer a question, at least.
inline constexpr double kAnswer = 200.0;
/// Questions in a block.
inline constexpr std::size_t kAnswersInBlock = 64;

/// Calls answer(q) for questions 0 ... count - 1, in blocks on the executor.
template <std::size_t Dim, class Answer>
Status answer_each(RankView<Dim>& here, std::size_t count, const Answer& answer) {
    return run_blocks(
        here.executor, (count + kAnswersInBlock - 1) / kAnswersInBlock,
        [&](std::size_t block) {
            const std::size_t end = std::min((block + 1) * kAnswersInBlock, count);
            for (std::size_t q = block * kAnswersInBlock; q < end; ++q) {
                answer(q);
            }
        },
        here.claims, LoopCost::of(count, kAnswer));
}

} // namespace throng
