// Whether the cells of a crowd suit its agents, and which cells would. Internal to the engine.
#pragma once

#include "../../agents/agents.hpp"
#include "../../agents/grid_shape.hpp"
#include "../../grid/rows/row_store.hpp"
#include "../crowd.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace throng {

/// Tells when to compare the cells of a crowd with those that would suit its agents now.
///
/// *Company* is how many others an agent has in its cell, on average: searches that enter a cell
/// test them all. Where a crowd gets denser, or leaves its cells so that ever more agents stand in
/// border cells, company rises; where it spreads within its cells, company falls. What company is
/// right depends on how agents are spread, so it is compared with that of the same crowd when its
/// cells were last found to suit it.
///
/// Depends on the call that laid the first cells, on updates, and on whether they had the memory
/// for other cells: not on other edits, threads or instruction sets.
struct CellFit {
    bool is_known = false;           ///< whether `company` is of this crowd
    bool is_due = false;             ///< whether the next update compares cells
    float company = 0.0f;            ///< when cells were last laid or compared
    std::uint32_t waited = kLookNow; ///< updates since the last look at company

    /// Counts an update. Returns whether it is time to look at company: a look takes a few percent
    /// of the updates since the one before.
    [[nodiscard]] bool is_time(std::size_t agents) noexcept {
        waited = std::min(waited + 1, kLookNow);
        return std::uint64_t{waited} * agents >= kAgentsForSample * samples_of(agents);
    }

    /// Takes in the company of this many agents after an update.
    void look(float now, std::size_t agents) noexcept {
        if (!is_known) {
            company = now;
            is_known = true;
        }
        // In a small crowd company changes by chance.
        const float ratio = kRatio + kChance / std::sqrt(static_cast<float>(agents));
        waited = 0;
        is_due = now + kOffset > ratio * (company + kOffset) ||
                 company + kOffset > ratio * (now + kOffset);
    }

    /// Of crowds with fewer agents, cells do not matter.
    static constexpr std::size_t kFewest = 64;
    /// So many updates are enough for a look at any crowd.
    static constexpr std::uint32_t kLookNow = 64;

    /// How many agents a look looks at, about.
    [[nodiscard]] static constexpr std::size_t samples_of(std::size_t agents) noexcept {
        return std::min<std::size_t>(agents / 8, 512);
    }

private:
    static constexpr std::uint64_t kAgentsForSample = 64; ///< are updated in the time of a sample
    static constexpr float kRatio = 1.35f, kChance = 3.0f;
    static constexpr float kOffset = 0.25f; ///< company may be nearly zero
};

/// The company of the agents that are laid out in a grid, from a sample of them.
template <std::size_t Dim>
[[nodiscard]] float company_of(const RowStore<Dim>& store, std::size_t agents) noexcept;

/// Cells for agents of the common size, over the bounds of the settings. If that would be far more
/// rows than agents, they lie over the agents' own bounds.
template <std::size_t Dim>
[[nodiscard]] OrStatus<GridShape<Dim>> fitted_shape(const CrowdSettings<Dim>& settings,
                                                    const Agents<Dim>& agents);

/// The cells that should replace those of `present`; `present` itself if these suit. On sides where
/// agents have left the cells, there is room for more to follow.
template <std::size_t Dim>
[[nodiscard]] OrStatus<GridShape<Dim>> refitted_shape(const CrowdSettings<Dim>& settings,
                                                      const Agents<Dim>& agents,
                                                      const GridShape<Dim>& present);

} // namespace throng
