// Compiled in place of family.cpp where the demo is built without these structures.
#include "family.hpp"

#include <stdexcept>

namespace throng::demo {

template <std::size_t Dim>
std::unique_ptr<Structure<Dim>> make_of_family(StructureKind, const People<Dim>&, Executor&) {
    throw std::runtime_error("this build of the demo lacks that structure, which scripts/demo "
                             "--structure <name> builds");
}

template std::unique_ptr<Structure<2>> make_of_family(StructureKind, const People<2>&, Executor&);
template std::unique_ptr<Structure<3>> make_of_family(StructureKind, const People<3>&, Executor&);

} // namespace throng::demo
