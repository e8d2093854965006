// The nodes of a tight quadtree, and which elements their leaves list. Internal.
#pragma once

#include "../../core/id.hpp"
#include "../../memory/free_list.hpp"
#include "../../memory/vector.hpp"
#include "elements.hpp"
#include "lattice.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace throng {

/// A tree node: its four children, which lie side by side, or a leaf's list of elements.
struct TightNode {
    static constexpr std::int32_t kInner = -1;

    std::uint32_t first = 0xFFFF'FFFFu; ///< the first child, or the first of a leaf's references
    std::int32_t count = 0;             ///< the number of a leaf's references, or kInner

    [[nodiscard]] bool is_leaf() const noexcept { return count != kInner; }
};
static_assert(sizeof(TightNode) == 8);

/// An entry of a leaf's list: an element, and the next entry.
struct TightReference {
    std::uint32_t next;
    Id element;
};
static_assert(sizeof(TightReference) == 8);

/// The place of a node, which is computed on the way down and stored nowhere.
struct TightSquare {
    std::uint32_t node;
    std::uint16_t x, y; ///< the node's first cell
    std::uint8_t depth;
};

/// The low edges of a leaf on the axes on which the search begins before the leaf. The leaf does
/// not report elements that begin before these edges, since an earlier leaf does.
struct TightEdge {
    float x, y;
};
[[nodiscard]] inline TightEdge edge_of(const TightSquare& leaf,
                                       const LatticeRange& sought) noexcept {
    return {TightLattice::edge_of_cell(sought.lo_x < leaf.x ? leaf.x : 0u),
            TightLattice::edge_of_cell(sought.lo_y < leaf.y ? leaf.y : 0u)};
}

/// A tree over the cells of a lattice. A leaf is split when more than `split_above` of its elements
/// would stay in leaves, or when many are too wide for its children; single cells are never split.
/// Leaves that became empty stay until cleanup().
///
/// An element is in no leaf, but on a list, if its cover reaches over kMostLeavesAcross widths of a
/// leaf that it touches: so no element is in more than (kMostLeavesAcross + 1)^2 leaves.
class TightTree {
public:
    static constexpr unsigned kMostLeavesAcross = 16;
    static constexpr std::uint32_t kNone = 0xFFFF'FFFFu;
    using Block = std::array<TightNode, 4>;

    // A search leaves three children waiting on each level but the deepest while it goes into the
    // fourth, and there are no more levels than the lattice can tell apart.
    static constexpr std::size_t kStack = 3 * TightLattice::kMostDepth + 1;

    TightTree() { clear(); }

    TightLattice lattice;
    unsigned split_above = 8;

    // What the tree is made of. Block 0 has the root, and three unused nodes.
    FreeList<Block> blocks;
    FreeList<TightReference> references;
    Vector<Id> oversized;                  ///< elements that are in no leaf
    Vector<std::uint64_t> oversized_marks; ///< one bit for each id

    [[nodiscard]] const TightNode& node(std::uint32_t n) const noexcept {
        return blocks[n / 4][n % 4];
    }
    [[nodiscard]] TightNode& node(std::uint32_t n) noexcept { return blocks[n / 4][n % 4]; }
    [[nodiscard]] bool is_oversized(Id id) const noexcept {
        return id / 64 < oversized_marks.size() && (oversized_marks[id / 64] >> (id % 64) & 1) != 0;
    }
    /// Whether a cover is too wide for leaves this deep.
    [[nodiscard]] bool is_oversized_for(const LatticeRange& range, unsigned depth) const noexcept {
        return is_oversized_at(range, lattice.depth() - depth);
    }
    /// Whether a cover is too wide for leaves that are 2^shift cells wide.
    [[nodiscard]] static bool is_oversized_at(const LatticeRange& range, unsigned shift) noexcept {
        return range.reach() >> shift >= kMostLeavesAcross;
    }

    /// Forgets all elements and keeps the memory. Memory for the root is there from the beginning.
    void clear();
    /// Forgets all elements, then takes this many blocks and references into use, within reserved
    /// room. The caller must write them all, except block 0, which has the root.
    void clear_unwritten(std::size_t all_blocks, std::size_t all_references) noexcept;

