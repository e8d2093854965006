// A crowd that walks about and keeps out of its own way.
#pragma once

#include <throng/engine/executor.hpp>
#include <throng/engine/found.hpp>
#include <throng/engine/row_grid.hpp>

#include "../tests/support/scenes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::demo {

/// One frame is move(), update(), ask() and steer(). The same for every number of threads.
template <std::size_t Dim>
class Crowd {
public:
    /// How far an agent looks along each axis.
    static constexpr float kSight = 1.0f;

    explicit Crowd(scenes::Scene<Dim> scene);

    /// Everyone takes a step; who walks into a wall is turned round.
    void move(Executor& executor);

    Status update(Executor& executor);

    /// Finds for each agent who stands within its sight, in the order in which the index stores
    /// them.
    Status ask(Executor& executor);

    /// Turns agents that touch away from each other.
    void steer(Executor& executor);

    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept { return grid_; }
    [[nodiscard]] const Box<Dim>& world() const noexcept { return scene_.world; }
    [[nodiscard]] std::size_t size() const noexcept { return scene_.size(); }
    [[nodiscard]] Point<Dim> position_of(Id id) const noexcept { return scene_.position_of(id); }
    [[nodiscard]] Point<Dim> half_extent() const noexcept { return scene_.common_half_extent; }

    /// After ask(): how many others each agent saw.
    [[nodiscard]] const std::vector<std::uint32_t>& neighbours() const noexcept {
        return neighbours_;
    }
    /// After ask(): agents found, each by each, itself included.
    [[nodiscard]] std::uint64_t hits() const noexcept;

private:
    /// What is asked together: enough to hide the cost of a task, little enough for its boxes to
    /// stay in the cache. Never depends on the number of threads.
    static constexpr std::size_t kBlock = 4096;
    struct Block {
        std::vector<Box<Dim>> boxes;
        Hits hits;
        Status status;
    };

    void steer(Id agent, std::span<const Id> seen) noexcept;

    scenes::Scene<Dim> scene_;
    std::array<std::vector<float>, Dim> velocity_;
    RowGrid<Dim> grid_;
    std::vector<Id> order_;
    std::vector<Block> blocks_;
    std::vector<std::uint32_t> neighbours_;
};

extern template class Crowd<2>;
extern template class Crowd<3>;

} // namespace throng::demo
