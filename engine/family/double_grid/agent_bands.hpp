// Sorts agents into bands of a double grid's cells. Internal to the engine.
#pragma once

#include "../../../simd/isa/slack.hpp"
#include "../../../simd/isa/words4.hpp"
#include "../../../simd/kernels/grid/locate.hpp"
#include "../../agents/cell_map.hpp"
#include "../../agents/float_tile.hpp"
#include "../../agents/validation.hpp"
#include "../../memory/checked_loop.hpp"
#include "plan.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace throng {

/// Sorts agents of kFields fields: counts them a block at a time and adds up the counts; then each
/// block copies its agents to their places. So agents of a band are in the order of ids. Writes to
/// staging only.
template <std::size_t Dim, std::size_t kFields>
class AgentBands {
public:
    static constexpr bool kOwnExtents = kFields >= 2 * Dim + 1;
    static constexpr bool kGroups = kFields == Dim + 2 || kFields == 2 * Dim + 2;
    /// Words of a record: the number of the cell in its band, then the fields.
    static constexpr std::size_t kRecord = kFields + 1;

    AgentBands(const Agents<Dim>& agents, const GridShape<Dim>& shape, const DoubleGridPlan& plan,
               DoubleGridStaging<Dim>& staging, Executor& executor) noexcept
        : agents_(agents), plan_(plan), staging_(staging), executor_(executor),
          map_(cell_map(shape)) {}

    /// Refuses agents that no index can hold. Throws std::bad_alloc.
    Status sort() {
        staging_.keys.reserve(plan_.agents + simd::kSlack);
        staging_.records.reserve(plan_.agents * kRecord + kLineWords);
        staging_.in_block.resize(plan_.blocks * plan_.bands);
        staging_.band_begin.resize(plan_.bands + 1);
        staging_.block_max_half_extent.resize(plan_.blocks * Dim);
        std::atomic<bool> sound = true;
        const auto count = [&](std::size_t block) {
            if (!count_block(block)) { sound.store(false, std::memory_order_relaxed); }
        };
        Status status = run_blocks(executor_, plan_.blocks, count, staging_.claims,
                                   LoopCost::of(plan_.agents, kCount));
        if (!status.ok()) { return status; }
        if (!sound) {
            const Status wrong = check_agents(agents_); // what is wrong, and where first
            // If the scalar check finds no fault, the executor's threads use another rounding mode.
            return wrong.ok() ? Status{Cause::executor_failed, Argument::executor} : wrong;
        }
        status = add_up();
        if (!status.ok()) { return status; }
        const auto scatter = [&](std::size_t block) { scatter_block(block); };
        return run_blocks(executor_, plan_.blocks, scatter, staging_.claims,
                          LoopCost::of(plan_.agents, kScatter));
    }

    /// The first record of a band; those of the next band follow its last one.
    [[nodiscard]] const std::uint32_t* record_of(std::size_t band) const noexcept {
        return staging_.records.data() + staging_.band_begin[band] * kRecord;
    }

    [[nodiscard]] Point<Dim> max_half_extent() const noexcept {
        if constexpr (!kOwnExtents) { return kind_of(agents_).common_half_extent; }
        Point<Dim> largest{};
        for (std::size_t i = 0; i < plan_.blocks * Dim; ++i) {
            largest[i % Dim] = std::max(largest[i % Dim], staging_.block_max_half_extent[i]);
        }
        return largest;
    }

private:
    /// 32-bit words of a cache line.
    static constexpr std::size_t kLineWords = 16;
    /// Nanoseconds for an agent, good enough to choose the number of threads.
    static constexpr double kCount = 1.5, kScatter = 1.8;
    /// Nanoseconds for a counter when counters are added up.
    static constexpr double kAddUp = 0.3;
    /// Bands whose counters one task adds up.
    static constexpr std::size_t kBandsAdded = 64;

    /// Finds the cells of a block's agents, and how many agents are in each band. False if an index
    /// cannot hold one of the agents.
    bool count_block(std::size_t block) noexcept {
        const std::size_t begin = block * plan_.block;
        const std::size_t end = std::min(begin + plan_.block, plan_.agents);
        std::uint32_t* const counts = staging_.in_block.data() + block * plan_.bands;
        std::fill_n(counts, plan_.bands, 0u);
        bool sound = true;
        std::array<FloatTile, Dim> tiles;
        std::array<std::uint32_t, kFloatTile + simd::kSlack> rows;
        const unsigned shift = plan_.shift;
        for (std::size_t first = begin; first < end; first += kFloatTile) {
            const std::size_t count = std::min(kFloatTile, end - first);
            const float* axis[Dim];
            for (std::size_t a = 0; a < Dim; ++a) {
                axis[a] = tiles[a].read(agents_.positions.values(a), first, count);
            }
            std::uint32_t* const keys = staging_.keys.data() + first;
            sound = simd::locate_rows(map_, axis, count, kLargest, rows.data()) && sound;
            simd::locate_cells(map_, axis[0], count, keys);
            for (std::size_t i = 0; i < count; ++i) {
                keys[i] += rows[i] * map_.cells[0];
                ++counts[keys[i] >> shift];
            }
        }
        return measure_block(block, begin, end) && sound;
    }

