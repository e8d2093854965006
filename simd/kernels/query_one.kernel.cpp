// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "../views/query_one.hpp"

#include "../search/search_rows.hpp"
#include "../shapes/shape_dispatch.hpp"

namespace throng::simd {

/// Answers a query from these cells, or goes on where the cursor is; its hits go to the sink.
template <class Arch, class Shape, class Sink, std::size_t Dim>
[[gnu::always_inline]] inline bool
answer(const GridView<Dim>& grid, const Shape& shape, const CellBox<Dim>& cells,
       const KernelFilter& kernel_filter, Sink& sink, QueryCursor& state) noexcept {
    // Only boxes and balls, the most frequent shapes, have a copy of their own for searches that
    // leave out no agent.
    if constexpr (Shape::kFrequent) {
        if (kernel_filter.nothing()) {
            return search_rows<Skips::nothing, Arch>(grid, shape, cells, kernel_filter, sink,
                                                     state);
        }
    }
    return search_rows<Skips::some, Arch>(grid, shape, cells, kernel_filter, sink, state);
}

/// Calls body(sink) with a sink for ids or for a number, which writes to the cursor what it has
/// got.
template <bool ids, class Arch, class Body>
[[gnu::always_inline]] inline bool with_sink(QueryCursor& cursor, bool first_only,
                                             const Body& body) noexcept {
    if constexpr (ids) {
        IdSink<Arch> sink = {cursor.out, cursor.end};
        const bool done = body(sink);
        cursor.out = sink.out;
        return done;
    } else {
        CountSink<Arch> sink = {cursor, first_only};
        return body(sink);
    }
}

/// A question of these shapes, the preparation of the shape included.
template <class Arch, class Shape, class Block>
[[gnu::noinline]] bool answer_rare(const GridView<Block::kDim>& grid, const Block& query,
                                   const KernelFilter& kernel_filter, Form form,
                                   QueryCursor& cursor) noexcept {
    const Shape shape(grid, query, 0);
    FormSink<Arch> sink(cursor, form);
    const bool done = search_rows<Skips::some, Arch>(
        grid, shape, cells_to_search<Arch>(grid, query, shape), kernel_filter, sink, cursor);
    if (form == Form::ids) { cursor.out = sink.out; }
    return done;
}

/// For a box or a ball. One function for all callers: the search is inlined into it, and what the
/// sink refers to stays in registers. Inlined into two callers, searches took a tenth longer.
template <bool ids, class Arch, class Shape, class Block>
[[gnu::noinline]] bool answer_cells(const GridView<Block::kDim>& grid, const Block& query,
                                    const CellBox<Block::kDim>& cells,
                                    const KernelFilter& kernel_filter, bool first_only,
                                    QueryCursor& cursor) noexcept {
    const Shape shape(grid, query, 0);
    return with_sink<ids, Arch>(cursor, first_only, [&](auto& sink) {
        return answer<Arch>(grid, shape, cells, kernel_filter, sink, cursor);
    });
}

[[gnu::always_inline]] inline bool begins(const QueryCursor& cursor) noexcept {
    return cursor.row == 0 && cursor.slot == 0;
}

/// A box or a ball asked by itself: the most frequent question.
template <bool ids, class Arch, class Shape, class Block>
[[gnu::noinline]] bool answer_alone(const GridView<Block::kDim>& grid, const Block& query,
                                    const KernelFilter& kernel_filter, bool first_only,
                                    QueryCursor& cursor) noexcept {
    if (begins(cursor) && grid.tiles == nullptr && kernel_filter.nothing()) {
        const Shape shape(grid, query, 0);
        const CellBox<Block::kDim> cells = cells_alone<Arch>(grid, query);
        if (with_sink<ids, Arch>(cursor, first_only, [&](auto& sink) {
                return search_ordinary_rows<Arch>(grid, shape, cells, sink, cursor);
            })) {
            return true;
        }
    }
    // Found anew, so that those above need not be in memory.
    const CellBox<Block::kDim> cells = cells_alone<Arch>(grid, query);
    return answer_cells<ids, Arch, Shape>(grid, query, cells, kernel_filter, first_only, cursor);
}

template <Form form, class Arch, class Block>
bool query_one_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                  const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept {
    return with_shape<Arch>(
        grid, query, [&]<class Shape>() __attribute__((always_inline)) {
            if constexpr (Shape::kFrequent && form != Form::stats) {
                return answer_alone<form == Form::ids, Arch, Shape>(grid, query, kernel_filter,
                                                                    form == Form::any, cursor);
            } else {
                return answer_rare<Arch, Shape>(grid, query, kernel_filter, form, cursor);
            }
        });
}

template <Form form, class Arch, class Block>
bool query_cells_on(Arch, const GridView<Block::kDim>& grid, const Block& queries, std::size_t q,
                    const CellBox<Block::kDim>& cells, const KernelFilter& kernel_filter,
                    QueryCursor& cursor) noexcept {
    constexpr bool kIds = form == Form::ids;
    constexpr bool kFirst = form == Form::any;
    const auto query = alone<Arch>(queries, q);
    return with_shape<Arch>(grid, query, [&]<class Shape>() {
        if constexpr (Shape::kFrequent) {
            if (begins(cursor) && grid.tiles == nullptr && kernel_filter.nothing()) {
                return answer_alone<kIds, Arch, Shape>(grid, query, kernel_filter, kFirst, cursor);
            }
            return answer_cells<kIds, Arch, Shape>(grid, query, cells, kernel_filter, kFirst,
                                                   cursor);
        } else {
            return answer_rare<Arch, Shape>(grid, query, kernel_filter, form, cursor);
        }
    });
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
    template bool query_cells_on<form>(KernelArch, const GridView<Dim>&, const Block<Dim>&,        \
                                       std::size_t, const CellBox<Dim>&, const KernelFilter&,      \
                                       QueryCursor&) noexcept;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    THRONG_FOR_FORM(Form::ids, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::count, Block, Dim)                                                       \
    THRONG_FOR_FORM(Form::any, Block, Dim)
THRONG_FOR_EACH_FULL_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK
#undef THRONG_FOR_FORM

} // namespace throng::simd