    /// Where an element belongs: in the leaves that its cover touches, or on the list of the
    /// oversized.
    struct Home {
        std::array<TightSquare, (kMostLeavesAcross + 1) * (kMostLeavesAcross + 1)> leaf;
        std::size_t count = 0;
        bool oversized = false; ///< if true, `leaf` means nothing
    };
    [[nodiscard]] Home home_of(const LatticeRange& range) const noexcept;
    /// link() adds an element to its home, and unlink() removes it from there.
    void link(Id id, const Home& home) noexcept;
    void unlink(Id id, const LatticeRange& range) noexcept;
    /// Splits leaves that the cover touches and that hold too many elements. If memory runs out,
    /// these stay as they are, and are split another time.
    void split_leaves(const LatticeRange& range, const TightElements& crowd) noexcept;

    /// Collapses one level of empty leaves into their parents. See TightQuadtree::cleanup().
    void cleanup() noexcept;

    /// Adds an element to one leaf that its cover touches; there must be room for the reference.
    void add_reference(std::uint32_t leaf, Id id) noexcept;
    void remove_reference(const TightSquare& leaf, Id id) noexcept;
    /// Makes room for `more` references, or blocks. Memory that must grow gets a little more, so
    /// that it seldom grows.
    void reserve_references(std::size_t more);
    void reserve_blocks(std::size_t more);
    /// Whether to split a leaf: `stay` of its elements would stay in leaves, and `leave` are too
    /// wide for its children. Many oversized elements are better on the list: if they stayed in
    /// hundreds of leaves, each new element would have them counted anew.
    [[nodiscard]] bool pays(std::size_t stay, std::size_t leave) const noexcept {
        constexpr std::size_t kMostOversized = 64;
        return stay > split_above || leave > kMostOversized;
    }
    void reserve_oversized(std::size_t more, std::size_t id_bound);
    void add_oversized(Id id) noexcept;
    void remove_oversized(Id id) noexcept;

    /// Checks every invariant, slowly. Returns null if all hold, else the first that does not.
    [[nodiscard]] const char* validate(const TightElements& crowd) const;

    /// The child of a square on the way down.
    [[nodiscard]] TightSquare child(const TightSquare& parent, std::uint32_t first,
                                    unsigned which) const noexcept {
        TightSquare square = child_square(parent, which, half_of(parent));
        square.node = first + which;
        return square;
    }
    [[nodiscard]] static TightSquare child_square(const TightSquare& parent, unsigned which,
                                                  unsigned half) noexcept {
        return {0, static_cast<std::uint16_t>(parent.x + (which & 1u) * half),
                static_cast<std::uint16_t>(parent.y + (which >> 1u) * half),
                static_cast<std::uint8_t>(parent.depth + 1)};
    }
    /// The width of a square, in cells.
    [[nodiscard]] unsigned width_of(const TightSquare& square) const noexcept {
        return 1u << (lattice.depth() - square.depth);
    }
    [[nodiscard]] unsigned half_of(const TightSquare& parent) const noexcept {
        return width_of(parent) / 2;
    }

    [[nodiscard]] bool begins_before(const Box<2>& cover, const TightEdge& edge) const noexcept {
        const unsigned x = lattice.in_cells(cover.lo[0], 0) < edge.x ? 1u : 0u;
        const unsigned y = lattice.in_cells(cover.lo[1], 1) < edge.y ? 1u : 0u;
        return (x | y) != 0;
    }

    /// Calls visit(square, leaf) for each leaf that the range touches, and goes only into nodes for
    /// which enter(square) is true. Stops and returns false once visit() returns false. Begins at
    /// `at`, a node that the range touches; by default the root.
    template <class Enter, class Visit>
    bool for_leaves(const LatticeRange& range, const Enter& enter, const Visit& visit,
                    TightSquare at = {}) const;
    template <class Visit>
    bool for_leaves(const LatticeRange& range, const Visit& visit) const {
        return for_leaves(
            range, [](const TightSquare&) { return true; }, visit);
    }
    /// Calls visit(square, leaf) for all leaves, or for those below a node, as for_leaves() does.
    template <class Visit>
    bool for_all_leaves(const Visit& visit, const TightSquare& from = {}) const {
        const auto last = static_cast<std::uint16_t>((1u << lattice.depth()) - 1);
        return for_leaves(
            {0, 0, last, last}, [](const TightSquare&) { return true; }, visit, from);
    }

