// Whom a path meets, and when.
#include "row_grid.hpp"

#include "../simd/cast.hpp"
#include "row_grid_ask.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace throng {

template <std::size_t Dim>
struct RowGrid<Dim>::AskingPaths {
    template <class Path>
    static Found first(const State& state, const Path& path, Meeting& meeting,
                       const Filter& filter) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = check_shape(path);
        if (!status.ok() || state.has_nobody_for(filter)) { return {0, status}; }
        BlockOf<Path> block;
        put(block, 0, path);
        const View<Dim> view(state.store, state.reach);
        const simd::Met met =
            simd::cast_first(view.grid, block, leave_out(state.store, state.row_of, filter));
        if (met.id == kNoId) { return {}; }
        meeting = {met.time, met.id};
        return {1, {}};
    }

    template <class Path>
    static Status all(const State& state, const Path& path, std::vector<Meeting>& meetings,
                      const Filter& filter) {
        const Phase::Reading reading(state.phase);
        const Status status = check_shape(path);
        if (!status.ok()) { return status; }
        meetings.clear();
        if (state.has_nobody_for(filter)) { return {}; }
        BlockOf<Path> block;
        put(block, 0, path);
        const View<Dim> view(state.store, state.reach);
        const simd::LeaveOut left_out = leave_out(state.store, state.row_of, filter);
        std::array<std::uint32_t, kRun + simd::kSlack> times;
        std::array<Id, kRun + simd::kSlack> ids;
        simd::Walk walk;
        for (bool done = false; !done;) {
            simd::MetOutput out = {times.data(), ids.data(), ids.data() + kRun};
            done = simd::cast_all(view.grid, block, left_out, walk, out);
            const auto count = static_cast<std::size_t>(out.ids - ids.data());
            for (std::size_t i = 0; i < count; ++i) {
                meetings.push_back({std::bit_cast<float>(times[i]), ids[i]});
            }
        }
        std::sort(meetings.begin(), meetings.end());
        return {};
    }

private:
    static constexpr std::size_t kRun = 512; ///< meetings on their way out of the kernel
};

template <std::size_t Dim>
template <PathIn<Dim> Path>
Found RowGrid<Dim>::first(const Path& path, Meeting& meeting, const Filter& filter) const {
    return AskingPaths::first(*state_, path, meeting, filter);
}
template <std::size_t Dim>
template <PathIn<Dim> Path>
Status RowGrid<Dim>::meetings(const Path& path, std::vector<Meeting>& meetings,
                              const Filter& filter) const {
    return AskingPaths::all(*state_, path, meetings, filter);
}

#define THRONG_FOR_PATH(Path, Dim)                                                                 \
    template Found RowGrid<Dim>::first(const Path<Dim>&, Meeting&, const Filter&) const;           \
    template Status RowGrid<Dim>::meetings(const Path<Dim>&, std::vector<Meeting>&, const Filter&) \
        const;
THRONG_FOR_EACH_PATH(THRONG_FOR_PATH)
#undef THRONG_FOR_PATH

} // namespace throng
