// Whether an index and the oracle find the same agents.
#pragma once

#include "../support/truth.hpp"

#include <throng/engine/agents/box.hpp>
#include <throng/engine/shapes/ball.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace throng::soak {

template <class Index, class Shape>
std::vector<Id> ids_of(const Index& index, const Shape& shape) {
    std::vector<Id> ids(index.count(shape).count);
    (void)index.query(shape, std::span<Id>(ids));
    std::sort(ids.begin(), ids.end());
    return ids;
}

/// Whether the index and the truth agree about a ball and a box around the place.
template <std::size_t Dim, class Index>
bool agree(const Index& index, const test::Truth<Dim>& truth, const Point<Dim>& place, float size) {
    const Ball<Dim> ball{place, size};
    const Box<Dim> box = Box<Dim>::around(place, Point<Dim>::all(size));
    return ids_of(index, ball) == truth.ids_in(ball) && ids_of(index, box) == truth.ids_in(box);
}

} // namespace throng::soak
