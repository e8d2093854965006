// The host's keys of agents with handles, and answers in keys.
#include "../crowd.hpp"

#include "../../memory/checked_loop.hpp"
#include "key_column.hpp"
#include "state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

namespace {

/// Ids in a block: enough to hide the cost of handing it to a thread.
constexpr std::size_t kIdsInBlock = 4096;
/// Rough cost of an id: it only decides how many threads to use.
constexpr double kNanosecondsPerId = 1.0;

} // namespace

template <std::size_t Dim>
void Crowd<Dim>::State::prepare_keys(std::span<const Id> slots) {
    if (slots.empty()) { return; }
    const std::size_t needed = *std::max_element(slots.begin(), slots.end()) + std::size_t{1};
    if (needed > keys.capacity()) { keys.reserve(std::max(needed, 2 * keys.capacity())); }
}

template <std::size_t Dim>
void Crowd<Dim>::State::put_key(Id slot, std::uint64_t key) noexcept {
    if (slot >= keys.size()) {
        if (key == 0) { return; }
        keys.resize(slot + std::size_t{1}); // within the capacity
    }
    keys[slot] = key;
}

template <std::size_t Dim>
Status Crowd<Dim>::set_keys(std::span<const Handle> handles, std::span<const std::uint64_t> keys) {
    return state_->changing("Crowd::set_keys", [&]() -> Status {
        State& state = *state_;
        if (keys.size() != handles.size()) { return {Cause::count_mismatch, Argument::keys}; }
        if (const Status status = state.check_handles(handles); !status.ok()) { return status; }
        Id last = 0;
        for (const Handle& handle : handles) {
            last = std::max(last, handle.slot);
        }
        if (!handles.empty()) { state.prepare_keys({&last, 1}); }
        for (std::size_t i = 0; i < handles.size(); ++i) {
            state.put_key(handles[i].slot, keys[i]);
        }
        return {};
    });
}

template <std::size_t Dim>
std::uint64_t Crowd<Dim>::key_of(Id id) const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return KeyColumn(state_->keys)[id];
}

template <std::size_t Dim>
std::span<const std::uint64_t> Crowd<Dim>::keys_by_slot() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->keys;
}

template <std::size_t Dim>
Status Crowd<Dim>::keys(std::span<const Id> ids, std::span<std::uint64_t> out,
                        Executor& executor) const {
    const AccessCheck::Reading reading(state_->access);
    const std::size_t count = ids.size();
    if (out.size() < count) { return {Cause::no_room, Argument::keys, count}; }
    const KeyColumn column(state_->keys);
    const auto write = [&](std::size_t block) {
        const std::size_t begin = block * kIdsInBlock;
        const auto some = ids.subspan(begin, std::min(kIdsInBlock, count - begin));
        column.write(some, out.data() + begin);
    };
    const std::size_t blocks = (count + kIdsInBlock - 1) / kIdsInBlock;
    if (blocks <= 1) { // needs neither memory nor the executor
        write(0);
        return {};
    }
    LoopClaims claims;
    claims.prepare(blocks);
    return run_blocks(executor, blocks, write, claims, LoopCost::of(count, kNanosecondsPerId));
}

template <std::size_t Dim>
Status Crowd<Dim>::keys(const Hits& hits, KeyHits& out, Executor& executor) const {
    const auto total = static_cast<std::size_t>(hits.total());
    out.offsets = hits.offsets;
    if (out.keys.size() < total) {
        out.keys.clear(); // so that growing copies nothing
        out.keys.resize(total);
    }
    return keys(std::span(hits.ids).first(total), out.keys, executor);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void Crowd<Dim>::State::prepare_keys(std::span<const Id>);                            \
    template void Crowd<Dim>::State::put_key(Id, std::uint64_t) noexcept;                          \
    template Status Crowd<Dim>::set_keys(std::span<const Handle>, std::span<const std::uint64_t>); \
    template std::uint64_t Crowd<Dim>::key_of(Id) const noexcept;                                  \
    template std::span<const std::uint64_t> Crowd<Dim>::keys_by_slot() const noexcept;             \
    template Status Crowd<Dim>::keys(std::span<const Id>, std::span<std::uint64_t>, Executor&)     \
        const;                                                                                     \
    template Status Crowd<Dim>::keys(const Hits&, KeyHits&, Executor&) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
