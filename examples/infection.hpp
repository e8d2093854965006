// The time that each agent has spent near ill agents; each call adds one frame.
#pragma once

#include <throng/fused/for_each_neighbour.hpp>

#include <cstdint>

struct Infection {
    const std::uint32_t* ill; ///< by id: 1 for ill agents
    float* exposure;          ///< by id: seconds, added to
    float frame;              ///< seconds

    template <class V>
    struct Lanes {
        typename V::Floats sum;

        Lanes(const Infection& infection, const typename V::Agents& agents)
            : sum(agents.by_id(infection.exposure)) {}

        void visit(const Infection& infection, const typename V::Other& other) {
            const auto is_ill = V::differ(other.by_id(infection.ill), typename V::Words(0u));
            sum = V::add_if(other.near & is_ill, sum, typename V::Floats(infection.frame));
        }

        void finish(const Infection& infection, const typename V::Agents& agents) const {
            agents.put_by_id(infection.exposure, sum);
        }
    };
};
