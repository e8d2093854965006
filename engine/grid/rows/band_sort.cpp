#include "band_sort.hpp"

#include "../../../simd/isa/words4.hpp"
#include "../../memory/radix_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace throng {

namespace {

/// The number of words that have room for a bit for each row of a band.
std::size_t bitmap_words(const BandExtent& extent) noexcept { return extent.rows / 32 + 1; }

/// The bits of a digit: sparse bands are sorted by the digits of the records' keys.
constexpr unsigned kDigitBits = 11;

/// Turns the numbers of agents in some cells into where each cell begins, the first at `begin`, and
/// returns where the last ends.
std::uint32_t sum_up(std::uint32_t* counts, std::size_t cells, std::uint32_t begin) noexcept {
    simd::Words4 so_far = simd::four_times(begin);
    std::size_t cell = 0;
    for (; cell + 4 <= cells; cell += 4) {
        const simd::Words4 count = simd::load_words4(counts + cell);
        const simd::Words4 ends = so_far + simd::running_sums(count);
        simd::store_words4(counts + cell, ends - count);
        so_far = simd::last_of(ends);
    }
    begin = so_far[0];
    for (; cell < cells; ++cell) {
        begin += std::exchange(counts[cell], begin);
    }
    return begin;
}

/// to[i] = from[i] - less
void copy_less(const std::uint32_t* from, std::size_t count, std::uint32_t less,
               std::uint32_t* to) noexcept {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        simd::store_words4(to + i, simd::load_words4(from + i) - simd::four_times(less));
    }
    for (; i < count; ++i) {
        to[i] = from[i] - less;
    }
}

/// The block of a row while it is written. Keeps the form of the table, since reading it back from
/// the block would wait for the write.
struct RowBlock {
    std::uint32_t* words;
    TableForm form;
    std::uint32_t* nodes; ///< the arrays of fields
    std::size_t capacity; ///< of each array
    std::uint32_t count;

    [[nodiscard]] std::uint32_t* field(std::size_t f) const noexcept {
        return nodes + f * capacity;
    }
};

/// Makes the words at `words` the block of row number `r`, and moves `words` behind that block.
template <std::size_t Dim>
RowBlock place(RowStore<Dim>& store, std::uint32_t r, std::uint32_t*& words, std::uint32_t count,
               const TableForm& form) noexcept {
    const RowBlock block = {words, form, words + form.words(store.shape().cells[0]),
                            RowStore<Dim>::capacity_for(count), count};
    words += store.place(r, words, count, form);
    return block;
}

/// Writes the starts of a row's table. `ends[c]` is where cell c's nodes end, if the row's first
/// node has number `begin`.
void write_table(const RowBlock& row, std::uint32_t cells, const std::uint32_t* ends,
                 std::uint32_t begin) noexcept {
    const TableForm& form = row.form;
    if (!form.trimmed) {
        row.words[0] = 0;
        copy_less(ends, cells, begin, row.words + 1);
        return;
    }
    std::uint32_t* const start = row.words + simd::kTrimmedWords;
    start[0] = 0;
    if (form.trim.shift == 0) {
        copy_less(ends + form.trim.lowest, form.trim.entries - 1, begin, start + 1);
    } else {
        for (std::uint32_t entry = 1; entry < form.trim.entries; ++entry) {
            start[entry] = ends[form.trim.lowest + (entry << form.trim.shift) - 1] - begin;
        }
    }
    start[form.trim.entries] = row.count;
}

