#include "share_update.hpp"

#include "../engine/agents/validation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace throng {

namespace {

constexpr std::size_t kBlock = 16384;
/// What it takes to look at an agent, in nanoseconds.
constexpr double kLook = 1.0;

/// How far an agent at x reaches: searches widen their bounds by 2^-20 of their numbers, in floats,
/// whose errors are smaller than that once more.
double reach_at(double x, double reach) noexcept {
    return reach + (std::abs(x) + reach) * 0x1p-19 + 1e-17;
}

/// Whether each id is larger than the one before.
bool ascend(std::span<const GlobalId> ids) noexcept {
    // Vectors of the baseline compare no 64-bit numbers. Of numbers below 2^63 a difference that is
    // not positive shows in its highest bit, and larger numbers show in their own.
    std::uint64_t high = ids.empty() ? 0 : ids[0];
    for (std::size_t i = 1; i < ids.size(); ++i) {
        high |= (ids[i] - ids[i - 1] - 1) | ids[i];
    }
    if (high >> 63 == 0) { return true; }
    const auto not_less = [](GlobalId a, GlobalId b) { return a >= b; };
    return std::adjacent_find(ids.begin(), ids.end(), not_less) == ids.end();
}

} // namespace

template <std::size_t Dim>
Status ShareUpdate<Dim>::run() {
    if (!state_.configured) { // which the others must hear, too
        return state_.settle(state_.next_call(DistributedCall::update), {Cause::not_configured});
    }
    Status own = without_throwing([&] { return look(); });
    Agreement agreement(state_.ranks);
    const std::uint64_t call = state_.next_call(DistributedCall::update, layout());
    const Status begun = agreement.begin(call, own, strangers_.empty() ? 1 : 0);
    if (!begun.ok()) { return begun; }
    if (own.ok()) {
        own = without_throwing([&] { return pack(); });
    }
    const Status agreed = agreement.finish();
    state_.refused_by = agreement.refused_by();
    if (!agreed.ok()) { return agreed; }
    const bool routed = agreement.word() == 0;
    if (!own.ok()) { // too late to refuse at once: the others get parcels with nothing in them
        for (Outgoing& out : state_.outgoing) {
            out.piece = {};
        }
        strangers_.clear();
    }
    const Status exchanged = exchange(routed);
    if (exchanged.cause == Cause::rank_lost) { return exchanged; }
    if (own.ok()) { own = exchanged; }
    if (own.ok()) {
        own = without_throwing([&] { return merge(); });
    }
    const std::uint64_t last_call = state_.next_call(DistributedCall::update);
    if (!own.ok()) { return state_.settle(last_call, own); }
    const Status committed = commit(last_call);
    if (committed.ok()) { state_.stats.routed = routed; }
    return committed;
}

/// What all shares must have alike.
template <std::size_t Dim>
std::uint64_t ShareUpdate<Dim>::layout() {
    Fingerprint all;
    for_each_array([&](const detail::ShareArray& array) {
        all.add(2 * array.bytes + static_cast<std::uint64_t>(array.travels));
    });
    return all.value();
}

template <std::size_t Dim>
Status ShareUpdate<Dim>::check_arrays() {
    const std::size_t count = mine_.ids.size();
    if (mine_.positions.size() != count || mine_.owned_ + mine_.ghosts_ > count) {
        return {Cause::count_mismatch, Argument::positions};
    }
    const auto check = [&](bool kept, std::size_t size, Argument argument) {
        if (kept && size != count) { return Status{Cause::count_mismatch, argument}; }
        return !kept && size != 0 ? Status{Cause::not_stored, argument} : Status{};
    };
    if (const Status status =
            check(state_.kind.own_half_extents, mine_.half_extents.size(), Argument::half_extents);
        !status.ok()) {
        return status;
    }
    if (const Status status = check(state_.kind.groups, mine_.groups.size(), Argument::groups);
        !status.ok()) {
        return status;
    }
    for (std::size_t c = 0; c < mine_.columns_.size(); ++c) {
        if (mine_.columns_[c]->size() != count) {
            return {Cause::count_mismatch, Argument::columns, c};
        }
    }
    if (count > kMaxAgents) { return {Cause::too_many, Argument::positions}; }
    return {};
}

