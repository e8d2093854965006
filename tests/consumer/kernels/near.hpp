// The kernel of a host: counts how many agents are near each agent.
#pragma once

#include <throng/fused/for_each_neighbour.hpp>

#include <cstdint>

struct Near {
    std::uint32_t* count;

    template <class V>
    struct Lanes {
        typename V::Words near;

        Lanes(const Near&, const typename V::Agents&) : near(0u) {}
        void visit(const Near&, const typename V::Other& other) {
            near = V::add_if(other.near, near, typename V::Words(1u));
        }
        void finish(const Near& kernel, const typename V::Agents& agents) const {
            agents.put_by_id(kernel.count, near);
        }
    };
};

/// Compiled once for each instruction set.
template <class Arch>
throng::Status count_near_on(Arch, const throng::RowGrid<2>& grid, std::uint32_t* count);
