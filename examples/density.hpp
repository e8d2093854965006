// Counts the neighbours of each agent.
#pragma once

#include <throng/fused/for_each_neighbour.hpp>

#include <cstdint>

struct Density {
    std::uint32_t* count; ///< by id

    template <class V>
    struct Lanes {
        typename V::Words near;

        Lanes(const Density&, const typename V::Agents&) : near(0u) {}

        void visit(const Density&, const typename V::Other& other) {
            near = V::add_if(other.near, near, typename V::Words(1u));
        }

        void finish(const Density& density, const typename V::Agents& agents) const {
            agents.put_by_id(density.count, near);
        }
    };
};
