#include "../distributed_grid.hpp"

#include "../../engine/agents/validation.hpp"
#include "balance.hpp"
#include "share_update.hpp"
#include "state.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

namespace throng {

namespace {

template <std::size_t Dim>
std::uint64_t fingerprint(const DistributedSettings<Dim>& settings) noexcept {
    Fingerprint all;
    for (std::size_t a = 0; a < Dim; ++a) {
        for (const float value : {settings.bounds.lo[a], settings.bounds.hi[a], settings.cell[a],
                                  settings.kind.common_half_extent[a]}) {
            all.add(std::bit_cast<std::uint32_t>(value));
        }
    }
    all.add(std::bit_cast<std::uint32_t>(settings.reach));
    all.add(settings.question_bytes);
    all.add(std::bit_cast<std::uint32_t>(settings.imbalance));
    all.add(std::bit_cast<std::uint32_t>(settings.most_agents));
    all.add((settings.kind.own_half_extents ? 2u : 0u) + (settings.kind.groups ? 1u : 0u));
    all.add(settings.cuts ? settings.cuts->fingerprint() : 0);
    for (const bool periodic : settings.periodic) {
        all.add(periodic ? 1 : 0);
    }
    return all.value();
}

/// A hash of statics that have been accepted.
template <std::size_t Dim>
std::uint64_t fingerprint(const Agents<Dim>& statics) noexcept {
    const CrowdKind<Dim> kind = kind_of(statics);
    Fingerprint all;
    const auto add = [&](float value) { all.add(std::bit_cast<std::uint32_t>(value)); };
    all.add(statics.positions.count);
    all.add((kind.own_half_extents ? 2u : 0u) + (kind.groups ? 1u : 0u));
    for (std::size_t a = 0; a < Dim; ++a) {
        add(kind.common_half_extent[a]);
        for (std::size_t i = 0; i < statics.positions.count; ++i) {
            add(statics.positions.values(a)[i]);
            if (kind.own_half_extents) { add(statics.half_extents.values(a)[i]); }
        }
    }
    for (std::size_t i = 0; kind.groups && i < statics.positions.count; ++i) {
        all.add(statics.groups[i]);
    }
    return all.value();
}

} // namespace

template <std::size_t Dim>
DistributedGrid<Dim>::DistributedGrid(Ranks& ranks) : state_(std::make_unique<State>(ranks)) {}
template <std::size_t Dim>
DistributedGrid<Dim>::~DistributedGrid() = default;
template <std::size_t Dim>
DistributedGrid<Dim>::DistributedGrid(DistributedGrid&&) noexcept = default;
template <std::size_t Dim>
DistributedGrid<Dim>& DistributedGrid<Dim>::operator=(DistributedGrid&&) noexcept = default;

template <std::size_t Dim>
Status DistributedGrid<Dim>::State::lay_out(const DistributedSettings<Dim>& wanted) {
    const auto [shape, status] = shape_over(wanted.bounds, wanted.cell);
    if (!status.ok()) { return status; }
    if (const Status sound = check_length(wanted.reach, Argument::reach); !sound.ok()) {
        return sound;
    }
    if (const Status sound = check_kind(wanted.kind); !sound.ok()) { return sound; }
    if (!(wanted.imbalance == 0.0f || wanted.imbalance >= 1.0f)) {
        return {Cause::out_of_range, Argument::imbalance};
    }
    if (!(wanted.most_agents >= 1.0f)) { return {Cause::out_of_range, Argument::most_agents}; }
    for (std::size_t a = 0; a < Dim; ++a) {
        if (2.0f * wanted.kind.common_half_extent[a] > wanted.reach) {
            return {Cause::beyond_reach, Argument::half_extents};
        }
    }
    if (const Status sound = world.wrap(wanted.bounds, wanted.periodic); !sound.ok()) {
        return sound;
    }
    // In a narrower world an agent would meet another one several times.
    if (world.wraps && !(world.is_moderate() && world.is_narrow(wanted.reach))) {
        return {Cause::wraps, Argument::reach};
    }
    bounds = wanted.bounds;
    cell = wanted.cell;
    whole = shape;
    reach = wanted.reach;
    largest_small = throng::largest_small(shape);
    question_bytes = wanted.question_bytes;
    imbalance = wanted.imbalance;
    most_agents = wanted.most_agents;
    kind = wanted.kind;
    if (ranks.size() > Cuts<Dim>::kMostRanks) { return {Cause::too_many, Argument::cuts}; }
    Cuts<Dim> cuts = wanted.cuts ? *wanted.cuts : Cuts<Dim>::even(shape, ranks.size());
    if (cuts.ranks() != ranks.size() || cuts.whole().cells != shape.cells) {
        return {Cause::count_mismatch, Argument::cuts};
    }
    settings = fingerprint(wanted);
    for (std::size_t a = 0; a < Dim; ++a) {
        const float cells = reach * shape.inverse_cell[a] + 2.0f;
        around[a] = cells < static_cast<float>(shape.cells[a]) ? static_cast<std::uint32_t>(cells)
                                                               : shape.cells[a];
    }
    layout = Layout<Dim>(std::move(cuts), whole, world, reach, around, ranks.rank());
    window = layout.window;
    stats.neighbours = layout.neighbours.size();
    const auto local = window_in(whole, window.first, window.cells);
    if (!local.status.ok()) { return local.status; }
    configured = true;
    return part.use(local.value, whole, kind);
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::configure(const DistributedSettings<Dim>& settings) {
    std::unique_ptr<State> next;
    const Status laid = without_throwing([&] {
        next = std::make_unique<State>(state_->ranks);
        return next->lay_out(settings);
    });
    const std::uint64_t call = state_->next_call(DistributedCall::configure, fingerprint(settings));
    const Status agreed = state_->settle(call, laid);
    if (!agreed.ok()) { return agreed; }
    next->calls = state_->calls;
    state_ = std::move(next);
    return {};
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::update(Share<Dim>& mine, Executor& executor) {
    if (state_->configured && !state_->names_checked) {
        const Status unique = state_->check_names(mine);
        if (!unique.ok()) { return unique; }
    }
    const Status updated = ShareUpdate<Dim>(*state_, mine, executor).run();
    state_->names_checked = state_->names_checked || updated.ok();
    if (!updated.ok() || state_->imbalance == 0.0f ||
        ++state_->updates % DistributedSettings<Dim>::kUpdatesToBalance != 0) {
        return updated;
    }
    // The update is done, so a refusal of balance() is dropped and comes again the next time; only
    // a lost rank is returned.
    const std::uint32_t refused_by = state_->refused_by;
    const Status balanced = Balance<Dim>(*state_, {}, executor).run(double{state_->imbalance});
    state_->refused_by = refused_by;
    return balanced.cause == Cause::rank_lost ? balanced : Status{};
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::balance(Executor& executor, std::span<const std::uint32_t> work) {
    return Balance<Dim>(*state_, work, executor).run(1.0);
}

template <std::size_t Dim>
const RowGrid<Dim>& DistributedGrid<Dim>::local() const noexcept {
    return state_->grid();
}

template <std::size_t Dim>
std::array<NamedGrid<Dim>, 3> DistributedGrid<Dim>::grids() const noexcept {
    std::array<NamedGrid<Dim>, 3> grids = state_->part.crowd().grids();
    grids[1].names = state_->part.giants();
    return grids;
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::set_statics(const Agents<Dim>& statics, Executor& executor) {
    std::optional<Crowd<Dim>> next;
    std::uint64_t content = 0;
    Status own = state_->configured ? state_->allow(executor) : Status{Cause::not_configured};
    if (own.ok()) {
        own = without_throwing([&] {
            CrowdSettings<Dim> settings; // of a world into which statics are moved
            settings.bounds = state_->bounds;
            settings.periodic = state_->world.periodic;
            const Status laid = next.emplace().configure(settings);
            return laid.ok() ? next->set_statics(statics, executor) : laid;
        });
    }
    if (own.ok()) { content = fingerprint(statics); }
    // First all ranks agree that each has sound statics, then that these are the same: a rank
    // without them has no fingerprint to give.
    Status agreed = state_->settle(state_->next_call(DistributedCall::set_statics), own);
    if (agreed.ok()) {
        agreed = state_->settle(state_->next_call(DistributedCall::set_statics, content), {});
    }
    if (!agreed.ok()) { return agreed; }
    state_->part.take_statics(*next);
    state_->stats.statics = next->size(Sets::statics);
    return {};
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::abstain() {
    return state_->settle(state_->next_call(DistributedCall::none), {});
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::State::add_up(DistributedCall call, const Status& own,
                                           std::uint64_t number, std::uint64_t more,
                                           std::uint64_t& sum) {
    Status here = own;
    std::vector<std::uint64_t> all;
    if (here.ok()) {
        here = without_throwing([&] {
            all.resize(ranks.size());
            return Status{};
        });
    }
    if (const Status status = settle(next_call(call, more), here); !status.ok()) { return status; }
    const Status gathered = or_lost([&] { return ranks.gather({&number, 1}, all); });
    if (!gathered.ok()) { return gathered; }
    sum = 0;
    for (const std::uint64_t of_rank : all) {
        sum += of_rank;
    }
    return {};
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::size(std::uint64_t& agents) {
    return state_->add_up(DistributedCall::size, {}, state_->owned, 0, agents);
}

template <std::size_t Dim>
std::uint32_t DistributedGrid<Dim>::owner_of(const Point<Dim>& point) const noexcept {
    return state_->layout.cuts.owner_of(state_->cell_of(state_->world.kept(point)));
}

template <std::size_t Dim>
Brick<Dim> DistributedGrid<Dim>::brick() const noexcept {
    return state_->layout.brick;
}

template <std::size_t Dim>
const GridShape<Dim>& DistributedGrid<Dim>::shape() const noexcept {
    return state_->whole;
}

template <std::size_t Dim>
const Cuts<Dim>& DistributedGrid<Dim>::cuts() const noexcept {
    return state_->layout.cuts;
}

template <std::size_t Dim>
const DistributedStats& DistributedGrid<Dim>::stats() const noexcept {
    return state_->stats;
}

template <std::size_t Dim>
std::uint32_t DistributedGrid<Dim>::refused_by() const noexcept {
    return state_->refused_by;
}

template <std::size_t Dim>
std::size_t DistributedGrid<Dim>::memory() const noexcept {
    std::size_t bytes = state_->part.memory() + state_->layout.memory() + state_->census.memory() +
                        state_->claims.memory() +
                        state_->counts.capacity() * sizeof(std::uint32_t) +
                        state_->answers.offsets.capacity() * sizeof(std::uint64_t) +
                        state_->answers.ids.capacity() * sizeof(Id);
    if (state_->next_layout != nullptr) { bytes += state_->next_layout->memory(); }
    for (const Arrival& arrival : state_->arrivals) {
        bytes += arrival.bytes.capacity();
    }
    return bytes;
}

template class DistributedGrid<2>;
template class DistributedGrid<3>;

} // namespace throng
