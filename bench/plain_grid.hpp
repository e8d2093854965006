// The grid in the plane that most people write: a counting sort into cells of size 1, and one test
// after another in plain C++. Single calls of the library are compared with it.
#pragma once

#include <throng/engine/agents/box.hpp>
#include <throng/engine/core/id.hpp>
#include <throng/engine/shapes/ball.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace throng::bench {

/// Points in the order of their cells, row after row.
class PlainGrid {
public:
    PlainGrid(const Box<2>& world, std::span<const Point<2>> points)
        : origin_(world.lo), width_(cells_on(world, 0)), height_(cells_on(world, 1)),
          start_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) + 1),
          ids_(points.size()), positions_(points.size()) {
        for (const Point<2>& point : points) {
            ++start_[cell_of(point)];
        }
        // The end of each cell; filling backwards moves it to the beginning.
        std::partial_sum(start_.begin(), start_.end(), start_.begin());
        for (std::size_t i = points.size(); i-- > 0;) {
            const std::uint32_t at = --start_[cell_of(points[i])];
            ids_[at] = static_cast<Id>(i);
            positions_[at] = points[i];
        }
    }

    /// Writes the ids of the points in a box or ball, and returns their number. There must be room
    /// for all.
    template <class Shape>
    [[nodiscard]] std::size_t query(const Shape& shape, std::span<Id> out) const noexcept {
        std::size_t found = 0;
        visit(around(shape), [&](std::uint32_t i) {
            if (holds(shape, positions_[i])) { out[found++] = ids_[i]; }
            return true;
        });
        return found;
    }
    template <class Shape>
    [[nodiscard]] std::size_t count(const Shape& shape) const noexcept {
        std::size_t found = 0;
        visit(around(shape), [&](std::uint32_t i) {
            if (holds(shape, positions_[i])) { ++found; }
            return true;
        });
        return found;
    }
    template <class Shape>
    [[nodiscard]] bool any(const Shape& shape) const noexcept {
        bool any = false;
        visit(around(shape), [&](std::uint32_t i) {
            any = holds(shape, positions_[i]);
            return !any;
        });
        return any;
    }

    /// The nearest to a point in the world, in growing rings of cells; of equals the smallest id.
    [[nodiscard]] Id nearest(const Point<2>& point) const noexcept {
        Id best = kNoId;
        float distance2 = std::numeric_limits<float>::infinity();
        const auto look_into = [&](std::int32_t x, std::int32_t y) {
            if (x < 0 || x >= width_ || y < 0 || y >= height_) { return; }
            const std::size_t cell = index_of(x, y);
            for (std::uint32_t i = start_[cell]; i < start_[cell + 1]; ++i) {
                const float d2 = distance2_between(point, positions_[i]);
                if (d2 < distance2 || (d2 == distance2 && ids_[i] < best)) {
                    distance2 = d2;
                    best = ids_[i];
                }
            }
        };
        const std::int32_t x = place_on(0, point[0]);
        const std::int32_t y = place_on(1, point[1]);
        const float in_x = point[0] - origin_[0] - static_cast<float>(x);
        const float in_y = point[1] - origin_[1] - static_cast<float>(y);
        const float to_edge = std::min(std::min(in_x, 1.0f - in_x), std::min(in_y, 1.0f - in_y));
        look_into(x, y);
        for (std::int32_t ring = 1; ring <= std::max(width_, height_); ++ring) {
            // All cells from this ring on are at least this far away; less a little for rounding.
            const float away = to_edge + static_cast<float>(ring - 1) - 0.001f;
            if (away > 0.0f && distance2 <= away * away) { break; }
            for (std::int32_t across = x - ring; across <= x + ring; ++across) {
                look_into(across, y - ring);
                look_into(across, y + ring);
            }
            for (std::int32_t down = y - ring + 1; down < y + ring; ++down) {
                look_into(x - ring, down);
                look_into(x + ring, down);
            }
        }
        return best;
    }

private:
    static std::int32_t cells_on(const Box<2>& world, std::size_t a) noexcept {
        return static_cast<std::int32_t>(world.hi[a] - world.lo[a]) + 1;
    }
    static Box<2> around(const Box<2>& box) noexcept { return box; }
    static Box<2> around(const Ball<2>& ball) noexcept {
        return Box<2>::around(ball.centre, Point<2>::all(ball.radius));
    }
    static bool holds(const Box<2>& box, const Point<2>& point) noexcept {
        return point[0] <= box.hi[0] && point[0] >= box.lo[0] && point[1] <= box.hi[1] &&
               point[1] >= box.lo[1];
    }
    static bool holds(const Ball<2>& ball, const Point<2>& point) noexcept {
        return contains(ball, point);
    }

    [[nodiscard]] std::int32_t place_on(std::size_t a, float x) const noexcept {
        const std::int32_t last = (a == 0 ? width_ : height_) - 1;
        return static_cast<std::int32_t>(
            std::clamp(x - origin_[a], 0.0f, static_cast<float>(last)));
    }
    [[nodiscard]] std::size_t index_of(std::int32_t x, std::int32_t y) const noexcept {
        return static_cast<std::size_t>(y * width_ + x);
    }
    [[nodiscard]] std::size_t cell_of(const Point<2>& point) const noexcept {
        return index_of(place_on(0, point[0]), place_on(1, point[1]));
    }

    /// Calls look_at(i) for the points of all cells that a box touches, until it returns false.
    template <class LookAt>
    void visit(const Box<2>& box, const LookAt& look_at) const noexcept {
        const std::int32_t first = place_on(0, box.lo[0]);
        const std::int32_t last = place_on(0, box.hi[0]);
        const std::int32_t bottom = place_on(1, box.lo[1]);
        const std::int32_t top = place_on(1, box.hi[1]);
        for (std::int32_t y = bottom; y <= top; ++y) {
            // Cells of one row are neighbours in memory.
            const std::uint32_t end = start_[index_of(last, y) + 1];
            for (std::uint32_t i = start_[index_of(first, y)]; i < end; ++i) {
                if (!look_at(i)) { return; }
            }
        }
    }

    Point<2> origin_;
    std::int32_t width_, height_;
    std::vector<std::uint32_t> start_; ///< of each cell, and the end of the last
    std::vector<Id> ids_;
    std::vector<Point<2>> positions_;
};

} // namespace throng::bench
