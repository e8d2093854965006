// Row grids in archives: rows one behind another, and what must be true of them.
#include "frozen_index.hpp"

#include "../simd/slack.hpp"
#include "archive_numbers.hpp"
#include "row_grid_state.hpp"
#include "validation.hpp"
#include "vector.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace throng {

namespace {

using simd::Row;

template <std::size_t Dim>
struct GridNumbers {
    CrowdKind<Dim> kind{};
    GridShape<Dim> shape{};
    Point<Dim> reach{};
    std::uint64_t count = 0;

    template <class Self, class Numbers>
    static void name_all(Self& self, Numbers& numbers) {
        numbers.number(self.kind);
        numbers.number(self.shape.origin);
        numbers.number(self.shape.inverse_cell);
        numbers.number(self.shape.cells);
        numbers.number(self.reach);
        numbers.number(self.count);
    }

    [[nodiscard]] bool sound() const noexcept {
        // A reach that is no extent would have no cells, and one too short would lose hits.
        return check_half_extent(reach).ok() &&
               (kind.own_half_extents || reach == kind.common_half_extent) &&
               (shape == GridShape<Dim>{} || check_shape(shape).ok());
    }
};

/// The words of a row's table and arrays.
template <std::size_t Dim>
std::uint64_t block_words(const RowStore<Dim>& store, const Row& row) noexcept {
    return store.form(row).words(store.shape().cells[0]) +
           std::uint64_t{store.fields()} * store.capacity(row);
}

/// Whether a row's numbers, and those of its table, fit the `room` words from where it begins.
template <std::size_t Dim>
bool fits(const RowStore<Dim>& store, const Row& row, std::size_t room) noexcept {
    const std::uint32_t capacity = store.capacity(row);
    if (row.count > capacity || capacity != store.capacity_for(capacity)) { return false; }
    if (store.is_trimmed(row)) {
        if (room < simd::kTrimmedWords) { return false; }
        const simd::TrimmedTable trim = store.form(row).trim;
        const std::uint32_t cells = store.shape().cells[0];
        if (trim.entries == 0 || trim.entries > cells || trim.shift > 31) { return false; }
        const std::uint64_t last = std::uint64_t{trim.entries - 1} << trim.shift;
        if (trim.lowest + last >= cells) { return false; }
    }
    return block_words(store, row) <= room;
}

/// Gives rows their parts of the slab, in order. False if these are not parts of it.
template <std::size_t Dim>
bool adopt_rows(RowStore<Dim>& store, const Vector<std::uint32_t>& heads,
                std::size_t words) noexcept {
    std::size_t at = 0;
    for (std::uint32_t r = 0; r < store.rows().size(); ++r) {
        const std::uint32_t count = heads[2 * std::size_t{r}];
        const std::uint32_t capacity_and_form = heads[2 * std::size_t{r} + 1];
        if (count == 0) {
            if (capacity_and_form != Row{}.capacity_and_form) { return false; }
            continue;
        }
        const Row row = {store.slab().data() + at, count, capacity_and_form};
        if (!fits(store, row, words - at)) { return false; }
        store.adopt(r, row);
        at += static_cast<std::size_t>(block_words(store, row));
    }
    store.all_placed();
    return at == words;
}

/// Goes over the agents of a grid, a row after another, and over the table of ids.
template <std::size_t Dim>
class GridCheck {
public:
    /// `bounds` will be those of all centres.
    GridCheck(const RowStore<Dim>& store, const Point<Dim>& reach, RowOfId& row_of,
              Box<Dim>& bounds) noexcept
        : store_(store), shape_(store.shape()), reach_(reach), rows_of_(row_of.words.data()),
          ids_(row_of.ids), bounds_(bounds) {}

    /// Whether all is as edits and kernels rely on, with so many agents. The table of ids changes
    /// meanwhile, and is then what it was.
    [[nodiscard]] bool holds(std::uint64_t agents) const noexcept {
        std::uint64_t there = 0;
        for (std::uint32_t r = 0; r < store_.rows().size(); ++r) {
            const Row& row = store_.rows()[r];
            if (row.count == 0) { continue; }
            if (!places_hold(row, r) || !table_holds(row, r)) { return false; }
            there += row.count;
        }
        return there == agents && named() == agents;
    }

private:
    /// Rows have smaller numbers, and no row has this bit too.
    static constexpr std::uint32_t kSeen = 0x8000'0000u;
    static_assert(GridShape<Dim>::kMaxRows <= kSeen);

