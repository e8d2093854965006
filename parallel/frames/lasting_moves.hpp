// Distances of agents from their positions when lists were made. Internal.
#pragma once

#include "../../engine/agents/agent_blocks.hpp"
#include "lasting_state.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace throng {

/// All bits of a float except the sign.
inline constexpr std::uint32_t kMagnitude = 0x7fff'ffffu;

/// The distance along one axis of a periodic world. Doubles hold the differences of most floats
/// exactly, and the others closely enough.
template <std::size_t Dim>
float way_around(const WorldWrap<Dim>& world, float now, float before, std::size_t a) noexcept {
    const double way = std::abs(double{now} - double{before});
    if (!world.periodic[a]) { return static_cast<float>(way); }
    return static_cast<float>(std::min(way, std::abs(double{world.period[a]} - way)));
}

/// The distance of two positions in a periodic world, squared.
template <std::size_t Dim>
float distance2_around(const WorldWrap<Dim>& world, const Point<Dim>& now,
                       const Point<Dim>& before) noexcept {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float way = way_around(world, now[a], before[a], a);
        distance2 = a == 0 ? way * way : distance2 + way * way;
    }
    return distance2;
}

/// The greatest distance and the greatest coordinate, as bits. Bits of floats without a sign are
/// ordered like the floats, with NaN after all of them. A maximum of integers needs no branch for
/// NaN, so compilers vectorise the loop in every mode.
struct Greatest {
    std::uint32_t distance2 = 0, coordinate = 0;
};

/// The greatest distance of `count` agents from their positions before.
template <std::size_t Dim>
Greatest greatest_of(const std::array<const float*, Dim>& now,
                     const std::array<const float*, Dim>& before, std::size_t count) noexcept {
    std::int32_t distance = 0, coordinate = 0;
    for (std::size_t i = 0; i < count; ++i) {
        float distance2 = 0.0f;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float offset = now[a][i] - before[a][i];
            distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
            const auto at =
                static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(now[a][i]) & kMagnitude);
            coordinate = at > coordinate ? at : coordinate;
        }
        const auto bits =
            static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(distance2) & kMagnitude);
        distance = bits > distance ? bits : distance;
    }
    return {static_cast<std::uint32_t>(distance), static_cast<std::uint32_t>(coordinate)};
}

/// greatest_of() in a periodic world, with distances around the world.
template <std::size_t Dim>
Greatest greatest_around(const WorldWrap<Dim>& world, const std::array<const float*, Dim>& now,
                         const std::array<const float*, Dim>& before, std::size_t count) noexcept {
    Greatest greatest;
    for (std::size_t i = 0; i < count; ++i) {
        Point<Dim> here, there;
        for (std::size_t a = 0; a < Dim; ++a) {
            here[a] = now[a][i];
            there[a] = before[a][i];
            greatest.coordinate =
                std::max(greatest.coordinate, std::bit_cast<std::uint32_t>(here[a]) & kMagnitude);
        }
        const float distance2 = distance2_around(world, here, there);
        greatest.distance2 =
            std::max(greatest.distance2, std::bit_cast<std::uint32_t>(distance2) & kMagnitude);
    }
    return greatest;
}

/// Whether a crowd keeps all these coordinates as they are.
template <std::size_t Dim>
bool are_kept(const WorldWrap<Dim>& world, const float* at, std::size_t a,
              std::size_t count) noexcept {
    if (!world.periodic[a]) { return true; }
    const float lo = world.bounds.lo[a], hi = world.bounds.hi[a];
    std::uint32_t outside = 0;
    for (std::size_t i = 0; i < count; ++i) {
        outside |=
            static_cast<std::uint32_t>(!(lo <= at[i])) | static_cast<std::uint32_t>(!(at[i] < hi));
    }
    return outside == 0;
}

/// The coordinates of agents begin ... end - 1 on one axis, as the crowd would keep them: where
/// they lie if they can be read there, else copied to `scratch`.
template <std::size_t Dim, class Float>
const float* kept_run(const WorldWrap<Dim>& world, const StridedPoints<Float, Dim>& positions,
                      std::size_t a, std::size_t begin, std::size_t end, float* scratch) noexcept {
    if constexpr (std::is_same_v<Float, float>) {
        const bool aligned =
            reinterpret_cast<std::uintptr_t>(positions.axis[a]) % alignof(float) == 0;
        if (aligned && positions.stride[a] == sizeof(float) &&
            are_kept(world, positions.axis[a] + begin, a, end - begin)) {
            return positions.axis[a] + begin;
        }
    }
    const ValueView<Float> values = positions.values(a);
    for (std::size_t i = begin; i < end; ++i) {
        scratch[i - begin] = world.kept(values[i], a);
    }
    return scratch;
}

inline void raise(std::atomic<std::uint32_t>& greatest, std::uint32_t value) noexcept {
    std::uint32_t before = greatest.load(std::memory_order_relaxed);
    while (before < value &&
           !greatest.compare_exchange_weak(before, value, std::memory_order_relaxed)) {}
}

template <std::size_t Dim>
template <class Float>
bool LastingNeighbours<Dim>::State::are_near(const StridedPoints<Float, Dim>& positions,
                                             std::size_t begin, std::size_t end,
                                             std::atomic<Bits>& moved) const noexcept {
    std::array<std::array<float, kRun>, Dim> scratch;
    std::array<const float*, Dim> at, before;
    for (std::size_t a = 0; a < Dim; ++a) {
        at[a] = kept_run(now.world, positions, a, begin, end, scratch[a].data());
        before[a] = now.position[a].data() + begin;
    }
    const std::size_t count = end - begin;
    if (settings.skin == 0.0f) {
        // Squares of small moves vanish, so this compares coordinates: an agent has not moved if
        // they are equal.
        bool same = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            for (std::size_t i = 0; i < count; ++i) {
                same &= at[a][i] == before[a][i];
            }
        }
        return same;
    }
    Greatest greatest = greatest_of<Dim>(at, before, count);
    // A move across a border looks long. Moves shorter than half of the world are what they seem.
    if (now.world.wraps &&
        (greatest.distance2 > most_moved2() || !now.world.is_narrow(settings.skin))) {
        greatest = greatest_around(now.world, at, before, count);
    }
    raise(moved, greatest.distance2);
    // The coordinate is tested too: with a skin as large as the world, even an agent with a
    // coordinate that the crowd refuses may be near enough.
    return greatest.distance2 <= most_moved2() &&
           greatest.coordinate <= std::bit_cast<Bits>(kLargest);
}

template <std::size_t Dim>
template <class Look>
Status LastingNeighbours<Dim>::State::look_at_all(const Look& look, bool& all) {
    const LoopCost cost = LoopCost::of(now.elements, 1.0);
    const AgentBlocks blocks(now.elements, *executor, cost);
    std::atomic<bool> so_far = true;
    const auto look_at = [&](std::size_t block) {
        const auto look_on = [&](std::size_t begin, std::size_t end) {
            return so_far.load(std::memory_order_relaxed) && look(begin, end);
        };
        if (!for_each_run(now, blocks.begin(block), blocks.end(block), look_on)) {
            so_far.store(false, std::memory_order_relaxed);
        }
    };
    const Status status = run_blocks(*executor, blocks.count(), look_at, claims, cost);
    all = status.ok() && so_far.load();
    return status;
}

} // namespace throng