/// The owned are in the order of their ids already, unless the user has changed that. Births are
/// not.
template <std::size_t Dim>
Status ShareUpdate<Dim>::put_in_order() {
    const std::size_t count = agents();
    const GlobalId* const ids = mine_.ids.data();
    const auto before = [ids](Id a, Id b) { return ids[a] < ids[b]; };
    const std::span<const GlobalId> all(mine_.ids);
    const std::span<const GlobalId> owned = all.first(mine_.owned_);
    const std::span<const GlobalId> born = all.subspan(mine_.owned_ + mine_.ghosts_);
    if (ascend(owned) && ascend(born) &&
        (owned.empty() || born.empty() || owned.back() < born.front())) {
        return {};
    }
    Vector<Id> order(count);
    for (std::size_t at = 0; at < count; ++at) {
        order[at] = agent(at);
    }
    const auto first_born = order.begin() + static_cast<std::ptrdiff_t>(mine_.owned_);
    if (!ascend(owned)) { std::sort(order.begin(), first_born, before); }
    std::sort(first_born, order.end(), before);
    order_.resize(count);
    std::merge(order.begin(), first_born, first_born, order.end(), order_.begin(), before);
    const auto twice = std::adjacent_find(order_.begin(), order_.end(),
                                          [ids](Id a, Id b) { return ids[a] == ids[b]; });
    if (twice != order_.end()) { return {Cause::id_taken, Argument::id, ids[*twice]}; }
    return {};
}

/// Bounds for most agents, so that four or six comparisons are enough for them: one within them
/// reaches no cell outside of the brick. Where the brick ends is guessed, a little inside, and the
/// guess is checked with cell_on(), which never falls as its argument grows; and the farther in an
/// agent is, the farther in is all that it reaches.
template <std::size_t Dim>
void ShareUpdate<Dim>::find_inner() {
    constexpr float kNone = std::numeric_limits<float>::infinity();
    const Brick<Dim>& brick = state_.brick;
    const GridShape<Dim>& whole = state_.whole;
    for (std::size_t a = 0; a < Dim; ++a) {
        const std::uint32_t first = brick.first[a], past = first + brick.cells[a];
        const auto guess = [&](std::uint32_t cell, double inwards) {
            const double edge = double{whole.origin[a]} + cell / double{whole.inverse_cell[a]};
            return edge + inwards * (reach_at(edge, state_.reach) - state_.reach);
        };
        inner_low_[a] = brick.empty() ? kNone : -kLargest;
        inner_high_[a] = kLargest;
        if (brick.empty()) { continue; }
        if (first != 0) {
            const auto edge = static_cast<float>(guess(first, 1.0));
            const auto low =
                static_cast<float>(edge + 3.0 * reach_at(edge, state_.reach) - 2.0 * state_.reach);
            const bool right =
                whole.cell_on(a, edge) >= first && low - reach_at(low, state_.reach) >= edge;
            inner_low_[a] = right ? low : kNone;
        }
        if (past != whole.cells[a]) {
            const auto edge = static_cast<float>(guess(past, -1.0));
            const auto high =
                static_cast<float>(edge - 3.0 * reach_at(edge, state_.reach) + 2.0 * state_.reach);
            const bool right =
                whole.cell_on(a, edge) < past && high + reach_at(high, state_.reach) <= edge;
            inner_high_[a] = right ? high : -kNone;
        }
    }
}

template <std::size_t Dim>
Status ShareUpdate<Dim>::look() {
    if (const Status status = check_arrays(); !status.ok()) { return status; }
    if (const Status status = put_in_order(); !status.ok()) { return status; }
    // One rank has no other to send to. What is wrong with a place, the local grid says as well,
    // and by the same index, since arrays stay where they are.
    if (state_.ranks.size() == 1 && order_.empty() && mine_.ghosts_ == 0 &&
        !state_.kind.own_half_extents) {
        return {};
    }
    find_inner();
    const std::size_t count = agents();
    seen_.resize((count + kBlock - 1) / kBlock);
    const Status looked = run_blocks(
        executor_, seen_.size(), [&](std::size_t block) { look_at(block, seen_[block]); },
        state_.claims, LoopCost::of(count, kLook));
    if (!looked.ok()) { return looked; }
    for (const Seen& seen : seen_) {
        if (!seen.fault.ok()) { return seen.fault; }
    }
    for (Outgoing& out : state_.outgoing) {
        out.movers.clear();
        out.ghosts.clear();
    }
    for (const Seen& seen : seen_) {
        for (const Leaver& leaver : seen.leavers) {
            left_.push_back(leaver.at);
            to(leaver.to).movers.push_back(agent(leaver.at));
        }
        for (const Copy& ghost : seen.ghosts) {
            Vector<Id>& ghosts =
                ghost.to == state_.ranks.rank() ? own_ghosts_ : to(ghost.to).ghosts;
            ghosts.push_back(ghost.agent);
        }
    }
    return {};
}

