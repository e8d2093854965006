// People in the structures with which crowds and grids are compared.
#pragma once

#include "structure.hpp"

#include <cstddef>
#include <memory>

namespace throng::demo {

/// Throws std::runtime_error for a kind that is not in the family, or not in this build of the
/// demo.
template <std::size_t Dim>
[[nodiscard]] std::unique_ptr<Structure<Dim>>
make_of_family(StructureKind kind, const People<Dim>& people, Executor& executor);

extern template std::unique_ptr<Structure<2>> make_of_family(StructureKind, const People<2>&,
                                                             Executor&);
extern template std::unique_ptr<Structure<3>> make_of_family(StructureKind, const People<3>&,
                                                             Executor&);

} // namespace throng::demo
