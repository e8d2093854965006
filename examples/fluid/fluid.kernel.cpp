// The effect of one drop on another, written once for vectors of any width: see docs/fused.md. The
// kernel is that of Clavet, Beaudoin and Poulin, 2005.
#include "fluid.hpp"

#include <throng/fused/for_each_neighbour.hpp>

namespace {

struct Measure : Fluid {
    template <class V>
    struct Lanes { // a lane for each drop that asks
        using Floats = typename V::Floats;
        Floats density, crowding;

        Lanes(const Measure&, const typename V::Agents&) : density(0.0f), crowding(0.0f) {}

        void visit(const Measure& fluid, const typename V::Other& other) {
            const Floats left =
                Floats(1.0f) - V::quotient(V::root(other.distance2), Floats(fluid.radius));
            density = V::add_if(other.near, density, left * left);
            crowding = V::add_if(other.near, crowding, left * left * left);
        }

        void finish(const Measure& fluid, const typename V::Agents& agents) const {
            agents.put_by_id(fluid.density, density);
            agents.put_by_id(fluid.crowding, crowding);
        }
    };
};

} // namespace

template <class Arch>
throng::Status measure_on(Arch, const throng::RowGrid<2>& grid, const Fluid& fluid) {
    return throng::for_each_neighbour<Arch>(grid, {.radius = fluid.radius}, Measure{fluid});
}

template throng::Status measure_on(THRONG_KERNEL_ARCH, const throng::RowGrid<2>&, const Fluid&);
