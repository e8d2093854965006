#include "arguments.hpp"

#include "refusal.hpp"

#include <string>

namespace throng::python {

namespace {

/// None, or (axis, below, above); the Python side has looked at the tuple.
HeightBand band_from(const Keywords& named) {
    const py::object band = named["band"];
    if (band.is_none()) { return {}; }
    const auto parts = py::reinterpret_borrow<py::tuple>(band);
    const HeightBand read = {uint32_from(parts[0], "band"), float_from(parts[1], "band"),
                             float_from(parts[2], "band")};
    if (read.up == 0) { check({Cause::out_of_range, Argument::band}); } // in the engine: no band
    return read;
}

/// None, or (squared distance, id).
Near after_from(py::handle after) {
    if (after.is_none()) { return kBeforeAll; }
    const auto parts = py::reinterpret_borrow<py::tuple>(after);
    return {float_from(parts[0], "after"), uint32_from(parts[1], "after")};
}

template <class Some>
Some some_sets_from(py::handle sets, const char* why) {
    const std::uint32_t number = uint32_from(sets, "sets");
    if (number > static_cast<std::uint32_t>(Some::all)) { refuse_value("sets", why); }
    return static_cast<Some>(number);
}

} // namespace

GivenShapes GivenShapes::from(py::handle pair) {
    const auto [number, parts] = pair.cast<std::pair<unsigned, py::tuple>>();
    return {number, parts};
}

ShapeKind GivenShapes::kind() const {
    if (number >= kShapeKinds) { throw py::value_error("shapes: no such kind"); }
    return static_cast<ShapeKind>(number);
}

const GivenShapes& GivenShapes::as_paths() const {
    if (is_path(kind())) { return *this; }
    throw py::type_error("paths: expected Segments, Rays or Capsules");
}

Leaving Leaving::from(py::handle given) {
    const Keywords named(given);
    Leaving leaving = {named["groups"], named["without"]};
    if (named.has("sets")) { leaving.sets = sets_from(named["sets"]); }
    if (named.has("hiding")) { leaving.hiding = named.whole("hiding"); }
    return leaving;
}

Filter Leaving::one() const {
    return {uint32_from(groups, "groups"), uint32_from(without, "without")};
}

Around Around::from(py::handle given) {
    const Keywords named(given);
    Around around;
    around.neighbourhood = {named.number("radius"), named.truth("with_self"), named.whole("groups"),
                            named.has("later_only") && named.truth("later_only")};
    if (named.has("body")) { around.neighbourhood.body = body_from(named["body"]); }
    if (named.has("order")) { around.order = order_from(named["order"]); }
    if (named.has("sets")) { around.sets = sets_from(named["sets"]); }
    if (named.has("hiding")) { around.hiding = named.whole("hiding"); }
    return around;
}

Pairing Pairing::from(py::handle given) {
    const Keywords named(given);
    Pairing pairing = {pair_sets_from(named["sets"]), named.whole("groups"), {}, Body::box};
    const py::object within = named["within"], body = named["body"];
    if (!within.is_none()) {
        pairing.within = float_from(within, "within");
        pairing.body = Body::centre;
    }
    if (!body.is_none()) { pairing.body = body_from(body); }
    return pairing;
}

Nearest nearest_from(const Keywords& named) {
    return {named.whole("k"), named.number("radius"),     named.number("least"),
            band_from(named), after_from(named["after"]), body_from(named["body"])};
}

NearestNeighbours nearest_neighbours_from(const Keywords& named) {
    return {named.whole("k"),        named.number("radius"), named.truth("with_self"),
            named.whole("groups"),   named.number("least"),  band_from(named),
            body_from(named["body"])};
}

Order order_from(py::handle order) {
    if (py::isinstance<py::str>(order)) {
        const auto name = py::cast<std::string>(order);
        if (name == "ids") { return Order::ids; }
        if (name == "storage") { return Order::storage; }
    }
    refuse_value("order",
                 "expected 'ids' or 'storage', got " + py::cast<std::string>(py::repr(order)));
}

Body body_from(py::handle object) {
    if (!py::isinstance<py::str>(object)) { throw py::type_error("body: expected a str"); }
    const auto name = py::cast<std::string>(object);
    if (name == "centre") { return Body::centre; }
    if (name == "box") { return Body::box; }
    if (name == "disc") { return Body::disc; }
    throw py::value_error("body: expected 'centre', 'box' or 'disc', got '" + name + "'");
}

Sets sets_from(py::handle sets) { return some_sets_from<Sets>(sets, "is no set of Sets"); }

PairSets pair_sets_from(py::handle sets) {
    return some_sets_from<PairSets>(sets, "is no set of PairSets");
}

} // namespace throng::python
