#include "locate.hpp"

#include "../isa/dispatch.hpp"

namespace throng::simd {

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
