#include "pairs.hpp"

#include "../isa/dispatch.hpp"

namespace throng::simd {

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

} // namespace throng::simd
