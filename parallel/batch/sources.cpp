// Makes the source that a batch call asks, and holds it through the call.
#include "crowd_askers.hpp"
#include "crowd_source.hpp"
#include "grid_source.hpp"
#include "grids_source.hpp"
#include "near_pairs.hpp"

namespace throng {

template <std::size_t Dim>
void Batch<Dim>::State::with_source(const char* name, const Asked<Dim>& asked, ShapeCall call) {
    const auto serve = [&](const ShapeSource<Dim>& source, const RowGrid<Dim>& grid) {
        [[maybe_unused]] const Serving held(name, *this);
        [[maybe_unused]] const AccessCheck::Reading reading(access(grid));
        call(source, grid);
    };
    if (asked.crowd == nullptr) { return serve(GridSource(*asked.grid, *this), *asked.grid); }
    const Crowd<Dim>& crowd = *asked.crowd;
    [[maybe_unused]] const AccessCheck::Reading reading(detail::state_of(crowd).access);
    if (grid_alone(crowd, asked.sets)) {
        return serve(GridSource(crowd.grid(), *this), crowd.grid());
    }
    serve(CrowdSource(crowd, asked.sets, *this), crowd.grid());
}

template <std::size_t Dim>
void Batch<Dim>::State::with_askers(const char* name, const Asking<Dim>& asking, Order by,
                                    const Status& nonsense, AskersCall call) {
    const auto ask_grids = [&](Grids askers, Grids others, std::size_t least) {
        [[maybe_unused]] const Serving held(name, *this);
        GridsSource source(*this, askers, others, by, least, nonsense);
        call(source);
    };
    const auto ask_each_other = [&](const RowGrid<Dim>& grid, std::size_t least) {
        const NamedGrid<Dim> own(grid);
        ask_grids({&own, 1}, {&own, 1}, least);
    };
    if (asking.grid != nullptr) { return ask_each_other(*asking.grid, 0); }
    if (asking.crowd == nullptr) { return ask_grids(asking.askers, asking.others, 0); }
    const Crowd<Dim>& crowd = *asking.crowd;
    [[maybe_unused]] const AccessCheck::Reading reading(detail::state_of(crowd).access);
    if (grid_alone(crowd, asking.sets) && detail::state_of(crowd).giants.size() == 0) {
        // The number of answers is the crowd's bound, which still counts the names of giants that
        // have left.
        return ask_each_other(crowd.grid(), answers(crowd, Order::ids));
    }
    [[maybe_unused]] const Serving held(name, *this);
    [[maybe_unused]] const AccessCheck::Reading reading_grid(access(crowd.grid()));
    CrowdAskers askers(crowd, asking.sets, by, *this, nonsense);
    call(askers);
}

template <std::size_t Dim>
void Batch<Dim>::State::with_near_pairs(const PairsOf<Dim>& all, const Neighbourhood& near,
                                        PairsCall call) {
    const auto pair_grid = [&](const RowGrid<Dim>& grid) {
        const NamedGrid<Dim> own(grid);
        GridsSource agents(*this, {&own, 1}, {&own, 1}, Order::storage, 0, {});
        call(NearPairs(agents, agents, grid, nullptr, near));
    };
    if (all.crowd == nullptr) { return pair_grid(*all.grid); }
    const Crowd<Dim>& crowd = *all.crowd;
    [[maybe_unused]] const AccessCheck::Reading reading(detail::state_of(crowd).access);
    const auto found_by = [&](PairSets with_small, PairSets with_giants, PairSets with_statics) {
        const auto any_of = [&](PairSets kind, Sets sets) {
            return has(all.sets, kind) ? sets : Sets::none;
        };
        return any_of(with_small, Sets::small) | any_of(with_giants, Sets::giants) |
               any_of(with_statics, Sets::statics);
    };
    const Sets by_small =
        found_by(PairSets::small_small, PairSets::small_giants, PairSets::small_statics);
    const Sets by_giants =
        found_by(PairSets::none, PairSets::giants_giants, PairSets::giants_statics);
    if (grid_alone(crowd, by_small) && detail::state_of(crowd).giants.size() == 0) {
        return pair_grid(crowd.grid());
    }
    [[maybe_unused]] const AccessCheck::Reading reading_grid(access(crowd.grid()));
    CrowdAskers small(crowd, by_small, Order::storage, *this, {});
    CrowdAskers giants(crowd, by_giants, Order::storage, *this, {});
    call(NearPairs(small, giants, crowd.grid(), &crowd, near));
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void Batch<Dim>::State::with_source(const char*, const Asked<Dim>&, ShapeCall);       \
    template void Batch<Dim>::State::with_askers(const char*, const Asking<Dim>&, Order,           \
                                                 const Status&, AskersCall);                       \
    template void Batch<Dim>::State::with_near_pairs(const PairsOf<Dim>&, const Neighbourhood&,    \
                                                     PairsCall);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
