#include "neighbours.hpp"

#include "../isa/dispatch.hpp"

namespace throng::simd {

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

} // namespace throng::simd
