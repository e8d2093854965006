// The kernels of grids: one switch per call chooses the copy for this processor.
#include "../../isa/dispatch.hpp"
#include "../../views/query_block.hpp"
#include "../../views/query_one.hpp"
#include "first_hit.hpp"
#include "kept_lists.hpp"
#include "locate.hpp"
#include "nearest.hpp"
#include "neighbours.hpp"
#include "pairs.hpp"

namespace throng::simd {

template <Form form, class Block>
bool query_one(const GridView<Block::kDim>& grid, const Block& query,
               const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept {
    return dispatch(
        [&](auto arch) { return query_one_on<form>(arch, grid, query, kernel_filter, cursor); });
}

#define THRONG_FOR_FORM(form, Block, Dim)                                                          \
    template bool query_one<form>(const GridView<Dim>&, const Block<Dim>&, const KernelFilter&,    \
                                  QueryCursor&) noexcept;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    THRONG_FOR_FORM(Form::ids, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::count, Block, Dim)                                                       \
    THRONG_FOR_FORM(Form::any, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::stats, Block, Dim)
THRONG_FOR_EACH_LONE_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK
#undef THRONG_FOR_FORM

template <class Block>
std::size_t query_block(const GridView<Block::kDim>& grid, const Block& queries, std::size_t count,
                        const KernelFilter& kernel_filter, BatchOutput& out) noexcept {
    return dispatch(
        [&](auto arch) { return query_block_on(arch, grid, queries, count, kernel_filter, out); });
}

template <Form form, class Block>
void count_block(const GridView<Block::kDim>& grid, const Block& queries, std::size_t count,
                 const KernelFilter& kernel_filter, std::uint32_t* counts) noexcept {
    dispatch([&](auto arch) {
        count_block_on(arch, grid, queries, count, kernel_filter, form == Form::any, counts);
    });
}

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template std::size_t query_block(const GridView<Dim>&, const Block<Dim>&, std::size_t,         \
                                     const KernelFilter&, BatchOutput&) noexcept;                  \
    template void count_block<Form::count>(const GridView<Dim>&, const Block<Dim>&, std::size_t,   \
                                           const KernelFilter&, std::uint32_t*) noexcept;          \
    template void count_block<Form::any>(const GridView<Dim>&, const Block<Dim>&, std::size_t,     \
                                         const KernelFilter&, std::uint32_t*) noexcept;
THRONG_FOR_EACH_FULL_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

template <std::size_t Dim>
std::size_t list_neighbours(const GridView<Dim>& grid, const NeighbourQuery& query, RowSlot& at,
                            RowSlot end, BatchOutput& out) noexcept {
    return dispatch([&](auto arch) { return list_neighbours_on(arch, grid, query, at, end, out); });
}

template <std::size_t Dim>
std::size_t count_neighbours(const GridView<Dim>& grid, const NeighbourQuery& query, RowSlot& at,
                             RowSlot end, std::uint32_t* counts, std::size_t room) noexcept {
    return dispatch(
        [&](auto arch) { return count_neighbours_on(arch, grid, query, at, end, counts, room); });
}

template <std::size_t Dim>
std::size_t list_neighbours_across(const GridView<Dim>& grid,
                                   const NeighbourQueryAcross<Dim>& query, RowSlot& at, RowSlot end,
                                   BatchOutput& out) noexcept {
    return dispatch(
        [&](auto arch) { return list_neighbours_across_on(arch, grid, query, at, end, out); });
}

template <std::size_t Dim>
std::size_t count_neighbours_across(const GridView<Dim>& grid,
                                    const NeighbourQueryAcross<Dim>& query, RowSlot& at,
                                    RowSlot end, std::uint32_t* counts, std::size_t room) noexcept {
    return dispatch([&](auto arch) {
        return count_neighbours_across_on(arch, grid, query, at, end, counts, room);
    });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template std::size_t list_neighbours(const GridView<Dim>&, const NeighbourQuery&, RowSlot&,    \
                                         RowSlot, BatchOutput&) noexcept;                          \
    template std::size_t count_neighbours(const GridView<Dim>&, const NeighbourQuery&, RowSlot&,   \
                                          RowSlot, std::uint32_t*, std::size_t) noexcept;          \
    template std::size_t list_neighbours_across(const GridView<Dim>&,                              \
                                                const NeighbourQueryAcross<Dim>&, RowSlot&,        \
                                                RowSlot, BatchOutput&) noexcept;                   \
    template std::size_t count_neighbours_across(const GridView<Dim>&,                             \
                                                 const NeighbourQueryAcross<Dim>&, RowSlot&,       \
                                                 RowSlot, std::uint32_t*, std::size_t) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

template <std::size_t Dim>
void nearest_batch(const GridView<Dim>& grid, BallBlock<Dim>& queries, std::size_t count,
                   const KernelFilter& kernel_filter, NearestAsk& ask,
                   const NearestOutput& out) noexcept {
    dispatch(
        [&](auto arch) { nearest_batch_on(arch, grid, queries, count, kernel_filter, ask, out); });
}

template <std::size_t Dim>
void nearest_neighbours(const GridView<Dim>& grid, const NeighbourQuery& query, RowSlot at,
                        RowSlot end, NearestAsk& ask, const NearestOutput& out) noexcept {
    dispatch([&](auto arch) { nearest_neighbours_on(arch, grid, query, at, end, ask, out); });
}

template <std::size_t Dim>
void nearest_to_bodies(const GridView<Dim>& grid, AskingBodies<Dim>& queries, std::size_t count,
                       const KernelFilter& kernel_filter, NearestAsk& ask,
                       const NearestOutput& out) noexcept {
    dispatch([&](auto arch) {
        nearest_to_bodies_on(arch, grid, queries, count, kernel_filter, ask, out);
    });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void nearest_batch(const GridView<Dim>&, BallBlock<Dim>&, std::size_t,                \
                                const KernelFilter&, NearestAsk&, const NearestOutput&) noexcept;  \
    template void nearest_neighbours(const GridView<Dim>&, const NeighbourQuery&, RowSlot,         \
                                     RowSlot, NearestAsk&, const NearestOutput&) noexcept;         \
    template void nearest_to_bodies(const GridView<Dim>&, AskingBodies<Dim>&, std::size_t,         \
                                    const KernelFilter&, NearestAsk&,                              \
                                    const NearestOutput&) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

template <class Block>
TimedHit find_first_hit(const GridView<Block::kDim>& grid, const Block& query,
                        const KernelFilter& kernel_filter, const TimedHit& after) noexcept {
    return dispatch(
        [&](auto arch) { return find_first_hit_on(arch, grid, query, kernel_filter, after); });
}

template <class Block>
void add_next_hits(const GridView<Block::kDim>& grid, const Block& query,
                   const KernelFilter& kernel_filter, const TimedHit& after,
                   HitPage& page) noexcept {
    dispatch([&](auto arch) { add_next_hits_on(arch, grid, query, kernel_filter, after, page); });
}

template <class Block>
bool list_path_hits(const GridView<Block::kDim>& grid, const Block& query,
                    const KernelFilter& kernel_filter, QueryCursor& cursor,
                    PathHitsOutput& out) noexcept {
    return dispatch([&](auto arch) {
        return list_path_hits_on(arch, grid, query, kernel_filter, cursor, out);
    });
}

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template TimedHit find_first_hit(const GridView<Dim>&, const Block<Dim>&, const KernelFilter&, \
                                     const TimedHit&) noexcept;                                    \
    template void add_next_hits(const GridView<Dim>&, const Block<Dim>&, const KernelFilter&,      \
                                const TimedHit&, HitPage&) noexcept;                               \
    template bool list_path_hits(const GridView<Dim>&, const Block<Dim>&, const KernelFilter&,     \
                                 QueryCursor&, PathHitsOutput&) noexcept;
THRONG_FOR_EACH_PATH_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

template <std::size_t Dim>
bool list_pairs(const GridView<Dim>& grid, std::uint32_t groups, Body body, PairsAt& at,
                RowSlot end, PairsOutput& out) noexcept {
    return dispatch(
        [&](auto arch) { return list_pairs_on(arch, grid, groups, body, at, end, out); });
}

template <std::size_t Dim>
std::uint64_t count_pairs(const GridView<Dim>& grid, std::uint32_t groups, Body body,
                          const PairsAt& at, RowSlot end) noexcept {
    return dispatch([&](auto arch) { return count_pairs_on(arch, grid, groups, body, at, end); });
}

template <std::size_t Dim>
bool list_disc_pairs(const GridView<Dim>& others, std::uint32_t groups, const PairDisc<Dim>& disc,
                     RowSlot& second, PairsOutput& out) noexcept {
    return dispatch(
        [&](auto arch) { return list_disc_pairs_on(arch, others, groups, disc, second, out); });
}

template <std::size_t Dim>
std::uint64_t count_disc_pairs(const GridView<Dim>& others, std::uint32_t groups,
                               const PairDisc<Dim>& disc, RowSlot second) noexcept {
    return dispatch(
        [&](auto arch) { return count_disc_pairs_on(arch, others, groups, disc, second); });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template bool list_pairs(const GridView<Dim>&, std::uint32_t, Body, PairsAt&, RowSlot,         \
                             PairsOutput&) noexcept;                                               \
    template std::uint64_t count_pairs(const GridView<Dim>&, std::uint32_t, Body, const PairsAt&,  \
                                       RowSlot) noexcept;                                          \
    template bool list_disc_pairs(const GridView<Dim>&, std::uint32_t, const PairDisc<Dim>&,       \
                                  RowSlot&, PairsOutput&) noexcept;                                \
    template std::uint64_t count_disc_pairs(const GridView<Dim>&, std::uint32_t,                   \
                                            const PairDisc<Dim>&, RowSlot) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

template <std::size_t Dim>
bool locate_rows(const CellMap<Dim>& map, const float* const (&axis)[Dim], std::size_t count,
                 float largest, std::uint32_t* row) noexcept {
    return dispatch(
        [&](auto arch) { return locate_rows_on(arch, map, axis, count, largest, row); });
}

template <std::size_t Dim>
void locate_cells(const CellMap<Dim>& map, const float* x, std::size_t count,
                  std::uint32_t* cell) noexcept {
    dispatch([&](auto arch) { locate_cells_on(arch, map, x, count, cell); });
}

template bool locate_rows(const CellMap<2>&, const float* const (&)[2], std::size_t, float,
                          std::uint32_t*) noexcept;
template bool locate_rows(const CellMap<3>&, const float* const (&)[3], std::size_t, float,
                          std::uint32_t*) noexcept;
template void locate_cells(const CellMap<2>&, const float*, std::size_t, std::uint32_t*) noexcept;
template void locate_cells(const CellMap<3>&, const float*, std::size_t, std::uint32_t*) noexcept;

template <std::size_t Dim>
std::uint64_t filter_lists(const KeptLists<Dim>& lists, std::size_t begin, std::size_t end,
                           std::uint64_t used, std::uint32_t* out, std::uint64_t* ends) noexcept {
    return dispatch(
        [&](auto arch) { return filter_lists_on(arch, lists, begin, end, used, out, ends); });
}

template std::uint64_t filter_lists(const KeptLists<2>&, std::size_t, std::size_t, std::uint64_t,
                                    std::uint32_t*, std::uint64_t*) noexcept;
template std::uint64_t filter_lists(const KeptLists<3>&, std::size_t, std::size_t, std::uint64_t,
                                    std::uint32_t*, std::uint64_t*) noexcept;

} // namespace throng::simd
