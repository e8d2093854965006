// What a rank has after an update: those who stay and those who come, in the order of ids.
#include "share_update.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace throng {

namespace {

/// What it takes to copy an element of an array, in nanoseconds.
constexpr double kCopy = 0.5;

GlobalId id_at(const std::byte* bytes, std::size_t index) noexcept {
    GlobalId id;
    std::memcpy(&id, bytes + index * sizeof id, sizeof id);
    return id;
}

} // namespace

template <std::size_t Dim>
void ShareUpdate<Dim>::add(std::uint32_t source, std::uint32_t first, std::size_t count) {
    if (!runs_.empty()) {
        Run& last = runs_.back();
        if (last.source == source && last.first + last.count == first) {
            last.count += count;
            return;
        }
    }
    runs_.push_back({source, first, count});
}

/// Those in places from ... to - 1 who stay.
template <std::size_t Dim>
void ShareUpdate<Dim>::add_own(std::size_t from, std::size_t to) {
    auto leaver = std::lower_bound(left_.begin(), left_.end(), from);
    while (from < to) {
        const std::size_t end = leaver != left_.end() && *leaver < to ? *leaver++ : to;
        if (order_.empty()) {
            // Ghosts of the frame before lie between the owned and the births.
            const std::size_t owned = std::clamp(mine_.owned_, from, end);
            if (owned > from) { add(0, agent(from), owned - from); }
            if (end > owned) { add(0, agent(owned), end - owned); }
        } else {
            for (std::size_t at = from; at < end; ++at) {
                add(0, order_[at], 1);
            }
        }
        from = end == to ? to : end + 1;
    }
}

template <std::size_t Dim>
void ShareUpdate<Dim>::merge_owned() {
    Vector<Newcomer> come;
    for (std::size_t s = 1; s < sources_.size(); ++s) {
        for (std::size_t i = 0; i < sources_[s].movers; ++i) {
            come.push_back({id_at(sources_[s].bytes, i), static_cast<std::uint32_t>(s),
                            static_cast<std::uint32_t>(i)});
        }
    }
    std::sort(come.begin(), come.end());
    came_ = come.size();
    next_owned_ = agents() - left_.size() + came_;
    std::size_t at = 0;
    for (const Newcomer& one : come) {
        std::size_t past = agents();
        for (std::size_t low = at; low < past;) { // the first who comes after it
            const std::size_t middle = low + (past - low) / 2;
            if (mine_.ids[agent(middle)] < one.id) {
                low = middle + 1;
            } else {
                past = middle;
            }
        }
        add_own(at, past);
        at = past;
        add(one.source, one.index, 1);
    }
    add_own(at, agents());
}

template <std::size_t Dim>
void ShareUpdate<Dim>::merge_ghosts() {
    Vector<Newcomer> come;
    for (const Id id : own_ghosts_) {
        come.push_back({mine_.ids[id], 0, id});
    }
    std::size_t bytes = 0; // of a mover
    for_each_array([&](const detail::ShareArray& array) { bytes += array.bytes; });
    for (std::size_t s = 1; s < sources_.size(); ++s) {
        const Source& source = sources_[s];
        for (std::size_t i = 0; i < source.ghosts; ++i) {
            come.push_back({id_at(source.bytes + bytes * source.movers, i),
                            static_cast<std::uint32_t>(s),
                            static_cast<std::uint32_t>(source.movers + i)});
        }
    }
    std::sort(come.begin(), come.end());
    next_ghosts_ = come.size();
    for (const Newcomer& one : come) {
        // Not joined to the owned, whose arrays may travel with them alone.
        runs_.push_back({one.source, one.index, 1});
    }
}

/// Fills the next array of the `which`-th.
template <std::size_t Dim>
void ShareUpdate<Dim>::copy(detail::ShareArray& array, std::size_t which) {
    const bool all = array.travels == Travels::with_ghosts;
    std::byte* to = array.prepare(next_owned_ + next_ghosts_);
    // Where the movers and the ghosts of each source are.
    Vector<std::pair<const std::byte*, const std::byte*>> from;
    for (const Source& source : sources_) {
        const std::byte* movers = source.bytes;
        const std::byte* ghosts = source.bytes;
        std::size_t i = 0;
        for_each_array([&](const detail::ShareArray& other) {
            ghosts += source.movers * other.bytes;
            if (i < which) {
                movers += source.movers * other.bytes;
                if (other.travels == Travels::with_ghosts) {
                    ghosts += source.ghosts * other.bytes;
                }
            }
            ++i;
        });
        from.push_back({movers, ghosts});
    }
    std::size_t written = 0;
    for (const Run& run : runs_) {
        const bool ghost = written >= next_owned_;
        if (ghost && !all) { break; }
        const std::byte* source = nullptr;
        if (run.source == 0) {
            source = array.now() + run.first * array.bytes;
        } else {
            const std::size_t movers = sources_[run.source].movers;
            source = run.first < movers
                         ? from[run.source].first + run.first * array.bytes
                         : from[run.source].second + (run.first - movers) * array.bytes;
        }
        std::memcpy(to, source, run.count * array.bytes);
        to += run.count * array.bytes;
        written += run.count;
    }
    if (!all && next_ghosts_ != 0) { std::memset(to, 0, next_ghosts_ * array.bytes); }
}

