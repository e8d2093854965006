// The kernels of grids: one switch a call chooses the copy for this processor.
#include "../isa/dispatch.hpp"
#include "../views/query_block.hpp"
#include "../views/query_one.hpp"
#include "first_hit.hpp"
#include "locate.hpp"
#include "nearest.hpp"
#include "neighbours.hpp"
#include "pairs.hpp"

namespace throng::simd {

template <Form form, class Block>
bool query_one(const GridView<Block::kDim>& grid, const Block& query, const KernelFilter& leave_out,
               QueryCursor& cursor) noexcept {
    return dispatch(
        [&](auto arch) { return query_one_on<form>(arch, grid, query, leave_out, cursor); });
}

#define THRONG_FOR_FORM(form, Block, Dim)                                                          \
    template bool query_one<form>(const GridView<Dim>&, const Block<Dim>&, const KernelFilter&,    \
                                  QueryCursor&) noexcept;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    THRONG_FOR_FORM(Form::ids, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::count, Block, Dim)                                                       \
    THRONG_FOR_FORM(Form::any, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::stats, Block, Dim)
THRONG_FOR_EACH_QUERY_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK
#undef THRONG_FOR_FORM

template <class Block>
std::size_t query_block(const GridView<Block::kDim>& grid, const Block& queries, std::size_t count,
                        const KernelFilter& leave_out, BatchOutput& out) noexcept {
    return dispatch(
        [&](auto arch) { return query_block_on(arch, grid, queries, count, leave_out, out); });
}

template <Form form, class Block>
void count_block(const GridView<Block::kDim>& grid, const Block& queries, std::size_t count,
                 const KernelFilter& leave_out, std::uint32_t* counts) noexcept {
    dispatch([&](auto arch) {
        count_block_on(arch, grid, queries, count, leave_out, form == Form::any, counts);
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
std::size_t select_around(const GridView<Dim>& grid, const Around& around, Place& at, Place end,
                          BatchOutput& out) noexcept {
    return dispatch([&](auto arch) { return select_around_on(arch, grid, around, at, end, out); });
}

template <std::size_t Dim>
std::size_t tally_around(const GridView<Dim>& grid, const Around& around, Place& at, Place end,
                         std::uint32_t* counts, std::size_t room) noexcept {
    return dispatch(
        [&](auto arch) { return tally_around_on(arch, grid, around, at, end, counts, room); });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template std::size_t select_around(const GridView<Dim>&, const Around&, Place&, Place,         \
                                       BatchOutput&) noexcept;                                     \
    template std::size_t tally_around(const GridView<Dim>&, const Around&, Place&, Place,          \
                                      std::uint32_t*, std::size_t) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

template <std::size_t Dim>
void nearest_batch(const GridView<Dim>& grid, BallBlock<Dim>& queries, std::size_t count,
                   const KernelFilter& leave_out, NearestAsk& ask,
                   const NearestOutput& out) noexcept {
    dispatch([&](auto arch) { nearest_batch_on(arch, grid, queries, count, leave_out, ask, out); });
}

template <std::size_t Dim>
void nearest_around(const GridView<Dim>& grid, const Around& around, Place at, Place end,
                    NearestAsk& ask, const NearestOutput& out) noexcept {
    dispatch([&](auto arch) { nearest_around_on(arch, grid, around, at, end, ask, out); });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void nearest_batch(const GridView<Dim>&, BallBlock<Dim>&, std::size_t,                \
                                const KernelFilter&, NearestAsk&, const NearestOutput&) noexcept;  \
    template void nearest_around(const GridView<Dim>&, const Around&, Place, Place, NearestAsk&,   \
                                 const NearestOutput&) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

template <class Block>
Met cast_first(const GridView<Block::kDim>& grid, const Block& query,
               const KernelFilter& leave_out) noexcept {
    return dispatch([&](auto arch) { return cast_first_on(arch, grid, query, leave_out); });
}

template <class Block>
bool cast_all(const GridView<Block::kDim>& grid, const Block& query, const KernelFilter& leave_out,
              QueryCursor& cursor, MetOutput& out) noexcept {
    return dispatch(
        [&](auto arch) { return cast_all_on(arch, grid, query, leave_out, cursor, out); });
}

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template Met cast_first(const GridView<Dim>&, const Block<Dim>&,                               \
                            const KernelFilter&) noexcept;                                         \
    template bool cast_all(const GridView<Dim>&, const Block<Dim>&, const KernelFilter&,           \
                           QueryCursor&, MetOutput&) noexcept;
THRONG_FOR_EACH_PATH_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

template <std::size_t Dim>
bool list_pairs(const GridView<Dim>& grid, std::uint32_t groups, PairsAt& at, Place end,
                PairsOutput& out) noexcept {
    return dispatch([&](auto arch) { return list_pairs_on(arch, grid, groups, at, end, out); });
}

template <std::size_t Dim>
std::uint64_t count_pairs(const GridView<Dim>& grid, std::uint32_t groups, const PairsAt& at,
                          Place end) noexcept {
    return dispatch([&](auto arch) { return count_pairs_on(arch, grid, groups, at, end); });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template bool list_pairs(const GridView<Dim>&, std::uint32_t, PairsAt&, Place,                 \
                             PairsOutput&) noexcept;                                               \
    template std::uint64_t count_pairs(const GridView<Dim>&, std::uint32_t, const PairsAt&,        \
                                       Place) noexcept;
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

} // namespace throng::simd
