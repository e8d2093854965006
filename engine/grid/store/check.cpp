#include "check.hpp"

#include "../../memory/vector.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace throng {

namespace {

using simd::Row;

template <std::size_t Dim>
class GridCheck {
public:
    GridCheck(const RowStore<Dim>& store, const RowOfId& row_of, const Point<Dim>& max_half_extent)
        : store_(store), shape_(store.shape()), max_half_extent_(max_half_extent), row_of_(row_of),
          seen_((row_of.ids + 63) / 64, 0) {}

    [[nodiscard]] const char* fault_of_row(std::uint32_t r) {
        const Row& row = store_.rows()[r];
        if (store_.occupied().test(r) != (row.count != 0)) {
            return "occupied marks differ from the rows";
        }
        if ((row.words != nullptr) != (row.count != 0)) {
            return "a row with agents is null, or an empty one is not";
        }
        if (row.count == 0) { return nullptr; }
        if (row.count > store_.capacity(row)) { return "a row holds more than its capacity"; }
        if (const char* wrong = fault_of_slots(row, r); wrong != nullptr) { return wrong; }
        if (const char* wrong = fault_of_table(row, r); wrong != nullptr) { return wrong; }
        return store_.tiles().empty() ? nullptr : fault_of_tiles(row, r);
    }

    /// Every visited agent has an id of its own. So if the table lists as many ids as there were
    /// visited agents, it lists no id without an agent.
    [[nodiscard]] const char* fault_of_ids(std::size_t agents) const {
        if (met_ != agents) { return "the rows hold another number of agents"; }
        std::size_t named = 0;
        for (std::size_t id = 0; id < row_of_.ids; ++id) {
            named += row_of_.words.data()[id] != kNoRow ? 1 : 0;
        }
        return named == agents ? nullptr : "the ids name another number of agents";
    }

    [[nodiscard]] const Box<Dim>& bounds() const noexcept { return bounds_; }

private:
    [[nodiscard]] const float* floats(const Row& row, std::size_t field) const noexcept {
        return reinterpret_cast<const float*>(store_.field(row, field));
    }

    /// Checks that every agent has a position, is in its row, and is no larger than the largest
    /// half extent.
    [[nodiscard]] const char* fault_of_slots(const Row& row, std::uint32_t r) {
        const std::uint32_t cell[] = {0, Dim == 2 ? r : r % shape_.cells[1], r / shape_.cells[1]};
        bool somewhere = true, in_row = true, not_too_large = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float* const x = floats(row, a);
            for (std::uint32_t slot = 0; slot < row.count; ++slot) {
                somewhere &= std::fabs(x[slot]) <= kLargest;
                bounds_.lo[a] = std::min(bounds_.lo[a], x[slot]);
                bounds_.hi[a] = std::max(bounds_.hi[a], x[slot]);
            }
            for (std::uint32_t slot = 0; a > 0 && slot < row.count; ++slot) {
                in_row &= shape_.cell_on(a, x[slot]) == cell[a];
            }
            if (!store_.kind().own_half_extents) { continue; }
            const float* const half = floats(row, simd::Fields<Dim>::kHalfExtent + a);
            for (std::uint32_t slot = 0; slot < row.count; ++slot) {
                not_too_large &= (half[slot] >= 0.0f) & (half[slot] <= max_half_extent_[a]);
            }
        }
        if (!somewhere) { return "a position that is none"; }
        if (!in_row) { return "an agent is in the wrong row"; }
        return not_too_large ? nullptr : "an extent that is none, or larger than the largest";
    }

    /// Checks that starts do not fall, that every agent is in the cell that the table tells, in
    /// canonical order, and that the table of ids has its row.
    [[nodiscard]] const char* fault_of_table(const Row& row, std::uint32_t r) {
        const TableForm form = store_.form(row);
        const std::uint32_t* const start = row.words + (form.trimmed ? simd::kTrimmedWords : 0);
        const std::uint32_t entries = form.trimmed ? form.trim.entries : shape_.cells[0];
        const float* const x = floats(row, 0);
        const std::uint32_t* const ids = store_.ids(row);
        bool whole = start[0] == 0 && start[entries] == row.count;
        for (std::uint32_t e = 0; e < entries; ++e) {
            whole &= start[e] <= start[e + 1];
        }
        if (!whole) { return "the starts of cells fall, or are not those of all agents"; }
        bool in_cell = true, in_order = true;
        std::uint64_t before = 0;
        for (std::uint32_t slot = 0; slot < row.count; ++slot) {
            const std::uint32_t cell = shape_.cell_on(0, x[slot]);
            const std::uint32_t entry = (cell - form.trim.lowest) >> form.trim.shift;
            const Id id = ids[slot];
            if (entry >= entries) { return "a cell table misses an agent"; }
            if (row_of_[id] != r) { return "the row of an id is not where its agent is"; }
            std::uint64_t& word = seen_[id / 64];
            const std::uint64_t bit = std::uint64_t{1} << (id % 64);
            if ((word & bit) != 0) { return "an id that comes twice"; }
            word |= bit;
            const std::uint64_t key = std::uint64_t{cell} << 32 | id;
            in_cell &= (start[entry] <= slot) & (slot < start[entry + 1]);
            in_order &= (slot == 0) | (before < key);
            before = key;
        }
        met_ += row.count;
        if (!in_cell) { return "a cell table misses an agent"; }
        return in_order ? nullptr : "a row is not sorted by cell and id";
    }

    [[nodiscard]] const char* fault_of_tiles(const Row& row, std::uint32_t r) const {
        bool marked = true;
        for (std::uint32_t slot = 0; slot < row.count; ++slot) {
            marked &= store_.tiles().is_marked(r, store_.cell_of(row, slot));
        }
        return marked ? nullptr : "a tile misses an agent";
    }

    const RowStore<Dim>& store_;
    const GridShape<Dim>& shape_;
    const Point<Dim>& max_half_extent_;
    const RowOfId& row_of_;
    Vector<std::uint64_t> seen_; // a bit for each id
    std::size_t met_ = 0;
    Box<Dim> bounds_{Point<Dim>::all(kLargest), Point<Dim>::all(-kLargest)};
};

} // namespace

template <std::size_t Dim>
GridChecked<Dim> check_grid(const RowStore<Dim>& store, const RowOfId& row_of,
                            const Point<Dim>& max_half_extent, std::size_t agents) {
    GridCheck<Dim> check(store, row_of, max_half_extent);
    const char* fault = nullptr;
    for (std::uint32_t r = 0; r < store.rows().size() && fault == nullptr; ++r) {
        fault = check.fault_of_row(r);
    }
    if (fault == nullptr) { fault = check.fault_of_ids(agents); }
    return {fault, check.bounds()};
}

template GridChecked<2> check_grid(const RowStore<2>&, const RowOfId&, const Point<2>&,
                                   std::size_t);
template GridChecked<3> check_grid(const RowStore<3>&, const RowOfId&, const Point<3>&,
                                   std::size_t);

} // namespace throng
