// The leaves and nodes of a static tree, and the memory they live in. Internal to the engine.
#pragma once

#include "../simd/tree_view.hpp"
#include "agents.hpp"
#include "box.hpp"
#include "point.hpp"
#include "word_buffer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace throng {

/// No agent's place.
inline constexpr std::uint32_t kNoSlot = 0xFFFF'FFFFu;

/// More agents than these, and slots would not fit 32 bits with those that wait.
inline constexpr std::uint64_t kMaxPacked = kMaxAgents - (std::uint64_t{1} << 20);

/// How many leaves and nodes so many agents need. Slot s is place s % 16 of leaf s / 16.
struct TreeLayout {
    static constexpr std::uint32_t kWidth = simd::kTreeWidth;
    /// Agents under one node of level 1.
    static constexpr std::uint32_t kUnderNode = kWidth * kWidth;

    std::uint32_t packed = 0; ///< agents in leaves that nodes of level 2 and above know
    std::uint32_t levels = 0;
    std::array<std::uint32_t, simd::kTreeLevels> count{}; ///< nodes of each level
    std::array<std::uint32_t, simd::kTreeLevels> begin{}; ///< and the first of them
    std::uint32_t waiting_nodes = 0;                      ///< of level 1, behind the others

    /// Room for later ones besides. They are looked through one by one, but for their leaves'
    /// covers, so there must not be many; and when there is no room left everything is packed anew,
    /// so there must not be few: four times the square root keeps both cheap.
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

/// Plain data: who packs and who edits knows what must hold, and validate() checks it.
template <std::size_t Dim>
struct TreeStore {
    using Fields = simd::Fields<Dim>;
    static constexpr std::uint32_t kWidth = TreeLayout::kWidth;
    static constexpr std::size_t kNodeWords = simd::TreeView<Dim>::kNodeWords;

    CrowdKind<Dim> kind{};
    TreeLayout layout{};
    WordBuffer leaves, nodes;
    std::uint32_t waiting = 0; ///< slots in use behind layout.first_waiting()
    std::uint32_t dead = 0;    ///< packed slots that have no agent any more
    Point<Dim> reach{};        ///< the common half extent, or no less than the largest
    Point<Dim> disc{};         ///< TreeView::disc
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
    /// Nobody waits; the covers of leaves there hold nothing.
    void forget_waiting() noexcept;
    /// Makes it one that no question finds.
    void bury(std::uint32_t slot) noexcept;

    /// The number of slots that were ever in use, in two parts: packed, and waiting.
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
    /// The cover of child n of a level of nodes; of a leaf, on level 0.
    [[nodiscard]] Box<Dim> cover(std::uint32_t level, std::uint32_t n) const noexcept;
    /// Of a leaf.
    void set_cover(std::uint32_t leaf, const Box<Dim>& cover) noexcept;
    void grow_cover(std::uint32_t leaf, const Box<Dim>& by) noexcept;
    void empty_cover(std::uint32_t leaf) noexcept;
    /// What a cover has to hold of an agent.
    [[nodiscard]] Box<Dim> covered(const Point<Dim>& position,
                                   const Point<Dim>& half_extent) const noexcept {
        return Box<Dim>::around(position, kind.own_half_extents ? half_extent : Point<Dim>{});
    }

    [[nodiscard]] simd::TreeView<Dim> view() const noexcept;
};

extern template struct TreeStore<2>;
extern template struct TreeStore<3>;

} // namespace throng
