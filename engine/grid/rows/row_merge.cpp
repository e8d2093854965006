#include "row_merge.hpp"

#include <algorithm>
#include <cstring>

namespace throng {

namespace {

void move_run(std::uint32_t* words, const KeptRun& run) noexcept {
    std::memmove(words + run.to, words + run.begin, (run.end - run.begin) * sizeof(std::uint32_t));
}

void write_added(std::uint32_t* words, const RowMerge& merge, std::size_t field,
                 std::size_t fields) noexcept {
    std::size_t from = field;
    for (const AddedNode& node : merge.added) {
        words[node.slot] = merge.nodes[from];
        from += fields;
    }
}

/// Brings the starts of a row's table up to date, before its nodes are moved.
template <std::size_t Dim>
void shift_table(const RowStore<Dim>& store, const simd::Row& row, const RowMerge& merge) noexcept {
    const TableForm form = store.form(row);
    std::uint32_t* const start = row.words + (form.trimmed ? simd::kTrimmedWords : 0);
    const std::uint32_t entries = form.trimmed ? form.trim.entries : store.shape().cells[0];
    const auto entry_of = [&](std::uint32_t cell) {
        return (cell - form.trim.lowest) >> form.trim.shift; // both are zero in a full table
    };
    std::uint32_t entry = 0; // the starts up to this entry are right
    std::uint32_t by = 0;    // what to add to the later starts; modulo 2^32, since rows shrink too
    const auto go_to = [&](std::uint32_t next) {
        if (by != 0) {
            for (std::uint32_t e = entry + 1; e <= next; ++e) {
                start[e] += by;
            }
        }
        entry = next;
    };
    std::size_t added = 0;
    const auto add_up_to = [&](std::uint32_t end) {
        for (; added < merge.added.size(); ++added) {
            const std::uint32_t at = entry_of(merge.added[added].cell());
            if (at >= end) { return; }
            go_to(at);
            ++by;
        }
    };
    for (const std::uint32_t slot : merge.removed) {
        const std::uint32_t at = entry_of(store.cell_of(row, slot));
        add_up_to(at);
        go_to(at);
        --by;
    }
    add_up_to(entries);
    go_to(entries);
}

} // namespace

template <std::size_t Dim>
std::size_t lay_out(const RowStore<Dim>& store, std::uint32_t r,
                    std::span<const std::uint32_t> removed, std::span<AddedNode> added,
                    KeptRun* kept) noexcept {
    const simd::Row& row = store.rows()[r];
    std::size_t runs = 0, gone = 0, come = 0;
    std::uint32_t from = 0, to = 0;
    const auto find_next_slot = [&] {
        if (come == added.size() || row.count == 0) { return row.count; }
        return store.slot_for(row, added[come].cell(), added[come].id());
    };
    std::uint32_t next_slot = find_next_slot();
    for (;;) {
        const std::uint32_t end =
            gone < removed.size() ? std::min(removed[gone], next_slot) : next_slot;
        if (end > from) {
            kept[runs++] = {from, end, to};
            to += end - from;
            from = end;
        }
        if (come < added.size() && next_slot == from) {
            added[come++].slot = to++;
            next_slot = find_next_slot();
        } else if (gone < removed.size()) {
            ++gone;
            ++from;
        } else {
            return runs;
        }
    }
}

template <std::size_t Dim>
bool fits_in_place(const RowStore<Dim>& store, const RowMerge& merge) noexcept {
    const simd::Row& row = store.rows()[merge.row];
    return row.count != 0 && merge.count <= store.capacity(row) &&
           (merge.added.empty() || (store.covers(row, merge.added.front().cell()) &&
                                    store.covers(row, merge.added.back().cell())));
}

template <std::size_t Dim>
simd::Row merge_aside(const RowStore<Dim>& store, const RowMerge& merge) {
    const simd::Row& old = store.rows()[merge.row];
    std::uint32_t first = store.shape().cells[0];
    std::uint32_t last = 0;
    if (!merge.added.empty()) {
        first = merge.added.front().cell();
        last = merge.added.back().cell();
    }
    if (!merge.kept.empty()) {
        first = std::min(first, store.cell_of(old, merge.kept.front().begin));
        last = std::max(last, store.cell_of(old, merge.kept.back().end - 1));
    }
    const simd::Row row = store.allocate(merge.count, first, last);
    for (std::uint32_t f = 0; f < store.fields(); ++f) {
        std::uint32_t* const words = store.field(row, f);
        if (!merge.kept.empty()) {
            const std::uint32_t* const from = store.field(old, f);
            for (const KeptRun& run : merge.kept) {
                std::copy(from + run.begin, from + run.end, words + run.to);
            }
        }
        write_added(words, merge, f, store.fields());
    }
    store.write_table(row);
    return row;
}

template <std::size_t Dim>
void merge_in_place(RowStore<Dim>& store, const RowMerge& merge) noexcept {
    const simd::Row& row = store.rows()[merge.row];
    shift_table(store, row, merge);
    for (std::uint32_t f = 0; f < store.fields(); ++f) {
        std::uint32_t* const words = store.field(row, f);
        // Runs that move down are taken from the lowest on, and runs that move up from the highest
        // on: so both overwrite only nodes that are removed or already moved. Runs keep their
        // order, so no run moves onto a run of the other kind.
        for (const KeptRun& run : merge.kept) {
            if (run.to < run.begin) { move_run(words, run); }
        }
        for (std::size_t i = merge.kept.size(); i-- > 0;) {
            if (merge.kept[i].to > merge.kept[i].begin) { move_run(words, merge.kept[i]); }
        }
        write_added(words, merge, f, store.fields());
    }
    store.set_count(merge.row, merge.count);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template std::size_t lay_out(const RowStore<Dim>&, std::uint32_t,                              \
                                 std::span<const std::uint32_t>, std::span<AddedNode>,             \
                                 KeptRun*) noexcept;                                               \
    template bool fits_in_place(const RowStore<Dim>&, const RowMerge&) noexcept;                   \
    template simd::Row merge_aside(const RowStore<Dim>&, const RowMerge&);                         \
    template void merge_in_place(RowStore<Dim>&, const RowMerge&) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
