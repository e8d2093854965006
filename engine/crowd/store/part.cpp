#include "part.hpp"

#include "size_split.hpp"
#include "update.hpp"

#include <utility>

namespace throng {

template <std::size_t Dim>
Status CrowdPart<Dim>::use(const GridShape<Dim>& shape, const GridShape<Dim>& whole,
                           const CrowdKind<Dim>& kind) {
    Crowd<Dim> next;
    auto& state = detail::state_of(next);
    if (const Status laid = state.lay_out(shape, kind, world_of(whole)); !laid.ok()) {
        return laid;
    }
    crowd_ = std::move(next);
    agents_ = 0;
    giants_.clear();
    return {};
}

template <std::size_t Dim>
Status CrowdPart<Dim>::update(const Agents<Dim>& agents, std::span<const std::uint64_t> keys,
                              Executor& executor, FunctionRef<Status()> commits) {
    auto& state = detail::state_of(crowd_);
    const Status updated = state.changing("CrowdPart::update", [&] {
        const PartUpdate part{keys, next_giants_, commits};
        CrowdUpdate<Dim> update(state, agents, executor.threads(), executor, &part);
        return run_sequence(update, state.claims, executor);
    });
    if (!updated.ok()) { return updated; }
    giants_.swap(next_giants_);
    agents_ = agents.positions.count;
    return {};
}

template <std::size_t Dim>
void CrowdPart<Dim>::take_statics(const Crowd<Dim>& from) noexcept {
    detail::state_of(crowd_).statics.share(detail::state_of(from).statics);
}

template <std::size_t Dim>
Point<Dim> CrowdPart<Dim>::largest_of_large() const noexcept {
    return detail::state_of(crowd_).largest(Sets::giants | Sets::statics);
}

template <std::size_t Dim>
std::size_t CrowdPart<Dim>::memory() const noexcept {
    return crowd_.memory().total() + (giants_.capacity() + next_giants_.capacity()) * sizeof(Id);
}

template <std::size_t Dim>
float largest_small(const GridShape<Dim>& shape) noexcept {
    return largest_in(shape);
}

template class CrowdPart<2>;
template class CrowdPart<3>;
template float largest_small(const GridShape<2>&) noexcept;
template float largest_small(const GridShape<3>&) noexcept;

} // namespace throng
