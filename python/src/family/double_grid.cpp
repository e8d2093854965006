#include "family.hpp"
#include "own_index.hpp"

#include <throng/engine/family/double_grid/double_grid.hpp>

namespace throng::python {

namespace {

template <std::size_t Dim>
void double_grid_class(py::module_& module, const char* name) {
    using Self = OwnIndex<DoubleGrid<Dim>, Dim>;
    define_index<DoubleGrid<Dim>, Dim>(module, name)
        .def(py::init<py::handle, py::handle>())
        .def("configure",
             [](Self& self, py::handle bounds, py::handle cell) {
                 const CrowdSettings<Dim> world =
                     settings_from<Dim>(bounds, cell, py::none(), py::bool_(false));
                 self.change([&](DoubleGrid<Dim>& grid, Executor&) {
                     return grid.configure(*world.bounds, *world.cell);
                 });
             })
        .def("refit",
             [](Self& self) {
                 self.change([](DoubleGrid<Dim>& grid, Executor&) {
                     grid.refit();
                     return Status();
                 });
             })
        .def("release", [](Self& self) {
            self.change([](DoubleGrid<Dim>& grid, Executor&) {
                grid.release_staging();
                return Status();
            });
        });
}

} // namespace

void define_double_grid(py::module_& module) {
    double_grid_class<2>(module, "DoubleGrid2");
    double_grid_class<3>(module, "DoubleGrid3");
}

} // namespace throng::python
