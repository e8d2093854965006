// Merges the agents that stay and the agents that come, in the order of ids.
#include "share_update.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace throng {

namespace {

GlobalId id_at(const std::byte* bytes, std::size_t index) noexcept {
    GlobalId id;
    std::memcpy(&id, bytes + index * sizeof id, sizeof id);
    return id;
}

/// std::merge() without its branch: which input is next is random and cannot be predicted.
template <class T>
void merge_two(std::span<const T> first, std::span<const T> second, T* to) noexcept {
    const T* a = first.data();
    const T* b = second.data();
    const T* const a_end = a + first.size();
    const T* const b_end = b + second.size();
    while (a != a_end && b != b_end) {
        const std::size_t is_b = *b < *a ? 1 : 0;
        *to++ = *(is_b != 0 ? b : a);
        a += 1 - is_b;
        b += is_b;
    }
    std::copy(b, b_end, std::copy(a, a_end, to));
}

} // namespace

/// Finds the arrays in each source.
template <std::size_t Dim>
void ShareUpdate<Dim>::find_parts() {
    std::size_t bytes = 0; // of a mover
    for_each_array([&](detail::ShareArray& array) {
        arrays_.push_back(&array);
        bytes += array.bytes;
    });
    Vector<Part> next;
    next.reserve(sources_.size());
    parts_.reserve(arrays_.size() * sources_.size());
    for (const Source& source : sources_) {
        next.push_back({source.bytes, source.bytes + source.movers * bytes});
    }
    for (const detail::ShareArray* const array : arrays_) {
        parts_.insert(parts_.end(), next.begin(), next.end());
        for (std::size_t s = 0; s < sources_.size(); ++s) {
            next[s].movers += sources_[s].movers * array->bytes;
            if (array->travels == Travels::with_ghosts) {
                next[s].ghosts += sources_[s].ghosts * array->bytes;
            }
        }
    }
}

/// Lists movers or ghosts of all sources, those in the range of each, by id. Each source has them
/// in that order already; those of one id are all in one source, and keep their order.
template <std::size_t Dim>
template <class RangeOf>
void ShareUpdate<Dim>::list(const std::byte* Part::*part, const RangeOf& range_of) {
    std::size_t all = 0;
    Vector<std::size_t> ends(sources_.size()); // of lists
    for (std::size_t s = 0; s < sources_.size(); ++s) {
        const Range range = range_of(sources_[s]);
        ends[s] = all += range.past - range.first;
    }
    come_.resize(all);
    Newcomer* to = come_.data();
    for (std::size_t s = 0; s < sources_.size(); ++s) {
        const Range range = range_of(sources_[s]);
        for (std::size_t i = range.first; i < range.past; ++i) {
            *to++ = {id_at(parts_[s].*part, i), static_cast<std::uint32_t>(s),
                     static_cast<std::uint32_t>(i)};
        }
    }
    merged_.resize(all);
    while (ends.size() > 1) { // merges neighbouring lists in pairs
        std::size_t begin = 0, kept = 0;
        for (std::size_t i = 0; i < ends.size(); i += 2) {
            const std::size_t middle = ends[i], end = ends[std::min(i + 1, ends.size() - 1)];
            merge_two<Newcomer>(std::span(come_).subspan(begin, middle - begin),
                                std::span(come_).subspan(middle, end - middle),
                                merged_.data() + begin);
            ends[kept++] = begin = end;
        }
        ends.resize(kept);
        come_.swap(merged_);
    }
}

template <std::size_t Dim>
void ShareUpdate<Dim>::add(Id first, std::size_t count) {
    if (!runs_.empty()) {
        Run& last = runs_.back();
        if (last.from + last.count == first && last.to + last.count == next_owned_) {
            last.count += static_cast<std::uint32_t>(count);
            next_owned_ += count;
            return;
        }
    }
    runs_.push_back({first, static_cast<Id>(next_owned_), static_cast<std::uint32_t>(count)});
    next_owned_ += count;
}

