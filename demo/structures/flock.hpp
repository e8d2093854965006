// Boids (Reynolds, 1987) as a kernel: cohesion, alignment and separation.
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng::demo {

/// The effect of one neighbour on one boid. All arrays are by id.
struct Flock {
    const float* velocity[2];
    float* steering[2];
    std::uint32_t* neighbours;
    float cohesion, alignment, separation; ///< weights
    float shy2;                            ///< squared distance below which others are too near

    /// Several boids, one in each lane; docs/fused.md describes this interface.
    template <class V>
    struct Lanes {
        using Floats = typename V::Floats;
        Floats share, own[2], to[2], along[2], from[2];
        typename V::Words near;

        Lanes(const Flock& flock, const typename V::Agents& agents) : share(0.0f), near(0u) {
            for (std::size_t a = 0; a < 2; ++a) {
                own[a] = agents.by_id(flock.velocity[a]);
                to[a] = along[a] = from[a] = Floats(0.0f);
            }
        }

        void visit(const Flock& flock, const typename V::Other& other) {
            near = V::add_if(other.near, near, typename V::Words(1u));
            share = V::add_if(other.near, share, Floats(1.0f));
            const auto shy = other.near & (other.distance2 < Floats(flock.shy2));
            // Agents on the same spot do not push, but must not give NaN.
            const Floats push = V::quotient(Floats(1.0f), max(other.distance2, Floats(0.01f)));
            for (std::size_t a = 0; a < 2; ++a) {
                to[a] = V::add_if(other.near, to[a], other.offset[a]);
                along[a] = V::add_if(other.near, along[a], other.by_id(flock.velocity[a]));
                from[a] = V::add_if(shy, from[a], other.offset[a] * push);
            }
        }

        void finish(const Flock& flock, const typename V::Agents& agents) const {
            const Floats mean = V::quotient(Floats(1.0f), max(share, Floats(1.0f)));
            const auto met = share > Floats(0.0f);
            for (std::size_t a = 0; a < 2; ++a) {
                const Floats way = to[a] * mean * Floats(flock.cohesion) +
                                   (along[a] * mean - own[a]) * Floats(flock.alignment) -
                                   from[a] * Floats(flock.separation);
                agents.put_by_id(flock.steering[a], V::select(met, way, Floats(0.0f)));
            }
            agents.put_by_id(flock.neighbours, near);
        }
    };
};

} // namespace throng::demo
