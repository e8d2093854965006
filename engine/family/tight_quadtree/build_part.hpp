// A node of a tight quadtree with all that is below it: counted, laid out and filled by one thread,
// while others do the same for other nodes. Internal.
#pragma once

#include "../../memory/vector.hpp"
#include "elements.hpp"
#include "needs.hpp"
#include "tree.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace throng {

/// The turn of a cell in a walk over the tree: the bits of its coordinates interleaved, x lowest.
[[nodiscard]] constexpr std::uint32_t turn_of(std::uint32_t x, std::uint32_t y) noexcept {
    std::uint32_t turn = 0;
    for (unsigned bit = 0; bit < TightLattice::kMostDepth; ++bit) {
        turn |= (x >> bit & 1u) << 2 * bit | (y >> bit & 1u) << (2 * bit + 1);
    }
    return turn;
}

/// All agents of a crowd, known by their ids.
template <class RangeOf>
struct TightAgents {
    static constexpr bool kInParts = false;
    std::size_t number;
    const RangeOf& range_of; ///< range_of(id): the cells that an agent's cover touches

    template <class Visit>
    void for_each(const Visit& visit) const {
        for (std::size_t i = 0; i < number; ++i) {
            visit(static_cast<Id>(i), range_of(i));
        }
    }
    [[nodiscard]] LatticeRange range(Id i) const noexcept { return range_of(i); }
    [[nodiscard]] static Id id(Id i) noexcept { return i; }
};
template <class RangeOf>
TightAgents(std::size_t, const RangeOf&) -> TightAgents<RangeOf>;

/// An agent in the list of a part that it touches.
struct TightRecord {
    LatticeRange range;
    Id id;
};
static_assert(sizeof(TightRecord) == 12);

/// The agents that touch a part, in the order of their ids, known by their places in its list.
struct TightRecords {
    static constexpr bool kInParts = true;
    const TightRecord* first;
    std::size_t number;

    template <class Visit>
    void for_each(const Visit& visit) const {
        for (std::size_t i = 0; i < number; ++i) {
            visit(static_cast<Id>(i), first[i].range);
        }
    }
    [[nodiscard]] LatticeRange range(Id i) const noexcept { return first[i].range; }
    [[nodiscard]] Id id(Id i) const noexcept { return first[i].id; }
};

/// The whole tree, or a square that is a node if the tree is that deep there. Counts how many
/// covers touch each node of a complete tree, which tells which nodes are leaves and where each
/// list begins; then writes every element to its places.
struct TightPart {
    // Marks a cell within a larger leaf: the other bits are the number of the leaf's first cell,
    // whose count says where the list goes on.
    static constexpr std::uint32_t kSeeFirst = 0x8000'0000u;

    /// A cell of the finest level that must be split, and the place of its elements in `members`.
    struct Crowded {
        std::uint32_t cell, count, turn; ///< `turn` is the cell's turn in a walk over the tree
        std::size_t begin, listed;
    };

    unsigned level = 0;         ///< the level of the part's root
    unsigned bits = 0;          ///< how many levels below the root are counted
    unsigned shift = 0;         ///< cells of the finest level are 2^shift cells of the lattice wide
    std::uint32_t x = 0, y = 0; ///< the first of those cells
    std::uint32_t* counts = {}; ///< how many covers touch each cell: level by level, row by row
    std::size_t begin = 0;      ///< the part's first record
    std::size_t records = 0;    ///< the number of records
    std::size_t inner = 0;      ///< the number of nodes to split, the root included
    std::size_t references = 0; ///< the number of references of all leaves
    std::size_t oversized = 0;  ///< elements that are in no leaf
    bool listed = true;         ///< false: a leaf above the part lists the elements
    std::uint32_t node = 0;     ///< the number of the root
    std::uint32_t first_block = 1;
    std::uint32_t first_reference = 0;
    FreeList<TightReference>::Holes holes;
    Vector<Crowded> crowded;
    Vector<Id> members;
    TightNeeds needs;

    /// The number of counts of a part with `levels` levels below its root.
    [[nodiscard]] static constexpr std::size_t cells_for(unsigned levels) noexcept {
        return ((std::size_t{4} << 2 * levels) - 1) / 3;
    }
    [[nodiscard]] std::size_t memory() const noexcept {
        return crowded.capacity() * sizeof(Crowded) +
               (members.capacity() + needs.ids.capacity()) * sizeof(Id);
    }
    /// An upper bound on the elements that touch the part's root: sums count an element once for
    /// each child that it touches.
    [[nodiscard]] std::uint32_t count_of_root() const noexcept { return counts[0]; }

