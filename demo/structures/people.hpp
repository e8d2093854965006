// The agents of a scene, and the walls in their way.
#pragma once

#include "sums.hpp"

#include <throng/engine/agents/agents.hpp>
#include <throng/engine/agents/box.hpp>
#include <throng/engine/agents/point.hpp>
#include <throng/engine/core/executor.hpp>
#include <throng/engine/core/id.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::demo {

/// Plain arrays, as in a simulation. The library reads them in place.
template <std::size_t Dim>
struct People {
    Box<Dim> world{};
    float cell = 1.0f;   ///< cell size that suits the scene
    float radius = 2.0f; ///< distance within which agents see each other

    std::array<std::vector<float>, Dim> position, velocity;
    std::vector<float> half; ///< empty if all have common_half
    float common_half = 0.25f;
    std::vector<std::uint32_t> neighbours; ///< of each agent, by the last question
    /// The effect of contacts on each agent: a change of velocity or of place, which the scene
    /// decides. Empty in scenes without such effects.
    Sums touched;

    std::array<std::vector<float>, Dim> wall, wall_half;

    [[nodiscard]] std::size_t size() const noexcept { return position[0].size(); }
    void resize(std::size_t agents) {
        for (std::size_t a = 0; a < Dim; ++a) {
            position[a].assign(agents, 0.0f);
            velocity[a].assign(agents, 0.0f);
        }
        neighbours.assign(agents, 0);
    }

    [[nodiscard]] Point<Dim> at(std::size_t i) const noexcept { return read(position, i); }
    [[nodiscard]] Point<Dim> going(std::size_t i) const noexcept { return read(velocity, i); }
    [[nodiscard]] float half_of(std::size_t i) const noexcept {
        return half.empty() ? common_half : half[i];
    }
    void put(std::size_t i, const Point<Dim>& place) noexcept { write(position, i, place); }
    void go(std::size_t i, const Point<Dim>& way) noexcept { write(velocity, i, way); }
    [[nodiscard]] float side(std::size_t a) const noexcept { return world.hi[a] - world.lo[a]; }

    /// The library's view of the agents; copies nothing.
    [[nodiscard]] Agents<Dim> agents() const noexcept {
        Agents<Dim> all;
        all.positions = PointView<Dim>::separate(axes(position), size());
        if (half.empty()) {
            all.common_half_extent = Point<Dim>::all(common_half);
        } else {
            std::array<const float*, Dim> same{};
            same.fill(half.data());
            all.half_extents = PointView<Dim>::separate(same, half.size());
        }
        return all;
    }
    [[nodiscard]] Agents<Dim> walls() const noexcept {
        Agents<Dim> all;
        all.positions = PointView<Dim>::separate(axes(wall), wall[0].size());
        all.half_extents = PointView<Dim>::separate(axes(wall_half), wall[0].size());
        return all;
    }

private:
    using Axes = std::array<std::vector<float>, Dim>;
    static Point<Dim> read(const Axes& axes, std::size_t i) noexcept {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = axes[a][i];
        }
        return point;
    }
    static void write(Axes& axes, std::size_t i, const Point<Dim>& point) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            axes[a][i] = point[a];
        }
    }
    static std::array<const float*, Dim> axes(const Axes& axes) noexcept {
        std::array<const float*, Dim> first{};
        for (std::size_t a = 0; a < Dim; ++a) {
            first[a] = axes[a].data();
        }
        return first;
    }
};

/// Agents of a block: enough to be worth a task. It does not depend on the number of threads, so
/// results do not either.
inline constexpr std::size_t kBlock = 4096;

/// Calls call(begin, end) for blocks of the indices below `count`, on the executor.
template <class Call>
void for_blocks(Executor& executor, std::size_t count, const Call& call) {
    executor.run((count + kBlock - 1) / kBlock, [&](std::size_t block) {
        call(block * kBlock, std::min(count, (block + 1) * kBlock));
    });
}

} // namespace throng::demo
