// Who is nearest to many points, or to everyone, whoever is asked. Internal.
#pragma once

#include "../engine/nearest_ask.hpp"
#include "../engine/row_grid_ask.hpp"
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
    typename State::Asking asking{this->state, this->grid};

    using Sorting::block_of;
    using Sorting::blocks;
    using Sorting::gather;
    using Sorting::should_sort;
    using Sorting::sort;
    using Sorting::state;

    /// The places of `count` answers, from number `first` on.
    [[nodiscard]] static NearBuffer part_of(const NearBuffer& out, std::uint32_t k,
                                            std::size_t first, std::size_t count) noexcept {
        return {out.nearest.subspan(first * k, count * k), out.counts.subspan(first, count)};
    }
    /// The part's own places for the answers to its askers.
    [[nodiscard]] static NearBuffer aside(JoinedPart& part, std::uint32_t k) {
        part.nearest.resize(part.askers.size() * k);
        part.counts.resize(part.askers.size());
        return {part.nearest, part.counts};
    }
    /// From there to where they belong.
    static void strew(const JoinedPart& part, std::uint32_t k, const NearBuffer& out) noexcept {
        for (std::size_t i = 0; i < part.askers.size(); ++i) {
            if (i + State::kAhead < part.askers.size()) {
                const std::size_t ahead = part.askers[i + State::kAhead];
                __builtin_prefetch(out.nearest.data() + ahead * k, 1);
                __builtin_prefetch(out.counts.data() + ahead, 1);
            }
            const std::size_t asker = part.askers[i];
            std::copy_n(part.nearest.data() + i * k, k, out.nearest.data() + asker * k);
            out.counts[asker] = part.counts[i];
        }
    }

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
                    return answer(some, part, part_of(out, nearest.k, block * size, some.size()));
                });
            }
            status = sort(all);
            if (!status.ok()) { throw Refused{status}; }
            return state.add_up(blocks(all), [&](std::size_t block, JoinedPart& part) {
                gather(all, block, part);
                const std::uint64_t found = answer(Sorting::template gathered<Point<Dim>>(part),
                                                   part, aside(part, nearest.k));
                strew(part, nearest.k, out);
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
                return answer(block, part,
                              part_of(out, nearest.k, first, state.before[block + 1] - first));
            });
        }
        if (answers != source.size()) { // there are ids that nobody has
            std::fill_n(out.nearest.data(), answers * nearest.k, Near{});
            std::fill_n(out.counts.data(), answers, 0u);
        }
        return state.add_up(source.blocks(), [&](std::size_t block, JoinedPart& part) {
            source.note_askers(block, part);
            const std::uint64_t found = answer(block, part, aside(part, nearest.k));
            strew(part, nearest.k, out);
            return found;
        });
    }

    /// body(buffer) for hits that grow; if it fails, or throws, they are empty and not half done.
    template <class Body>
    static Status fill(NearHits& hits, std::uint32_t k, std::size_t questions, const Body& body) {
        NearHits filling;
        std::swap(filling, hits);
        Status status = check_nearest(k, 0.0f);
        if (!status.ok()) { return status; }
        filling.k = k;
        filling.nearest.resize(questions * k);
        filling.counts.resize(questions);
        status = body(NearBuffer{filling.nearest, filling.counts}).status;
        if (!status.ok()) {
            filling.k = 0;
            filling.nearest.clear();
            filling.counts.clear();
        }
        std::swap(filling, hits);
        return status;
    }
};

} // namespace throng
