#include "agent_blocks.hpp"

#include "validation.hpp"

#include <atomic>
#include <cstring>

namespace throng {

namespace {

const void* ahead(const void* data, std::ptrdiff_t stride, std::size_t count) noexcept {
    return static_cast<const char*>(data) + stride * static_cast<std::ptrdiff_t>(count);
}

template <std::size_t Dim>
PointView<Dim> part_of(PointView<Dim> view, std::size_t begin, std::size_t end) noexcept {
    if (view.count == 0) { return view; }
    for (std::size_t a = 0; a < Dim; ++a) {
        view.axis[a] = static_cast<const float*>(ahead(view.axis[a], view.stride[a], begin));
    }
    view.count = end - begin;
    return view;
}

} // namespace

template <std::size_t Dim>
Status check_agents(const Agents<Dim>& agents, Executor& executor, LoopClaims& claims) {
    constexpr double kNanoseconds = 1.5; // for each agent
    if (const Status status = check_views(agents); !status.ok()) { return status; }
    const std::size_t count = agents.positions.count;
    const LoopCost cost = LoopCost::of(count, kNanoseconds);
    const AgentBlocks blocks(count, executor, cost);
    if (blocks.count() <= 1) { return check_agents(agents); }
    std::atomic<bool> sound = true;
    const Status status = run_blocks(
        executor, blocks.count(),
        [&](std::size_t block) {
            Agents<Dim> some = agents;
            some.groups = {}; // every mask is valid
            some.positions = part_of(agents.positions, blocks.begin(block), blocks.end(block));
            some.half_extents =
                part_of(agents.half_extents, blocks.begin(block), blocks.end(block));
            if (!check_agents(some).ok()) { sound.store(false, std::memory_order_relaxed); }
        },
        claims, cost);
    if (!status.ok() || sound.load()) { return status; }
    return check_agents(agents); // names the first fault
}

template Status check_agents(const Agents<2>&, Executor&, LoopClaims&);
template Status check_agents(const Agents<3>&, Executor&, LoopClaims&);

} // namespace throng
