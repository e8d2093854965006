// The interface that all structures share, so that users can choose between them.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../agents/agents.hpp"
#include "../agents/box.hpp"
#include "../agents/filter.hpp"
#include "../agents/found.hpp"
#include "../core/id.hpp"
#include "../core/status.hpp"
#include "../memory/memory_use.hpp"
#include "../shapes/shapes.hpp"
#include "visitors.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// A node, a cell or another container of agents in a structure, for drawings.
template <std::size_t Dim>
struct IndexCell {
    Box<Dim> box;
    std::uint32_t depth; ///< 0: the outermost
    std::uint32_t count; ///< agents in it, but in no cell inside it
};

/// An index over agents that are known by their ids. All indexes promise the same:
///
/// * Every answer is complete and the same as BruteForce's, with each agent once. The order is the
///   structure's own; it depends on the calls made before, never on threads or instruction sets.
/// * A call that fails, with a Status or with std::bad_alloc, leaves the index as it was.
/// * Queries are const, take no lock, mark nothing and allocate nothing, so any number of threads
///   may query while no call changes the index.
/// * Agents outside the bounds are kept and found.
///
/// Each index also has a configure() of its own, with the parameters of its layout. An index that
/// was never configured lays itself out over the first crowd that update() is given.
template <class Index, std::size_t Dim>
concept SpatialIndex = std::default_initializable<Index> && std::movable<Index> &&
    requires(Index& index, const Index& asked, const Agents<Dim>& agents, const Agent<Dim>& agent,
             const Point<Dim>& position, Id id, const Box<Dim>& box, const Ball<Dim>& ball,
             const Segment<Dim>& segment, std::span<const Box<Dim>> boxes, const Filter& filter,
             std::span<Id> out, Hits& hits, IndexVisitor visitor, IndexPairVisitor pairs,
             IndexCellVisitor<Dim> cells, std::uint32_t groups) {
    // Replaces all agents.
    { index.update(agents) } -> std::same_as<Status>;
    { index.insert(id, agent) } -> std::same_as<Status>;
    { index.erase(id) } -> std::same_as<Status>;
    { index.move(id, position) } -> std::same_as<Status>;
    index.clear();

    // The five calls below take every shape of shapes.hpp.
    { asked.query(box, out, filter) } -> std::same_as<Found>;
    { asked.query(boxes, hits, filter) } -> std::same_as<Found>;
    { asked.visit(segment, visitor, filter) } -> std::same_as<Found>;
    { asked.count(ball, filter) } -> std::same_as<Found>;
    { asked.any(ball, filter) } -> std::same_as<Found>;

    // Each pair of agents whose boxes overlap, once; agents outside the groups are left out.
    { asked.visit_pairs(pairs, groups) } -> std::same_as<Found>;
    // Visits cells from the outermost inward.
    asked.visit_cells(cells);

    { asked.size() } -> std::same_as<std::size_t>;
    { asked.contains(id) } -> std::same_as<bool>;
    { asked.kind() } -> std::same_as<const CrowdKind<Dim>&>;
    { asked.memory() } -> std::same_as<MemoryUse>;
    // Null when every invariant holds, else the first that does not.
    { asked.validate() } -> std::same_as<const char*>;
};

} // namespace throng

#include "../../simd/isa/names_end.hpp"
