// Boids (Reynolds, 1987): they steer towards neighbours, in the same direction, and away from near
// ones.
#pragma once

#include <throng/fused/for_each_neighbour.hpp>

#include <cstddef>

template <std::size_t Dim>
struct Flock {
    static constexpr bool kInStorageOrder = true; // so are the arrays: see RowGrid::order()

    const float* velocity[Dim];
    float* steering[Dim];
    float cohesion, alignment, separation; ///< weights

    template <class V>
    struct Lanes {
        using Floats = typename V::Floats;
        Floats near, own[Dim], to[Dim], along[Dim], from[Dim];

        Lanes(const Flock& flock, const typename V::Agents& agents) : near(0.0f) {
            for (std::size_t a = 0; a < Dim; ++a) {
                own[a] = agents.in_order(flock.velocity[a]);
                to[a] = along[a] = from[a] = Floats(0.0f);
            }
        }

        void visit(const Flock& flock, const typename V::Other& other) {
            near = V::add_if(other.near, near, Floats(1.0f));
            // A neighbour on the same spot does not push, but must not give NaN.
            const Floats push =
                V::quotient(Floats(1.0f), V::larger(other.distance2, Floats(1e-6f)));
            for (std::size_t a = 0; a < Dim; ++a) {
                to[a] = V::add_if(other.near, to[a], other.offset[a]);
                along[a] = V::add_if(other.near, along[a], other.in_order(flock.velocity[a]));
                from[a] = V::add_if(other.near, from[a], other.offset[a] * push);
            }
        }

        void finish(const Flock& flock, const typename V::Agents& agents) const {
            const Floats share = V::quotient(Floats(1.0f), max(near, Floats(1.0f)));
            const auto met = near > Floats(0.0f);
            for (std::size_t a = 0; a < Dim; ++a) {
                const Floats steer = to[a] * share * Floats(flock.cohesion) +
                                     (along[a] * share - own[a]) * Floats(flock.alignment) -
                                     from[a] * Floats(flock.separation);
                agents.put_in_order(flock.steering[a], V::select(met, steer, Floats(0.0f)));
            }
        }
    };
};
