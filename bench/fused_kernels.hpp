// The measured kernels, on the active instruction set.
#pragma once

#include "../examples/flock.hpp"

#include <throng/fused/for_each_neighbour.hpp>

#include <cstddef>
#include <cstdint>

namespace throng::bench {

/// The number of neighbours of each agent, and the sum of the offsets to them, in storage order or
/// by id.
template <std::size_t Dim, bool kInOrder = true>
struct OffsetSums {
    static constexpr bool kInStorageOrder = kInOrder;

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
            put(agents, sums.count, near);
            for (std::size_t a = 0; a < Dim; ++a) {
                put(agents, sums.sum[a], to[a]);
            }
        }

    private:
        template <class T, class Values>
        [[gnu::always_inline]] static void put(const typename V::Agents& agents, T* array,
                                               const Values& values) {
            if constexpr (kInOrder) {
                agents.put_in_order(array, values);
            } else {
                agents.put_by_id(array, values);
            }
        }
    };
};

/// `Index` is RowGrid<Dim> or throng::Crowd<Dim>; kernels in storage order need a grid.
template <class Arch, std::size_t Dim, class Index, class Kernel>
Status run_kernel_on(Arch, NeighbourLoop<Dim>& loop, const Index& index,
                     const Neighbourhood& neighbourhood, const Kernel& kernel);

} // namespace throng::bench
