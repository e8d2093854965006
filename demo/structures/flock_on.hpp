// The seam between the kernel, compiled for each instruction set, and the choice between them.
#pragma once

#include "flock.hpp"

#include <throng/fused/for_each_neighbour.hpp>

namespace throng::demo {

template <class Arch, class Index>
Status run_flock_on(Arch, NeighbourLoop<2>& loop, const Index& index, float radius,
                    const Flock& flock);

} // namespace throng::demo
