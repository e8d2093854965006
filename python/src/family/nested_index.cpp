#include "../classes.hpp"
#include "own_index.hpp"

#include <throng/engine/family/nested_quadtree/nested_index.hpp>

namespace throng::python {

void define_nested_index(py::module_& module) {
    using Self = OwnIndex<NestedIndex, 2>;
    define_index<NestedIndex, 2>(module, "NestedIndex")
        .def("configure", [](Self& self, const Keywords& named) {
            const CrowdSettings<2> world = settings_from<2>(named);
            self.change(
                [&](NestedIndex& index, Executor&) { return index.configure(*world.bounds); });
        });
}

} // namespace throng::python
