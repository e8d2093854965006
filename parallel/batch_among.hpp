// What all agents of some grids ask about those of some grids, a slice at a time. Internal.
#pragma once

#include "../engine/ball.hpp"
#include "../engine/named_grid_check.hpp"
#include "../engine/validation.hpp"
#include "batch_near_places.hpp"
#include "batch_state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace throng {

template <std::size_t Dim>
struct Batch<Dim>::Among {
    Profiled profiled;
    State& state;
    Grids askers, others;
    [[no_unique_address]] Phase::Serving serving;
    std::array<std::optional<Phase::Reading>, 2 * kMostGrids> reading;
    Status refused;          ///< or ok
    std::size_t answers = 0; ///< how many there are, if it is

    Among(const char* name, State& borrowed, Grids who, Grids whom, Order order)
        : profiled(name), state(borrowed), askers(who), others(whom), serving(borrowed.phase),
          refused(check_names(who, Argument::askers)) {
        if (refused.ok()) { refused = check_names(whom, Argument::others); }
        if (!refused.ok()) { return; }
        std::size_t grids = 0;
        for (const Grids some : {who, whom}) {
            for (const NamedGrid<Dim>& named : some) {
                reading[grids++].emplace(named.grid->state_->phase);
            }
        }
        for (const NamedGrid<Dim>& asker : askers) {
            answers = order == Order::storage ? answers + asker.grid->size()
                                              : std::max(answers, past_names(asker));
        }
        if (answers > kMaxAgents) { // a name is kNoId, say
            refused = {Cause::too_many, Argument::id, answers - 1};
            answers = 0;
        }
    }

    /// All names of a grid's agents are smaller.
    static std::size_t past_names(const NamedGrid<Dim>& named) noexcept {
        if (!named.renames()) { return named.grid->id_bound(); }
        std::size_t past = 0;
        for (Id id = 0; id < named.grid->id_bound(); ++id) {
            if (named.grid->contains(id)) {
                past = std::max(past, std::size_t{named.names[id]} + 1);
            }
        }
        return past;
    }

    [[nodiscard]] std::size_t agents() const noexcept {
        std::size_t agents = 0;
        for (const NamedGrid<Dim>& asker : askers) {
            agents += asker.grid->size();
        }
        return agents;
    }

    // The slices of one grid after those of another are the blocks of a loop.

    [[nodiscard]] std::size_t blocks() const noexcept {
        std::size_t slices = 0;
        for (const NamedGrid<Dim>& asker : askers) {
            slices += asker.grid->slices();
        }
        return slices;
    }

    struct Slice {
        const NamedGrid<Dim>& asker;
        std::size_t number;

        [[nodiscard]] std::size_t agents() const noexcept {
            return asker.grid->agents_in(number, number + 1);
        }
    };
    [[nodiscard]] Slice slice(std::size_t block) const noexcept {
        std::size_t g = 0;
        for (; block >= askers[g].grid->slices(); ++g) {
            block -= askers[g].grid->slices();
        }
        return {askers[g], block};
    }

    /// Works out how many agents come before each slice.
    void count_before() const {
        state.before.resize(blocks() + 1);
        state.before[0] = 0;
        for (std::size_t block = 0; block + 1 < state.before.size(); ++block) {
            state.before[block + 1] = state.before[block] + slice(block).agents();
        }
    }

    /// Notes whose answers those of a slice are.
    static void note_askers(const Slice& slice, JoinedPart& part) {
        part.askers.resize(slice.agents());
        (void)slice.asker.grid->order_range(slice.number, slice.number + 1, part.askers);
        if (!slice.asker.renames()) { return; }
        for (Id& asker : part.askers) {
            asker = slice.asker.names[asker];
        }
    }

    /// The one grid that all is asked of, in whose own words it may answer; or null.
    [[nodiscard]] const NamedGrid<Dim>* only() const noexcept {
        return others.size() == 1 && !others[0].renames() ? others.data() : nullptr;
    }

    /// The agents of a slice as questions: where they are, or the balls around them. Both last as
    /// long as part.queries is left alone.
    static std::span<const Point<Dim>> points(const Slice& slice, JoinedPart& part) {
        return places(slice, part, 0);
    }
    static std::span<const Ball<Dim>> balls(const Slice& slice, JoinedPart& part, float radius) {
        const std::span<const Point<Dim>> centres = places(slice, part, sizeof(Ball<Dim>));
        // Allocated with new, hence aligned for either.
        auto* const balls = reinterpret_cast<Ball<Dim>*>(part.queries.data());
        for (std::size_t i = 0; i < centres.size(); ++i) {
            std::construct_at(balls + i, Ball<Dim>{centres[i], radius});
        }
        return {balls, centres.size()};
    }

private:
    /// The agents' places, behind so many bytes for each of them.
    static std::span<const Point<Dim>> places(const Slice& slice, JoinedPart& part,
                                              std::size_t bytes) {
        const std::size_t agents = slice.agents();
        part.queries.resize(agents * (bytes + sizeof(Point<Dim>)));
        auto* const made = reinterpret_cast<Point<Dim>*>(part.queries.data() + agents * bytes);
        std::uninitialized_default_construct_n(made, agents);
        const std::span<Point<Dim>> points(made, agents);
        (void)slice.asker.grid->positions_range(slice.number, slice.number + 1, points);
        return points;
    }
};

} // namespace throng
