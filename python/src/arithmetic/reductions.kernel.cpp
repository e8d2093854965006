// Compiled once per instruction set, as docs/fused.md says.
#include "reductions.hpp"

#include <throng/fused/for_each_neighbour.hpp>

#include <limits>

namespace throng::python {

namespace {

/// The weight of another agent for each lane. In lanes whose neighbour it is not, it may be
/// anything.
template <class V>
[[gnu::always_inline]] inline typename V::Floats weight_of(const Reduction& of,
                                                           const typename V::Other& other) {
    using Floats = typename V::Floats;
    const Floats one(1.0f);
    switch (of.weight) {
    case Weight::linear:
        return one - V::root(other.distance2) * Floats(of.inverse_radius);
    case Weight::poly6: {
        const Floats left = one - other.distance2 * Floats(of.inverse_radius * of.inverse_radius);
        return left * left * left;
    }
    case Weight::inverse:
        return V::select(other.distance2 > Floats(0.0f), V::quotient(one, V::root(other.distance2)),
                         Floats(0.0f));
    case Weight::flat:
        break;
    }
    return one;
}

/// What turns the way to another agent into the gradient of its weight: how the weight grows with
/// the distance, divided by the distance.
template <class V>
[[gnu::always_inline]] inline typename V::Floats slope_of(const Reduction& of,
                                                          const typename V::Other& other) {
    using Floats = typename V::Floats;
    const Floats zero(0.0f);
    switch (of.weight) {
    case Weight::linear:
        return V::select(other.distance2 > zero,
                         V::quotient(Floats(of.inverse_radius), V::root(other.distance2)), zero);
    case Weight::poly6: {
        const float inverse2 = of.inverse_radius * of.inverse_radius;
        const Floats left = Floats(1.0f) - other.distance2 * Floats(inverse2);
        return Floats(6.0f * inverse2) * (left * left);
    }
    case Weight::inverse: {
        const Floats cube = other.distance2 * V::root(other.distance2);
        return V::select(cube > Floats(kLeastCube), V::quotient(Floats(1.0f), cube), zero);
    }
    case Weight::flat:
        break;
    }
    return zero;
}

/// Column c of those in work, of the rows that the agents of these lanes have in an array by id.
template <class V>
[[gnu::always_inline]] inline typename V::Floats
own(const Reduction& of, const typename V::Agents& agents, std::size_t c) {
    float lane[V::Agents::kLane] = {};
    for (std::uint32_t i = 0; i < agents.count; ++i) {
        lane[i] = of.values[agents.ids[i] * of.columns + of.column + c];
    }
    return V::Floats::load_unaligned(lane);
}
template <class V>
[[gnu::always_inline]] inline void put(const Reduction& of, const typename V::Agents& agents,
                                       std::size_t c, const typename V::Floats& values) {
    float lane[V::Agents::kLane];
    (values * typename V::Floats(of.scale)).store_unaligned(lane);
    for (std::uint32_t i = 0; i < agents.count; ++i) {
        of.out[agents.ids[i] * of.columns + of.column + c] = lane[i];
    }
}

/// Of values of neighbours, or of the ways to them.
template <std::size_t kCount, bool kOfWays = false>
struct Sums : Reduction {
    template <class V>
    struct Lanes {
        using Floats = typename V::Floats;
        Floats sum[kCount], weights;