    [[nodiscard]] const float* floats(const Row& row, std::size_t field) const noexcept {
        return reinterpret_cast<const float*>(store_.field(row, field));
    }

    /// Everybody is somewhere, in this row, and no larger than the reach.
    [[nodiscard]] bool places_hold(const Row& row, std::uint32_t r) const noexcept {
        const std::uint32_t cell[] = {0, Dim == 2 ? r : r % shape_.cells[1], r / shape_.cells[1]};
        bool holds = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float* const x = floats(row, a);
            for (std::uint32_t slot = 0; slot < row.count; ++slot) {
                holds &= std::fabs(x[slot]) <= kLargest;
                bounds_.lo[a] = std::min(bounds_.lo[a], x[slot]);
                bounds_.hi[a] = std::max(bounds_.hi[a], x[slot]);
            }
            for (std::uint32_t slot = 0; a > 0 && slot < row.count; ++slot) {
                holds &= shape_.cell_on(a, x[slot]) == cell[a];
            }
            if (!store_.kind().own_half_extents) { continue; }
            const float* const half = floats(row, simd::Fields<Dim>::kHalfExtent + a);
            for (std::uint32_t slot = 0; slot < row.count; ++slot) {
                holds &= (half[slot] >= 0.0f) & (half[slot] <= reach_[a]);
            }
        }
        return holds;
    }

    /// The starts do not fall, everybody is where the table says, in canonical order, and the table
    /// of ids knows.
    [[nodiscard]] bool table_holds(const Row& row, std::uint32_t r) const noexcept {
        const TableForm form = store_.form(row);
        const std::uint32_t* const start = row.words + (form.trimmed ? simd::kTrimmedWords : 0);
        const std::uint32_t entries = form.trimmed ? form.trim.entries : shape_.cells[0];
        const float* const x = floats(row, 0);
        const std::uint32_t* const ids = store_.ids(row);
        bool holds = start[0] == 0 && start[entries] == row.count;
        for (std::uint32_t e = 0; e < entries; ++e) {
            holds &= start[e] <= start[e + 1];
        }
        std::uint64_t before = 0;
        for (std::uint32_t slot = 0; slot < row.count; ++slot) {
            const std::uint32_t cell = shape_.cell_on(0, x[slot]);
            const std::uint32_t entry = (cell - form.trim.lowest) >> form.trim.shift;
            const Id id = ids[slot];
            if (entry >= entries || id >= ids_ || rows_of_[id] != r) { return false; }
            rows_of_[id] = r | kSeen; // so that nobody comes twice
            const std::uint64_t key = std::uint64_t{cell} << 32 | id;
            holds &= (start[entry] <= slot) & (slot < start[entry + 1]);
            holds &= (slot == 0) | (before < key);
            before = key;
        }
        return holds;
    }

    /// Makes the table of ids what it was; returns how many it names. Everybody who was met has a
    /// name of their own, so if those are all there are, nobody is named who is not there.
    [[nodiscard]] std::uint64_t named() const noexcept {
        static_assert((kNoRow & kSeen) != 0);
        std::uint64_t named = 0;
        for (std::size_t id = 0; id < ids_; ++id) {
            const std::uint32_t row = rows_of_[id];
            named += row != kNoRow ? 1 : 0;
            rows_of_[id] = row == kNoRow ? kNoRow : row & ~kSeen;
        }
        return named;
    }

    const RowStore<Dim>& store_;
    const GridShape<Dim>& shape_;
    const Point<Dim>& reach_;
    std::uint32_t* const rows_of_;
    const std::size_t ids_;
    Box<Dim>& bounds_;
};

constexpr std::uint32_t kNumbers = archive_tag("GNUM");
constexpr std::uint32_t kRows = archive_tag("ROWS");
constexpr std::uint32_t kSlab = archive_tag("SLAB");
constexpr std::uint32_t kIds = archive_tag("IDS ");

