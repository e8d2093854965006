#include "../classes.hpp"
#include "own_index.hpp"

#include <throng/engine/family/tight_quadtree/tight_quadtree.hpp>

namespace throng::python {

void define_tight_quadtree(py::module_& module) {
    using Self = OwnIndex<TightQuadtree, 2>;
    define_index<TightQuadtree, 2>(module, "TightQuadtree")
        .def("configure",
             [](Self& self, const Keywords& named) {
                 const CrowdSettings<2> world = settings_from<2>(named);
                 const TightSettings settings = {named.whole("depth"), named.whole("split_above")};
                 self.change([&](TightQuadtree& tree, Executor&) {
                     return tree.configure(*world.bounds, settings);
                 });
             })
        .def("cleanup",
             [](Self& self) { self.always([](TightQuadtree& tree) { tree.cleanup(); }); })
        .def("order", &Self::order);
}

} // namespace throng::python
