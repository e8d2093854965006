// The search of any part of the world, row by row. For *.kernel.cpp files only.
#pragma once

#include "../isa/packed_lanes.hpp"
#include "../shapes/node_filter.hpp"
#include "../views/query_one.hpp"
#include "row_finder.hpp"
#include "sinks.hpp"

namespace throng::simd {

/// Hands the hits among the nodes of a span to the sink, a vector at a time; returns where it
/// stopped, before span.end only if the sink was full.
template <class Arch, class Shape, class Filter, class Sink>
[[gnu::always_inline]] inline std::uint32_t test_span(const NodeArrays& row, std::uint32_t id_field,
                                                      Span span, const Shape& shape,
                                                      const Filter& filter, Sink& sink) noexcept {
    sink.look_at(span.end - span.begin);
    for (std::uint32_t i = span.begin; i < span.end; i += kLanes<Arch>) {
        if (sink.full()) { return i; }
        const std::uint32_t bits = shape.hits(row, i) & filter.keep(row, i);
        sink.take(row, id_field, i, first_lanes<Arch>(bits, span.end - i));
    }
    return span.end;
}

/// Whether the cells that lie wholly inside a shape are the same in all rows that have such cells,
/// as for boxes. A few comparisons then find the nodes of these cells, so even short spans gain.
template <class RowCells>
concept AlikeInside = requires(const RowCells cells) {
    cells.inner;
};

/// With this many nodes of a row or more, shapes first find out which cells lie wholly inside and
/// which wholly outside; docs/planner.md has the figures. For boxes and balls, which test a vector
/// in less time than other shapes, the number grows with the vector. For boxes it only decides
/// which rows are ordinary: see AlikeInside.
template <class Arch, class Shape>
inline constexpr std::uint32_t kLongSpan =
    !Shape::kFrequent ? 24 : (AlikeInside<typename Shape::RowCells> ? 8 : 16) * kLanes<Arch>;

/// The nodes of this many rows are prefetched before the first row is looked into, so that the
/// processor waits for all of them at once.
inline constexpr std::uint32_t kAskedEarly = 8;

/// The ordinary rows among a few rows, up to the first row that is not ordinary. An ordinary row
/// has a full table, and few nodes in the cells.
template <class Arch, class Shape>
struct OrdinaryRows {
    Span spans[kAskedEarly];
    std::uint32_t count = 0; ///< the number of rows
    std::uint32_t nodes = 0;

