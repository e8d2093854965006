// Replaces all agents of a crowd by agents that the host names, in an order of its own.
#include "named_update.hpp"

#include "../../agents/validation.hpp"
#include "../../memory/atomic_of.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

namespace throng {

namespace {

/// Agents are brought to their places in blocks of this many.
constexpr std::size_t kNamedInBlock = 4096;

/// Nanoseconds for an agent that is brought to its place.
constexpr double kPlace = 2.5;

/// So many of them at a time: their ids stay in the first-level cache.
constexpr std::size_t kPlaced = 1024;

/// A word of the same size, for atomic writes.
template <class Value>
using word_of = std::conditional_t<sizeof(Value) == 4, std::uint32_t, std::uint64_t>;

/// Writes values first, first + 1 ... to the places of these ids.
template <class Value, class Word>
void place_values(const ValueView<Value>& values, std::size_t first, std::span<const Id> ids,
                  Word* to) noexcept {
    const auto place = [&](std::ptrdiff_t stride) {
        const char* at =
            static_cast<const char*>(values.data) + static_cast<std::ptrdiff_t>(first) * stride;
        for (const Id id : ids) {
            Word word;
            std::memcpy(&word, at, sizeof word);
            atomic_of(to[id]).store(word, std::memory_order_relaxed);
            at += stride;
        }
    };
    // Twice as fast if the compiler knows the stride.
    if (values.stride == sizeof(Value)) { return place(sizeof(Value)); }
    place(values.stride);
}

/// The ids that names first ... first + count - 1 are; `slots` has room for those of handles.
std::span<const Id> ids_of(const Names& names, std::size_t first, std::size_t count,
                           std::array<Id, kPlaced>& slots) noexcept {
    if (!names.by_handle) { return {static_cast<const Id*>(names.ids.data) + first, count}; }
    for (std::size_t i = 0; i < count; ++i) {
        slots[i] = names.handles[first + i].slot;
    }
    return {slots.data(), count};
}

constexpr std::size_t blocks_of(std::size_t count) noexcept {
    return (count + kNamedInBlock - 1) / kNamedInBlock;
}

/// An array in words of scratch.
template <class Value>
Value* array_in(const WordBuffer& words, std::size_t number, std::size_t ids) noexcept {
    return reinterpret_cast<Value*>(words.data()) + number * ids;
}

} // namespace

template <std::size_t Dim>
template <class All>
Status Crowd<Dim>::State::replace_named(const All& agents, const Names& names, Executor& executor) {
    return changing("Crowd::update", [&] {
        NamedUpdate<Dim, All> update(*this, agents, names, executor);
        return run_sequence(update, claims, executor);
    });
}

template <std::size_t Dim, class All>
NamedUpdate<Dim, All>::NamedUpdate(State& state, const All& agents, const Names& names,
                                   Executor& executor) noexcept
    : state_(state), given_(agents), names_(names), executor_(executor), arrays_(state.named) {}

template <std::size_t Dim, class All>
Status NamedUpdate<Dim, All>::next(Loop& loop) {
    loop = {};
    while (step_ != Step::update && loop.blocks == 0) {
        if (const Status status = advance(loop); !status.ok()) { return status; }
    }
    if (step_ != Step::update) { return {}; }
    const Status status = update_->next(loop);
    return status.ok() ? status : with_index_given(status);
}

template <std::size_t Dim, class All>
Status NamedUpdate<Dim, All>::advance(Loop& loop) {
    switch (step_) {
    case Step::none:
        step_ = Step::place;
        return begin(loop);
    case Step::place:
        step_ = Step::update;
        return begin_updating();
    case Step::update:
        break;
    }
    return {};
}

template <std::size_t Dim, class All>
void NamedUpdate<Dim, All>::run(std::size_t block) noexcept {
    if (step_ == Step::place) {
        place_block(block);
    } else {
        update_->run(block);
    }
}

template <std::size_t Dim, class All>
Status NamedUpdate<Dim, All>::begin(Loop& loop) {
    if (const Status status = check_given(); !status.ok()) { return status; }
    if (const Status status = check_names(); !status.ok()) { return status; }
    const std::size_t names = names_.count();
    ids_ = names_.by_handle ? state_.handles.bound() : 0;
    if (!names_.by_handle && names != 0) {
        const auto* const ids = static_cast<const Id*>(names_.ids.data);
        const Id last = *std::max_element(ids, ids + names);
        if (last >= kMostInCrowd) {
            const auto at =
                std::find_if(ids, ids + names, [](Id id) { return id >= kMostInCrowd; });
            return {Cause::too_many, Argument::names, static_cast<std::size_t>(at - ids)};
        }
        ids_ = std::size_t{last} + 1;
    }
    kind_ = kind_of(with_positions(any_positions()));
    try {
        const std::uint64_t elements = std::uint64_t{ids_} * Dim;
        arrays_.positions.reserve(length_of(elements * (sizeof(Float) / sizeof(std::uint32_t))));
        if (kind_.own_half_extents) { arrays_.half_extents.reserve(length_of(elements)); }
        if (kind_.groups) { arrays_.groups.reserve(ids_); }
        arrays_.is_there.assign(ids_, 0);
    } catch (const std::bad_alloc&) {
        arrays_ = NamedArrays(); // else scratch kept for large ids would leave no memory
        throw;
    }
    loop = {blocks_of(names), LoopCost::of(names, kPlace)};
    return {};
}

/// Checks the views; the update checks the values.
template <std::size_t Dim, class All>
Status NamedUpdate<Dim, All>::check_given() const noexcept {
    if constexpr (std::is_same_v<All, WorldAgents<Dim>>) {
        const Status status = State::check_far(given_);
        if (!status.ok()) { return status; }
    }
    return check_views(with_positions(any_positions()));
}

template <std::size_t Dim, class All>
Status NamedUpdate<Dim, All>::check_names() const noexcept {
    const std::size_t count = given_.positions.count;
    if (const Status status = state_.check_names(names_, count); !status.ok()) { return status; }
    if (names_.by_handle) {
        if (!state_.named_by_handles && count == 0 && state_.size() != 0) {
            return {Cause::other_names, Argument::handle};
        }
        // Who is not named would be left without a position.
        const std::size_t living = state_.handles.size();
        return count < living ? Status{Cause::count_mismatch, Argument::handle, living} : Status{};
    }
    return {};
}

/// Writes what the agents of a block have to the places of their ids. If a name comes twice,
/// either agent may win: the update is then refused.
template <std::size_t Dim, class All>
void NamedUpdate<Dim, All>::place_block(std::size_t block) noexcept {
    const std::size_t begin = block * kNamedInBlock;
    const std::size_t end = std::min(begin + kNamedInBlock, names_.count());
    for (std::size_t i = begin; names_.by_handle && i < end; ++i) {
        if (!state_.handles.check(names_.handles[i]).ok()) {
            return sound_.store(false, std::memory_order_relaxed);
        }
    }
    for (std::size_t first = begin; first < end; first += kPlaced) {
        const std::size_t count = std::min(end - first, kPlaced);
        std::array<Id, kPlaced> slots;
        const std::span<const Id> ids = ids_of(names_, first, count, slots);
        std::uint8_t* const is_there = arrays_.is_there.data();
        for (const Id id : ids) {
            atomic_of(is_there[id]).store(1, std::memory_order_relaxed);
        }
        const auto place = [&](const auto& values, const WordBuffer& to, std::size_t number) {
            place_values(values, first, ids,
                         array_in<word_of<decltype(values[0])>>(to, number, ids_));
        };
        for (std::size_t a = 0; a < Dim; ++a) {
            place(given_.positions.values(a), arrays_.positions, a);
            if (kind_.own_half_extents) {
                place(given_.half_extents.values(a), arrays_.half_extents, a);
            }
        }
        if (kind_.groups) { place(given_.groups, arrays_.groups, 0); }
    }
}

template <std::size_t Dim, class All>
Status NamedUpdate<Dim, All>::begin_updating() {
    if (!sound_) { return state_.check_handles(names_); }
    const Vector<std::uint8_t>& is_there = arrays_.is_there;
    const auto missing =
        static_cast<std::size_t>(std::count(is_there.begin(), is_there.end(), std::uint8_t{0}));
    if (ids_ - missing != names_.count()) { return fault_of_twice(); }
    arrays_.missing.clear();
    for (std::size_t id = 0; id < ids_ && missing != 0; ++id) {
        if (is_there[id] != 0) { continue; }
        arrays_.missing.push_back(static_cast<Id>(id));
        // An update may read the positions of ids without agents.
        for (std::size_t a = 0; a < Dim; ++a) {
            array_in<Float>(arrays_.positions, a, ids_)[id] = 0;
        }
    }
    // Cells must not be fitted to ids without agents.
    if (!state_.configured) {
        if (const Status status = keep_given(); !status.ok()) { return status; }
    }
    const NamedAgents<Dim> named = {arrays_.missing, kept_};
    update_.emplace(state_, by_id(), named, executor_);
    return {};
}

/// The given agents in their order, as the crowd keeps them.
template <std::size_t Dim, class All>
Status NamedUpdate<Dim, All>::keep_given() {
    const Status status = state_.keep(given_.positions, kept_positions_, executor_);
    kept_ = with_positions(view_of(kept_positions_, given_.positions.count));
    return status;
}

/// The agents by id.
template <std::size_t Dim, class All>
All NamedUpdate<Dim, All>::by_id() const noexcept {
    if (ids_ == 0) { return given_; } // scratch may be null then, but views say what agents have
    const auto axes = [&]<class Value>(const WordBuffer& words, Value) {
        std::array<const Value*, Dim> axis;
        for (std::size_t a = 0; a < Dim; ++a) {
            axis[a] = array_in<Value>(words, a, ids_);
        }
        return StridedPoints<Value, Dim>::separate(axis, ids_);
    };
    All agents = given_;
    agents.positions = axes(arrays_.positions, Float{});
    if (kind_.own_half_extents) { agents.half_extents = axes(arrays_.half_extents, float{}); }
    if (kind_.groups) { agents.groups = {arrays_.groups.data(), sizeof(std::uint32_t), ids_}; }
    return agents;
}

/// The first name that came before.
template <std::size_t Dim, class All>
Status NamedUpdate<Dim, All>::fault_of_twice() noexcept {
    Vector<std::uint8_t>& is_there = arrays_.is_there;
    std::fill(is_there.begin(), is_there.end(), std::uint8_t{0});
    std::size_t i = 0;
    while (std::exchange(is_there[names_.ids[i]], std::uint8_t{1}) == 0) {
        ++i;
    }
    return {names_.by_handle ? Cause::handle_stale : Cause::id_taken, argument_of(names_), i};
}

/// The update numbers agents by id. Its status, with the index of the first agent at fault.
template <std::size_t Dim, class All>
Status NamedUpdate<Dim, All>::with_index_given(const Status& status) {
    if (status.argument != Argument::positions && status.argument != Argument::half_extents) {
        return status;
    }
    if (const Status kept = keep_given(); !kept.ok()) { return kept; }
    const Status fault = check_agents(kept_);
    return fault.ok() ? status : fault;
}

template <std::size_t Dim>
Status Crowd<Dim>::replace(const Agents<Dim>& agents, const Names& names, Executor& executor) {
    return state_->replace_named(agents, names, executor);
}

template <std::size_t Dim>
Status Crowd<Dim>::replace(const WorldAgents<Dim>& agents, const Names& names, Executor& executor) {
    return state_->replace_named(agents, names, executor);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template class NamedUpdate<Dim, Agents<Dim>>;                                                  \
    template class NamedUpdate<Dim, WorldAgents<Dim>>;                                             \
    template Status Crowd<Dim>::replace(const Agents<Dim>&, const Names&, Executor&);              \
    template Status Crowd<Dim>::replace(const WorldAgents<Dim>&, const Names&, Executor&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
