#include "build.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace throng {

namespace {

/// Levels so that there are between half a cell and two cells for each agent, if the depth allows.
unsigned level_for(std::size_t agents, unsigned depth, unsigned most) noexcept {
    const auto doubled = static_cast<std::uint64_t>(agents) * 2;
    const unsigned level =
        doubled == 0 ? 0 : static_cast<unsigned>(std::bit_width(doubled) - 1) / 2;
    return std::min({level, depth, most});
}

} // namespace

void TightBuild::plan(TightTree& tree, const TightLattice& lattice, const CrowdKind<2>& kind,
                      const Agents<2>& agents) {
    const std::size_t number = agents.positions.count;
    finest_ = level_for(number, lattice.depth(), kMostLevel);
    std::size_t cells = 0;
    for (unsigned l = 0; l <= finest_; ++l) {
        begin_[l] = cells;
        cells += std::size_t{1} << 2 * l;
    }
    // Not by resize(), which would keep what it need not and grow beyond what is needed.
    if (cells > counts_.capacity()) { counts_ = Vector<std::uint32_t>(); }
    counts_.assign(cells, 0);

    const ValueView<float> x = agents.positions.values(0);
    const ValueView<float> y = agents.positions.values(1);
    if (kind.own_half_extents) {
        const ValueView<float> half_width = agents.half_extents.values(0);
        const ValueView<float> half_height = agents.half_extents.values(1);
        count_all(tree, lattice, number, [&](std::size_t i) {
            return lattice.range(
                cover_of(Point<2>{{x[i], y[i]}}, Point<2>{{half_width[i], half_height[i]}}));
        });
    } else {
        count_all(tree, lattice, number, [&](std::size_t i) {
            return lattice.range(cover_of(Point<2>{{x[i], y[i]}}, kind.common_half_extent));
        });
    }

    if (inner_ + 1 > tree.blocks.size()) { tree.reserve_blocks(inner_ + 1 - tree.blocks.size()); }
    const std::size_t now = tree.references.size();
    const std::size_t all = references_ + 1 + needs_.references;
    if (all > now) { tree.reserve_references(all - now); }
    // Also for the marks of oversized elements that are fewer than before, but have larger ids.
    if (oversized_ != 0) {
        tree.reserve_oversized(oversized_ - std::min(oversized_, tree.oversized.size()), number);
    }
}

template <class RangeOf>
void TightBuild::count_all(const TightTree& tree, const TightLattice& lattice, std::size_t number,
                           const RangeOf& range_of) {
    count(lattice, number, range_of);
    add_up(tree);
    needs_.clear();
    if (finest_ < lattice.depth()) { count_crowded(tree, lattice, number, range_of); }
    inner_ += needs_.blocks;
    oversized_ += needs_.oversized;
}

/// Each cover in all cells of the finest level that it touches, and of the one above. Most touch no
/// more than two on an axis: those are counted without a branch.
template <class RangeOf>
void TightBuild::count(const TightLattice& lattice, std::size_t number,
                       const RangeOf& range_of) noexcept {
    const unsigned finest = finest_;
    const unsigned shift = lattice.depth() - finest;
    std::uint32_t* const fine = level(finest);
    // If there is no level above, its counts go to four words that are never read.
    std::uint32_t nowhere[4];
    std::uint32_t* const coarse = finest == 0 ? nowhere : level(finest - 1);
    const unsigned up = finest == 0 ? 0 : finest - 1;
    std::size_t oversized = 0;
    const auto add = [=](std::uint32_t* counts, unsigned bits, const LatticeRange& range) {
        const unsigned more_x = range.hi_x - range.lo_x;
        const std::size_t row = std::size_t{range.lo_y} << bits;
        const std::size_t below = std::size_t{range.hi_y} << bits;
        const unsigned more_y = range.hi_y - range.lo_y;
        ++counts[row + range.lo_x];
        counts[row + range.hi_x] += more_x;
        counts[below + range.lo_x] += more_y;
        counts[below + range.hi_x] += more_x & more_y;
    };
    const auto add_all = [=](std::uint32_t* counts, unsigned bits, const LatticeRange& range) {
        for (std::size_t y = range.lo_y; y <= range.hi_y; ++y) {
            for (std::size_t x = range.lo_x; x <= range.hi_x; ++x) {
                ++counts[(y << bits) + x];
            }
        }
    };
    for (std::size_t i = 0; i < number; ++i) {
        const LatticeRange whole = range_of(i);
        const LatticeRange range = whole.coarser(shift);
        if (range.reach() <= 1) {
            add(fine, finest, range);
            add(coarse, up, range.coarser(finest == 0 ? 0 : 1));
        } else if (!TightTree::is_oversized_at(whole, shift)) {
            add_all(fine, finest, range);
            add_all(coarse, up, range.coarser(1));
        } else {
            ++oversized;
        }
    }
    oversized_ = oversized;
}

