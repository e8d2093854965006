// The pages and nodes of a tree, and the memory they live in. Internal to the engine.
#pragma once

#include "../../simd/kernels/tree/tree_pack.hpp"
#include "../../simd/views/tree_view.hpp"
#include "../agents/agents.hpp"
#include "../agents/box.hpp"
#include "../agents/point.hpp"
#include "../memory/word_buffer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace throng {

/// The slot of no agent.
inline constexpr std::uint32_t kNoSlot = 0xFFFF'FFFFu;

/// How many nodes a number of pages needs, and where they lie.
struct TreeLayout {
    static constexpr std::uint32_t kWidth = simd::kTreeWidth;
    static constexpr std::uint32_t kPageSlots = kWidth * kWidth;
    /// More pages than this would need more than kTreeLevels levels.
    static constexpr std::uint32_t kMostPages = (kWidth - 1) << 20;

    std::uint32_t levels = 0;
    /// The number of pages that each node of level 1 gets when pages are laid out.
    std::uint32_t in_node = kWidth;
    /// The number of nodes of each level; for level 0 the number of pages, to which edits add more.
    std::array<std::uint32_t, simd::kTreeLevels> count{};
    std::array<std::uint32_t, simd::kTreeLevels>
        begin{}; ///< the first node of each level from 1 on

    /// The layout of packed pages, of which there are at most kMostPages: without a gap, since each
    /// gap costs questions a little.
    [[nodiscard]] static TreeLayout of(std::size_t pages) noexcept { return of(pages, kWidth); }
    /// The layout with room for one more page at each node of level 1, for trees that are edited.
    [[nodiscard]] static TreeLayout roomy(std::size_t pages) noexcept {
        return of(pages, kWidth - 1);
    }
    [[nodiscard]] static TreeLayout of(std::size_t pages, std::uint32_t in_node) noexcept;

    [[nodiscard]] std::uint32_t places() const noexcept {
        return levels > 1 ? count[1] * kWidth : levels;
    }
    /// The number of nodes of levels 1 and above.
    [[nodiscard]] std::uint32_t nodes() const noexcept {
        return levels > 1 ? begin[levels - 1] + count[levels - 1] : 0;
    }
    [[nodiscard]] std::uint32_t place_of(std::uint32_t page) const noexcept {
        return page / in_node * kWidth + page % in_node;
    }
    [[nodiscard]] static std::size_t pages_for(std::size_t agents) noexcept {
        return (agents + kPageSlots - 1) / kPageSlots;
    }

    friend bool operator==(const TreeLayout&, const TreeLayout&) noexcept = default;
};

/// The smallest box that holds two boxes.
template <std::size_t Dim>
[[nodiscard]] Box<Dim> cover_of_both(const Box<Dim>& one, const Box<Dim>& other) noexcept {
    Box<Dim> box;
    for (std::size_t a = 0; a < Dim; ++a) {
        box.lo[a] = std::min(one.lo[a], other.lo[a]);
        box.hi[a] = std::max(one.hi[a], other.hi[a]);
    }
    return box;
}

/// The key of children without agents.
inline constexpr std::uint32_t kNoKey = ~0u;

/// The most agents that can be packed.
inline constexpr std::uint64_t kMaxPacked =
    std::uint64_t{TreeLayout::kMostPages} * TreeLayout::kPageSlots;

/// Plain data: the code that packs and edits keeps the invariants, and validate() checks them.
template <std::size_t Dim>
struct TreeStore {
    using Fields = simd::Fields<Dim>;
    static constexpr std::uint32_t kWidth = TreeLayout::kWidth;
    static constexpr std::size_t kNodeWords = simd::TreeView<Dim>::kNodeWords;

    CrowdKind<Dim> kind{};
    TreeLayout layout{};
    // For each page: its leaves, their covers, their agent counts (a byte each), the place of the
    // page, its first key on the curve, and the number of agents that came since it was packed.
    WordBuffer leaves, pages, filled, place_of, first_key, newcomers;
    WordBuffer page_of; // by place
    // Of levels 1 and above, for each child: its cover, the agents below, and where on the curve
    // they begin.
    WordBuffer nodes, totals, keys;
    simd::CurveMap<Dim> curve = no_curve(); ///< with as many bits as a key can have
    std::uint32_t begun = 0;                ///< pages that were ever in use since the last packing
    std::uint32_t free = simd::kNoPage;     ///< a page that is not in use; place_of names the next
    std::uint32_t used = 0;                 ///< pages that have places
    Point<Dim> max_half_extent{};           ///< the common half extent, or a bound on agents' own
    Point<Dim> disc{};                      ///< TreeView::disc
    float leaf_edge = 0.0f;

    /// The curve before the first packing: all agents are in one cell and in one class of size.
    [[nodiscard]] static simd::CurveMap<Dim> no_curve() noexcept {
        simd::CurveMap<Dim> curve{};
        std::fill_n(curve.larger_than, curve.kClasses, std::numeric_limits<float>::infinity());
        return curve;
    }

