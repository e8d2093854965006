// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "locate.hpp"

#include "../../isa/packed_lanes.hpp"
#include "../../shapes/cell_lanes.hpp"

namespace throng::simd {

template <class Arch, std::size_t Dim>
bool locate_rows_on(Arch, const CellMap<Dim>& map, const float* const (&axis)[Dim],
                    std::size_t count, float largest, std::uint32_t* row) noexcept {
    std::uint32_t wrong = 0;
    for (std::size_t i = 0; i < count; i += kLanes<Arch>) {
        // A lane is right if |x| <= largest on every axis, which NaN and infinity are not.
        std::uint32_t right = ~0u;
        for (std::size_t a = 0; a < Dim; ++a) {
            right &= lane_bits<Arch>(magnitude<Arch>(Floats<Arch>::load_unaligned(axis[a] + i)) <=
                                     Floats<Arch>(largest));
        }
        const std::size_t left = count - i;
        const std::uint32_t lanes = first_lanes<Arch>(
            (1u << kLanes<Arch>)-1u,
            static_cast<std::uint32_t>(left < kLanes<Arch> ? left : kLanes<Arch>));
        wrong |= ~right & lanes;

        Words<Arch> number = Words<Arch>(0u);
        for (std::size_t a = Dim - 1; a > 0; --a) {
            const Words<Arch> cell =
                cells_of<Arch>(Floats<Arch>::load_unaligned(axis[a] + i), map.origin[a],
                               map.inverse_cell[a], map.first_cell[a], map.last_cell[a]);
            number = a == Dim - 1 ? cell : number * Words<Arch>(map.cells[a]) + cell;
        }
        number.store_unaligned(row + i);
    }
    return wrong == 0;
}

template <class Arch, std::size_t Dim>
void locate_cells_on(Arch, const CellMap<Dim>& map, const float* x, std::size_t count,
                     std::uint32_t* cell) noexcept {
    for (std::size_t i = 0; i < count; i += kLanes<Arch>) {
        cells_of<Arch>(Floats<Arch>::load_unaligned(x + i), map.origin[0], map.inverse_cell[0],
                       map.first_cell[0], map.last_cell[0])
            .store_unaligned(cell + i);
    }
}

using KernelArch = THRONG_KERNEL_ARCH;
template bool locate_rows_on(KernelArch, const CellMap<2>&, const float* const (&)[2], std::size_t,
                             float, std::uint32_t*) noexcept;
template bool locate_rows_on(KernelArch, const CellMap<3>&, const float* const (&)[3], std::size_t,
                             float, std::uint32_t*) noexcept;
template void locate_cells_on(KernelArch, const CellMap<2>&, const float*, std::size_t,
                              std::uint32_t*) noexcept;
template void locate_cells_on(KernelArch, const CellMap<3>&, const float*, std::size_t,
                              std::uint32_t*) noexcept;

} // namespace throng::simd
