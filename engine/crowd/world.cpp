// How positions come into a crowd: from doubles, and around the border of a periodic world.
#include "crowd.hpp"

#include "../agents/validation.hpp"
#include "state.hpp"

#include <algorithm>

namespace throng {

namespace {

constexpr std::size_t kKeptInBlock = 4096;

constexpr std::size_t blocks_to_keep(std::size_t count) noexcept {
    return (count + kKeptInBlock - 1) / kKeptInBlock;
}

} // namespace

template <std::size_t Dim>
void Crowd<Dim>::State::prepare_to_keep(std::size_t count, std::array<Vector<float>, Dim>& to) {
    for (Vector<float>& axis : to) {
        if (axis.size() < count) { axis.resize(count); }
    }
    claims.prepare(blocks_to_keep(count));
}

template <std::size_t Dim>
template <class Float>
Status Crowd<Dim>::State::keep(const StridedPoints<Float, Dim>& positions,
                               std::array<Vector<float>, Dim>& to, Executor& executor) {
    constexpr double kNanoseconds = 0.5 * Dim; // an agent, about
    const std::size_t count = positions.count;
    prepare_to_keep(count, to);
    const auto keep_block = [&](std::size_t block) {
        const std::size_t end = std::min((block + 1) * kKeptInBlock, count);
        for (std::size_t a = 0; a < Dim; ++a) {
            const ValueView<Float> values = positions.values(a);
            for (std::size_t i = block * kKeptInBlock; i < end; ++i) {
                to[a][i] = world.kept(values[i], a);
            }
        }
    };
    return run_blocks(executor, blocks_to_keep(count), keep_block, claims,
                      LoopCost::of(count, kNanoseconds));
}

template <std::size_t Dim>
Status Crowd<Dim>::update(const Agents<Dim>& agents, Executor& executor) {
    State& state = *state_;
    return state.changing("Crowd::update", [&] {
        if (!state.world.wraps) { return take(agents, executor); }
        if (const Status status = check_views(agents); !status.ok()) { return status; }
        const Status status = state.keep(agents.positions, state.kept_positions, executor);
        if (!status.ok()) { return status; }
        Agents<Dim> kept = agents;
        kept.positions = view_of(state.kept_positions, agents.positions.count);
        return take(kept, executor);
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::State::keep_all(const WorldAgents<Dim>& agents, Executor& executor,
                                   std::array<Vector<float>, Dim>& positions, Agents<Dim>& kept) {
    const std::size_t count = agents.positions.count;
    const auto& axes = agents.positions.axis;
    if (count != 0 && std::count(axes.begin(), axes.end(), nullptr) != 0) {
        return {Cause::null_pointer, Argument::positions};
    }
    if (count > kMostInCrowd) { return {Cause::too_many, Argument::positions, kMostInCrowd}; }
    const Status status = keep(agents.positions, positions, executor);
    if (!status.ok()) { return status; }
    kept.positions = view_of(positions, count);
    kept.common_half_extent = agents.common_half_extent;
    kept.half_extents = agents.half_extents;
    kept.groups = agents.groups;
    return {};
}

template <std::size_t Dim>
Status Crowd<Dim>::update(const WorldAgents<Dim>& agents, Executor& executor) {
    State& state = *state_;
    return state.changing("Crowd::update", [&] {
        Agents<Dim> kept;
        const Status status = state.keep_all(agents, executor, state.kept_positions, kept);
        return status.ok() ? take(kept, executor) : status;
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::set_statics(const WorldAgents<Dim>& statics, Executor& executor,
                               const Progress& progress) {
    State& state = *state_;
    return state.changing("Crowd::set_statics", [&]() -> Status {
        std::array<Vector<float>, Dim> positions;
        Agents<Dim> kept;
        const Status status = state.keep_all(statics, executor, positions, kept);
        if (status.ok()) { return state.build_statics(kept, executor, progress); }
        const bool of_values = status.argument == Argument::positions;
        return {status.cause, of_values ? Argument::statics : status.argument, status.index};
    });
}

template <std::size_t Dim>
Point<Dim> Crowd<Dim>::kept(const WorldPoint<Dim>& point) const noexcept {
    return state_->world.kept(point);
}

template <std::size_t Dim>
Point<Dim> Crowd<Dim>::local(const WorldPoint<Dim>& point) const noexcept {
    Point<Dim> here;
    for (std::size_t a = 0; a < Dim; ++a) {
        here[a] = state_->world.local(point[a], a);
    }
    return here;
}

template <std::size_t Dim>
WorldPoint<Dim> Crowd<Dim>::world(const Point<Dim>& point) const noexcept {
    WorldPoint<Dim> far(state_->world.origin);
    for (std::size_t a = 0; a < Dim; ++a) {
        far[a] += point[a];
    }
    return far;
}

template <std::size_t Dim>
bool Crowd<Dim>::wraps() const noexcept {
    return state_->world.wraps;
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void Crowd<Dim>::State::prepare_to_keep(std::size_t,                                  \
                                                     std::array<Vector<float>, Dim>&);             \
    template Status Crowd<Dim>::State::keep(const PointView<Dim>&,                                 \
                                            std::array<Vector<float>, Dim>&, Executor&);           \
    template Status Crowd<Dim>::update(const Agents<Dim>&, Executor&);                             \
    template Status Crowd<Dim>::State::keep_all(const WorldAgents<Dim>&, Executor&,                \
                                                std::array<Vector<float>, Dim>&, Agents<Dim>&);    \
    template Status Crowd<Dim>::update(const WorldAgents<Dim>&, Executor&);                        \
    template Status Crowd<Dim>::set_statics(const WorldAgents<Dim>&, Executor&, const Progress&);  \
    template Point<Dim> Crowd<Dim>::kept(const WorldPoint<Dim>&) const noexcept;                   \
    template Point<Dim> Crowd<Dim>::local(const WorldPoint<Dim>&) const noexcept;                  \
    template WorldPoint<Dim> Crowd<Dim>::world(const Point<Dim>&) const noexcept;                  \
    template bool Crowd<Dim>::wraps() const noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
