// A loose quadtree, or octree: each agent is in one leaf, and each node knows the box that covers
// its agents.
#pragma once

#include "../../../simd/isa/export.hpp"
#include "../../agents/agents.hpp"
#include "../../agents/box.hpp"
#include "../../agents/filter.hpp"
#include "../../agents/found.hpp"
#include "../../answers/ask_by_visit.hpp"
#include "../../answers/spatial_index.hpp"
#include "../../archive/freezable.hpp"
#include "../../core/executor.hpp"
#include "../../core/id.hpp"
#include "../../core/status.hpp"
#include "../../memory/memory_use.hpp"
#include "../../shapes/shapes.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace throng {

namespace detail {
struct Access;
} // namespace detail

/// A tree whose squares are halved on each axis where agents are many: a quadtree in the plane, an
/// octree in space. An agent is in the one leaf whose square holds its centre, however large it is,
/// and every node knows the box that covers its agents; so a giant costs no more than the smallest
/// agent, except that it is a hit more often.
///
/// Take it for crowds of very unequal density or of very unequal sizes, such as giants alone, and
/// where the best size of cells is not known beforehand. For crowds of one size that are spread
/// about evenly, RowGrid is faster at everything. Where a few giants stand among many small agents,
/// the leaves with giants cover much and are searched often: use two indexes there.
///
/// A leaf is split when it has more than 32 agents, in space 48, unless it is as deep as leaves may
/// be. A leaf that deep may have any number of agents, coincident ones for example, and a search
/// tests each of them. Agents outside the bounds belong to the leaves at the border; nodes still
/// cover them, so every agent is found, but a crowd that leaves its bounds ends in few leaves.
///
/// update() builds the tree anew: it sorts all agents by position (on one thread, whatever the
/// executor; measured faster than moving only the agents that left their leaves). insert(), erase()
/// and move() change leaves one by one, at the cost of one descent of the tree; a move() within a
/// leaf needs none. They let covers grow and leaves become empty: call cleanup() once a frame.
///
/// Answers come leaf by leaf, in an order that depends only on the calls made before. Queries are
/// const, take no lock and allocate nothing. A call that fails, with a Status or with
/// std::bad_alloc, leaves the index as it was. One that was moved from may only be assigned to or
/// destroyed; visitors may not change what they visit.
template <std::size_t Dim>
class THRONG_API LooseTree : public AskByVisit<LooseTree<Dim>, Dim> {
public:
    /// The limits of `deepest`: how many halvings a leaf may be below the root.
    static constexpr unsigned kShallowest = 8, kDeepest = 16;

    LooseTree();
    ~LooseTree();
    LooseTree(LooseTree&&) noexcept;
    LooseTree& operator=(LooseTree&&) noexcept;

    /// Lays the root's square over `bounds` and forgets all agents. Refused: bounds that are not
    /// finite or are inverted, and a `deepest` outside kShallowest ... kDeepest.
    Status configure(const Box<Dim>& bounds, const CrowdKind<Dim>& kind = {},
                     unsigned deepest = kDeepest);

    /// Replaces all agents: everything has moved. A tree that was never configured takes its bounds
    /// from the first agents that it is given, and keeps them from then on.
    Status update(const Agents<Dim>& agents, Executor& executor = serial_executor());

    /// One agent. A tree without bounds guesses some from the first agent inserted; they hold until
    /// the first update(). The index keeps four bytes for every id up to the largest.
    Status insert(Id id, const Agent<Dim>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<Dim>& position);

    /// Call it once a frame, after that frame's agents were inserted, erased and moved. Shrinks the
    /// covers of nodes to what they must cover, and makes leaves of nodes with few agents, one
    /// level a call. Looks only where something has changed.
    void cleanup() noexcept;

    /// Forgets all agents; keeps the bounds and the memory.
    void clear() noexcept;

    template <ShapeIn<Dim> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {},
                std::size_t most = kLongestRun) const;

    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const;

    /// Nodes, outermost first: their squares, not what they cover. Only leaves have agents.
    void visit_cells(IndexCellVisitor<Dim> visitor) const;

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(Id id) const noexcept;
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept;
    [[nodiscard]] MemoryUse memory() const noexcept;

    /// Checks every invariant, slowly. Null when all hold, else the first that does not.
    [[nodiscard]] const char* validate() const;

private:
    friend struct detail::Access;

    struct State;
    class Check;

    std::unique_ptr<State> state_;
};

extern template class LooseTree<2>;
extern template class LooseTree<3>;

/// For save() and load().
template <std::size_t Dim>
inline constexpr bool kCanBeFrozen<LooseTree<Dim>> = true;

} // namespace throng
