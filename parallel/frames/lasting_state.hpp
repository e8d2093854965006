// The state of LastingNeighbours. Internal.
#pragma once

#include "../../engine/core/access_check.hpp"
#include "../../engine/core/profile_scope.hpp"
#include "../../engine/crowd/store/content.hpp"
#include "../../engine/crowd/store/state.hpp"
#include "../../engine/crowd/store/static_numbers.hpp"
#include "../../engine/memory/checked_loop.hpp"
#include "../../simd/isa/slack.hpp"
#include "../../simd/kernels/grid/kept_lists.hpp"
#include "../batch/batch.hpp"
#include "../batch/ordered_output.hpp"
#include "lasting_neighbours.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace throng {

template <std::size_t Dim>
struct LastingNeighbours<Dim>::State {
    using Bits = std::uint32_t; ///< the bits of a float
    /// Positions are looked at in runs of this many: enough for vectors, few enough to end early.
    static constexpr std::size_t kRun = 512;
    /// The number of agents whose lists are filtered as one block.
    static constexpr std::size_t kListsInBlock = 512;

    struct Renewal; ///< update(): in lasting_neighbours.cpp
    struct Filter;  ///< neighbours() and visit(): in lasting_filter.cpp

    using Floats = std::array<std::vector<float>, Dim>;

    /// Lists, and all that they depend on. Places number the agents in the order of their lists,
    /// then statics, by ascending ids, if any are found: the places of an agent's candidates lie
    /// close together.
    struct Lists {
        Content content;
        WorldWrap<Dim> world;
        CrowdKind<Dim> kind;
        bool made = false, has_runs = false;
        /// The length of the agents' arrays: more than `agents` if some slots of handles are empty.
        std::size_t elements = 0;
        std::size_t agents = 0, places = 0;
        Hits hits;
        std::uint64_t most = 0;                 ///< the most candidates that a block of lists has
        std::vector<simd::PlaceRun> runs;       ///< the candidates by place; may be longer
        std::vector<std::uint64_t> run_offsets; ///< where each list's runs begin
        std::vector<std::uint32_t> place_of;    ///< by id
        StaticNumbers static_numbers;
        // By place, with kSlack more elements.
        std::vector<Id> ids;
        Floats placed; ///< scratch: the positions of agents, by place
        // By id, as the crowd keeps them.
        Floats position, half_extent;
        std::vector<std::uint32_t> groups;
        std::vector<Id> dead; ///< ids below `elements` that no agent has, ascending

        [[nodiscard]] std::span<const Id> order() const noexcept { return {ids.data(), agents}; }
        /// How many candidates lists first ... past - 1 have.
        [[nodiscard]] std::uint64_t candidates(std::size_t first, std::size_t past) const noexcept {
            return hits.offsets[past] - hits.offsets[first];
        }
    };

    LastingSettings settings;
    Executor* executor;
    Batch<Dim> batch;
    Lists now, next;                       ///< `next`: new lists in the making
    std::vector<std::size_t> slice_begins; ///< scratch: how many agents come before each slice
    OrderedLoop loop;
    LoopClaims claims;
    std::uint64_t made = 0, lasted = 0;
    Bits moved2 = 0;
    THRONG_NO_UNIQUE_ADDRESS AccessCheck serving;

    void expect_idle() noexcept { const AccessCheck::Serving going(serving); }

    State(const LastingSettings& wanted, Executor& borrowed)
        : settings(wanted), executor(&borrowed), batch(borrowed) {}

    /// Held through a call.
    struct Serving {
        ProfileScope profiled;
        THRONG_NO_UNIQUE_ADDRESS AccessCheck::Serving serving;
        Serving(const char* name, State& state) noexcept : profiled(name), serving(state.serving) {}
    };

    [[nodiscard]] Status check_settings() const noexcept {
        const Status radius = check_length(settings.neighbourhood.radius, Argument::radius);
        // Candidates are tested by their centres.
        if (settings.neighbourhood.body != Body::centre) {
            return {Cause::out_of_range, Argument::body};
        }
        return radius.ok() ? check_length(settings.skin, Argument::skin) : radius;
    }

    /// The limit for an agent's distance from where it was, squared, as bits.
    [[nodiscard]] Bits most_moved2() const noexcept {
        const float half = settings.skin / 2.0f;
        return std::bit_cast<Bits>(half * half);
    }

    /// Calls visit(begin, end) for the ids between `begin` and `end` that agents have, run by run,
    /// until visit() returns false.
    template <class Visit>
    static bool for_each_run(const Lists& lists, std::size_t begin, std::size_t end,
                             const Visit& visit) {
        auto dead = std::lower_bound(lists.dead.begin(), lists.dead.end(), begin);
        while (begin < end) {
            std::size_t past = std::min(begin + kRun, end);
            const bool ends = dead != lists.dead.end() && *dead < past;
            if (ends) { past = *dead; }
            if (past != begin && !visit(begin, past)) { return false; }
            begin = past;
            if (ends) {
                ++begin;
                ++dead;
            }
        }
        return true;
    }

