// Which candidates of lists that last are near now.
#include "../../engine/agents/validation.hpp"
#include "../../engine/shapes/ball.hpp"
#include "lasting_state.hpp"

#include <atomic>

namespace throng {

template <std::size_t Dim>
struct LastingNeighbours<Dim>::State::Filter {
    State& state;
    // What is used of the state.
    const LastingSettings& settings = state.settings;
    Executor* const executor = state.executor;
    const Lists& now = state.now;
    Floats& placed = state.placed;
    std::vector<Id>& found = state.found;
    std::vector<std::uint64_t>& found_before = state.found_before;
    LoopClaims& claims = state.claims;

    /// Puts positions in the order of places. Refuses agents that are not near where they were.
    template <class Float>
    Status gather(const StridedPoints<Float, Dim>& positions) {
        if (!now.made || positions.count != now.elements) {
            return {Cause::count_mismatch, Argument::positions};
        }
        const auto& axes = positions.axis;
        if (positions.count != 0 && std::find(axes.begin(), axes.end(), nullptr) != axes.end()) {
            return {Cause::null_pointer, Argument::positions};
        }
        const std::size_t agents = now.order.size(), statics = now.statics[0].size();
        for (std::size_t a = 0; a < Dim; ++a) {
            placed[a].resize(agents + statics);
            std::copy_n(now.statics[a].data(), statics, placed[a].data() + agents);
        }
        std::atomic<bool> near = true;
        const auto put = [&](std::size_t block) {
            const auto [first, past] = lists_of(now, block);
            bool all = true;
            for (std::size_t k = first; k < past; ++k) {
                const Id id = now.order[k];
                all &= is_near(positions, id, k);
            }
            if (!all) { near.store(false, std::memory_order_relaxed); }
        };
        const Status status =
            run_blocks(*executor, lists_blocks(now), put, claims, LoopCost::of(agents, 4.0 * Dim));
        if (!status.ok() || near.load()) { return status; }
        return first_fault(positions);
    }

    /// Puts one agent in its place; whether it is near where it was.
    template <class Float>
    bool is_near(const StridedPoints<Float, Dim>& positions, Id id, std::size_t k) noexcept {
        Point<Dim> here, before;
        bool sound = true, same = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            here[a] = now.world.kept(positions.values(a)[id], a);
            before[a] = now.position[a][id];
            placed[a][k] = here[a];
            sound &= std::abs(here[a]) <= kLargest;
            same &= here[a] == before[a];
        }
        if (settings.skin == 0.0f) { return sound && same; }
        const float distance2 = now.world.wraps ? distance2_around(now.world, here, before)
                                                : distance2_between(before, here);
        return sound && distance2 <= std::bit_cast<float>(state.most_moved2());
    }

