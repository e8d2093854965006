// The example kernels on the running instruction set, and kernels that only tests need.
#pragma once

#include "../../examples/density.hpp"
#include "../../examples/flock.hpp"
#include "../../examples/fluid_density.hpp"
#include "../../examples/infection.hpp"
#include "../../examples/nearest_enemy.hpp"

#include "../../simd/isa/dispatch.hpp"

#include <throng/fused/for_each_neighbour.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {

/// Records everything that a kernel is shown, in the order in which it is shown.
template <std::size_t Dim>
struct Transcript {
    static constexpr bool kInStorageOrder = true;

    const float* number;        ///< by id
    const std::uint32_t* place; ///< in storage order, by place
    float* sum;                 ///< sum of the floats shown, by id
    std::uint32_t* met;         ///< number of neighbours, in storage order
    std::uint32_t* mix;         ///< hash of neighbours' ids and their order, by id

    template <class V>
    struct Lanes {
        using Floats = typename V::Floats;
        using Words = typename V::Words;
        Floats sum, own;
        Words met, mix, seen;
        std::uint32_t count, strays = 0;

        Lanes(const Transcript& transcript, const typename V::Agents& agents)
            : sum(0.0f), own(agents.by_id(transcript.number)), met(0u), mix(0u),
              seen(agents.in_order(transcript.place)), count(agents.count) {}

        void visit(const Transcript& transcript, const typename V::Other& other) {
            met = V::add_if(other.near, met, Words(1u));
            // Vector lanes without an agent must have no neighbours.
            strays |= simd::lane_bits<typename V::Arch>(other.near) >> count;
            const Words next = (mix + Words(other.id() + 1)) * Words(2654435761u) +
                               other.in_order(transcript.place);
            mix = V::select(other.near, next, mix);
            Floats all = other.distance2 + own + other.by_id(transcript.number);
            for (std::size_t a = 0; a < Dim; ++a) {
                all = all + other.offset[a];
            }
            sum = V::add_if(other.near, sum, all);
        }

        void finish(const Transcript& transcript, const typename V::Agents& agents) const {
            agents.put_by_id(transcript.sum, sum);
            agents.put_in_order(transcript.met, met + Words(1000 * strays));
            agents.put_by_id(transcript.mix, mix + seen);
        }
    };
};

/// A Transcript without values in storage order, which works for several grids.
template <std::size_t Dim>
struct Diary {
    const float* number; ///< all by id
    float* sum;
    std::uint32_t* met;
    std::uint32_t* mix;

    template <class V>
    struct Lanes {
        using Floats = typename V::Floats;
        using Words = typename V::Words;
        Floats sum, own;
        Words met, mix;
        std::uint32_t count, strays = 0;

        Lanes(const Diary& diary, const typename V::Agents& agents)
            : sum(0.0f), own(agents.by_id(diary.number)), met(0u), mix(0u), count(agents.count) {}

        void visit(const Diary& diary, const typename V::Other& other) {
            met = V::add_if(other.near, met, Words(1u));
            strays |= simd::lane_bits<typename V::Arch>(other.near) >> count;
            mix = V::select(other.near, (mix + Words(other.id() + 1)) * Words(2654435761u), mix);
            Floats all = other.distance2 + own + other.by_id(diary.number);
            for (std::size_t a = 0; a < Dim; ++a) {
                all = all + other.offset[a];
            }
            sum = V::add_if(other.near, sum, all);
        }

        void finish(const Diary& diary, const typename V::Agents& agents) const {
            agents.put_by_id(diary.sum, sum);
            agents.put_by_id(diary.met, met + Words(1000 * strays));
            agents.put_by_id(diary.mix, mix);
        }
    };
};

/// Records the neighbours of all agents, in any order, and their least distance: what a kernel can
/// know of elements that are not in its arrays.
struct Roll {
    static constexpr bool kMeetsNearOnly = true;

    std::uint32_t* met; ///< all by id
    std::uint32_t* names;
    float* nearest;

    template <class V>
    struct Lanes {
        typename V::Words met, names;
        typename V::Floats nearest;

        Lanes(const Roll&, const typename V::Agents&) : met(0u), names(0u), nearest(1e30f) {}

