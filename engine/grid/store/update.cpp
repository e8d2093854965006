// An update, which replaces all agents of a grid: its steps, and what runs them.
#include "update.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../agents/cell_map.hpp"
#include "../../agents/extremes.hpp"
#include "../../agents/float_tile.hpp"
#include "../../agents/validation.hpp"
#include "../../core/profile_scope.hpp"
#include "../rows/band_counts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace throng {

namespace {

/// Nanoseconds for an agent in each loop, good enough to choose the number of threads.
constexpr double kCount = 1.0, kScatter = 1.2, kMeasure = 0.6, kSort = 2.0, kFill = 0.3;
/// Nanoseconds for a counter, when counters are added up.
constexpr double kAddUp = 0.3;
/// Nanoseconds for a word of new memory, when it is zeroed.
constexpr double kZero = 0.3;
/// The number of bands whose counters one block adds up.
constexpr std::size_t kBandsAdded = 64;

/// How many of these threads are useful: blocks for more would be too short.
std::size_t threads_worth(std::size_t agents, std::size_t threads) noexcept {
    return std::min(threads, LoopCost::of(agents, kScatter).threads_worth());
}

} // namespace

template <std::size_t Dim>
Update<Dim>::Update(State& state, const Agents<Dim>& agents, SkippedIds skipped,
                    std::size_t threads, const FunctionRef<Status()>* commits) noexcept
    : changing_(state), state_(state), agents_(agents), skipped_(skipped), kind_(kind_of(agents)),
      store_(state.store), staging_(state.staging),
      plan_(plan_for(agents.positions.count, store_.shape(),
                     threads_worth(agents.positions.count, threads))),
      map_(cell_map(store_.shape())), count_(agents.positions.count - skipped.ids.size()),
      direct_(is_small()), fields_(simd::Fields<Dim>::count(kind_.own_half_extents, kind_.groups)),
      tiles_(OccupancyTiles::pay(count_, store_.shape().rows(), store_.shape().cells[0])),
      commits_(commits) {}

template <std::size_t Dim>
Status Update<Dim>::next(Loop& loop) {
    loop = {};
    while (step_ != Step::done && loop.blocks == 0) {
        try {
            if (const Status status = advance(loop); !status.ok()) { return status; }
        } catch (const std::bad_alloc&) {
            staging_ = {}; // else scratch kept for many agents would leave no memory for fewer
            throw;
        }
    }
    return {};
}

template <std::size_t Dim>
Status Update<Dim>::advance(Loop& loop) {
    const auto begin = [&](Step step, std::size_t blocks, double agent) {
        step_ = step;
        loop = {blocks, LoopCost::of(plan_.agents, agent), step >= Step::sort};
        return Status{};
    };
    switch (step_) {
    case Step::none:
        if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
        if (const Status views = check_views(agents_); !views.ok()) { return views; }
        allocate();
        return begin(Step::count, plan_.blocks, kCount);
    case Step::count: {
        if (!sound_) { return fault_of_agents(); }
        step_ = Step::add_up;
        const std::size_t parts = (plan_.bands + kBandsAdded - 1) / kBandsAdded;
        if (parts == 1) {
            add_up(0);
        } else {
            loop = {parts, LoopCost::of(plan_.blocks * plan_.bands, kAddUp)};
        }
        return {};
    }
    case Step::add_up:
        begin_bands();
        if (!rows_fit()) { return {Cause::too_many, Argument::positions}; }
        allocate_scratch();
        return begin(Step::scatter, direct_ ? 0 : plan_.blocks, kScatter);
    case Step::scatter:
        return begin(Step::measure, plan_.groups, kMeasure);
    case Step::measure:
        step_ = Step::zero;
        if (needs_slab()) { loop = {plan_.groups, LoopCost::of(slab_.size(), kZero)}; }
        return {};
    case Step::zero:
        state_.slices.reserve(count_);
        if (commits_ != nullptr) {
            if (const Status status = (*commits_)(); !status.ok()) { return status; }
        }
        store_.restart(kind_, std::move(slab_));
        return begin(Step::sort, plan_.groups, kSort);
    case Step::sort:
        store_.all_placed();
        if (tiles_) { store_.lay_tiles(); }
        // Tiles may be filled in any number of blocks. plan_.groups blocks need no memory, because
        // allocate() made room for their claims.
        return begin(Step::fill, tiles_ ? plan_.groups : 0, kFill);
    case Step::fill:
        finish();
        step_ = Step::done;
        return {};
    case Step::done:
        break;
    }
    return {};
}

template <std::size_t Dim>
void Update<Dim>::run(std::size_t block) noexcept {
    switch (step_) {
    case Step::count:
        return count_block(block);
    case Step::add_up:
        return add_up(block);
    case Step::scatter:
        return scatter_block(block);
    case Step::measure:
        return measure_group(block);
    case Step::zero:
        return zero_group(block);
    case Step::sort:
        return sort_group(block);
    case Step::fill:
        return fill_group(block);
    case Step::none:
    case Step::done:
        break;
    }
}

