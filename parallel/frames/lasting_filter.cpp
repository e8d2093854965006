// Filters kept lists: finds the candidates that are near now.
#include "../../engine/agents/validation.hpp"
#include "../../simd/kernels/grid/kept_lists.hpp"
#include "lasting_moves.hpp"
#include "lasting_state.hpp"

#include <array>
#include <atomic>

namespace throng {

template <std::size_t Dim>
struct LastingNeighbours<Dim>::State::Filter {
    State& state;
    // Short names for members of the state.
    const LastingSettings& settings = state.settings;
    Executor* const executor = state.executor;
    Lists& now = state.now;

    /// The number of lists filtered at once, and handed to a visitor while still in the L1 cache.
    static constexpr std::size_t kVisited = 32;
    /// Rough cost of a candidate in nanoseconds.
    static constexpr double kCost = 0.5;

    /// Puts positions in the order of places. Refuses agents that have moved too far.
    template <class Float>
    Status gather(const StridedPoints<Float, Dim>& positions) {
        if (!now.made || positions.count != now.elements) {
            const bool has_empty_slots = now.made && now.elements != now.agents;
            return {Cause::count_mismatch, Argument::positions, has_empty_slots ? now.elements : 0};
        }
        const auto& axes = positions.axis;
        if (positions.count != 0 && std::find(axes.begin(), axes.end(), nullptr) != axes.end()) {
            return {Cause::null_pointer, Argument::positions};
        }
        bool near = false;
        std::atomic<Bits> moved = 0;
        const Status status = state.look_at_all(
            [&](std::size_t begin, std::size_t end) {
                return state.are_near(positions, begin, end, moved);
            },
            near);
        if (!status.ok()) { return status; }
        if (!near) { return first_fault(positions); }
        if (!now.has_runs) {
            if (const Status found = make_runs(); !found.ok()) { return found; }
        }
        const auto put = [&](std::size_t block) {
            const auto [first, past] = lists_of(now, block);
            for (std::size_t a = 0; a < Dim; ++a) {
                const ValueView<Float> values = positions.values(a);
                for (std::size_t k = first; k < past; ++k) {
                    now.placed[a][k] = now.world.kept(values[now.ids[k]], a);
                }
            }
        };
        return run_blocks(*executor, lists_blocks(now), put, state.claims,
                          LoopCost::of(now.agents, 1.0 * Dim));
    }

