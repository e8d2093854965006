#include "../published_crowd.hpp"

#include "../../core/access.hpp"
#include "../../memory/memory_scope.hpp"
#include "../store/state.hpp"
#include "edit_log.hpp"

namespace throng {

namespace {

/// The most that a frame may have missed, in edits and lists, to be edited and not copied. An edit
/// takes as long as copying about 32 agents: bench/changes_of_crowds.cpp.
constexpr std::size_t most_missed(std::size_t agents) noexcept { return agents / 32 + 16; }

} // namespace

template <std::size_t Dim>
PublishedCrowd<Dim>::PublishedCrowd() : log_(detail::make_state<EditLog<Dim>>()) {}

template <std::size_t Dim>
Status PublishedCrowd<Dim>::configure(const CrowdSettings<Dim>& settings,
                                      const CrowdKind<Dim>& kind) {
    const Status status = like_.configure(settings, kind);
    if (status.ok()) {
        has_last_ = false;
        log_->restart(); // frames of before know none of the agents to come
    }
    return status;
}

/// Publishes the next frame: after change(frame), which has the frame as it was when it was last
/// used, and note(), which tells the log how its agents came.
template <std::size_t Dim>
template <class Change, class Note>
Status PublishedCrowd<Dim>::publish(const Change& change, const Note& note) {
    const auto attempt = [&] {
        return with_own_memory(like_.settings().memory, [&] {
            Crowd<Dim>& next = frames_.next();
            if (const Status status = change(next); !status.ok()) { return status; }
            auto& made = detail::state_of(next);
            made.in_log = EditLog<Dim>::kNowhere; // until it is published
            // The frames to come have the cells and the statics of this one.
            const Status status = detail::state_of(like_).become_like(made);
            if (!status.ok()) { return status; }
            note();
            made.in_log = log_->last();
            frames_.publish();
            has_last_ = true;
            return Status{};
        });
    };
    const Status status = attempt();
    if (status.cause != Cause::over_memory) { return status; }
    // Frames that no reader holds may have the memory that is missing.
    frames_.shrink();
    return attempt();
}

template <std::size_t Dim>
template <class All>
Status PublishedCrowd<Dim>::build_of(const All& agents, Executor& executor) {
    return publish(
        [&](Crowd<Dim>& next) {
            const Status status = detail::state_of(next).become_like(detail::state_of(like_));
            return status.ok() ? next.update(agents, executor) : status;
        },
        [&]() noexcept { log_->restart(); });
}

/// Gives a frame the agents of the last one, and the cells and statics of frames to come.
template <std::size_t Dim>
Status PublishedCrowd<Dim>::catch_up(Crowd<Dim>& frame, Executor& executor) const {
    if (!has_last_) { frame = Crowd<Dim>(); }
    auto& state = detail::state_of(frame);
    Status status = state.become_like(detail::state_of(like_));
    if (!has_last_ || !status.ok()) { return status; }
    const Snapshot<Crowd<Dim>> last = frames_.acquire();
    if (log_->missed_since(state.in_log) > most_missed(last->size())) {
        state.in_log = EditLog<Dim>::kNowhere; // if memory runs out
        status = state.copy_agents(detail::state_of(*last));
        if (status.ok()) { state.in_log = log_->last(); }
    }
    while (status.ok() && state.in_log != log_->last()) {
        const std::uint64_t next = state.in_log + 1;
        status = frame.edit(log_->after(state.in_log), executor);
        if (status.ok()) { state.in_log = next; }
    }
    return status;
}

template <std::size_t Dim>
Status PublishedCrowd<Dim>::build(const Agents<Dim>& agents, Executor& executor) {
    return build_of(agents, executor);
}
template <std::size_t Dim>
Status PublishedCrowd<Dim>::build(const WorldAgents<Dim>& agents, Executor& executor) {
    return build_of(agents, executor);
}

template <std::size_t Dim>
Status PublishedCrowd<Dim>::edit(std::span<const Edit<Dim>> edits, Executor& executor) {
    return publish(
        [&](Crowd<Dim>& next) {
            const Status status = catch_up(next, executor);
            if (!status.ok()) { return status; }
            log_->prepare(edits, most_missed(next.size()));
            return next.edit(edits, executor);
        },
        [&]() noexcept { log_->add(edits); });
}

template <std::size_t Dim>
Status PublishedCrowd<Dim>::edit_statics(std::span<const Edit<Dim>> edits) {
    for (std::size_t i = 0; i < edits.size(); ++i) {
        if (!is_static(edits[i].id)) { return {Cause::out_of_range, Argument::edits, i}; }
    }
    return like_.edit(edits);
}

template <std::size_t Dim>
Status PublishedCrowd<Dim>::reserve(std::size_t agents, Executor& executor) {
    return with_own_memory(like_.settings().memory, [&] {
        Status status;
        frames_.prepare([&](Crowd<Dim>& frame) {
            status = detail::state_of(frame).become_like(detail::state_of(like_));
            if (status.ok()) { status = frame.reserve(agents, executor); }
            return status.ok();
        });
        return status;
    });
}

template class PublishedCrowd<2>;
template class PublishedCrowd<3>;

} // namespace throng