template <std::size_t Dim>
void Update<Dim>::allocate() {
    staging_.row_of.words.reserve(plan_.agents + simd::kSlack);
    staging_.records.reserve(plan_.agents * record_words());
    staging_.cursors.resize(plan_.blocks * plan_.bands);
    staging_.band_begin.resize(plan_.bands + 1);
    staging_.band_words.resize(plan_.bands + 1);
    staging_.group_scratch.resize(plan_.groups + 1);
    staging_.block_max_half_extent.resize(plan_.blocks * Dim);
    staging_.block_bounds.resize(plan_.blocks * 2 * Dim);
    if (tiles_) { store_.reserve_tiles(); }
    staging_.claims.prepare(std::max(plan_.blocks, plan_.groups));
    staging_.row_of.ids = plan_.agents;
}

template <std::size_t Dim>
Status Update<Dim>::fault_of_agents() const {
    const Status wrong = check_agents(agents_, skipped_.ids); // the first fault
    // If this scalar check finds no fault, the executor's threads use another rounding mode.
    return wrong.ok() ? Status{Cause::executor_failed, Argument::executor} : wrong;
}

/// Finds the rows of a block's agents and how many fall in each band.
template <std::size_t Dim>
void Update<Dim>::count_block(std::size_t block) noexcept {
    const std::size_t begin = block * plan_.block;
    const std::size_t end = std::min(begin + plan_.block, plan_.agents);
    std::uint32_t* const counts = staging_.cursors.data() + block * plan_.bands;
    std::fill_n(counts, plan_.bands, 0u);
    bool sound = true;
    std::array<FloatTile, Dim> tiles;
    std::array<Extremes, Dim> extremes;
    const unsigned band_shift = plan_.band_shift;
    for (std::size_t first = begin; first < end; first += kFloatTile) {
        const std::size_t count = std::min(kFloatTile, end - first);
        const float* axis[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            axis[a] = tiles[a].read(agents_.positions.values(a), first, count);
        }
        std::uint32_t* const rows = staging_.row_of.words.data() + first;
        const bool all_sound = simd::locate_rows(map_, axis, count, kLargest, rows);
        if (direct_) {
            counts[0] += static_cast<std::uint32_t>(count);
            write_keys(first, axis[0], count);
        } else {
            count_bands(rows, count, band_shift, counts);
        }
        skipped_.between(first, first + count, [&](std::size_t from, std::size_t to) {
            for (std::size_t a = 0; a < Dim; ++a) {
                extremes[a].add(axis[a] + (from - first), to - from);
            }
        });
        const std::span<const Id> out = skipped_.within(first, first + count);
        for (const Id id : out) {
            --counts[rows[id - first] >> band_shift];
            rows[id - first] = kNoRow;
        }
        // Agents that are left out may have any position, or none, so only the others are checked.
        sound = sound && (all_sound || (!out.empty() && are_sound(first, count)));
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        float* const bounds = staging_.block_bounds.data() + 2 * (block * Dim + a);
        bounds[0] = extremes[a].lowest();
        bounds[1] = extremes[a].highest();
    }
    if (!measure_block(block, begin, end) || !sound) {
        sound_.store(false, std::memory_order_relaxed);
    }
}

/// Writes the keys of a tile's agents, whose rows are known, for sort_all().
template <std::size_t Dim>
void Update<Dim>::write_keys(std::size_t first, const float* x, std::size_t count) noexcept {
    std::array<std::uint32_t, kFloatTile + simd::kSlack> cell;
    simd::locate_cells(map_, x, count, cell.data());
    const std::uint32_t* const rows = staging_.row_of.words.data() + first;
    std::uint32_t* const keys = staging_.records.data() + first;
    for (std::size_t i = 0; i < count; ++i) {
        keys[i] = rows[i] * map_.cells[0] + cell[i];
    }
}

template <std::size_t Dim>
bool Update<Dim>::are_sound(std::size_t first, std::size_t count) const noexcept {
    bool sound = true;
    skipped_.between(first, first + count, [&](std::size_t from, std::size_t to) {
        for (std::size_t a = 0; a < Dim; ++a) {
            const ValueView<float> values = agents_.positions.values(a);
            for (std::size_t i = from; i < to; ++i) {
                sound = sound && std::abs(values[i]) <= kLargest;
            }
        }
    });
    return sound;
}

