#include "shape_copies.hpp"

#include "../../engine/crowd/periodic/periodic_shape.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace throng {

template <std::size_t Dim>
Status ShapeCopies<Dim>::make(const WorldWrap<Dim>& world, const ShapesView<Dim>& shapes,
                              std::span<const GlobalFilter> filters, const Point<Dim>& largest,
                              Take take) {
    copies_ = shapes;
    filters_ = filters;
    if (!world.wraps) { return {}; }
    const std::size_t size = shape_size<Dim>(shapes.kind);
    begin_.assign(1, 0);
    for (std::size_t q = 0; q < shapes.count; ++q) {
        const PeriodicShape<Dim> periodic(world, shapes.part(q, 1));
        if (!periodic.status().ok()) {
            return {periodic.status().cause, periodic.status().argument, q};
        }
        const auto near = periodic.reaching(largest);
        const bool asked = take == Take::all || near.may_hit_twice() == (take == Take::twice);
        for (std::size_t i = 0; asked && i < near.size(); ++i) {
            const AnyShape<Dim> copy = near[i];
            const auto* const from = static_cast<const std::byte*>(copy.view().shapes);
            bytes_.insert(bytes_.end(), from, from + size);
            if (filters.size() > 1) { each_.push_back(filters[q]); }
        }
        begin_.push_back(bytes_.size() / size);
        twice_.push_back(near.may_hit_twice() ? 1 : 0);
    }
    copies_ = {shapes.kind, bytes_.data(), begin_.back()};
    if (filters.size() > 1) {
        // One filter would be taken for that of all shapes, which it then is.
        filters_ = std::span<const GlobalFilter>(each_).first(copies_.count);
    }
    return {};
}

template <std::size_t Dim>
void ShapeCopies<Dim>::fold(GlobalHits& hits) const {
    if (!wraps()) { return; }
    std::vector<std::uint64_t> offsets(1, 0);
    std::unordered_set<GlobalId> found;
    std::size_t kept = 0;
    for (std::size_t q = 0; q + 1 < begin_.size(); ++q) {
        found.clear();
        for (auto at = static_cast<std::size_t>(hits.offsets[begin_[q]]);
             at < hits.offsets[begin_[q + 1]]; ++at) {
            const GlobalId id = hits.ids[at];
            if (twice_[q] == 0 || found.insert(id).second) { hits.ids[kept++] = id; }
        }
        offsets.push_back(kept);
    }
    hits.ids.resize(kept);
    hits.offsets = std::move(offsets);
}

template <std::size_t Dim>
void ShapeCopies<Dim>::fold(GlobalMeetings& meetings) const {
    if (!wraps()) { return; }
    std::vector<GlobalMeeting> all, one;
    std::vector<std::uint64_t> offsets(1, 0);
    for (std::size_t q = 0; q + 1 < begin_.size(); ++q) {
        const auto from = [&](std::size_t copy) {
            return meetings.meetings.begin() + static_cast<std::ptrdiff_t>(meetings.offsets[copy]);
        };
        one.assign(from(begin_[q]), from(begin_[q + 1]));
        std::sort(one.begin(), one.end(), [](const GlobalMeeting& a, const GlobalMeeting& b) {
            return a.id != b.id ? a.id < b.id : a.time < b.time;
        });
        const auto same = [](const GlobalMeeting& a, const GlobalMeeting& b) {
            return a.id == b.id;
        };
        one.erase(std::unique(one.begin(), one.end(), same), one.end());
        std::sort(one.begin(), one.end());
        all.insert(all.end(), one.begin(), one.end());
        offsets.push_back(all.size());
    }
    meetings.meetings = std::move(all);
    meetings.offsets = std::move(offsets);
}

template <std::size_t Dim>
void ShapeCopies<Dim>::fold(std::vector<GlobalMeeting>& met) const {
    if (!wraps()) { return; }
    std::vector<GlobalMeeting> earliest(begin_.size() - 1);
    fold(std::span(earliest), [&](const GlobalMeeting& best, std::size_t copy) {
        const GlobalMeeting& next = met[copy];
        const bool better = next.id != kNoGlobalId && (best.id == kNoGlobalId || next < best);
        return better ? next : best;
    });
    met = std::move(earliest);
}

template class ShapeCopies<2>;
template class ShapeCopies<3>;

} // namespace throng
