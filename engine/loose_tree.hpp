// A loose quadtree, or octree: each agent in one leaf, and nodes that know what they cover.
#pragma once

#include "../simd/export.hpp"
#include "agents.hpp"
#include "ask_by_visit.hpp"
#include "box.hpp"
#include "executor.hpp"
#include "filter.hpp"
#include "found.hpp"
#include "id.hpp"
#include "memory_use.hpp"
#include "shapes.hpp"
#include "spatial_index.hpp"
#include "status.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace throng {

template <class Index>
struct FrozenIndex;

/// A tree whose squares are halved on each axis where agents are many: a quadtree in the plane, an
/// octree in space. An agent is in the one leaf whose square holds its centre, however large it is,
/// and every node knows the box that covers its agents; so a giant costs no more than the smallest,
/// save the hits that it is.
///
/// Take it for crowds of very unequal density or of very unequal sizes, such as giants alone, and
/// where nobody can say beforehand how large cells should be. For crowds of one size that are
/// spread about evenly, RowGrid is faster at everything. Where a few giants stand among many small
/// agents the leaves with giants cover much and are looked into often: two indexes are better than
/// one.
///
/// A leaf is split when it has more than 32 agents, in space 48, unless it is as deep as leaves may
/// be: there agents may be as many as there are, coincident ones for example, and are looked
/// through one after another. Agents outside the bounds belong to the leaves at the border; covers
/// are true all the same, so nobody is lost, but a crowd that leaves its bounds ends in few leaves.
///
/// update() builds the tree anew: it sorts everyone by where they are (on one thread, whatever the
/// executor; measured faster than moving those who left their leaves). insert(), erase() and move()
/// change leaves one by one, at the cost of a way through the tree; a move() within a leaf does
/// without. They let covers grow, and leaves become empty: call cleanup() once a frame.
///
/// Answers come leaf by leaf, in an order that depends on the calls made before and on nothing
/// else. Queries are const, take no lock and allocate nothing. A call that fails, with a Status or
/// with std::bad_alloc, leaves the index as it was. One that was moved from may only be assigned to
/// or destroyed; visitors may not change what they visit.
template <std::size_t Dim>
class THRONG_API LooseTree : public AskByVisit<LooseTree<Dim>, Dim> {
public:
    /// How deep leaves may be: below so many halvings.
    static constexpr unsigned kShallowest = 8, kDeepest = 16;

    LooseTree();
    ~LooseTree();
    LooseTree(LooseTree&&) noexcept;
    LooseTree& operator=(LooseTree&&) noexcept;

    /// Lays the root's square over `bounds` and forgets all agents. Refused: bounds that are not
    /// finite or are inverted, and a `deepest` outside kShallowest ... kDeepest.
    Status configure(const Box<Dim>& bounds, const CrowdKind<Dim>& kind = {},
                     unsigned deepest = kDeepest);

    /// Replaces all agents: everything has moved. A tree that was never configured takes bounds
    /// from the agents, the first time that there are any, and keeps them from then on.
    Status update(const Agents<Dim>& agents, Executor& executor = serial_executor());

    /// One agent. A tree that has no bounds yet guesses some from the first one inserted, which
    /// hold until the first update(). The index keeps four bytes for every id up to the largest.
    Status insert(Id id, const Agent<Dim>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<Dim>& position);

    /// To be called once a frame, when that frame's agents were inserted, erased and moved: makes
    /// nodes cover what they must and no more, and makes leaves of nodes with few agents, one level
    /// a call. Looks only where something has changed.
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
    template <class>
    friend struct FrozenIndex; // keeps trees in files

    struct State;
    class Check;
    friend struct LooseTreeFaults; // plants them, to test validate()

    std::unique_ptr<State> state_;
};

extern template class LooseTree<2>;
extern template class LooseTree<3>;

} // namespace throng
