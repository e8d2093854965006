// The measured kernels, on the instruction set in use.
#pragma once

#include "../examples/flock.hpp"

#include <throng/fused/for_each_neighbour.hpp>

#include <cstddef>
#include <cstdint>

namespace throng::bench {

/// The number of neighbours of each agent, and the sum of the offsets to them.
template <std::size_t Dim>
struct OffsetSums {
    static constexpr bool kInStorageOrder = true;

    std::uint32_t* count;
    float* sum[Dim];

    template <class V>
    struct Lanes {
        typename V::Words near;
        typename V::Floats to[Dim];

        Lanes(const OffsetSums&, const typename V::Agents&) : near(0u) {
            for (std::size_t a = 0; a < Dim; ++a) {
                to[a] = typename V::Floats(0.0f);
            }
        }
        void visit(const OffsetSums&, const typename V::Other& other) {
            near = V::add_if(other.near, near, typename V::Words(1u));
            for (std::size_t a = 0; a < Dim; ++a) {
                to[a] = V::add_if(other.near, to[a], other.offset[a]);
            }
        }
        void finish(const OffsetSums& sums, const typename V::Agents& agents) const {
            agents.put_in_order(sums.count, near);
            for (std::size_t a = 0; a < Dim; ++a) {
                agents.put_in_order(sums.sum[a], to[a]);
            }
        }
    };
};

template <class Arch, std::size_t Dim, class Kernel>
Status run_kernel_on(Arch, NeighbourLoop<Dim>& loop, const RowGrid<Dim>& grid,
                     const Neighbourhood& neighbourhood, const Kernel& kernel);

} // namespace throng::bench
