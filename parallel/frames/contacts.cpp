#include "contacts.hpp"

#include "../../engine/core/profile_scope.hpp"
#include "../../engine/crowd/store/state.hpp"
#include "../batch/batch.hpp"
#include "pair_frames.hpp"

#include <algorithm>
#include <utility>

namespace throng {

template <std::size_t Dim>
struct Contacts<Dim>::State {
    Executor* executor;
    Batch<Dim> batch;
    PairFrames frames;
    Pairs near; // the pairs within a radius, listed by the batch
    LoopClaims claims;
    THRONG_NO_UNIQUE_ADDRESS AccessCheck serving;

    explicit State(Executor& borrowed) : executor(&borrowed), batch(borrowed) {}

    /// Only the serial executor rules out that another thread places pairs; an executor's threads()
    /// or kind() does not.
    [[nodiscard]] bool alone() const noexcept { return executor == &serial_executor(); }

    void expect_idle() noexcept { const AccessCheck::Serving going(serving); }

    void name_agents(const Crowd<Dim>* crowd) {
        AgentNames& names = frames.next_names();
        names.owner = 0;
        if (crowd == nullptr) { return; }
        const auto& inside = detail::state_of(*crowd);
        if (!inside.named_by_handles) { return; }
        names.owner = inside.handles.owner();
        names.slots = inside.handles.bound();
        if (names.generations.size() < names.slots) {
            names.generations.resize(names.slots + names.slots / 8);
        }
        inside.handles.generations(names.generations);
    }

    /// Hands the pairs that overlap to the frame, straight from the cache.
    Found place_overlapping(const PairsOf<Dim>& all, std::uint32_t groups, Body body) {
        const bool by_one = alone();
        const auto place = [&](std::size_t, std::span<const Id> first, std::span<const Id> second) {
            frames.place(first, second, by_one);
            return true;
        };
        return batch.visit_pairs(all, place, groups, body);
    }
    Found place_near() {
        constexpr std::size_t kRun = 16'384;
        constexpr double kNanosecondsAPair = 2.0;
        const bool by_one = alone();
        const auto place = [&](std::size_t block) {
            const std::size_t begin = block * kRun;
            const std::size_t count = std::min<std::size_t>(kRun, near.count - begin);
            frames.place(std::span<const Id>(near.first).subspan(begin, count),
                         std::span<const Id>(near.second).subspan(begin, count), by_one);
        };
        const Status status = run_blocks(*executor, (near.count + kRun - 1) / kRun, place, claims,
                                         LoopCost::of(near.count, kNanosecondsAPair));
        return Found::of(near.count, status);
    }

    /// Makes the next frame from the pairs that place() hands to `frames`.
    template <class Place>
    Status take(const PairsOf<Dim>& all, const Place& place) {
        if (all.others != nullptr) { return {Cause::out_of_range, Argument::others}; }
        frames.begin(all.crowd != nullptr ? all.crowd->grid().id_bound() : all.grid->id_bound());
        do {
            const Found found = place();
            if (!found.status.ok()) { return found.status; }
            if (found.count > kMostPairs) { return {Cause::too_many, Argument::none, kMostPairs}; }
        } while (frames.make_room());
        name_agents(all.crowd);
        return frames.finish(*executor);
    }
};

template <std::size_t Dim>
Contacts<Dim>::Contacts(Executor& executor) : state_(detail::make_state<State>(executor)) {}

template <std::size_t Dim>
Status Contacts<Dim>::update(const PairsOf<Dim>& all, std::uint32_t groups, Body body) {
    const ProfileScope profiled("Contacts::update");
    State& state = *state_;
    [[maybe_unused]] const AccessCheck::Serving serving(state.serving);
    return state.take(all, [&] { return state.place_overlapping(all, groups, body); });
}
template <std::size_t Dim>
Status Contacts<Dim>::update_within(const PairsOf<Dim>& all, float radius, std::uint32_t groups,
                                    Body body) {
    const ProfileScope profiled("Contacts::update");
    State& state = *state_;
    [[maybe_unused]] const AccessCheck::Serving serving(state.serving);
    const Status status = state.batch.pairs_within(all, radius, state.near, groups, body);
    return status.ok() ? state.take(all, [&] { return state.place_near(); }) : status;
}

template <std::size_t Dim>
std::span<const Contact> Contacts<Dim>::pairs() const noexcept {
    const PairFrames::Frame& frame = state_->frames.last();
    return {frame.pairs.data(), frame.count};
}
template <std::size_t Dim>
std::span<const std::uint32_t> Contacts<Dim>::previous() const noexcept {
    const PairFrames::Frame& frame = state_->frames.last();
    return {frame.previous.data(), frame.count};
}
template <std::size_t Dim>
std::span<const std::uint32_t> Contacts<Dim>::began() const noexcept {
    const PairFrames::Frame& frame = state_->frames.last();
    return {frame.began.data(), frame.begins};
}
template <std::size_t Dim>
std::span<const Contact> Contacts<Dim>::ended() const noexcept {
    const PairFrames::Frame& frame = state_->frames.last();
    return {frame.ended.data(), frame.ends};
}
template <std::size_t Dim>
std::span<const std::uint32_t> Contacts<Dim>::ended_previous() const noexcept {
    const PairFrames::Frame& frame = state_->frames.last();
    return {frame.ended_previous.data(), frame.ends};
}

template <std::size_t Dim>
void Contacts<Dim>::clear() noexcept {
    [[maybe_unused]] const AccessCheck::Serving serving(state_->serving);
    state_->frames.clear();
}
template <std::size_t Dim>
std::size_t Contacts<Dim>::memory() const noexcept {
    return state_->batch.memory() + state_->frames.memory() + state_->claims.memory() +
           (state_->near.first.capacity() + state_->near.second.capacity()) * sizeof(Id);
}
template <std::size_t Dim>
void Contacts<Dim>::release() noexcept {
    [[maybe_unused]] const AccessCheck::Serving serving(state_->serving);
    state_->batch.release();
    state_->frames.release();
    std::vector<Id>().swap(state_->near.first);
    std::vector<Id>().swap(state_->near.second);
    state_->near.count = 0;
    state_->claims = {};
}

template class Contacts<2>;
template class Contacts<3>;

} // namespace throng