template <std::size_t Dim>
void write_block(const RowStore<Dim>& store, const Row& row, ArchiveWriter& out) {
    const TableForm form = store.form(row);
    const std::uint32_t cells = store.shape().cells[0];
    const std::uint32_t used = (form.trimmed ? simd::kTrimmedWords + form.trim.entries : cells) + 1;
    out.add(row.words, used);
    out.add_zeros(form.words(cells) - used);
    for (std::uint32_t f = 0; f < store.fields(); ++f) {
        out.add(store.field(row, f), row.count);
        out.add_zeros(store.capacity(row) - row.count);
    }
}

template <std::size_t Dim>
void write_rows(const RowStore<Dim>& store, ArchiveWriter& out) {
    if (out.begin(kRows, 2 * store.rows().size())) {
        Vector<std::uint32_t> heads;
        heads.reserve(2 * store.rows().size());
        for (const Row& row : store.rows()) {
            heads.push_back(row.count);
            heads.push_back(row.capacity_and_form);
        }
        out.add(heads.data(), heads.size());
        out.end();
    }
    std::uint64_t words = 0;
    store.occupied().for_each([&](std::size_t r) { words += block_words(store, store.rows()[r]); });
    if (out.begin(kSlab, words)) {
        store.occupied().for_each([&](std::size_t r) { write_block(store, store.rows()[r], out); });
        out.end();
    }
}

/// Tiles are not written: they are soon made.
template <std::size_t Dim>
void mark_tiles(RowStore<Dim>& store, std::size_t agents) {
    if (!OccupancyTiles::pay(agents, store.rows().size(), store.shape().cells[0])) { return; }
    store.reserve_tiles();
    store.lay_tiles();
    for (std::size_t tile = 0; tile < store.tiles().tiles(); ++tile) {
        store.fill_tile(tile);
    }
}

} // namespace

template <std::size_t Dim>
void FrozenIndex<RowGrid<Dim>>::write(const RowGrid<Dim>& grid, ArchiveWriter& out) {
    const auto& state = *grid.state_;
    const Phase::Reading reading(state.phase);
    const GridNumbers<Dim> all = {state.store.kind(), state.store.shape(), state.reach,
                                  state.count};
    NumbersOut numbers;
    all.name_all(all, numbers);
    numbers.write(kNumbers, out);
    write_rows(state.store, out);
    out.section(kIds, state.row_of.words.data(), state.row_of.ids);
}

template <std::size_t Dim>
void FrozenIndex<RowGrid<Dim>>::read(ArchiveReader& in, RowGrid<Dim>& grid) {
    GridNumbers<Dim> all;
    NumbersIn numbers(kNumbers, in);
    all.name_all(all, numbers);
    Vector<std::uint32_t> heads;
    if (!numbers.end() || !in.list(kRows, heads)) { return; }
    if (!all.sound() || heads.size() != 2 * std::size_t{all.shape.rows()}) { return in.refuse(); }
    WordBuffer slab;
    const std::size_t words = in.buffer(kSlab, simd::kSlack, slab);
    typename RowGrid<Dim>::State loaded;
    loaded.row_of.ids = in.buffer(kIds, simd::kSlack, loaded.row_of.words);
    if (!in.ok()) { return; }
    loaded.store = RowStore<Dim>(all.shape, all.kind);
    loaded.store.restart(all.kind, std::move(slab));
    loaded.count = static_cast<std::size_t>(all.count);
    loaded.reach = all.reach;
    if (loaded.row_of.ids > kMaxAgents || !adopt_rows(loaded.store, heads, words) ||
        !GridCheck<Dim>(loaded.store, loaded.reach, loaded.row_of, loaded.bounds)
             .holds(all.count)) {
        return in.refuse();
    }
    mark_tiles(loaded.store, loaded.count);
    loaded.slices.reserve(loaded.count);
    loaded.slices.cut(loaded.store, loaded.count);
    const Phase::Changing changing(grid.state_->phase);
    *grid.state_ = std::move(loaded);
}

template struct FrozenIndex<RowGrid<2>>;
template struct FrozenIndex<RowGrid<3>>;

} // namespace throng