/// Copies records to a row's arrays in the given order. Scattered reads and sequential writes are
/// faster than the other way round: the processor knows the next lines to write, and the lines to
/// read are in the cache.
template <std::size_t kFields>
void write_nodes(const RowBlock& row, const std::uint32_t* records,
                 const std::uint32_t* order) noexcept {
    constexpr std::size_t kRecord = kFields + 1;
    std::uint32_t* const nodes = row.nodes;
    const std::size_t capacity = row.capacity;
    const std::size_t count = row.count;
    std::size_t slot = 0;
    if constexpr (kFields == 3 || kFields == 4) {
        // Four records become four nodes. Records of three fields are loaded with the key, which is
        // dropped.
        constexpr std::size_t kSkip = kFields == 4 ? 1 : 0;
        const auto quad = [&](std::size_t i) {
            return simd::load_words4(records + std::size_t{order[i]} * kRecord + kSkip);
        };
        for (; slot + 4 <= count; slot += 4) {
            std::array<simd::Words4, 4> field = {quad(slot), quad(slot + 1), quad(slot + 2),
                                                 quad(slot + 3)};
            simd::transpose(field[0], field[1], field[2], field[3]);
            for (std::size_t f = 0; f < kFields; ++f) {
                simd::store_words4(nodes + f * capacity + slot, field[f + 1 - kSkip]);
            }
        }
    }
    for (; slot < count; ++slot) {
        const std::uint32_t* const record = records + std::size_t{order[slot]} * kRecord;
        for (std::size_t f = 0; f < kFields; ++f) {
            nodes[f * capacity + slot] = record[1 + f];
        }
    }
}

/// to[i] = values[ids[i]]
template <class T>
void pick(ValueView<T> values, const std::uint32_t* ids, std::uint32_t count,
          std::uint32_t* to) noexcept {
    const auto pick_all = [&] {
        for (std::uint32_t i = 0; i < count; ++i) {
            to[i] = std::bit_cast<std::uint32_t>(values[ids[i]]);
        }
    };
    if (values.stride != sizeof(T)) { return pick_all(); }
    values.stride = sizeof(T); // known to the compiler, which halves the instructions
    pick_all();
}

/// Copies the nodes of a row from the caller's arrays, in which an agent's index is its id.
template <std::size_t Dim>
void write_nodes(const RowBlock& row, const Agents<Dim>& agents, const CrowdKind<Dim>& kind,
                 const std::uint32_t* ids) noexcept {
    using Fields = simd::Fields<Dim>;
    for (std::uint32_t a = 0; a < Dim; ++a) {
        pick(agents.positions.values(a), ids, row.count, row.field(Fields::kPosition + a));
        if (kind.own_half_extents) {
            pick(agents.half_extents.values(a), ids, row.count, row.field(Fields::kHalfExtent + a));
        }
    }
    std::memcpy(row.field(Fields::kId), ids, row.count * sizeof(Id));
    if (kind.groups) {
        pick(agents.groups, ids, row.count, row.field(Fields::groups(kind.own_half_extents)));
    }
}

/// Places `rows` rows from number `first` on. The nodes of a cell end at ends[row * stride + cell];
/// cell_of(row, i) is the cell of node number i, and write(row, i) writes the nodes of a row from
/// number i on.
template <std::size_t Dim, class CellOf, class WriteNodes>
void place_rows(RowStore<Dim>& store, std::uint32_t first, std::size_t rows,
                const std::uint32_t* ends, std::size_t stride, std::uint32_t* words,
                const CellOf& cell_of, const WriteNodes& write) noexcept {
    const std::uint32_t cells = store.shape().cells[0];
    std::uint32_t begin = 0;
    for (std::size_t r = 0; r < rows; ++r, ends += stride) {
        const std::uint32_t end = ends[cells - 1];
        if (begin == end) { continue; }
        const RowBlock row =
            place(store, first + static_cast<std::uint32_t>(r), words, end - begin,
                  TableForm::of(end - begin, cell_of(r, begin), cell_of(r, end - 1), cells));
        write_table(row, cells, ends, begin);
        write(row, begin);
        begin = end;
    }
}

