// The step of an update that copies agents, with their cells, to the bands of their rows.
#include "update.hpp"

#include "../../../simd/isa/words4.hpp"
#include "../../agents/float_tile.hpp"
#include "../rows/band_counts.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace throng {

namespace {

/// 32-bit words of a cache line.
constexpr std::size_t kLineWords = 16;

/// The place of a band's next record.
template <std::size_t kRecord>
std::uint32_t* next_record(std::uint32_t* records, std::size_t& cursor) noexcept {
    std::uint32_t* const record = records + cursor;
    cursor += kRecord;
    // The line that this band writes next. Without asking for it early, every fourth record
    // waits for memory: 12 ns a record instead of 3 at 8,000,000 agents.
    __builtin_prefetch(record + kLineWords, 1);
    return record;
}

/// Copies agents begin ... end - 1 of a tile to their bands, four at a time, if agents have neither
/// extents nor masks. Returns the first agent that it did not copy.
template <bool kShareBands, std::size_t Dim>
std::size_t scatter_quads(const float* const (&axis)[Dim], const std::uint32_t* keys,
                          const std::uint32_t* bands, std::size_t first, std::size_t begin,
                          std::size_t end, std::size_t* cursor_of_band,
                          std::uint32_t* records) noexcept {
    constexpr std::size_t kRecord = Dim + 2;
    std::size_t i = begin;
    for (; i + 4 <= end; i += 4) {
        const auto id = static_cast<std::uint32_t>(first + i);
        // In the plane a record is four words: key, x, y and id. In space the key is stored
        // separately.
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

} // namespace

/// Each record lies in one piece, so that there is one write stream a band.
template <std::size_t Dim>
void Update<Dim>::scatter_block(std::size_t block) noexcept {
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

template <std::size_t Dim>
template <std::size_t kFields>
void Update<Dim>::scatter_fields(std::size_t block) noexcept {
    constexpr std::size_t kRecord = kFields + 1;
    const std::size_t begin = block * plan_.block;
    const std::size_t end = std::min(begin + plan_.block, plan_.agents);
    std::array<FloatTile, Dim> tiles;
    std::array<std::uint32_t, kFloatTile + simd::kSlack> keys;
    std::array<std::uint32_t, kFloatTile> bands;
    const unsigned band_shift = plan_.band_shift;
    const unsigned cell_bits = plan_.cell_bits;
    // A copy, so that a block that is run again writes to the same places. On the stack a block's
    // cursors also stay out of the way of other threads' caches.
    std::array<std::size_t, UpdatePlan::kBands> cursor_of_band;
    const auto in_band = static_cast<std::uint32_t>((std::uint64_t{1} << plan_.band_shift) - 1);
    std::uint32_t* const records = staging_.records.data();
    for (std::size_t band = 0; band < plan_.bands; ++band) {
        cursor_of_band[band] =
            (staging_.band_begin[band] + staging_.cursors[block * plan_.bands + band]) * kRecord;
    }
    for (std::size_t first = begin; first < end; first += kFloatTile) {
        const std::size_t count = std::min(kFloatTile, end - first);
        const float* axis[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            axis[a] = tiles[a].read(agents_.positions.values(a), first, count);
        }
        simd::locate_cells(map_, axis[0], count, keys.data());
        // Agents that are left out have no row here; their keys and bands are not used.
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
                const auto scatter = share ? scatter_quads<true, Dim> : scatter_quads<false, Dim>;
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

template <std::size_t Dim>
template <std::size_t kFields>
void Update<Dim>::extend_record(std::uint32_t* record, std::size_t id) const noexcept {
    std::uint32_t* next = record + 2 + Dim;
    if constexpr (kFields >= 2 * Dim + 1) {
        for (std::size_t a = 0; a < Dim; ++a) {
            *next++ = std::bit_cast<std::uint32_t>(agents_.half_extents.values(a)[id]);
        }
    }
    if constexpr (kFields == Dim + 2 || kFields == 2 * Dim + 2) { *next = agents_.groups[id]; }
}

template void Update<2>::scatter_block(std::size_t) noexcept;
template void Update<3>::scatter_block(std::size_t) noexcept;

} // namespace throng
