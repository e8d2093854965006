// Structures of throng::family, of either dimension, behind one kind of handle.
#pragma once

#include "../../engine/family/brute_force.hpp"
#include "../../engine/family/double_grid/double_grid.hpp"
#include "../../engine/family/nested_quadtree/nested_index.hpp"
#include "../../engine/family/tight_quadtree/tight_quadtree.hpp"
#include "../../engine/loose_tree/loose_tree.hpp"
#include "../../throng_family.h"
#include "../held.hpp"
#include "../structs.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

namespace throng::c {

THRONG_C_STRUCTURE(throng_index_settings, THRONG_INDEX_SETTINGS_INIT, common_half_extent)
THRONG_C_STRUCTURE(throng_index_counts, THRONG_INDEX_COUNTS_INIT, staging_bytes)

/// The dimension of a structure, and its name in throng_family.h.
template <class Index>
struct StructureFacts;
template <std::size_t Dim, throng_structure kNamed>
struct StructureIs {
    static constexpr std::size_t kDim = Dim;
    static constexpr throng_structure kName = kNamed;
};
template <std::size_t Dim>
struct StructureFacts<BruteForce<Dim>> : StructureIs<Dim, THRONG_BRUTE_FORCE> {};
template <std::size_t Dim>
struct StructureFacts<DoubleGrid<Dim>> : StructureIs<Dim, THRONG_DOUBLE_GRID> {};
template <std::size_t Dim>
struct StructureFacts<LooseTree<Dim>> : StructureIs<Dim, THRONG_LOOSE_TREE> {};
template <>
struct StructureFacts<NestedIndex> : StructureIs<2, THRONG_NESTED_QUADTREE> {};
template <>
struct StructureFacts<TightQuadtree> : StructureIs<2, THRONG_TIGHT_QUADTREE> {};

class IndexObject {
public:
    template <class Index>
    explicit IndexObject(Index index) noexcept : index_(std::move(index)) {}

    /// Calls call.operator()<Dim>(index).
    template <class Call>
    decltype(auto) ask(const Call& call) const {
        return std::visit(
            [&]<class Index>(const Index& index) -> decltype(auto) {
                return call.template operator()<StructureFacts<Index>::kDim>(index);
            },
            index_);
    }
    template <class Call>
    decltype(auto) change(const Call& call) {
        return std::visit(
            [&]<class Index>(Index& index) -> decltype(auto) {
                return call.template operator()<StructureFacts<Index>::kDim>(index);
            },
            index_);
    }

private:
    std::variant<BruteForce<2>, BruteForce<3>, DoubleGrid<2>, DoubleGrid<3>, LooseTree<2>,
                 LooseTree<3>, NestedIndex, TightQuadtree>
        index_;
};

template <>
struct Held<throng_index> {
    using Object = IndexObject;
    static constexpr Kind kKind = Kind::index;
};

} // namespace throng::c
