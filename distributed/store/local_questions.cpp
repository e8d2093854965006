// Questions of all owned agents: lists and numbers of neighbours, and pairs.
#include "state.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <tuple>
#include <utility>

namespace throng {

namespace {

/// Ghosts are chosen by the distance of centres, so questions about bodies could miss some.
Status within_reach(const Neighbourhood& neighbourhood, float reach) noexcept {
    if (neighbourhood.radius > reach) { return {Cause::beyond_reach, Argument::radius}; }
    if (neighbourhood.body != Body::centre) { return {Cause::beyond_reach, Argument::body}; }
    return {};
}

} // namespace

template <std::size_t Dim>
Status DistributedGrid<Dim>::neighbours(const Neighbourhood& neighbourhood, Hits& hits,
                                        Executor& executor, Sets sets) {
    if (const Status status = within_reach(neighbourhood, state_->reach); !status.ok()) {
        return status;
    }
    if (const Status status = state_->allow(executor); !status.ok()) { return status; }
    const CrowdPart<Dim>& part = state_->part;
    const bool renamed = !part.giants().empty(); // else the part's ids are local ids
    const bool across = state_->lists_across(neighbourhood);
    Hits& all = renamed || across ? state_->answers : hits;
    Neighbourhood asked = neighbourhood;
    if (across && state_->lists_whole(neighbourhood)) { asked.later_only = false; }
    const Status status = state_->batch_on(executor).neighbours(
        {part.crowd(), sets}, asked, all, across ? Order::storage : Order::ids);
    if (!status.ok()) { return status; }
    if (across) { return state_->list_across(neighbourhood, sets, executor, hits); }
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
    if (state_->lists_across(neighbourhood)) {
        Hits lists;
        const Status status = neighbours(neighbourhood, lists, executor, sets);
        for (std::size_t i = 0; i < counts.size() && status.ok(); ++i) {
            counts[i] = static_cast<std::uint32_t>(lists.of(i).size());
        }
        return status;
    }
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
    if (state_->world.wraps) { state_->add_across(sets, groups, body, pairs); }
    state_->keep_owned(pairs);
    return {};
}

template <std::size_t Dim>
void DistributedGrid<Dim>::State::add_across(PairSets sets, std::uint32_t groups, Body body,
                                             Pairs& pairs) const {
    const auto count = static_cast<std::size_t>(std::exchange(pairs.count, 0));
    pairs.first.resize(count);
    pairs.second.resize(count);
    part.visit_pairs_across(
        world, sets,
        [&](std::span<const Id> first, std::span<const Id> second) {
            pairs.first.insert(pairs.first.end(), first.begin(), first.end());
            pairs.second.insert(pairs.second.end(), second.begin(), second.end());
            return true;
        },
        groups, body);
    pairs.count = pairs.first.size();
}

/// Keeps the pairs whose first agent is owned, and turns ids of the part into local ids. A batch
/// finds pairs with giants and statics in an order that depends on its number of agents, so they
/// are sorted. So are pairs across a border of a periodic world: there, cells say nothing about
/// which of the two comes first.
template <std::size_t Dim>
void DistributedGrid<Dim>::State::keep_owned(Pairs& pairs) const {
    struct Pair {
        bool with_static, with_giant, of_giant;
        Id first, second;
        [[nodiscard]] auto key() const noexcept {
            return std::tuple(with_static, with_giant, of_giant, first, second);
        }
    };
    const auto is_small = [&](Id name) { return name < part.agents(); };
    std::vector<Pair> others;
    const std::uint64_t count = std::exchange(pairs.count, 0); // stays 0 if memory runs out
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Id first = pairs.first[i], second = pairs.second[i];
        if (is_moved(first) || is_moved(second)) {
            const auto [own, ghost] = std::minmax(first, second);
            if (has_across(own, ghost)) { others.push_back({false, false, false, own, ghost}); }
            continue;
        }
        if (part.index_of(first) >= owned) { continue; }
        if (is_small(second)) {
            pairs.first[kept] = first;
            pairs.second[kept++] = second;
        } else {
            const bool with_static = is_static(second);
            others.push_back({with_static, !with_static, !is_small(first), first, second});
        }
    }
    std::sort(others.begin(), others.end(),
              [](const Pair& a, const Pair& b) { return a.key() < b.key(); });
    for (const Pair& pair : others) {
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
Status DistributedGrid<Dim>::count_pairs(std::uint64_t& pairs, Executor& executor,
                                         std::uint32_t groups, PairSets sets, Body body) {
    const CrowdPart<Dim>& part = state_->part;
    std::atomic<std::uint64_t> count = 0;
    const Status counted = without_throwing([&] {
        if (const Status allowed = state_->allow(executor); !allowed.ok()) { return allowed; }
        const auto add = [&](std::span<const Id> first, std::span<const Id> second) {
            std::uint64_t own = 0;
            for (std::size_t i = 0; i < first.size(); ++i) {
                own += state_->has_pair(first[i], second[i]) ? 1 : 0;
            }
            count.fetch_add(own, std::memory_order_relaxed);
            return true;
        };
        const throng::Found found = state_->batch_on(executor).visit_pairs(
            {part.crowd(), sets},
            [&](std::size_t, std::span<const Id> first, std::span<const Id> second) {
                return add(first, second);
            },
            groups, body);
        if (found.status.ok() && state_->world.wraps) {
            part.visit_pairs_across(state_->world, sets, add, groups, body);
        }
        return found.status;
    });
    const std::uint64_t of = (std::uint64_t{groups} << 16) |
                             (static_cast<std::uint64_t>(body) << 8) |
                             static_cast<std::uint64_t>(sets);
    return state_->add_up(DistributedCall::count_pairs, counted, count, of, pairs);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status DistributedGrid<Dim>::neighbours(const Neighbourhood&, Hits&, Executor&,       \
                                                     Sets);                                        \
    template Status DistributedGrid<Dim>::count_neighbours(                                        \
        const Neighbourhood&, std::span<std::uint32_t>, Executor&, Sets);                          \
    template Status DistributedGrid<Dim>::pairs(Pairs&, Executor&, std::uint32_t, PairSets, Body); \
    template Status DistributedGrid<Dim>::count_pairs(std::uint64_t&, Executor&, std::uint32_t,    \
                                                      PairSets, Body);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