    /// Counts elements, and finds the needs of the part. Throws std::bad_alloc.
    template <class Source>
    void plan(const TightTree& tree, const TightLattice& lattice, const Source& source) {
        count(source);
        add_up(tree.split_above);
        needs.clear();
        crowded.clear();
        if (shift != 0) { count_crowded(tree, lattice, source); }
    }
    /// Writes nodes and lists to their places; `all` are the tree's references.
    template <class Source>
    void fill(TightTree& tree, TightReference* all, const Source& source) noexcept {
        std::fill_n(all + first_reference, references, TightReference{TightTree::kNone, kNoId});
        lay_out(tree);
        write(tree, all, source);
        finish<Source::kInParts>(tree, all);
    }
    /// Splits leaves of the finest level that are too full.
    void split_crowded(TightTree& tree, const TightElements& crowd) const noexcept;

private:
    [[nodiscard]] std::uint32_t* level_below(unsigned levels) const noexcept {
        return counts + cells_for(levels) - (std::size_t{1} << 2 * levels);
    }
    /// The cells of the finest level that a cover touches.
    template <class Source>
    [[nodiscard]] LatticeRange cells_of(const LatticeRange& whole) const noexcept {
        LatticeRange range = whole.coarser(shift);
        if constexpr (Source::kInParts) {
            const auto clip = [this](std::uint32_t cell, std::uint32_t first) {
                const std::uint32_t last = (1u << bits) - 1;
                const std::uint32_t from_first = std::max(cell, first) - first;
                return static_cast<std::uint16_t>(std::min(from_first, last));
            };
            range = {clip(range.lo_x, x), clip(range.lo_y, y), clip(range.hi_x, x),
                     clip(range.hi_y, y)};
        }
        return range;
    }
    [[nodiscard]] static std::uint32_t leaf_of(const std::uint32_t* lists,
                                               std::size_t cell) noexcept {
        // A choice between two numbers would be compiled to a branch, which is hard to predict.
        const std::uint32_t there = lists[cell];
        const std::uint32_t see = 0u - (there >> 31);
        return (there & see & ~kSeeFirst) | (static_cast<std::uint32_t>(cell) & ~see);
    }

    template <class Source>
    void count(const Source& source) noexcept;
    void add_up(std::uint32_t most) noexcept;
    template <class Source>
    void count_crowded(const TightTree& tree, const TightLattice& lattice, const Source& source);
    void lay_out(TightTree& tree) noexcept;
    template <class Source>
    void write(TightTree& tree, TightReference* all, const Source& source) noexcept;
    template <bool kInParts>
    void finish(TightTree& tree, TightReference* all) noexcept;
};

/// Counts each cover in all cells that it touches, on the finest level and on the one above. Most
/// covers touch at most two cells on an axis: these are counted without a branch.
template <class Source>
void TightPart::count(const Source& source) noexcept {
    std::fill_n(counts, cells_for(bits), 0u);
    const unsigned finest = bits;
    std::uint32_t* const fine = level_below(finest);
    // If there is no level above, its counts go to four words that are never read.
    std::uint32_t nowhere[4];
    std::uint32_t* const coarse = finest == 0 ? nowhere : level_below(finest - 1);
    const unsigned up = finest == 0 ? 0 : finest - 1;
    std::size_t too_wide = 0;
    const auto add = [](std::uint32_t* cells, unsigned width, const LatticeRange& range) {
        const unsigned more_x = range.hi_x - range.lo_x;
        const std::size_t row = std::size_t{range.lo_y} << width;
        const std::size_t below = std::size_t{range.hi_y} << width;
        const unsigned more_y = range.hi_y - range.lo_y;
        ++cells[row + range.lo_x];
        cells[row + range.hi_x] += more_x;
        cells[below + range.lo_x] += more_y;
        cells[below + range.hi_x] += more_x & more_y;
    };
    const auto add_all = [](std::uint32_t* cells, unsigned width, const LatticeRange& range) {
        for (std::size_t row = range.lo_y; row <= range.hi_y; ++row) {
            for (std::size_t cell = range.lo_x; cell <= range.hi_x; ++cell) {
                ++cells[(row << width) + cell];
            }
        }
    };
    source.for_each([&](Id, const LatticeRange& whole) {
        const LatticeRange range = cells_of<Source>(whole);
        if (range.reach() <= 1) {
            add(fine, finest, range);
            add(coarse, up, range.coarser(finest == 0 ? 0 : 1));
        } else if (!TightTree::is_oversized_at(whole, shift)) {
            add_all(fine, finest, range);
            add_all(coarse, up, range.coarser(1));
        } else {
            ++too_wide;
        }
    });
    oversized = too_wide;
}

