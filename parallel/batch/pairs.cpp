// Finds all pairs of agents whose boxes or discs overlap, or that are near each other. Lays them
// end to end, or hands them to a visitor.
#include "batch.hpp"

#include "../../engine/agents/body.hpp"
#include "../../engine/answers/nearest_checks.hpp"
#include "../../engine/grid/grid_parts.hpp"
#include "crowd_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

namespace throng {

/// The pairs within a grid, or between its agents and those of another grid.
template <std::size_t Dim>
class Batch<Dim>::State::GridPairs : public OverlapSource<Dim> {
public:
    GridPairs(const RowGrid<Dim>& grid, const RowGrid<Dim>* others, std::uint32_t groups,
              Body body) noexcept
        : grid_(grid), others_(others), groups_(groups), body_(body) {}

    [[nodiscard]] std::size_t blocks() const noexcept override { return grid_.parts().slices(); }
    [[nodiscard]] LoopCost cost() const noexcept override {
        return LoopCost::of(grid_.size(), 4.0);
    }
    std::uint64_t pairs(std::size_t slice, OutputPart& part,
                        const PairsBuffer& out) const override {
        const std::span<std::uint32_t> room = scratch(part);
        return checked(
            others_ == nullptr
                ? grid_.parts().pairs(slice, slice + 1, room, out, groups_, body_)
                : grid_.parts().pairs(*others_, slice, slice + 1, room, out, groups_, body_));
    }
    std::uint64_t visit(std::size_t slice, OutputPart& part,
                        IndexPairVisitor visitor) const override {
        const std::span<std::uint32_t> room = scratch(part);
        const PairsBuffer run = run_of(part);
        return checked(
            others_ == nullptr
                ? grid_.parts().visit_pairs(slice, slice + 1, room, run, visitor, groups_, body_)
                : grid_.parts().visit_pairs(*others_, slice, slice + 1, room, run, visitor, groups_,
                                            body_));
    }
    std::uint64_t count(std::size_t slice, OutputPart& part) const override {
        return others_ == nullptr
                   ? checked(grid_.parts().count_pairs(slice, slice + 1, groups_, body_))
                   : pairs(slice, part, {});
    }

private:
    const RowGrid<Dim>& grid_;
    const RowGrid<Dim>* others_;
    std::uint32_t groups_;
    Body body_;
};

/// The pairs of a source, laid end to end.
template <std::size_t Dim>
struct Batch<Dim>::State::JoinedPairs {
    State& state;
    const PairSource<Dim>& source;

    /// The arrays for all pairs.
    struct Places {
        std::span<Id> first, second;
        Pairs* growing = nullptr;

        [[nodiscard]] std::uint64_t room() const noexcept {
            return std::min(first.size(), second.size());
        }
        [[nodiscard]] PairsBuffer from(std::uint64_t begin) const noexcept {
            return {first.subspan(begin), second.subspan(begin)};
        }
        void grow(std::uint64_t total) {
            if (growing == nullptr || total <= room()) { return; }
            growing->first.resize(length_of(total + total / 16));
            growing->second.resize(length_of(total + total / 16));
            first = growing->first;
            second = growing->second;
        }
        /// Writes as much of a part as there is room for.
        void put(const OutputPart& part) const noexcept {
            if (part.begin >= room()) { return; }
            const std::uint64_t fit = std::min(part.length, room() - part.begin);
            std::copy_n(part.firsts.data(), fit, first.data() + part.begin);
            std::copy_n(part.ids.data(), fit, second.data() + part.begin);
        }
    };

    Found list(Places& out) const {
        return refusable([&]() -> Found {
            const auto work = [&](std::size_t block, OutputPart& part,
                                  std::optional<std::uint64_t> begin) {
                if (begin.has_value() && *begin < out.room()) {
                    // Writes the pairs straight to their place; later blocks wait for this one.
                    part.length = source.pairs(block, part, out.from(*begin));
                    part.written = part.length <= out.room() - *begin;
                    if (part.written) { return; }
                }
                if (out.growing == nullptr && part.begin >= out.room()) {
                    // There is no room for any of these pairs: only counts them.
                    part.length = source.pairs(block, part, {});
                    return;
                }
                pairs_aside(source, block, part);
            };
            const auto write_part = [&](const OutputPart& part) {
                if (out.growing != nullptr && part.begin + part.length > out.room()) {
                    return false;
                }
                out.put(part);
                return true;
            };
            Status status =
                state.loop.run(*state.executor, source.blocks(), source.cost(), work, write_part);
            if (!status.ok()) { return {0, status}; }
            out.grow(state.loop.total());
            status = state.loop.run_kept(*state.executor,
                                         [&](const OutputPart& part) { out.put(part); });
            return Found::of(state.loop.total(), status);
        });
    }
    Found list(const PairsOutput& out) const {
        if (out.growing == nullptr) {
            Places places = {out.first, out.second};
            return list(places);
        }
        Pairs filling;
        std::swap(filling, *out.growing); // so that no half result is left in *out.growing
        Places places = {filling.first, filling.second, &filling};
        const Found found = list(places);
        filling.count = found.count;
        std::swap(filling, *out.growing);
        return found;
    }
};

/// The pairs of a source, handed to a visitor or counted.
template <std::size_t Dim>
struct Batch<Dim>::State::VisitedPairs {
    State& state;
    const OverlapSource<Dim>& source;

