// Nearest agents: hands queries to the kernels, with scratch memory for them.
#include "../grid_parts.hpp"

#include "../../../simd/kernels/grid/nearest.hpp"
#include "../../answers/nearest_checks.hpp"
#include "../rows/storage_range.hpp"
#include "kernel_calls.hpp"
#include "named_grids.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <new>
#include <numeric>
#include <type_traits>
#include <variant>

namespace throng {

namespace {

static_assert(sizeof(Near) == simd::kNearBytes && offsetof(Near, distance2) == 0 &&
                  offsetof(Near, id) == sizeof(float),
              "as kernels write it");

/// Room for candidates: so much more than k that kernels seldom have to select the k nearest before
/// they have seen all candidates.
constexpr std::uint32_t candidates_for(std::uint32_t k) noexcept {
    return k <= 64 ? 512 : 2 * kMostNearest;
}
constexpr std::uint32_t kRangeCandidates = 4096;

/// The words that this many candidates take up.
constexpr std::size_t words_of(std::uint32_t candidates) noexcept {
    return 2 * (candidates + simd::kSlack);
}

/// How a range call uses its scratch.
template <std::size_t Dim>
struct NearestScratch {
    static constexpr std::size_t kBlockWords = sizeof(simd::BallBlock<Dim>) / sizeof(std::uint32_t);
    static constexpr std::size_t kWords = kBlockWords + words_of(kRangeCandidates);

    std::span<std::uint32_t> words;

    [[nodiscard]] bool fits() const noexcept { return words.size() >= kWords; }
    [[nodiscard]] simd::BallBlock<Dim>& block() const noexcept {
        // Kernels compute with lanes that no query uses, too. No answer depends on those lanes, but
        // the memory sanitizer cannot know that.
        return *::new (static_cast<void*>(words.data())) simd::BallBlock<Dim>();
    }
    [[nodiscard]] simd::NearestAsk ask(std::uint32_t k, float radius) const noexcept {
        return {k, radius, words.data() + kBlockWords, kRangeCandidates};
    }
};

simd::NearestConditions conditions_of(const Nearest& nearest) noexcept {
    return {nearest.least * nearest.least,
            nearest.after.distance2,
            nearest.after.id,
            nearest.band.up,
            nearest.band.below,
            nearest.band.above};
}

unsigned char* bytes_of(std::span<Near> near) noexcept {
    return reinterpret_cast<unsigned char*>(near.data());
}

/// An empty block for bodies that ask about the agents of `others`.
template <std::size_t Dim>
simd::AskingBodies<Dim> asking_bodies(Body body, const NamedGrid<Dim>& others) noexcept {
    // Kernels also compute with lanes that no query uses, so all lanes must hold numbers.
    simd::AskingBodies<Dim> block{};
    std::fill(std::begin(block.box), std::end(block.box), body == Body::box ? 1.0f : 0.0f);
    std::fill(std::begin(block.disc), std::end(block.disc), body == Body::disc ? 1.0f : 0.0f);
    block.agents = half_extents_of(others);
    block.ids = static_cast<std::uint32_t>(others.grid->id_bound());
    return block;
}

/// Puts the bodies of agents of a row into a block: `count` of them, from `slot` on.
template <std::size_t Dim>
void put_bodies(simd::AskingBodies<Dim>& block, const RowStore<Dim>& store,
                const simd::HalfExtents<Dim>& half_extents, const simd::Row& row,
                std::uint32_t slot, std::size_t count) noexcept {
    using Fields = simd::Fields<Dim>;
    const auto copy = [&](std::size_t field, float* to) {
        std::memcpy(to, store.field(row, field) + slot, count * sizeof(float));
    };
    const std::uint32_t* const ids = store.field(row, Fields::kId) + slot;
    for (std::size_t a = 0; a < Dim; ++a) {
        copy(Fields::kPosition + a, block.centre[a]);
        if (half_extents.by_id[a] != nullptr) {
            std::transform(ids, ids + count, block.own[a],
                           [&](std::uint32_t id) { return half_extents.by_id[a][id]; });
        } else if (store.kind().own_half_extents) {
            copy(Fields::kHalfExtent + a, block.own[a]);
        } else {
            std::fill_n(block.own[a], count, half_extents.largest[a]);
        }
    }
}

template <std::size_t Dim>
void put(simd::BallBlock<Dim>& block, std::size_t i, const Point<Dim>& point) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        block.centre[a][i] = point[a];
    }
}