/// Cells that must be split further, each with a list of the elements that touch it.
template <class RangeOf>
void TightBuild::count_crowded(const TightTree& tree, const TightLattice& lattice,
                               std::size_t number, const RangeOf& range_of) {
    std::uint32_t* const counts = level(finest_);
    const std::size_t cells = std::size_t{1} << 2 * finest_;
    crowded_.clear();
    std::size_t all = 0;
    for (std::size_t c = 0; c < cells; ++c) {
        if (counts[c] <= tree.split_above) { continue; }
        crowded_.push_back({static_cast<std::uint32_t>(c), counts[c], all, 0});
        all += counts[c];
    }
    if (crowded_.empty()) { return; }
    members_.resize(all);
    // Until their members are listed, these cells hold their number among the crowded ones.
    for (std::size_t k = 0; k < crowded_.size(); ++k) {
        counts[crowded_[k].cell] = static_cast<std::uint32_t>(k) | kSeeFirst;
    }
    const unsigned shift = lattice.depth() - finest_;
    for (std::size_t i = 0; i < number; ++i) {
        const LatticeRange whole = range_of(i);
        if (TightTree::is_oversized_at(whole, shift)) { continue; }
        const LatticeRange range = whole.coarser(shift);
        for (std::size_t y = range.lo_y; y <= range.hi_y; ++y) {
            for (std::size_t x = range.lo_x; x <= range.hi_x; ++x) {
                const std::uint32_t there = counts[(y << finest_) + x];
                if ((there & kSeeFirst) == 0) { continue; }
                Crowded& crowded = crowded_[there & ~kSeeFirst];
                members_[crowded.begin + crowded.listed++] = static_cast<Id>(i);
            }
        }
    }
    for (const Crowded& crowded : crowded_) {
        counts[crowded.cell] = crowded.count;
        const auto first = members_.begin() + static_cast<std::ptrdiff_t>(crowded.begin);
        needs_.ids.assign(first, first + static_cast<std::ptrdiff_t>(crowded.count));
        const TightSquare square = {
            0, static_cast<std::uint16_t>((crowded.cell & ((1u << finest_) - 1)) << shift),
            static_cast<std::uint16_t>(crowded.cell >> finest_ << shift),
            static_cast<std::uint8_t>(finest_)};
        needs_.add(tree, lattice, square, range_of);
    }
}

/// The levels further up, at most as many as touch a node: sums count an element once for each
/// child that it touches. Then the size of the tree.
void TightBuild::add_up(const TightTree& tree) {
    for (unsigned l = finest_; l > 1; --l) {
        const std::uint32_t* const below = level(l - 1);
        std::uint32_t* const here = level(l - 2);
        const std::size_t side = std::size_t{1} << (l - 2);
        for (std::size_t y = 0; y < side; ++y) {
            const std::uint32_t* const first = below + 4 * side * y;
            for (std::size_t x = 0; x < side; ++x) {
                here[y * side + x] = first[2 * x] + first[2 * x + 1] + first[2 * (side + x)] +
                                     first[2 * (side + x) + 1];
            }
        }
    }
    const std::uint32_t most = tree.split_above;
    inner_ = 0;
    for (std::size_t c = 0; c < begin_[finest_]; ++c) {
        inner_ += counts_[c] > most ? 1 : 0;
    }
    // Counts the lists' references: a leaf is a node that is not split, and whose parent is.
    references_ = finest_ == 0 || level(0)[0] <= most ? level(0)[0] : 0;
    for (unsigned l = 1; l <= finest_; ++l) {
        const std::uint32_t* const above = level(l - 1);
        const std::uint32_t* const here = level(l);
        const std::uint32_t below = l == finest_ ? 0xFFFF'FFFFu : most;
        const std::size_t side = std::size_t{1} << l;
        for (std::size_t y = 0; y < side; ++y) {
            for (std::size_t x = 0; x < side; ++x) {
                const std::uint32_t count = here[y * side + x];
                const bool leaf = count <= below && above[(y / 2) * (side / 2) + x / 2] > most;
                references_ += leaf ? count : 0;
            }
        }
    }
    if (references_ >= kSeeFirst) { throw std::bad_alloc(); }
}

void TightBuild::fill(TightTree& tree, const TightElements& crowd) noexcept {
    tree.clear();
    // One more, never read: write() puts there what a leaf lists already.
    tree.references.assign(references_ + 1, {TightTree::kNone, kNoId});
    lay_out(tree);
    write(tree, crowd);
    finish(tree);
    if (finest_ < tree.lattice.depth()) {
        const auto last = static_cast<std::uint16_t>((1u << tree.lattice.depth()) - 1);
        tree.split_leaves({0, 0, last, last}, crowd);
    }
}

