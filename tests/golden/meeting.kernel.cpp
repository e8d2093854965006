// Compiled once for each instruction set, as docs/fused.md explains.
#include "meeting.hpp"

namespace throng::test {

template <class Arch, std::size_t Dim>
Status meet_on(Arch, NeighbourLoop<Dim>& loop, const Crowd<Dim>& crowd, const Neighbourhood& all,
               const Meeting<Dim>& meeting, Sets sets) {
    return for_each_neighbour<Arch>(loop, crowd, all, meeting, sets);
}

template Status meet_on(THRONG_KERNEL_ARCH, NeighbourLoop<2>&, const Crowd<2>&,
                        const Neighbourhood&, const Meeting<2>&, Sets);
template Status meet_on(THRONG_KERNEL_ARCH, NeighbourLoop<3>&, const Crowd<3>&,
                        const Neighbourhood&, const Meeting<3>&, Sets);

} // namespace throng::test
