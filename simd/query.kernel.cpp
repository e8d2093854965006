// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "query.hpp"

#include "select_all.hpp"
#include "with_shape.hpp"

namespace throng::simd {

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

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template std::size_t select_batch_on(KernelArch, const GridView<Dim>&, const Block<Dim>&,      \
                                         std::size_t, const LeaveOut&, BatchOutput&) noexcept;     \
    template void tally_batch_on<Form::count>(KernelArch, const GridView<Dim>&, const Block<Dim>&, \
                                              std::size_t, const LeaveOut&,                        \
                                              std::uint32_t*) noexcept;                            \
    template void tally_batch_on<Form::any>(KernelArch, const GridView<Dim>&, const Block<Dim>&,   \
                                            std::size_t, const LeaveOut&,                          \
                                            std::uint32_t*) noexcept;
THRONG_FOR_BLOCK(BoxBlock, 2)
THRONG_FOR_BLOCK(BoxBlock, 3)
THRONG_FOR_BLOCK(BallBlock, 2)
THRONG_FOR_BLOCK(BallBlock, 3)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
