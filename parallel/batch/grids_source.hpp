// All agents of some grids as askers, about the agents of the same or other grids. Internal.
#pragma once

#include "../../engine/agents/validation.hpp"
#include "../../engine/grid/calls/named_grids.hpp"
#include "../../engine/grid/grid_parts.hpp"
#include "../../engine/grid/rows/storage_range.hpp"
#include "../../engine/shapes/ball.hpp"
#include "nearest_places.hpp"
#include "neighbours.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace throng {

/// Its blocks are the slices of the askers' grids, one grid after another.
template <std::size_t Dim>
class Batch<Dim>::State::GridsSource : public Askers<Dim> {
public:
    /// `batch` has memory for the source. With Order::ids there are at least `least` answers.
    /// `nonsense` is the status of the question itself, without the grids.
    GridsSource(State& batch, Grids askers, Grids others, Order order, std::size_t least,
                const Status& nonsense)
        : batch_(batch), askers_(askers), others_(others) {
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
        for (const NamedGrid<Dim>& other : others) {
            if (other.grid->size() != 0) { asked_[asked_count_++] = &other; }
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

    /// Asks the agents of grids that are small beside the askers' in place of the askers.
    void prepare(const Neighbourhood& neighbourhood) override {
        std::fill(few_.begin(), few_.end(), false);
        if (neighbourhood.body != Body::centre) { return; }
        for (std::size_t a = 0; a < askers_.size(); ++a) {
            for (std::size_t g = 0; g < asked().size(); ++g) {
                few_[a * kMostGrids + g] = is_few(*asked()[g], neighbourhood, askers_[a]) &&
                                           ask_few(a, g, neighbourhood.radius);
            }
        }
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
        const FewFound few = few_of(asker_slice, part);
        if (few.main() != kMostGrids) {
            return join_few(*asked()[few.main()], few, neighbourhood, asker_slice, part, out);
        }
        const std::size_t offsets = asker_slice.agents() + 1;
        part.found_offsets.resize(asked().size() * offsets);
        std::uint64_t used = 0;
        for (std::size_t g = 0; g < asked().size(); ++g) {
            if (few.lists[g] != nullptr) { continue; }
            const auto of_grid = std::span(part.found_offsets).subspan(g * offsets, offsets);
            const auto fits = [&] {
                const std::uint64_t found = neighbours_in(*asked()[g], neighbourhood, asker_slice,
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
        return gather_pieces(few, part, out);
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
        const FewFound few = few_of(asker_slice, part);
        std::fill(counts.begin(), counts.end(), 0u);
        std::uint64_t sum = 0;
        bool first = true;
        for (std::size_t g = 0; g < asked().size(); ++g) {
            if (few.lists[g] != nullptr) { continue; }
            if (std::exchange(first, false)) {
                sum += count_in(*asked()[g], neighbourhood, asker_slice, part, counts);
                continue;
            }
            part.found.resize(std::max(counts.size(), part.found.size()));
            const std::span<std::uint32_t> more(part.found.data(), counts.size());
            sum += count_in(*asked()[g], neighbourhood, asker_slice, part, more);
            std::transform(more.begin(), more.end(), counts.begin(), counts.begin(), std::plus<>());
        }
        return sum + few.add_lengths_to(counts);
    }
    std::uint64_t nearest_neighbours(const NearestNeighbours& nearest, std::size_t block,
                                     OutputPart& part, const NearBuffer& out) const override {
        const Slice asker_slice = slice(block);
        if (only() != nullptr) { return nearest_in(*only(), nearest, asker_slice, part, out); }
        const std::size_t agents = asker_slice.agents();
        part.found_nearest.resize(asked().size() * agents * nearest.k);
        part.found.resize(std::max(asked().size() * agents, part.found.size()));
        const NearBuffer found = {part.found_nearest,
                                  std::span(part.found).first(asked().size() * agents)};
        for (std::size_t g = 0; g < asked().size(); ++g) {
            (void)nearest_in(*asked()[g], nearest, asker_slice, part,
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
    /// The other grids that have agents.
    [[nodiscard]] std::span<const NamedGrid<Dim>* const> asked() const noexcept {
        return std::span(asked_).first(asked_count_);
    }
    /// The only one of these, if there is one and its ids are its names, so that its answers need
    /// no renaming; else null.
    [[nodiscard]] const NamedGrid<Dim>* only() const noexcept {
        return asked_count_ == 1 && asked_[0]->names.empty() ? asked_[0] : nullptr;
    }

    // Grids of few agents.

    /// A grid is small if it has this many times fewer agents than that of the askers.
    static constexpr std::size_t kFewer = 8;

    [[nodiscard]] bool is_few(const NamedGrid<Dim>& other, const Neighbourhood& neighbourhood,
                              const NamedGrid<Dim>& asker) const noexcept {
        // An asker may be of any group, but whom it finds may not.
        const bool all_found = neighbourhood.groups == kAllGroups ||
                               (neighbourhood.groups != 0 && !other.grid->kind().groups);
        return other.grid != asker.grid && other.grid->size() * kFewer <= asker.grid->size() &&
               all_found && !is_earlier(other, neighbourhood, asker);
    }
    [[nodiscard]] FewLists& lists_of(std::size_t a, std::size_t g) const noexcept {
        return batch_.few_lists[a * kMostGrids + g];
    }
    /// Makes the lists for a pair of grids. False if there are too many neighbours for them.
    [[nodiscard]] bool ask_few(std::size_t a, std::size_t g, float radius) {
        const NamedGrid<Dim>& few = *asked()[g];
        const NamedGrid<Dim> by_id(*askers_[a].grid);
        batch_.few_lists.resize(std::max(batch_.few_lists.size(), (a + 1) * kMostGrids));
        GridsSource mirrored(batch_, {&few, 1}, {&by_id, 1}, Order::storage, 0, {});
        const Neighbourhood within{.radius = radius};
        const std::uint64_t found =
            checked(Neighbours{batch_, mirrored, within, Order::storage}.list(batch_.few_found));
        constexpr std::uint64_t kMostLinks = std::uint64_t{1} << 26; // bounds the memory for them
        if (found > kMostLinks) { return false; }
        batch_.few_names.resize(few.grid->size());
        (void)few.grid->order(batch_.few_names);
        for (Id& name : batch_.few_names) {
            name = few.name_of(name);
        }
        lists_of(a, g).turn(batch_.few_found, batch_.few_names, by_id.grid->id_bound());
        return true;
    }

    /// What few agents have found among the agents of a slice.
    [[nodiscard]] FewFound few_of(const Slice& asker_slice, OutputPart& part) const {
        FewFound few;
        few.grids = asked().size();
        const auto a = static_cast<std::size_t>(&asker_slice.asker - askers_.data());
        bool any = false;
        for (std::size_t g = 0; g < asked().size(); ++g) {
            if (few_[a * kMostGrids + g]) {
                few.lists[g] = &lists_of(a, g);
                any = true;
            }
        }
        if (any) {
            part.asker_ids.resize(asker_slice.agents());
            (void)asker_slice.asker.grid->parts().order(asker_slice.number, asker_slice.number + 1,
                                                        part.asker_ids);
            few.askers = part.asker_ids;
        }
        return few;
    }
    /// The answers of the only grid that is not of few agents, and then those of the few.
    std::uint64_t join_few(const NamedGrid<Dim>& main, const FewFound& few,
                           const Neighbourhood& neighbourhood, const Slice& asker_slice,
                           OutputPart& part, const HitsBuffer& out) const {
        const std::uint64_t found = neighbours_in(main, neighbourhood, asker_slice, part, out);
        if (!main.names.empty()) {
            const std::uint64_t begin = std::min<std::uint64_t>(out.used, out.ids.size());
            const std::uint64_t fit = std::min<std::uint64_t>(found, out.ids.size() - begin);
            for (Id& id : out.ids.subspan(begin, fit)) {
                id = main.names[id];
            }
        }
        part.found.resize(std::max(few.askers.size(), part.found.size()));
        return found + few.insert_into(out, part.found);
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
    /// Whether the agents of another grid come before an asker's, so that `later_only` leaves them
    /// all out.
    [[nodiscard]] bool is_earlier(const NamedGrid<Dim>& other, const Neighbourhood& neighbourhood,
                                  const NamedGrid<Dim>& asker) const noexcept {
        const auto is_other = [&](const NamedGrid<Dim>& earlier) {
            return earlier.grid == other.grid;
        };
        const auto asked_before = askers_.first(static_cast<std::size_t>(&asker - askers_.data()));
        return neighbourhood.later_only &&
               std::any_of(asked_before.begin(), asked_before.end(), is_other);
    }
    /// The filter for a grid other than the askers' own.
    [[nodiscard]] Filter filter_of(const NamedGrid<Dim>& other, const Neighbourhood& neighbourhood,
                                   const Slice& asker_slice) const noexcept {
        // Without any group, the grid finds no agents.
        return {is_earlier(other, neighbourhood, asker_slice.asker) ? 0 : neighbourhood.groups};
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
                return other.grid == asker.grid || !is_earlier(other, neighbourhood, asker);
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
    std::uint64_t gather_pieces(const FewFound& few, const OutputPart& part,
                                const HitsBuffer& buffer) const {
        const std::size_t agents = buffer.offsets.size() - 1;
        std::uint64_t end = buffer.used;
        const auto append = [&](std::span<const Id> ids, std::span<const Id> names) {
            const std::uint64_t room =
                buffer.ids.size() - std::min<std::uint64_t>(end, buffer.ids.size());
            const auto fit = ids.first(std::min<std::uint64_t>(ids.size(), room));
            Id* const to = buffer.ids.data() + (room == 0 ? 0 : end);
            if (names.empty()) {
                std::copy(fit.begin(), fit.end(), to);
            } else {
                std::transform(fit.begin(), fit.end(), to, [&](Id id) { return names[id]; });
            }
            end += ids.size();
        };
        const auto found = [&](std::size_t g, std::size_t i) {
            const std::uint64_t* const at = part.found_offsets.data() + g * (agents + 1) + i;
            return std::span<const Id>(part.found).subspan(at[0], at[1] - at[0]);
        };
        buffer.offsets[0] = end;
        for (std::size_t i = 0; i < agents; ++i) {
            for (std::size_t g = 0; g < asked().size(); ++g) {
                if (few.lists[g] == nullptr) {
                    append(found(g, i), asked()[g]->names);
                    continue;
                }
                const FewLists& lists = *few.lists[g];
                std::uint64_t at = end += lists.length(few.askers[i]);
                lists.for_each_backwards(few.askers[i], [&](Id name) {
                    if (--at < buffer.ids.size()) { buffer.ids[at] = name; }
                });
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
            std::size_t best = asked().size();
            Near chosen;
            for (std::size_t g = 0; g < asked().size(); ++g) {
                const Near near = next(g);
                if (near.distance2 < chosen.distance2) {
                    best = g;
                    chosen = near;
                }
            }
            if (best == asked().size()) { break; }
            ++taken[best];
            out[count++] = {chosen.distance2, asked()[best]->name_of(chosen.id)};
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

    State& batch_;
    Grids askers_, others_;
    std::array<const NamedGrid<Dim>*, kMostGrids> asked_{};
    std::size_t asked_count_ = 0;
    std::array<bool, kMostGrids * kMostGrids> few_{}; ///< by asker and grid asked: has lists
    std::array<std::optional<AccessCheck::Reading>, 2 * kMostGrids> reading_;
};

} // namespace throng