/// Writes empty answers to all queries.
void write_empty(std::uint32_t k, std::size_t questions, const NearBuffer& out) noexcept {
    std::fill_n(out.nearest.data(), k * questions, Near{});
    std::fill_n(out.counts.data(), questions, 0u);
}

std::size_t sum_of(std::span<const std::uint32_t> counts) noexcept {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

} // namespace

template <std::size_t Dim>
std::size_t GridParts<Dim>::nearest_scratch() noexcept {
    return NearestScratch<Dim>::kWords;
}

template <std::size_t Dim>
struct RowGrid<Dim>::State::NearestCalls {
    /// One query, with room for `candidates` on the stack.
    template <bool conditional, std::uint32_t candidates>
    static std::size_t ask(const State& state, const Point<Dim>& point, const Nearest& nearest,
                           std::span<Near> out, const Filter& filter) noexcept {
        std::array<std::uint32_t, words_of(candidates)> room;
        simd::BallBlock<Dim> block;
        for (std::size_t i = 0; i <= simd::kSlack; ++i) {
            put(block, i, point);
        }
        const View<Dim>& view = state.kernel_view();
        simd::NearestAsk asked{nearest.k, nearest.radius, room.data(), candidates};
        std::conditional_t<conditional, simd::NearestConditions, std::monostate> conditions;
        if constexpr (conditional) {
            conditions = conditions_of(nearest);
            if (has_conditions(nearest)) { asked.conditions = &conditions; }
            asked.body = nearest.body;
        }
        std::uint32_t count = 0;
        simd::nearest_batch(view.grid, block, 1,
                            kernel_filter_of(state.store, state.row_of, filter), asked,
                            {bytes_of(out), &count});
        return count;
    }

    static Found one(const State& state, const Point<Dim>& point, const Nearest& nearest,
                     std::span<Near> out, const Filter& filter) noexcept {
        const AccessCheck::Reading reading(state.access);
        return is_plain(nearest) ? checked<false>(state, point, nearest, out, filter)
                                 : checked<true>(state, point, nearest, out, filter);
    }

    /// Compiled twice, so that a plain question does not pay for conditions and bodies.
    template <bool conditional>
    static Found checked(const State& state, const Point<Dim>& point, const Nearest& nearest,
                         std::span<Near> out, const Filter& filter) noexcept {
        Status status = check_nearest(nearest.k, nearest.radius);
        if (conditional && status.ok()) { status = check_conditions<Dim>(nearest); }
        if (status.ok()) { status = check_shape(point); }
        if (!status.ok()) { return {0, status}; }
        if (out.size() < nearest.k) { return {0, {Cause::no_room, Argument::nearest}}; }
        if (nearest.k == 0 || state.is_empty_for(filter) || (conditional && is_hopeless(nearest))) {
            std::fill_n(out.data(), nearest.k, Near{});
            return {};
        }
        constexpr std::uint32_t kFew = candidates_for(1);
        constexpr std::uint32_t kMany = candidates_for(kMostNearest);
        return {candidates_for(nearest.k) == kFew
                    ? ask<conditional, kFew>(state, point, nearest, out, filter)
                    : ask<conditional, kMany>(state, point, nearest, out, filter),
                {}};
    }

    static Found range(const State& state, std::span<const Point<Dim>> all, const Nearest& nearest,
                       std::size_t begin, std::size_t end, NearestScratch<Dim> scratch,
                       const NearBuffer& out, const Filter& filter) noexcept {
        const AccessCheck::Reading reading(state.access);
        Status status = check_nearest<Dim>(nearest);
        if (!status.ok()) { return {0, status}; }
        if (begin > end || end > all.size()) { return {0, {Cause::out_of_range, Argument::range}}; }
        if (!scratch.fits()) { return {0, {Cause::no_room, Argument::scratch}}; }
        const std::span<const Point<Dim>> points = all.subspan(begin, end - begin);
        status = first_fault(points);
        if (!status.ok()) { return {0, {status.cause, status.argument, begin + status.index}}; }
        status = check_room(nearest.k, points.size(), out);
        if (!status.ok()) { return {0, status}; }
        if (nearest.k == 0 || state.is_empty_for(filter) || is_hopeless(nearest)) {
            write_empty(nearest.k, points.size(), out);
            return {};
        }
        const View<Dim>& view = state.kernel_view();
        const simd::KernelFilter kernel_filter =
            kernel_filter_of(state.store, state.row_of, filter);
        simd::BallBlock<Dim>& block = scratch.block();
        const simd::NearestConditions conditions = conditions_of(nearest);
        simd::NearestAsk asked = scratch.ask(nearest.k, nearest.radius);
        if (has_conditions(nearest)) { asked.conditions = &conditions; }
        asked.body = nearest.body;
        for (std::size_t q = 0; q < points.size();) {
            const std::size_t count = std::min(simd::kBlockQueries, points.size() - q);
            for (std::size_t i = 0; i < count; ++i) {
                put(block, i, points[q + i]);
            }
            simd::nearest_batch(
                view.grid, block, count, kernel_filter, asked,
                {bytes_of(out.nearest.subspan(q * nearest.k)), out.counts.data() + q});
            q += count;
        }
        return {sum_of(out.counts.first(points.size())), {}};
    }