/// Finds the cells that must be split further, and lists the elements that touch each.
template <class Source>
void TightPart::count_crowded(const TightTree& tree, const TightLattice& lattice,
                              const Source& source) {
    std::uint32_t* const fine = level_below(bits);
    const std::size_t cells = std::size_t{1} << 2 * bits;
    std::size_t all = 0;
    for (std::size_t c = 0; c < cells; ++c) {
        if (fine[c] <= tree.split_above) { continue; }
        crowded.push_back({static_cast<std::uint32_t>(c), fine[c], 0, all, 0});
        all += fine[c];
    }
    if (crowded.empty()) { return; }
    members.resize(all);
    // Until its members are listed, the count of each of these cells is its index in `crowded`.
    for (std::size_t k = 0; k < crowded.size(); ++k) {
        fine[crowded[k].cell] = static_cast<std::uint32_t>(k) | kSeeFirst;
    }
    source.for_each([&](Id i, const LatticeRange& whole) {
        if (TightTree::is_oversized_at(whole, shift)) { return; }
        const LatticeRange range = cells_of<Source>(whole);
        for (std::size_t row = range.lo_y; row <= range.hi_y; ++row) {
            for (std::size_t cell = range.lo_x; cell <= range.hi_x; ++cell) {
                const std::uint32_t there = fine[(row << bits) + cell];
                if ((there & kSeeFirst) == 0) { continue; }
                Crowded& its = crowded[there & ~kSeeFirst];
                members[its.begin + its.listed++] = i;
            }
        }
    });
    const auto range_of = [&](Id i) { return source.range(i); };
    for (Crowded& its : crowded) {
        fine[its.cell] = its.count;
        const auto first = members.begin() + static_cast<std::ptrdiff_t>(its.begin);
        needs.ids.assign(first, first + static_cast<std::ptrdiff_t>(its.count));
        const std::uint32_t column = its.cell & ((1u << bits) - 1);
        const std::uint32_t row = its.cell >> bits;
        its.turn = turn_of(column, row);
        const TightSquare square = {0, static_cast<std::uint16_t>((x + column) << shift),
                                    static_cast<std::uint16_t>((y + row) << shift),
                                    static_cast<std::uint8_t>(level + bits)};
        needs.add(tree, lattice, square, range_of);
    }
    std::sort(crowded.begin(), crowded.end(),
              [](const Crowded& a, const Crowded& b) { return a.turn < b.turn; });
}

template <class Source>
void TightPart::write(TightTree& tree, TightReference* all, const Source& source) noexcept {
    const unsigned finest = bits;
    std::uint32_t* const lists = level_below(finest);
    source.for_each([&](Id i, const LatticeRange& whole) {
        const Id id = source.id(i);
        const LatticeRange range = cells_of<Source>(whole);
        const std::size_t row = std::size_t{range.lo_y} << finest;
        if (range.reach() <= 1) {
            // Writes the element once to each leaf that has one of these four cells. Some of the
            // cells may be in the same leaf.
            const std::size_t below = std::size_t{range.hi_y} << finest;
            const std::uint32_t a = leaf_of(lists, row + range.lo_x);
            const std::uint32_t b = leaf_of(lists, row + range.hi_x);
            const std::uint32_t c = leaf_of(lists, below + range.lo_x);
            const std::uint32_t d = leaf_of(lists, below + range.hi_x);
            // Without a branch: if a leaf already lists the element, as its last reference, this
            // writes it again at the same place.
            const auto put = [&](std::uint32_t leaf, std::uint32_t again) {
                const std::uint32_t at = lists[leaf] - again;
                all[at] = {at + 1, id};
                lists[leaf] = at + 1;
            };
            put(a, 0);
            put(b, b == a ? 1 : 0);
            put(c, c == a ? 1 : 0);
            put(d, (d == b ? 1u : 0u) | (d == c ? 1u : 0u));
            return;
        }
        if (TightTree::is_oversized_at(whole, shift)) {
            tree.add_oversized(id);
            return;
        }
        for (std::size_t at_y = range.lo_y; at_y <= range.hi_y; ++at_y) {
            for (std::size_t at_x = range.lo_x; at_x <= range.hi_x; ++at_x) {
                // Lists the element only in the first of these cells that belongs to the leaf.
                const std::size_t cell = (at_y << finest) + at_x;
                const std::uint32_t leaf = leaf_of(lists, cell);
                if (at_x > range.lo_x && leaf_of(lists, cell - 1) == leaf) { continue; }
                if (at_y > range.lo_y &&
                    leaf_of(lists, cell - (std::size_t{1} << finest)) == leaf) {
                    continue;
                }
                all[lists[leaf]] = {lists[leaf] + 1, id};
                ++lists[leaf];
            }
        }
    });
}

/// Ends every list, and gives back references that sums had counted more than once. Those behind
/// the list of the part's root are left to TightBuild::give_back().
template <bool kInParts>
void TightPart::finish(TightTree& tree, TightReference* all) noexcept {
    const std::uint32_t* const ends = level_below(bits);
    const std::size_t past = first_reference + references;
    holes = {};
    const auto end_list = [&](TightNode& leaf) {
        const std::uint32_t end = ends[leaf.count];
        leaf.count = static_cast<std::int32_t>(end - leaf.first);
        if (leaf.count == 0) {
            leaf.first = TightTree::kNone;
        } else {
            all[end - 1].next = TightTree::kNone;
        }
        return end;
    };
    if (inner == 0) { (void)end_list(tree.node(node)); }
    for (std::size_t b = first_block; b < first_block + inner; ++b) {
        for (TightNode& child : tree.blocks[static_cast<std::uint32_t>(b)]) {
            if (!child.is_leaf()) { continue; }
            for (std::uint32_t r = end_list(child); r < past && all[r].element == kNoId; ++r) {
                if constexpr (kInParts) {
                    tree.references.remove_apart(r, holes);
                } else {
                    tree.references.remove(r);
                }
            }
        }
    }
}

} // namespace throng
