#include "../classes.hpp"
#include "own_index.hpp"

#include <throng/engine/family/double_grid/double_grid.hpp>

namespace throng::python {

namespace {

template <std::size_t Dim>
void double_grid_class(py::module_& module, const char* name) {
    using Self = OwnIndex<DoubleGrid<Dim>, Dim>;
    define_index<DoubleGrid<Dim>, Dim>(module, name)
        .def("configure",
             [](Self& self, const Keywords& named) {
                 const CrowdSettings<Dim> world = settings_from<Dim>(named);
                 self.change([&](DoubleGrid<Dim>& grid, Executor&) {
                     return grid.configure(*world.bounds, *world.cell);
                 });
             })
        .def("refit", [](Self& self) { self.always([](DoubleGrid<Dim>& grid) { grid.refit(); }); })
        .def("release", &Self::release);
}

} // namespace

void define_double_grid(py::module_& module) {
    double_grid_class<2>(module, "DoubleGrid2");
    double_grid_class<3>(module, "DoubleGrid3");
}

} // namespace throng::python