    template <std::size_t Dim>
    [[gnu::always_inline]] void find(const GridView<Dim>& grid, const Row* rows, std::uint32_t few,
                                     const CellRange& x, bool with_ids) noexcept {
        for (; count < few; ++count) {
            const Row& row = rows[count];
            if (!is_full<Arch>(row)) { return; }
            const Span span = {row.words[x.first], row.words[x.last + 1]};
            if (span.end - span.begin >= kLongSpan<Arch, Shape>) { return; }
            spans[count] = span;
            nodes += span.end - span.begin;
            const NodeArrays arrays = {row.words + grid.full_table, row.capacity_and_form};
            ask_for<Arch, Dim>(arrays, span, with_ids);
        }
    }
};

/// Searches these cells for as long as rows are ordinary and there is room for all of their nodes.
/// Most small searches meet no other rows, and take half of the instructions of search_rows().
/// Returns true if all cells are searched or the sink has enough; else `state` says where to go on.
template <Skips skips, class Arch, class Shape, std::size_t Dim, class Sink>
[[gnu::always_inline]] inline bool
search_ordinary_rows(const GridView<Dim>& grid, const Shape& shape, const CellBox<Dim>& cells,
                     const KernelFilter& kernel_filter, Sink& sink, QueryCursor& state) noexcept {
    const NodeFilter<Arch, Dim, skips> filter(grid, kernel_filter, 0);
    const CellRange x = cells.on[0];
    if (x.first > x.last) { return true; }
    const CellRange planes = Dim == 3 ? cells.on[Dim - 1] : CellRange{0, 0};
    for (std::uint32_t z = planes.first; z <= planes.last; ++z) {
        const std::uint32_t past = z * grid.cells[1] + cells.on[1].last + 1;
        std::uint32_t r = z * grid.cells[1] + cells.on[1].first;
        while (r < past) {
            const std::uint32_t few = past - r < kAskedEarly ? past - r : kAskedEarly;
            const Row* row = grid.rows + r;
            OrdinaryRows<Arch, Shape> ordinary;
            ordinary.find(grid, row, few, x, sink.takes_ids() || filter.reads_ids());
            state.row = r;
            if (!sink.has_room(ordinary.nodes)) { return false; }
            const bool many = ordinary.nodes >= kAskedEarly * kLanes<Arch>;
            for (std::uint32_t k = 0; k < ordinary.count; ++k, ++row) {
                const Span span = ordinary.spans[k];
                const NodeArrays arrays = {row->words + grid.full_table, row->capacity_and_form};
                for (std::uint32_t i = span.begin; i < span.end; i += kLanes<Arch>) {
                    if (many && sink.enough()) { return true; }
                    sink.take(arrays, Fields<Dim>::kId, i,
                              first_lanes<Arch>(shape.hits(arrays, i) & filter.keep(arrays, i),
                                                span.end - i));
                }
            }
            // With few vectors, enough() is asked after all of these rows and not after each: the
            // next rows take less time than a mispredicted branch.
            if (sink.enough()) { return true; }
            r += ordinary.count;
            state.row = r;
            if (ordinary.count < few) { return false; }
        }
    }
    return true;
}

/// Where one hit is enough, this many rows are looked up first, then twice as many each time.
template <class Told>
inline constexpr std::uint32_t kRowsAtFirst = InLanes<Told> ? 8 : 2;

/// A shape's RowCells, made when the first row with a long span needs them.
template <class RowCells>
class LateCells {
public:
    template <class Grid, class Shape>
    [[gnu::always_inline]] RowCells& of(const Grid& grid, const Shape& shape) noexcept {
        static_assert(std::is_trivially_copyable_v<RowCells>);
        if (!known_) {
            const RowCells made(grid, shape);
            __builtin_memcpy(bytes_, &made, sizeof made);
            known_ = true;
        }
        return *reinterpret_cast<RowCells*>(bytes_);
    }

private:
    alignas(RowCells) unsigned char bytes_[sizeof(RowCells)];
    bool known_ = false;
};

/// Narrows a row's long span to the nodes that the shape may hit, and sets `sure` to the nodes
/// among these that are sure to be hits. Returns false if the shape does not reach the row.
template <class Arch, class RowCells, std::size_t Dim>
[[gnu::noinline]] bool narrow_span(const GridView<Dim>& grid, const RowCells& row_cells,
                                   std::uint32_t r, const CellRange& all, Span& span,
                                   Span& sure) noexcept {
    std::uint32_t cell[Dim] = {};
    cell[1] = Dim == 3 ? r % grid.cells[1] : r;
    if constexpr (Dim == 3) { cell[2] = r / grid.cells[1]; }
    CellRange outer = all;
    CellRange inside = CellRange::none();
    if (!row_cells.row(grid, cell, outer, inside)) { return false; }
    span = span_of<Arch>(grid.rows[r], outer.first, outer.last);
    if (inside.first <= inside.last) {
        sure = span_of<Arch, true>(grid.rows[r], inside.first, inside.last);
    }
    return true;
}

/// The nodes of row r that are sure to be hits; none if the row reaches out of the box.
template <class Arch, class RowCells, std::size_t Dim>
[[gnu::always_inline]] inline Span sure_nodes(const GridView<Dim>& grid, const RowCells& row_cells,
                                              std::uint32_t r) noexcept {
    const CellRange(&inner)[Dim] = row_cells.inner;
    const std::uint32_t y = Dim == 3 ? r % grid.cells[1] : r;
    bool inside = inner[0].first <= inner[0].last;
    inside = inside & (y >= inner[1].first) & (y <= inner[1].last);
    if constexpr (Dim == 3) {
        const std::uint32_t z = r / grid.cells[1];
        inside = inside & (z >= inner[2].first) & (z <= inner[2].last);
    }
    if (!inside) { return {0, 0}; }
    return span_of<Arch, true>(grid.rows[r], inner[0].first, inner[0].last);
}

/// Searches these cells row by row, from where `state` says. False when the sink is full: then
/// `state` says where to go on.
template <Skips skips, class Arch, class Shape, std::size_t Dim, class Sink>
bool search_rows(const GridView<Dim>& grid, const Shape& shape, const CellBox<Dim>& cells,
                 const KernelFilter& kernel_filter, Sink& sink, QueryCursor& state) noexcept {
    constexpr std::uint32_t kId = Fields<Dim>::kId;
    const NodeFilter<Arch, Dim, skips> filter(grid, kernel_filter, 0);
    [[maybe_unused]] LateCells<typename Shape::RowCells> row_cells;
    RowFinder<Arch, typename Shape::Told, Dim> finder(grid, shape, cells, state.row,
                                                      sink.takes_ids() || filter.reads_ids());
    RowBatch batches[2];
    batches[1].count = 0;
    // If one hit is enough, it is likely in the first rows, and most rows need not be looked up.
    const bool first_only = sink.one_is_enough();
    std::uint32_t most = first_only ? kRowsAtFirst<typename Shape::Told> : kRowsTogether;
    for (std::uint32_t now = 0;; now ^= 1) {
        // The next rows are prefetched here, and arrive while the rows of `batch` are tested.
        const bool more = finder.more();
        if (more) {
            finder.find(most, batches[now]);
        } else if (first_only) {
            return true;
        }
        const RowBatch& batch = batches[first_only ? now : now ^ 1];
        most = most < kRowsTogether ? 2 * most : kRowsTogether;
        for (std::uint32_t k = 0; k < batch.count; ++k) {
            const std::uint32_t r = batch.number[k];
            const NodeArrays& arrays = batch.arrays[k];
            Span span = batch.span[k];
            const std::uint32_t nodes = span.end - span.begin;
            // Most rows have at most a vector of nodes, and are not the row where a search goes on.
            if (!kTellsOneByOne<typename Shape::Told> && nodes <= kLanes<Arch> && r != state.row &&
                !sink.full()) {
                sink.enter_row();
                sink.look_at(nodes);
                const std::uint32_t bits =
                    shape.hits(arrays, span.begin) & filter.keep(arrays, span.begin);
                sink.take(arrays, kId, span.begin, first_lanes<Arch>(bits, nodes));
                if (sink.enough()) { return true; }
                continue;
            }
            Span sure = {0, 0};
            if constexpr (Shape::kTellsInside && kTellsOneByOne<typename Shape::Told>) {
                const CellRange inside = batch.inside[k];
                if (inside.first <= inside.last) {
                    sure = span_of<Arch, true>(grid.rows[r], inside.first, inside.last);
                }
            } else if constexpr (AlikeInside<typename Shape::RowCells>) {
                if (nodes > 2 * kLanes<Arch>) {
                    sure = sure_nodes<Arch>(grid, row_cells.of(grid, shape), r);
                }
            } else if constexpr (Shape::kTellsInside) {
                if (nodes >= kLongSpan<Arch, Shape> &&
                    !narrow_span<Arch>(grid, row_cells.of(grid, shape), r, cells.on[0], span,
                                       sure)) {
                    continue;
                }
            }
            sink.enter_row();
            const std::uint32_t done = r == state.row ? state.slot : 0;
            span.begin = span.begin < done ? done : span.begin;
            // An earlier call of this search may have searched this row beyond span.end.
            span.begin = span.begin < span.end ? span.begin : span.end;
            Span middle = {span.end, span.end};
            if (kCopies<Sink> && (skips == Skips::nothing || (kernel_filter.groups == ~0u &&
                                                              kernel_filter.row_of_without != r))) {
                sure.begin = sure.begin < span.begin ? span.begin : sure.begin;
                if (sure.begin < sure.end) { middle = sure; }
            }
            // Nodes to be copied, and the nodes after them, are begun only once all earlier nodes
            // are done.
            std::uint32_t slot = span.begin;
            for (Span tested = {span.begin, middle.begin};; tested = {middle.end, span.end}) {
                slot = test_span<Arch>(arrays, kId, tested, shape, filter, sink);
                if (slot < tested.end || slot >= middle.end) { break; }
                if constexpr (kCopies<Sink>) {
                    slot =
                        middle.begin +
                        sink.copy(arrays.nodes + std::size_t{kId} * arrays.capacity + middle.begin,
                                  middle.end - middle.begin);
                    if (slot < middle.end) { break; }
                }
            }
            if (sink.enough()) { return true; }
            if (slot < span.end) {
                state.row = r;
                state.slot = slot;
                return false;
            }
        }
        if (!more) { return true; }
    }
}

} // namespace throng::simd
