// A sequence of operations as data. It is made from a seed before anything runs, so that parts of
// it can be left out, and the rest can be printed.
#pragma once

#include "../support/scenes/scenes.hpp"
#include "ground.hpp"

#include <throng/engine/agents/agents.hpp>
#include <throng/engine/agents/edit.hpp>
#include <throng/engine/agents/filter.hpp>
#include <throng/engine/agents/validation.hpp>
#include <throng/engine/shapes/shapes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace throng::test {

template <std::size_t Dim>
using AnyShape = std::variant<Box<Dim>, Ball<Dim>, Sector<Dim>, Segment<Dim>, Ray<Dim>,
                              Capsule<Dim>, Convex<Dim>, OrientedBox<Dim>, Cylinder<Dim>>;

enum class What : std::uint8_t {
    update,     ///< all `agents`; `kind` says which of their values are used
    edit_one,   ///< the one edit of `edits`, by insert(), erase() or move()
    edit_many,  ///< all `edits` in one list
    tidy,       ///< work once a frame
    clear,      ///
    visit,      ///< of `shapes[0]`; so are all calls below that are about a place
    query,      ///
    query_some, ///< into an array for `k` of them
    count,      ///
    any,        ///
    batch,      ///< of all `shapes`, which have one type
    nearest,    ///< the `k` nearest in a ball
    path_hits,  ///< along a path
    pairs,      ///
    validate,   ///
};

template <std::size_t Dim>
struct Operation {
    What what = What::validate;
    std::vector<Agent<Dim>> agents{};
    CrowdKind<Dim> kind{};
    std::vector<Edit<Dim>> edits{};
    std::vector<AnyShape<Dim>> shapes{};
    Filter filter{};
    std::uint32_t k = 0;
};

template <std::size_t Dim>
struct Sequence {
    std::uint64_t seed = 0;
    Distribution distribution = Distribution::uniform;
    scenes::Scene<Dim> layout; ///< the world, its cells, and the number of agents to expect
    CrowdKind<Dim> kind;       ///< before the first update
    std::vector<Operation<Dim>> operations;
};

/// Whether a sequence has up to 1500 agents, and up to 1500 questions in a batch.
[[nodiscard]] constexpr bool is_large(std::uint64_t seed) noexcept { return seed % 256 == 255; }

/// The sequence of a seed, the same in every run.
template <std::size_t Dim>
[[nodiscard]] Sequence<Dim> make_sequence(std::uint64_t seed);

/// Views of an update's agents.
template <std::size_t Dim>
[[nodiscard]] Agents<Dim> agents_of(const Operation<Dim>& operation) noexcept {
    // Also for an empty crowd, since the views decide its kind.
    static constexpr Agent<Dim> kNoAgent{{}, Point<Dim>{}, 0u};
    constexpr auto kStride = static_cast<std::ptrdiff_t>(sizeof(Agent<Dim>));
    const std::size_t count = operation.agents.size();
    const Agent<Dim>& first = count == 0 ? kNoAgent : operation.agents.front();
    Agents<Dim> agents;
    agents.positions = PointView<Dim>::interleaved(first.position.axis.data(), count, kStride);
    agents.common_half_extent = operation.kind.common_half_extent;
    if (operation.kind.own_half_extents) {
        agents.half_extents =
            PointView<Dim>::interleaved(first.half_extent->axis.data(), count, kStride);
    }
    if (operation.kind.groups) { agents.groups = {&*first.groups, kStride, count}; }
    return agents;
}

/// The agent with this index, without values that these agents do not have.
template <std::size_t Dim>
[[nodiscard]] Agent<Dim> agent_at(const Agents<Dim>& agents, Id id) noexcept {
    const CrowdKind<Dim> kind = kind_of(agents);
    Agent<Dim> agent{};
    if (kind.own_half_extents) { agent.half_extent = Point<Dim>{}; }
    for (std::size_t a = 0; a < Dim; ++a) {
        agent.position[a] = agents.positions.values(a)[id];
        if (kind.own_half_extents) { (*agent.half_extent)[a] = agents.half_extents.values(a)[id]; }
    }
    if (kind.groups) { agent.groups = agents.groups[id]; }
    return agent;
}

/// The first `most` agents.
template <std::size_t Dim>
[[nodiscard]] Agents<Dim> first_of(Agents<Dim> agents, std::size_t most) noexcept {
    for (std::size_t* const count :
         {&agents.positions.count, &agents.half_extents.count, &agents.groups.count}) {
        *count = std::min(*count, most);
    }
    return agents;
}

/// A text to read: the layout, then one line for each operation.
template <std::size_t Dim>
[[nodiscard]] std::string to_string(const Sequence<Dim>& sequence);
template <std::size_t Dim>
[[nodiscard]] std::string to_string(const Operation<Dim>& operation);

} // namespace throng::test
