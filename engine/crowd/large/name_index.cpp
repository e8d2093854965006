#include "name_index.hpp"

#include <bit>

namespace throng {

void NameIndex::insert(Id slot, std::span<const Id> names) noexcept {
    const Id name = names[slot];
    if (root_ == kNone) {
        root_ = slot | kLeaf;
        return;
    }
    const Id unlike = names[nearest(name)] ^ name;
    const auto bit = static_cast<std::uint32_t>(std::bit_width(unlike) - 1);
    // Within reserved room this takes no memory, and nodes stay where they are.
    const Node added = inner_.add({{kNone, kNone}, bit});
    Node* node = &root_;
    while (!is_leaf(*node) && inner_[*node].bit > bit) {
        node = &below(*node, name);
    }
    const std::size_t side = name >> bit & 1;
    inner_[added].child[side] = slot | kLeaf;
    inner_[added].child[1 - side] = *node;
    *node = added;
}

void NameIndex::erase(Id slot, std::span<const Id> names) noexcept {
    const Id name = names[slot];
    if (is_leaf(root_)) {
        root_ = kNone;
        return;
    }
    Node* above = &root_;
    for (Node* node = &below(*above, name); !is_leaf(*node); node = &below(*above, name)) {
        above = node;
    }
    // The node above the erased leaf is replaced with its other child.
    const Node gone = *above;
    const Inner& inner = inner_[gone];
    *above = inner.child[1 - (name >> inner.bit & 1)];
    inner_.remove(gone);
}

} // namespace throng
