// A crowd to measure, and the right answers about it.
#pragma once

#include "bench_shape.hpp"

#include "../tests/support/scenes/scenes.hpp"

#include <throng/engine/grid/row_grid.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace throng::bench {

enum class SceneKind : std::uint8_t { uniform, clustered };

/// Queries are asked in chunks of this size; the answers of one chunk are checked before the next.
inline constexpr std::size_t kChunk = 4096;

/// A sum over all answers that depends on which agent asks, and on the order of ids in each answer,
/// but not on the order of questions: all ways of asking must give the same sum.
class Checksum {
public:
    void add(Id asker, std::span<const Id> ids) noexcept {
        std::uint64_t sum = ids.size();
        std::uint64_t weight = 1;
        for (const Id id : ids) {
            sum += (std::uint64_t{id} + 1) * weight;
            weight += 0x9E37'79B9'7F4A'7C16u; // even, so weights stay odd
        }
        value_ += sum * (2 * std::uint64_t{asker} + 1);
        hits_ += ids.size();
    }
    [[nodiscard]] std::uint64_t hits() const noexcept { return hits_; }
    friend bool operator==(const Checksum&, const Checksum&) noexcept = default;

private:
    std::uint64_t value_ = 0, hits_ = 0;
};

/// A crowd in a grid for one kind of question: a Box or a Ball around every agent.
template <template <std::size_t> class Shape, std::size_t Dim>
class Crowd {
public:
    Crowd(SceneKind kind, std::size_t count);

    /// Returns the crowd from a cache of one for each type, so benchmarks of the same crowd must be
    /// registered one after another.
    static Crowd& get(SceneKind kind, std::size_t count);

    [[nodiscard]] scenes::Scene<Dim>& scene() noexcept { return scene_; }
    [[nodiscard]] const scenes::Scene<Dim>& scene() const noexcept { return scene_; }
    [[nodiscard]] RowGrid<Dim>& grid() noexcept { return grid_; }
    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept { return grid_; }
    [[nodiscard]] const std::vector<Id>& in_storage_order() const noexcept { return stored_; }
    [[nodiscard]] const std::vector<Id>& in_callers_order() const noexcept { return callers_; }
    [[nodiscard]] Point<Dim> position_of(Id id) const noexcept {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = scene_.position[a][id];
        }
        return point;
    }

    /// The question of an agent.
    [[nodiscard]] Shape<Dim> around(Id id) const noexcept;

    /// The right answer in canonical order, by a test of every agent.
    [[nodiscard]] std::vector<Id> look_at_all(const Shape<Dim>& shape) const;

    /// The sum over all right answers; empty if they are wrong. It is computed once by the grid
    /// itself, after a hundred of the grid's answers have been compared with look_at_all().
    [[nodiscard]] const std::optional<Checksum>& expected();

    /// Whether the grid gives the right answers to `count` questions from all over the crowd.
    [[nodiscard]] bool answers_are_right(std::size_t count) const;

    /// Updates the grid from nothing.
    void refill();

private:
    scenes::Scene<Dim> scene_;
    RowGrid<Dim> grid_;
    std::vector<Id> stored_, callers_;
    std::optional<Checksum> expected_;
    bool reckoned_ = false;
    SceneKind kind_;
    std::size_t count_;
};

extern template class Crowd<Box, 2>;
extern template class Crowd<Box, 3>;
extern template class Crowd<Ball, 2>;
extern template class Crowd<Ball, 3>;

} // namespace throng::bench
