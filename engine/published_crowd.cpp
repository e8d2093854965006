#include "published_crowd.hpp"

#include <utility>

namespace throng {

template <std::size_t Dim>
Status PublishedCrowd<Dim>::configure(const CrowdSettings<Dim>& settings,
                                      const CrowdKind<Dim>& kind) {
    return like_.configure(settings, kind);
}

template <std::size_t Dim>
Status PublishedCrowd<Dim>::set_statics(const Agents<Dim>& statics, Executor& executor) {
    return like_.set_statics(statics, executor);
}

template <std::size_t Dim>
Status PublishedCrowd<Dim>::update(const Agents<Dim>& agents, Executor& executor) {
    if (const Status status = like_.lay_out_for(agents); !status.ok()) { return status; }
    Crowd<Dim>& next = frames_.next();
    if (const Status status = next.become_like(like_); !status.ok()) { return status; }
    const Status status = next.update(agents, executor);
    if (status.ok()) { frames_.publish(); }
    return status;
}

template class PublishedCrowd<2>;
template class PublishedCrowd<3>;

} // namespace throng
