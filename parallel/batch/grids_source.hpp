// All agents of some grids as askers, about the agents of the same or other grids. Internal.
#pragma once

#include "../../engine/agents/validation.hpp"
#include "../../engine/grid/calls/named_grids.hpp"
#include "../../engine/grid/calls/storage_range.hpp"
#include "../../engine/grid/grid_parts.hpp"
#include "../../engine/shapes/ball.hpp"
#include "nearest_places.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace throng {

/// Its blocks are the slices of the askers' grids, one grid after another.
template <std::size_t Dim>
class Batch<Dim>::State::GridsSource : public Askers<Dim> {
public:
    /// With Order::ids there are at least `least` answers. `nonsense` is the status of the question
    /// itself, without the grids.
    GridsSource(Grids askers, Grids others, Order order, std::size_t least, const Status& nonsense)
        : askers_(askers), others_(others) {
        Status& fault = this->refused;
        fault = check_names(askers, Argument::askers);
        if (fault.ok()) { fault = check_names(others, Argument::others); }
        if (fault.ok()) { fault = nonsense; }
        if (!fault.ok()) { return; }
        std::size_t grids = 0;
        for (const Grids some : {askers, others}) {
            for (const NamedGrid<Dim>& named : some) {
                reading_[grids++].emplace(access(*named.grid));
            }
        }
        std::size_t count = least;
        if (order == Order::storage) {
            count = GridsSource::agents(); // qualified: no virtual calls in a constructor
        } else {
            for (const NamedGrid<Dim>& asker : askers) {
                count = std::max(count, past_names(asker));
            }
        }
        if (count > kMaxAgents) { // for instance, because a name is kNoId
            fault = {Cause::too_many, Argument::id, count - 1};
            return;
        }
        this->answers = count;
    }

    [[nodiscard]] std::size_t agents() const noexcept override {
        std::size_t agents = 0;
        for (const NamedGrid<Dim>& asker : askers_) {
            agents += asker.grid->size();
        }
        return agents;
    }
    [[nodiscard]] std::size_t blocks() const noexcept override {
        std::size_t slices = 0;
        for (const NamedGrid<Dim>& asker : askers_) {
            slices += asker.grid->parts().slices();
        }
        return slices;
    }
    [[nodiscard]] std::size_t agents_in(std::size_t block) const noexcept override {
        return slice(block).agents();
    }
    void note_askers(std::size_t block, OutputPart& part) const override {
        const Slice of = slice(block);
        part.askers.resize(of.agents());
        (void)of.asker.grid->parts().order(of.number, of.number + 1, part.askers);
        if (of.asker.names.empty()) { return; }
        for (Id& asker : part.askers) {
            asker = of.asker.names[asker];
        }
    }

    std::uint64_t neighbours(const Neighbourhood& neighbourhood, std::size_t block,
                             OutputPart& part, const HitsBuffer& out) const override {
        const Slice asker_slice = slice(block);
        if (neighbourhood.body != Body::centre) {
            return ask_bodies(neighbourhood, asker_slice,
                              [&](const BodyNeighbours<Dim>& bodies) { return bodies.list(out); });
        }
        if (only() != nullptr) {
            return neighbours_in(*only(), neighbourhood, asker_slice, part, out);
        }
        const std::size_t offsets = asker_slice.agents() + 1;
        part.found_offsets.resize(others_.size() * offsets);
        std::uint64_t used = 0;
        for (std::size_t g = 0; g < others_.size(); ++g) {
            const auto of_grid = std::span(part.found_offsets).subspan(g * offsets, offsets);
            const auto fits = [&] {
                const std::uint64_t found = neighbours_in(others_[g], neighbourhood, asker_slice,
                                                          part, {of_grid, part.found, used});
                if (used + found > part.found.size()) {
                    part.found.resize(length_of(used + found + found / 4));
                    return false;
                }
                used += found;
                return true;
            };
            while (!fits()) {}
        }
        return gather_pieces(part, offsets - 1, out);
    }
    std::uint64_t count_neighbours(const Neighbourhood& neighbourhood, std::size_t block,
                                   OutputPart& part,
                                   std::span<std::uint32_t> counts) const override {
        const Slice asker_slice = slice(block);
        if (neighbourhood.body != Body::centre) {
            return ask_bodies(neighbourhood, asker_slice, [&](const BodyNeighbours<Dim>& bodies) {
                return bodies.count(counts);
            });
        }
        std::fill(counts.begin(), counts.end(), 0u);
        std::uint64_t sum = 0;
        for (const NamedGrid<Dim>& other : others_) {
            if (&other == others_.data()) {
                sum += count_in(other, neighbourhood, asker_slice, part, counts);
                continue;
            }
            part.found.resize(std::max(counts.size(), part.found.size()));
            const std::span<std::uint32_t> more(part.found.data(), counts.size());
            sum += count_in(other, neighbourhood, asker_slice, part, more);
            std::transform(more.begin(), more.end(), counts.begin(), counts.begin(), std::plus<>());
        }
        return sum;
    }
    std::uint64_t nearest_neighbours(const NearestNeighbours& nearest, std::size_t block,
                                     OutputPart& part, const NearBuffer& out) const override {
        const Slice asker_slice = slice(block);
        if (only() != nullptr) { return nearest_in(*only(), nearest, asker_slice, part, out); }
        const std::size_t agents = asker_slice.agents();
        part.found_nearest.resize(others_.size() * agents * nearest.k);
        part.found.resize(std::max(others_.size() * agents, part.found.size()));
        const NearBuffer found = {part.found_nearest,
                                  std::span(part.found).first(others_.size() * agents)};
        for (std::size_t g = 0; g < others_.size(); ++g) {
            (void)nearest_in(others_[g], nearest, asker_slice, part,
                             NearestPlaces::part_of(found, nearest.k, g * agents, agents));
        }
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < agents; ++i) {
            out.counts[i] =
                choose(found, nearest.k, agents, i, out.nearest.subspan(i * nearest.k, nearest.k));
            sum += out.counts[i];
        }
        return sum;
    }

