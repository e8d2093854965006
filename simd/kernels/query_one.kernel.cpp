// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "../views/query_one.hpp"

#include "../search/search_rows.hpp"
#include "../shapes/shape_dispatch.hpp"

namespace throng::simd {

/// Answers query q from these cells; its hits go to the sink.
template <class Arch, class Shape, class Sink, std::size_t Dim>
[[gnu::always_inline]] inline bool
answer(const GridView<Dim>& grid, const Shape& shape, const CellBox<Dim>& cells,
       const KernelFilter& kernel_filter, Sink& sink, QueryCursor& state) noexcept {
    // Only boxes and balls, the most frequent shapes, have a copy of their own for searches that
    // leave out no agent.
    if constexpr (Shape::Block::kQueries > 1) {
        if (kernel_filter.nothing()) {
            const bool begins = state.row == 0 && state.slot == 0;
            return (begins && grid.tiles == nullptr &&
                    search_ordinary_rows<Arch>(grid, shape, cells, sink, state)) ||
                   search_rows<Skips::nothing, Arch>(grid, shape, cells, kernel_filter, sink,
                                                     state);
        }
    }
    return search_rows<Skips::some, Arch>(grid, shape, cells, kernel_filter, sink, state);
}

/// Ids for shapes that are asked less often: one function, the preparation of the shape included.
template <class Arch, class Shape, std::size_t Dim>
[[gnu::noinline]] bool list_ids(const GridView<Dim>& grid, const typename Shape::Block& query,
                                const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept {
    const Shape shape(grid, query, 0);
    IdSink<Arch> sink = {cursor.out, cursor.end};
    const bool done = answer<Arch>(grid, shape, shape.cells(grid), kernel_filter, sink, cursor);
    cursor.out = sink.out;
    return done;
}

/// Counts for these shapes, and the statistics of all shapes: one function for all forms.
template <class Arch, class Shape, std::size_t Dim>
[[gnu::noinline]] bool tally(const GridView<Dim>& grid, const typename Shape::Block& query,
                             const KernelFilter& kernel_filter, bool first_only,
                             QueryCursor& cursor) noexcept {
    const Shape shape(grid, query, 0);
    TallySink<Arch> sink = {cursor, first_only};
    return search_rows<Skips::some, Arch>(grid, shape, cells_to_search<Arch>(grid, query, shape),
                                          kernel_filter, sink, cursor);
}

/// For a box or a ball. One function for all callers: the search is inlined into it, and what the
/// sink refers to stays in registers. Inlined into two callers, searches took a tenth longer.
template <Form form, class Arch, class Shape, std::size_t Dim>
[[gnu::noinline]] bool answer_cells(const GridView<Dim>& grid, const typename Shape::Block& queries,
                                    std::size_t q, const CellBox<Dim>& cells,
                                    const KernelFilter& kernel_filter,
                                    QueryCursor& cursor) noexcept {
    const Shape shape(grid, queries, q);
    if constexpr (form == Form::ids) {
        IdSink<Arch> sink = {cursor.out, cursor.end};
        const bool done = answer<Arch>(grid, shape, cells, kernel_filter, sink, cursor);
        cursor.out = sink.out;
        return done;
    } else {
        CountSink<Arch, form == Form::any> sink = {cursor};
        return answer<Arch>(grid, shape, cells, kernel_filter, sink, cursor);
    }
}

template <Form form, class Arch, class Block>
bool query_one_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                  const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept {
    return with_shape<Arch>(grid, query, [&]<class Shape>() {
        if constexpr (Block::kQueries > 1 && form != Form::stats) {
            return answer_cells<form, Arch, Shape>(
                grid, query, 0, cells_alone<Arch, Shape>(grid, query, 0), kernel_filter, cursor);
        } else if constexpr (form == Form::ids) {
            return list_ids<Arch, Shape>(grid, query, kernel_filter, cursor);
        } else {
            return tally<Arch, Shape>(grid, query, kernel_filter, form == Form::any, cursor);
        }
    });
}

template <Form form, class Arch, class Block>
bool query_cells_on(Arch, const GridView<Block::kDim>& grid, const Block& queries, std::size_t q,
                    const CellBox<Block::kDim>& cells, const KernelFilter& kernel_filter,
                    QueryCursor& cursor) noexcept {
    return with_shape<Arch>(grid, queries, [&]<class Shape>() {
        return answer_cells<form, Arch, Shape>(grid, queries, q, cells, kernel_filter, cursor);
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
THRONG_FOR_EACH_QUERY_BLOCK(THRONG_FOR_BLOCK)
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
