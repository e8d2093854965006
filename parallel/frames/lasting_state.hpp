// What LastingNeighbours is made of. Internal.
#pragma once

#include "../../engine/core/access_check.hpp"
#include "../../engine/core/profile_scope.hpp"
#include "../../engine/crowd/state.hpp"
#include "../../engine/memory/checked_loop.hpp"
#include "../batch/batch.hpp"
#include "lasting_neighbours.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace throng {

/// What a crowd holds: no other content has the same.
struct Content {
    Edition grid{}, giants{}, statics{};

    Content() = default;
    template <std::size_t Dim>
    explicit Content(const Crowd<Dim>& crowd) noexcept {
        const auto& state = detail::state_of(crowd);
        grid = detail::state_of(state.grid).edition;
        giants = detail::state_of(state.giants.centre_grid()).edition;
        statics = detail::state_of(state.statics->centre_grid()).edition;
    }
    friend bool operator==(const Content&, const Content&) noexcept = default;
};

/// The way on an axis of a periodic world: in doubles, which hold differences of most floats
/// exactly, and others as nearly as no matter.
template <std::size_t Dim>
float way_around(const WorldWrap<Dim>& world, float now, float before, std::size_t a) noexcept {
    const double way = std::abs(double{now} - double{before});
    if (!world.periodic[a]) { return static_cast<float>(way); }
    return static_cast<float>(std::min(way, std::abs(double{world.period[a]} - way)));
}

/// The distance of two positions in a periodic world, squared.
template <std::size_t Dim>
float distance2_around(const WorldWrap<Dim>& world, const Point<Dim>& now,
                       const Point<Dim>& before) noexcept {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float way = way_around(world, now[a], before[a], a);
        distance2 = a == 0 ? way * way : distance2 + way * way;
    }
    return distance2;
}

template <std::size_t Dim>
struct LastingNeighbours<Dim>::State {
    using Bits = std::uint32_t; ///< of a float
    /// Positions are looked at in runs of this many: enough for vectors, few enough to end early.
    static constexpr std::size_t kRun = 512;
    /// Agents whose lists are filtered as one block.
    static constexpr std::size_t kListsInBlock = 512;

    struct Renewal; ///< update(): in lasting_neighbours.cpp
    struct Filter;  ///< neighbours() and visit(): in lasting_filter.cpp

    using Floats = std::array<std::vector<float>, Dim>;

    /// Lists, and all that they depend on.
    struct Lists {
        Content content;
        WorldWrap<Dim> world;
        CrowdKind<Dim> kind;
        bool made = false;
        std::size_t elements = 0; ///< of the agents' arrays; more than there are agents, if some
                                  ///< slots of handles are empty
        std::vector<Id> order;
        Hits hits;
        std::vector<std::uint32_t> places; ///< of each candidate: in `order`, then statics
        // By id, as the crowd keeps them.
        Floats position, half_extent;
        std::vector<std::uint32_t> groups;
        std::vector<Id> dead; ///< ids below `elements` that no agent has, ascending
        Floats statics;       ///< positions, if any are found
    };

    LastingSettings settings;
    Executor* executor;
    Batch<Dim> batch;
    Lists now, next;                         ///< `next` is scratch until it is whole
    std::vector<std::uint32_t> place_of;     ///< scratch: by id
    Floats placed;                           ///< scratch: positions in the order of places
    std::vector<Id> found;                   ///< scratch: of each block, where its candidates are
    std::vector<std::uint64_t> found_before; ///< scratch: how many in the blocks before
    LoopClaims claims;
    std::uint64_t made = 0, lasted = 0;
    Bits moved2 = 0;
    [[no_unique_address]] AccessCheck serving;

    State(const LastingSettings& wanted, Executor& borrowed)
        : settings(wanted), executor(&borrowed), batch(borrowed) {}

    /// Held through a call.
    struct Serving {
        ProfileScope profiled;
        [[no_unique_address]] AccessCheck::Serving serving;
        Serving(const char* name, State& state) noexcept : profiled(name), serving(state.serving) {}
    };

    [[nodiscard]] Status check_settings() const noexcept {
        const Status radius = check_length(settings.neighbourhood.radius, Argument::radius);
        return radius.ok() ? check_length(settings.skin, Argument::skin) : radius;
    }

    /// What an agent may have moved, squared, as bits.
    [[nodiscard]] Bits most_moved2() const noexcept {
        const float half = settings.skin / 2.0f;
        return std::bit_cast<Bits>(half * half);
    }

    /// Calls visit(begin, end) for the ids between `begin` and `end` that agents have, run by run,
    /// until it returns false.
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

    [[nodiscard]] static std::size_t lists_blocks(const Lists& lists) noexcept {
        return (lists.order.size() + kListsInBlock - 1) / kListsInBlock;
    }
    [[nodiscard]] static std::pair<std::size_t, std::size_t> lists_of(const Lists& lists,
                                                                      std::size_t block) noexcept {
        const std::size_t first = block * kListsInBlock;
        return {first, std::min(first + kListsInBlock, lists.order.size())};
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
        return bytes_in(lists.order) + bytes_in(lists.hits.offsets) + bytes_in(lists.hits.ids) +
               bytes_in(lists.places) + memory_of(lists.position) + memory_of(lists.half_extent) +
               bytes_in(lists.groups) + bytes_in(lists.dead) + memory_of(lists.statics);
    }
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(now) + memory_of(next) + bytes_in(place_of) + memory_of(placed) +
               bytes_in(found) + bytes_in(found_before) + claims.memory() + batch.memory();
    }
    void release() noexcept {
        now = Lists();
        next = Lists();
        std::vector<std::uint32_t>().swap(place_of);
        placed = Floats();
        std::vector<Id>().swap(found);
        std::vector<std::uint64_t>().swap(found_before);
        claims = LoopClaims();
        batch.release();
        lasted = 0;
        moved2 = 0;
    }
};

} // namespace throng