    template <class Float>
    Status first_fault(const StridedPoints<Float, Dim>& positions) noexcept {
        Status fault;
        for_each_run(now, 0, now.elements, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end && fault.ok(); ++i) {
                Point<Dim> here;
                for (std::size_t a = 0; a < Dim; ++a) {
                    here[a] = now.world.kept(positions.values(a)[i], a);
                }
                fault = check_point(here, Argument::positions, i);
                if (fault.ok() && !is_near(positions, static_cast<Id>(i), 0)) {
                    fault = {Cause::out_of_range, Argument::positions, i};
                }
            }
            return fault.ok();
        });
        return fault;
    }

    /// Writes those of the k-th agent's candidates that are within the radius to `out`.
    template <bool wraps>
    std::size_t filter(std::size_t k, Id* out) const noexcept {
        const float radius2 = settings.neighbourhood.radius * settings.neighbourhood.radius;
        const std::uint64_t end = now.hits.offsets[k + 1];
        std::size_t hits = 0;
        for (std::uint64_t c = now.hits.offsets[k]; c < end; ++c) {
            const std::uint32_t other = now.places[c];
            float distance2 = 0.0f;
            for (std::size_t a = 0; a < Dim; ++a) {
                const float square = wraps ? least_square(k, other, a) : square_of(k, other, a);
                distance2 = a == 0 ? square : distance2 + square;
            }
            out[hits] = now.hits.ids[c]; // without a branch: it is overwritten if it is too far
            hits += distance2 <= radius2 ? 1 : 0;
        }
        return hits;
    }
    [[nodiscard]] float square_of(std::size_t k, std::size_t other, std::size_t a) const noexcept {
        const float offset = placed[a][other] - placed[a][k];
        return offset * offset;
    }
    /// Of all copies of the k-th agent. Rounding keeps order, so the least squares of all axes make
    /// the least distance of all copies.
    [[nodiscard]] float least_square(std::size_t k, std::size_t other,
                                     std::size_t a) const noexcept {
        float least = square_of(k, other, a);
        if (!now.world.periodic[a]) { return least; }
        for (const float shift : {-now.world.period[a], now.world.period[a]}) {
            const float offset = placed[a][other] - (placed[a][k] + shift);
            least = std::min(least, offset * offset);
        }
        return least;
    }

    /// Filters all lists: body(block, k, ids) for the k-th agent, block by block.
    template <class Float, class Body>
    Status filter_all(const StridedPoints<Float, Dim>& positions, const Body& body) {
        if (const Status status = gather(positions); !status.ok()) { return status; }
        found.resize(now.hits.total());
        const auto work = [&](std::size_t block) {
            const auto [first, past] = lists_of(now, block);
            // In this block's own part: it has room for all of its candidates.
            Id* out = found.data() + now.hits.offsets[first];
            for (std::size_t k = first; k < past; ++k) {
                const std::size_t count =
                    now.world.wraps ? filter<true>(k, out) : filter<false>(k, out);
                body(block, k, std::span<const Id>(out, count));
                out += count;
            }
        };
        return run_blocks(*executor, lists_blocks(now), work, claims,
                          LoopCost::of(now.hits.total(), 1.5));
    }

    template <class Float>
    Status list(const StridedPoints<Float, Dim>& positions, Hits& hits) {
        const std::size_t agents = now.order.size(), blocks = lists_blocks(now);
        hits.offsets.resize(agents + 1);
        hits.offsets[0] = 0;
        found_before.resize(blocks + 1);
        // First each offset counts from its block's beginning.
        Status status =
            filter_all(positions, [&](std::size_t block, std::size_t k, std::span<const Id> ids) {
                const bool begins = k == block * kListsInBlock;
                hits.offsets[k + 1] = (begins ? 0 : hits.offsets[k]) + ids.size();
            });
        if (!status.ok()) { return status; }
        found_before[0] = 0;
        for (std::size_t block = 0; block < blocks; ++block) {
            found_before[block + 1] =
                found_before[block] + hits.offsets[lists_of(now, block).second];
        }
        const std::uint64_t total = found_before[blocks];
        if (hits.ids.size() < total) { hits.ids.resize(total); }
        const auto join = [&](std::size_t block) {
            const auto [first, past] = lists_of(now, block);
            std::copy_n(found.data() + now.hits.offsets[first],
                        found_before[block + 1] - found_before[block],
                        hits.ids.data() + found_before[block]);
            for (std::size_t k = first; k < past; ++k) {
                hits.offsets[k + 1] += found_before[block];
            }
        };
        return run_blocks(*executor, blocks, join, claims, LoopCost::of(total, 0.5));
    }

    template <class Float>
    Status fill(const StridedPoints<Float, Dim>& positions, Hits& hits) {
        const Serving alone("LastingNeighbours::neighbours", state);
        const auto empty = [&] { hits.offsets.clear(); };
        try {
            const Status status = list(positions, hits);
            if (!status.ok()) { empty(); }
            return status;
        } catch (...) {
            empty();
            throw;
        }
    }

    template <class Float>
    Status visit(const StridedPoints<Float, Dim>& positions, Visitor visitor) {
        const Serving alone("LastingNeighbours::visit", state);
        return filter_all(positions, [&](std::size_t, std::size_t k, std::span<const Id> ids) {
            visitor(now.order[k], ids);
        });
    }
};

template <std::size_t Dim>
Status LastingNeighbours<Dim>::neighbours(const Agents<Dim>& agents, Hits& hits) {
    return typename State::Filter{*state_}.fill(agents.positions, hits);
}
template <std::size_t Dim>
Status LastingNeighbours<Dim>::neighbours(const WorldAgents<Dim>& agents, Hits& hits) {
    return typename State::Filter{*state_}.fill(agents.positions, hits);
}
template <std::size_t Dim>
Status LastingNeighbours<Dim>::visit(const Agents<Dim>& agents, Visitor visitor) {
    return typename State::Filter{*state_}.visit(agents.positions, visitor);
}
template <std::size_t Dim>
Status LastingNeighbours<Dim>::visit(const WorldAgents<Dim>& agents, Visitor visitor) {
    return typename State::Filter{*state_}.visit(agents.positions, visitor);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status LastingNeighbours<Dim>::neighbours(const Agents<Dim>&, Hits&);                 \
    template Status LastingNeighbours<Dim>::neighbours(const WorldAgents<Dim>&, Hits&);            \
    template Status LastingNeighbours<Dim>::visit(const Agents<Dim>&, Visitor);                    \
    template Status LastingNeighbours<Dim>::visit(const WorldAgents<Dim>&, Visitor);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
