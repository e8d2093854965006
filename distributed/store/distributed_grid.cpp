#include "../distributed_grid.hpp"

#include "../../engine/agents/validation.hpp"
#include "balance.hpp"
#include "share_update.hpp"
#include "state.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
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
    return all.value();
}

/// Ghosts are chosen by the distance of centres, so questions about bodies could miss some.
Status within_reach(const Neighbourhood& neighbourhood, float reach) noexcept {
    if (neighbourhood.radius > reach) { return {Cause::beyond_reach, Argument::radius}; }
    if (neighbourhood.body != Body::centre) { return {Cause::beyond_reach, Argument::body}; }
    return {};
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
    layout = Layout<Dim>(std::move(cuts), whole, reach, around, ranks.rank());
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
        own = without_throwing([&] { return next.emplace().set_statics(statics, executor); });
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
Status DistributedGrid<Dim>::neighbours(const Neighbourhood& neighbourhood, Hits& hits,
                                        Executor& executor, Sets sets) {
    if (const Status status = within_reach(neighbourhood, state_->reach); !status.ok()) {
        return status;
    }
    if (const Status status = state_->allow(executor); !status.ok()) { return status; }
    const CrowdPart<Dim>& part = state_->part;
    const bool renamed = !part.giants().empty(); // else the part's ids are local ids
    Hits& all = renamed ? state_->by_name : hits;
    const Status status =
        state_->batch_on(executor).neighbours({part.crowd(), sets}, neighbourhood, all, Order::ids);
    if (!status.ok()) { return status; }
    if (renamed) {
        state_->keep_owned(all, hits);
    } else {
        hits.offsets.resize(state_->owned + 1);
    }
    return {};
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::count_neighbours(const Neighbourhood& neighbourhood,
                                              std::span<std::uint32_t> counts, Executor& executor,
                                              Sets sets) {
    if (counts.size() != state_->owned) { return {Cause::count_mismatch, Argument::counts}; }
    if (const Status status = within_reach(neighbourhood, state_->reach); !status.ok()) {
        return status;
    }
    if (const Status status = state_->allow(executor); !status.ok()) { return status; }
    const CrowdPart<Dim>& part = state_->part;
    state_->counts.resize(part.crowd().id_bound());
    const throng::Found found = state_->batch_on(executor).count_neighbours(
        {part.crowd(), sets}, neighbourhood, std::span<std::uint32_t>(state_->counts), Order::ids);
    if (!found.status.ok()) { return found.status; }
    std::copy_n(state_->counts.begin(), counts.size(), counts.begin());
    part.for_each_giant([&](Id id, Id name) {
        if (id < counts.size()) { counts[id] = state_->counts[name]; }
    });
    return {};
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::pairs(Pairs& pairs, Executor& executor, std::uint32_t groups,
                                   PairSets sets, Body body) {
    if (const Status allowed = state_->allow(executor); !allowed.ok()) { return allowed; }
    const CrowdPart<Dim>& part = state_->part;
    const Status status =
        state_->batch_on(executor).pairs({part.crowd(), sets}, pairs, groups, body);
    if (!status.ok()) { return status; }
    state_->keep_owned(pairs);
    return {};
}

/// Keeps the pairs whose first agent is owned, and turns ids of the part into local ids. A batch
/// finds pairs with giants and statics in an order that depends on its number of agents, so they
/// are sorted.
template <std::size_t Dim>
void DistributedGrid<Dim>::State::keep_owned(Pairs& pairs) const {
    struct Pair {
        bool with_static, of_giant;
        Id first, second;
        [[nodiscard]] auto key() const noexcept {
            return std::tuple(with_static, of_giant, first, second);
        }
    };
    const auto is_small = [&](Id name) { return name < part.agents(); };
    std::vector<Pair> large;
    const std::uint64_t count = std::exchange(pairs.count, 0); // stays 0 if memory runs out
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Id first = pairs.first[i], second = pairs.second[i];
        if (part.index_of(first) >= owned) { continue; }
        if (is_small(second)) {
            pairs.first[kept] = first;
            pairs.second[kept++] = second;
        } else {
            large.push_back({is_static(second), !is_small(first), first, second});
        }
    }
    std::sort(large.begin(), large.end(),
              [](const Pair& a, const Pair& b) { return a.key() < b.key(); });
    for (const Pair& pair : large) {
        pairs.first[kept] = part.index_of(pair.first);
        pairs.second[kept++] = part.index_of(pair.second);
    }
    pairs.count = kept;
}

/// Keeps the answers to owned agents, and turns ids of the part into local ids. Ghosts are answered
/// too, from the few neighbours known here, and their answers are left out.
template <std::size_t Dim>
void DistributedGrid<Dim>::State::keep_owned(const Hits& all, Hits& hits) const {
    Vector<Id> askers(owned);
    std::iota(askers.begin(), askers.end(), Id{0});
    part.for_each_giant([&](Id id, Id name) {
        if (id < owned) { askers[id] = name; }
    });
    std::uint64_t total = 0;
    for (const Id asker : askers) {
        total += all.of(asker).size();
    }
    if (hits.ids.size() < total) { hits.ids.resize(static_cast<std::size_t>(total)); }
    hits.offsets.reserve(owned + 1); // the last step that can fail: old answers are intact
    hits.offsets.assign(1, 0);
    Id* next = hits.ids.data();
    for (const Id asker : askers) {
        for (const Id name : all.of(asker)) {
            *next++ = part.index_of(name);
        }
        hits.offsets.push_back(static_cast<std::uint64_t>(next - hits.ids.data()));
    }
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
Status DistributedGrid<Dim>::count_pairs(std::uint64_t& pairs, Executor& executor,
                                         std::uint32_t groups, PairSets sets, Body body) {
    const CrowdPart<Dim>& part = state_->part;
    std::atomic<std::uint64_t> count = 0;
    const Status counted = without_throwing([&] {
        if (const Status allowed = state_->allow(executor); !allowed.ok()) { return allowed; }
        return state_->batch_on(executor)
            .visit_pairs(
                {part.crowd(), sets},
                [&](std::size_t, std::span<const Id> first, std::span<const Id>) {
                    const auto owned = std::count_if(first.begin(), first.end(), [&](Id name) {
                        return part.index_of(name) < state_->owned;
                    });
                    count.fetch_add(static_cast<std::uint64_t>(owned), std::memory_order_relaxed);
                    return true;
                },
                groups, body)
            .status;
    });
    const std::uint64_t of = (std::uint64_t{groups} << 16) |
                             (static_cast<std::uint64_t>(body) << 8) |
                             static_cast<std::uint64_t>(sets);
    return state_->add_up(DistributedCall::count_pairs, counted, count, of, pairs);
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::size(std::uint64_t& agents) {
    return state_->add_up(DistributedCall::size, {}, state_->owned, 0, agents);
}

template <std::size_t Dim>
std::uint32_t DistributedGrid<Dim>::owner_of(const Point<Dim>& point) const noexcept {
    return state_->layout.cuts.owner_of(state_->cell_of(point));
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
                        state_->by_name.offsets.capacity() * sizeof(std::uint64_t) +
                        state_->by_name.ids.capacity() * sizeof(Id);
    if (state_->next_layout != nullptr) { bytes += state_->next_layout->memory(); }
    for (const Arrival& arrival : state_->arrivals) {
        bytes += arrival.bytes.capacity();
    }
    return bytes;
}

template class DistributedGrid<2>;
template class DistributedGrid<3>;

} // namespace throng
