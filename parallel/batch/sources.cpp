// Makes the source that a batch call asks, and holds it through the call.
#include "crowd_askers.hpp"
#include "crowd_source.hpp"
#include "grid_source.hpp"
#include "grids_source.hpp"

namespace throng {

template <std::size_t Dim>
void Batch<Dim>::State::with_source(const char* name, const Target& target, ShapeCall call) {
    const auto serve = [&](const ShapeSource<Dim>& source, const RowGrid<Dim>& grid) {
        [[maybe_unused]] const Serving held(name, *this);
        [[maybe_unused]] const AccessCheck::Reading reading(access(grid));
        call(source, grid);
    };
    if (target.crowd == nullptr) { return serve(GridSource(*target.grid), *target.grid); }
    const Crowd<Dim>& crowd = *target.crowd;
    [[maybe_unused]] const AccessCheck::Reading reading(detail::state_of(crowd).access);
    if (grid_alone(crowd, target.sets)) { return serve(GridSource(crowd.grid()), crowd.grid()); }
    serve(CrowdSource(crowd, target.sets), crowd.grid());
}

template <std::size_t Dim>
void Batch<Dim>::State::with_askers(const char* name, const Parties& parties,
                                    const Status& nonsense, AskersCall call) {
    const auto ask_grids = [&](Grids askers, Grids others, std::size_t least) {
        [[maybe_unused]] const Serving held(name, *this);
        call(GridsSource(askers, others, parties.order, least, nonsense));
    };
    if (parties.crowd == nullptr) { return ask_grids(parties.askers, parties.others, 0); }
    const Crowd<Dim>& crowd = *parties.crowd;
    [[maybe_unused]] const AccessCheck::Reading reading(detail::state_of(crowd).access);
    if (grid_alone(crowd, parties.sets) && detail::state_of(crowd).giants.size() == 0) {
        // Only the crowd knows how many answers there are: its bound still counts the names of
        // giants that have left.
        const NamedGrid<Dim> grid(crowd.grid());
        return ask_grids({&grid, 1}, {&grid, 1}, answers(crowd, Order::ids));
    }
    [[maybe_unused]] const Serving held(name, *this);
    [[maybe_unused]] const AccessCheck::Reading reading_grid(access(crowd.grid()));
    call(CrowdAskers(crowd, parties.sets, parties.order, order, nonsense));
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void Batch<Dim>::State::with_source(const char*, const Target&, ShapeCall);           \
    template void Batch<Dim>::State::with_askers(const char*, const Parties&, const Status&,       \
                                                 AskersCall);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
