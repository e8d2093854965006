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

/// What is seen at a glance of how agents lie in their cells.
struct Spread {
    float in_row = 0.0f;  ///< how many agents an agent has in its row, itself included, on average
    float outside = 0.0f; ///< the share of agents beyond the cells, of those glanced at
    float glances = 1.0f; ///< how many these are
};

/// Tells when to compare the cells of a crowd with those that would suit its agents now.
///
/// *Company* is how many others an agent has in its cell, on average: searches that enter a cell
/// test them all. Where a crowd gets denser, or leaves its cells so that ever more agents stand in
/// border cells, company rises; where it spreads within its cells, company falls. What company is
/// right depends on how agents are spread, so it is compared with that of the same crowd when its
/// cells were last found to suit it.
///
/// A look at company takes too long for each update of a small crowd. But where its spread changes
/// at a stroke, a look follows at once.
///
/// Depends on the call that laid the first cells, on updates, and on whether they had the memory
/// for other cells: not on other edits, threads or instruction sets.
struct CellFit {
    bool is_known = false;           ///< whether `company` is of this crowd
    bool is_due = false;             ///< whether the next update compares cells
    float company = 0.0f;            ///< when cells were last laid or compared
    std::uint32_t waited = kLookNow; ///< updates since the last look at company
    float in_row = 0.0f;             ///< at the last look
    float outside = 0.0f;            ///< when cells were last laid or compared

    /// Counts an update. Returns whether it is time to look at company: a look takes a few percent
    /// of the updates since the one before.
    [[nodiscard]] bool is_time(std::size_t agents) noexcept {
        waited = std::min(waited + 1, kLookNow);
        return !is_known || std::uint64_t{waited} * agents >= kAgentsForSample * samples_of(agents);
    }
    /// Whether it is time to look at spread, which takes a few percent of two updates.
    [[nodiscard]] bool is_time_for_spread() const noexcept { return waited % 2 == 0; }
    /// Whether the spread of this many agents has changed at a stroke.
    [[nodiscard]] bool has_spread(const Spread& now, std::size_t agents) const noexcept {
        return has_changed(now.in_row, in_row, agents) || has_left(now);
    }

    /// Takes in the company and the spread of this many agents after an update.
    void look(float company_now, const Spread& now, std::size_t agents) noexcept {
        if (!is_known) {
            company = company_now;
            outside = now.outside;
            is_known = true;
        }
        in_row = now.in_row;
        waited = 0;
        // Company may be nearly zero.
        is_due = has_changed(company_now + kOffset, company + kOffset, agents) || has_left(now);
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
    /// Whether it has changed by more than chance, which is larger in small crowds.
    [[nodiscard]] static bool has_changed(float now, float before, std::size_t agents) noexcept {
        const float ratio = kRatio + kChance / std::sqrt(static_cast<float>(agents));
        return now > ratio * before || before > ratio * now;
    }
    /// Whether more agents have left the cells. Of a few agents, a few stand outside by chance.
    [[nodiscard]] bool has_left(const Spread& now) const noexcept {
        constexpr float kByChance = 2.0f;
        return now.outside > outside + kMoreOutside + kByChance / now.glances;
    }

    static constexpr std::uint64_t kAgentsForSample = 64; ///< are updated in the time of a sample
    static constexpr float kRatio = 1.35f, kChance = 3.0f;
    static constexpr float kOffset = 0.25f, kMoreOutside = 0.125f;
};

/// The company of the agents that are laid out in a grid, from a sample of them.
template <std::size_t Dim>
[[nodiscard]] float company_of(const RowStore<Dim>& store, std::size_t agents) noexcept;

/// The spread of the agents that are laid out in a grid, from a sample of them.
template <std::size_t Dim>
[[nodiscard]] Spread spread_of(const RowStore<Dim>& store, std::size_t agents) noexcept;

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
