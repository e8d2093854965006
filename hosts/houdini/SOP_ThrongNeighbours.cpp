#include "SOP_ThrongNeighbours.h"

#include "../points/neighbour_sums.hpp"

#include <GA/GA_Handle.h>
#include <GU/GU_Detail.h>
#include <OP/OP_AutoLockInputs.h>
#include <OP/OP_Operator.h>
#include <OP/OP_OperatorTable.h>
#include <PRM/PRM_Include.h>
#include <UT/UT_DSOVersion.h>
#include <UT/UT_Interrupt.h>
#include <UT/UT_ParallelUtil.h>

namespace {

PRM_Name radius_name("radius", "Radius");
PRM_Default radius_default(1);
PRM_Range radius_range(PRM_RANGE_RESTRICTED, 0, PRM_RANGE_UI, 10);

PRM_Name kernel_name("kernel", "Kernel");
PRM_Name kernel_names[] = {PRM_Name("flat", "Flat"), PRM_Name("linear", "Linear"),
                           PRM_Name("poly6", "Poly6"), PRM_Name(0)};
PRM_ChoiceList kernel_menu(PRM_CHOICELIST_SINGLE, kernel_names);
PRM_Default kernel_default(2);

PRM_Name planar_name("planar", "Ignore Height");
PRM_Name sizes_name("usepscale", "Measure From Surfaces (pscale)");

/// What the library is told: the points in the order of their indices, since offsets have holes.
struct Copy {
    std::vector<float> xyz, radii;

    /// In the plane that is the ground: y is up in Houdini.
    Copy(const GU_Detail* gdp, bool planar, const GA_ROHandleF& sizes) {
        xyz.reserve(static_cast<std::size_t>(3 * gdp->getNumPoints()));
        GA_Offset point;
        GA_FOR_ALL_PTOFF(gdp, point) {
            const UT_Vector3 at = gdp->getPos3(point);
            const float x = at.x(), y = at.y(), z = at.z();
            xyz.insert(xyz.end(), {x, planar ? z : y, planar ? y : z});
            if (sizes.isValid()) { radii.push_back(sizes.get(point)); }
        }
    }
};

} // namespace

/// Houdini calls it by this name when it loads the library.
void newSopOperator(OP_OperatorTable* table) {
    table->addOperator(new OP_Operator("throngneighbours", "Throng Neighbours",
                                       SOP_ThrongNeighbours::myConstructor,
                                       SOP_ThrongNeighbours::myTemplateList, 1, 1));
}

PRM_Template SOP_ThrongNeighbours::myTemplateList[] = {
    PRM_Template(PRM_FLT_J, 1, &radius_name, &radius_default, 0, &radius_range),
    PRM_Template(PRM_ORD, 1, &kernel_name, &kernel_default, &kernel_menu),
    PRM_Template(PRM_TOGGLE, 1, &planar_name),
    PRM_Template(PRM_TOGGLE, 1, &sizes_name),
    PRM_Template(),
};

OP_Node* SOP_ThrongNeighbours::myConstructor(OP_Network* network, const char* name,
                                             OP_Operator* type) {
    return new SOP_ThrongNeighbours(network, name, type);
}

SOP_ThrongNeighbours::SOP_ThrongNeighbours(OP_Network* network, const char* name, OP_Operator* type)
    : SOP_Node(network, name, type) {}

const char* SOP_ThrongNeighbours::inputLabel(unsigned) const { return "Points"; }

OP_ERROR SOP_ThrongNeighbours::cookMySop(OP_Context& context) {
    OP_AutoLockInputs inputs(this);
    if (inputs.lock(context) >= UT_ERROR_ABORT) { return error(); }
    duplicateSource(0, context);

    const fpreal now = context.getTime();
    const bool planar = evalInt("planar", 0, now) != 0;
    GA_ROHandleF sizes;
    if (evalInt("usepscale", 0, now) != 0) {
        sizes = GA_ROHandleF(gdp, GA_ATTRIB_POINT, "pscale");
        if (!sizes.isValid()) {
            addError(SOP_MESSAGE, "the points have no attribute pscale");
            return error();
        }
    }
    const Copy copy(gdp, planar, sizes);
    throng_host::Points points;
    points.xyz = copy.xyz.data();
    points.count = copy.xyz.size() / 3;
    points.radii = sizes.isValid() ? copy.radii.data() : nullptr;
    const throng_host::Neighbours wanted = {
        planar ? 2U : 3U, static_cast<float>(evalFloat("radius", 0, now)),
        static_cast<throng_host::Kernel>(evalInt("kernel", 0, now))};

    // Attributes come when all is done, so whoever interrupts it gets the input as it was.
    UT_AutoInterrupt progress("Counting neighbours");
    throng_host::NeighbourSums sums;
    std::vector<int> counts(points.count);
    std::vector<float> densities(points.count), nearest(points.count);
    bool ok = sums.index(points, wanted);
    if (ok && progress.wasInterrupted()) { return error(); }
    ok = ok && sums.nearest(nearest.data());
    if (ok && progress.wasInterrupted()) { return error(); }
    ok = ok && sums.list();
    if (!ok) {
        addError(SOP_MESSAGE, sums.refusal().c_str());
        return error();
    }
    if (progress.wasInterrupted()) { return error(); }
    UTparallelFor(UT_BlockedRange<exint>(0, static_cast<exint>(points.count)),
                  [&](const UT_BlockedRange<exint>& range) {
                      const auto begin = static_cast<std::size_t>(range.begin());
                      const auto end = static_cast<std::size_t>(range.end());
                      sums.count(begin, end, counts.data());
                      sums.add_up(begin, end, densities.data());
                  });

    GA_RWHandleI neighbours(gdp->addIntTuple(GA_ATTRIB_POINT, "neighbours", 1));
    GA_RWHandleF density(gdp->addFloatTuple(GA_ATTRIB_POINT, "density", 1));
    GA_RWHandleF distance(gdp->addFloatTuple(GA_ATTRIB_POINT, "nearestdist", 1));
    std::size_t i = 0;
    GA_Offset point;
    GA_FOR_ALL_PTOFF(gdp, point) {
        neighbours.set(point, counts[i]);
        density.set(point, densities[i]);
        distance.set(point, nearest[i]);
        ++i;
    }
    return error();
}
