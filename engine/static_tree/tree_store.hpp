// The leaves and nodes of a static tree, and the memory they live in. Internal to the engine.
#pragma once

#include "../../simd/views/tree_view.hpp"
#include "../agents/agents.hpp"
#include "../agents/box.hpp"
#include "../agents/point.hpp"
#include "../memory/word_buffer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace throng {

/// The slot of no agent.
inline constexpr std::uint32_t kNoSlot = 0xFFFF'FFFFu;

/// With more agents than this, slots would not fit 32 bits, waiting agents included.
inline constexpr std::uint64_t kMaxPacked = kMaxAgents - (std::uint64_t{1} << 20);

/// How many leaves and nodes the agents need. Slot s is place s % 16 of leaf s / 16.
struct TreeLayout {
    static constexpr std::uint32_t kWidth = simd::kTreeWidth;
    /// Agents under one node of level 1.
    static constexpr std::uint32_t kUnderNode = kWidth * kWidth;

    std::uint32_t packed = 0; ///< packed agents: all that nodes of level 2 and above cover
    std::uint32_t levels = 0;
    std::array<std::uint32_t, simd::kTreeLevels> count{}; ///< nodes of each level
    std::array<std::uint32_t, simd::kTreeLevels> begin{}; ///< the first node of each level
    std::uint32_t waiting_nodes = 0;                      ///< of level 1, behind the others

    /// The layout for this many agents, with room for later ones behind them. A search goes through
    /// the later ones one by one, helped only by their leaves' covers, so there must not be many.
    /// When their room is full everything is packed anew, so there must not be few. Four times the
    /// square root keeps both cheap.
    [[nodiscard]] static TreeLayout of(std::size_t agents) noexcept;

    [[nodiscard]] std::uint32_t leaves() const noexcept { return (packed + kWidth - 1) / kWidth; }
    [[nodiscard]] std::uint32_t first_waiting() const noexcept { return count[0] * kUnderNode; }
    [[nodiscard]] std::uint32_t waiting_room() const noexcept { return waiting_nodes * kUnderNode; }
    [[nodiscard]] std::size_t slots() const noexcept {
        return (std::size_t{count[0]} + waiting_nodes) * kUnderNode;
    }
    [[nodiscard]] std::size_t nodes() const noexcept {
        std::size_t sum = waiting_nodes;
        for (const std::uint32_t some : count) {
            sum += some;
        }
        return sum;
    }

    friend bool operator==(const TreeLayout&, const TreeLayout&) noexcept = default;
};

/// Plain data: the code that packs and edits knows what must hold, and validate() checks it.
template <std::size_t Dim>
struct TreeStore {
    using Fields = simd::Fields<Dim>;
    static constexpr std::uint32_t kWidth = TreeLayout::kWidth;
    static constexpr std::size_t kNodeWords = simd::TreeView<Dim>::kNodeWords;

    CrowdKind<Dim> kind{};
    TreeLayout layout{};
    WordBuffer leaves, nodes;
    std::uint32_t waiting = 0;    ///< slots in use behind layout.first_waiting()
    std::uint32_t dead = 0;       ///< packed slots that have no agent any more
    Point<Dim> max_half_extent{}; ///< the common half extent, or no less than the largest
    Point<Dim> disc{};            ///< TreeView::disc
    float leaf_edge = 0.0f;

    [[nodiscard]] std::uint32_t fields() const noexcept {
        return Fields::count(kind.own_half_extents, kind.groups);
    }
    [[nodiscard]] std::size_t leaf_words() const noexcept { return std::size_t{fields()} * kWidth; }
    /// Field f of the agent in a slot.
    [[nodiscard]] std::uint32_t* word(std::uint32_t slot, std::uint32_t field) const noexcept {
        return leaves.data() + slot / kWidth * leaf_words() + std::size_t{field} * kWidth +
               slot % kWidth;
    }
    [[nodiscard]] std::uint32_t id(std::uint32_t slot) const noexcept {
        return *word(slot, Fields::kId);
    }
    [[nodiscard]] Point<Dim> position(std::uint32_t slot) const noexcept;
    [[nodiscard]] Point<Dim> half_extent(std::uint32_t slot) const noexcept;
    [[nodiscard]] std::uint32_t groups(std::uint32_t slot) const noexcept;

    void put(std::uint32_t slot, std::uint32_t id, const Point<Dim>& position,
             const Point<Dim>& half_extent, std::uint32_t groups) noexcept;
    void put_position(std::uint32_t slot, const Point<Dim>& position) noexcept;
    /// Removes all agents that wait, and empties the covers of their leaves.
    void forget_waiting() noexcept;
    /// Makes a slot one that no query finds.
    void bury(std::uint32_t slot) noexcept;

    /// Calls body(slot) for all slots that were ever in use: the packed ones, then the waiting
    /// ones.
    template <class Body>
    void for_each_slot(const Body& body) const {
        for (std::uint32_t slot = 0; slot < layout.packed; ++slot) {
            body(slot);
        }
        const std::uint32_t first = layout.first_waiting();
        for (std::uint32_t slot = first; slot < first + waiting; ++slot) {
            body(slot);
        }
    }

    [[nodiscard]] float* node(std::uint32_t level, std::uint32_t n) const noexcept {
        return reinterpret_cast<float*>(nodes.data()) + (layout.begin[level] + n) * kNodeWords;
    }
    /// The cover of child n of a level of nodes; on level 0, children are leaves.
    [[nodiscard]] Box<Dim> cover(std::uint32_t level, std::uint32_t n) const noexcept;
    /// Sets, grows or empties the cover of a leaf.
    void set_cover(std::uint32_t leaf, const Box<Dim>& cover) noexcept;
    void grow_cover(std::uint32_t leaf, const Box<Dim>& by) noexcept;
    void empty_cover(std::uint32_t leaf) noexcept;
    /// The box of an agent that a cover has to hold.
    [[nodiscard]] Box<Dim> covered(const Point<Dim>& position,
                                   const Point<Dim>& half_extent) const noexcept {
        return Box<Dim>::around(position, kind.own_half_extents ? half_extent : Point<Dim>{});
    }

    [[nodiscard]] simd::TreeView<Dim> view() const noexcept;
};

extern template struct TreeStore<2>;
extern template struct TreeStore<3>;

} // namespace throng
