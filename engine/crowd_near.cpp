// Who is nearest in a crowd, and whom a path meets.
#include "crowd.hpp"

#include "crowd_images.hpp"
#include "crowd_state.hpp"
#include "near_merge.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace throng {

template <std::size_t Dim>
Found Crowd<Dim>::nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                          const Filter& filter, Sets sets) const {
    const Phase::Reading reading(state_->phase);
    if (state_->world.wraps) { return Images(*state_, sets).nearest(point, nearest, out, filter); }
    Filter of_small = filter;
    if (!has(sets, Sets::small)) { of_small.groups = 0; } // nobody
    Found found = state_->grid.nearest(point, nearest, out, of_small);
    if (!found.status.ok() || nearest.k == 0 || filter.groups == 0 || state_->only_grid(sets)) {
        return found;
    }
    std::array<Near, kMostNearest> room;
    const std::span<Near> others = std::span<Near>(room).first(nearest.k);
    state_->for_each_large(sets, [&](const auto& set) {
        const std::size_t count = set.nearest(point, nearest, others, filter);
        found.count = merge_nearest(out.first(nearest.k), found.count, others.first(count));
        return true;
    });
    return found;
}

template <std::size_t Dim>
template <PathIn<Dim> Path>
Found Crowd<Dim>::first(const Path& path, Meeting& meeting, const Filter& filter, Sets sets) const {
    const Phase::Reading reading(state_->phase);
    if (state_->world.wraps) { return Images(*state_, sets).first(path, meeting, filter); }
    if (const Status status = check_shape(path); !status.ok()) { return {0, status}; }
    // Nobody yet: later than anybody.
    Meeting best{std::numeric_limits<float>::infinity(), kNoId};
    if (has(sets, Sets::small)) { (void)state_->grid.first(path, best, filter); }
    state_->for_each_large(sets, [&](const auto& set) {
        best = set.first(path, filter, best);
        return true;
    });
    if (best.id == kNoId) { return {}; }
    meeting = best;
    return {1, {}};
}

template <std::size_t Dim>
template <PathIn<Dim> Path>
Status Crowd<Dim>::meetings(const Path& path, std::vector<Meeting>& meetings, const Filter& filter,
                            Sets sets) const {
    const Phase::Reading reading(state_->phase);
    if (state_->world.wraps) { return Images(*state_, sets).meetings(path, meetings, filter); }
    Filter of_small = filter;
    if (!has(sets, Sets::small)) { of_small.groups = 0; } // nobody
    const Status status = state_->grid.meetings(path, meetings, of_small);
    if (!status.ok() || state_->only_grid(sets)) { return status; }
    state_->for_each_large(sets, [&](const auto& set) {
        set.meetings(path, filter, meetings);
        return true;
    });
    std::sort(meetings.begin(), meetings.end());
    return {};
}

#define THRONG_FOR_PATH(Path, Dim)                                                                 \
    template Found Crowd<Dim>::first(const Path<Dim>&, Meeting&, const Filter&, Sets) const;       \
    template Status Crowd<Dim>::meetings(const Path<Dim>&, std::vector<Meeting>&, const Filter&,   \
                                         Sets) const;
THRONG_FOR_EACH_PATH(THRONG_FOR_PATH)
#undef THRONG_FOR_PATH

template Found Crowd<2>::nearest(const Point<2>&, const Nearest&, std::span<Near>, const Filter&,
                                 Sets) const;
template Found Crowd<3>::nearest(const Point<3>&, const Nearest&, std::span<Near>, const Filter&,
                                 Sets) const;

} // namespace throng
