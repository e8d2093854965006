// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "walk.hpp"

#include "search_wide.hpp"
#include "with_shape.hpp"

namespace throng::simd {

template <Form form, class Arch, class Shape, std::size_t Dim>
bool walk_one(const GridView<Dim>& grid, const typename Shape::Block& query,
              const LeaveOut& leave_out, Walk& state) noexcept {
    const Shape shape(grid, query, 0);
    const CellBox<Dim> cells = cells_to_search<Arch>(grid, query, shape);
    const auto search = [&](auto& sink) {
        // Only what is asked most has a copy of its own for when nobody is left out.
        if constexpr (Shape::Block::kQueries > 1) {
            if (leave_out.nobody()) {
                return search_wide<Leave::nobody, Arch>(grid, shape, cells, leave_out, sink, state);
            }
        }
        return search_wide<Leave::some, Arch>(grid, shape, cells, leave_out, sink, state);
    };
    if constexpr (form == Form::ids) {
        IdSink<Arch> sink = {state.out, state.end};
        const bool done = search(sink);
        state.out = sink.out;
        return done;
    } else if constexpr (Shape::Block::kQueries > 1) {
        CountSink<Arch, form == Form::any, form == Form::stats> sink = {state};
        return search(sink);
    } else {
        TallySink<Arch> sink = {state, form == Form::any};
        return search(sink);
    }
}

template <Form form, class Arch, class Block>
bool walk_on(Arch, const GridView<Block::kDim>& grid, const Block& query, const LeaveOut& leave_out,
             Walk& walk) noexcept {
    return with_shape<Arch>(grid, query, [&]<class Shape>() {
        return walk_one<form, Arch, Shape>(grid, query, leave_out, walk);
    });
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_FORM(form, Block, Dim)                                                          \
    template bool walk_on<form>(KernelArch, const GridView<Dim>&, const Block<Dim>&,               \
                                const LeaveOut&, Walk&) noexcept;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    THRONG_FOR_FORM(Form::ids, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::count, Block, Dim)                                                       \
    THRONG_FOR_FORM(Form::any, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::stats, Block, Dim)
THRONG_FOR_EACH_WALK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK
#undef THRONG_FOR_FORM

} // namespace throng::simd
