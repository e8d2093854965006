#include "ways.hpp"
#include "../../../engine/grid/grid_parts.hpp"

#include <throng/engine/crowd/store/state.hpp>

#include <algorithm>
#include <cmath>

namespace throng::python {

namespace {

/// The way on one axis. On a periodic axis it begins at the nearest copy of `from`, as for the
/// library's distances.
float way_on(float from, float to, float period) noexcept {
    float way = to - from;
    if (period > 0.0f) {
        for (const float copy : {from - period, from + period}) {
            if (std::abs(to - copy) < std::abs(way)) { way = to - copy; }
        }
    }
    return way;
}

} // namespace

/// Puts the places of all agents in arrays by id.
template <std::size_t Dim>
void MeasuredHits<Dim>::gather(const Crowd<Dim>& crowd, Executor& executor) {
    agents_.resize(crowd.id_bound());
    statics_.resize(crowd.size(Sets::statics));
    numbers_.renew(*detail::state_of(crowd).statics);
    for (const NamedGrid<Dim>& set : crowd.grids()) {
        const RowGrid<Dim>& grid = *set.grid;
        std::vector<std::size_t> first(grid.parts().slices() + 1, 0); // agents before each slice
        for (std::size_t s = 0; s < grid.parts().slices(); ++s) {
            first[s + 1] = first[s] + grid.parts().agents_in(s, s + 1);
        }
        ids_.resize(first.back());
        places_.resize(first.back());
        executor.run(grid.parts().slices(), [&](std::size_t s) {
            const std::size_t count = first[s + 1] - first[s];
            const std::span ids = std::span(ids_).subspan(first[s], count);
            const std::span places = std::span(places_).subspan(first[s], count);
            (void)grid.parts().order(s, s + 1, ids);
            (void)grid.parts().positions(s, s + 1, places);
            for (std::size_t i = 0; i < count; ++i) {
                const Id name = set.name_of(ids[i]);
                (is_static(name) ? statics_[numbers_(name)] : agents_[name]) = places[i];
            }
        });
    }
}

template <std::size_t Dim>
void MeasuredHits<Dim>::measure(const Crowd<Dim>& crowd, Order order, bool wants_distances,
                                bool wants_ways, Executor& executor) {
    const auto total = static_cast<std::size_t>(hits.total());
    distances.resize(wants_distances ? total : 0);
    ways.resize(wants_ways ? total : 0);
    gather(crowd, executor);
    askers_.resize(order == Order::storage ? crowd.size() : 0);
    if (order == Order::storage) { (void)crowd.order(askers_); }
    Point<Dim> period{}; // only of periodic axes
    for (std::size_t a = 0; a < Dim; ++a) {
        const auto& bounds = crowd.settings().bounds;
        if (crowd.settings().periodic[a]) { period[a] = bounds->hi[a] - bounds->lo[a]; }
    }
    constexpr std::size_t kLists = 512;
    const std::size_t lists = hits.offsets.empty() ? 0 : hits.offsets.size() - 1;
    executor.run((lists + kLists - 1) / kLists, [&](std::size_t block) {
        const std::size_t end = std::min(lists, (block + 1) * kLists);
        for (std::size_t list = block * kLists; list < end; ++list) {
            const std::size_t from = hits.offsets[list], to = hits.offsets[list + 1];
            if (from == to) { continue; } // the list may be that of an id without an agent
            const Point<Dim> own = agents_[askers_.empty() ? list : askers_[list]];
            for (std::size_t i = from; i < to; ++i) {
                const Id id = hits.ids[i];
                const Point<Dim>& other = is_static(id) ? statics_[numbers_(id)] : agents_[id];
                Point<Dim> way;
                float sum = 0.0f;
                for (std::size_t a = 0; a < Dim; ++a) {
                    way[a] = way_on(own[a], other[a], period[a]);
                    sum += way[a] * way[a];
                }
                if (wants_distances) { distances[i] = std::sqrt(sum); }
                if (wants_ways) { ways[i] = way; }
            }
        }
    });
}

template <std::size_t Dim>
std::size_t MeasuredHits<Dim>::memory() const noexcept {
    const auto bytes = [](const auto& array) { return array.capacity() * sizeof(array[0]); };
    return bytes(hits.offsets) + bytes(hits.ids) + bytes(distances) + bytes(ways) + bytes(askers_) +
           bytes(agents_) + bytes(statics_) + bytes(ids_) + bytes(places_);
}

template struct MeasuredHits<2>;
template struct MeasuredHits<3>;

} // namespace throng::python
