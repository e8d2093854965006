// All pairs whose boxes or discs overlap, or that are near each other, laid end to end or handed to
// a visitor.
#include "batch.hpp"

#include "../../engine/agents/body.hpp"
#include "../../engine/answers/nearest_checks.hpp"
#include "crowd_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

namespace throng {

/// The pairs of a grid, or of its agents with another grid's.
template <std::size_t Dim>
class Batch<Dim>::State::GridPairs : public OverlapSource<Dim> {
public:
    GridPairs(const RowGrid<Dim>& grid, const RowGrid<Dim>* others, std::uint32_t groups,
              Body body) noexcept
        : grid_(grid), others_(others), groups_(groups), body_(body) {}

    [[nodiscard]] std::size_t blocks() const noexcept override { return grid_.slices(); }
    [[nodiscard]] LoopCost cost() const noexcept override {
        return LoopCost::of(grid_.size(), 4.0);
    }
    std::uint64_t pairs(std::size_t slice, OutputPart& part,
                        const PairsBuffer& out) const override {
        const std::span<std::uint32_t> room = scratch(part);
        return checked(
            others_ == nullptr
                ? grid_.pairs_range(slice, slice + 1, room, out, groups_, body_)
                : grid_.pairs_range(*others_, slice, slice + 1, room, out, groups_, body_));
    }
    std::uint64_t visit(std::size_t slice, OutputPart& part,
                        IndexPairVisitor visitor) const override {
        const std::span<std::uint32_t> room = scratch(part);
        const PairsBuffer run = run_of(part);
        return checked(
            others_ == nullptr
                ? grid_.visit_pairs_range(slice, slice + 1, room, run, visitor, groups_, body_)
                : grid_.visit_pairs_range(*others_, slice, slice + 1, room, run, visitor, groups_,
                                          body_));
    }
    /// Counts pairs within the grid.
    std::uint64_t count(std::size_t slice) const override {
        return checked(grid_.count_pairs_range(slice, slice + 1, groups_, body_));
    }

private:
    const RowGrid<Dim>& grid_;
    const RowGrid<Dim>* others_;
    std::uint32_t groups_;
    Body body_;
};

/// The pairs of a source, joined.
template <std::size_t Dim>
struct Batch<Dim>::State::JoinedPairs {
    State& state;
    const PairSource<Dim>& source;

    /// The output for pairs: arrays that grow, or arrays that do not.
    struct PairsOutput {
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

