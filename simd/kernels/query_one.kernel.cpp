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

/// Calls body(sink) with a sink for the form, which writes to the cursor what it has got.
template <Form form, class Arch, class Body>
[[gnu::always_inline]] inline bool with_sink(QueryCursor& cursor, const Body& body) noexcept {
    if constexpr (form == Form::ids) {
        IdSink<Arch> sink = {cursor.out, cursor.end};
        const bool done = body(sink);
        cursor.out = sink.out;
        return done;
    } else {
        CountSink<Arch, form == Form::any> sink = {cursor};
        return body(sink);
    }
}

/// Ids for shapes that are asked less often: one function, the preparation of the shape included.
template <class Arch, class Shape, class Block>
[[gnu::noinline]] bool list_ids(const GridView<Block::kDim>& grid, const Block& query,
                                const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept {
    const Shape shape(grid, query, 0);
    return with_sink<Form::ids, Arch>(cursor, [&](auto& sink) {
        return answer<Arch>(grid, shape, cells_to_search<Arch>(grid, query, shape), kernel_filter,
                            sink, cursor);
    });
}

/// Counts for these shapes, and the statistics of all shapes: one function for all forms.
template <class Arch, class Shape, class Block>
[[gnu::noinline]] bool tally(const GridView<Block::kDim>& grid, const Block& query,
                             const KernelFilter& kernel_filter, bool first_only,
                             QueryCursor& cursor) noexcept {
    const Shape shape(grid, query, 0);
    TallySink<Arch> sink = {cursor, first_only};
    return search_rows<Skips::some, Arch>(grid, shape, cells_to_search<Arch>(grid, query, shape),
                                          kernel_filter, sink, cursor);
}

/// For a box or a ball. One function for all callers: the search is inlined into it, and what the
/// sink refers to stays in registers. Inlined into two callers, searches took a tenth longer.
template <Form form, class Arch, class Shape, class Block>
[[gnu::noinline]] bool answer_cells(const GridView<Block::kDim>& grid, const Block& query,
                                    const CellBox<Block::kDim>& cells,
                                    const KernelFilter& kernel_filter,
                                    QueryCursor& cursor) noexcept {
    const Shape shape(grid, query, 0);
    return with_sink<form, Arch>(cursor, [&](auto& sink) {
        return answer<Arch>(grid, shape, cells, kernel_filter, sink, cursor);
    });
}

[[gnu::always_inline]] inline bool begins(const QueryCursor& cursor) noexcept {
    return cursor.row == 0 && cursor.slot == 0;
}

/// A box or a ball asked by itself: the most frequent question.
template <Form form, class Arch, class Shape, class Block>
[[gnu::noinline]] bool answer_alone(const GridView<Block::kDim>& grid, const Block& query,
                                    const KernelFilter& kernel_filter,
                                    QueryCursor& cursor) noexcept {
    if (begins(cursor) && grid.tiles == nullptr && kernel_filter.nothing()) {
        const Shape shape(grid, query, 0);
        const CellBox<Block::kDim> cells = cells_alone<Arch>(grid, query);
        if (with_sink<form, Arch>(cursor, [&](auto& sink) {
                return search_ordinary_rows<Arch>(grid, shape, cells, sink, cursor);
            })) {
            return true;
        }
    }
    // Found anew, so that those above need not be in memory.
    const CellBox<Block::kDim> cells = cells_alone<Arch>(grid, query);
    return answer_cells<form, Arch, Shape>(grid, query, cells, kernel_filter, cursor);
}

/// A question of these shapes.
template <Form form, class Arch, class Shape, class Block>
[[gnu::always_inline]] inline bool
answer_rare(const GridView<Block::kDim>& grid, const Block& query,
            const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept {
    if constexpr (form == Form::ids) {
        return list_ids<Arch, Shape>(grid, query, kernel_filter, cursor);
    } else {
        return tally<Arch, Shape>(grid, query, kernel_filter, form == Form::any, cursor);
    }
}

template <Form form, class Arch, class Block>
bool query_one_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                  const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept {
    return with_shape<Arch>(
        grid, query, [&]<class Shape>() __attribute__((always_inline)) {
            if constexpr (Shape::kFrequent && form != Form::stats) {
                return answer_alone<form, Arch, Shape>(grid, query, kernel_filter, cursor);
            } else {
                return answer_rare<form, Arch, Shape>(grid, query, kernel_filter, cursor);
            }
        });
}

template <Form form, class Arch, class Block>
bool query_cells_on(Arch, const GridView<Block::kDim>& grid, const Block& queries, std::size_t q,
                    const CellBox<Block::kDim>& cells, const KernelFilter& kernel_filter,
                    QueryCursor& cursor) noexcept {
    const auto query = alone<Arch>(queries, q);
    return with_shape<Arch>(grid, query, [&]<class Shape>() {
        if constexpr (Shape::kFrequent) {
            if (begins(cursor) && grid.tiles == nullptr && kernel_filter.nothing()) {
                return answer_alone<form, Arch, Shape>(grid, query, kernel_filter, cursor);
            }
            return answer_cells<form, Arch, Shape>(grid, query, cells, kernel_filter, cursor);
        } else {
            return answer_rare<form, Arch, Shape>(grid, query, kernel_filter, cursor);
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