    /// Checks the arguments of a call for the agents of some slices. Then calls answer(range, what
    /// each agent asks), or writes empty answers if nothing can be found.
    template <class Answer>
    static Found neighbours(const State& state, const NearestNeighbours& nearest, std::size_t begin,
                            std::size_t end, NearestScratch<Dim> scratch, const NearBuffer& out,
                            const Answer& answer) noexcept {
        const AccessCheck::Reading reading(state.access);
        Status status = check_nearest<Dim>(nearest);
        if (!status.ok()) { return {0, status}; }
        if (begin > end || end > state.slices.count()) {
            return {0, {Cause::out_of_range, Argument::range}};
        }
        if (!scratch.fits()) { return {0, {Cause::no_room, Argument::scratch}}; }
        const StorageRange<Dim> range(state.slices, begin, end);
        const std::size_t agents = range.agents(state.store);
        status = check_room(nearest.k, agents, out);
        if (!status.ok()) { return {0, status}; }
        const Nearest each = asked_by_each(nearest);
        if (nearest.k == 0 || nearest.groups == 0 || agents == 0 || is_hopeless(each)) {
            write_empty(nearest.k, agents, out);
            return {};
        }
        const simd::NearestConditions conditions = conditions_of(each);
        simd::NearestAsk asked = scratch.ask(nearest.k, nearest.radius);
        if (has_conditions(each)) { asked.conditions = &conditions; }
        answer(range, asked);
        return {sum_of(out.counts.first(agents)), {}};
    }

    static Found centres(const State& state, const NearestNeighbours& nearest, std::size_t begin,
                         std::size_t end, NearestScratch<Dim> scratch,
                         const NearBuffer& out) noexcept {
        return neighbours(
            state, nearest, begin, end, scratch, out,
            [&](const StorageRange<Dim>& range, simd::NearestAsk& asked) {
                const simd::NeighbourQuery query = {nearest.radius, nearest.with_self,
                                                    state.store.groups_to_compare(nearest.groups)};
                simd::nearest_neighbours(state.kernel_view().grid, query, range.at, range.end,
                                         asked, {bytes_of(out.nearest), out.counts.data()});
            });
    }

    static Found bodies(const NamedGrid<Dim>& askers, const NamedGrid<Dim>& others,
                        const NearestNeighbours& nearest, std::size_t begin, std::size_t end,
                        NearestScratch<Dim> scratch, const NearBuffer& out) noexcept {
        const State& asking = detail::state_of(*askers.grid);
        const State& asked_grid = detail::state_of(*others.grid);
        const AccessCheck::Reading reading(asked_grid.access);
        return neighbours(
            asking, nearest, begin, end, scratch, out,
            [&](const StorageRange<Dim>& range, simd::NearestAsk& asked) {
                if (asked_grid.count == 0) {
                    write_empty(nearest.k, range.agents(asking.store), out);
                    return;
                }
                const simd::HalfExtents<Dim> of_askers = half_extents_of(askers);
                simd::AskingBodies<Dim> block = asking_bodies(nearest.body, others);
                std::size_t done = 0;
                range.for_each_row(asking.store, [&](std::uint32_t r, std::uint32_t first,
                                                     std::uint32_t past) {
                    const simd::Row& row = asking.store.rows()[r];
                    for (std::uint32_t slot = first; slot < past;) {
                        const std::size_t asking_now =
                            std::min<std::size_t>(simd::kBlockQueries, past - slot);
                        put_bodies(block, asking.store, of_askers, row, slot, asking_now);
                        simd::KernelFilter kernel_filter;
                        kernel_filter.groups = asked_grid.store.groups_to_compare(nearest.groups);
                        if (askers.grid == others.grid && !nearest.with_self) {
                            kernel_filter.each =
                                asking.store.field(row, simd::Fields<Dim>::kId) + slot;
                            kernel_filter.row_of_without = r;
                        }
                        simd::nearest_to_bodies(asked_grid.kernel_view().grid, block, asking_now,
                                                kernel_filter, asked,
                                                {bytes_of(out.nearest.subspan(done * nearest.k)),
                                                 out.counts.data() + done});
                        done += asking_now;
                        slot += static_cast<std::uint32_t>(asking_now);
                    }
                });
            });
    }