template <std::size_t Dim, std::size_t kFields>
void sort_dense(RowStore<Dim>& store, const BandExtent& extent, unsigned cell_bits,
                const std::uint32_t* records, std::uint32_t* words,
                std::uint32_t* scratch) noexcept {
    constexpr std::size_t kRecord = kFields + 1;
    const std::uint32_t cells = store.shape().cells[0];
    std::uint32_t* const order = scratch;
    std::uint32_t* const cursors = scratch + extent.agents;
    std::fill_n(cursors, extent.rows << cell_bits, 0u);
    for (std::size_t i = 0; i < extent.agents; ++i) {
        ++cursors[records[i * kRecord]];
    }
    std::uint32_t begin = 0;
    for (std::size_t r = 0; r < extent.rows; ++r) {
        begin = sum_up(cursors + (r << cell_bits), cells, begin);
    }
    for (std::size_t i = 0; i < extent.agents; ++i) {
        order[cursors[records[i * kRecord]]++] = static_cast<std::uint32_t>(i);
    }

    // The cursors have moved to the ends of their cells.
    place_rows(
        store, extent.first_row, extent.rows, cursors, std::size_t{1} << cell_bits, words,
        [&](std::size_t row, std::uint32_t i) {
            return records[order[i] * kRecord] - static_cast<std::uint32_t>(row << cell_bits);
        },
        [&](const RowBlock& row, std::uint32_t first) {
            write_nodes<kFields>(row, records, order + first);
        });
}

template <std::size_t Dim, std::size_t kFields>
void sort_sparse(RowStore<Dim>& store, const BandExtent& extent, unsigned cell_bits,
                 const std::uint32_t* records, std::uint32_t* words,
                 std::uint32_t* scratch) noexcept {
    constexpr std::size_t kRecord = kFields + 1;
    const std::size_t agents = extent.agents;
    std::uint32_t* const key = scratch;
    std::uint32_t* const first_order = scratch + agents;
    for (std::size_t i = 0; i < agents; ++i) {
        key[i] = records[i * kRecord];
        first_order[i] = static_cast<std::uint32_t>(i);
    }
    const unsigned key_bits = cell_bits + static_cast<unsigned>(std::bit_width(extent.rows - 1));
    const std::uint32_t* const order =
        sort_by_digits<kDigitBits>(agents, key_bits, {key, first_order},
                                   {scratch + 2 * agents, scratch + 3 * agents})
            .order;

    const auto cell_mask = static_cast<std::uint32_t>((std::uint64_t{1} << cell_bits) - 1);
    const auto record = [&](std::size_t i) { return records + order[i] * kRecord; };
    const auto row_of = [&](std::size_t i) { return record(i)[0] >> cell_bits; };
    for (std::size_t begin = 0; begin < agents;) {
        std::size_t end = begin + 1;
        while (end < agents && row_of(end) == row_of(begin)) {
            ++end;
        }
        const auto count = static_cast<std::uint32_t>(end - begin);
        const std::uint32_t number = extent.first_row + row_of(begin);
        const RowBlock row =
            place(store, number, words, count,
                  TableForm::of(count, record(begin)[0] & cell_mask, record(end - 1)[0] & cell_mask,
                                store.shape().cells[0]));
        write_nodes<kFields>(row, records, order + begin);
        store.write_table(store.rows()[number]);
        begin = end;
    }
}

template <std::size_t Dim, std::size_t kFields>
void sort_fields(RowStore<Dim>& store, const BandExtent& extent, unsigned cell_bits,
                 const std::uint32_t* records, std::uint32_t* words,
                 std::uint32_t* scratch) noexcept {
    if (is_dense(extent, cell_bits)) {
        sort_dense<Dim, kFields>(store, extent, cell_bits, records, words, scratch);
    } else {
        sort_sparse<Dim, kFields>(store, extent, cell_bits, records, words, scratch);
    }
}

} // namespace

// A band is dense if it has not many more cells than agents.
bool is_dense(const BandExtent& extent, unsigned cell_bits) noexcept {
    return extent.rows << cell_bits <= 4 * extent.agents + 4096;
}

