#include "../published_crowd.hpp"

#include "../../core/access.hpp"
#include "../../memory/memory_scope.hpp"
#include "../store/state.hpp"

namespace throng {

template <std::size_t Dim>
Status PublishedCrowd<Dim>::configure(const CrowdSettings<Dim>& settings,
                                      const CrowdKind<Dim>& kind) {
    return like_.configure(settings, kind);
}

template <std::size_t Dim>
template <class All>
Status PublishedCrowd<Dim>::build_of(const All& agents, Executor& executor) {
    const auto attempt = [&] {
        return with_own_memory(like_.settings().memory, [&] {
            Crowd<Dim>& next = frames_.next();
            Status status = detail::state_of(next).become_like(detail::state_of(like_));
            if (status.ok()) { status = next.update(agents, executor); }
            if (status.ok()) {
                status = detail::state_of(like_).become_like(detail::state_of(next));
            } // the next frame has the cells of this one
            if (status.ok()) { frames_.publish(); }
            return status;
        });
    };
    const Status status = attempt();
    if (status.cause != Cause::over_memory) { return status; }
    // Frames that no reader holds may have the memory that is missing.
    frames_.shrink();
    return attempt();
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
