// Counts the memory that splitting a leaf needs, before anything is split. Internal.
#pragma once

#include "../../memory/vector.hpp"
#include "tree.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace throng {

/// Goes through the splits of a leaf on lists of ids, and counts the memory that they will need. It
/// can then be reserved before the tree is changed, so that the splits cannot fail.
class TightNeeds {
public:
    void clear() noexcept { blocks = references = oversized = 0; }

    /// Adds what the splits of the leaf at `square` need at most. `ids` must hold the leaf's
    /// elements, and is emptied. range_of(id) tells the cells that a cover touches. `references`
    /// may come out too high: an element too wide for one new leaf goes on the list of the
    /// oversized, but is still counted in the other leaves. Throws std::bad_alloc.
    template <class RangeOf>
    void add(const TightTree& tree, const TightLattice& lattice, const TightSquare& square,
             const RangeOf& range_of) {
        struct Part {
            TightSquare square;
            std::size_t begin, end; // of `ids`; when a part is taken, ids behind `end` are unused
        };
        std::array<Part, TightTree::kStack> stack;
        std::size_t waiting = 0;
        stack[waiting++] = {square, 0, ids.size()};
        const std::size_t has = ids.size();
        std::size_t will_have = 0;
        while (waiting != 0) {
            const Part part = stack[--waiting];
            const TightSquare& at = part.square;
            const std::size_t count = part.end - part.begin;
            ids.resize(part.end);
            will_have += count;
            if (count <= tree.split_above || at.depth == lattice.depth()) { continue; }
            const unsigned shift = lattice.depth() - at.depth - 1u;
            const auto first = ids.begin() + static_cast<std::ptrdiff_t>(part.begin);
            const auto middle = std::partition(first, ids.end(), [&](Id id) {
                return !TightTree::is_oversized_at(range_of(id), shift);
            });
            const auto stay = static_cast<std::size_t>(middle - first);
            if (!tree.pays(stay, count - stay)) { continue; }
            ++blocks;
            oversized += count - stay;
            will_have -= count;
            for (unsigned which = 0; which < 4; ++which) {
                const TightSquare child = TightTree::child_square(at, which, 1u << shift);
                const std::size_t begin = ids.size();
                for (std::size_t i = part.begin; i < part.begin + stay; ++i) {
                    const LatticeRange range = range_of(ids[i]);
                    if (range.lo_x >> shift <= child.x >> shift &&
                        range.hi_x >> shift >= child.x >> shift &&
                        range.lo_y >> shift <= child.y >> shift &&
                        range.hi_y >> shift >= child.y >> shift) {
                        ids.push_back(ids[i]);
                    }
                }
                stack[waiting++] = {child, begin, ids.size()};
            }
        }
        references += std::max(will_have, has) - has;
        ids.clear();
    }

    Vector<Id> ids;
    std::size_t blocks = 0, references = 0, oversized = 0;
};

} // namespace throng