private:
    struct Slice {
        const NamedGrid<Dim>& asker;
        std::size_t number;

        [[nodiscard]] std::size_t agents() const noexcept {
            return asker.grid->parts().agents_in(number, number + 1);
        }
    };
    [[nodiscard]] Slice slice(std::size_t block) const noexcept {
        std::size_t g = 0;
        for (; block >= askers_[g].grid->parts().slices(); ++g) {
            block -= askers_[g].grid->parts().slices();
        }
        return {askers_[g], block};
    }
    /// The only other grid, if there is one and its ids are its names, so that its answers need no
    /// renaming; else null.
    [[nodiscard]] const NamedGrid<Dim>* only() const noexcept {
        return others_.size() == 1 && others_[0].names.empty() ? others_.data() : nullptr;
    }
    /// All names of a grid's agents are smaller than this.
    static std::size_t past_names(const NamedGrid<Dim>& named) noexcept {
        if (named.names.empty()) { return named.grid->id_bound(); }
        std::size_t past = 0;
        for (Id id = 0; id < named.grid->id_bound(); ++id) {
            if (named.grid->contains(id)) {
                past = std::max(past, std::size_t{named.names[id]} + 1);
            }
        }
        return past;
    }

    // The answers of one of the other grids to the agents of a slice.

    std::uint64_t neighbours_in(const NamedGrid<Dim>& other, const Neighbourhood& neighbourhood,
                                const Slice& asker_slice, OutputPart& part,
                                const HitsBuffer& out) const {
        const std::size_t s = asker_slice.number;
        if (other.grid == asker_slice.asker.grid) {
            return checked(
                other.grid->parts().neighbours(neighbourhood, s, s + 1, scratch(part), out));
        }
        const auto questions = balls(asker_slice, part, neighbourhood.radius);
        return checked(other.grid->parts().query(questions, 0, questions.size(), scratch(part), out,
                                                 filter_of(other, neighbourhood, asker_slice)));
    }
    std::uint64_t count_in(const NamedGrid<Dim>& other, const Neighbourhood& neighbourhood,
                           const Slice& asker_slice, OutputPart& part,
                           std::span<std::uint32_t> counts) const {
        const std::size_t s = asker_slice.number;
        if (other.grid == asker_slice.asker.grid) {
            return checked(other.grid->parts().count_neighbours(neighbourhood, s, s + 1,
                                                                scratch(part), counts));
        }
        const auto questions = balls(asker_slice, part, neighbourhood.radius);
        return checked(other.grid->parts().count(questions, 0, questions.size(), scratch(part),
                                                 counts,
                                                 filter_of(other, neighbourhood, asker_slice)));
    }
    /// Whether the agents of another grid come before the agents of a slice, so that `later_only`
    /// leaves them all out.
    [[nodiscard]] bool is_earlier(const NamedGrid<Dim>& other, const Neighbourhood& neighbourhood,
                                  const Slice& asker_slice) const noexcept {
        const auto is_other = [&](const NamedGrid<Dim>& asker) { return asker.grid == other.grid; };
        const auto asked_before =
            askers_.first(static_cast<std::size_t>(&asker_slice.asker - askers_.data()));
        return neighbourhood.later_only &&
               std::any_of(asked_before.begin(), asked_before.end(), is_other);
    }
    /// The filter for a grid other than the askers' own.
    [[nodiscard]] Filter filter_of(const NamedGrid<Dim>& other, const Neighbourhood& neighbourhood,
                                   const Slice& asker_slice) const noexcept {
        // Without any group, the grid finds no agents.
        return {is_earlier(other, neighbourhood, asker_slice) ? 0 : neighbourhood.groups};
    }
    /// Calls ask(bodies) with a slice's question about bodies: kernels go through all grids at
    /// once.
    template <class Ask>
    std::uint64_t ask_bodies(const Neighbourhood& neighbourhood, const Slice& asker_slice,
                             const Ask& ask) const {
        const NamedGrid<Dim>& asker = asker_slice.asker;
        const auto& inside = detail::state_of(*asker.grid);
        const StorageRange<Dim> range(inside.slices, asker_slice.number, asker_slice.number + 1);
        const simd::NeighbourQueryAcross<Dim> query =
            query_across<Dim>(asker, others_, neighbourhood, [&](const NamedGrid<Dim>& other) {
                return other.grid == asker.grid || !is_earlier(other, neighbourhood, asker_slice);
            });
        return ask(BodyNeighbours<Dim>{inside.kernel_view().grid, query, range.at, range.end,
                                       range.agents(inside.store)});
    }
    static std::uint64_t nearest_in(const NamedGrid<Dim>& other, const NearestNeighbours& nearest,
                                    const Slice& asker_slice, OutputPart& part,
                                    const NearBuffer& to) {
        const std::size_t s = asker_slice.number;
        if (nearest.body != Body::centre) {
            return checked(NearestBodies<Dim>{other}.of_slices(asker_slice.asker, nearest, s, s + 1,
                                                               nearest_scratch(part), to));
        }
        if (other.grid == asker_slice.asker.grid) {
            return checked(other.grid->parts().nearest_neighbours(nearest, s, s + 1,
                                                                  nearest_scratch(part), to));
        }
        const auto from = points(asker_slice, part);
        return checked(other.grid->parts().nearest(from, asked_by_each(nearest), 0, from.size(),
                                                   nearest_scratch(part), to,
                                                   Filter{nearest.groups}));
    }

    /// Joins the answers of all grids to each agent, grid after grid, as names. Writes as many
    /// as there is room for, and returns how many there are.
    std::uint64_t gather_pieces(const OutputPart& part, std::size_t agents,
                                const HitsBuffer& buffer) const {
        std::uint64_t end = buffer.used;
        buffer.offsets[0] = end;
        for (std::size_t i = 0; i < agents; ++i) {
            for (std::size_t g = 0; g < others_.size(); ++g) {
                const std::uint64_t* const at = &part.found_offsets[g * (agents + 1) + i];
                const std::uint64_t room =
                    buffer.ids.size() - std::min<std::uint64_t>(end, buffer.ids.size());
                const Id* const from = part.found.data() + at[0];
                std::transform(from, from + std::min(at[1] - at[0], room),
                               buffer.ids.data() + (room == 0 ? 0 : end),
                               [&](Id id) { return others_[g].name_of(id); });
                end += at[1] - at[0];
            }
            buffer.offsets[i + 1] = end;
        }
        return end - buffer.used;
    }

    /// Chooses the k nearest of all grids' answers to agent i. Returns how many there are.
    std::uint32_t choose(const NearBuffer& found, std::uint32_t k, std::size_t agents,
                         std::size_t i, std::span<Near> out) const noexcept {
        std::array<std::uint32_t, kMostGrids> taken{};
        const auto next = [&](std::size_t g) {
            const std::size_t question = g * agents + i;
            return taken[g] < found.counts[question] ? found.nearest[question * k + taken[g]]
                                                     : Near{};
        };
        std::uint32_t count = 0;
        while (count < k) {
            std::size_t best = others_.size();
            Near chosen;
            for (std::size_t g = 0; g < others_.size(); ++g) {
                const Near near = next(g);
                if (near.distance2 < chosen.distance2) {
                    best = g;
                    chosen = near;
                }
            }
            if (best == others_.size()) { break; }
            ++taken[best];
            out[count++] = {chosen.distance2, others_[best].name_of(chosen.id)};
        }
        std::fill(out.begin() + count, out.end(), Near{});
        return count;
    }

    // The agents of a slice as questions: their positions, or balls around them. Both are valid
    // until part.queries changes.

    static std::span<const Point<Dim>> points(const Slice& slice, OutputPart& part,
                                              std::size_t bytes_before_each = 0) {
        const std::size_t agents = slice.agents();
        part.queries.resize(agents * (bytes_before_each + sizeof(Point<Dim>)));
        auto* const made =
            reinterpret_cast<Point<Dim>*>(part.queries.data() + agents * bytes_before_each);
        std::uninitialized_default_construct_n(made, agents);
        const std::span<Point<Dim>> points(made, agents);
        (void)slice.asker.grid->parts().positions(slice.number, slice.number + 1, points);
        return points;
    }
    static std::span<const Ball<Dim>> balls(const Slice& slice, OutputPart& part, float radius) {
        const std::span<const Point<Dim>> centres = points(slice, part, sizeof(Ball<Dim>));
        // Allocated with new, so aligned for points and for balls.
        auto* const balls = reinterpret_cast<Ball<Dim>*>(part.queries.data());
        for (std::size_t i = 0; i < centres.size(); ++i) {
            std::construct_at(balls + i, Ball<Dim>{centres[i], radius});
        }
        return {balls, centres.size()};
    }

    Grids askers_, others_;
    std::array<std::optional<AccessCheck::Reading>, 2 * kMostGrids> reading_;
};

} // namespace throng