    Found list_all(PairsOutput& out) const {
        return refusable([&]() -> Found {
            const auto work = [&](std::size_t block, OutputPart& part,
                                  std::optional<std::uint64_t> begin) {
                if (begin.has_value() && *begin < out.room()) {
                    // Straight to their place; blocks behind it wait until this one is done.
                    part.length = source.pairs(block, part, out.from(*begin));
                    part.written = part.length <= out.room() - *begin;
                    if (part.written) { return; }
                }
                if (out.growing == nullptr && part.begin >= out.room()) {
                    // There is no room for any of these: only count.
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
    Found list(Pairs& all) const {
        Pairs filling;
        std::swap(filling, all); // half a result must not be left in `all`
        PairsOutput out = {filling.first, filling.second, &filling};
        const Found found = list_all(out);
        filling.count = found.status.ok() ? found.count : 0;
        std::swap(filling, all);
        return found;
    }
    Found list(const PairsBuffer& buffer) const {
        PairsOutput out = {buffer.first, buffer.second};
        return list_all(out);
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
                [&](std::size_t block, OutputPart&) { return source.count(block); });
        });
    }
};

template <std::size_t Dim>
template <class Call>
Found Batch<Dim>::State::ask_pairs(const char* name, const Pairing& pairing, const Call& call) {
    const auto serve = [&](const OverlapSource<Dim>& source, const RowGrid<Dim>& grid) -> Found {
        [[maybe_unused]] const Serving held(name, *this);
        [[maybe_unused]] const AccessCheck::Reading reading(access(grid));
        // Checked here: a source without blocks is never asked, and so refuses nothing.
        if (const Status status = check_overlapping(pairing.body); !status.ok()) {
            return {0, status};
        }
        return call(source);
    };
    if (pairing.crowd == nullptr) {
        return serve(GridPairs(*pairing.grid, pairing.others, pairing.groups, pairing.body),
                     *pairing.grid);
    }
    const Crowd<Dim>& crowd = *pairing.crowd;
    [[maybe_unused]] const AccessCheck::Reading reading(detail::state_of(crowd).access);
    const CrowdPairs pairs(crowd, pairing.sets, pairing.groups, pairing.body);
    if (pairs.grid_alone()) {
        return serve(GridPairs(crowd.grid(), nullptr, pairing.groups, pairing.body), crowd.grid());
    }
    return serve(pairs, crowd.grid());
}
template <std::size_t Dim>
template <class Out>
Found Batch<Dim>::State::list_near(const Pairing& pairing, float radius, Out& out) {
    [[maybe_unused]] const Serving held("Batch::pairs_within", *this);
    Found found{0, check_neighbourhood({.radius = radius, .body = pairing.body})};
    if (!found.status.ok()) { return found; }
    with_near_pairs(pairing, radius, [&](const PairSource<Dim>& source) {
        found = JoinedPairs{*this, source}.list(out);
    });
    return found;
}

template <std::size_t Dim>
Status Batch<Dim>::pairs_of(const Pairing& pairing, Pairs& pairs) {
    pairs.count = 0; // also if it is refused before a pair is found
    return state_
        ->ask_pairs("Batch::pairs", pairing,
                    [&](const auto& source) {
                        return typename State::JoinedPairs{*state_, source}.list(pairs);
                    })
        .status;
}
template <std::size_t Dim>
Found Batch<Dim>::pairs_of(const Pairing& pairing, const PairsBuffer& out) {
    return state_->ask_pairs("Batch::pairs", pairing, [&](const auto& source) {
        return typename State::JoinedPairs{*state_, source}.list(out);
    });
}
template <std::size_t Dim>
Found Batch<Dim>::count_pairs_of(const Pairing& pairing) {
    return state_->ask_pairs("Batch::count_pairs", pairing, [&](const auto& source) {
        return typename State::VisitedPairs{*state_, source}.count();
    });
}
template <std::size_t Dim>
Found Batch<Dim>::visit_pairs_of(const Pairing& pairing, PairVisitor visitor) {
    return state_->ask_pairs("Batch::visit_pairs", pairing, [&](const auto& source) {
        return typename State::VisitedPairs{*state_, source}.visit(visitor);
    });
}
template <std::size_t Dim>
Status Batch<Dim>::pairs_within_of(const Pairing& pairing, float radius, Pairs& pairs) {
    pairs.count = 0; // also if it fails before a pair is found
    return state_->list_near(pairing, radius, pairs).status;
}
template <std::size_t Dim>
Found Batch<Dim>::pairs_within_of(const Pairing& pairing, float radius, const PairsBuffer& out) {
    return state_->list_near(pairing, radius, out);
}
template <std::size_t Dim>
std::size_t Batch<Dim>::pair_blocks(const Crowd<Dim>& crowd, PairSets sets) noexcept {
    const AccessCheck::Reading reading(detail::state_of(crowd).access);
    const typename State::CrowdPairs pairs(crowd, sets, kAllGroups, Body::box);
    return pairs.grid_alone() ? crowd.grid().slices() : pairs.blocks();
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status Batch<Dim>::pairs_of(const Pairing&, Pairs&);                                  \
    template Found Batch<Dim>::pairs_of(const Pairing&, const PairsBuffer&);                       \
    template Found Batch<Dim>::count_pairs_of(const Pairing&);                                     \
    template Found Batch<Dim>::visit_pairs_of(const Pairing&, PairVisitor);                        \
    template Status Batch<Dim>::pairs_within_of(const Pairing&, float, Pairs&);                    \
    template Found Batch<Dim>::pairs_within_of(const Pairing&, float, const PairsBuffer&);         \
    template std::size_t Batch<Dim>::pair_blocks(const Crowd<Dim>&, PairSets) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
