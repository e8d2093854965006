// The elements of a tight quadtree, each stored once, by id. Internal.
#pragma once

#include "../../agents/agent_blocks.hpp"
#include "../../agents/agents.hpp"
#include "../../agents/box.hpp"
#include "../../core/id.hpp"
#include "../../memory/vector.hpp"
#include "../../shapes/bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace throng {

/// Positions, and extents and masks where the crowd has them.
struct TightElements {
    // Marks an id without an agent: no coordinate is NaN.
    static constexpr float kNoAgent = std::numeric_limits<float>::quiet_NaN();

    CrowdKind<2> kind;
    std::array<Vector<float>, 2> position; ///< x is NaN if the id has no agent
    std::array<Vector<float>, 2> half_extent;
    Vector<std::uint32_t> groups;
    std::size_t count = 0;

    [[nodiscard]] std::size_t bound() const noexcept { return position[0].size(); }
    [[nodiscard]] bool contains(Id id) const noexcept {
        return id < bound() && !std::isnan(position[0][id]);
    }
    [[nodiscard]] Point<2> position_of(Id id) const noexcept {
        return {{position[0][id], position[1][id]}};
    }
    [[nodiscard]] Point<2> half_extent_of(Id id) const noexcept {
        return kind.own_half_extents ? Point<2>{{half_extent[0][id], half_extent[1][id]}}
                                     : kind.common_half_extent;
    }
    [[nodiscard]] Box<2> cover_of_agent(Id id) const noexcept {
        return cover_of(position_of(id), half_extent_of(id));
    }
    [[nodiscard]] bool is_in(Id id, std::uint32_t wanted) const noexcept {
        return wanted == kAllGroups || ((kind.groups ? groups[id] : kAllGroups) & wanted) != 0;
    }

    /// Makes room for ids below `ids`; new ones have no agent.
    void grow(std::size_t ids);
    void store(Id id, const Agent<2>& agent) noexcept;
    void clear() noexcept;
    /// Makes room for `ids` agents and no more.
    void reserve(const CrowdKind<2>& of_kind, std::size_t ids);
    /// The blocks in which assign() copies a crowd.
    [[nodiscard]] static AgentBlocks blocks_of(std::size_t agents,
                                               const Executor& executor) noexcept;
    /// Copies a crowd; reserve() has made room, and `claims` has room for all blocks.
    void assign(const CrowdKind<2>& of_kind, const Agents<2>& agents, Executor& executor,
                LoopClaims& claims) noexcept;
    /// The largest half extents. `claims` must have room for all blocks.
    [[nodiscard]] Point<2> largest(Executor& executor, LoopClaims& claims) const noexcept;
    [[nodiscard]] std::size_t memory() const noexcept;
};

} // namespace throng