/// Nodes in the order of a walk. Until finish(), the count of a leaf is the number of its first
/// cell, where the end of its list is found.
void TightBuild::lay_out(TightTree& tree) noexcept {
    std::array<TightSquare, TightTree::kStack> stack;
    std::size_t waiting = 0;
    std::uint32_t used = 0;
    std::uint32_t* const lists = level(finest_);
    const unsigned shift = tree.lattice.depth() - finest_;
    TightSquare at{};
    for (;;) {
        const unsigned l = at.depth;
        // Its first cell, of the finest level.
        const std::size_t x = at.x >> shift;
        const std::size_t y = at.y >> shift;
        const unsigned up = finest_ - l;
        const std::uint32_t count = level(l)[((y >> up) << l) + (x >> up)];
        if (l < finest_ && count > tree.split_above) {
            const std::uint32_t first = tree.blocks.add(TightTree::Block{}) * 4;
            tree.node(at.node) = {first, TightNode::kInner};
            for (unsigned which = 4; which-- > 0;) {
                stack[waiting++] = tree.child(at, first, which);
            }
        } else {
            const std::size_t cell = (y << finest_) + x;
            tree.node(at.node) = {used, static_cast<std::int32_t>(cell)};
            const std::size_t side = std::size_t{1} << up;
            for (std::size_t row = 0; row < side; ++row) {
                std::uint32_t* const cells = lists + cell + (row << finest_);
                std::fill(cells, cells + side, static_cast<std::uint32_t>(cell) | kSeeFirst);
            }
            lists[cell] = used;
            used += count;
        }
        if (waiting == 0) { return; }
        at = stack[--waiting];
    }
}

void TightBuild::write(TightTree& tree, const TightElements& crowd) noexcept {
    const unsigned finest = finest_;
    const unsigned shift = tree.lattice.depth() - finest;
    std::uint32_t* const lists = level(finest);
    TightReference* const references = &tree.references[0];
    const auto nowhere = static_cast<std::uint32_t>(references_);
    for (Id id = 0; id < crowd.bound(); ++id) {
        const LatticeRange whole = tree.lattice.range(crowd.cover_of_agent(id));
        const LatticeRange range = whole.coarser(shift);
        const std::size_t row = std::size_t{range.lo_y} << finest;
        if (range.reach() <= 1) {
            // Once for each leaf of these four cells, whether or not they are four.
            const std::size_t below = std::size_t{range.hi_y} << finest;
            const std::uint32_t a = leaf_of(row + range.lo_x);
            const std::uint32_t b = leaf_of(row + range.hi_x);
            const std::uint32_t c = leaf_of(below + range.lo_x);
            const std::uint32_t d = leaf_of(below + range.hi_x);
            // Without a branch: an element that is in the leaf already goes to a reference that is
            // never read.
            const auto put = [&](std::uint32_t leaf, std::uint32_t really) {
                const std::uint32_t at = lists[leaf];
                references[nowhere ^ ((nowhere ^ at) & (0u - really))] = {at + 1, id};
                lists[leaf] = at + really;
            };
            put(a, 1);
            put(b, b != a ? 1 : 0);
            put(c, c != a ? 1 : 0);
            put(d, (d != b ? 1u : 0u) & (d != c ? 1u : 0u));
            continue;
        }
        if (TightTree::is_oversized_at(whole, shift)) {
            tree.add_oversized(id);
            continue;
        }
        for (std::size_t y = range.lo_y; y <= range.hi_y; ++y) {
            for (std::size_t x = range.lo_x; x <= range.hi_x; ++x) {
                // Only in the first of these cells that is the leaf's.
                const std::size_t cell = (y << finest) + x;
                const std::uint32_t leaf = leaf_of(cell);
                if (x > range.lo_x && leaf_of(cell - 1) == leaf) { continue; }
                if (y > range.lo_y && leaf_of(cell - (std::size_t{1} << finest)) == leaf) {
                    continue;
                }
                references[lists[leaf]] = {lists[leaf] + 1, id};
                ++lists[leaf];
            }
        }
    }
}

/// Ends every list, and gives back references that sums had counted more than once.
void TightBuild::finish(TightTree& tree) noexcept {
    const std::uint32_t* const ends = level(finest_);
    tree.references.remove(static_cast<std::uint32_t>(references_));
    const auto end_list = [&](TightNode& leaf) {
        if (!leaf.is_leaf()) { return; }
        const std::uint32_t end = ends[leaf.count];
        leaf.count = static_cast<std::int32_t>(end - leaf.first);
        for (std::uint32_t r = end; r < references_ && tree.references[r].element == kNoId; ++r) {
            tree.references.remove(r);
        }
        if (leaf.count == 0) {
            leaf.first = TightTree::kNone;
        } else {
            tree.references[end - 1].next = TightTree::kNone;
        }
    };
    end_list(tree.node(0));
    for (std::uint32_t n = 4; n < 4 * tree.blocks.bound(); ++n) {
        end_list(tree.node(n));
    }
}

} // namespace throng
