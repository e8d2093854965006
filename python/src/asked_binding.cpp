#include "asked.hpp"
#include "refusal.hpp"

#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/grid/query_stats.hpp>

namespace throng::python {

namespace {

std::uint32_t sets_from(py::handle sets) { return uint32_from(sets, "sets"); }

Order order_from(bool by_id) { return by_id ? Order::ids : Order::storage; }

/// `band` is None or (axis, below, above); the Python side has checked the tuple.
HeightBand band_from(py::handle band) {
    if (band.is_none()) { return {}; }
    const auto parts = py::reinterpret_borrow<py::tuple>(band);
    const HeightBand read = {uint32_from(parts[0], "band"), float_from(parts[1], "band"),
                             float_from(parts[2], "band")};
    if (read.up == 0) { check({Cause::out_of_range, Argument::band}); } // in the engine: no band
    return read;
}
/// `after` is None or (squared distance, id).
Near after_from(py::handle after) {
    if (after.is_none()) { return kBeforeAll; }
    const auto parts = py::reinterpret_borrow<py::tuple>(after);
    return {float_from(parts[0], "after"), uint32_from(parts[1], "after")};
}

} // namespace

ShapeKind kind_from(unsigned kind) {
    if (kind >= kShapeKinds) { throw py::value_error("shapes: no such kind"); }
    return static_cast<ShapeKind>(kind);
}

Nearest nearest_from(py::handle k, py::handle radius, py::handle least, py::handle band,
                     py::handle after, py::handle body) {
    return {uint32_from(k, "k"),        float_from(radius, "radius"),
            float_from(least, "least"), band_from(band),
            after_from(after),          body_from(body)};
}

Neighbourhood neighbourhood_from(py::handle radius, py::handle with_self, py::handle groups,
                                 py::handle later_only, Body body) {
    return {float_from(radius, "radius"), truth_of(with_self), uint32_from(groups, "groups"),
            truth_of(later_only), body};
}

template <std::size_t Dim>
typename Asked<Dim>::Pairing pairing_from(py::handle sets, py::handle groups, py::handle within,
                                          py::handle body) {
    typename Asked<Dim>::Pairing pairing{sets_from(sets), uint32_from(groups, "groups"), {}};
    if (!within.is_none()) { pairing.within = float_from(within, "within"); }
    if (!body.is_none()) {
        pairing.body = body_from(body);
    } else {
        pairing.body = pairing.within ? Body::centre : Body::box;
    }
    return pairing;
}

namespace {

// Names and defaults are in the package's Python code, which is the only caller of these bindings.
// Each of these makes a binding from a call of Asked; `rest` are the outputs.

template <std::size_t Dim, class Answer, class... Rest>
auto of_shapes(Answer (Asked<Dim>::*call)(ShapeKind, const py::tuple&,
                                          const typename Asked<Dim>::Leaving&, Rest...)) {
    return [call](Asked<Dim>& self, unsigned kind, const py::tuple& parts, const py::object& groups,
                  const py::object& without, py::handle sets, Rest... rest) {
        return (self.*call)(kind_from(kind), parts, {groups, without, sets_from(sets)}, rest...);
    };
}
template <std::size_t Dim, class Answer, class... Rest>
auto of_shapes(Answer (Asked<Dim>::*call)(const typename Asked<Dim>::Hiding&, ShapeKind,
                                          const py::tuple&, const typename Asked<Dim>::Leaving&,
                                          Rest...)) {
    return [call](Asked<Dim>& self, OwnObstacles<Dim>& obstacles, py::handle hiding, unsigned kind,
                  const py::tuple& parts, const py::object& groups, const py::object& without,
                  py::handle sets, Rest... rest) {
        return (self.*call)({obstacles, uint32_from(hiding, "hiding")}, kind_from(kind), parts,
                            {groups, without, sets_from(sets)}, rest...);
    };
}

template <std::size_t Dim, class Answer, class... Rest>
auto of_all(Answer (Asked<Dim>::*call)(const Neighbourhood&, Order, unsigned, Rest...)) {
    return [call](Asked<Dim>& self, py::handle radius, py::handle with_self, py::handle groups,
                  py::handle later_only, py::handle body, bool by_id, py::handle sets,
                  Rest... rest) {
        return (self.*
                call)(neighbourhood_from(radius, with_self, groups, later_only, body_from(body)),
                      order_from(by_id), sets_from(sets), rest...);
    };
}
template <std::size_t Dim, class Answer, class... Rest>
auto of_all(Answer (Asked<Dim>::*call)(const typename Asked<Dim>::Hiding&, const Neighbourhood&,
                                       Order, unsigned, Rest...)) {
    return [call](Asked<Dim>& self, OwnObstacles<Dim>& obstacles, py::handle hiding,
                  py::handle radius, py::handle with_self, py::handle groups, py::handle later_only,
                  py::handle body, bool by_id, py::handle sets, Rest... rest) {
        return (self.*
                call)({obstacles, uint32_from(hiding, "hiding")},
                      neighbourhood_from(radius, with_self, groups, later_only, body_from(body)),
                      order_from(by_id), sets_from(sets), rest...);
    };
}

template <std::size_t Dim, class Answer, class... Rest>
auto of_pairs(Answer (Asked<Dim>::*call)(const typename Asked<Dim>::Pairing&, Rest...)) {
    return [call](Asked<Dim>& self, py::handle sets, py::handle groups, py::handle within,
                  py::handle body, Rest... rest) {
        return (self.*call)(pairing_from<Dim>(sets, groups, within, body), rest...);
    };
}

} // namespace

template <std::size_t Dim>
void define_asked(py::module_& module, const char* name) {
    using Self = Asked<Dim>;
    using Leaving = typename Self::Leaving;
    py::class_<Self>(module, name, "What can be asked.")
        .def("query", of_shapes(&Self::query))
        .def("query_into", of_shapes(&Self::query_into))
        .def("count", of_shapes(&Self::count))
        .def("any", of_shapes(&Self::any))
        .def("first", of_shapes(&Self::first))
        .def("meetings", of_shapes(&Self::meetings))
        .def("explain", of_shapes(&Self::explain))
        .def("query_in_sight", of_shapes(&Self::query_in_sight))
        .def("count_in_sight", of_shapes(&Self::count_in_sight))
        .def("neighbours", of_all(&Self::neighbours))
        .def("neighbours_into", of_all(&Self::neighbours_into))
        .def("count_neighbours", of_all(&Self::count_neighbours))
        .def("measured_neighbours", of_all(&Self::measured_neighbours))
        .def("neighbours_in_sight", of_all(&Self::neighbours_in_sight))
        .def("count_neighbours_in_sight", of_all(&Self::count_neighbours_in_sight))
        .def("pairs", of_pairs(&Self::pairs))
        .def("pairs_into", of_pairs(&Self::pairs_into))
        .def("count_pairs", of_pairs(&Self::count_pairs))
        .def("reduce",
             [](Self& self, py::handle radius, py::handle with_self, py::handle groups,
                py::handle body, unsigned how, unsigned weight, bool less_own, py::handle empty,
                py::handle scale, py::handle values) {
                 Reduction reduction;
                 reduction.how = static_cast<Reduced>(how);
                 reduction.weight = static_cast<Weight>(weight);
                 reduction.less_own = less_own;
                 reduction.empty = float_from(empty, "empty");
                 reduction.scale = float_from(scale, "scale");
                 return self.reduce(neighbourhood_from(radius, with_self, groups, py::bool_(false),
                                                       body_from(body)),
                                    reduction, values);
             })
        .def("visit_neighbours",
             [](Self& self, py::handle radius, py::handle with_self, py::handle groups,
                py::handle later_only, py::handle body, py::handle sets, py::handle kernel,
                py::handle data) {
                 const auto address = [](py::handle number, const char* argument) {
                     return reinterpret_cast<void*>(
                         whole_from(number, argument, ~std::uintptr_t{0}));
                 };
                 self.visit_neighbours(
                     neighbourhood_from(radius, with_self, groups, later_only, body_from(body)),
                     sets_from(sets),
                     reinterpret_cast<typename Self::Kernel>(address(kernel, "kernel")),
                     address(data, "data"));
             })
        .def("nearest",
             [](Self& self, py::handle points, py::handle k, py::handle radius, py::handle least,
                py::handle band, py::handle after, py::handle body, const py::object& groups,
                const py::object& without, py::handle sets) {
                 return self.nearest(points, nearest_from(k, radius, least, band, after, body),
                                     Leaving{groups, without, sets_from(sets)});
             })
        .def("nearest_neighbours",
             [](Self& self, py::handle k, py::handle radius, py::handle least, py::handle band,
                py::handle with_self, py::handle groups, py::handle body, bool by_id,
                py::handle sets) {
                 return self.nearest_neighbours({uint32_from(k, "k"), float_from(radius, "radius"),
                                                 truth_of(with_self), uint32_from(groups, "groups"),
                                                 float_from(least, "least"), band_from(band),
                                                 body_from(body)},
                                                order_from(by_id), sets_from(sets));
             })
        .def("order", &Self::order)
        .def("cells", &Self::cells)
        .def("agents", [](Self& self, py::handle sets) { return self.agents(sets_from(sets)); })
        .def("contains",
             [](Self& self, py::handle id) { return self.contains(uint32_from(id, "id")); })
        .def("is_giant",
             [](Self& self, py::handle id) { return self.is_giant(uint32_from(id, "id")); })
        .def("size", &Self::size)
        .def("stats", &Self::stats)
        .def("settings", &Self::settings)
        .def("memory", &Self::memory)
        .def("save", &Self::save)
        .def("to_bytes", &Self::to_bytes)
        .def("threads", &Self::threads)
        .def("takes_doubles", &Self::takes_doubles)
        .def("executor", &Self::executor)
        .def("set_team",
             [](Self& self, py::handle threads, py::handle executor) {
                 self.set_team(TeamKind::from(threads, executor));
             })
        .def("release", &Self::release);
}

template Asked<2>::Pairing pairing_from<2>(py::handle, py::handle, py::handle, py::handle);
template Asked<3>::Pairing pairing_from<3>(py::handle, py::handle, py::handle, py::handle);
template void define_asked<2>(py::module_&, const char*);
template void define_asked<3>(py::module_&, const char*);

} // namespace throng::python
