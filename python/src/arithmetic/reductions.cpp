#include "reductions.hpp"

#include <throng/simd/isa/dispatch.hpp>

namespace throng::python {

template <std::size_t Dim>
Status reduce(NeighbourLoop<Dim>& loop, const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood,
              Reduction reduction) {
    if (neighbourhood.radius > 0.0f) { reduction.inverse_radius = 1.0f / neighbourhood.radius; }
    // Each call visits all neighbours, for as many columns as most kernels can handle at once.
    const bool extremes = reduction.how == Reduced::least || reduction.how == Reduced::most;
    while (reduction.column < reduction.columns) {
        const std::size_t left = reduction.columns - reduction.column;
        const std::size_t count = !extremes && left >= Dim ? Dim : 1;
        const Status status = simd::dispatch([&]<class Arch>(Arch arch) {
            return reduce_on(arch, loop, crowd, neighbourhood, reduction, count);
        });
        if (!status.ok()) { return status; }
        reduction.column += count;
    }
    return {};
}

template Status reduce(NeighbourLoop<2>&, const Crowd<2>&, const Neighbourhood&, Reduction);
template Status reduce(NeighbourLoop<3>&, const Crowd<3>&, const Neighbourhood&, Reduction);

} // namespace throng::python
