// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "query.hpp"

#include "select_all.hpp"
#include "with_shape.hpp"

namespace throng::simd {

template <Form form, class Arch, class Shape, std::size_t Dim>
bool walk_one(const GridView<Dim>& grid, const typename Shape::Block& query,
              const LeaveOut& leave_out, Walk& state) noexcept {
    const auto cells = PacketCells<Arch, Dim>::template of<Shape>(grid, query, 0);
    const Shape shape(grid, query, 0);
    const auto search = [&](auto& sink) {
        return leave_out.nobody()
                   ? search_wide<Leave::nobody, Arch>(grid, shape, cells, 0, leave_out, sink, state)
                   : search_wide<Leave::some, Arch>(grid, shape, cells, 0, leave_out, sink, state);
    };
    if constexpr (form == Form::ids) {
        IdSink<Arch> sink = {state.out, state.end};
        const bool done = search(sink);
        state.out = sink.out;
        return done;
    } else {
        CountSink<Arch, form == Form::any, form == Form::stats> sink = {state};
        return search(sink);
    }
}

template <class Arch, class Block>
std::size_t select_batch_on(Arch, const GridView<Block::kDim>& grid, const Block& queries,
                            std::size_t count, const LeaveOut& leave_out,
                            BatchOutput& out) noexcept {
    std::uint32_t* const begin = out.ids + out.used;
    NearIds<Arch> output = {begin, out.ids + out.capacity, begin, out.ids, out.offsets + 1};
    const std::size_t answered = with_shape<Arch>(grid, queries, [&]<class Shape>() {
        return with_leave<Arch>(leave_out, [&]<Leave leave>() {
            return select_all<leave, Arch, Shape>(grid, queries, count, leave_out, output);
        });
    });
    out.used = static_cast<std::uint64_t>(output.done - out.ids);
    return answered;
}

template <Form form, class Arch, class Block>
void tally_batch_on(Arch, const GridView<Block::kDim>& grid, const Block& queries,
                    std::size_t count, const LeaveOut& leave_out, std::uint32_t* counts) noexcept {
    NearCounts<Arch, form == Form::any> output = {counts};
    with_shape<Arch>(grid, queries, [&]<class Shape>() {
        return with_leave<Arch>(leave_out, [&]<Leave leave>() {
            return select_all<leave, Arch, Shape>(grid, queries, count, leave_out, output);
        });
    });
}

template <Form form, class Arch, class Block>
bool walk_on(Arch, const GridView<Block::kDim>& grid, const Block& query, const LeaveOut& leave_out,
             Walk& walk) noexcept {
    return with_shape<Arch>(grid, query, [&]<class Shape>() {
        return walk_one<form, Arch, Shape>(grid, query, leave_out, walk);
    });
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template std::size_t select_batch_on(KernelArch, const GridView<Dim>&, const Block<Dim>&,      \
                                         std::size_t, const LeaveOut&, BatchOutput&) noexcept;     \
    template void tally_batch_on<Form::count>(KernelArch, const GridView<Dim>&, const Block<Dim>&, \
                                              std::size_t, const LeaveOut&,                        \
                                              std::uint32_t*) noexcept;                            \
    template void tally_batch_on<Form::any>(KernelArch, const GridView<Dim>&, const Block<Dim>&,   \
                                            std::size_t, const LeaveOut&,                          \
                                            std::uint32_t*) noexcept;                              \
    template bool walk_on<Form::ids>(KernelArch, const GridView<Dim>&, const Block<Dim>&,          \
                                     const LeaveOut&, Walk&) noexcept;                             \
    template bool walk_on<Form::count>(KernelArch, const GridView<Dim>&, const Block<Dim>&,        \
                                       const LeaveOut&, Walk&) noexcept;                           \
    template bool walk_on<Form::any>(KernelArch, const GridView<Dim>&, const Block<Dim>&,          \
                                     const LeaveOut&, Walk&) noexcept;                             \
    template bool walk_on<Form::stats>(KernelArch, const GridView<Dim>&, const Block<Dim>&,        \
                                       const LeaveOut&, Walk&) noexcept;
THRONG_FOR_BLOCK(BoxBlock, 2)
THRONG_FOR_BLOCK(BoxBlock, 3)
THRONG_FOR_BLOCK(BallBlock, 2)
THRONG_FOR_BLOCK(BallBlock, 3)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
