// What a tight quadtree consists of. Internal.
#pragma once

#include "phase.hpp"
#include "shape_gate.hpp"
#include "tight_build.hpp"
#include "tight_crowd.hpp"
#include "tight_needs.hpp"
#include "tight_quadtree.hpp"
#include "tight_tree.hpp"
#include "vector.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

struct TightQuadtree::State : FromSource {
    /// That a leaf and an element part, or meet.
    struct Change {
        std::uint32_t node;
        std::uint16_t x, y;
        std::uint8_t depth; ///< with those above, the leaf's place
        bool enters;
        Id id;
    };

    TightSettings settings;
    bool laid_out = false; ///< by configure(), or over a first crowd
    TightCrowd crowd;
    TightTree tree;
    TightBuild build;
    static_assert(sizeof(Change) == 16);
    Vector<Change> changes;
    TightNeeds needs;
    Point<2> largest{};         ///< no half extent has been larger since the crowd was built
    std::size_t list_edits = 0; ///< since lists were written in the order of the leaves
    Phase phase;

    [[nodiscard]] CellRange range_of(Id id) const noexcept {
        return tree.lattice.range(crowd.cover_of_agent(id));
    }
    void lay_out(const Box<2>& bounds) noexcept;
    void widen(const Point<2>& half_extent) noexcept;
    void widen_for_all() noexcept;
    /// Makes room for an element in its home, and for the splits that follow.
    void reserve_for(const TightTree::Home& home, Id id, const CellRange& range);
    void move(Id id, const Point<2>& position);
    void build_anew(const CrowdKind<2>& kind, const Agents<2>& agents);
    /// False where it is better to build anew; then nothing has changed.
    bool move_all(const Agents<2>& agents);
};

} // namespace throng
