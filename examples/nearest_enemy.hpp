// The nearest agent of another faction. Ask for the groups of the enemies.
#pragma once

#include <throng/fused/for_each_neighbour.hpp>

#include <cstdint>

struct NearestEnemy {
    throng::Id* enemy; ///< by id; throng::kNoId without a near enemy

    template <class V>
    struct Lanes {
        typename V::Floats distance2;
        typename V::Words nearest;

        Lanes(const NearestEnemy&, const typename V::Agents&)
            : distance2(3e38f), nearest(throng::kNoId) {}

        void visit(const NearestEnemy&, const typename V::Other& other) {
            // Of two equally near enemies, takes the one with the smaller id.
            const typename V::Words id(other.id());
            const auto nearer = (other.distance2 < distance2) |
                                ((other.distance2 == distance2) & V::less(id, nearest));
            const auto better = other.near & nearer;
            distance2 = V::select(better, other.distance2, distance2);
            nearest = V::select(better, id, nearest);
        }

        void finish(const NearestEnemy& task, const typename V::Agents& agents) const {
            agents.put_by_id(task.enemy, nearest);
        }
    };
};
