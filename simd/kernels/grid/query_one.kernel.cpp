// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "../../views/query_one.hpp"

#include "../../search/wide_rows.hpp"
#include "../../shapes/shape_dispatch.hpp"

namespace throng::simd {

/// Calls call(sink) with a sink for ids or for a number. The result is then in the cursor.
template <bool ids, class Arch, class Call>
[[gnu::always_inline]] inline bool with_sink(QueryCursor& cursor, bool first_only,
                                             const Call& call) noexcept {
    if constexpr (ids) {
        IdSink<Arch> sink = {cursor.out, cursor.end};
        const bool done = call(sink);
        cursor.out = sink.out;
        return done;
    } else {
        CountSink<Arch> sink = {cursor, first_only};
        return call(sink);
    }
}

/// Prepares a rare shape, and answers its question.
template <class Arch, class Shape, class Block>
[[gnu::noinline]] bool answer_rare(const GridView<Block::kDim>& grid, const Block& query,
                                   const KernelFilter& kernel_filter, Form form,
                                   QueryCursor& cursor) noexcept {
    const Shape shape(grid, query, 0);
    FormSink<Arch> sink(cursor, form);
    const bool done = search_rows<Skips::told, Arch>(
        grid, shape, cells_to_search<Arch>(grid, query, shape), kernel_filter, sink, cursor);
    if (form == Form::ids) { cursor.out = sink.out; }
    return done;
}

/// Whether there is a hit in the middle of the cells that a box or ball searches. There nearly
/// always is one, while the first rows, or the first plane of a ball in space, may have no hit.
template <Skips skips, class Arch, class Shape, std::size_t Dim>
[[gnu::always_inline]] inline bool hits_in_middle(const GridView<Dim>& grid, const Shape& shape,
                                                  const CellBox<Dim>& cells,
                                                  const KernelFilter& kernel_filter) noexcept {
    const CellRange x = cells.on[0];
    if (x.first > x.last) { return false; }
    std::size_t r = 0;
    for (std::size_t a = Dim; --a > 0;) {
        r = r * grid.cells[a] + (cells.on[a].first + cells.on[a].last) / 2;
    }
    const Row& row = grid.rows[r];
    if (row.words == nullptr) { return false; }
    const NodeArrays arrays = arrays_of<Arch>(grid, row);
    const Span span = span_of<Arch>(row, x.first, x.last);
    constexpr std::uint32_t kVector = kLanes<Arch>;
    const std::uint32_t nodes = span.end - span.begin;
    const std::uint32_t i = span.begin + (nodes > kVector ? (nodes - kVector) / 2 : 0);
    const NodeFilter<Arch, Dim, skips> filter(grid, kernel_filter, 0);
    return first_lanes<Arch>(shape.hits(arrays, i) & filter.keep(arrays, i), span.end - i) != 0;
}

/// Answers a box or a ball, the most frequent questions. One function for all callers: the search
/// is inlined into it, and what the sink refers to stays in registers. Inlined into two callers,
/// searches took a tenth longer.
template <bool ids, class Arch, class Shape, class Block>
[[gnu::noinline]] bool answer_frequent(const GridView<Block::kDim>& grid, const Block& query,
                                       const KernelFilter& kernel_filter, bool first_only,
                                       QueryCursor& cursor) noexcept {
    const Shape shape(grid, query, 0);
    const CellBox<Block::kDim> cells = cells_alone<Arch>(grid, query);
    const bool wide = is_wide<!ids, Shape>(grid, cells, first_only) ||
                      (!first_only && comes_to_long_row<Arch, Shape>(grid, cells, cursor.row));
    return with_sink<ids, Arch>(cursor, first_only, [&](auto& sink) {
        if (cursor.slot == 0 && wide &&
            search_wide_rows<Arch>(grid, shape, cells, kernel_filter, sink, cursor)) {
            return true;
        }
        return search_rows<Skips::told, Arch>(grid, shape, cells, kernel_filter, sink, cursor);
    });
}

/// The same, but tries a small search first, as most searches are small. The shape and its cells
/// then stay in registers; if the small search does not finish, the full search prepares its own.
template <Skips skips, bool ids, class Arch, class Shape, class Block>
[[gnu::noinline]] bool answer_small(const GridView<Block::kDim>& grid, const Block& query,
                                    const KernelFilter& kernel_filter, bool first_only,
                                    QueryCursor& cursor) noexcept {
    if (cursor.row == 0 && cursor.slot == 0 && grid.tiles == nullptr) {
        const Shape shape(grid, query, 0);
        const CellBox<Block::kDim> cells = cells_alone<Arch>(grid, query);
        if (!ids && first_only && hits_in_middle<skips, Arch>(grid, shape, cells, kernel_filter)) {
            cursor.hits = 1;
            return true;
        }
        if (!is_wide<!ids, Shape>(grid, cells, first_only) &&
            with_sink<ids, Arch>(cursor, first_only, [&](auto& sink) {
                return search_ordinary_rows<skips, Arch>(grid, shape, cells, kernel_filter, sink,
                                                         cursor);
            })) {
            return true;
        }
    }
    return answer_frequent<ids, Arch, Shape>(grid, query, kernel_filter, first_only, cursor);
}

template <Form form, class Arch, class Block>
bool query_one_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                  const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept {
    constexpr bool kIds = form == Form::ids;
    constexpr bool kFirst = form == Form::any;
    return with_shape<Arch>(
        grid, query, [&]<class Shape>() __attribute__((always_inline)) {
            if constexpr (Shape::kFrequent && form != Form::stats) {
                return with_skips<Arch>(
                    kernel_filter, [&]<Skips skips>() __attribute__((always_inline)) {
                        return answer_small<skips, kIds, Arch, Shape>(grid, query, kernel_filter,
                                                                      kFirst, cursor);
                    });
            } else {
                return answer_rare<Arch, Shape>(grid, query, kernel_filter, form, cursor);
            }
        });
}

template <Form form, class Arch, class Block>
bool query_one_of(Arch arch, const GridView<Block::kDim>& grid, const Block& queries, std::size_t q,
                  const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept {
    return query_one_on<form>(arch, grid, alone<Arch>(queries, q), kernel_filter, cursor);
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_FORM(form, Block, Dim)                                                          \
    template bool query_one_on<form>(KernelArch, const GridView<Dim>&, const Block<Dim>&,          \
                                     const KernelFilter&, QueryCursor&) noexcept;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    THRONG_FOR_FORM(Form::ids, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::count, Block, Dim)                                                       \
    THRONG_FOR_FORM(Form::any, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::stats, Block, Dim)
THRONG_FOR_EACH_LONE_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK
#undef THRONG_FOR_FORM

#define THRONG_FOR_FORM(form, Block, Dim)                                                          \
    template bool query_one_of<form>(KernelArch, const GridView<Dim>&, const Block<Dim>&,          \
                                     std::size_t, const KernelFilter&, QueryCursor&) noexcept;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    THRONG_FOR_FORM(Form::ids, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::count, Block, Dim)                                                       \
    THRONG_FOR_FORM(Form::any, Block, Dim)
THRONG_FOR_EACH_FULL_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK
#undef THRONG_FOR_FORM

} // namespace throng::simd
