// What a rank asks and answers from. Internal to distributed/.
#pragma once

#include "../../engine/agents/grid_shape.hpp"
#include "../../engine/core/executor.hpp"
#include "../../engine/crowd/sets.hpp"
#include "../../engine/crowd/store/part.hpp"
#include "../../engine/grid/row_grid.hpp"
#include "../../engine/memory/checked_loop.hpp"
#include "../../parallel/batch/batch.hpp"
#include "../census.hpp"
#include "../cuts.hpp"
#include "../ranks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace throng {

template <std::size_t Dim>
struct RankView {
    Ranks& ranks;
    const CrowdPart<Dim>& part; ///< the owned and the ghosts
    const RowGrid<Dim>& grid;   ///< of those of them that are small
    const Census<Dim>& census;
    const Cuts<Dim>& cuts;
    const GridShape<Dim>& whole;
    Brick<Dim> brick; ///< of this rank
    Point<Dim> largest_half_extent;
    std::size_t bytes; ///< that may be on the way
    Batch<Dim>& batch;
    Executor& executor;
    LoopClaims& claims;
    Sets sets;                  ///< that this rank asks about
    std::uint64_t answered = 0; ///< questions

    /// What all ranks call an agent or a static of the part.
    [[nodiscard]] GlobalId global(Id name) const noexcept {
        return is_static(name) ? global_static_id(static_index(name))
                               : census.name(part.index_of(name));
    }

    /// Whether all small agents whose centres lie in a box are owned: no cell has both owned and
    /// ghosts.
    [[nodiscard]] bool owns(const Box<Dim>& box) const noexcept {
        bool inside = !brick.empty();
        for (std::size_t a = 0; a < Dim; ++a) {
            const std::uint32_t first = brick.first[a], past = first + brick.cells[a];
            inside = inside && whole.cell_on(a, box.lo[a]) >= first &&
                     whole.cell_on(a, box.hi[a]) < past;
        }
        return inside;
    }
    /// The same of all small agents whose covers may touch a box.
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

/// What it takes to answer a question, in nanoseconds, at the least.
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
