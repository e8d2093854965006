#include "family.hpp"
#include "own_index.hpp"

#include <throng/engine/family/nested_quadtree/nested_index.hpp>

namespace throng::python {

void define_nested_index(py::module_& module) {
    using Self = OwnIndex<NestedIndex, 2>;
    define_index<NestedIndex, 2>(module, "NestedIndex")
        .def(py::init<py::handle, py::handle>())
        .def("configure", [](Self& self, py::handle bounds) {
            const CrowdSettings<2> world =
                settings_from<2>(bounds, py::none(), py::none(), py::bool_(false));
            self.change(
                [&](NestedIndex& index, Executor&) { return index.configure(*world.bounds); });
        });
}

} // namespace throng::python