/// Adds the agents at places from ... to - 1 that stay.
template <std::size_t Dim>
void ShareUpdate<Dim>::add_own(std::size_t from, std::size_t to) {
    auto leaver = std::lower_bound(left_.begin(), left_.end(), from);
    while (from < to) {
        const std::size_t end = leaver != left_.end() && *leaver < to ? *leaver++ : to;
        if (order_.empty()) {
            // Ghosts of the frame before lie between the owned agents and the births.
            const std::size_t owned = std::clamp(mine_.owned_, from, end);
            if (owned > from) { add(agent(from), owned - from); }
            if (end > owned) { add(agent(owned), end - owned); }
        } else {
            for (std::size_t at = from; at < end; ++at) {
                add(order_[at], 1);
            }
        }
        from = end == to ? to : end + 1;
    }
}

template <std::size_t Dim>
void ShareUpdate<Dim>::merge_owned() {
    list(&Part::movers, [](const Source& source) { return Range{0, source.movers}; });
    movers_.reserve(come_.size());
    if (order_.empty()) { runs_.reserve(come_.size() + left_.size() + 2); }
    std::size_t at = 0;
    for (const Newcomer& one : come_) {
        std::size_t past = agents();
        for (std::size_t low = at; low < past;) { // the first own agent after it
            const std::size_t middle = low + (past - low) / 2;
            if (mine_.ids[agent(middle)] < one.id) {
                low = middle + 1;
            } else {
                past = middle;
            }
        }
        add_own(at, past);
        at = past;
        movers_.push_back({static_cast<Id>(next_owned_++), one.source, one.index});
    }
    add_own(at, agents());
}

template <std::size_t Dim>
void ShareUpdate<Dim>::merge_ghosts() {
    const auto add_listed = [&] {
        ghosts_.reserve(ghosts_.size() + come_.size());
        for (const Newcomer& one : come_) {
            const auto id = static_cast<Id>(next_owned_ + next_ghosts_++);
            ghosts_.push_back({id, one.source, one.index});
        }
    };
    list(&Part::ghosts, [](const Source& source) {
        return Range{0, source.ghosts - source.moved};
    });
    add_listed();
    // In a cell, ghosts beyond a border follow all agents of the world, whoever owns the cell.
    list(&Part::ghosts, [](const Source& source) {
        return Range{source.ghosts - source.moved, source.ghosts};
    });
    next_moved_ = come_.size();
    add_listed();
}

template <std::size_t Dim>
Status ShareUpdate<Dim>::merge() {
    std::size_t most = agents();
    for (const Source& source : sources_) {
        most += source.movers + source.ghosts;
    }
    // Counts leavers too, so that no intermediate number exceeds the range of local ids.
    if (most > kMaxAgents) { return {Cause::too_many, Argument::positions}; }
    find_parts();
    merge_owned();
    merge_ghosts();
    unchanged_ = left_.empty() && movers_.empty() && order_.empty() && mine_.ghosts_ == 0 &&
                 next_ghosts_ == 0;
    widened_ = &layout_ != &state_.layout;
    next_window_ = widened_ ? layout_.window : state_.window;
    if (unchanged_) { return {}; }
    widen_window();
    return begin_arrays();
}

/// The window must have the cells of all ghosts: a ghost outside would share a border cell with
/// others, and their order would not be that of the whole grid. The window never shrinks, since
/// laying out the grid anew takes longer than a few empty rows.
template <std::size_t Dim>
void ShareUpdate<Dim>::widen_window() {
    Box<Dim> all = {Point<Dim>::all(kLargest), Point<Dim>::all(-kLargest)};
    bool seen = false; // whether there is a ghost that is no giant
    for (std::size_t s = 0; s < sources_.size(); ++s) {
        // Arrays come in this order: ids, positions, half extents.
        const std::byte* const places = parts_[sources_.size() + s].ghosts;
        const std::byte* const halves =
            state_.kind.own_half_extents ? parts_[2 * sources_.size() + s].ghosts : nullptr;
        for (std::size_t i = 0; i < sources_[s].ghosts; ++i) {
            Point<Dim> place, half;
            std::memcpy(&place, places + i * sizeof place, sizeof place);
            if (halves != nullptr) {
                std::memcpy(&half, halves + i * sizeof half, sizeof half);
                if (state_.is_giant(half)) { continue; } // giants are not in the grid
            }
            seen = true;
            for (std::size_t a = 0; a < Dim; ++a) {
                all.lo[a] = std::min(all.lo[a], place[a]);
                all.hi[a] = std::max(all.hi[a], place[a]);
            }
        }
    }
    for (std::size_t a = 0; a < Dim && seen; ++a) {
        const std::uint32_t lowest = state_.whole.cell_on(a, all.lo[a]);
        const std::uint32_t past = state_.whole.cell_on(a, all.hi[a]) + 1;
        std::uint32_t& first = next_window_.first[a];
        std::uint32_t& cells = next_window_.cells[a];
        const std::uint32_t end = std::max(first + cells, past);
        widened_ = widened_ || lowest < first || end > first + cells;
        first = std::min(first, lowest);
        cells = end - first;
    }
}