    /// Whether none of agents begin ... end - 1, of one run, has moved too far; raises `moved` to
    /// the greatest distance, squared. lasting_moves.hpp has the body, and that of look_at_all().
    template <class Float>
    [[nodiscard]] bool are_near(const StridedPoints<Float, Dim>& positions, std::size_t begin,
                                std::size_t end, std::atomic<Bits>& moved) const noexcept;
    /// Calls look(begin, end) for all runs of ids, on the executor, until look() returns false.
    /// Sets `all` to whether look() always returned true.
    template <class Look>
    Status look_at_all(const Look& look, bool& all);

    [[nodiscard]] static std::size_t lists_blocks(const Lists& lists) noexcept {
        return (lists.agents + kListsInBlock - 1) / kListsInBlock;
    }
    [[nodiscard]] static std::pair<std::size_t, std::size_t> lists_of(const Lists& lists,
                                                                      std::size_t block) noexcept {
        const std::size_t first = block * kListsInBlock;
        return {first, std::min(first + kListsInBlock, lists.agents)};
    }

    /// Room for the elements that join() makes of a block of lists with this number of candidates.
    [[nodiscard]] static constexpr std::uint64_t room_for(std::uint64_t candidates) noexcept {
        return candidates + kListsInBlock + simd::kSlack;
    }
    template <class Element>
    [[nodiscard]] static Element* room_in(OutputPart& part, std::uint64_t candidates) {
        const std::size_t bytes = length_of(room_for(candidates) * sizeof(Element));
        if (part.queries.size() < bytes) { part.queries.resize(bytes + bytes / 16); }
        // Allocated with new, so aligned for any element.
        return reinterpret_cast<Element*>(part.queries.data());
    }

    /// Makes the elements of each list, at most one for each candidate and one for the list, and
    /// lays them end to end; about `expected` in all. Afterwards `elements` may be longer than
    /// needed.
    ///
    /// make(first, past, used, part, to, ends) writes the elements of lists first ... past - 1 to
    /// `to`, which has kSlack more room than they can take, and the end of the i-th of these lists
    /// to ends[i]; the first list begins at `used`. It returns where the last one ends.
    template <class Element, class Make>
    Status join(const Lists& lists, double cost, const Make& make, std::uint64_t expected,
                std::vector<Element>& elements, std::vector<std::uint64_t>& offsets) {
        // A little more, so that totals that vary from frame to frame take no more memory.
        const auto room_for_more = [](std::uint64_t total) {
            return length_of(total + total / 16 + simd::kSlack);
        };
        if (elements.size() < expected) { elements.resize(room_for_more(expected)); }
        offsets.resize(lists.agents + 1);
        offsets[0] = 0;
        std::uint64_t* const ends = offsets.data() + 1;
        const auto work = [&](std::size_t block, OutputPart& part,
                              std::optional<std::uint64_t> begin) {
            const auto [first, past] = lists_of(lists, block);
            const std::uint64_t room = room_for(lists.candidates(first, past));
            part.written = begin.has_value() && *begin + room <= elements.size();
            const std::uint64_t used = part.written ? *begin : 0;
            // Each part gets room for any block, so that another block in it takes no more memory.
            Element* const to =
                part.written ? elements.data() + used : room_in<Element>(part, lists.most);
            part.length = make(first, past, used, part, to, ends + first) - used;
        };
        const auto copy = [&](const OutputPart& part) {
            std::copy_n(reinterpret_cast<const Element*>(part.queries.data()), part.length,
                        elements.data() + part.begin);
        };
        const auto put = [&](const OutputPart& part) {
            const auto [first, past] = lists_of(lists, part.block);
            for (std::size_t k = first; k < past; ++k) {
                ends[k] += part.begin;
            }
            const bool fits = part.begin + part.length <= elements.size();
            if (fits) { copy(part); }
            return fits;
        };
        const Status status =
            loop.run(*executor, lists_blocks(lists),
                     LoopCost::of(lists.candidates(0, lists.agents), cost), work, put);
        if (!status.ok() || loop.total() <= elements.size()) { return status; }
        elements.resize(room_for_more(loop.total()));
        return loop.run_kept(*executor, copy);
    }

    template <class T>
    [[nodiscard]] static std::size_t bytes_in(const std::vector<T>& vector) noexcept {
        return vector.capacity() * sizeof(T);
    }
    [[nodiscard]] static std::size_t memory_of(const Floats& floats) noexcept {
        std::size_t bytes = 0;
        for (const std::vector<float>& axis : floats) {
            bytes += bytes_in(axis);
        }
        return bytes;
    }
    [[nodiscard]] static std::size_t memory_of(const Lists& lists) noexcept {
        return bytes_in(lists.hits.offsets) + bytes_in(lists.hits.ids) + bytes_in(lists.runs) +
               bytes_in(lists.run_offsets) + bytes_in(lists.place_of) + bytes_in(lists.ids) +
               lists.static_numbers.memory() + memory_of(lists.placed) + memory_of(lists.position) +
               memory_of(lists.half_extent) + bytes_in(lists.groups) + bytes_in(lists.dead);
    }
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(now) + memory_of(next) + bytes_in(slice_begins) + loop.memory() +
               claims.memory() + batch.memory();
    }
    void release() noexcept {
        now = Lists();
        next = Lists();
        std::vector<std::size_t>().swap(slice_begins);
        loop.release();
        claims = LoopClaims();
        batch.release();
        lasted = 0;
        moved2 = 0;
    }
};

} // namespace throng
