// Declares the kernels that are compiled for each instruction set, for the code that chooses one.
#pragma once

#include "fused.hpp"

#include <throng/fused/for_each_neighbour.hpp>

#include <type_traits>

namespace throng::demo {

template <class Arch, class Index, class Kernel>
Status run_fused_on(Arch, NeighbourLoop<2>& loop, const Index& index, float radius,
                    const Kernel& kernel);

} // namespace throng::demo