template <std::size_t Dim>
void ShareUpdate<Dim>::look_at(std::size_t block, Seen& seen) const {
    const std::size_t end = std::min((block + 1) * kBlock, agents());
    for (std::size_t at = block * kBlock; at < end; ++at) {
        const Id id = agent(at);
        const Point<Dim>& place = mine_.positions[id];
        bool inner = true; // not for NaN
        for (std::size_t a = 0; a < Dim; ++a) {
            inner = inner && place[a] >= inner_low_[a] && place[a] <= inner_high_[a];
            if (!state_.kind.own_half_extents) { continue; }
            const float half = mine_.half_extents[id][a];
            inner = inner && half >= 0.0f && 2.0f * half <= state_.reach;
        }
        if (inner) { continue; }
        const Status status = look_closely(at, seen);
        if (!status.ok() && seen.fault.ok()) { seen.fault = status; }
    }
}

template <std::size_t Dim>
Status ShareUpdate<Dim>::look_closely(std::size_t at, Seen& seen) const {
    const Id id = agent(at);
    const Point<Dim>& place = mine_.positions[id];
    if (const Status status = check_point(place, Argument::positions, id); !status.ok()) {
        return status;
    }
    if (state_.kind.own_half_extents) {
        const Point<Dim>& half = mine_.half_extents[id];
        if (const Status status = check_half_extent(half, id); !status.ok()) { return status; }
        for (std::size_t a = 0; a < Dim; ++a) {
            if (2.0f * half[a] > state_.reach) {
                return {Cause::beyond_reach, Argument::half_extents, id};
            }
        }
    }
    std::array<std::uint32_t, Dim> cell{};
    Brick<Dim> near;
    bool own = !state_.brick.empty(), alone = own;
    for (std::size_t a = 0; a < Dim; ++a) {
        const double far = reach_at(place[a], state_.reach);
        cell[a] = state_.whole.cell_on(a, place[a]);
        near.first[a] = state_.whole.cell_on(a, static_cast<float>(place[a] - far));
        const std::uint32_t last = state_.whole.cell_on(a, static_cast<float>(place[a] + far));
        near.cells[a] = last - near.first[a] + 1;
        const std::uint32_t first = state_.brick.first[a], past = first + state_.brick.cells[a];
        own = own && first <= cell[a] && cell[a] < past;
        alone = alone && first <= near.first[a] && last < past;
    }
    if (alone) { return {}; }
    const std::uint32_t here = state_.ranks.rank();
    const std::uint32_t owner = own ? here : state_.cuts.owner_of(cell);
    if (owner != here) { seen.leavers.push_back({at, owner}); }
    state_.cuts.for_each_owner(near, [&](std::uint32_t rank) {
        if (rank != owner) { seen.ghosts.push_back({id, rank}); }
    });
    return {};
}

/// What goes to a rank: a neighbour, or one that is none.
template <std::size_t Dim>
Outgoing& ShareUpdate<Dim>::to(std::uint32_t rank) {
    const auto find = [rank](std::vector<Outgoing>& all) {
        return std::lower_bound(all.begin(), all.end(), rank,
                                [](const Outgoing& out, std::uint32_t r) { return out.to < r; });
    };
    const auto neighbour = find(state_.outgoing);
    if (neighbour != state_.outgoing.end() && neighbour->to == rank) { return *neighbour; }
    const auto stranger = find(strangers_);
    if (stranger != strangers_.end() && stranger->to == rank) { return *stranger; }
    Outgoing out;
    out.to = rank;
    return *strangers_.insert(stranger, std::move(out));
}

template class ShareUpdate<2>;
template class ShareUpdate<3>;

} // namespace throng
