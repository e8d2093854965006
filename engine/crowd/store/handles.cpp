// Agents of a crowd that are named by handles.
#include "../crowd.hpp"

#include "state.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

template <std::size_t Dim>
Status Crowd<Dim>::State::check_names(const Names& names, std::size_t count) const noexcept {
    if (names.count() != count) { return {Cause::count_mismatch, argument_of(names)}; }
    // Where agents have ids, each handle is a foreign one.
    const bool other = !names.by_handle && named_by_handles;
    return other ? Status{Cause::other_names, Argument::names} : Status{};
}

template <std::size_t Dim>
Status Crowd<Dim>::State::check_handles(const Names& names) const noexcept {
    for (std::size_t i = 0; i < names.handles.size(); ++i) {
        const Status status = handles.check(names.handles[i]);
        if (!status.ok()) { return {status.cause, Argument::handle, i}; }
    }
    return {};
}

template <std::size_t Dim>
Status Crowd<Dim>::State::add(const Agent<Dim>& agent, Handle& handle, const std::uint64_t* given) {
    if (!named_by_handles && size() != 0) { return {Cause::other_names, Argument::handle}; }
    Id slot = kNoId;
    if (!handles.next_slots({&slot, 1})) { return {Cause::too_many, Argument::handle}; }
    if (given != nullptr) { prepare_keys({&slot, 1}); }
    // Inserts the agent before it makes the handle: a refused agent then costs its slot no
    // generation.
    const Status status = insert(slot, agent);
    if (!status.ok()) { return status; }
    handle = handles.add();
    named_by_handles = true;
    if (given != nullptr) { put_key(slot, *given); }
    return {};
}

template <std::size_t Dim>
Status Crowd<Dim>::State::add(std::span<const Agent<Dim>> agents, std::span<Handle> to,
                              const std::uint64_t* given, Executor& executor) {
    if (to.size() != agents.size()) { return {Cause::count_mismatch, Argument::handle}; }
    if (!named_by_handles && size() != 0) { return {Cause::other_names, Argument::handle}; }
    Vector<Id> slots(agents.size());
    if (!handles.next_slots(slots)) { return {Cause::too_many, Argument::handle}; }
    if (given != nullptr) { prepare_keys(slots); }
    Vector<Edit<Dim>> edits(agents.size());
    for (std::size_t i = 0; i < agents.size(); ++i) {
        edits[i] = Edit<Dim>::insert(slots[i], agents[i]);
    }
    Status status = change(edits, executor);
    if (status.ok()) { status = handles.add(to); }
    if (!status.ok()) { return status; }
    named_by_handles = named_by_handles || !agents.empty();
    for (std::size_t i = 0; i < slots.size() && given != nullptr; ++i) {
        put_key(slots[i], given[i]);
    }
    return {};
}

template <std::size_t Dim>
Status Crowd<Dim>::add(const Agent<Dim>& agent, Handle& handle) {
    return state_->changing("Crowd::add", [&] { return state_->add(agent, handle, nullptr); });
}

template <std::size_t Dim>
Status Crowd<Dim>::add(const Agent<Dim>& agent, Handle& handle, std::uint64_t key) {
    return state_->changing("Crowd::add", [&] { return state_->add(agent, handle, &key); });
}

template <std::size_t Dim>
Status Crowd<Dim>::add(std::span<const Agent<Dim>> agents, std::span<Handle> handles,
                       Executor& executor) {
    return state_->changing("Crowd::add",
                            [&] { return state_->add(agents, handles, nullptr, executor); });
}

template <std::size_t Dim>
Status Crowd<Dim>::add(std::span<const Agent<Dim>> agents, std::span<Handle> handles,
                       std::span<const std::uint64_t> keys, Executor& executor) {
    return state_->changing("Crowd::add", [&]() -> Status {
        if (keys.size() != agents.size()) { return {Cause::count_mismatch, Argument::keys}; }
        return state_->add(agents, handles, keys.data(), executor);
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::remove(Handle handle) {
    return state_->changing("Crowd::remove", [&]() -> Status {
        State& state = *state_;
        Status status = state.handles.check(handle);
        if (status.ok()) { status = state.erase(handle.slot); }
        if (status.ok()) { status = state.handles.remove(handle); }
        if (status.ok()) { state.put_key(handle.slot, 0); }
        return status;
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::remove(std::span<const Handle> handles, Executor& executor) {
    return state_->changing("Crowd::remove", [&]() -> Status {
        State& state = *state_;
        Vector<Edit<Dim>> edits(handles.size());
        for (std::size_t i = 0; i < handles.size(); ++i) {
            Status status = state.handles.check(handles[i]);
            status.index = i;
            if (!status.ok()) { return status; }
            edits[i] = Edit<Dim>::erase(handles[i].slot);
        }
        const Status status = state.change(edits, executor);
        if (status.cause == Cause::id_unknown) {
            return {Cause::handle_stale, Argument::handle, status.index}; // the handle came twice
        }
        if (!status.ok()) { return status; }
        for (const Handle& handle : handles) {
            state.put_key(handle.slot, 0);
        }
        return state.handles.remove(handles);
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::move(Handle handle, const Point<Dim>& position) {
    return state_->changing("Crowd::move", [&]() -> Status {
        const Status status = state_->handles.check(handle);
        return status.ok() ? state_->move(handle.slot, position) : status;
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::check(Handle handle) const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->handles.check(handle);
}

template <std::size_t Dim>
Handle Crowd<Dim>::handle_of(Id id) const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->handles.of(id);
}

template <std::size_t Dim>
std::size_t Crowd<Dim>::slots() const noexcept {
    const AccessCheck::Reading reading(state_->access);
    return state_->handles.bound();
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status Crowd<Dim>::State::check_names(const Names&, std::size_t) const noexcept;      \
    template Status Crowd<Dim>::State::check_handles(const Names&) const noexcept;                 \
    template Status Crowd<Dim>::add(const Agent<Dim>&, Handle&);                                   \
    template Status Crowd<Dim>::add(const Agent<Dim>&, Handle&, std::uint64_t);                    \
    template Status Crowd<Dim>::add(std::span<const Agent<Dim>>, std::span<Handle>, Executor&);    \
    template Status Crowd<Dim>::add(std::span<const Agent<Dim>>, std::span<Handle>,                \
                                    std::span<const std::uint64_t>, Executor&);                    \
    template Status Crowd<Dim>::remove(Handle);                                                    \
    template Status Crowd<Dim>::remove(std::span<const Handle>, Executor&);                        \
    template Status Crowd<Dim>::move(Handle, const Point<Dim>&);                                   \
    template Status Crowd<Dim>::check(Handle) const noexcept;                                      \
    template Handle Crowd<Dim>::handle_of(Id) const noexcept;                                      \
    template std::size_t Crowd<Dim>::slots() const noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