    /// Finds the largest half extents of a block; false if one is invalid.
    bool measure_block(std::size_t block, std::size_t begin, std::size_t end) noexcept {
        bool sound = true;
        for (std::size_t a = 0; kOwnExtents && a < Dim; ++a) {
            const ValueView<float> extents = agents_.half_extents.values(a);
            float largest = 0.0f;
            for (std::size_t i = begin; i < end; ++i) {
                const float h = extents[i];
                sound = sound && h >= 0.0f && h <= kLargest;
                largest = h > largest ? h : largest;
            }
            staging_.block_max_half_extent[block * Dim + a] = largest;
        }
        return sound;
    }

    /// Turns counts into the places where each block writes its part of each band.
    Status add_up() {
        // Each count becomes the number of agents of its band in the blocks before.
        const auto add = [&](std::size_t part) {
            const std::size_t first = part * kBandsAdded;
            const std::size_t past = std::min(first + kBandsAdded, plan_.bands);
            std::size_t* const sums = staging_.band_begin.data() + 1;
            std::fill(sums + first, sums + past, std::size_t{0});
            for (std::size_t block = 0; block < plan_.blocks; ++block) {
                std::uint32_t* const counts = staging_.in_block.data() + block * plan_.bands;
                for (std::size_t band = first; band < past; ++band) {
                    const std::uint32_t count = counts[band];
                    counts[band] = static_cast<std::uint32_t>(sums[band]);
                    sums[band] += count;
                }
            }
        };
        const std::size_t parts = (plan_.bands + kBandsAdded - 1) / kBandsAdded;
        Status status;
        if (parts == 1) {
            add(0);
        } else {
            const LoopCost cost = LoopCost::of(plan_.blocks * plan_.bands, kAddUp);
            status = run_blocks(executor_, parts, add, staging_.claims, cost);
        }
        staging_.band_begin[0] = 0;
        for (std::size_t band = 0; band < plan_.bands; ++band) {
            staging_.band_begin[band + 1] += staging_.band_begin[band];
        }
        return status;
    }

    /// Copies a block's agents to their bands. Each record lies in one piece, so that there is one
    /// write stream a band.
    void scatter_block(std::size_t block) noexcept {
        const std::size_t begin = block * plan_.block;
        const std::size_t end = std::min(begin + plan_.block, plan_.agents);
        const std::uint32_t* const in_block = staging_.in_block.data() + block * plan_.bands;
        std::array<std::size_t, DoubleGridPlan::kBands> cursors;
        for (std::size_t band = 0; band < plan_.bands; ++band) {
            cursors[band] = (staging_.band_begin[band] + in_block[band]) * kRecord;
        }
        std::array<FloatTile, Dim> tiles;
        std::array<std::uint32_t, kFloatTile> keys, bands;
        const unsigned shift = plan_.shift;
        const auto in_band = static_cast<std::uint32_t>((std::uint64_t{1} << shift) - 1);
        for (std::size_t first = begin; first < end; first += kFloatTile) {
            const std::size_t count = std::min(kFloatTile, end - first);
            const float* axis[Dim];
            for (std::size_t a = 0; a < Dim; ++a) {
                axis[a] = tiles[a].read(agents_.positions.values(a), first, count);
            }
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint32_t key = staging_.keys.data()[first + i];
                keys[i] = key & in_band;
                bands[i] = key >> shift;
            }
            std::size_t i = 0;
            if constexpr (kFields == Dim + 1) {
                // With two axes a record is key, x, y and id: four words. With three, the key is
                // stored separately.
                for (; i + 4 <= count; i += 4) {
                    const auto id = static_cast<std::uint32_t>(first + i);
                    std::array<simd::Words4, 4> quad;
                    std::size_t q = 0;
                    if constexpr (Dim == 2) { quad[q++] = simd::load_words4(keys.data() + i); }
                    for (std::size_t a = 0; a < Dim; ++a) {
                        quad[q++] = simd::load_words4(axis[a] + i);
                    }
                    quad[q] = simd::Words4{id, id + 1, id + 2, id + 3};
                    simd::transpose(quad[0], quad[1], quad[2], quad[3]);
                    for (std::size_t k = 0; k < 4; ++k) {
                        std::uint32_t* const record = next_record(cursors[bands[i + k]]);
                        if constexpr (Dim == 3) { record[0] = keys[i + k]; }
                        simd::store_words4(record + (Dim == 3 ? 1 : 0), quad[k]);
                    }
                }
            }
            for (; i < count; ++i) {
                std::uint32_t* record = next_record(cursors[bands[i]]);
                *record++ = keys[i];
                for (std::size_t a = 0; a < Dim; ++a) {
                    *record++ = std::bit_cast<std::uint32_t>(axis[a][i]);
                }
                *record++ = static_cast<std::uint32_t>(first + i);
                for (std::size_t a = 0; kOwnExtents && a < Dim; ++a) {
                    *record++ =
                        std::bit_cast<std::uint32_t>(agents_.half_extents.values(a)[first + i]);
                }
                if constexpr (kGroups) { *record = agents_.groups[first + i]; }
            }
        }
    }

    /// The place of a band's next record.
    std::uint32_t* next_record(std::size_t& cursor) const noexcept {
        std::uint32_t* const record = staging_.records.data() + cursor;
        cursor += kRecord;
        __builtin_prefetch(record + kLineWords, 1); // the line that this band writes next
        return record;
    }

    const Agents<Dim>& agents_;
    const DoubleGridPlan& plan_;
    DoubleGridStaging<Dim>& staging_;
    Executor& executor_;
    const simd::CellMap<Dim> map_;
};

} // namespace throng
