#include "family.hpp"
#include "own_index.hpp"

#include <throng/engine/family/tight_quadtree/tight_quadtree.hpp>

namespace throng::python {

void define_tight_quadtree(py::module_& module) {
    using Self = OwnIndex<TightQuadtree, 2>;
    define_index<TightQuadtree, 2>(module, "TightQuadtree")
        .def(py::init<py::handle, py::handle>())
        .def("configure",
             [](Self& self, py::handle bounds, py::handle depth, py::handle split_above) {
                 const CrowdSettings<2> world =
                     settings_from<2>(bounds, py::none(), py::none(), py::bool_(false));
                 const TightSettings settings = {uint32_from(depth, "depth"),
                                                 uint32_from(split_above, "split_above")};
                 self.change([&](TightQuadtree& tree, Executor&) {
                     return tree.configure(*world.bounds, settings);
                 });
             })
        .def("cleanup",
             [](Self& self) {
                 self.change([](TightQuadtree& tree, Executor&) {
                     tree.cleanup();
                     return Status();
                 });
             })
        .def("order", [](Self& self) {
            const auto ids = std::make_shared<std::vector<std::uint32_t>>();
            self.ask([&](const TightQuadtree& tree) {
                ids->resize(tree.size());
                return tree.order(*ids);
            });
            return block_of(ids, ids->data(), ids->size());
        });
}

} // namespace throng::python