    Found visit(PairVisitor visitor) const {
        return refusable([&]() -> Found {
            std::atomic<bool> stopped = false;
            return state.add_up(source.blocks(), source.cost(),
                                [&](std::size_t block, OutputPart& part) -> std::uint64_t {
                                    if (stopped.load(std::memory_order_relaxed)) { return 0; }
                                    const auto hand_on = [&](std::span<const Id> first,
                                                             std::span<const Id> second) {
                                        const bool go_on = visitor(block, first, second);
                                        if (!go_on) {
                                            stopped.store(true, std::memory_order_relaxed);
                                        }
                                        return go_on;
                                    };
                                    return source.visit(block, part, hand_on);
                                });
        });
    }

    Found count() const {
        return refusable([&] {
            return state.add_up(
                source.blocks(), source.cost(),
                [&](std::size_t block, OutputPart& part) { return source.count(block, part); });
        });
    }
};

template <std::size_t Dim>
template <class Call>
Found Batch<Dim>::State::ask_source(const char* name, const OverlapSource<Dim>& source,
                                    const RowGrid<Dim>& grid, Body body, const Call& call) {
    [[maybe_unused]] const Serving held(name, *this);
    [[maybe_unused]] const AccessCheck::Reading reading(access(grid));
    // Checked here: a source without blocks is never asked, and so refuses nothing.
    if (const Status status = check_overlapping(body); !status.ok()) { return {0, status}; }
    return call(source);
}
template <std::size_t Dim>
template <class Call>
Found Batch<Dim>::State::ask_pairs(const char* name, const PairsOf<Dim>& all, std::uint32_t groups,
                                   Body body, const Call& call) {
    const auto ask_grid = [&](const RowGrid<Dim>& grid) {
        return ask_source(name, GridPairs(grid, all.others, groups, body), grid, body, call);
    };
    if (all.crowd == nullptr) { return ask_grid(*all.grid); }
    const Crowd<Dim>& crowd = *all.crowd;
    [[maybe_unused]] const AccessCheck::Reading reading(detail::state_of(crowd).access);
    const CrowdPairs pairs(crowd, all.sets, groups, body);
    return pairs.grid_alone() ? ask_grid(crowd.grid())
                              : ask_source(name, pairs, crowd.grid(), body, call);
}

namespace {

/// Empties pairs that grow, in case the call is refused or fails before a pair is found.
void clear_growing(const PairsOutput& out) noexcept {
    if (out.growing != nullptr) { out.growing->count = 0; }
}

} // namespace

template <std::size_t Dim>
Found Batch<Dim>::pairs(const PairsOf<Dim>& all, const PairsOutput& out, std::uint32_t groups,
                        Body body) {
    clear_growing(out);
    return state_->ask_pairs("Batch::pairs", all, groups, body, [&](const auto& source) {
        return typename State::JoinedPairs{*state_, source}.list(out);
    });
}
template <std::size_t Dim>
Found Batch<Dim>::count_pairs(const PairsOf<Dim>& all, std::uint32_t groups, Body body) {
    return state_->ask_pairs("Batch::count_pairs", all, groups, body, [&](const auto& source) {
        return typename State::VisitedPairs{*state_, source}.count();
    });
}
template <std::size_t Dim>
Found Batch<Dim>::visit_pairs(const PairsOf<Dim>& all, PairVisitor visitor, std::uint32_t groups,
                              Body body) {
    return state_->ask_pairs("Batch::visit_pairs", all, groups, body, [&](const auto& source) {
        return typename State::VisitedPairs{*state_, source}.visit(visitor);
    });
}
template <std::size_t Dim>
std::size_t Batch<Dim>::pair_blocks(const PairsOf<Dim>& all) noexcept {
    if (all.crowd == nullptr) { return all.grid->parts().slices(); }
    const AccessCheck::Reading reading(detail::state_of(*all.crowd).access);
    const typename State::CrowdPairs pairs(*all.crowd, all.sets, kAllGroups, Body::box);
    return pairs.grid_alone() ? all.crowd->grid().parts().slices() : pairs.blocks();
}

template <std::size_t Dim>
Found Batch<Dim>::pairs_within(const PairsOf<Dim>& all, float radius, const PairsOutput& out,
                               std::uint32_t groups, Body body) {
    clear_growing(out);
    [[maybe_unused]] const typename State::Serving held("Batch::pairs_within", *state_);
    const Neighbourhood near{.radius = radius, .groups = groups, .later_only = true, .body = body};
    if (all.others != nullptr) { return {0, {Cause::out_of_range, Argument::others}}; }
    Found found{0, check_neighbourhood(near)};
    if (!found.ok()) { return found; }
    state_->with_near_pairs(all, near, [&](const PairSource<Dim>& source) {
        found = typename State::JoinedPairs{*state_, source}.list(out);
    });
    return found;
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found Batch<Dim>::pairs(const PairsOf<Dim>&, const PairsOutput&, std::uint32_t,       \
                                     Body);                                                        \
    template Found Batch<Dim>::count_pairs(const PairsOf<Dim>&, std::uint32_t, Body);              \
    template Found Batch<Dim>::visit_pairs(const PairsOf<Dim>&, PairVisitor, std::uint32_t, Body); \
    template std::size_t Batch<Dim>::pair_blocks(const PairsOf<Dim>&) noexcept;                    \
    template Found Batch<Dim>::pairs_within(const PairsOf<Dim>&, float, const PairsOutput&,        \
                                            std::uint32_t, Body);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
