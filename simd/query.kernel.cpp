// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "query.hpp"

#include "ball_lanes.hpp"
#include "box_lanes.hpp"
#include "search_near.hpp"
#include "search_wide.hpp"

namespace throng::simd {

template <bool filtered, class Arch, class Shape, std::size_t Dim>
std::size_t select_all(const GridView<Dim>& grid, const typename Shape::Block& queries,
                       std::size_t count, const LeaveOut& leave_out, BatchOutput& result) noexcept {
    std::uint32_t* const ids = result.ids;
    std::uint32_t* out = ids + result.used;
    std::uint32_t* const end = ids + result.capacity;
    std::size_t q = 0;
    while (q < count) {
        const std::size_t packet = count - q < kLanes<Arch> ? count - q : kLanes<Arch>;
        const auto cells = PacketCells<Arch, Dim>::template of<Shape>(grid, queries, q);
        const NearRows most = {cells.most_rows(1, packet),
                               Dim == 3 ? cells.most_rows(Dim - 1, packet) : 1};
        std::size_t answered = 0;
        if (most.y <= kNearRows && most.z <= kNearRows && cells.most_cells(packet) <= kNearCells) {
            answered =
                search_near<filtered, Arch, Shape>(grid, queries, q, packet, cells, most, leave_out,
                                                   ids, out, end, result.offsets + q + 1);
        } else {
            for (; answered < packet; ++answered) {
                Walk state;
                IdSink<Arch> sink = {out, end};
                if (!search_wide<filtered, Arch>(grid, Shape(grid, queries, q + answered), cells,
                                                 answered, leave_out, sink, state)) {
                    break;
                }
                out = sink.out;
                result.offsets[q + answered + 1] = static_cast<std::uint64_t>(out - ids);
            }
        }
        q += answered;
        if (answered < packet) { break; }
    }
    result.used = static_cast<std::uint64_t>(out - ids);
    return q;
}

template <Form form, class Arch, class Shape, std::size_t Dim>
bool walk_one(const GridView<Dim>& grid, const typename Shape::Block& query,
              const LeaveOut& leave_out, Walk& state) noexcept {
    const auto cells = PacketCells<Arch, Dim>::template of<Shape>(grid, query, 0);
    const Shape shape(grid, query, 0);
    const auto search = [&](auto& sink) {
        return leave_out.nobody()
                   ? search_wide<false, Arch>(grid, shape, cells, 0, leave_out, sink, state)
                   : search_wide<true, Arch>(grid, shape, cells, 0, leave_out, sink, state);
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

/// Calls body.template operator()<Shape>() with the shape as this grid needs it.
template <class Arch, std::size_t Dim, class Body>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>& grid, const BoxBlock<Dim>&,
                                              const Body& body) noexcept {
    return grid.own_extents ? body.template operator()<BoxLanes<Arch, Dim, true>>()
                            : body.template operator()<BoxLanes<Arch, Dim, false>>();
}
template <class Arch, std::size_t Dim, class Body>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>&, const BallBlock<Dim>&,
                                              const Body& body) noexcept {
    return body.template operator()<BallLanes<Arch, Dim>>();
}

template <class Arch, class Block>
std::size_t select_batch_on(Arch, const GridView<Block::kDim>& grid, const Block& queries,
                            std::size_t count, const LeaveOut& leave_out,
                            BatchOutput& out) noexcept {
    return with_shape<Arch>(grid, queries, [&]<class Shape>() {
        return leave_out.nobody()
                   ? select_all<false, Arch, Shape>(grid, queries, count, leave_out, out)
                   : select_all<true, Arch, Shape>(grid, queries, count, leave_out, out);
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
