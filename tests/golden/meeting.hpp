// A kernel that tells whom each agent meets, in which order, and how far away.
#pragma once

#include <throng/fused/for_each_neighbour.hpp>

#include <cstddef>
#include <cstdint>

namespace throng::test {

template <std::size_t Dim>
struct Meeting {
    float* sum; ///< all by id
    std::uint32_t* met;
    std::uint32_t* names;

    template <class V>
    struct Lanes {
        typename V::Floats sum;
        typename V::Words met, names;

        Lanes(const Meeting&, const typename V::Agents&) : sum(0.0f), met(0u), names(0u) {}

        void visit(const Meeting&, const typename V::Other& other) {
            using Words = typename V::Words;
            met = V::add_if(other.near, met, Words(1u));
            const Words mixed = (names + Words(other.id() + 1)) * Words(2654435761u);
            names = V::select(other.near, mixed, names); // tells of their order, too
            typename V::Floats all = other.distance2;
            for (std::size_t a = 0; a < Dim; ++a) {
                all = all + other.offset[a] * typename V::Floats(0.1f);
            }
            sum = V::add_if(other.near, sum, all);
        }

        void finish(const Meeting& meeting, const typename V::Agents& agents) const {
            agents.put_by_id(meeting.sum, sum);
            agents.put_by_id(meeting.met, met);
            agents.put_by_id(meeting.names, names);
        }
    };
};

template <class Arch, std::size_t Dim>
Status meet_on(Arch, NeighbourLoop<Dim>& loop, const Crowd<Dim>& crowd, const Neighbourhood& all,
               const Meeting<Dim>& meeting, Sets sets);

} // namespace throng::test