    /// Calls visit(square, leaf, enters) for each leaf that only one of the ranges touches: `to` if
    /// `enters` is true, else `from`. Skips nodes that both ranges touch alike.
    template <class Visit>
    bool for_changes(const LatticeRange& from, const LatticeRange& to, const Visit& visit) const;

private:
    /// A leaf that became empty, by its place: unlike a node's number, it outlives changes of the
    /// tree.
    struct Emptied {
        std::uint16_t x, y;
        std::uint8_t depth;
    };
    static constexpr std::size_t kEmptied = 64;

    /// Splits a leaf if that pays(), else does nothing.
    /// Elements that are too wide for the children go on the list of the oversized.
    void split(const TightSquare& leaf, const TightElements& crowd);
    void note_emptied(const TightSquare& leaf) noexcept;
    void forget_oversized() noexcept;
    void collapse(TightNode& parent) noexcept;
    [[nodiscard]] bool has_empty_children(const TightNode& parent) const noexcept;
    void cleanup_everywhere() noexcept;

    std::array<Emptied, kEmptied> emptied_{};
    std::size_t emptied_count_ = 0; ///< more than kEmptied: not all were noted
    std::size_t reference_room_ = 0, block_room_ = 0;
};

template <class Enter, class Visit>
bool TightTree::for_leaves(const LatticeRange& range, const Enter& enter, const Visit& visit,
                           TightSquare at) const {
    static_assert(kStack == 3 * TightLattice::kMostDepth + 1);
    std::array<TightSquare, kStack> stack;
    std::size_t waiting = 0;
    for (;;) {
        const bool entered = enter(at); // enter() may split the node
        const TightNode& here = node(at.node);
        if (entered && here.is_leaf()) {
            if (!visit(at, here)) { return false; }
        } else if (entered) {
            const unsigned half = half_of(at);
            const unsigned middle_x = at.x + half;
            const unsigned middle_y = at.y + half;
            const unsigned from_x = range.lo_x >= middle_x ? 1 : 0;
            const unsigned to_x = range.hi_x >= middle_x ? 1 : 0;
            const unsigned from_y = range.lo_y >= middle_y ? 1 : 0;
            const unsigned to_y = range.hi_y >= middle_y ? 1 : 0;
            const std::uint32_t first = here.first;
            if (from_x == to_x && from_y == to_y) {
                at = child(at, first, from_y * 2 + from_x);
                continue;
            }
            // Pushed last to first, so that the first is visited first.
            for (unsigned y = to_y + 1; y-- > from_y;) {
                for (unsigned x = to_x + 1; x-- > from_x;) {
                    stack[waiting++] = child(at, first, y * 2 + x);
                }
            }
        }
        if (waiting == 0) { return true; }
        at = stack[--waiting];
    }
}

template <class Visit>
bool TightTree::for_changes(const LatticeRange& from, const LatticeRange& to,
                            const Visit& visit) const {
    std::array<TightSquare, kStack> stack;
    std::size_t waiting = 0;
    TightSquare at{};
    for (;;) {
        const unsigned last_x = at.x + width_of(at) - 1;
        const unsigned last_y = at.y + width_of(at) - 1;
        const auto touches = [&](const LatticeRange& range) {
            return range.lo_x <= last_x && range.hi_x >= at.x && range.lo_y <= last_y &&
                   range.hi_y >= at.y;
        };
        const auto clipped = [&](const LatticeRange& range) {
            return LatticeRange{std::max(range.lo_x, at.x), std::max(range.lo_y, at.y),
                                static_cast<std::uint16_t>(std::min<unsigned>(range.hi_x, last_x)),
                                static_cast<std::uint16_t>(std::min<unsigned>(range.hi_y, last_y))};
        };
        const bool leaves = touches(from);
        const bool enters = touches(to);
        const bool differ = leaves != enters || (leaves && !(clipped(from) == clipped(to)));
        if (differ) {
            const TightNode& here = node(at.node);
            if (!here.is_leaf()) {
                for (unsigned which = 4; which-- > 0;) {
                    stack[waiting++] = child(at, here.first, which);
                }
            } else if (leaves != enters && !visit(at, here, enters)) {
                return false;
            }
        }
        if (waiting == 0) { return true; }
        at = stack[--waiting];
    }
}

} // namespace throng