/// The local grid sorts its next frame; before it replaces the old one, all ranks agree that they
/// have got this far. The steps after that cannot fail.
template <std::size_t Dim>
Status ShareUpdate<Dim>::commit(std::uint64_t call) {
    const std::size_t count = next_owned_ + next_ghosts_;
    const auto data = [&](const detail::ShareArray& array) {
        bool in_place = unchanged_;
        for (std::size_t which = 0; which < new_.size(); ++which) {
            in_place = in_place || (arrays_[which] == &array && new_[which].in_place);
        }
        return in_place ? array.now() : array.next();
    };
    const auto floats = [&](const detail::ShareArray& array) {
        return reinterpret_cast<const float*>(data(array));
    };
    std::span<const GlobalId> keys;
    Agents<Dim> agents;
    agents.positions = PointView<Dim>::interleaved(floats(mine_.positions_array_), count);
    agents.common_half_extent = state_.kind.common_half_extent;
    if (state_.kind.own_half_extents) {
        agents.half_extents = PointView<Dim>::interleaved(floats(mine_.half_extents_array_), count);
        keys = {reinterpret_cast<const GlobalId*>(data(mine_.ids_array_)), count};
    }
    if (state_.kind.groups) {
        agents.groups = {data(mine_.groups_array_), sizeof(std::uint32_t), count};
    }
    std::optional<CrowdPart<Dim>> wider;
    bool asked = false;
    Status settled{Cause::rank_lost}; // until all have agreed
    const auto all_agree = [&] {
        asked = true;
        return settled = state_.settle(call, {});
    };
    const Status updated = without_throwing([&] {
        state_.census.make_room(count);
        if (!widened_) { return state_.part.update(agents, keys, executor_, all_agree); }
        const auto [window, status] =
            window_in(state_.whole, next_window_.first, next_window_.cells);
        if (!status.ok()) { return status; }
        const Status laid = wider.emplace().use(window, state_.whole, state_.kind);
        if (!laid.ok()) { return laid; }
        wider->take_statics(state_.part.crowd());
        return wider->update(agents, keys, executor_, all_agree);
    });
    if (!asked) { settled = state_.settle(call, updated); }
    if (!settled.ok()) { return settled; }
    if (widened_) { state_.part = std::move(*wider); }
    if (!unchanged_) { end_arrays(); }
    done_ = true;
    state_.census.renew(mine_.ids, next_owned_);
    state_.stats.asked = state_.stats.answered = 0;
    state_.stats.laid_out = widened_;
    state_.stats.left = left_.size();
    state_.stats.came = movers_.size();
    state_.stats.owned = state_.owned = mine_.owned_ = next_owned_;
    state_.stats.ghosts = mine_.ghosts_ = next_ghosts_;
    state_.first_moved = next_owned_ + next_ghosts_ - next_moved_;
    state_.stats.giants = state_.part.giants().size();
    state_.window = next_window_;
    state_.stats.neighbours = layout_.neighbours.size();
    if (&layout_ != &state_.layout) {
        state_.layout = std::move(layout_);
        state_.next_layout.reset();
    }
    return {};
}

template class ShareUpdate<2>;
template class ShareUpdate<3>;

} // namespace throng
