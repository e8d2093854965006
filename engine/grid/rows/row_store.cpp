#include "row_store.hpp"

#include "../../../simd/isa/slack.hpp"
#include "../../../simd/isa/words4.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace throng {

TableForm TableForm::of(std::uint32_t count, std::uint32_t first_cell, std::uint32_t last_cell,
                        std::uint32_t cells) noexcept {
    TableForm form;
    if (cells <= std::max(std::uint64_t{4}, 2 * std::uint64_t{count})) { return form; }
    form.trimmed = true;
    form.trim.lowest = first_cell;
    // The least shift with no more entries than agents.
    const std::uint32_t range = last_cell - first_cell;
    const auto digits = [](std::uint32_t n) { return static_cast<int>(std::bit_width(n)); };
    const int shift = std::max(0, digits(range) - digits(count));
    form.trim.shift = static_cast<std::uint32_t>(shift + (range >> shift >= count ? 1 : 0));
    form.trim.entries = (range >> form.trim.shift) + 1;
    return form;
}

std::size_t TableForm::most_words(std::size_t agents, std::size_t rows,
                                  std::uint32_t cells) noexcept {
    // A full table has cells + 1 words, at most 2 * count + 1 or five; a trimmed one at most
    // count + 4, and no more than the full one would have; each is rounded up by at most three.
    const std::size_t used = std::min(agents, rows);
    return std::min(used * (std::size_t{cells} + 4), 2 * agents + 8 * used);
}

template <std::size_t Dim>
NodeWords<Dim> node_words(std::uint32_t id, const Agent<Dim>& agent,
                          const CrowdKind<Dim>& kind) noexcept {
    using Fields = simd::Fields<Dim>;
    NodeWords<Dim> words{};
    for (std::size_t a = 0; a < Dim; ++a) {
        words[a] = std::bit_cast<std::uint32_t>(agent.position[a]);
        if (kind.own_half_extents) {
            words[Fields::kHalfExtent + a] = std::bit_cast<std::uint32_t>((*agent.half_extent)[a]);
        }
    }
    words[Fields::kId] = id;
    if (kind.groups) { words[Fields::groups(kind.own_half_extents)] = *agent.groups; }
    return words;
}

template <std::size_t Dim>
RowStore<Dim>::RowStore(const GridShape<Dim>& shape, const CrowdKind<Dim>& kind)
    : shape_(shape), kind_(kind), fields_(Fields::count(kind.own_half_extents, kind.groups)),
      rows_(shape.rows()), occupied_(shape.rows()) {}

template <std::size_t Dim>
void RowStore<Dim>::lay(const GridShape<Dim>& shape, const CrowdKind<Dim>& kind) {
    forget_all();
    rows_.reserve(shape.rows());
    occupied_.resize(shape.rows());
    rows_.assign(shape.rows(), Row{});
    shape_ = shape;
    restart(kind, {});
}

template <std::size_t Dim>
RowStore<Dim>& RowStore<Dim>::operator=(RowStore&& other) noexcept {
    if (this != &other) {
        forget_all();
        shape_ = other.shape_;
        kind_ = other.kind_;
        fields_ = other.fields_;
        rows_ = std::exchange(other.rows_, {});
        occupied_ = std::exchange(other.occupied_, {});
        tiles_ = std::exchange(other.tiles_, {});
        slab_ = std::move(other.slab_);
        spilled_ = std::exchange(other.spilled_, 0);
    }
    return *this;
}

template <std::size_t Dim>
void RowStore<Dim>::release(Row& row) noexcept {
    if (row.words != nullptr && !slab_.holds(row.words)) {
        const Array<std::uint32_t> freed(row.words);
        --spilled_;
    }
    row = Row{};
}

template <std::size_t Dim>
void RowStore<Dim>::forget_all() noexcept {
    occupied_.for_each([&](std::size_t r) { release(rows_[r]); });
    occupied_.clear();
    tiles_.forget();
}

template <std::size_t Dim>
void RowStore<Dim>::restart(const CrowdKind<Dim>& kind, WordBuffer&& slab) noexcept {
    forget_all();
    kind_ = kind;
    fields_ = Fields::count(kind.own_half_extents, kind.groups);
    if (slab.size() != 0) { slab_ = std::move(slab); }
}

