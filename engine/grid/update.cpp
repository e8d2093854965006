// Everything has moved: a two-level counting sort of all agents into rows and cells.
//
// Blocks of agents are cut up into bands of rows, and then each band is sorted by cell while it
// sits in the cache. Both steps keep the order of ids, so the result depends neither on the number
// of blocks nor on which threads run them, or when. Until commit() only scratch memory is touched.
#include "row_grid.hpp"

#include "../../simd/isa/isa.hpp"
#include "../../simd/isa/slack.hpp"
#include "../../simd/isa/words4.hpp"
#include "../../simd/kernels/locate.hpp"
#include "../agents/cell_map.hpp"
#include "../agents/float_tile.hpp"
#include "../agents/skipped_ids.hpp"
#include "../agents/validation.hpp"
#include "../core/profile_scope.hpp"
#include "band_counts.hpp"
#include "band_sort.hpp"
#include "extremes.hpp"
#include "state.hpp"
#include "update_plan.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace throng {

namespace {

/// 32-bit words of a cache line.
constexpr std::size_t kLineWords = 16;

/// What an agent takes in each loop, in nanoseconds: enough to know how many threads it is worth.
constexpr double kCount = 1.0, kScatter = 1.2, kMeasure = 0.6, kSort = 2.0, kFill = 0.3;
/// And a counter, when they are added up.
constexpr double kAddUp = 0.3;
/// And a word of new memory, when it is zeroed.
constexpr double kZero = 0.3;
/// Bands whose counters one task adds up.
constexpr std::size_t kBandsAdded = 64;

/// One update of one grid, step by step.
template <std::size_t Dim>
class Update {
public:
    Update(const Agents<Dim>& agents, SkippedIds skipped, RowStore<Dim>& store, Staging& staging,
           Executor& executor) noexcept
        : agents_(agents), skipped_(skipped), kind_(kind_of(agents)), store_(store),
          staging_(staging), executor_(executor),
          plan_(plan_for(agents.positions.count, store.shape(), executor.threads())),
          map_(cell_map(store.shape())),
          fields_(simd::Fields<Dim>::count(kind_.own_half_extents, kind_.groups)) {}

    /// Does everything that can fail, in staging alone.
    Status prepare() {
        allocate();
        std::atomic<bool> sound = true;
        const auto count = [&](std::size_t block) {
            if (!count_block(block)) { sound.store(false, std::memory_order_relaxed); }
        };
        Status status = run(plan_.blocks, count, kCount);
        if (!status.ok()) { return status; }
        if (!sound) {
            const Status wrong = check_agents(agents_, skipped_.ids); // what, and where first
            // The scalar check disagrees: the executor's threads use another rounding mode.
            return wrong.ok() ? Status{Cause::executor_failed, Argument::executor} : wrong;
        }
        status = add_up();
        if (!status.ok()) { return status; }
        for (std::size_t band = 0; band < plan_.bands; ++band) {
            // A row is no larger than its band.
            if (extent_of(band).agents > kMaxAgentsInRow) {
                return {Cause::too_many, Argument::positions};
            }
        }
        allocate_scratch();
        const auto scatter = [&](std::size_t block) { scatter_block(block); };
        status = run(plan_.blocks, scatter, kScatter);
        if (!status.ok()) { return status; }
        const auto measure = [&](std::size_t group) { measure_group(group); };
        status = run(plan_.groups, measure, kMeasure);
        return status.ok() ? allocate_slab() : status;
    }

    /// Sorts the bands into rows. Cannot fail any more.
    void commit() noexcept {
        store_.restart(kind_, std::move(slab_));
        const auto sort = [&](std::size_t group) { sort_group(group); };
        finish_blocks(executor_, plan_.groups, sort, staging_.claims, cost_of(kSort));
        store_.all_placed();
        if (!tiles_) { return; }
        store_.lay_tiles();
        // Any number of tasks would do; for the number of groups there already is room to claim
        // them.
        const std::size_t tiles = store_.tiles().tiles();
        const auto fill = [&](std::size_t group) {
            for (std::size_t tile = group * tiles / plan_.groups;
                 tile < (group + 1) * tiles / plan_.groups; ++tile) {
                store_.fill_tile(tile);
            }
        };
        finish_blocks(executor_, plan_.groups, fill, staging_.claims, cost_of(kFill));
    }

    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept { return kind_; }

