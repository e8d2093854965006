#include "walk.hpp"

#include "dispatch.hpp"

namespace throng::simd {

template <Form form, class Block>
bool walk(const GridView<Block::kDim>& grid, const Block& query, const LeaveOut& leave_out,
          Walk& walk) noexcept {
    return dispatch([&](auto arch) { return walk_on<form>(arch, grid, query, leave_out, walk); });
}

#define THRONG_FOR_FORM(form, Block, Dim)                                                          \
    template bool walk<form>(const GridView<Dim>&, const Block<Dim>&, const LeaveOut&,             \
                             Walk&) noexcept;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    THRONG_FOR_FORM(Form::ids, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::count, Block, Dim)                                                       \
    THRONG_FOR_FORM(Form::any, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::stats, Block, Dim)
THRONG_FOR_EACH_WALK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK
#undef THRONG_FOR_FORM

} // namespace throng::simd
