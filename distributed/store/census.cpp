#include "census.hpp"

#include "../../engine/agents/grid_shape.hpp"
#include "../agreement.hpp"

#include <algorithm>

namespace throng {

template <std::size_t Dim>
void Census<Dim>::renew(std::span<const GlobalId> names, std::size_t owned) noexcept {
    names_.assign(names.begin(), names.end());
    owned_ = owned;
    current_ = false;
}

template <std::size_t Dim>
Id Census<Dim>::below(GlobalId name) const noexcept {
    const auto end = names_.begin() + static_cast<std::ptrdiff_t>(owned_);
    return static_cast<Id>(std::lower_bound(names_.begin(), end, name) - names_.begin());
}

template <std::size_t Dim>
Vector<Id> Census<Dim>::below_each(std::size_t first, std::size_t past) const {
    Vector<Id> below;
    below.reserve(past - first + 1);
    Id own = 0;
    for (std::size_t ghost = first; ghost < past; ++ghost) {
        while (own < owned_ && names_[own] < names_[ghost]) {
            ++own;
        }
        below.push_back(own);
    }
    return below;
}

template <std::size_t Dim>
Id Census<Dim>::find(GlobalId name) const noexcept {
    if (name == kNoGlobalId) { return kNoId; }
    const Id id = below(name);
    return id < owned_ && names_[id] == name ? id : kNoId;
}

template <std::size_t Dim>
void Census<Dim>::look(const RowGrid<Dim>& grid, const GridShape<Dim>& whole, std::uint32_t ranks) {
    bounds_.make_room(ranks);
    words_.resize(ranks * RankBox<Dim>::kWords);
    rows_.resize(owned_);
    box_ = {};
    for_each_place(grid, [&](Id id, const Point<Dim>& place) {
        if (id >= owned_) { return; }
        rows_[id] = whole.row_of(place);
        box_.add(Box<Dim>::at(place));
        ++box_.agents;
    });
}

template <std::size_t Dim>
Status Census<Dim>::share(Ranks& ranks, const Point<Dim>& largest_half_extent) {
    const auto own = box_.words();
    const Status gathered = or_lost([&] { return ranks.gather(own, words_); });
    if (!gathered.ok()) { return gathered; }
    bounds_.take(words_, largest_half_extent);
    current_ = true;
    return {};
}

template class Census<2>;
template class Census<3>;

} // namespace throng
