#include "state.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace throng {

namespace {

/// The names that go to each rank, as parcels.
class NameParcels {
public:
    void fill(std::span<const GlobalId> names, std::size_t owned, std::size_t ghosts,
              std::uint32_t ranks) {
        std::vector<std::vector<GlobalId>> to(ranks);
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (i >= owned && i < owned + ghosts) { continue; }
            Fingerprint place;
            place.add(names[i]);
            to[place.value() % ranks].push_back(names[i]);
        }
        names_.swap(to);
        parcels_.reserve(ranks);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            if (names_[rank].empty()) { continue; }
            parcels_.push_back({rank, std::as_bytes(std::span<const GlobalId>(names_[rank]))});
        }
    }
    [[nodiscard]] std::span<const Parcel> parcels() const noexcept { return parcels_; }

private:
    std::vector<std::vector<GlobalId>> names_; ///< by rank
    std::vector<Parcel> parcels_;
};

Status look_for_twins(std::span<const Arrival> arrivals) {
    std::size_t bytes = 0;
    for (const Arrival& arrival : arrivals) {
        if (arrival.bytes.size() % sizeof(GlobalId) != 0) {
            return {Cause::count_mismatch, Argument::arrays, arrival.from};
        }
        bytes += arrival.bytes.size();
    }
    Vector<GlobalId> all(bytes / sizeof(GlobalId));
    std::size_t at = 0;
    for (const Arrival& arrival : arrivals) {
        if (arrival.bytes.empty()) { continue; }
        std::memcpy(all.data() + at, arrival.bytes.data(), arrival.bytes.size());
        at += arrival.bytes.size() / sizeof(GlobalId);
    }
    std::sort(all.begin(), all.end());
    const auto twin = std::adjacent_find(all.begin(), all.end());
    return twin == all.end() ? Status{} : Status{Cause::id_taken, Argument::id, *twin};
}

} // namespace

template <std::size_t Dim>
Status DistributedGrid<Dim>::State::check_names(const Share<Dim>& mine) {
    if (ranks.size() == 1) { return {}; } // update() finds equal names on one rank
    NameParcels going;
    Status own = without_throwing([&] {
        going.fill(mine.ids, mine.owned(), mine.ghosts(), ranks.size());
        return Status{};
    });
    const Status agreed = settle(next_call(DistributedCall::check_names), own);
    if (!agreed.ok()) { return agreed; }
    std::vector<Arrival> came;
    own = without_throwing([&] { return ranks.route(going.parcels(), came); });
    if (own.cause == Cause::rank_lost) { return own; }
    if (own.ok()) {
        own = without_throwing([&] { return look_for_twins(came); });
    }
    return settle(next_call(DistributedCall::check_names), own);
}

template <std::size_t Dim>
Status DistributedGrid<Dim>::name(Share<Dim>& mine) {
    const std::size_t count = mine.positions.size(), named = mine.ids.size();
    std::vector<std::uint64_t> all;
    const Status own = without_throwing([&] {
        if (named > count) { return Status{Cause::count_mismatch, Argument::positions}; }
        mine.ids.reserve(count);
        all.resize(std::size_t{2} * state_->ranks.size());
        return Status{};
    });
    const Status agreed = state_->settle(state_->next_call(DistributedCall::name), own);
    if (!agreed.ok()) { return agreed; }
    constexpr GlobalId kPast = kFirstGlobalStatic;
    // The words of each rank: the first number after its names, and its number of agents without a
    // name.
    const auto largest = std::max_element(mine.ids.begin(), mine.ids.end());
    const std::array<std::uint64_t, 2> here = {named == 0 ? 0 : std::min(*largest, kPast - 1) + 1,
                                               count - named};
    const Status gathered = or_lost([&] { return state_->ranks.gather(here, all); });
    if (!gathered.ok()) { return gathered; }
    GlobalId next = 0, before = 0, wanted = 0;
    for (std::uint32_t rank = 0; rank < state_->ranks.size(); ++rank) {
        next = std::max(next, all[2 * rank]);
        before += rank < state_->ranks.rank() ? all[2 * rank + 1] : 0;
        wanted += all[2 * rank + 1];
    }
    // All ranks have the same numbers here, so all refuse or none.
    if (wanted > kPast - next) { return {Cause::too_many, Argument::id}; }
    for (std::size_t i = named; i < count; ++i) {
        mine.ids.push_back(next + before++); // there is room
    }
    return {};
}

template Status DistributedGrid<2>::name(Share<2>&);
template Status DistributedGrid<3>::name(Share<3>&);
template Status DistributedGrid<2>::State::check_names(const Share<2>&);
template Status DistributedGrid<3>::State::check_names(const Share<3>&);

} // namespace throng
