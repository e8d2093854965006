// Finds the agents that are too large for a grid, and the size of the others. Internal to the
// engine.
#pragma once

#include "../../agents/agents.hpp"
#include "../../agents/grid_shape.hpp"
#include "../../agents/skipped_ids.hpp"
#include "../../core/executor.hpp"
#include "../../core/status.hpp"
#include "../../memory/checked_loop.hpp"
#include "../../memory/vector.hpp"
#include "../../memory/word_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// The largest half extent that agents in a grid may have, on every axis: wider ones would widen
/// every search by more than a row.
template <std::size_t Dim>
[[nodiscard]] float largest_in(const GridShape<Dim>& shape) noexcept;

/// The half extent, on each axis, of agents of the crowd's common size, for fitting cells to it:
/// giants and rare sizes do not count. Looks at some thousand agents.
template <std::size_t Dim>
[[nodiscard]] Point<Dim> typical_half_extent(const Agents<Dim>& agents, SkippedIds skipped);

/// Splits a crowd whose agents have extents of their own into giants and others: begin(), then
/// look_at() for each block of agents, on any threads, then join(). Keeps its memory from one crowd
/// to the next.
template <std::size_t Dim>
class SizeSplit {
public:
    /// How many blocks this many agents fill.
    [[nodiscard]] static std::size_t blocks_of(std::size_t agents) noexcept {
        return (agents + kBlock - 1) / kBlock;
    }
    [[nodiscard]] static LoopCost cost_of(std::size_t agents) noexcept {
        return LoopCost::of(agents, kNanoseconds);
    }

    /// Makes room to split this many agents. Throws std::bad_alloc.
    void begin(std::size_t agents);

    /// Invalid extents count as large: the set of giants refuses them later.
    void look_at(const Agents<Dim>& agents, float largest, SkippedIds skipped,
                 std::size_t block) noexcept;

    /// Puts together what was found in all blocks. Throws std::bad_alloc.
    void join();

    /// The same, and touches the new memory.
    Status reserve(std::size_t agents, LoopClaims& claims, Executor& executor);

    // What join() has put together.

    /// The giants, by ascending id.
    [[nodiscard]] std::span<const Id> giants() const noexcept { return giants_; }
    /// The one extent of all agents that are no giants, if their extents agree to the bit; null if
    /// they do not, or if all agents are giants.
    [[nodiscard]] const Point<Dim>* common() const noexcept { return alike_ ? &common_ : nullptr; }

    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    static constexpr std::size_t kBlock = 4096;
    static constexpr double kNanoseconds = 0.5; // per agent, about

    /// The result for a block of agents.
    struct Part {
        std::uint32_t giants;
        bool any, alike; ///< whether there are others, and whether they agree
        Point<Dim> common;
    };

    WordBuffer found_; // the giants of each block, from where the block begins
    Vector<Part> parts_;
    Vector<Id> giants_;
    bool alike_ = false;
    Point<Dim> common_{};
};

} // namespace throng
