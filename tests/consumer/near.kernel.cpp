#include "near.hpp"

template <class Arch>
throng::Status count_near_on(Arch, const throng::RowGrid<2>& grid, std::uint32_t* count) {
    return throng::for_each_neighbour<Arch>(grid, {.radius = 5.0f}, Near{count});
}
template throng::Status count_near_on(THRONG_KERNEL_ARCH, const throng::RowGrid<2>&,
                                      std::uint32_t*);
