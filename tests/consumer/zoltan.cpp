// A host that asks for cuts by Zoltan without having started MPI: the call must say so.
#include <throng/distributed/zoltan_cuts.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

int main() {
    const auto made = throng::shape_over<2>({{}, {{9.0f, 9.0f}}}, {{1.0f, 1.0f}});
    throng::Cuts<2> cuts;
    const auto work = [](std::size_t, const throng::Brick<2>&, std::span<std::uint64_t>) {};
    const throng::Status status = throng::zoltan_cuts(made.value, 2, work, cuts);
    return status.cause == throng::Cause::rank_lost && cuts.ranks() == 0 ? 0 : 1;
}
