// The slots of a set's elements, by their names. Internal to the engine.
#pragma once

#include "../../core/id.hpp"
#include "../../memory/free_list.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// The slot of each name. The cost depends on how many names there are, never on their values: a
/// crowd of three giants may give one of them the last id there is.
///
/// A crit-bit tree: each inner node tests the highest bit in which the names below it differ. A
/// name takes at most 32 steps, where a hash has bad cases for names chosen on purpose; and names
/// are visited in ascending order. The names themselves are in the owner's array, by slot, which
/// every call is given.
class NameIndex {
public:
    /// Makes room for `names` names in all. Throws std::bad_alloc, and then nothing has changed.
    void reserve(std::size_t names) {
        if (names > inner_.capacity()) { inner_.reserve(names + inner_.capacity() + 16); }
    }

    /// The slot of a name; kNoId if no element has it.
    [[nodiscard]] Id find(Id name, std::span<const Id> names) const noexcept {
        if (root_ == kNone) { return kNoId; }
        const Id slot = nearest(name);
        return names[slot] == name ? slot : kNoId;
    }

    /// Adds the element of this slot, whose name is new. There must be room.
    void insert(Id slot, std::span<const Id> names) noexcept;

    /// Removes the element of this slot, which must be there, still with its name.
    void erase(Id slot, std::span<const Id> names) noexcept;

    void clear() noexcept {
        inner_.clear();
        root_ = kNone;
    }

    /// Calls visit(slot) in ascending order of the names, until it returns false.
    template <class Visit>
    void for_each(Visit&& visit) const;

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept { return inner_.memory(); }

private:
    /// The number of an inner node, or a slot with kLeaf set: no such number or slot has that bit.
    using Node = std::uint32_t;
    static constexpr Node kLeaf = 0x8000'0000u;
    static constexpr Node kNone = 0xFFFF'FFFFu;

    struct Inner {
        std::array<Node, 2> child; // for names with a 0 in the bit, and with a 1
        std::uint32_t bit;         // smaller than the bit of the node above
    };

    [[nodiscard]] static bool is_leaf(Node node) noexcept { return (node & kLeaf) != 0; }
    [[nodiscard]] Node& below(Node& node, Id name) noexcept {
        Inner& inner = inner_[node];
        return inner.child[name >> inner.bit & 1];
    }
    /// The only slot that could have the name; the index must not be empty.
    [[nodiscard]] Id nearest(Id name) const noexcept {
        Node node = root_;
        while (!is_leaf(node)) {
            const Inner& inner = inner_[node];
            node = inner.child[name >> inner.bit & 1];
        }
        return node & ~kLeaf;
    }

    FreeList<Inner> inner_;
    Node root_ = kNone;
};

template <class Visit>
void NameIndex::for_each(Visit&& visit) const {
    // Bits fall on the way down, so at most one node more waits than a name has bits.
    std::array<Node, 33> waiting;
    std::size_t count = 0;
    if (root_ != kNone) { waiting[count++] = root_; }
    while (count > 0) {
        const Node node = waiting[--count];
        if (is_leaf(node)) {
            if (!visit(static_cast<Id>(node & ~kLeaf))) { return; }
            continue;
        }
        waiting[count++] = inner_[node].child[1];
        waiting[count++] = inner_[node].child[0];
    }
}

} // namespace throng
