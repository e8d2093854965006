// How positions enter a crowd: converted from doubles, and wrapped in a periodic world.
#include "../crowd.hpp"

#include "state.hpp"

#include <algorithm>

namespace throng {

template <std::size_t Dim>
void Crowd<Dim>::State::prepare_to_keep(std::size_t count, std::array<Vector<float>, Dim>& to) {
    for (Vector<float>& axis : to) {
        if (axis.size() < count) { axis.resize(count); }
    }
    claims.prepare(blocks_to_keep(count));
}

template <std::size_t Dim>
template <class Float>
void Crowd<Dim>::State::keep_block(const StridedPoints<Float, Dim>& positions,
                                   std::array<Vector<float>, Dim>& to,
                                   std::size_t block) const noexcept {
    const std::size_t end = std::min((block + 1) * kKeptInBlock, positions.count);
    for (std::size_t a = 0; a < Dim; ++a) {
        const ValueView<Float> values = positions.values(a);
        for (std::size_t i = block * kKeptInBlock; i < end; ++i) {
            to[a][i] = world.kept(values[i], a);
        }
    }
}

template <std::size_t Dim>
template <class Float>
Status Crowd<Dim>::State::keep(const StridedPoints<Float, Dim>& positions,
                               std::array<Vector<float>, Dim>& to, Executor& executor) {
    const std::size_t count = positions.count;
    prepare_to_keep(count, to);
    return run_blocks(
        executor, blocks_to_keep(count),
        [&](std::size_t block) { keep_block(positions, to, block); }, claims,
        cost_to_keep<Dim>(count));
}

template <std::size_t Dim>
Status Crowd<Dim>::State::check_far(const WorldAgents<Dim>& agents) noexcept {
    const std::size_t count = agents.positions.count;
    const auto& axes = agents.positions.axis;
    if (count != 0 && std::count(axes.begin(), axes.end(), nullptr) != 0) {
        return {Cause::null_pointer, Argument::positions};
    }
    if (count > kMostInCrowd) { return {Cause::too_many, Argument::positions, kMostInCrowd}; }
    return {};
}

template <std::size_t Dim>
Agents<Dim> Crowd<Dim>::State::in_floats(const WorldAgents<Dim>& agents,
                                         const PointView<Dim>& positions) noexcept {
    return {positions, agents.common_half_extent, agents.half_extents, agents.groups};
}

template <std::size_t Dim>
Status Crowd<Dim>::replace_statics(const WorldAgents<Dim>& statics, Executor& executor,
                                   const Progress& progress) {
    State& state = *state_;
    return state.changing("Crowd::set_statics", [&]() -> Status {
        std::array<Vector<float>, Dim> positions;
        Status status = state.check_far(statics);
        if (status.ok()) { status = state.keep(statics.positions, positions, executor); }
        if (status.ok()) {
            const PointView<Dim> kept = view_of(positions, statics.positions.count);
            return state.build_statics(state.in_floats(statics, kept), executor, progress);
        }
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
    template void Crowd<Dim>::State::keep_block(                                                   \
        const PointView<Dim>&, std::array<Vector<float>, Dim>&, std::size_t) const noexcept;       \
    template void Crowd<Dim>::State::keep_block(                                                   \
        const WorldPointView<Dim>&, std::array<Vector<float>, Dim>&, std::size_t) const noexcept;  \
    template Status Crowd<Dim>::State::keep(const PointView<Dim>&,                                 \
                                            std::array<Vector<float>, Dim>&, Executor&);           \
    template Status Crowd<Dim>::State::keep(const WorldPointView<Dim>&,                            \
                                            std::array<Vector<float>, Dim>&, Executor&);           \
    template Status Crowd<Dim>::State::check_far(const WorldAgents<Dim>&) noexcept;                \
    template Agents<Dim> Crowd<Dim>::State::in_floats(const WorldAgents<Dim>&,                     \
                                                      const PointView<Dim>&) noexcept;             \
    template Status Crowd<Dim>::replace_statics(const WorldAgents<Dim>&, Executor&,                \
                                                const Progress&);                                  \
    template Point<Dim> Crowd<Dim>::kept(const WorldPoint<Dim>&) const noexcept;                   \
    template Point<Dim> Crowd<Dim>::local(const WorldPoint<Dim>&) const noexcept;                  \
    template WorldPoint<Dim> Crowd<Dim>::world(const Point<Dim>&) const noexcept;                  \
    template bool Crowd<Dim>::wraps() const noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
