// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "nearest.hpp"

#include "../../search/agent_balls.hpp"
#include "../../search/storage_order.hpp"
#include "../../shapes/shape_dispatch.hpp"
#include "nearest_bodies.hpp"
#include "nearest_one.hpp"
#include "nearest_search.hpp"

namespace throng::simd {

/// Answers `count` queries, one by one if there are conditions.
template <class Search>
[[gnu::always_inline]] inline void answer_all(Search&& search, std::size_t count,
                                              NearestAsk& ask) noexcept {
    if (ask.conditions != nullptr) {
        search.answer_each(count, ask.guess2);
    } else {
        search.answer(count, ask.guess2, ask.apart);
    }
}

/// The same for distances to agents' bodies. One copy serves questions with and without a filter.
template <class Arch, std::size_t Dim>
[[gnu::noinline]] void nearest_among_bodies(const GridView<Dim>& grid, BodyBallBlock<Dim>& balls,
                                            std::size_t count, const KernelFilter& kernel_filter,
                                            NearestAsk& ask, const NearestOutput& out) noexcept {
    using Shape = BodyBallLanes<Arch, Dim>;
    answer_all(NearestSearch<Skips::some, Arch, Dim, Shape>(grid, balls, kernel_filter, ask, out),
               count, ask);
}

template <class Arch, std::size_t Dim>
[[gnu::noinline]] void nearest_bodies(const GridView<Dim>& grid, const BallBlock<Dim>& queries,
                                      std::size_t count, const KernelFilter& kernel_filter,
                                      NearestAsk& ask, const NearestOutput& out) noexcept {
    BodyBallBlock<Dim> balls;
    // Copies whole arrays in a few instructions: lanes without a query take part too, and may hold
    // anything.
    __builtin_memcpy(balls.centre, queries.centre, sizeof balls.centre);
    for (std::size_t q = 0; q < kBlockQueries + kSlack; ++q) {
        balls.box[q] = ask.body == Body::box ? 1.0f : 0.0f;
        balls.disc[q] = ask.body == Body::disc ? 1.0f : 0.0f;
    }
    nearest_among_bodies<Arch>(grid, balls, count, kernel_filter, ask, out);
}

template <class Arch, std::size_t Dim>
void nearest_to_bodies_on(Arch, const GridView<Dim>& grid, AskingBodies<Dim>& queries,
                          std::size_t count, const KernelFilter& kernel_filter, NearestAsk& ask,
                          const NearestOutput& out) noexcept {
    // A view whose agents are as large as any two bodies together, so that searches look far
    // enough.
    GridView<Dim> wide = grid;
    bool same = !grid.own_extents && queries.agents.by_id[0] == nullptr;
    for (std::size_t a = 0; a < Dim; ++a) {
        float most = queries.own[a][0];
        for (std::size_t q = 1; q < count; ++q) {
            same = same && queries.own[a][q] == most;
            most = most < queries.own[a][q] ? queries.own[a][q] : most;
        }
        wide.max_half_extent[a] = queries.agents.largest[a] + most;
    }
    // If all askers share their extents and all agents share theirs, the distance between two
    // bodies is that from the asker's centre to a body with the sum of both extents.
    if (same) {
        nearest_among_bodies<Arch>(wide, queries, count, kernel_filter, ask, out);
        return;
    }
    using Shape = BodyBallLanes<Arch, Dim, AskingBodies<Dim>, FacingBody<Arch, Dim>>;
    answer_all(NearestSearch<Skips::some, Arch, Dim, Shape>(wide, queries, kernel_filter, ask, out),
               count, ask);
}

template <class Arch, std::size_t Dim>
void nearest_batch_on(Arch, const GridView<Dim>& grid, BallBlock<Dim>& queries, std::size_t count,
                      const KernelFilter& kernel_filter, NearestAsk& ask,
                      const NearestOutput& out) noexcept {
    if (ask.body != Body::centre) [[unlikely]] {
        nearest_bodies<Arch>(grid, queries, count, kernel_filter, ask, out);
        return;
    }
    if (ask.conditions != nullptr) {
        NearestSearch<Skips::some, Arch, Dim>(grid, queries, kernel_filter, ask, out)
            .answer_each(count, ask.guess2);
        return;
    }
    with_skips<Arch>(kernel_filter, [&]<Skips skips>() {
        // For one point only: many points take half the time in packets.
        if (count == 1 && ask.k == 1 &&
            NearestOne<skips, Arch, Dim>(grid, queries, kernel_filter)
                .answer(ask.radius, ask.guess2, out)) {
            return;
        }
        NearestSearch<skips, Arch, Dim>(grid, queries, kernel_filter, ask, out)
            .answer(count, ask.guess2, ask.apart);
    });
}

template <class Arch, std::size_t Dim>
void nearest_neighbours_on(Arch arch, const GridView<Dim>& grid, const NeighbourQuery& query,
                           RowSlot at, RowSlot end, NearestAsk& ask,
                           const NearestOutput& out) noexcept {
    // Zeros, since lanes without a query take part too: no answer depends on them, but the memory
    // sanitizer cannot know that.
    BallBlock<Dim> balls = {};
    NearestOutput next = out;
    for_each_few<Arch, kBlockQueries>(grid, at, end, [&](RowSlot start, std::uint32_t count) {
        copy_centres<Arch>(grid, start, count, balls);
        nearest_batch_on(arch, grid, balls, count,
                         filter_of_agents<Arch>(grid, start, query.with_self, query.groups), ask,
                         next);
        next.near += std::size_t{count} * ask.k * kNearBytes;
        next.counts += count;
        return true;
    });
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_DIM(Dim)                                                                        \
    template void nearest_batch_on(KernelArch, const GridView<Dim>&, BallBlock<Dim>&, std::size_t, \
                                   const KernelFilter&, NearestAsk&,                               \
                                   const NearestOutput&) noexcept;                                 \
    template void nearest_neighbours_on(KernelArch, const GridView<Dim>&, const NeighbourQuery&,   \
                                        RowSlot, RowSlot, NearestAsk&,                             \
                                        const NearestOutput&) noexcept;                            \
    template void nearest_to_bodies_on(KernelArch, const GridView<Dim>&, AskingBodies<Dim>&,       \
                                       std::size_t, const KernelFilter&, NearestAsk&,              \
                                       const NearestOutput&) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::simd
