// Walkers that make way for each other before they touch, as a kernel: a social force that looks
// ahead (Zanlungo, Ikeda and Kanda, 2011).
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng::demo {

/// The effect of one neighbour on one walker. All arrays are by id.
struct Walkers {
    const float* velocity[2];
    float* push[2]; ///< sum over all neighbours: a change of velocity per second
    std::uint32_t* neighbours;
    float radius; ///< distance within which others count
    float ahead;  ///< seconds that walkers look ahead
    float weight; ///< weight of the push

    template <class V>
    struct Push {
        typename V::Floats by[2];
    };

    /// The other is at `offset`, and approaches by `way` per second. The push points away from the
    /// other's place at the time of closest approach. It is stronger the sooner that time is, and
    /// zero at the rim of the radius.
    template <class V, class Floats = typename V::Floats>
    static Push<V> push_of(const Walkers& walkers, const Floats (&offset)[2],
                           const Floats (&way)[2], const Floats& distance2) {
        const Floats speed2 = way[0] * way[0] + way[1] * way[1];
        const Floats closing = Floats(0.0f) - (offset[0] * way[0] + offset[1] * way[1]);
        const Floats soon = V::quotient(closing, V::larger(speed2, Floats(1e-4f)));
        const Floats time = V::smaller(V::larger(soon, Floats(0.0f)), Floats(walkers.ahead));
        const Floats then[2] = {offset[0] + way[0] * time, offset[1] + way[1] * time};
        const Floats apart2 = then[0] * then[0] + then[1] * then[1];
        const Floats inside =
            Floats(1.0f) - distance2 * Floats(1.0f / (walkers.radius * walkers.radius));
        const Floats urgent = Floats(1.0f) - time * Floats(0.75f / walkers.ahead);
        const Floats strength =
            V::quotient(Floats(walkers.weight) * urgent * V::larger(inside, Floats(0.0f)),
                        V::larger(apart2, Floats(0.09f)));
        return {{then[0] * strength, then[1] * strength}};
    }

    /// Several walkers, one in each lane; docs/fused.md describes this interface.
    template <class V>
    struct Lanes {
        using Floats = typename V::Floats;
        Floats own[2], sum[2];
        typename V::Words near;

        Lanes(const Walkers& walkers, const typename V::Agents& agents) : near(0u) {
            for (std::size_t a = 0; a < 2; ++a) {
                own[a] = agents.by_id(walkers.velocity[a]);
                sum[a] = Floats(0.0f);
            }
        }

        void visit(const Walkers& walkers, const typename V::Other& other) {
            near = V::add_if(other.near, near, typename V::Words(1u));
            const Floats offset[2] = {other.offset[0], other.offset[1]};
            const Floats way[2] = {other.by_id(walkers.velocity[0]) - own[0],
                                   other.by_id(walkers.velocity[1]) - own[1]};
            const Push<V> pushed = push_of<V>(walkers, offset, way, other.distance2);
            for (std::size_t a = 0; a < 2; ++a) {
                sum[a] = V::add_if(other.near, sum[a], pushed.by[a]);
            }
        }

        void finish(const Walkers& walkers, const typename V::Agents& agents) const {
            for (std::size_t a = 0; a < 2; ++a) {
                agents.put_by_id(walkers.push[a], Floats(0.0f) - sum[a]);
            }
            agents.put_by_id(walkers.neighbours, near);
        }
    };
};

} // namespace throng::demo