        Lanes(const Sums&, const typename V::Agents&) : weights(0.0f) {
            for (Floats& one : sum) {
                one = Floats(0.0f);
            }
        }
        [[gnu::always_inline]] static Floats one_of(const Sums& of, const typename V::Other& other,
                                                    std::size_t c) {
            if constexpr (kOfWays) {
                return other.offset[c];
            } else {
                return Floats(of.values[other.id() * of.columns + of.column + c]);
            }
        }
        [[gnu::always_inline]] void visit(const Sums& of, const typename V::Other& other) {
            if (of.weight == Weight::flat) {
                weights = V::add_if(other.near, weights, Floats(1.0f));
                for (std::size_t c = 0; c < kCount; ++c) {
                    sum[c] = V::add_if(other.near, sum[c], one_of(of, other, c));
                }
                return;
            }
            const Floats weight = weight_of<V>(of, other);
            weights = V::add_if(other.near, weights, weight);
            for (std::size_t c = 0; c < kCount; ++c) {
                sum[c] = V::add_if(other.near, sum[c], weight * one_of(of, other, c));
            }
        }
        void finish(const Sums& of, const typename V::Agents& agents) const {
            for (std::size_t c = 0; c < kCount; ++c) {
                Floats value = sum[c];
                if (of.how == Reduced::mean) {
                    value = V::quotient(value, weights);
                    if (!kOfWays && of.less_own) { value = value - own<V>(of, agents, c); }
                    value = V::select(weights > Floats(0.0f), value, Floats(of.empty));
                }
                put<V>(of, agents, c, value);
            }
        }
    };
};

/// Of how the sum of weight times value changes with the agent's place.
template <std::size_t Dim>
struct Slopes : Reduction {
    template <class V>
    struct Lanes {
        using Floats = typename V::Floats;
        Floats sum[Dim];

        Lanes(const Slopes&, const typename V::Agents&) {
            for (Floats& one : sum) {
                one = Floats(0.0f);
            }
        }
        [[gnu::always_inline]] void visit(const Slopes& of, const typename V::Other& other) {
            const Floats share = slope_of<V>(of, other) * Floats(of.values[other.id()]);
            for (std::size_t a = 0; a < Dim; ++a) {
                sum[a] = V::add_if(other.near, sum[a], share * other.offset[a]);
            }
        }
        void finish(const Slopes& of, const typename V::Agents& agents) const {
            for (std::size_t a = 0; a < Dim; ++a) {
                put<V>(of, agents, a, sum[a]);
            }
        }
    };
};

/// The least, or the most. NaN is neither.
struct Extremes : Reduction {
    template <class V>
    struct Lanes {
        using Floats = typename V::Floats;
        Floats best, met;

        Lanes(const Extremes& of, const typename V::Agents&)
            : best(of.how == Reduced::least ? std::numeric_limits<float>::infinity()
                                            : -std::numeric_limits<float>::infinity()),
              met(0.0f) {}
        [[gnu::always_inline]] void visit(const Extremes& of, const typename V::Other& other) {
            const Floats value(of.values[other.id() * of.columns + of.column]);
            const typename V::Mask better = of.how == Reduced::least ? value < best : value > best;
            best = V::select(other.near & better, value, best);
            met = V::select(other.near, Floats(1.0f), met);
        }
        void finish(const Extremes& of, const typename V::Agents& agents) const {
            put<V>(of, agents, 0, V::select(met > Floats(0.0f), best, Floats(of.empty)));
        }
    };
};

} // namespace

template <class Arch, std::size_t Dim>
Status reduce_on(Arch, NeighbourLoop<Dim>& loop, const Crowd<Dim>& crowd,
                 const Neighbourhood& neighbourhood, const Reduction& reduction,
                 std::size_t count) {
    const auto run = [&](const auto& kernel) {
        constexpr Sets kAgents = Sets::agents; // statics have no place in arrays by id
        return for_each_neighbour<Arch>(loop, crowd, neighbourhood, kernel, kAgents);
    };
    if (reduction.values == nullptr) { return run(Sums<Dim, true>{reduction}); }
    if (reduction.how == Reduced::gradient) { return run(Slopes<Dim>{reduction}); }
    if (reduction.how == Reduced::least || reduction.how == Reduced::most) {
        return run(Extremes{reduction});
    }
    return count == Dim ? run(Sums<Dim>{reduction}) : run(Sums<1>{reduction});
}

using KernelArch = THRONG_KERNEL_ARCH;
template Status reduce_on(KernelArch, NeighbourLoop<2>&, const Crowd<2>&, const Neighbourhood&,
                          const Reduction&, std::size_t);
template Status reduce_on(KernelArch, NeighbourLoop<3>&, const Crowd<3>&, const Neighbourhood&,
                          const Reduction&, std::size_t);

} // namespace throng::python
