// What a tight quadtree consists of. Internal.
#pragma once

#include "../../core/access.hpp"
#include "../../core/access_check.hpp"
#include "../../memory/vector.hpp"
#include "../../shapes/bounds.hpp"
#include "build.hpp"
#include "elements.hpp"
#include "needs.hpp"
#include "tight_quadtree.hpp"
#include "tree.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

struct TightQuadtree::State : FromSource {
    /// A leaf that loses or gets an element.
    struct Change {
        std::uint32_t node;
        std::uint16_t x, y;
        std::uint8_t depth; ///< x, y and depth are the leaf's place
        bool enters;
        Id id;
    };

    TightSettings settings;
    bool laid_out = false; ///< set by configure(), or by a first crowd
    TightElements crowd;
    TightTree tree;
    TightBuild build;
    static_assert(sizeof(Change) == 16);
    Vector<Vector<Change>> changes; ///< by block of agents
    LoopClaims claims;
    TightNeeds needs;
    Point<2> largest{};         ///< no half extent has been larger since the crowd was built
    std::size_t list_edits = 0; ///< changes since all lists were last written anew
    AccessCheck access;

    [[nodiscard]] LatticeRange range_of(Id id) const noexcept {
        return tree.lattice.range(crowd.cover_of_agent(id));
    }
    void lay_out(const Box<2>& bounds) noexcept;
    void widen(const Point<2>& half_extent) noexcept;
    /// Makes room for an element in its home, and for the splits that follow.
    void reserve_for(const TightTree::Home& home, Id id, const LatticeRange& range);
    void move(Id id, const Point<2>& position);
    Status build_anew(const CrowdKind<2>& kind, const Agents<2>& agents, Executor& executor);
    /// Lists the changes of a crowd that has moved, and makes room for them; `few` tells whether
    /// to make these changes and not to build anew. Changes nothing else.
    Status find_changes(const Agents<2>& agents, Executor& executor, bool& few);
    /// find_changes() for agents `begin` ... `end` - 1 alone. False if building anew is better.
    bool list_changes(const Agents<2>& agents, std::size_t begin, std::size_t end,
                      Vector<Change>& list) const;
    void move_all(const Agents<2>& agents, Executor& executor) noexcept;
};

} // namespace throng
