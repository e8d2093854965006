// What a LooseTree is made of. Internal to the engine.
#pragma once

#include "../../core/access.hpp"
#include "../../core/access_check.hpp"
#include "../../memory/vector.hpp"
#include "../../shapes/bounds.hpp"
#include "../bucket_store.hpp"
#include "lattice.hpp"
#include "loose_tree.hpp"
#include "nodes.hpp"
#include "sort.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace throng {

template <std::size_t Dim>
struct LooseTree<Dim>::State : FromSource {
    using Block = LooseBlock<Dim>;
    using Coordinates = typename TreeLattice<Dim>::Coordinates;
    static constexpr std::uint32_t kChildren = Block::kChildren;
    static constexpr std::uint32_t kNoSlot = ~0u;

    /// Fewer agents than this below a node whose children are all leaves, and it becomes a leaf.
    /// Well under what a leaf holds, so that an agent that comes and goes does not split and merge.
    static constexpr std::uint32_t kFewToMerge = kMostInLeaf<Dim> - kMostInLeaf<Dim> / 4;

    State() { blocks.add(Block::empty(kNoNode, 0, kNoBucket)); }

    /// Forgets all agents.
    void clear() noexcept;

    /// The slot of an agent, which must exist.
    [[nodiscard]] std::uint32_t slot_of(Id id) const noexcept {
        return id < slot_of_id.size() ? slot_of_id[id] : kNoSlot;
    }
    [[nodiscard]] std::uint32_t leaf_of(std::uint32_t slot) const noexcept {
        return leaf_of_bucket[slot / BucketStore<Dim>::kRoom];
    }
    [[nodiscard]] Block& block_of(std::uint32_t node) noexcept { return blocks[node / kChildren]; }
    [[nodiscard]] const Block& block_of(std::uint32_t node) const noexcept {
        return blocks[node / kChildren];
    }

    /// A square, by any coordinates in it and its depth.
    struct Square {
        Coordinates coordinates;
        unsigned depth;
    };
    /// The smallest square sure to have all agents whose covers overlap the box, given the size of
    /// the largest agent.
    [[nodiscard]] Square square_of(const Box<Dim>& box) const noexcept {
        Point<Dim> lo, hi;
        for (std::size_t a = 0; a < Dim; ++a) {
            // A little further, since covers were rounded.
            lo[a] = box.lo[a] - widest[a] - (std::fabs(box.lo[a]) + widest[a]) * 0x1p-20f;
            hi[a] = box.hi[a] + widest[a] + (std::fabs(box.hi[a]) + widest[a]) * 0x1p-20f;
        }
        const Coordinates coordinates = lattice.coordinates(lo);
        return {coordinates, lattice.common_depth(coordinates, lattice.coordinates(hi))};
    }
    /// Takes note of the size of an agent.
    void widen(const Point<Dim>& half) noexcept {
        const Point<Dim> wide = cover_of(Point<Dim>{}, half).hi;
        for (std::size_t a = 0; a < Dim; ++a) {
            widest[a] = std::max(widest[a], wide[a]);
        }
    }

    /// Room for whatever one edit of an agent with an id below `ids` may need. Throws
    /// std::bad_alloc, and then nothing has changed.
    void reserve(std::size_t ids);

    // What edits are made of; there must be room.

    struct Newcomer {
        Id id;
        Point<Dim> position, half;
        std::uint32_t groups;
    };
    /// Adds an agent somewhere below `node`, which is in its square.
    void add_below(std::uint32_t node, const Newcomer& agent) noexcept;
    /// Removes the agent in `slot`; nodes at `depth` and above count it as before.
    void take_out(std::uint32_t slot, unsigned depth) noexcept;
    /// Adds to the buckets of a leaf, and to nothing else.
    void add_to(std::uint32_t leaf, const Newcomer& agent) noexcept;
    void split(std::uint32_t leaf) noexcept;
    /// Makes a leaf of a node whose children are leaves.
    void merge(std::uint32_t node) noexcept;
    /// Takes the agents out of the buckets of a leaf, and gives those back. They must be at most
    /// kMostInLeaf<Dim>. Returns how many they are.
    std::uint32_t empty_leaf(std::uint32_t leaf, Newcomer* agents) noexcept;
    /// Makes a node and those above it cover the box.
    void grow_up(std::uint32_t node, const Box<Dim>& cover) noexcept;
    void mark_changed(std::uint32_t node) noexcept;
    /// Notes the leaf of each bucket. False if two leaves share one, or one does not exist.
    [[nodiscard]] bool find_leaves();
    /// What the agents of a leaf cover.
    [[nodiscard]] Box<Dim> fitted(std::uint32_t leaf) const noexcept;

    TreeLattice<Dim> lattice;
    bool configured = false; ///< by configure() or update(); insert() only guesses
    unsigned deepest = kDeepestLeaf;

    BucketStore<Dim> store;
    LooseBlocks<Dim> blocks;
    std::size_t block_room = 0;
    Vector<std::uint32_t> slot_of_id;
    Vector<std::uint32_t> leaf_of_bucket;
    std::size_t count = 0;
    Point<Dim> widest{};         ///< no cover reaches further from its agent's centre
    std::size_t bucket_room = 0; ///< what the store was last asked for
    LooseTreeSort<Dim> sort;
    [[no_unique_address]] AccessCheck access;
};

} // namespace throng
