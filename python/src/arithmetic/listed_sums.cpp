#include "listed_sums.hpp"
#include "../../../engine/grid/grid_parts.hpp"

#include <throng/engine/agents/body.hpp>
#include <throng/engine/crowd/store/state.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng::python {

namespace {

/// The weight of a neighbour at this distance, by the same operations as in the kernels.
float weight_of(const Reduction& of, float distance2) noexcept {
    switch (of.weight) {
    case Weight::linear:
        return 1.0f - std::sqrt(distance2) * of.inverse_radius;
    case Weight::poly6: {
        const float left = 1.0f - distance2 * (of.inverse_radius * of.inverse_radius);
        return left * left * left;
    }
    case Weight::inverse:
        return distance2 > 0.0f ? 1.0f / std::sqrt(distance2) : 0.0f;
    case Weight::flat:
        break;
    }
    return 1.0f;
}

/// How much the weight grows per unit of the way to that neighbour.
float slope_of(const Reduction& of, float distance2) noexcept {
    switch (of.weight) {
    case Weight::linear:
        return distance2 > 0.0f ? of.inverse_radius / std::sqrt(distance2) : 0.0f;
    case Weight::poly6: {
        const float inverse2 = of.inverse_radius * of.inverse_radius;
        const float left = 1.0f - distance2 * inverse2;
        return 6.0f * inverse2 * (left * left);
    }
    case Weight::inverse: {
        const float cube = distance2 * std::sqrt(distance2);
        return cube > kLeastCube ? 1.0f / cube : 0.0f;
    }
    case Weight::flat:
        break;
    }
    return 0.0f;
}

} // namespace

template <std::size_t Dim>
void ListedSums<Dim>::gather_extents(const Crowd<Dim>& crowd) {
    extents_.resize(crowd.id_bound());
    const auto& state = detail::state_of(crowd);
    state.for_each_small(0, state.grid.parts().slices(),
                         [&](const auto& agent) { extents_[agent.id] = agent.half_extent; });
    const NamedGrid<Dim> giants = crowd.grids()[1];
    for (Id id = 0; id < giants.names.size(); ++id) {
        if (!giants.grid->contains(id)) { continue; }
        for (std::size_t a = 0; a < Dim; ++a) {
            extents_[giants.names[id]][a] = giants.half_extents[a][id];
        }
    }
}

template <std::size_t Dim>
void ListedSums<Dim>::reduce(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood,
                             const MeasuredHits<Dim>& lists, Reduction reduction,
                             Executor& executor) {
    if (neighbourhood.radius > 0.0f) { reduction.inverse_radius = 1.0f / neighbourhood.radius; }
    const bool extremes = reduction.how == Reduced::least || reduction.how == Reduced::most;
    const bool bodies = neighbourhood.body != Body::centre && reduction.weight != Weight::flat;
    if (bodies) { gather_extents(crowd); }
    const std::size_t columns = reduction.columns;

    const auto weight = [&](Id own, std::size_t hit) {
        if (reduction.weight == Weight::flat) { return 1.0f; }
        Point<Dim> reach{};
        const Id other = lists.hits.ids[hit];
        for (std::size_t a = 0; a < Dim && bodies; ++a) {
            reach[a] = extents_[own][a] + extents_[other][a];
        }
        return weight_of(reduction, body_distance2(neighbourhood.body, lists.ways[hit], reach));
    };
    const auto values = [&](std::size_t hit) {
        return reduction.values == nullptr ? lists.ways[hit].axis.data()
                                           : reduction.values + lists.hits.ids[hit] * columns;
    };
    const auto add_up = [&](Id own, std::size_t from, std::size_t to, float* out) {
        float weights = 0.0f;
        for (std::size_t hit = from; hit < to; ++hit) {
            const float share = weight(own, hit);
            weights += share;
            for (std::size_t c = 0; c < columns; ++c) {
                out[c] += share * values(hit)[c];
            }
        }
        for (std::size_t c = 0; c < columns; ++c) {
            if (reduction.how == Reduced::mean) {
                const float less = reduction.less_own ? reduction.values[own * columns + c] : 0.0f;
                out[c] = weights > 0.0f ? out[c] / weights - less : reduction.empty;
            }
            out[c] *= reduction.scale;
        }
    };
    const auto add_slopes = [&](std::size_t from, std::size_t to, float* out) {
        for (std::size_t hit = from; hit < to; ++hit) {
            const Point<Dim>& way = lists.ways[hit];
            const float share = slope_of(reduction, body_distance2(Body::centre, way, {})) *
                                reduction.values[lists.hits.ids[hit]];
            for (std::size_t a = 0; a < Dim; ++a) {
                out[a] += share * way[a];
            }
        }
        for (std::size_t a = 0; a < Dim; ++a) {
            out[a] *= reduction.scale;
        }
    };
    const auto pick = [&](std::size_t from, std::size_t to, float* out) {
        constexpr float kFar = std::numeric_limits<float>::infinity();
        for (std::size_t c = 0; c < columns; ++c) {
            float best = reduction.how == Reduced::least ? kFar : -kFar;
            for (std::size_t hit = from; hit < to; ++hit) {
                const float value = values(hit)[c];
                const bool better = reduction.how == Reduced::least ? value < best : value > best;
                if (better) { best = value; }
            }
            out[c] = (from == to ? reduction.empty : best) * reduction.scale;
        }
    };

    constexpr std::size_t kLists = 512;
    const std::size_t agents = lists.askers().size();
    executor.run((agents + kLists - 1) / kLists, [&](std::size_t block) {
        const std::size_t end = std::min(agents, (block + 1) * kLists);
        for (std::size_t list = block * kLists; list < end; ++list) {
            const Id own = lists.askers()[list];
            const std::size_t from = lists.hits.offsets[list], to = lists.hits.offsets[list + 1];
            float* const out = reduction.out + own * columns;
            std::fill_n(out, columns, 0.0f);
            if (extremes) {
                pick(from, to, out);
            } else if (reduction.how == Reduced::gradient) {
                add_slopes(from, to, out);
            } else {
                add_up(own, from, to, out);
            }
        }
    });
}

template <std::size_t Dim>
std::size_t ListedSums<Dim>::memory() const noexcept {
    return extents_.capacity() * sizeof(Point<Dim>);
}

template class ListedSums<2>;
template class ListedSums<3>;

} // namespace throng::python