template <std::size_t Dim>
void RowStore<Dim>::move_slab(WordBuffer&& slab) noexcept {
    if (slab_.size() != 0) { std::memcpy(slab.data(), slab_.data(), slab_.bytes()); }
    occupied_.for_each([&](std::size_t r) {
        Row& row = rows_[r];
        if (slab_.holds(row.words)) { row.words = slab.data() + (row.words - slab_.data()); }
    });
    slab_ = std::move(slab);
}

template <std::size_t Dim>
void RowStore<Dim>::fill_tile(std::size_t tile) noexcept {
    const std::size_t past = std::min(64 * (tile + 1), rows_.size());
    for (std::size_t r = occupied_.next(64 * tile); r < past; r = occupied_.next(r + 1)) {
        const Row& row = rows_[r];
        // Prefetches the block four rows ahead, so that it is in the cache when its turn comes.
        if (r + 4 < past) { __builtin_prefetch(rows_[r + 4].words); }
        for (std::uint32_t slot = 0; slot < row.count; ++slot) {
            tiles_.mark(r, cell_of(row, slot));
        }
    }
}

template <std::size_t Dim>
std::size_t RowStore<Dim>::place(std::uint32_t r, std::uint32_t* words, std::uint32_t count,
                                 const TableForm& form) noexcept {
    const auto capacity = static_cast<std::uint32_t>(capacity_for(count));
    rows_[r] = {words, count, capacity | (form.trimmed ? Row::kTrimmed : 0)};
    if (form.trimmed) { std::memcpy(words, &form.trim, sizeof form.trim); }
    occupied_.set_concurrently(r);
    return form.words(shape_.cells[0]) + std::size_t{fields_} * capacity;
}

template <std::size_t Dim>
TableForm RowStore<Dim>::form(const Row& row) noexcept {
    TableForm form;
    form.trimmed = is_trimmed(row);
    if (form.trimmed) { std::memcpy(&form.trim, row.words, sizeof form.trim); }
    return form;
}

template <std::size_t Dim>
NodeWords<Dim> RowStore<Dim>::node(const Row& row, std::uint32_t slot) const noexcept {
    NodeWords<Dim> words{};
    for (std::uint32_t f = 0; f < fields_; ++f) {
        words[f] = field(row, f)[slot];
    }
    return words;
}

template <std::size_t Dim>
std::uint32_t RowStore<Dim>::cell_of(const Row& row, std::uint32_t slot) const noexcept {
    return shape_.cell_on(0, std::bit_cast<float>(field(row, 0)[slot]));
}

template <std::size_t Dim>
bool RowStore<Dim>::covers(const Row& row, std::uint32_t cell) const noexcept {
    const TableForm f = form(row);
    return !f.trimmed ||
           (cell >= f.trim.lowest && (cell - f.trim.lowest) >> f.trim.shift < f.trim.entries);
}

template <std::size_t Dim>
typename RowStore<Dim>::Span RowStore<Dim>::entry_span(const Row& row,
                                                       std::uint32_t cell) const noexcept {
    const TableForm f = form(row);
    const std::uint32_t* const start = row.words + (f.trimmed ? simd::kTrimmedWords : 0);
    if (!f.trimmed) { return {start[cell], start[cell + 1]}; }
    if (cell < f.trim.lowest) { return {0, 0}; }
    const std::uint32_t entry = (cell - f.trim.lowest) >> f.trim.shift;
    if (entry >= f.trim.entries) { return {row.count, row.count}; }
    return {start[entry], start[entry + 1]};
}

