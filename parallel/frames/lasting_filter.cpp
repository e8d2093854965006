// Which candidates of lists that last are near now.
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
    // What is used of the state.
    const LastingSettings& settings = state.settings;
    Executor* const executor = state.executor;
    Lists& now = state.now;

    /// Lists handed to a visitor while they are in the first cache.
    static constexpr std::size_t kVisited = 32;
    /// What a candidate takes, about, in nanoseconds.
    static constexpr double kCost = 0.5;

    /// Puts positions in the order of places. Refuses agents that are not near where they were.
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

    /// Finds the runs of candidates: then a filter reads vectors of positions that lie together.
    /// Not before they are asked for: hosts that read candidates themselves never need them.
    Status make_runs() {
        constexpr double kCostOfRuns = 1.5; // a candidate, about
        now.most = 0;
        for (std::size_t block = 0; block < lists_blocks(now); ++block) {
            const auto [first, past] = lists_of(now, block);
            now.most = std::max(now.most, now.candidates(first, past));
        }
        const auto make = [&](std::size_t first, std::size_t past, std::uint64_t used,
                              OutputPart& part, simd::PlaceRun* runs, std::uint64_t* ends) {
            const std::size_t windows = find_windows(first, past, part);
            return used + cut_windows(part, windows, used, runs, ends);
        };
        // Most runs have more than one candidate.
        const Status status =
            state.join(now, kCostOfRuns, make, now.hits.total() / 2, now.runs, now.run_offsets);
        now.has_runs = status.ok();
        return status;
    }

    /// A window is as many places as a word has bits, and begins at a multiple of that.
    static constexpr std::uint32_t kWindow = 64;

    /// Finds the windows that some lists have candidates in, list by list; a new one wherever
    /// places do not ascend. Returns how many there are, and leaves in the part where each begins,
    /// plus one if it is the last of its list, and the sum of the bits of all candidates up to its
    /// end. Without a branch for where a window begins: every third guess would be wrong, and that
    /// takes longer than all else.
    std::size_t find_windows(std::size_t first, std::size_t past, OutputPart& part) const {
        const std::size_t most = room_for(now.most);
        part.scratch.resize(std::max(part.scratch.size(), most));
        part.found_offsets.resize(std::max(part.found_offsets.size(), most));
        std::uint32_t* const begins = part.scratch.data();
        std::uint64_t* const sums = part.found_offsets.data();
        const std::uint32_t* const places = now.place_of.data();
        const auto agents = static_cast<std::uint32_t>(now.agents);
        std::size_t count = 0;
        std::uint64_t sum = 0;
        for (std::size_t k = first; k < past; ++k) {
            std::uint32_t last = ~0u; // no place: a new window
            const std::span<const Id> candidates = now.hits.of(k);
            for (const Id id : candidates) {
                const std::uint32_t at = is_static(id) ? agents + (id & ~kFirstStatic) : places[id];
                const auto ascends = static_cast<std::uint32_t>(at > last);
                const auto is_close = static_cast<std::uint32_t>((at ^ last) < kWindow);
                count += 1u ^ (ascends & is_close);
                sum += std::uint64_t{1} << at % kWindow;
                begins[count - 1] = at / kWindow * kWindow;
                sums[count - 1] = sum;
                last = at;
            }
            if (candidates.empty()) {
                begins[count] = 0;
                sums[count++] = sum;
            }
            begins[count - 1] += 1;
        }
        return count;
    }
    /// Cuts windows into runs; returns how many there are.
    static std::size_t cut_windows(const OutputPart& part, std::size_t windows, std::uint64_t used,
                                   simd::PlaceRun* const runs, std::uint64_t* ends) noexcept {
        simd::PlaceRun* run = runs;
        std::uint64_t before = 0;
        for (std::size_t w = 0; w < windows; ++w) {
            // The bits of a window are all different: what they add up to is their union.
            std::uint64_t bits = part.found_offsets[w] - before;
            before = part.found_offsets[w];
            const std::uint32_t ends_list = part.scratch[w] % kWindow;
            std::uint32_t at = part.scratch[w] - ends_list;
            for (;;) {
                const int gap = bits == 0 ? 0 : std::countr_zero(bits);
                bits >>= gap;
                at += static_cast<std::uint32_t>(gap);
                *run++ = {at, static_cast<std::uint32_t>(bits) % (1u << simd::kPlacesInRun)};
                bits >>= simd::kPlacesInRun;
                at += simd::kPlacesInRun;
                if (bits == 0) { break; }
            }
            run[-1].lanes |= ends_list * simd::kEndsList;
            *ends = used + static_cast<std::uint64_t>(run - runs);
            ends += ends_list;
        }
        return static_cast<std::size_t>(run - runs);
    }

    /// The lists as kernels see them.
    [[nodiscard]] simd::KeptLists<Dim> view() const noexcept {
        simd::KeptLists<Dim> lists{};
        for (std::size_t a = 0; a < Dim; ++a) {
            lists.position[a] = now.placed[a].data();
            lists.period[a] = now.world.periodic[a] ? now.world.period[a] : 0.0f;
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
    /// How many neighbours there are if agents are spread evenly, and some more.
    [[nodiscard]] std::uint64_t expected() const noexcept {
        const double radius = settings.neighbourhood.radius;
        double share = 1.0;
        for (std::size_t a = 0; a < Dim && settings.skin > 0.0f; ++a) {
            share *= radius / (radius + double{settings.skin});
        }
        const auto all = static_cast<double>(now.candidates(0, now.agents));
        return static_cast<std::uint64_t>(all * std::min(share * 1.0625, 1.0)) + simd::kSlack;
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
        Id* const ids = room_in<Id>(part, now.most); // as for any lists: parts never grow
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
