#include "contacts.hpp"

#include "scene.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace throng::demo {

namespace {

/// Two discs that overlap.
struct Contact {
    Point<2> normal; ///< from the first to the second, of length 1
    float depth;
    float share; ///< the second one's fraction of both masses
};

/// Calls call(first, second, contact) for pairs of overlapping discs. It tests the discs, since
/// more pairs of boxes overlap.
template <class Call>
Found visit_contacts(const People<2>& people, Structure<2>& structure, const Call& call) {
    return structure.visit_pairs([&](std::span<const Id> first, std::span<const Id> second) {
        for (std::size_t i = 0; i < first.size(); ++i) {
            // Sorted by id, so that rounding does not depend on the structure's order.
            const auto [a, b] = std::minmax(first[i], second[i]);
            const Point<2> from = people.at(a), to = people.at(b);
            const Point<2> way = {{to[0] - from[0], to[1] - from[1]}};
            const float half_a = people.half_of(a), half_b = people.half_of(b);
            const float distance2 = way[0] * way[0] + way[1] * way[1];
            const float reach = half_a + half_b;
            // Agents on the same spot have no direction in which to part.
            if (!(distance2 < reach * reach) || distance2 < 1e-12f) { continue; }
            const float distance = std::sqrt(distance2);
            const float mass_a = half_a * half_a, mass_b = half_b * half_b;
            call(a, b,
                 Contact{{{way[0] / distance, way[1] / distance}},
                         reach - distance,
                         mass_b / (mass_a + mass_b)});
        }
    });
}

} // namespace

Found bounce_off(People<2>& people, Structure<2>& structure) {
    return visit_contacts(people, structure, [&](Id a, Id b, const Contact& contact) {
        const Point<2> va = people.going(a), vb = people.going(b);
        const Point<2>& n = contact.normal;
        const float closing = (vb[0] - va[0]) * n[0] + (vb[1] - va[1]) * n[1];
        if (closing >= 0.0f) { return; }
        const float to_a = 2.0f * closing * contact.share;
        const float to_b = -2.0f * closing * (1.0f - contact.share);
        people.touched.add(a, {{n[0] * to_a, n[1] * to_a}});
        people.touched.add(b, {{n[0] * to_b, n[1] * to_b}});
    });
}

Found push_apart(People<2>& people, Structure<2>& structure) {
    return visit_contacts(people, structure, [&](Id a, Id b, const Contact& contact) {
        // Half of the depth in each frame: with all of it, dense crowds would tremble.
        const float push = contact.depth * 0.5f;
        const float to_a = -push * contact.share, to_b = push * (1.0f - contact.share);
        const Point<2>& n = contact.normal;
        people.touched.add(a, {{n[0] * to_a, n[1] * to_a}});
        people.touched.add(b, {{n[0] * to_b, n[1] * to_b}});
    });
}

} // namespace throng::demo
