// Writes row grids to archives, row by row; reads them back and checks them.
#include "frozen.hpp"

#include "../../../simd/isa/slack.hpp"
#include "../../agents/validation.hpp"
#include "../../archive/archive_numbers.hpp"
#include "../../memory/vector.hpp"
#include "check.hpp"
#include "state.hpp"

#include <type_traits>
#include <utility>

namespace throng {

namespace {

using simd::Row;

template <std::size_t Dim>
struct GridNumbers {
    CrowdKind<Dim> kind{};
    GridShape<Dim> shape{};
    Point<Dim> max_half_extent{};
    std::uint64_t count = 0;

    template <class Self, class Numbers>
    static void name_all(Self& self, Numbers& numbers) {
        numbers.number(self.kind);
        numbers.number(self.shape.origin);
        numbers.number(self.shape.inverse_cell);
        numbers.number(self.shape.cells);
        numbers.number(self.max_half_extent);
        numbers.number(self.count);
        // Written only if the grid is a window. So other grids keep the format that they had before
        // there were windows, and older libraries refuse the files of windows.
        if (numbers.goes_on(self.is_window())) { numbers.number(self.shape.first); }
    }

    [[nodiscard]] bool is_window() const noexcept { return shape.first != GridShape<Dim>{}.first; }

    [[nodiscard]] bool sound() const noexcept {
        // With a NaN as the largest half extent a search would have no cells; with too small a
        // value it would lose hits.
        return check_half_extent(max_half_extent).ok() &&
               (kind.own_half_extents || max_half_extent == kind.common_half_extent) &&
               (shape == GridShape<Dim>{} || check_shape(shape).ok());
    }
};

/// The words of a row's table and arrays.
template <std::size_t Dim>
std::uint64_t block_words(const RowStore<Dim>& store, const Row& row) noexcept {
    return store.form(row).words(store.shape().cells[0]) +
           std::uint64_t{store.fields()} * store.capacity(row);
}

/// Whether the numbers of a row and its table are possible, and its block fits into `room` words.
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

/// Gives rows their parts of the slab, in order. False if the heads are invalid or the parts are
/// not the whole slab.
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

/// Archives have no tiles: marking them anew takes little time.
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
    const auto& state = detail::state_of(grid);
    const AccessCheck::Reading reading(state.access);
    const GridNumbers<Dim> all = {state.store.kind(), state.store.shape(), state.max_half_extent,
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
    GridState<Dim> loaded;
    loaded.row_of.ids = in.buffer(kIds, simd::kSlack, loaded.row_of.words);
    if (!in.ok()) { return; }
    loaded.store = RowStore<Dim>(all.shape, all.kind);
    loaded.store.restart(all.kind, std::move(slab));
    loaded.count = static_cast<std::size_t>(all.count);
    loaded.max_half_extent = all.max_half_extent;
    if (loaded.row_of.ids > kMaxAgents || !adopt_rows(loaded.store, heads, words)) {
        return in.refuse();
    }
    const auto [fault, bounds] =
        check_grid(loaded.store, loaded.row_of, loaded.max_half_extent, loaded.count);
    if (fault != nullptr) { return in.refuse(); }
    loaded.bounds = bounds;
    mark_tiles(loaded.store, loaded.count);
    loaded.slices.reserve(loaded.count);
    loaded.slices.cut(loaded.store, loaded.count);
    auto& state = detail::state_of(grid);
    const typename std::remove_reference_t<decltype(state)>::Changing changing(state);
    state = std::move(loaded);
}

template struct FrozenIndex<RowGrid<2>>;
template struct FrozenIndex<RowGrid<3>>;

} // namespace throng
