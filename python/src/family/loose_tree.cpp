#include "../classes.hpp"
#include "own_index.hpp"

#include <throng/engine/loose_tree/loose_tree.hpp>

namespace throng::python {

namespace {

template <std::size_t Dim>
void loose_tree_class(py::module_& module, const char* name) {
    using Self = OwnIndex<LooseTree<Dim>, Dim>;
    define_index<LooseTree<Dim>, Dim>(module, name).def("release", &Self::release);
}

} // namespace

void define_loose_tree(py::module_& module) {
    loose_tree_class<2>(module, "LooseTree2");
    loose_tree_class<3>(module, "LooseTree3");
}

} // namespace throng::python