    template <class Float>
    Status first_fault(const StridedPoints<Float, Dim>& positions) noexcept {
        Status fault;
        std::atomic<Bits> moved = 0;
        for_each_run(now, 0, now.elements, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end && fault.ok(); ++i) {
                Point<Dim> here;
                for (std::size_t a = 0; a < Dim; ++a) {
                    here[a] = now.world.kept(positions.values(a)[i], a);
                }
                fault = check_point(here, Argument::positions, i);
                if (fault.ok() && !state.are_near(positions, i, i + 1, moved)) {
                    fault = {Cause::out_of_range, Argument::positions, i};
                }
            }
            return fault.ok();
        });
        return fault;
    }

    /// Finds the runs of candidates, so that a filter reads whole vectors of positions. Only on
    /// demand: hosts that read candidates themselves never need runs.
    Status make_runs() {
        constexpr double kCostOfRuns = 1.5; // nanoseconds a candidate, roughly
        now.most = 0;
        for (std::size_t block = 0; block < lists_blocks(now); ++block) {
            const auto [first, past] = lists_of(now, block);
            now.most = std::max(now.most, now.candidates(first, past));
        }
        const auto make = [&](std::size_t first, std::size_t past, std::uint64_t used,
                              const OutputPart&, simd::PlaceRun* runs, std::uint64_t* ends) {
            simd::PlaceRun* run = runs;
            for (std::size_t k = first; k < past; ++k) {
                run = runs_of(k, run);
                ends[k - first] = used + static_cast<std::uint64_t>(run - runs);
            }
            return ends[past - first - 1];
        };
        // Most runs have more than one candidate.
        const Status status =
            state.join(now, kCostOfRuns, make, now.hits.total() / 2, now.runs, now.run_offsets);
        now.has_runs = status.ok();
        return status;
    }

    /// Writes the runs of one list, and returns where they end. A run begins at a candidate whose
    /// place does not fit into the run before, or does not ascend. A branch for this test would be
    /// predicted wrongly every third time.
    simd::PlaceRun* runs_of(std::size_t list, simd::PlaceRun* run) const noexcept {
        constexpr std::uint64_t kAhead = 64; // for prefetching: places lie all over memory
        const auto agents = static_cast<std::uint32_t>(now.agents);
        const Id* const ids = now.hits.ids.data();
        const std::uint64_t begin = now.hits.offsets[list], end = now.hits.offsets[list + 1];
        const std::uint64_t last_of_all = now.hits.total() - 1;
        std::uint32_t first = 0, lanes = 0, runs = 0;
        std::uint32_t before = ~0u; // above all places, so that a run begins
        for (std::uint64_t i = begin; i < end; ++i) {
            const Id soon = ids[std::min(i + kAhead, last_of_all)];
            __builtin_prefetch(now.place_of.data() + (is_static(soon) ? 0 : soon));
            const Id id = ids[i];
            const std::uint32_t at =
                is_static(id) ? agents + now.static_numbers(id) : now.place_of[id];
            const std::uint32_t offset = at - first;
            const std::uint32_t room = at > before ? simd::kPlacesInRun : 0u;
            // `fits` has all bits set, or none.
            const std::uint32_t fits = 0u - static_cast<std::uint32_t>(offset < room);
            first = at - (offset & fits);
            lanes = (lanes & fits) | 1u << (offset & fits);
            runs += 1u + fits;
            run[runs - 1] = {first, lanes};
            before = at;
        }
        if (runs == 0) { run[runs++] = {0, 0}; }
        run[runs - 1].lanes |= simd::kEndsList;
        return run + runs;
    }

    /// The lists as kernels see them.
    [[nodiscard]] simd::KeptLists<Dim> view() const noexcept {
        simd::KeptLists<Dim> lists{};
        const Box<Dim> inner = now.world.without_borders(settings.neighbourhood.radius);
        for (std::size_t a = 0; a < Dim; ++a) {
            lists.position[a] = now.placed[a].data();
            lists.period[a] = now.world.periodic[a] ? now.world.period[a] : 0.0f;
            lists.low[a] = inner.lo[a];
            lists.high[a] = inner.hi[a];
        }
        lists.ids = now.ids.data();
        lists.runs = now.runs.data();
        lists.offsets = now.run_offsets.data();
        lists.radius2 = settings.neighbourhood.radius * settings.neighbourhood.radius;
        lists.wraps = now.world.wraps;
        return lists;
    }

    template <class Float>
    Status list(const StridedPoints<Float, Dim>& positions, Hits& hits) {
        if (const Status status = gather(positions); !status.ok()) { return status; }
        const simd::KeptLists<Dim> lists = view();
        const auto make = [&](std::size_t first, std::size_t past, std::uint64_t used,
                              const OutputPart&, Id* to, std::uint64_t* ends) {
            return simd::filter_lists(lists, first, past, used, to, ends);
        };
        return state.join(now, kCost, make, expected(), hits.ids, hits.offsets);
    }
    /// An estimate of the number of neighbours, for agents that are spread evenly.
    [[nodiscard]] std::uint64_t expected() const noexcept {
        const double radius = settings.neighbourhood.radius;
        double share = 1.0;
        for (std::size_t a = 0; a < Dim && settings.skin > 0.0f; ++a) {
            share *= radius / (radius + double{settings.skin});
        }
        const auto all = static_cast<double>(now.candidates(0, now.agents));
        return static_cast<std::uint64_t>(all * share);
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
        if (const Status status = gather(positions); !status.ok()) { return status; }
        const simd::KeptLists<Dim> lists = view();
        const auto work = [&](std::size_t block, OutputPart& part, std::optional<std::uint64_t>) {
            const auto [first, past] = lists_of(now, block);
            for (std::size_t k = first; k < past; k += kVisited) {
                visit_some(lists, k, std::min(k + kVisited, past), part, visitor);
            }
            part.length = 0;
        };
        return state.loop.run(*executor, lists_blocks(now),
                              LoopCost::of(now.candidates(0, now.agents), kCost), work,
                              [](const OutputPart&) { return true; });
    }
    void visit_some(const simd::KeptLists<Dim>& lists, std::size_t first, std::size_t past,
                    OutputPart& part, Visitor visitor) const {
        Id* const ids = room_in<Id>(part, now.most); // room for any block, so that parts never grow
        std::array<std::uint64_t, kVisited> ends;
        (void)simd::filter_lists(lists, first, past, 0, ids, ends.data());
        std::uint64_t begin = 0;
        for (std::size_t k = first; k < past; ++k) {
            const std::uint64_t end = ends[k - first];
            visitor(now.ids[k], std::span<const Id>(ids + begin, end - begin));
            begin = end;
        }
    }
};

template <std::size_t Dim>
Status LastingNeighbours<Dim>::list(const Agents<Dim>& agents, Hits& hits) {
    return typename State::Filter{*state_}.fill(agents.positions, hits);
}
template <std::size_t Dim>
Status LastingNeighbours<Dim>::list(const WorldAgents<Dim>& agents, Hits& hits) {
    return typename State::Filter{*state_}.fill(agents.positions, hits);
}
template <std::size_t Dim>
Status LastingNeighbours<Dim>::hand_out(const Agents<Dim>& agents, Visitor visitor) {
    return typename State::Filter{*state_}.visit(agents.positions, visitor);
}
template <std::size_t Dim>
Status LastingNeighbours<Dim>::hand_out(const WorldAgents<Dim>& agents, Visitor visitor) {
    return typename State::Filter{*state_}.visit(agents.positions, visitor);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status LastingNeighbours<Dim>::list(const Agents<Dim>&, Hits&);                       \
    template Status LastingNeighbours<Dim>::list(const WorldAgents<Dim>&, Hits&);                  \
    template Status LastingNeighbours<Dim>::hand_out(const Agents<Dim>&, Visitor);                 \
    template Status LastingNeighbours<Dim>::hand_out(const WorldAgents<Dim>&, Visitor);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