    /// The bounds of all centres.
    [[nodiscard]] Box<Dim> bounds() const noexcept {
        Box<Dim> bounds = {Point<Dim>::all(kLargest), Point<Dim>::all(-kLargest)};
        for (std::size_t block = 0; block < plan_.blocks; ++block) {
            const float* const of_block = staging_.block_bounds.data() + block * 2 * Dim;
            for (std::size_t a = 0; a < Dim; ++a) {
                bounds.lo[a] = std::min(bounds.lo[a], of_block[2 * a]);
                bounds.hi[a] = std::max(bounds.hi[a], of_block[2 * a + 1]);
            }
        }
        return bounds;
    }

    [[nodiscard]] Point<Dim> max_half_extent() const noexcept {
        if (!kind_.own_half_extents) { return kind_.common_half_extent; }
        Point<Dim> max_half_extent;
        for (std::size_t i = 0; i < plan_.blocks * Dim; ++i) {
            max_half_extent[i % Dim] =
                std::max(max_half_extent[i % Dim], staging_.block_max_half_extent[i]);
        }
        return max_half_extent;
    }

private:
    [[nodiscard]] LoopCost cost_of(double agent) const noexcept {
        return LoopCost::of(plan_.agents, agent);
    }
    Status run(std::size_t blocks, Executor::Body body, double agent) {
        return run_blocks(executor_, blocks, body, staging_.claims, cost_of(agent));
    }

