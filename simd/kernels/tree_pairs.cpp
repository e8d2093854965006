#include "tree_pairs.hpp"

#include "../isa/dispatch.hpp"

namespace throng::simd {

template <std::size_t Dim>
bool list_tree_pairs(const TreeView<Dim>& tree, std::uint32_t groups, TreePairsAt& at,
                     PairsOutput& out) noexcept {
    return dispatch([&](auto arch) { return list_tree_pairs_on(arch, tree, groups, at, out); });
}

template bool list_tree_pairs(const TreeView<2>&, std::uint32_t, TreePairsAt&,
                              PairsOutput&) noexcept;
template bool list_tree_pairs(const TreeView<3>&, std::uint32_t, TreePairsAt&,
                              PairsOutput&) noexcept;

} // namespace throng::simd
