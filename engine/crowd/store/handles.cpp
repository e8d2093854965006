// Agents of a crowd that are named by handles.
#include "../crowd.hpp"

#include "state.hpp"

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
Status Crowd<Dim>::add(const Agent<Dim>& agent, Handle& handle) {
    return state_->changing("Crowd::add", [&]() -> Status {
        State& state = *state_;
        if (!state.named_by_handles && state.size() != 0) {
            return {Cause::other_names, Argument::handle};
        }
        Id slot = kNoId;
        if (!state.handles.next_slots({&slot, 1})) { return {Cause::too_many, Argument::handle}; }
        // Inserts the agent before it makes the handle: a refused agent then costs its slot no
        // generation.
        const Status status = state.insert(slot, agent);
        if (!status.ok()) { return status; }
        handle = state.handles.add();
        state.named_by_handles = true;
        return {};
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::add(std::span<const Agent<Dim>> agents, std::span<Handle> handles,
                       Executor& executor) {
    return state_->changing("Crowd::add", [&]() -> Status {
        State& state = *state_;
        if (handles.size() != agents.size()) { return {Cause::count_mismatch, Argument::handle}; }
        if (!state.named_by_handles && state.size() != 0) {
            return {Cause::other_names, Argument::handle};
        }
        Vector<Id> slots(agents.size());
        if (!state.handles.next_slots(slots)) { return {Cause::too_many, Argument::handle}; }
        Vector<Edit<Dim>> edits(agents.size());
        for (std::size_t i = 0; i < agents.size(); ++i) {
            edits[i] = Edit<Dim>::insert(slots[i], agents[i]);
        }
        Status status = state.change(edits, executor);
        if (status.ok()) { status = state.handles.add(handles); }
        state.named_by_handles = state.named_by_handles || (status.ok() && !agents.empty());
        return status;
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::remove(Handle handle) {
    return state_->changing("Crowd::remove", [&]() -> Status {
        State& state = *state_;
        Status status = state.handles.check(handle);
        if (status.ok()) { status = state.erase(handle.slot); }
        if (status.ok()) { status = state.handles.remove(handle); }
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
        return status.ok() ? state.handles.remove(handles) : status;
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
    template Status Crowd<Dim>::add(std::span<const Agent<Dim>>, std::span<Handle>, Executor&);    \
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
