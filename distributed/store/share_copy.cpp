// Changes the arrays of a rank at the end of an update.
//
// After the first update agents are in the order of ids, and those that stay keep that order. So
// arrays need no second copy: only elements between leavers and newcomers move, by a few places.
// Arrays that the local grid reads move before the last agreement, and back again if it is a
// refusal; the others wait until nothing can fail any more.
#include "share_update.hpp"

#include <algorithm>
#include <cstring>

namespace throng {

namespace {

/// Nanoseconds to copy an element of an array.
constexpr double kCopy = 0.5;

} // namespace

/// Whether the array can be changed in place. An array with far too much memory, as after appends
/// by the user, is made anew.
template <std::size_t Dim>
bool ShareUpdate<Dim>::may_stay(const detail::ShareArray& array) const noexcept {
    const std::size_t count = next_owned_ + next_ghosts_, room = array.room();
    return order_.empty() && std::max(array.size(), count) <= room &&
           room <= count + count / 4 + 64;
}

template <std::size_t Dim>
bool ShareUpdate<Dim>::grid_reads(const detail::ShareArray& array) const noexcept {
    if (&array == &mine_.ids_array_) { return state_.kind.own_half_extents; } // giants are by id
    return &array == &mine_.positions_array_ || &array == &mine_.half_extents_array_ ||
           &array == &mine_.groups_array_;
}

template <std::size_t Dim>
LoopCost ShareUpdate<Dim>::cost_of_arrays() const noexcept {
    return LoopCost::of(arrays_.size() * (next_owned_ + next_ghosts_), kCopy);
}

/// Runs before the last agreement. If this or the agreement fails, the arrays have their old
/// contents when this update ends.
template <std::size_t Dim>
Status ShareUpdate<Dim>::begin_arrays() {
    had_ = mine_.ids.size();
    new_.resize(arrays_.size());
    for (std::size_t which = 0; which < arrays_.size(); ++which) {
        new_[which].in_place = may_stay(*arrays_[which]);
    }
    const Status status = run_blocks(
        executor_, arrays_.size(),
        [&](std::size_t which) {
            if (!new_[which].in_place) {
                copy(which);
            } else if (grid_reads(*arrays_[which])) {
                save(which);
            }
        },
        state_.claims, cost_of_arrays());
    if (!status.ok()) { return status; }
    moved_ = true;
    finish_blocks(
        executor_, arrays_.size(),
        [&](std::size_t which) {
            if (new_[which].in_place && grid_reads(*arrays_[which])) { move(which); }
        },
        state_.claims, cost_of_arrays());
    return {};
}

/// Runs after the last agreement.
template <std::size_t Dim>
void ShareUpdate<Dim>::end_arrays() noexcept {
    moved_ = false;
    finish_blocks(
        executor_, arrays_.size(),
        [&](std::size_t which) {
            detail::ShareArray& array = *arrays_[which];
            if (!new_[which].in_place) {
                array.commit();
            } else if (!grid_reads(array)) {
                move(which);
            }
        },
        state_.claims, cost_of_arrays());
}

template <std::size_t Dim>
ShareUpdate<Dim>::~ShareUpdate() {
    for (std::size_t which = 0; which < new_.size(); ++which) {
        arrays_[which]->drop();
        if (moved_ && new_[which].in_place && grid_reads(*arrays_[which])) { put_back(which); }
    }
    for (std::size_t block = 0; block < seen_.size() && !done_; ++block) {
        for (const Outsider& one : seen_[block].outsiders) {
            mine_.positions[one.agent] = one.place;
        }
    }
}

/// Builds the next array beside the present one.
template <std::size_t Dim>
void ShareUpdate<Dim>::copy(std::size_t which) {
    detail::ShareArray& array = *arrays_[which];
    std::byte* const to = array.prepare(next_owned_ + next_ghosts_);
    with_size(array.bytes, [&](auto size) {
        const std::byte* const from = array.now();
        for (const Run& run : runs_) {
            // If agents are not in order, most runs have one element: then a constant size is
            // faster.
            if (run.count == 1) {
                std::memcpy(to + run.to * size, from + run.from * size, size);
            } else {
                std::memcpy(to + run.to * size, from + run.from * size, run.count * size);
            }
        }
    });
    add_newcomers(to, which);
}

template <std::size_t Dim>
void ShareUpdate<Dim>::move(std::size_t which) noexcept {
    detail::ShareArray& array = *arrays_[which];
    const std::size_t count = next_owned_ + next_ghosts_;
    std::byte* const data = array.resize(std::max(array.size(), count));
    move_runs(data, array.bytes, false);
    add_newcomers(data, which);
    array.resize(count);
}

/// Moves the agents that stay, or moves them back. First the runs that go down move, from the
/// lowest on, then those that go up, from the highest on: all keep their order, so no run
/// overwrites one that has still to move.
template <std::size_t Dim>
void ShareUpdate<Dim>::move_runs(std::byte* data, std::size_t bytes, bool back) const noexcept {
    const auto move = [&](const Run& run, bool up) {
        const std::size_t from = back ? run.to : run.from, to = back ? run.from : run.to;
        if (up ? from < to : to < from) {
            std::memmove(data + to * bytes, data + from * bytes, run.count * bytes);
        }
    };
    for (const Run& run : runs_) {
        move(run, false);
    }
    for (std::size_t i = runs_.size(); i > 0; --i) {
        move(runs_[i - 1], true);
    }
}

template <std::size_t Dim>
void ShareUpdate<Dim>::add_newcomers(std::byte* data, std::size_t which) const noexcept {
    const detail::ShareArray& array = *arrays_[which];
    const Part* const parts = parts_.data() + which * sources_.size();
    with_size(array.bytes, [&](auto size) {
        for (const Arriving& one : movers_) {
            std::memcpy(data + one.to * size, parts[one.source].movers + one.index * size, size);
        }
        if (array.travels == Travels::with_owner) {
            std::fill_n(data + next_owned_ * size, next_ghosts_ * size, std::byte{0});
            return;
        }
        for (const Arriving& one : ghosts_) {
            std::memcpy(data + one.to * size, parts[one.source].ghosts + one.index * size, size);
        }
    });
}

/// Saves the elements that move() overwrites: leavers and ghosts.
template <std::size_t Dim>
void ShareUpdate<Dim>::save(std::size_t which) {
    const detail::ShareArray& array = *arrays_[which];
    Vector<std::byte>& saved = new_[which].saved;
    const std::size_t ghosts = mine_.ghosts_ * array.bytes;
    saved.resize(ghosts + left_.size() * array.bytes);
    std::byte* to = std::copy_n(array.now() + mine_.owned_ * array.bytes, ghosts, saved.data());
    for (const std::size_t at : left_) {
        std::memcpy(to, array.now() + agent(at) * array.bytes, array.bytes);
        to += array.bytes;
    }
}

/// Restores the array as it was before move().
template <std::size_t Dim>
void ShareUpdate<Dim>::put_back(std::size_t which) noexcept {
    detail::ShareArray& array = *arrays_[which];
    const Vector<std::byte>& saved = new_[which].saved;
    std::byte* const data = array.resize(std::max(array.size(), had_));
    move_runs(data, array.bytes, true);
    const std::size_t ghosts = mine_.ghosts_ * array.bytes;
    std::copy_n(saved.data(), ghosts, data + mine_.owned_ * array.bytes);
    const std::byte* from = saved.data() + ghosts;
    for (const std::size_t at : left_) {
        std::memcpy(data + agent(at) * array.bytes, from, array.bytes);
        from += array.bytes;
    }
    array.resize(had_);
}

template class ShareUpdate<2>;
template class ShareUpdate<3>;

} // namespace throng