std::size_t band_scratch_words(const BandExtent& extent, unsigned cell_bits) noexcept {
    if (extent.agents == 0) { return 0; }
    return is_dense(extent, cell_bits) ? extent.agents + (extent.rows << cell_bits)
                                       : std::max(4 * extent.agents, bitmap_words(extent));
}

std::size_t used_rows(const BandExtent& extent, unsigned cell_bits, std::size_t record_words,
                      const std::uint32_t* records, std::uint32_t* scratch) noexcept {
    if (extent.agents == 0 || is_dense(extent, cell_bits)) {
        return std::min(extent.rows, extent.agents);
    }
    std::fill_n(scratch, bitmap_words(extent), 0u);
    for (std::size_t i = 0; i < extent.agents; ++i) {
        const std::uint32_t row = records[i * record_words] >> cell_bits;
        scratch[row / 32] |= 1u << row % 32;
    }
    std::size_t used = 0;
    for (std::size_t w = 0; w < bitmap_words(extent); ++w) {
        used += static_cast<std::size_t>(std::popcount(scratch[w]));
    }
    return used;
}

template <std::size_t Dim>
void sort_band(RowStore<Dim>& store, const BandExtent& extent, unsigned cell_bits,
               const std::uint32_t* records, std::uint32_t* words,
               std::uint32_t* scratch) noexcept {
    if (extent.agents == 0) { return; }
    switch (store.fields()) {
    case Dim + 1:
        return sort_fields<Dim, Dim + 1>(store, extent, cell_bits, records, words, scratch);
    case Dim + 2:
        return sort_fields<Dim, Dim + 2>(store, extent, cell_bits, records, words, scratch);
    case 2 * Dim + 1:
        return sort_fields<Dim, 2 * Dim + 1>(store, extent, cell_bits, records, words, scratch);
    default:
        return sort_fields<Dim, 2 * Dim + 2>(store, extent, cell_bits, records, words, scratch);
    }
}

template <std::size_t Dim>
void sort_all(RowStore<Dim>& store, const Agents<Dim>& agents, SkippedIds skipped,
              const std::uint32_t* keys, std::uint32_t* words, std::uint32_t* scratch) noexcept {
    const std::size_t count = agents.positions.count;
    const std::size_t rows = store.shape().rows();
    const std::uint32_t cells = store.shape().cells[0];
    std::uint32_t* const order = scratch;
    std::uint32_t* const cursors = scratch + (count - skipped.ids.size());
    std::fill_n(cursors, rows * cells, 0u);
    skipped.between(0, count, [&](std::size_t from, std::size_t to) {
        for (std::size_t id = from; id < to; ++id) {
            ++cursors[keys[id]];
        }
    });
    sum_up(cursors, rows * cells, 0);
    skipped.between(0, count, [&](std::size_t from, std::size_t to) {
        for (std::size_t id = from; id < to; ++id) {
            order[cursors[keys[id]]++] = static_cast<std::uint32_t>(id);
        }
    });
    place_rows(
        store, 0, rows, cursors, cells, words,
        [&](std::size_t row, std::uint32_t i) {
            return keys[order[i]] - static_cast<std::uint32_t>(row) * cells;
        },
        [&](const RowBlock& row, std::uint32_t first) {
            write_nodes(row, agents, store.kind(), order + first);
        });
}

template void sort_band(RowStore<2>&, const BandExtent&, unsigned, const std::uint32_t*,
                        std::uint32_t*, std::uint32_t*) noexcept;
template void sort_band(RowStore<3>&, const BandExtent&, unsigned, const std::uint32_t*,
                        std::uint32_t*, std::uint32_t*) noexcept;
template void sort_all(RowStore<2>&, const Agents<2>&, SkippedIds, const std::uint32_t*,
                       std::uint32_t*, std::uint32_t*) noexcept;
template void sort_all(RowStore<3>&, const Agents<3>&, SkippedIds, const std::uint32_t*,
                       std::uint32_t*, std::uint32_t*) noexcept;

} // namespace throng
