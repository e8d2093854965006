// Who is nearest in a crowd, and whom a path meets.
#include "crowd.hpp"

#include "crowd_images.hpp"
#include "crowd_state.hpp"
#include "near_merge.hpp"
#include "path_choice.hpp"
#include "query_planner.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

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
    Nearest nearer = nearest;
    state_->for_each_large(sets, [&](const auto& set) {
        // Who is farther away than the last of k does not matter any more.
        if (found.count == nearest.k) {
            const float last = radius_over(out[nearest.k - 1].distance2);
            nearer.radius = std::min(nearer.radius, last);
        }
        const std::size_t count = set.nearest(point, nearer, others, filter);
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
    // Each is asked about the way up to whom the others have found, no further.
    const auto ask_up_to_best = [&](const auto& ask) {
        const auto part = best.id == kNoId ? std::nullopt : until(path, best.time);
        if (part) {
            ask(*part);
        } else {
            ask(path);
        }
    };
    const auto ask_small = [&] {
        if (!has(sets, Sets::small)) { return; }
        ask_up_to_best([&](const auto& way) {
            Meeting met;
            if (state_->grid.first(way, met, filter).count != 0) { best = std::min(best, met); }
        });
    };
    const auto ask_large = [&] {
        state_->for_each_large(sets, [&](const auto& set) {
            ask_up_to_best([&](const auto& way) { best = set.first(way, filter, best); });
            return true;
        });
    };
    // Trees cost by whom they meet on the way, the grid by how far it has to look.
    if (PathChoice<Dim>::is_sparse(state_->grid, path)) {
        ask_large();
        ask_small();
    } else {
        ask_small();
        ask_large();
    }
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
