#include "share_update.hpp"

#include "../../engine/agents/validation.hpp"
#include "../../engine/crowd/store/narrow_copies.hpp"
#include "../../simd/isa/words4.hpp"
#include "reach.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>

namespace throng {

namespace {

constexpr std::size_t kBlock = 16384;
/// Nanoseconds to look at an agent.
constexpr double kLook = 1.0;
/// The most agents of one pass of look_along().
constexpr std::size_t kTogether = 256;

/// Whether each id is larger than the one before.
bool ascend(std::span<const GlobalId> ids) noexcept {
    if (ids.size() < 2) { return true; }
    // The baseline's vectors cannot compare 64-bit numbers, so steps are bounded instead. An id
    // minus the next id is the complement of (step - 1). The AND of all these differences is the
    // complement of a bound of every (step - 1). If ids.size() steps of that size stay below 2^64,
    // none wraps round, and each goes up. Comparing takes three times as long.
    using Two = std::uint64_t __attribute__((vector_size(16)));
    std::array<Two, 8> common;
    common.fill(~Two{});
    std::uint64_t all = ~std::uint64_t{0};
    std::size_t i = 1;
    const auto step = [&] {
        all &= ids[i - 1] - ids[i];
        ++i;
    };
    while (i < ids.size() && reinterpret_cast<std::uintptr_t>(&ids[i]) % sizeof(Two) != 0) {
        step();
    }
    for (; i + 16 <= ids.size(); i += 16) {
        for (std::size_t k = 0; k < 8; ++k) {
            Two before, here;
            std::memcpy(&before, &ids[i + 2 * k - 1], sizeof before);
            // Aligned, so that the subtraction reads from memory itself.
            std::memcpy(&here, __builtin_assume_aligned(&ids[i + 2 * k], sizeof here), sizeof here);
            common[k] &= before - here;
        }
    }
    while (i < ids.size()) {
        step();
    }
    for (const Two& two : common) {
        all &= two[0] & two[1];
    }
    if (~all < (~std::uint64_t{0} - ids[0]) / ids.size()) { return true; }
    const auto not_less = [](GlobalId a, GlobalId b) { return a >= b; };
    return std::adjacent_find(ids.begin(), ids.end(), not_less) == ids.end();
}

/// A box, tested for four adjacent agents: takes one vector for each axis.
template <std::size_t Dim>
class BoxOfFour {
public:
    explicit BoxOfFour(const Box<Dim>& box) noexcept {
        for (std::size_t i = 0; i < 4 * Dim; ++i) {
            low_[i / 4][i % 4] = box.lo[i % Dim];
            high_[i / 4][i % 4] = box.hi[i % Dim];
        }
    }
    /// For each number all ones if it is within its bounds; else, and for NaN, zero.
    using Held = std::array<simd::Words4, Dim>;
    [[nodiscard]] Held held(const Point<Dim>* points) const noexcept {
        const auto* const numbers = reinterpret_cast<const float*>(points);
        Held held;
        for (std::size_t v = 0; v < Dim; ++v) {
            const simd::Floats4 four = simd::load_floats(numbers + 4 * v);
            held[v] = std::bit_cast<simd::Words4>((four >= low_[v]) & (four <= high_[v]));
        }
        return held;
    }

private:
    std::array<simd::Floats4, Dim> low_{}, high_{};
};

template <std::size_t Dim>
std::array<simd::Words4, Dim> both(const std::array<simd::Words4, Dim>& a,
                                   const std::array<simd::Words4, Dim>& b) noexcept {
    std::array<simd::Words4, Dim> both;
    for (std::size_t v = 0; v < Dim; ++v) {
        both[v] = a[v] & b[v];
    }
    return both;
}
template <std::size_t Dim>
bool all_ones(const std::array<simd::Words4, Dim>& words) noexcept {
    simd::Words4 all = words[0];
    for (std::size_t v = 1; v < Dim; ++v) {
        all &= words[v];
    }
    std::uint64_t half[2];
    std::memcpy(half, &all, sizeof half);
    return (half[0] & half[1]) == ~std::uint64_t{0};
}

} // namespace

template <std::size_t Dim>
Status ShareUpdate<Dim>::run() {
    if (!state_.configured) { // the other ranks must hear this, too
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
    if (!own.ok()) { // too late to refuse at once: the others get empty parcels
        for (Outgoing<Dim>& out : layout_.outgoing) {
            out.parcel = {};
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

/// A hash of what the arrays of a share must have in common on all ranks.
template <std::size_t Dim>
std::uint64_t ShareUpdate<Dim>::layout() {
    Fingerprint all;
    for_each_array([&](const detail::ShareArray& array) {
        all.add(2 * array.bytes + static_cast<std::uint64_t>(array.travels));
    });
    return all.value();
}

/// Owned agents are in the order of ids already, unless the user has changed it; births may not be.
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

template <std::size_t Dim>
Status ShareUpdate<Dim>::look() {
    if (const Status status = state_.allow(executor_); !status.ok()) { return status; }
    if (const Status status = mine_.check(state_.kind); !status.ok()) { return status; }
    if (const Status status = put_in_order(); !status.ok()) { return status; }
    if (agents() != 0) { // the last agent has the largest id
        const Id last = agent(agents() - 1);
        if (mine_.ids[last] >= kFirstGlobalStatic) {
            return {Cause::out_of_range, Argument::id, last};
        }
    }
    // A single rank sends nothing. The local grid refuses bad places itself, with the same index,
    // since arrays stay where they are.
    if (state_.ranks.size() == 1 && !state_.world.wraps && order_.empty() && mine_.ghosts_ == 0 &&
        !state_.kind.own_half_extents) {
        return {};
    }
    const std::size_t count = agents();
    seen_.resize((count + kBlock - 1) / kBlock);
    const Status looked = run_blocks(
        executor_, seen_.size(), [&](std::size_t block) { look_at(block, seen_[block]); },
        state_.claims, LoopCost::of(count, kLook));
    if (!looked.ok()) { return looked; }
    for (const Seen& seen : seen_) {
        if (!seen.fault.ok()) { return seen.fault; }
    }
    for (Outgoing<Dim>& out : layout_.outgoing) {
        out.movers.clear();
        out.ghosts.clear();
        out.moved.clear();
        out.places.clear();
    }
    for (const Seen& seen : seen_) {
        for (const Leaver& leaver : seen.leavers) {
            left_.push_back(leaver.at);
            to(leaver.to).movers.push_back(agent(leaver.at));
        }
        for (const Copy& copy : seen.copies) {
            to(copy.to).ghosts.push_back(copy.agent);
        }
        for (const auto& [copy, place] : seen.moved) {
            Outgoing<Dim>& out = to(copy.to);
            out.moved.push_back(copy.agent);
            out.places.push_back(place);
        }
    }
    return {};
}

template <std::size_t Dim>
void ShareUpdate<Dim>::look_at(std::size_t block, Seen& seen) const {
    const std::size_t end = std::min((block + 1) * kBlock, agents());
    for (std::size_t at = block * kBlock; at < end;) {
        // Takes together all agents that are adjacent in the arrays.
        std::size_t past = at + 1;
        if (order_.empty()) { past = at < mine_.owned_ ? std::min(end, mine_.owned_) : end; }
        if (state_.world.wraps) { wrap(at, past, seen); }
        look_along(at, past, seen);
        at = past;
    }
}

/// Moves adjacent agents into a periodic world.
template <std::size_t Dim>
void ShareUpdate<Dim>::wrap(std::size_t at, std::size_t past, Seen& seen) const {
    const BoxOfFour<Dim> inner(state_.world.without_borders(0.0)); // kept where they are
    const Id first = agent(at);
    for (Id id = first; id < first + (past - at);) {
        const auto some = static_cast<Id>(std::min<std::size_t>(first + (past - at) - id, 4));
        const Id end = id + some;
        if (some == 4 && all_ones(inner.held(&mine_.positions[id]))) { id = end; }
        for (; id < end; ++id) {
            Point<Dim>& place = mine_.positions[id];
            const Point<Dim> inside = state_.world.kept(place);
            if (inside == place) { continue; }
            seen.outsiders.push_back({id, place});
            place = inside;
        }
    }
}

/// Most agents reach nothing outside of the brick; four comparisons, or six, prove it. The outcome
/// of a single agent is hard to predict, so the loops do not branch on it.
template <std::size_t Dim>
void ShareUpdate<Dim>::look_along(std::size_t at, std::size_t past, Seen& seen) const {
    seen.copies.reserve(state_.stats.ghosts / seen_.size() + 64);
    const Id first = agent(at);
    const Point<Dim>* const places = mine_.positions.data() + first;
    const Point<Dim>* const half =
        state_.kind.own_half_extents ? mine_.half_extents.data() + first : nullptr;
    Box<Dim> extents; // half extents of small agents that ghosts allow
    for (std::size_t a = 0; a < Dim; ++a) {
        const float most = 0.5f * state_.reach;
        extents.hi[a] = 2.0f * most <= state_.reach ? std::min(most, state_.largest_small) : 0.0f;
    }
    const Box<Dim> inner = layout_.inner_places;
    const BoxOfFour<Dim> inner_of_four(inner), extents_of_four(extents);
    const std::size_t count = past - at;
    for (std::size_t begin = 0; begin < count; begin += kTogether) {
        const std::size_t end = std::min(begin + kTogether, count);
        std::array<std::uint32_t, kTogether> outer; // agents for which the inner box is no proof
        std::size_t found = 0;
        std::size_t i = begin;
        for (; i + 4 <= end; i += 4) {
            auto held = inner_of_four.held(places + i);
            if (half != nullptr) { held = both(held, extents_of_four.held(half + i)); }
            if (all_ones(held)) { continue; }
            std::array<std::uint32_t, 4 * Dim> words;
            std::memcpy(words.data(), held.data(), sizeof words);
            for (std::size_t k = 0; k < 4; ++k) {
                outer[found] = static_cast<std::uint32_t>(i + k);
                std::uint32_t plain = 1;
                for (std::size_t a = 0; a < Dim; ++a) {
                    plain &= words[k * Dim + a];
                }
                found += 1 - plain;
            }
        }
        for (; i < end; ++i) {
            outer[found++] = static_cast<std::uint32_t>(i);
        }
        for (std::size_t k = 0; k < found; ++k) {
            const std::size_t one = outer[k];
            const bool sound = half == nullptr || holds(extents, half[one]);
            if (sound && holds(layout_.own_places, places[one])) {
                for_each_that_holds(layout_.near_places, places[one], [&](std::uint32_t neighbour) {
                    seen.copies.push_back({first + static_cast<Id>(one), neighbour});
                });
            } else {
                const Status status = look_closely(at + one, seen);
                if (!status.ok() && seen.fault.ok()) { seen.fault = status; }
            }
        }
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
        if (state_.is_giant(half)) {
            copy_giant(at, seen);
            return {};
        }
        for (std::size_t a = 0; a < Dim; ++a) {
            if (2.0f * half[a] > state_.reach) {
                return {Cause::beyond_reach, Argument::half_extents, id};
            }
        }
    }
    if (state_.world.wraps) { copy_across(id, seen); }
    if (state_.ranks.size() == 1) { return {}; } // all cells are its own
    const std::array<std::uint32_t, Dim> cell = state_.cell_of(place);
    const Brick<Dim> near = state_.cells_near(place);
    bool own = !layout_.brick.empty(), alone = own;
    for (std::size_t a = 0; a < Dim; ++a) {
        const std::uint32_t first = layout_.brick.first[a], past = first + layout_.brick.cells[a];
        own = own && first <= cell[a] && cell[a] < past;
        alone = alone && first <= near.first[a] && near.first[a] + near.cells[a] <= past;
    }
    if (alone) { return {}; }
    const std::uint32_t here = state_.ranks.rank();
    const std::uint32_t owner = own ? here : layout_.cuts.owner_of(cell);
    if (owner != here) { seen.leavers.push_back({at, target(owner)}); }
    layout_.cuts.for_each_owner(near, [&](std::uint32_t rank) {
        if (rank != owner) { seen.copies.push_back({id, target(rank)}); }
    });
    return {};
}

/// Sends ghosts of an agent near a border to all ranks within reach of where it seems to be.
template <std::size_t Dim>
void ShareUpdate<Dim>::copy_across(Id id, Seen& seen) const {
    const Point<Dim>& place = mine_.positions[id];
    const NarrowCopies<Dim> copies(state_.world, place, state_.reach);
    for (std::size_t i = 1; i <= copies.count(); ++i) {
        const Point<Dim> there = detail::shifted(place, copies.offset(i));
        if (state_.ranks.size() == 1) {
            seen.moved.push_back({{id, target(0)}, there});
            continue;
        }
        layout_.cuts.for_each_owner(state_.cells_near(there), [&](std::uint32_t rank) {
            seen.moved.push_back({{id, target(rank)}, there});
        });
    }
}

/// Sends the giant to its owner, if that is another rank, and ghosts of it to all other ranks.
template <std::size_t Dim>
void ShareUpdate<Dim>::copy_giant(std::size_t at, Seen& seen) const {
    const Id id = agent(at);
    const std::uint32_t owner = layout_.cuts.owner_of(state_.cell_of(mine_.positions[id]));
    if (owner != state_.ranks.rank()) { seen.leavers.push_back({at, target(owner)}); }
    for (std::uint32_t rank = 0; rank < state_.ranks.size(); ++rank) {
        if (rank != owner) { seen.copies.push_back({id, target(rank)}); }
    }
}

template <std::size_t Dim>
std::uint32_t ShareUpdate<Dim>::target(std::uint32_t rank) const noexcept {
    const std::vector<std::uint32_t>& neighbours = layout_.neighbours;
    const auto at = std::lower_bound(neighbours.begin(), neighbours.end(), rank);
    if (at == neighbours.end() || *at != rank) { return kStranger | rank; }
    return static_cast<std::uint32_t>(at - neighbours.begin());
}

/// The list of agents for a target: a neighbour, this rank, or a rank that is no neighbour.
template <std::size_t Dim>
Outgoing<Dim>& ShareUpdate<Dim>::to(std::uint32_t target) {
    if ((target & kStranger) == 0) { return layout_.outgoing[target]; }
    const std::uint32_t rank = target - kStranger;
    if (rank == state_.ranks.rank()) { return staying_; }
    const auto stranger =
        std::lower_bound(strangers_.begin(), strangers_.end(), rank,
                         [](const Outgoing<Dim>& out, std::uint32_t r) { return out.to < r; });
    if (stranger != strangers_.end() && stranger->to == rank) { return *stranger; }
    Outgoing<Dim> out;
    out.to = rank;
    return *strangers_.insert(stranger, std::move(out));
}

template class ShareUpdate<2>;
template class ShareUpdate<3>;

} // namespace throng
