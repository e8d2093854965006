// Who is nearest to many points, or to everyone, whoever is asked. Internal.
#pragma once

#include "../engine/nearest_ask.hpp"
#include "../engine/row_grid_ask.hpp"
#include "batch_near_places.hpp"
#include "batch_sorting.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace throng {

/// Who is nearest to many points, or to everyone. `Source` is who is asked, and who asks when
/// everyone does.
template <std::size_t Dim>
template <class Source>
struct Batch<Dim>::AskingNearest : Sorting {
    Source source;
    typename State::Asking asking{this->name, this->state, this->grid};

    using Sorting::block_of;
    using Sorting::blocks;
    using Sorting::gather;
    using Sorting::should_sort;
    using Sorting::sort;
    using Sorting::state;

    Found points(std::span<const Point<Dim>> all, const Nearest& nearest, const NearBuffer& out,
                 const Filter& filter) const {
        Status status = check_nearest(nearest.k, nearest.radius);
        if (status.ok()) { status = check_room(nearest.k, all.size(), out); }
        if (!status.ok()) { return {0, status}; }
        const auto answer = [&](std::span<const Point<Dim>> some, JoinedPart& part,
                                const NearBuffer& to) {
            return State::checked(source.nearest(some, nearest, part, to, filter));
        };
        try {
            if (!should_sort(all)) {
                const std::size_t size = State::block_size(all.size());
                return state.add_up(blocks(all), [&](std::size_t block, JoinedPart& part) {
                    const auto some = block_of(all, all.size(), block);
                    return answer(some, part,
                                  NearPlaces::part_of(out, nearest.k, block * size, some.size()));
                });
            }
            status = sort(all);
            if (!status.ok()) { throw Refused{status}; }
            return state.add_up(blocks(all), [&](std::size_t block, JoinedPart& part) {
                gather(all, block, part);
                const std::uint64_t found = answer(Sorting::template gathered<Point<Dim>>(part),
                                                   part, NearPlaces::aside(part, nearest.k));
                NearPlaces::strew(part, nearest.k, out);
                return found;
            });
        } catch (const Refused& refused) {
            const Status fault = first_fault(all);
            return {0, fault.ok() ? refused.status : fault};
        }
    }

    Found everyone(const NearestNeighbours& nearest, const NearBuffer& out, Order order) const {
        const std::size_t answers = source.answers(order);
        Status status = check_nearest(nearest.k, nearest.radius);
        if (status.ok()) { status = check_room(nearest.k, answers, out); }
        if (!status.ok()) { return {0, status}; }
        const auto answer = [&](std::size_t block, JoinedPart& part, const NearBuffer& to) {
            return State::checked(source.nearest_neighbours(nearest, block, part, to));
        };
        if (order == Order::storage) {
            source.count_before(state.before);
            return state.add_up(source.blocks(), [&](std::size_t block, JoinedPart& part) {
                const std::uint64_t first = state.before[block];
                return answer(
                    block, part,
                    NearPlaces::part_of(out, nearest.k, first, state.before[block + 1] - first));
            });
        }
        if (answers != source.size()) { // there are ids that nobody has
            std::fill_n(out.nearest.data(), answers * nearest.k, Near{});
            std::fill_n(out.counts.data(), answers, 0u);
        }
        return state.add_up(source.blocks(), [&](std::size_t block, JoinedPart& part) {
            source.note_askers(block, part);
            const std::uint64_t found = answer(block, part, NearPlaces::aside(part, nearest.k));
            NearPlaces::strew(part, nearest.k, out);
            return found;
        });
    }
};

} // namespace throng
