// The density of a fluid of particles (SPH), with the poly6 kernel of Mueller, Charypar and Gross,
// 2003. Ask with_self, because a particle is part of the fluid around it.
#pragma once

#include <throng/fused/for_each_neighbour.hpp>

struct FluidDensity {
    const float* mass; ///< by id
    float* density;    ///< by id
    float radius;      ///< of the query
    float factor;      ///< 315 / (64 pi radius^9) in space, 4 / (pi radius^8) in the plane

    template <class V>
    struct Lanes {
        using Floats = typename V::Floats;
        Floats sum;

        Lanes(const FluidDensity&, const typename V::Agents&) : sum(0.0f) {}

        void visit(const FluidDensity& fluid, const typename V::Other& other) {
            const Floats left = Floats(fluid.radius * fluid.radius) - other.distance2;
            sum = V::add_if(other.near, sum, other.by_id(fluid.mass) * (left * left * left));
        }

        void finish(const FluidDensity& fluid, const typename V::Agents& agents) const {
            agents.put_by_id(fluid.density, sum * Floats(fluid.factor));
        }
    };
};