    [[nodiscard]] std::uint32_t fields() const noexcept {
        return Fields::count(kind.own_half_extents, kind.groups);
    }
    [[nodiscard]] std::size_t leaf_words() const noexcept { return std::size_t{fields()} * kWidth; }
    /// A field of the agent in a slot. Slot s is number s % 16 of leaf s / 16.
    [[nodiscard]] std::uint32_t* word(std::size_t slot, std::uint32_t field) const noexcept {
        return leaves.data() + slot / kWidth * leaf_words() + std::size_t{field} * kWidth +
               slot % kWidth;
    }
    [[nodiscard]] std::uint32_t id(std::size_t slot) const noexcept {
        return *word(slot, Fields::kId);
    }
    [[nodiscard]] Point<Dim> position(std::size_t slot) const noexcept;
    [[nodiscard]] Point<Dim> half_extent(std::size_t slot) const noexcept;
    [[nodiscard]] std::uint32_t groups(std::size_t slot) const noexcept;

    void put(std::size_t slot, std::uint32_t id, const Point<Dim>& position,
             const Point<Dim>& half_extent, std::uint32_t groups) noexcept;
    void put_position(std::size_t slot, const Point<Dim>& position) noexcept;
    /// Makes a slot invisible to all queries.
    void bury(std::size_t slot) noexcept;

    /// The number of agents of a leaf.
    [[nodiscard]] std::uint8_t* in_leaf(std::size_t leaf) const noexcept {
        return reinterpret_cast<std::uint8_t*>(filled.data()) + leaf;
    }
    [[nodiscard]] std::uint32_t in_page(std::uint32_t page) const noexcept;

    /// Make room for pages with this many words a leaf, and for the nodes and places of a
    /// layout. Both keep what there is. They throw std::bad_alloc, and then nothing has changed.
    void reserve_pages(std::size_t count, std::size_t words_of_leaf);
    void reserve_nodes(const TreeLayout& of);
    /// The same pages and nodes in memory of their own. Throws std::bad_alloc.
    [[nodiscard]] TreeStore copy() const;
    /// The bytes of all buffers except the leaves.
    [[nodiscard]] std::size_t table_bytes() const noexcept;
    [[nodiscard]] std::size_t page_room() const noexcept { return place_of.size(); }

    /// Calls call(page) for all pages in the order of their places.
    template <class Call>
    void for_each_page(const Call& call) const {
        for (std::uint32_t place = 0; place < layout.places(); ++place) {
            if (const std::uint32_t page = page_of.data()[place]; page != simd::kNoPage) {
                call(page);
            }
        }
    }
    /// Calls call(slot) for all agents, in the order of the tree.
    template <class Call>
    void for_each_slot(const Call& call) const {
        for_each_page([&](std::uint32_t page) { for_each_slot_of(page, call); });
    }
    template <class Call>
    void for_each_slot_of(std::uint32_t page, const Call& call) const {
        for (std::size_t leaf = std::size_t{page} * kWidth; leaf < (page + std::size_t{1}) * kWidth;
             ++leaf) {
            const std::size_t end = leaf * kWidth + *in_leaf(leaf);
            for (std::size_t slot = leaf * kWidth; slot < end; ++slot) {
                call(static_cast<std::uint32_t>(slot));
            }
        }
    }

    /// The covers of the leaves of a page, and of the children of a node.
    [[nodiscard]] float* page_node(std::uint32_t page) const noexcept {
        return reinterpret_cast<float*>(pages.data()) + page * kNodeWords;
    }
    [[nodiscard]] float* node(std::uint32_t level, std::uint32_t n) const noexcept {
        return reinterpret_cast<float*>(nodes.data()) + (layout.begin[level] + n) * kNodeWords;
    }
    /// The cover of child c of a node, or of leaf c of a page, in one of these arrays.
    [[nodiscard]] static Box<Dim> cover(const float* node, std::uint32_t c) noexcept;
    /// The agents below child n of a level from 1 on.
    [[nodiscard]] std::uint32_t& total(std::uint32_t level, std::uint32_t n) const noexcept {
        return totals.data()[std::size_t{layout.begin[level]} * kWidth + n];
    }

    /// The box of an agent that a cover has to hold.
    [[nodiscard]] Box<Dim> covered(const Point<Dim>& position,
                                   const Point<Dim>& half_extent) const noexcept {
        return Box<Dim>::around(position, kind.own_half_extents ? half_extent : Point<Dim>{});
    }

    [[nodiscard]] std::uint32_t& key(std::uint32_t level, std::uint32_t n) const noexcept {
        return keys.data()[std::size_t{layout.begin[level]} * kWidth + n];
    }

    /// Makes the nodes above the pages that have places: covers, totals and keys.
    void fill_nodes() noexcept;
    /// Makes children first ... last - 1 of a level anew.
    void fill_children(std::uint32_t level, std::uint32_t first, std::uint32_t last) noexcept;

    /// Whether a position is so far outside the curve that its key tells little.
    [[nodiscard]] bool is_astray(const Point<Dim>& position) const noexcept;

    /// The key of an agent on the curve, less than kNoKey.
    [[nodiscard]] std::uint32_t key_of(const Point<Dim>& position,
                                       const Point<Dim>& half_extent) const noexcept;

    [[nodiscard]] simd::TreeView<Dim> view() const noexcept;
};

extern template struct TreeStore<2>;
extern template struct TreeStore<3>;

} // namespace throng