template <std::size_t Dim>
Status ShareUpdate<Dim>::merge() {
    merge_owned();
    merge_ghosts();
    if (next_owned_ + next_ghosts_ > kMaxAgents) { return {Cause::too_many, Argument::positions}; }
    const bool all_stay = left_.empty() && came_ == 0;
    unchanged_ = all_stay && order_.empty() && mine_.ghosts_ == 0 && next_ghosts_ == 0;
    next_window_ = state_.window;
    if (unchanged_) { return {}; }
    std::vector<detail::ShareArray*> arrays;
    for_each_array([&](detail::ShareArray& array) { arrays.push_back(&array); });
    const Status copied = run_blocks(
        executor_, arrays.size(), [&](std::size_t which) { copy(*arrays[which], which); },
        state_.claims, LoopCost::of(arrays.size() * (next_owned_ + next_ghosts_), kCopy));
    return copied.ok() ? widen_window() : copied;
}

/// The window has the cells of all ghosts: one outside of it would share a border cell with others,
/// and their order would not be that of the whole. It never shrinks, since to lay the grid out anew
/// takes longer than a few empty rows.
template <std::size_t Dim>
Status ShareUpdate<Dim>::widen_window() {
    const auto* const positions =
        reinterpret_cast<const Point<Dim>*>(mine_.positions_array_.next());
    for (std::size_t i = next_owned_; i < next_owned_ + next_ghosts_; ++i) {
        for (std::size_t a = 0; a < Dim; ++a) {
            const std::uint32_t cell = state_.whole.cell_on(a, positions[i][a]);
            std::uint32_t& first = next_window_.first[a];
            std::uint32_t& cells = next_window_.cells[a];
            const std::uint32_t past = std::max(first + cells, cell + 1);
            widened_ = widened_ || cell < first || cell >= first + cells;
            first = std::min(first, cell);
            cells = past - first;
        }
    }
    return {};
}

/// The local grid sorts its next frame, and before it is put in place all ranks agree that they
/// have got as far. What follows cannot fail.
template <std::size_t Dim>
Status ShareUpdate<Dim>::commit(std::uint64_t call) {
    const std::size_t count = next_owned_ + next_ghosts_;
    const auto data = [&]<class T>(const detail::ShareArrayOf<T>& array) {
        return reinterpret_cast<const float*>(unchanged_ ? array.now() : array.next());
    };
    Agents<Dim> agents;
    agents.positions = PointView<Dim>::interleaved(data(mine_.positions_array_), count);
    agents.common_half_extent = state_.kind.common_half_extent;
    if (state_.kind.own_half_extents) {
        agents.half_extents = PointView<Dim>::interleaved(data(mine_.half_extents_array_), count);
    }
    if (state_.kind.groups) {
        agents.groups = {data(mine_.groups_array_), sizeof(std::uint32_t), count};
    }
    std::optional<RowGrid<Dim>> wider;
    bool asked = false;
    Status settled{Cause::rank_lost}; // until all have agreed
    const auto all_agree = [&] {
        asked = true;
        return settled = state_.settle(call, {});
    };
    const Status updated = without_throwing([&] {
        if (!widened_) { return state_.grid.update(agents, executor_, all_agree); }
        const auto [window, status] =
            window_in(state_.whole, next_window_.first, next_window_.cells);
        if (!status.ok()) { return status; }
        const Status laid = wider.emplace().use(window, state_.kind);
        return laid.ok() ? wider->update(agents, executor_, all_agree) : laid;
    });
    if (!asked) { settled = state_.settle(call, updated); }
    if (!settled.ok()) { return settled; }
    if (widened_) { state_.grid = std::move(*wider); }
    if (!unchanged_) {
        for_each_array([](detail::ShareArray& array) { array.commit(); });
    }
    state_.stats.laid_out = widened_;
    state_.stats.left = left_.size();
    state_.stats.came = came_;
    state_.stats.owned = state_.owned = mine_.owned_ = next_owned_;
    state_.stats.ghosts = mine_.ghosts_ = next_ghosts_;
    state_.window = next_window_;
    return {};
}

template class ShareUpdate<2>;
template class ShareUpdate<3>;

} // namespace throng