template <std::size_t Dim>
bool Update<Dim>::measure_block(std::size_t block, std::size_t begin, std::size_t end) noexcept {
    if (!kind_.own_half_extents) { return true; }
    bool sound = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        const ValueView<float> extents = agents_.half_extents.values(a);
        float largest = 0.0f;
        skipped_.between(begin, end, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                const float h = extents[i];
                sound = sound && h >= 0.0f && h <= kLargest;
                largest = h > largest ? h : largest;
            }
        });
        staging_.block_max_half_extent[block * Dim + a] = largest;
    }
    return sound;
}

/// Turns the counts of some bands into the offsets where each block writes its agents in a band.
template <std::size_t Dim>
void Update<Dim>::add_up(std::size_t part) noexcept {
    // Each count becomes the number of agents of its band in the blocks before. Offsets are within
    // a band, so 32 bits suffice.
    const std::size_t first = part * kBandsAdded;
    const std::size_t past = std::min(first + kBandsAdded, plan_.bands);
    std::size_t* const sums = staging_.band_begin.data() + 1;
    std::fill(sums + first, sums + past, std::size_t{0});
    for (std::size_t block = 0; block < plan_.blocks; ++block) {
        std::uint32_t* const counts = staging_.cursors.data() + block * plan_.bands;
        for (std::size_t band = first; band < past; ++band) {
            const std::uint32_t count = counts[band];
            counts[band] = static_cast<std::uint32_t>(sums[band]);
            sums[band] += count;
        }
    }
}

template <std::size_t Dim>
void Update<Dim>::begin_bands() noexcept {
    staging_.band_begin[0] = 0;
    for (std::size_t band = 0; band < plan_.bands; ++band) {
        staging_.band_begin[band + 1] += staging_.band_begin[band];
    }
}

template <std::size_t Dim>
bool Update<Dim>::rows_fit() const noexcept {
    for (std::size_t band = 0; band < plan_.bands; ++band) {
        // A row is no larger than its band.
        if (extent_of(band).agents > kMaxAgentsInRow) { return false; }
    }
    return true;
}

template <std::size_t Dim>
void Update<Dim>::allocate_scratch() {
    std::size_t scratch = 0;
    for (std::size_t group = 0; group < plan_.groups; ++group) {
        std::size_t most = 0;
        for (std::size_t band = first_band(group); band < first_band(group + 1); ++band) {
            most = std::max(most, band_scratch_words(extent_of(band), plan_.cell_bits));
        }
        scratch += most;
        staging_.group_scratch[group + 1] = scratch;
    }
    staging_.scratch.reserve(scratch);
}

/// Computes how many words each band of a group needs in the slab.
template <std::size_t Dim>
void Update<Dim>::measure_group(std::size_t group) noexcept {
    for (std::size_t band = first_band(group); band < first_band(group + 1); ++band) {
        const BandExtent extent = extent_of(band);
        const std::size_t used =
            used_rows(extent, plan_.cell_bits, record_words(), records_of(band), scratch_of(group));
        // Rounding up costs each array of a row at most three words.
        staging_.band_words[band + 1] =
            fields_ * (extent.agents + 3 * used) +
            TableForm::most_words(extent.agents, used, store_.shape().cells[0]);
    }
}

/// Gives each band its part of the slab, aligned to four words. Allocates the next slab, and
/// returns true, if the store's is too small.
template <std::size_t Dim>
bool Update<Dim>::needs_slab() {
    staging_.band_words[0] = 0;
    for (std::size_t band = 0; band < plan_.bands; ++band) {
        const std::size_t words = staging_.band_words[band] + staging_.band_words[band + 1];
        staging_.band_words[band + 1] = (words + 3) & ~std::size_t{3};
    }
    const std::size_t words = staging_.band_words[plan_.bands];
    if (words + simd::kSlack <= store_.slab().size()) { return false; }
    // A little more than needed, so that small changes of the crowd's shape do not reallocate.
    slab_ = WordBuffer(words + words / 32 + simd::kSlack);
    return true;
}

/// Zeroes the part of a group in a new slab. Runs on the threads that sort: on a NUMA machine each
/// page then lies near a thread that uses it, and not all near the caller.
template <std::size_t Dim>
void Update<Dim>::zero_group(std::size_t group) noexcept {
    const std::size_t begin = staging_.band_words[first_band(group)];
    const std::size_t end =
        group + 1 == plan_.groups ? slab_.size() : staging_.band_words[first_band(group + 1)];
    std::memset(slab_.data() + begin, 0, (end - begin) * sizeof(std::uint32_t));
}

template <std::size_t Dim>
void Update<Dim>::sort_group(std::size_t group) noexcept {
    for (std::size_t band = first_band(group); band < first_band(group + 1); ++band) {
        // By now the store owns the slab.
        std::uint32_t* const words = store_.slab().data() + staging_.band_words[band];
        if (direct_) {
            return sort_all(store_, agents_, skipped_, staging_.records.data(), words,
                            scratch_of(group));
        }
        sort_band(store_, extent_of(band), plan_.cell_bits, records_of(band), words,
                  scratch_of(group));
    }
}

