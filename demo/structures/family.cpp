#include "family.hpp"

#include "any_index.hpp"

#include <throng/engine/family/brute_force.hpp>
#include <throng/engine/family/double_grid/double_grid.hpp>
#include <throng/engine/family/nested_quadtree/nested_index.hpp>
#include <throng/engine/family/tight_quadtree/tight_quadtree.hpp>

#include <stdexcept>
#include <utility>

namespace throng::demo {

template <std::size_t Dim>
std::unique_ptr<Structure<Dim>> make_of_family(StructureKind kind, const People<Dim>& people,
                                               Executor& executor) {
    const auto any = [&]<class Index>(std::in_place_type_t<Index>, const auto& lay_out) {
        return std::make_unique<AnyIndex<Index, Dim>>(kind, people, executor, lay_out);
    };
    const auto over_world = [&](auto& index) { return index.configure(people.world); };
    switch (kind) {
    case StructureKind::double_grid:
        return any(std::in_place_type<DoubleGrid<Dim>>, [&](DoubleGrid<Dim>& grid) {
            // About twelve agents for each cell, while the scene's cells suit one.
            constexpr float kCells = Dim == 2 ? 3.5f : 2.3f;
            return grid.configure(people.world, Point<Dim>::all(people.cell * kCells));
        });
    case StructureKind::brute_force:
        return any(std::in_place_type<BruteForce<Dim>>, [](BruteForce<Dim>&) { return Status{}; });
    case StructureKind::tight_quadtree:
        if constexpr (Dim == 2) { return any(std::in_place_type<TightQuadtree>, over_world); }
        break;
    case StructureKind::nested_index:
        if constexpr (Dim == 2) { return any(std::in_place_type<NestedIndex>, over_world); }
        break;
    default:
        break;
    }
    throw std::runtime_error("this structure is for the plane, not for space");
}

template std::unique_ptr<Structure<2>> make_of_family(StructureKind, const People<2>&, Executor&);
template std::unique_ptr<Structure<3>> make_of_family(StructureKind, const People<3>&, Executor&);

} // namespace throng::demo