template <std::size_t Dim>
std::uint32_t RowStore<Dim>::slot_for(const Row& row, std::uint32_t cell,
                                      std::uint32_t id) const noexcept {
    const Span span = entry_span(row, cell);
    std::uint32_t first = span.begin;
    std::uint32_t count = span.end - span.begin;
    while (count > 0) {
        const std::uint32_t middle = first + count / 2;
        const std::uint32_t middle_cell = cell_of(row, middle);
        if (middle_cell < cell || (middle_cell == cell && ids(row)[middle] < id)) {
            first = middle + 1;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return first;
}

template <std::size_t Dim>
void RowStore<Dim>::shift_starts(const Row& row, std::uint32_t cell, std::uint32_t by) noexcept {
    const TableForm f = form(row);
    std::uint32_t* start = row.words;
    std::uint32_t entry = cell;
    std::uint32_t entries = shape_.cells[0];
    if (f.trimmed) {
        start += simd::kTrimmedWords;
        entry = (cell - f.trim.lowest) >> f.trim.shift;
        entries = f.trim.entries;
    }
    for (std::uint32_t e = entry + 1; e <= entries; ++e) {
        start[e] += by;
    }
}

template <std::size_t Dim>
void RowStore<Dim>::write_table(const Row& row) const noexcept {
    const TableForm f = form(row);
    std::uint32_t* start = row.words;
    std::uint32_t lowest = 0;
    std::uint32_t entries = shape_.cells[0];
    if (f.trimmed) {
        start += simd::kTrimmedWords;
        lowest = f.trim.lowest;
        entries = f.trim.entries;
    }
    std::uint32_t next = 0; // the first entry whose start is not yet known
    for (std::uint32_t slot = 0; slot < row.count; ++slot) {
        const std::uint32_t entry = (cell_of(row, slot) - lowest) >> f.trim.shift;
        for (; next <= entry; ++next) {
            start[next] = slot;
        }
    }
    std::fill(start + next, start + entries + 1, row.count);
}

template <std::size_t Dim>
simd::Row RowStore<Dim>::allocate(std::uint32_t count, std::uint32_t first_cell,
                                  std::uint32_t last_cell) const {
    const TableForm f = TableForm::of(count, first_cell, last_cell, shape_.cells[0]);
    // Room for half as many more, so that a row that keeps growing is copied seldom.
    const std::size_t capacity =
        capacity_for(std::min<std::size_t>(std::size_t{count} + count / 2, kMaxAgentsInRow));
    const std::size_t size = f.words(shape_.cells[0]) + fields_ * capacity + simd::kSlack;
    // Kernels read past the last node, so those words must be initialised; their values are unused.
    std::uint32_t* const words = make_array<std::uint32_t>(size).release();
    if (f.trimmed) { std::memcpy(words, &f.trim, sizeof f.trim); }
    return {words, count, static_cast<std::uint32_t>(capacity) | (f.trimmed ? Row::kTrimmed : 0)};
}

template <std::size_t Dim>
void RowStore<Dim>::replace(std::uint32_t r, const Row& row) noexcept {
    release(rows_[r]);
    rows_[r] = row;
    occupied_.set(r);
    ++spilled_;
}

template <std::size_t Dim>
void RowStore<Dim>::vacate(std::uint32_t r) noexcept {
    release(rows_[r]);
    occupied_.reset(r);
}

template <std::size_t Dim>
void RowStore<Dim>::rebuild_with(std::uint32_t r, std::uint32_t slot, const NodeWords<Dim>& node) {
    const Row old = rows_[r];
    const std::uint32_t cell = shape_.cell_on(0, std::bit_cast<float>(node[0]));
    std::uint32_t first = cell;
    std::uint32_t last = cell;
    if (old.count != 0) {
        first = std::min(first, cell_of(old, 0));
        last = std::max(last, cell_of(old, old.count - 1));
    }
    const Row row = allocate(old.count + 1, first, last);
    for (std::uint32_t i = 0; i < fields_; ++i) {
        std::uint32_t* const to = field(row, i);
        if (old.count != 0) {
            const std::uint32_t* const from = field(old, i);
            std::copy_n(from, slot, to);
            std::copy_n(from + slot, old.count - slot, to + slot + 1);
        }
        to[slot] = node[i];
    }
    write_table(row);
    replace(r, row);
}

template <std::size_t Dim>
void RowStore<Dim>::insert(std::uint32_t r, const NodeWords<Dim>& node) {
    Row& row = rows_[r];
    const std::uint32_t cell = shape_.cell_on(0, std::bit_cast<float>(node[0]));
    const std::uint32_t slot = row.count == 0 ? 0 : slot_for(row, cell, node[Fields::kId]);
    tiles_.mark(r, cell);
    if (row.count == capacity(row) || !covers(row, cell)) {
        rebuild_with(r, slot, node);
        return;
    }
    for (std::uint32_t f = 0; f < fields_; ++f) {
        std::uint32_t* const from = field(row, f) + slot;
        std::memmove(from + 1, from, (row.count - slot) * sizeof(std::uint32_t));
        *from = node[f];
    }
    ++row.count;
    shift_starts(row, cell, 1);
}

template <std::size_t Dim>
void RowStore<Dim>::erase(std::uint32_t r, std::uint32_t slot) noexcept {
    Row& row = rows_[r];
    if (row.count == 1) {
        vacate(r);
        return;
    }
    shift_starts(row, cell_of(row, slot), ~0u); // minus one
    --row.count;
    for (std::uint32_t f = 0; f < fields_; ++f) {
        std::uint32_t* const to = field(row, f) + slot;
        std::memmove(to, to + 1, (row.count - slot) * sizeof(std::uint32_t));
    }
}

template <std::size_t Dim>
std::uint32_t RowStore<Dim>::slot_of(std::uint32_t r, std::uint32_t id) const noexcept {
    const Row& row = rows_[r];
    const std::uint32_t* const of_slot = ids(row);
    // Sixteen at a time: std::find takes three times as long in a row of 2,600.
    const simd::Words4 wanted = {id, id, id, id};
    std::uint32_t slot = 0;
    for (; slot + 16 <= row.count; slot += 16) {
        const std::uint32_t* const next = of_slot + slot;
        const auto equal =
            (simd::load_words4(next) == wanted) | (simd::load_words4(next + 4) == wanted) |
            (simd::load_words4(next + 8) == wanted) | (simd::load_words4(next + 12) == wanted);
        std::array<std::uint64_t, 2> halves;
        std::memcpy(halves.data(), &equal, sizeof equal);
        if ((halves[0] | halves[1]) != 0) { break; }
    }
    while (of_slot[slot] != id) {
        ++slot;
    }
    return slot;
}

template <std::size_t Dim>
void RowStore<Dim>::move_within(std::uint32_t r, std::uint32_t slot, const Point<Dim>& position) {
    Row& row = rows_[r];
    NodeWords<Dim> moved = node(row, slot);
    for (std::size_t a = 0; a < Dim; ++a) {
        moved[a] = std::bit_cast<std::uint32_t>(position[a]);
    }
    const std::uint32_t from_cell = cell_of(row, slot);
    const std::uint32_t to_cell = shape_.cell_on(0, position[0]);
    tiles_.mark(r, to_cell);
    if (to_cell != from_cell && !covers(row, to_cell)) {
        // The table has no entry there: add the node anew, which may fail, then drop the old one.
        const std::uint32_t new_slot = slot_for(row, to_cell, moved[Fields::kId]);
        rebuild_with(r, new_slot, moved);
        erase(r, new_slot <= slot ? slot + 1 : slot);
        return;
    }
    std::uint32_t to = slot;
    if (to_cell != from_cell) {
        to = slot_for(row, to_cell, moved[Fields::kId]);
        shift_starts(row, from_cell, ~0u);
        shift_starts(row, to_cell, 1);
        if (to > slot) { --to; }
    }
    for (std::uint32_t f = 0; f < fields_; ++f) {
        std::uint32_t* const words = field(row, f);
        if (to > slot) {
            std::memmove(words + slot, words + slot + 1, (to - slot) * sizeof(std::uint32_t));
        } else {
            std::memmove(words + to + 1, words + to, (slot - to) * sizeof(std::uint32_t));
        }
        words[to] = moved[f];
    }
}

template <std::size_t Dim>
std::size_t RowStore<Dim>::table_bytes() const noexcept {
    std::size_t words = 0;
    occupied_.for_each([&](std::size_t r) { words += form(rows_[r]).words(shape_.cells[0]); });
    return words * sizeof(std::uint32_t);
}

template <std::size_t Dim>
std::size_t RowStore<Dim>::spilled_bytes() const noexcept {
    if (spilled_ == 0) { return 0; }
    std::size_t words = 0;
    occupied_.for_each([&](std::size_t r) {
        const Row& row = rows_[r];
        if (slab_.holds(row.words)) { return; }
        words +=
            std::size_t{fields_} * capacity(row) + form(row).words(shape_.cells[0]) + simd::kSlack;
    });
    return words * sizeof(std::uint32_t);
}

template NodeWords<2> node_words(std::uint32_t, const Agent<2>&, const CrowdKind<2>&) noexcept;
template NodeWords<3> node_words(std::uint32_t, const Agent<3>&, const CrowdKind<3>&) noexcept;
template class RowStore<2>;
template class RowStore<3>;

} // namespace throng