template <std::size_t Dim>
void Update<Dim>::fill_group(std::size_t group) noexcept {
    if (direct_) {
        const std::uint32_t* const rows = staging_.row_of.words.data();
        const std::uint32_t* const keys = staging_.records.data();
        return skipped_.between(0, plan_.agents, [&](std::size_t from, std::size_t to) {
            for (std::size_t id = from; id < to; ++id) {
                store_.mark(rows[id], keys[id] - rows[id] * map_.cells[0]);
            }
        });
    }
    const std::size_t tiles = store_.tiles().tiles();
    for (std::size_t tile = group * tiles / plan_.groups; tile < (group + 1) * tiles / plan_.groups;
         ++tile) {
        store_.fill_tile(tile);
    }
}

template <std::size_t Dim>
void Update<Dim>::finish() noexcept {
    std::swap(state_.row_of, staging_.row_of);
    state_.count = count_;
    state_.max_half_extent = max_half_extent();
    state_.bounds = bounds();
    state_.slices.cut(store_, count_);
}

/// The bounds of all centres.
template <std::size_t Dim>
Box<Dim> Update<Dim>::bounds() const noexcept {
    Box<Dim> bounds = State::nowhere();
    for (std::size_t block = 0; block < plan_.blocks; ++block) {
        const float* const of_block = staging_.block_bounds.data() + block * 2 * Dim;
        for (std::size_t a = 0; a < Dim; ++a) {
            bounds.lo[a] = std::min(bounds.lo[a], of_block[2 * a]);
            bounds.hi[a] = std::max(bounds.hi[a], of_block[2 * a + 1]);
        }
    }
    return bounds;
}

template <std::size_t Dim>
Point<Dim> Update<Dim>::max_half_extent() const noexcept {
    if (!kind_.own_half_extents) { return kind_.common_half_extent; }
    Point<Dim> max_half_extent;
    for (std::size_t i = 0; i < plan_.blocks * Dim; ++i) {
        max_half_extent[i % Dim] =
            std::max(max_half_extent[i % Dim], staging_.block_max_half_extent[i]);
    }
    return max_half_extent;
}

template <std::size_t Dim>
BandExtent Update<Dim>::extent_of(std::size_t band) const noexcept {
    const std::size_t first = band << plan_.band_shift;
    const std::size_t past =
        std::min<std::size_t>((band + 1) << plan_.band_shift, store_.shape().rows());
    return {static_cast<std::uint32_t>(first), past - first,
            staging_.band_begin[band + 1] - staging_.band_begin[band]};
}

template <std::size_t Dim>
Status RowGrid<Dim>::update(const Agents<Dim>& agents, Executor& executor) {
    return update_if(agents, executor, nullptr);
}

template <std::size_t Dim>
Status RowGrid<Dim>::update(const Agents<Dim>& agents, Executor& executor,
                            FunctionRef<Status()> commits) {
    return update_if(agents, executor, &commits);
}

template <std::size_t Dim>
Status RowGrid<Dim>::update_if(const Agents<Dim>& agents, Executor& executor,
                               const FunctionRef<Status()>* commits) {
    const ProfileScope profiled("RowGrid::update");
    const auto replace_all = [&](State& state) {
        Update<Dim> update(state, agents, SkippedIds{}, executor.threads(), commits);
        return run_sequence(update, state.staging.claims, executor);
    };
    if (state_->configured()) { return replace_all(*state_); }
    const typename State::Changing changing(*state_);
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    // An empty first frame lays out no cells: without agents to fit, there would be only one cell.
    const Status views = check_views(agents);
    if (!views.ok()) { return views; }
    if (agents.positions.count == 0) { return commits == nullptr ? Status{} : (*commits)(); }
    const auto [shape, status] = shape_for(agents);
    if (!status.ok()) { return status; }
    RowGrid fitted;
    const Status configured = fitted.use(shape, kind_of(agents));
    if (!configured.ok()) { return configured; }
    const Status updated = replace_all(*fitted.state_);
    static_assert(std::is_nothrow_move_assignable_v<State>);
    if (updated.ok()) { *state_ = std::move(*fitted.state_); }
    return updated;
}

template class Update<2>;
template class Update<3>;
template Status RowGrid<2>::update(const Agents<2>&, Executor&);
template Status RowGrid<3>::update(const Agents<3>&, Executor&);
template Status RowGrid<2>::update(const Agents<2>&, Executor&, FunctionRef<Status()>);
template Status RowGrid<3>::update(const Agents<3>&, Executor&, FunctionRef<Status()>);
template Status RowGrid<2>::update_if(const Agents<2>&, Executor&, const FunctionRef<Status()>*);
template Status RowGrid<3>::update_if(const Agents<3>&, Executor&, const FunctionRef<Status()>*);

} // namespace throng