    static Found one_body(const NamedGrid<Dim>& others, const NearestFrom<Dim>& from,
                          const Nearest& nearest, std::span<Near> out,
                          const Filter& filter) noexcept {
        const State& state = detail::state_of(*others.grid);
        const AccessCheck::Reading reading(state.access);
        if (nearest.k == 0 || state.is_empty_for(filter) || is_hopeless(nearest)) {
            std::fill_n(out.data(), nearest.k, Near{});
            return {};
        }
        simd::AskingBodies<Dim> block = asking_bodies(nearest.body, others);
        for (std::size_t a = 0; a < Dim; ++a) {
            std::fill(std::begin(block.centre[a]), std::end(block.centre[a]), from.point[a]);
            std::fill(std::begin(block.own[a]), std::end(block.own[a]), from.half_extent[a]);
        }
        constexpr std::uint32_t kMany = candidates_for(kMostNearest);
        std::array<std::uint32_t, words_of(kMany)> room;
        const simd::NearestConditions conditions = conditions_of(nearest);
        simd::NearestAsk asked{nearest.k, nearest.radius, room.data(), candidates_for(nearest.k)};
        if (has_conditions(nearest)) { asked.conditions = &conditions; }
        std::uint32_t count = 0;
        simd::nearest_to_bodies(state.kernel_view().grid, block, 1,
                                kernel_filter_of(state.store, state.row_of, filter), asked,
                                {bytes_of(out), &count});
        return {count, {}};
    }
};

template <std::size_t Dim>
Found RowGrid<Dim>::nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                            const Filter& filter) const {
    return State::NearestCalls::one(*state_, point, nearest, out, filter);
}

template <std::size_t Dim>
Found GridParts<Dim>::nearest(std::span<const Point<Dim>> points, const Nearest& nearest,
                              std::size_t begin, std::size_t end, std::span<std::uint32_t> scratch,
                              const NearBuffer& out, const Filter& filter) const {
    return GridState<Dim>::NearestCalls::range(detail::state_of(*grid_), points, nearest, begin,
                                               end, {scratch}, out, filter);
}

template <std::size_t Dim>
Found GridParts<Dim>::nearest_neighbours(const NearestNeighbours& nearest, std::size_t begin,
                                         std::size_t end, std::span<std::uint32_t> scratch,
                                         const NearBuffer& out) const {
    if (nearest.body != Body::centre) {
        const NamedGrid<Dim> own(*grid_);
        return GridState<Dim>::NearestCalls::bodies(own, own, nearest, begin, end, {scratch}, out);
    }
    return GridState<Dim>::NearestCalls::centres(detail::state_of(*grid_), nearest, begin, end,
                                                 {scratch}, out);
}

template <std::size_t Dim>
Found NearestBodies<Dim>::of_slices(const NamedGrid<Dim>& askers, const NearestNeighbours& nearest,
                                    std::size_t begin, std::size_t end,
                                    std::span<std::uint32_t> scratch, const NearBuffer& out) const {
    using Calls = typename GridState<Dim>::NearestCalls;
    return Calls::bodies(askers, others, nearest, begin, end, {scratch}, out);
}

template <std::size_t Dim>
Found NearestBodies<Dim>::of_one(const NearestFrom<Dim>& from, const Nearest& nearest,
                                 std::span<Near> out, const Filter& filter) const {
    using Calls = typename GridState<Dim>::NearestCalls;
    return Calls::one_body(others, from, nearest, out, filter);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template std::size_t GridParts<Dim>::nearest_scratch() noexcept;                               \
    template Found RowGrid<Dim>::nearest(const Point<Dim>&, const Nearest&, std::span<Near>,       \
                                         const Filter&) const;                                     \
    template Found GridParts<Dim>::nearest(std::span<const Point<Dim>>, const Nearest&,            \
                                           std::size_t, std::size_t, std::span<std::uint32_t>,     \
                                           const NearBuffer&, const Filter&) const;                \
    template Found GridParts<Dim>::nearest_neighbours(const NearestNeighbours&, std::size_t,       \
                                                      std::size_t, std::span<std::uint32_t>,       \
                                                      const NearBuffer&) const;                    \
    template struct NearestBodies<Dim>;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