    void allocate() {
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

    /// Finds the rows of a block's agents and how many fall in each band. False if an agent's
    /// position is one that no index can hold.
    bool count_block(std::size_t block) noexcept {
        const std::size_t begin = block * plan_.block;
        const std::size_t end = std::min(begin + plan_.block, plan_.agents);
        std::uint32_t* const counts = staging_.cursors.data() + block * plan_.bands;
        std::fill_n(counts, plan_.bands, 0u);
        bool sound = true;
        std::array<FloatTile, Dim> tiles;
        std::array<Extremes, Dim> extremes;
        const unsigned band_shift = plan_.band_shift;
        for (std::size_t first = begin; first < end; first += kTile) {
            const std::size_t count = std::min(kTile, end - first);
            const float* axis[Dim];
            for (std::size_t a = 0; a < Dim; ++a) {
                axis[a] = tiles[a].read(agents_.positions.values(a), first, count);
            }
            std::uint32_t* const rows = staging_.row_of.words.data() + first;
            const bool all_sound = simd::locate_rows(map_, axis, count, kLargest, rows);
            count_bands(rows, count, band_shift, counts);
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
            // Agents that are left out may have any position, or none, so only the others count.
            sound = sound && (all_sound || (!out.empty() && are_sound(first, count)));
        }
        for (std::size_t a = 0; a < Dim; ++a) {
            float* const bounds = staging_.block_bounds.data() + 2 * (block * Dim + a);
            bounds[0] = extremes[a].lowest();
            bounds[1] = extremes[a].highest();
        }
        return measure_block(block, begin, end) && sound;
    }

    /// Whether all positions of a tile are sound, not counting agents that are left out.
    [[nodiscard]] bool are_sound(std::size_t first, std::size_t count) const noexcept {
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

    /// The largest half extents of a block; false if one is no extent.
    bool measure_block(std::size_t block, std::size_t begin, std::size_t end) noexcept {
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

    /// Turns counts into the places where each block writes its part of each band.
    Status add_up() {
        // Each count becomes the number of agents of its band in the blocks before. Offsets are
        // within a band, so 32 bits suffice.
        const auto add = [&](std::size_t part) {
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
        };
        const std::size_t parts = (plan_.bands + kBandsAdded - 1) / kBandsAdded;
        if (parts == 1) {
            add(0);
        } else if (const Status status =
                       run_blocks(executor_, parts, add, staging_.claims,
                                  LoopCost::of(plan_.blocks * plan_.bands, kAddUp));
                   !status.ok()) {
            return status;
        }
        staging_.band_begin[0] = 0;
        for (std::size_t band = 0; band < plan_.bands; ++band) {
            staging_.band_begin[band + 1] += staging_.band_begin[band];
        }
        return {};
    }

    void allocate_scratch() {
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

    /// How many words each band of a group needs in the slab.
    void measure_group(std::size_t group) noexcept {
        for (std::size_t band = first_band(group); band < first_band(group + 1); ++band) {
            const BandExtent extent = extent_of(band);
            const std::size_t used = used_rows(extent, plan_.cell_bits, record_words(),
                                               records_of(band), scratch_of(group));
            // Rounding up costs each array of a row at most three places.
            staging_.band_words[band + 1] =
                fields_ * (extent.agents + 3 * used) +
                TableForm::most_words(extent.agents, used, store_.shape().cells[0]);
        }
    }

    /// Gives each band its part of the slab, aligned to four words.
    Status allocate_slab() {
        staging_.band_words[0] = 0;
        for (std::size_t band = 0; band < plan_.bands; ++band) {
            const std::size_t words = staging_.band_words[band] + staging_.band_words[band + 1];
            staging_.band_words[band + 1] = (words + 3) & ~std::size_t{3};
        }
        const std::size_t words = staging_.band_words[plan_.bands];
        if (words + simd::kSlack <= store_.slab().size()) { return {}; }
        // A little more than needed, so that small changes of the crowd's shape do not reallocate.
        slab_ = WordBuffer(words + words / 32 + simd::kSlack);
        // By the threads that sort: where memory is in several parts, each page then comes from the
        // part of a thread that uses it, and not all from that of the caller.
        const auto zero = [&](std::size_t group) {
            const std::size_t begin = staging_.band_words[first_band(group)];
            const std::size_t end = group + 1 == plan_.groups
                                        ? slab_.size()
                                        : staging_.band_words[first_band(group + 1)];
            std::memset(slab_.data() + begin, 0, (end - begin) * sizeof(std::uint32_t));
        };
        return run_blocks(executor_, plan_.groups, zero, staging_.claims,
                          LoopCost::of(slab_.size(), kZero));
    }

    /// Copies a block's agents, with their cells, to the bands, as records that lie in one piece:
    /// one write stream a band.
    void scatter_block(std::size_t block) noexcept {
        switch (fields_) {
        case Dim + 1:
            return scatter_fields<Dim + 1>(block);
        case Dim + 2:
            return scatter_fields<Dim + 2>(block);
        case 2 * Dim + 1:
            return scatter_fields<2 * Dim + 1>(block);
        default:
            return scatter_fields<2 * Dim + 2>(block);
        }
    }

    template <std::size_t kFields>
    void scatter_fields(std::size_t block) noexcept {
        constexpr std::size_t kRecord = kFields + 1;
        const std::size_t begin = block * plan_.block;
        const std::size_t end = std::min(begin + plan_.block, plan_.agents);
        std::array<FloatTile, Dim> tiles;
        std::array<std::uint32_t, kTile + simd::kSlack> keys;
        std::array<std::uint32_t, kTile> bands;
        const unsigned band_shift = plan_.band_shift;
        const unsigned cell_bits = plan_.cell_bits;
        // A copy, so that a block that is run again writes the same places. On the stack a block's
        // cursors also stay out of the way of other threads' caches.
        std::array<std::size_t, UpdatePlan::kBands> cursor_of_band;
        const auto in_band = static_cast<std::uint32_t>((std::uint64_t{1} << plan_.band_shift) - 1);
        std::uint32_t* const records = staging_.records.data();
        for (std::size_t band = 0; band < plan_.bands; ++band) {
            cursor_of_band[band] =
                (staging_.band_begin[band] + staging_.cursors[block * plan_.bands + band]) *
                kRecord;
        }
        for (std::size_t first = begin; first < end; first += kTile) {
            const std::size_t count = std::min(kTile, end - first);
            const float* axis[Dim];
            for (std::size_t a = 0; a < Dim; ++a) {
                axis[a] = tiles[a].read(agents_.positions.values(a), first, count);
            }
            simd::locate_cells(map_, axis[0], count, keys.data());
            // Agents that are left out have no row here, and their keys and bands are not used.
            const std::uint32_t* const rows = staging_.row_of.words.data() + first;
            for (std::size_t i = 0; i < count; ++i) {
                keys[i] |= (rows[i] & in_band) << cell_bits;
                bands[i] = rows[i] >> band_shift;
            }
            const bool share = share_bands(bands.data(), count, 0);
            skipped_.between(first, first + count, [&](std::size_t from, std::size_t to) {
                std::size_t i = from - first;
                const std::size_t end_in_tile = to - first;
                if constexpr (kFields == Dim + 1) {
                    const auto scatter = share ? scatter_quads<true> : scatter_quads<false>;
                    i = scatter(axis, keys.data(), bands.data(), first, i, end_in_tile,
                                cursor_of_band.data(), records);
                }
                for (; i < end_in_tile; ++i) {
                    std::uint32_t* const record =
                        next_record<kRecord>(records, cursor_of_band[bands[i]]);
                    record[0] = keys[i];
                    for (std::size_t a = 0; a < Dim; ++a) {
                        record[1 + a] = std::bit_cast<std::uint32_t>(axis[a][i]);
                    }
                    record[1 + Dim] = static_cast<std::uint32_t>(first + i);
                    if constexpr (kFields > Dim + 1) { extend_record<kFields>(record, first + i); }
                }
            });
        }
    }

    /// Where a band's next record goes.
    template <std::size_t kRecord>
    static std::uint32_t* next_record(std::uint32_t* records, std::size_t& cursor) noexcept {
        std::uint32_t* const record = records + cursor;
        cursor += kRecord;
        // The line that this band writes next. Without asking for it early, every fourth record
        // waits for memory: 12 ns a record instead of 3 at 8,000,000 agents.
        __builtin_prefetch(record + kLineWords, 1);
        return record;
    }

    /// The same for agents begin ... end - 1 of a tile, four at a time, if agents have neither
    /// extents nor masks. Returns the first agent that it did not copy.
    template <bool kShareBands>
    static std::size_t scatter_quads(const float* const (&axis)[Dim], const std::uint32_t* keys,
                                     const std::uint32_t* bands, std::size_t first,
                                     std::size_t begin, std::size_t end,
                                     std::size_t* cursor_of_band, std::uint32_t* records) noexcept {
        constexpr std::size_t kRecord = Dim + 2;
        std::size_t i = begin;
        for (; i + 4 <= end; i += 4) {
            const auto id = static_cast<std::uint32_t>(first + i);
            // In the plane a record is four words: key, x, y and id. In space the key goes on its
            // own.
            std::array<simd::Words4, 4> quad;
            std::size_t q = 0;
            if constexpr (Dim == 2) { quad[q++] = simd::load_words4(keys + i); }
            for (std::size_t a = 0; a < Dim; ++a) {
                quad[q++] = simd::load_words4(axis[a] + i);
            }
            quad[q] = simd::Words4{id, id + 1, id + 2, id + 3};
            simd::transpose(quad[0], quad[1], quad[2], quad[3]);
            std::array<std::uint32_t*, 4> record;
            if (kShareBands && are_equal(bands + i, 0)) {
                std::size_t& cursor = cursor_of_band[bands[i]];
                for (std::size_t k = 0; k < 4; ++k) {
                    record[k] = records + cursor + k * kRecord;
                }
                cursor += 4 * kRecord;
                __builtin_prefetch(record[0] + 2 * kLineWords, 1);
            } else {
                for (std::size_t k = 0; k < 4; ++k) {
                    record[k] = next_record<kRecord>(records, cursor_of_band[bands[i + k]]);
                }
            }
            for (std::size_t k = 0; k < 4; ++k) {
                if constexpr (Dim == 3) { record[k][0] = keys[i + k]; }
                simd::store_words4(record[k] + (Dim == 3 ? 1 : 0), quad[k]);
            }
        }
        return i;
    }

    template <std::size_t kFields>
    void extend_record(std::uint32_t* record, std::size_t id) const noexcept {
        std::uint32_t* next = record + 2 + Dim;
        if constexpr (kFields >= 2 * Dim + 1) {
            for (std::size_t a = 0; a < Dim; ++a) {
                *next++ = std::bit_cast<std::uint32_t>(agents_.half_extents.values(a)[id]);
            }
        }
        if constexpr (kFields == Dim + 2 || kFields == 2 * Dim + 2) { *next = agents_.groups[id]; }
    }

    void sort_group(std::size_t group) noexcept {
        for (std::size_t band = first_band(group); band < first_band(group + 1); ++band) {
            // The slab is the store's by now.
            std::uint32_t* const words = store_.slab().data() + staging_.band_words[band];
            sort_band(store_, extent_of(band), plan_.cell_bits, records_of(band), words,
                      scratch_of(group));
        }
    }

    [[nodiscard]] const std::uint32_t* records_of(std::size_t band) const noexcept {
        return staging_.records.data() + staging_.band_begin[band] * record_words();
    }
    [[nodiscard]] std::uint32_t* scratch_of(std::size_t group) const noexcept {
        return staging_.scratch.data() + staging_.group_scratch[group];
    }
    [[nodiscard]] BandExtent extent_of(std::size_t band) const noexcept {
        const std::size_t first = band << plan_.band_shift;
        const std::size_t past =
            std::min<std::size_t>((band + 1) << plan_.band_shift, store_.shape().rows());
        return {static_cast<std::uint32_t>(first), past - first,
                staging_.band_begin[band + 1] - staging_.band_begin[band]};
    }
    [[nodiscard]] std::size_t first_band(std::size_t group) const noexcept {
        return group * plan_.bands / plan_.groups;
    }
    [[nodiscard]] std::size_t record_words() const noexcept { return fields_ + 1; }

    const Agents<Dim>& agents_;
    const SkippedIds skipped_;
    const CrowdKind<Dim> kind_;
    RowStore<Dim>& store_;
    Staging& staging_;
    Executor& executor_;
    const UpdatePlan plan_;
    const simd::CellMap<Dim> map_;
    const std::uint32_t fields_;
    WordBuffer slab_; // the next one, if the store's is too small
    const bool tiles_ = OccupancyTiles::pay(agents_.positions.count - skipped_.ids.size(),
                                            store_.shape().rows(), store_.shape().cells[0]);
};

} // namespace

template <std::size_t Dim>
Status RowGrid<Dim>::update(const Agents<Dim>& agents, Executor& executor) {
    const ProfileScope profiled("RowGrid::update");
    if (state_->configured()) { return update_without(agents, {}, executor); }
    const typename State::Changing changing(*state_);
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    // Nothing to fit yet: an empty first frame is no reason for a grid of one cell.
    const Status views = check_views(agents);
    if (!views.ok() || agents.positions.count == 0) { return views; }
    const auto [shape, status] = shape_for(agents);
    if (!status.ok()) { return status; }
    RowGrid fitted;
    const Status configured = fitted.use(shape, kind_of(agents));
    if (!configured.ok()) { return configured; }
    const Status updated = fitted.update_without(agents, {}, executor);
    static_assert(std::is_nothrow_move_assignable_v<State>);
    if (updated.ok()) { *state_ = std::move(*fitted.state_); }
    return updated;
}

template <std::size_t Dim>
Status RowGrid<Dim>::update_without(const Agents<Dim>& agents, std::span<const Id> skipped,
                                    Executor& executor) {
    const typename State::Changing changing(*state_);
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    const Status views = check_views(agents);
    if (!views.ok()) { return views; }

    State& state = *state_;
    Update<Dim> update(agents, {skipped}, state.store, state.staging, executor);
    const std::size_t count = agents.positions.count - skipped.size();
    try {
        const Status status = update.prepare();
        if (!status.ok()) { return status; }
        state.slices.reserve(count);
    } catch (const std::bad_alloc&) {
        state.staging = {}; // else memory taken for many agents would be missing for fewer
        throw;
    }
    update.commit();
    std::swap(state.row_of, state.staging.row_of);
    state.count = count;
    state.max_half_extent = update.max_half_extent();
    state.bounds = update.bounds();
    state.slices.cut(state.store, state.count);
    return {};
}

template Status RowGrid<2>::update(const Agents<2>&, Executor&);
template Status RowGrid<3>::update(const Agents<3>&, Executor&);
template Status RowGrid<2>::update_without(const Agents<2>&, std::span<const Id>, Executor&);
template Status RowGrid<3>::update_without(const Agents<3>&, std::span<const Id>, Executor&);

} // namespace throng
