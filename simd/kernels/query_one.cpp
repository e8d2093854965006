#include "../views/query_one.hpp"

#include "../isa/dispatch.hpp"

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

} // namespace throng::simd
