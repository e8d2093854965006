// Adds elements to leaves and removes them; splits leaves that are too full, and collapses empty
// ones.
#include "tree.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

namespace throng {

namespace {

/// Makes room for `more` entries; a list that must grow grows by an eighth at least.
template <class T>
void make_room(FreeList<T>& list, std::size_t& room, std::size_t more) {
    const std::size_t needed = list.size() + more;
    if (needed <= room) { return; }
    const std::size_t larger = std::max(needed, room + room / 8 + 16);
    list.reserve(larger);
    room = larger;
}

} // namespace

void TightTree::clear() {
    blocks.clear();
    blocks.add(Block{});
    references.clear();
    forget_oversized();
}

void TightTree::clear_unwritten(std::size_t all_blocks, std::size_t all_references) noexcept {
    blocks.assign_unwritten(all_blocks);
    blocks[0] = Block{};
    references.assign_unwritten(all_references);
    forget_oversized();
}

void TightTree::forget_oversized() noexcept {
    oversized.clear();
    std::fill(oversized_marks.begin(), oversized_marks.end(), 0);
    emptied_count_ = 0;
}

TightTree::Home TightTree::home_of(const LatticeRange& range) const noexcept {
    Home home;
    for_leaves(range, [&](const TightSquare& at, const TightNode&) {
        home.oversized = is_oversized_for(range, at.depth);
        if (home.oversized) { return false; }
        home.leaf[home.count++] = at;
        return true;
    });
    return home;
}

void TightTree::link(Id id, const Home& home) noexcept {
    if (home.oversized) {
        add_oversized(id);
        return;
    }
    for (std::size_t i = 0; i < home.count; ++i) {
        add_reference(home.leaf[i].node, id);
    }
}

void TightTree::unlink(Id id, const LatticeRange& range) noexcept {
    if (is_oversized(id)) {
        remove_oversized(id);
        return;
    }
    for_leaves(range, [&](const TightSquare& at, const TightNode&) {
        remove_reference(at, id);
        return true;
    });
}

void TightTree::add_reference(std::uint32_t leaf, Id id) noexcept {
    TightNode& into = node(leaf);
    into.first = references.add({into.first, id});
    ++into.count;
}

void TightTree::remove_reference(const TightSquare& leaf, Id id) noexcept {
    TightNode& from = node(leaf.node);
    std::uint32_t* link = &from.first;
    while (references[*link].element != id) {
        link = &references[*link].next;
    }
    const std::uint32_t gone = *link;
    *link = references[gone].next;
    references.remove(gone);
    if (--from.count == 0) { note_emptied(leaf); }
}

void TightTree::reserve_references(std::size_t more) {
    make_room(references, reference_room_, more);
}

void TightTree::reserve_blocks(std::size_t more) {
    // Nodes need numbers below kNone, four for each block.
    if (blocks.size() + more > kNone / 4) { throw std::length_error("TightTree"); }
    make_room(blocks, block_room_, more);
}

void TightTree::reserve_oversized(std::size_t more, std::size_t id_bound) {
    const std::size_t needed = oversized.size() + more;
    if (needed > oversized.capacity()) {
        oversized.reserve(std::max(needed, 2 * oversized.capacity()));
    }
    const std::size_t words = (id_bound + 63) / 64;
    if (words > oversized_marks.size()) { oversized_marks.resize(words); }
}

void TightTree::add_oversized(Id id) noexcept {
    oversized.push_back(id);
    oversized_marks[id / 64] |= std::uint64_t{1} << (id % 64);
}

void TightTree::remove_oversized(Id id) noexcept {
    oversized.erase(std::find(oversized.begin(), oversized.end(), id));
    oversized_marks[id / 64] &= ~(std::uint64_t{1} << (id % 64));
}

void TightTree::split_leaves(const LatticeRange& range, const TightElements& crowd) noexcept {
    // Splits on the way in, so that the search goes on into the children, which may be too full as
    // well.
    for_leaves(
        range,
        [&](const TightSquare& at) {
            const std::int32_t count = node(at.node).count;
            if (count <= static_cast<std::int32_t>(split_above) || at.depth == lattice.depth()) {
                return true;
            }
            try {
                split(at, crowd);
            } catch (const std::bad_alloc&) {
                // Without the split the tree is still correct.
            } catch (const std::length_error&) {}
            return true;
        },
        [](const TightSquare&, const TightNode&) { return true; });
}

void TightTree::split(const TightSquare& leaf, const TightElements& crowd) {
    const auto range_of = [&](Id id) { return lattice.range(crowd.cover_of_agent(id)); };
    const unsigned deeper = leaf.depth + 1u;
    const TightNode full = node(leaf.node);
    const unsigned middle_x = leaf.x + half_of(leaf);
    const unsigned middle_y = leaf.y + half_of(leaf);
    // Which children a cover touches, a bit each.
    const auto touched = [&](const LatticeRange& range) {
        const unsigned x = (range.lo_x < middle_x ? 1u : 0u) | (range.hi_x >= middle_x ? 2u : 0u);
        const unsigned y = (range.lo_y < middle_y ? 1u : 0u) | (range.hi_y >= middle_y ? 2u : 0u);
        return ((y & 1u) != 0 ? x : 0u) | ((y & 2u) != 0 ? x << 2u : 0u);
    };

    std::size_t needed = 0;
    std::size_t stay = 0;
    Id largest = 0;
    for (std::uint32_t r = full.first; r != kNone; r = references[r].next) {
        const Id id = references[r].element;
        const LatticeRange range = range_of(id);
        if (is_oversized_for(range, deeper)) {
            largest = std::max(largest, id);
        } else {
            ++stay;
            needed += static_cast<std::size_t>(__builtin_popcount(touched(range)));
        }
    }
    const std::size_t leave = static_cast<std::size_t>(full.count) - stay;
    if (!pays(stay, leave)) { return; }
    if (leave != 0) { reserve_oversized(leave, std::size_t{largest} + 1); }
    reserve_references(needed - stay);
    reserve_blocks(1);
    const std::uint32_t first = blocks.add(Block{}) * 4;

    // Elements that are too wide leave all leaves, this one included.
    for (std::uint32_t r = full.first; leave != 0 && r != kNone;) {
        const Id id = references[r].element;
        r = references[r].next;
        const LatticeRange range = range_of(id);
        if (is_oversized_for(range, deeper)) {
            unlink(id, range);
            add_oversized(id);
        }
    }
    // The others keep their order. An element's old reference goes to the first child that it
    // touches.
    std::array<std::uint32_t*, 4> end;
    for (unsigned which = 0; which < 4; ++which) {
        end[which] = nullptr;
    }
    const auto append = [&](unsigned which, std::uint32_t r) {
        TightNode& into = node(first + which);
        if (end[which] == nullptr) {
            into.first = r;
        } else {
            *end[which] = r;
        }
        references[r].next = kNone;
        end[which] = &references[r].next;
        ++into.count;
    };
    for (std::uint32_t r = node(leaf.node).first; r != kNone;) {
        const Id id = references[r].element;
        const std::uint32_t next = references[r].next;
        bool moved = false;
        const unsigned bits = touched(range_of(id));
        for (unsigned which = 0; which < 4; ++which) {
            if ((bits >> which & 1u) == 0) { continue; }
            append(which, moved ? references.add({kNone, id}) : r);
            moved = true;
        }
        r = next;
    }
    node(leaf.node) = {first, TightNode::kInner};
    for (unsigned which = 0; which < 4; ++which) {
        if (node(first + which).count == 0) { note_emptied(child(leaf, first, which)); }
    }
}

void TightTree::note_emptied(const TightSquare& leaf) noexcept {
    if (leaf.depth == 0) { return; }
    if (emptied_count_ < kEmptied) { emptied_[emptied_count_] = {leaf.x, leaf.y, leaf.depth}; }
    emptied_count_ = std::min(emptied_count_ + 1, kEmptied + 1);
}

bool TightTree::has_empty_children(const TightNode& parent) const noexcept {
    const Block& children = blocks[parent.first / 4];
    return std::all_of(children.begin(), children.end(),
                       [](const TightNode& child) { return child.count == 0; });
}

void TightTree::collapse(TightNode& parent) noexcept {
    blocks.remove(parent.first / 4);
    parent = {};
}

void TightTree::cleanup() noexcept {
    if (emptied_count_ > kEmptied) {
        cleanup_everywhere();
        return;
    }
    // Parents are collected before any collapses: a collapse makes other parents ready, and these
    // wait for the next call.
    std::array<TightSquare, kEmptied> ready;
    std::size_t count = 0;
    for (std::size_t i = 0; i < emptied_count_; ++i) {
        const Emptied& square = emptied_[i];
        TightSquare at{};
        while (at.depth + 1u < square.depth && !node(at.node).is_leaf()) {
            const unsigned half = half_of(at);
            at = child(at, node(at.node).first,
                       (square.y >= at.y + half ? 2u : 0u) | (square.x >= at.x + half ? 1u : 0u));
        }
        const TightNode& parent = node(at.node);
        if (at.depth + 1u == square.depth && !parent.is_leaf() && has_empty_children(parent)) {
            ready[count++] = at;
        }
    }
    emptied_count_ = 0;
    for (std::size_t i = 0; i < count; ++i) {
        TightNode& parent = node(ready[i].node);
        if (parent.is_leaf()) { continue; } // listed twice, and collapsed already
        collapse(parent);
        note_emptied(ready[i]);
    }
}

void TightTree::cleanup_everywhere() noexcept {
    emptied_count_ = 0;
    std::array<TightSquare, kStack> stack;
    std::size_t waiting = 0;
    TightSquare at{};
    for (;;) {
        TightNode& here = node(at.node);
        if (here.is_leaf()) {
            // A leaf has no children to collapse.
        } else if (has_empty_children(here)) {
            collapse(here);
            note_emptied(at);
        } else {
            for (unsigned which = 4; which-- > 0;) {
                stack[waiting++] = child(at, here.first, which);
            }
        }
        if (waiting == 0) { return; }
        at = stack[--waiting];
    }
}

const char* TightTree::validate(const TightElements& crowd) const {
    if (const char* fault = blocks.validate()) { return fault; }
    if (const char* fault = references.validate()) { return fault; }
    if (blocks.is_free(0)) { return "there is no root"; }

    std::vector<std::uint32_t> leaves_of(crowd.bound(), 0);
    std::vector<std::uint32_t> latest_leaf(crowd.bound(), kNone);
    std::vector<bool> reached(blocks.bound(), false);
    std::vector<TightSquare> waiting{TightSquare{}};
    std::size_t blocks_reached = 1;
    std::size_t references_reached = 0;
    while (!waiting.empty()) {
        const TightSquare at = waiting.back();
        waiting.pop_back();
        const TightNode& here = node(at.node);
        if (!here.is_leaf()) {
            const std::uint32_t block = here.first / 4;
            if (here.first % 4 != 0 || block == 0) { return "children that are not a block"; }
            if (blocks.is_free(block)) { return "children that were given back"; }
            if (reached[block]) { return "children of two parents"; }
            if (at.depth >= lattice.depth()) { return "a node below the depth limit"; }
            reached[block] = true;
            ++blocks_reached;
            for (unsigned which = 0; which < 4; ++which) {
                waiting.push_back(child(at, here.first, which));
            }
            continue;
        }
        if (here.count < 0) { return "a leaf with a count below zero"; }
        std::int32_t listed = 0;
        const unsigned last_x = at.x + width_of(at) - 1;
        const unsigned last_y = at.y + width_of(at) - 1;
        for (std::uint32_t r = here.first; r != kNone; r = references[r].next) {
            if (references.is_free(r)) { return "a reference that was given back"; }
            if (++listed > here.count) { return "a leaf lists more than its count"; }
            const Id id = references[r].element;
            if (!crowd.contains(id)) { return "a leaf lists an agent that is not there"; }
            if (is_oversized(id)) { return "an element on the list and in a leaf"; }
            if (latest_leaf[id] == at.node) { return "a leaf lists an element twice"; }
            latest_leaf[id] = at.node;
            ++leaves_of[id];
            ++references_reached;
            const LatticeRange range = lattice.range(crowd.cover_of_agent(id));
            if (range.lo_x > last_x || range.hi_x < at.x || range.lo_y > last_y ||
                range.hi_y < at.y) {
                return "a leaf lists an element that does not touch it";
            }
            if (is_oversized_for(range, at.depth)) { return "an element too wide for its leaf"; }
        }
        if (listed != here.count) { return "a leaf lists less than its count"; }
    }
    if (blocks_reached != blocks.size()) { return "nodes that nothing leads to"; }
    if (references_reached != references.size()) { return "references in no leaf"; }

    std::size_t marked = 0;
    for (const std::uint64_t word : oversized_marks) {
        marked += static_cast<std::size_t>(__builtin_popcountll(word));
    }
    if (marked != oversized.size()) { return "marks that are not those of the list"; }
    for (const Id id : oversized) {
        if (!is_oversized(id)) { return "an element on the list without a mark"; }
        if (!crowd.contains(id)) { return "an agent that is not there is on the list"; }
    }
    for (Id id = 0; id < crowd.bound(); ++id) {
        if (!crowd.contains(id) || is_oversized(id)) { continue; }
        std::uint32_t touched = 0;
        for_leaves(lattice.range(crowd.cover_of_agent(id)),
                   [&](const TightSquare&, const TightNode&) {
                       ++touched;
                       return true;
                   });
        if (touched != leaves_of[id]) { return "an element is not in a leaf that it touches"; }
    }
    return nullptr;
}

} // namespace throng
