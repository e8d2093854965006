// Every invariant of a double grid, checked the slow way.
#include "double_grid.hpp"

#include "state.hpp"

#include <vector>

namespace throng {

namespace {

template <std::size_t Dim>
bool holds(const Box<Dim>& outer, const Box<Dim>& inner) noexcept {
    return united(outer, inner) == outer;
}

/// Checks that each loose cell with agents is in the lists of exactly the tight cells that its
/// cover reaches into, with the right marks, and that the other loose cells are in no list.
template <std::size_t Dim, class State>
const char* check_lists(const State& state) {
    const CoarseGrid<Dim>& tight = state.tight;
    std::vector<std::size_t> listed(state.cells.size(), 0);
    for (std::size_t number = 0; number < tight.level_count(); ++number) {
        const auto& level = tight.level(number);
        const std::size_t past = number + 1 < tight.level_count() ? tight.level(number + 1).first
                                                                  : tight.listed().size();
        for (auto t = level.first; t < past; ++t) {
            const auto at = tight.coordinates_of(level, t);
            for (std::uint32_t l = tight.head(t); l != tight.kNone; l = tight.at(l).next) {
                const std::uint32_t cell = tight.at(l).cell();
                if (cell >= state.cells.size()) { return "a list has a cell that there is not"; }
                const LooseCell<Dim>& loose = state.cells[cell];
                if (loose.head == kNoBucket) { return "an empty cell is listed"; }
                const auto range = state.range_of(loose.cover);
                if (tight.level_of(range) != number) { return "a cell is on the wrong level"; }
                const auto reached = tight.on_level(number, range);
                std::uint32_t marks = 0;
                for (std::size_t a = 0; a < Dim; ++a) {
                    if (at[a] < reached.lo[a] || at[a] > reached.hi[a]) {
                        return "a tight cell lists a cell that does not reach into it";
                    }
                    marks |= (at[a] > reached.lo[a] ? 1u : 0u) << a;
                }
                if (tight.at(l).marks() != marks) { return "a link has the wrong marks"; }
                // The end of this function counts a loose cell's links; if no tight cell lists it
                // twice, the right number means that each of its tight cells lists it.
                for (std::uint32_t k = tight.head(t); k != l; k = tight.at(k).next) {
                    if (tight.at(k).cell() == cell) { return "a tight cell lists a cell twice"; }
                }
                ++listed[cell];
            }
        }
    }
    for (std::size_t c = 0; c < state.cells.size(); ++c) {
        if (state.cells[c].head == kNoBucket) { continue; }
        const auto range = state.range_of(state.cells[c].cover);
        const auto reached = tight.on_level(tight.level_of(range), range);
        if (listed[c] != tight.cells_in(reached)) {
            return "a tight cell forgot a cell that reaches into it";
        }
    }
    return nullptr;
}

} // namespace

template <std::size_t Dim>
const char* DoubleGrid<Dim>::validate() const {
    const State& state = *state_;
    const BucketStore<Dim>& agents = state.agents;
    if (const char* fault = state.tight.validate(); fault != nullptr) { return fault; }
    if (state.cells.size() != std::size_t{state.shape.rows()} * state.shape.cells[0] ||
        state.slack.size() != state.cells.size()) {
        return "the cells are not those of the shape";
    }

    std::vector<bool> used(agents.begun());
    std::size_t buckets = 0, count = 0;
    const std::size_t ids = state.slots_noted ? state.slot_of_id.size() : state.count;
    std::vector<bool> seen(ids);
    for (std::size_t c = 0; c < state.cells.size(); ++c) {
        const LooseCell<Dim>& cell = state.cells[c];
        if (cell.head == kNoBucket) {
            if (state.slack.test(c)) { return "an empty cell waits for a refit"; }
            if (!(cell.cover == LooseCell<Dim>::empty().cover)) {
                return "an empty cell covers something";
            }
            continue;
        }
        for (std::uint32_t b = cell.head; b != kNoBucket; b = agents.next(b), ++buckets) {
            if (b >= agents.begun()) { return "a cell has a bucket that was never used"; }
            if (used[b]) { return "a bucket is in two chains, or in one twice"; }
            used[b] = true;
            if (agents.count(b) == 0 || agents.count(b) > agents.kRoom) {
                return "a bucket is empty, or holds more than it has room for";
            }
            if (b != cell.head && agents.count(b) != agents.kRoom) {
                return "a bucket behind the head has room left";
            }
            for (std::uint32_t i = 0; i < agents.count(b); ++i, ++count) {
                const std::uint32_t slot = b * agents.kRoom + i;
                const Id id = agents.id(slot);
                if (id >= ids || seen[id]) { return "an agent is there twice, or unknown"; }
                seen[id] = true;
                if (state.slots_noted && state.slot_of_id[id] != slot) {
                    return "an agent is not in its slot";
                }
                if (state.cell_of(agents.position(slot)) != c) {
                    return "an agent is in a cell that its centre is not in";
                }
                if (!holds(cell.cover, state.cover_at(slot))) {
                    return "an agent is not covered by its cell";
                }
                for (std::size_t a = 0; a < Dim; ++a) {
                    if (agents.half(slot)[a] > state.max_half_extent[a]) {
                        return "an agent is larger than the largest";
                    }
                }
            }
        }
        if (!state.slack.test(c) && !(cell.cover == state.cover_of_chain(cell.head))) {
            return "a cover is larger than need be, and does not wait for a refit";
        }
    }
    if (count != state.count) { return "size is not the agents there"; }
    if (state.slots_noted) {
        for (std::size_t id = 0; id < ids; ++id) {
            if (!seen[id] && state.slot_of_id[id] != State::kNoSlot) {
                return "an agent has a slot and is not there";
            }
        }
    }
    for (std::uint32_t b = agents.first_free(); b != kNoBucket; b = agents.next(b), ++buckets) {
        if (b >= agents.begun() || used[b]) { return "a free bucket is in use"; }
        used[b] = true;
    }
    if (buckets != agents.begun()) { return "a bucket is lost"; }
    return check_lists<Dim>(state);
}

template const char* DoubleGrid<2>::validate() const;
template const char* DoubleGrid<3>::validate() const;

} // namespace throng
