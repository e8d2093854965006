#include "build_part.hpp"

namespace throng {

/// Fills the counts of the levels further up with sums. They are upper bounds, since a sum counts
/// an element once for each child that it touches. Then computes the size of the part.
void TightPart::add_up(std::uint32_t most) noexcept {
    for (unsigned l = bits; l > 1; --l) {
        const std::uint32_t* const below = level_below(l - 1);
        std::uint32_t* const here = level_below(l - 2);
        const std::size_t side = std::size_t{1} << (l - 2);
        for (std::size_t row = 0; row < side; ++row) {
            const std::uint32_t* const first = below + 4 * side * row;
            for (std::size_t cell = 0; cell < side; ++cell) {
                here[row * side + cell] = first[2 * cell] + first[2 * cell + 1] +
                                          first[2 * (side + cell)] + first[2 * (side + cell) + 1];
            }
        }
    }
    inner = 0;
    const std::uint32_t* const finest = level_below(bits);
    for (const std::uint32_t* count = counts; count != finest; ++count) {
        inner += *count > most ? 1 : 0;
    }
    // Counts the references of the lists: a leaf is a node that is not split and has a parent that
    // is split.
    references = bits == 0 || counts[0] <= most ? counts[0] : 0;
    for (unsigned l = 1; l <= bits; ++l) {
        const std::uint32_t* const above = level_below(l - 1);
        const std::uint32_t* const here = level_below(l);
        const std::uint32_t below = l == bits ? 0xFFFF'FFFFu : most;
        const std::size_t side = std::size_t{1} << l;
        for (std::size_t row = 0; row < side; ++row) {
            for (std::size_t cell = 0; cell < side; ++cell) {
                const std::uint32_t count = here[row * side + cell];
                const bool leaf = count <= below && above[(row / 2) * (side / 2) + cell / 2] > most;
                references += leaf ? count : 0;
            }
        }
    }
}

/// Writes nodes in the order of a walk. Until finish(), the member `count` of a leaf is the number
/// of its first cell, and that cell's count says where the leaf's list ends.
void TightPart::lay_out(TightTree& tree) noexcept {
    std::array<TightSquare, TightTree::kStack> stack;
    std::size_t waiting = 0;
    std::uint32_t used = first_reference;
    std::uint32_t next_block = first_block;
    std::uint32_t* const lists = level_below(bits);
    TightSquare at{node, static_cast<std::uint16_t>(x << shift),
                   static_cast<std::uint16_t>(y << shift), static_cast<std::uint8_t>(level)};
    for (;;) {
        const unsigned l = at.depth - level;
        // The node's first cell on the finest level.
        const std::size_t column = (at.x >> shift) - x;
        const std::size_t row = (at.y >> shift) - y;
        const unsigned up = bits - l;
        const std::uint32_t count = level_below(l)[((row >> up) << l) + (column >> up)];
        if (l < bits && count > tree.split_above) {
            const std::uint32_t first = next_block++ * 4;
            tree.node(at.node) = {first, TightNode::kInner};
            for (unsigned which = 4; which-- > 0;) {
                stack[waiting++] = tree.child(at, first, which);
            }
        } else {
            const std::size_t cell = (row << bits) + column;
            tree.node(at.node) = {used, static_cast<std::int32_t>(cell)};
            const std::size_t side = std::size_t{1} << up;
            for (std::size_t further = 0; further < side; ++further) {
                std::uint32_t* const cells = lists + cell + (further << bits);
                std::fill(cells, cells + side, static_cast<std::uint32_t>(cell) | kSeeFirst);
            }
            lists[cell] = used;
            used += count;
        }
        if (waiting == 0) { return; }
        at = stack[--waiting];
    }
}

void TightPart::split_crowded(TightTree& tree, const TightElements& crowd) const noexcept {
    for (const Crowded& its : crowded) {
        const std::uint32_t column = x + (its.cell & ((1u << bits) - 1));
        const std::uint32_t row = y + (its.cell >> bits);
        tree.split_leaves({static_cast<std::uint16_t>(column << shift),
                           static_cast<std::uint16_t>(row << shift),
                           static_cast<std::uint16_t>(((column + 1) << shift) - 1),
                           static_cast<std::uint16_t>(((row + 1) << shift) - 1)},
                          crowd);
    }
}

} // namespace throng