        void visit(const Roll&, const typename V::Other& other) {
            using Words = typename V::Words;
            met = V::add_if(other.near, met, Words(1u));
            // visit() must not be called if the element is near no lane.
            if (!V::any(other.near)) { met = met + Words(1000u); }
            const std::uint32_t name = (other.id() + 1) * 2654435761u;
            const Words mixed = (names ^ Words(name ^ name >> 15)) * Words(16777619u);
            names = V::select(other.near, mixed, names); // tells of their order, too
            nearest = V::select(other.near, V::smaller(nearest, other.distance2), nearest);
        }

        void finish(const Roll& roll, const typename V::Agents& agents) const {
            agents.put_by_id(roll.met, met);
            agents.put_by_id(roll.names, names);
            agents.put_by_id(roll.nearest, nearest);
        }
    };
};

/// Thrown by a kernel.
struct KernelError {};

/// Counts neighbours. If `left` is given, throws after that many visits, on all threads together.
struct Count {
    std::uint32_t* met; ///< by id
    std::atomic<std::size_t>* left = nullptr;

    template <class V>
    struct Lanes {
        typename V::Words met;

        Lanes(const Count&, const typename V::Agents&) : met(0u) {}
        void visit(const Count& count, const typename V::Other& other) {
            if (count.left != nullptr && count.left->fetch_sub(1) == 0) { throw KernelError{}; }
            met = V::add_if(other.near, met, typename V::Words(1u));
        }
        void finish(const Count& count, const typename V::Agents& agents) const {
            agents.put_by_id(count.met, met);
        }
    };
};

/// The dimension in which an example is tested. One is enough, since kernels do the same in both;
/// THRONG_TEST_OTHER_DIM selects the other.
#ifdef THRONG_TEST_OTHER_DIM
inline constexpr bool kOtherDim = true;
#else
inline constexpr bool kOtherDim = false;
#endif
inline constexpr std::size_t kEvenDim = kOtherDim ? 3 : 2; ///< Density, FluidDensity
inline constexpr std::size_t kOddDim = kOtherDim ? 2 : 3;  ///< Flock, Infection, NearestEnemy

template <class Arch, std::size_t Dim, class Kernel>
Status run_kernel_on(Arch, NeighbourLoop<Dim>& loop, const RowGrid<Dim>& grid,
                     const Neighbourhood& neighbourhood, const Kernel& kernel);

/// Calls for_each_neighbour() on active_isa().
template <std::size_t Dim, class Kernel>
Status run_kernel(NeighbourLoop<Dim>& loop, const RowGrid<Dim>& grid,
                  const Neighbourhood& neighbourhood, const Kernel& kernel) {
    return simd::dispatch(
        [&](auto arch) { return run_kernel_on(arch, loop, grid, neighbourhood, kernel); });
}

template <class Arch, std::size_t Dim, class Kernel>
Status run_kernel_among_on(Arch, NeighbourLoop<Dim>& loop, const NamedGrid<Dim>& askers,
                           std::span<const NamedGrid<Dim>> others,
                           const Neighbourhood& neighbourhood, const Kernel& kernel);

/// Calls for_each_neighbour_among() on active_isa().
template <std::size_t Dim, class Kernel>
Status run_kernel_among(NeighbourLoop<Dim>& loop, const NamedGrid<Dim>& askers,
                        const std::vector<NamedGrid<Dim>>& others,
                        const Neighbourhood& neighbourhood, const Kernel& kernel) {
    return simd::dispatch([&](auto arch) {
        return run_kernel_among_on(arch, loop, askers, std::span<const NamedGrid<Dim>>(others),
                                   neighbourhood, kernel);
    });
}

template <class Arch, std::size_t Dim, class Kernel>
Status run_kernel_in_crowd_on(Arch, NeighbourLoop<Dim>& loop, const Crowd<Dim>& crowd,
                              const Neighbourhood& neighbourhood, const Kernel& kernel, Sets sets);

/// Calls for_each_neighbour() for a whole crowd on active_isa().
template <std::size_t Dim, class Kernel>
Status run_kernel_in_crowd(NeighbourLoop<Dim>& loop, const Crowd<Dim>& crowd,
                           const Neighbourhood& neighbourhood, const Kernel& kernel, Sets sets) {
    return simd::dispatch([&](auto arch) {
        return run_kernel_in_crowd_on(arch, loop, crowd, neighbourhood, kernel, sets);
    });
}

} // namespace throng::test
