// The node between stubs of Houdini, against all pairs of points.
#include "../../points/tests/truth.hpp"

#include <SOP/SOP_Node.h>

#include <cmath>
#include <limits>
#include <memory>

using namespace throng_host::tests;
using throng_host::Kernel;

namespace {

/// In the node's first input, y and z as the test has them or exchanged, and one attribute that is
/// to stay.
void fill(SOP_Node& node, const Lattice& lattice, bool y_up) {
    node.input = GU_Detail();
    for (std::size_t i = 0; i < lattice.size(); ++i) {
        const auto x = static_cast<float>(lattice.at(i, 0)),
                   y = static_cast<float>(lattice.at(i, 1)),
                   z = static_cast<float>(lattice.at(i, 2));
        const GA_Offset point = node.input.append(y_up ? UT_Vector3(x, z, y) : UT_Vector3(x, y, z));
        node.input.attributes["pscale"].values[point] = lattice.radii[i] / 16.0;
    }
}

void compare(const GU_Detail& output, const Truth& truth) {
    THRONG_REQUIRE(output.points.size() == truth.counts.size());
    THRONG_REQUIRE(output.attributes.size() == 4);
    for (std::size_t i = 0; i < truth.counts.size(); ++i) {
        const auto value = [&](const char* name) {
            return output.attributes.at(name).values.at(output.points[i].first);
        };
        THRONG_REQUIRE(value("neighbours") == truth.counts[i]);
        THRONG_REQUIRE(alike(value("density"), truth.densities[i]));
        THRONG_REQUIRE(alike(value("nearestdist"), truth.nearest[i]));
    }
}

std::unique_ptr<SOP_Node> node_of(OP_OperatorTable& table) {
    newSopOperator(&table);
    THRONG_REQUIRE(table.operators.size() == 1);
    OP_Operator* const type = table.operators[0];
    THRONG_REQUIRE(type->min_inputs == 1 && type->max_inputs == 1);
    OP_Network network;
    auto* const node = dynamic_cast<SOP_Node*>(type->constructor(&network, "near1", type));
    THRONG_REQUIRE(node != nullptr);
    return std::unique_ptr<SOP_Node>(node);
}

/// What the node is before anybody has set anything.
void test_defaults(SOP_Node& node) {
    const Lattice scene = lattice(300, 1);
    fill(node, scene, false);
    THRONG_REQUIRE(node.cook() == UT_ERROR_NONE);
    compare(node.output, truth_of(scene, 3, 16, Kernel::poly6, false));
}

void test_all_settings(SOP_Node& node) {
    const Lattice scene = lattice(1000, 2);
    std::size_t neighbours = 0;
    node.parameters["radius"] = 20 / 16.0;
    for (int setting = 0; setting < 12; ++setting) {
        const bool planar = setting % 2 == 1, sizes = setting / 2 % 2 == 1;
        fill(node, scene, planar);
        node.parameters["kernel"] = setting / 4;
        node.parameters["planar"] = planar;
        node.parameters["usepscale"] = sizes;
        THRONG_REQUIRE(node.cook() == UT_ERROR_NONE);
        const Truth truth =
            truth_of(scene, planar ? 2 : 3, 20, static_cast<Kernel>(setting / 4), sizes);
        compare(node.output, truth);
        neighbours += truth.pairs.size();
    }
    THRONG_REQUIRE(neighbours > 20'000);
}

void test_refusals(SOP_Node& node) {
    node.parameters["planar"] = node.parameters["usepscale"] = 0;
    fill(node, lattice(100, 3), false);
    node.input.points[17].second = UT_Vector3(1, std::numeric_limits<float>::infinity(), 1);
    THRONG_REQUIRE(node.cook() == UT_ERROR_ABORT);
    THRONG_REQUIRE(node.errors == "positions[17] is NaN or infinite");
    THRONG_REQUIRE(node.output.attributes.size() == 1);
    fill(node, lattice(100, 3), false);
    node.input.attributes.clear();
    node.parameters["usepscale"] = 1;
    THRONG_REQUIRE(node.cook() == UT_ERROR_ABORT);
    THRONG_REQUIRE(node.errors == "the points have no attribute pscale");
    node.parameters["usepscale"] = 0;
    THRONG_REQUIRE(node.cook() == UT_ERROR_NONE && node.errors.empty());
}

/// Whoever interrupts it at any question gets the input as it was.
void test_interrupts(SOP_Node& node) {
    fill(node, lattice(100, 4), false);
    THRONG_REQUIRE(node.cook() == UT_ERROR_NONE);
    const int questions = UT_AutoInterrupt::asked;
    THRONG_REQUIRE(questions >= 3);
    for (int at = 1; at <= questions; ++at) {
        UT_AutoInterrupt::interrupt_at = at;
        THRONG_REQUIRE(node.cook() == UT_ERROR_NONE);
        THRONG_REQUIRE(node.output.attributes.size() == 1);
    }
    UT_AutoInterrupt::interrupt_at = 0;
}

void test_no_points(SOP_Node& node) {
    node.input = GU_Detail();
    THRONG_REQUIRE(node.cook() == UT_ERROR_NONE);
    THRONG_REQUIRE(node.output.attributes.count("density") == 1);
}

} // namespace

int main() {
    OP_OperatorTable table;
    const std::unique_ptr<SOP_Node> node = node_of(table);
    test_defaults(*node);
    test_all_settings(*node);
    test_refusals(*node);
    test_interrupts(*node);
    test_no_points(*node);
    std::puts("the node finds what all pairs say");
}
