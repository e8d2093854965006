// Boxes, walls and triangles that stand beside a crowd, tested by their true shapes.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/filter.hpp"
#include "../agents/found.hpp"
#include "../archive/freezable.hpp"
#include "../core/executor.hpp"
#include "../core/id.hpp"
#include "../core/limits.hpp"
#include "../core/state_pointer.hpp"
#include "../core/status.hpp"
#include "../memory/memory_use.hpp"
#include "../shapes/shapes_view.hpp"
#include "moving.hpp"
#include "obstacle_shapes.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <span>
#include <vector>

namespace throng {

namespace detail {
struct Access;
}

/// An obstacle, and the place on its surface that is nearest to a point.
template <std::size_t Dim>
struct ObstacleNear {
    Id id = kNoId;
    /// From the point to the surface. Inside the obstacle it is negative: minus the way out.
    float distance = std::numeric_limits<float>::infinity();
    Point<Dim> point{};  ///< on the surface
    Point<Dim> normal{}; ///< of unit length, out of the obstacle

    friend constexpr bool operator==(const ObstacleNear&, const ObstacleNear&) noexcept = default;
};

/// An obstacle that a path or a mover hits, with the time and the place of the hit. Time runs from
/// 0 to 1, on a ray from 0 to its length.
template <std::size_t Dim>
struct ObstacleHit {
    Id id = kNoId;
    float time = std::numeric_limits<float>::infinity();
    Point<Dim> point{};  ///< on the surface: where a moving disc touches it, not the disc's centre
    Point<Dim> normal{}; ///< of unit length, out of the obstacle

    friend constexpr bool operator==(const ObstacleHit&, const ObstacleHit&) noexcept = default;
};

/// The obstacles within each of many balls: those of ball q are of(q), the nearest first.
template <std::size_t Dim>
struct ObstaclesWithin {
    std::vector<std::uint64_t> offsets;  ///< one more than there are balls
    std::vector<ObstacleNear<Dim>> near; ///< may be longer than the answers, so it can be reused

    [[nodiscard]] std::span<const ObstacleNear<Dim>> of(std::size_t ball) const noexcept {
        return {near.data() + offsets[ball], near.data() + offsets[ball + 1]};
    }
    [[nodiscard]] std::uint64_t total() const noexcept {
        return offsets.empty() ? 0 : offsets.back();
    }
};

/// Holds boxes, turned boxes, and walls in the plane or triangles in space. Tells which is nearest
/// to a point, which a ray or a moving disc hits first, and whether two points see each other. All
/// answers follow from the true shapes; docs/obstacles.md has the definitions.
///
/// The caller chooses the obstacles' ids. Answers are sorted by distance or time, compared as
/// floats, then by id. Touching counts everywhere. All answers are the same to the bit on every
/// instruction set, executor and number of threads.
///
/// Questions may be asked by any number of threads at once; a call that changes something must be
/// alone. After a status other than ok, or an exception (std::bad_alloc, or what an executor
/// throws), the obstacles are as they were.
template <std::size_t Dim>
class THRONG_API Obstacles {
public:
    Obstacles();

    /// Makes the world periodic on some axes, beside a crowd with the same bounds and periodic
    /// axes: then every obstacle is there at all whole periods, hi - lo of the bounds, and agents
    /// meet the copies, too. Forgets all obstacles. Before the first call, and without such an
    /// axis, the world is not periodic, and the bounds mean nothing. Refuses bounds and periods
    /// that a crowd refuses.
    ///
    /// A question finds each obstacle once, at the copy that is nearest or is hit first; points are
    /// on this copy, as the asker sees it. docs/obstacles.md has the definitions. Questions with
    /// more than 4,096 copies are refused with Cause::wraps, as are obstacles wider than a period.
    Status configure(const Box<Dim>& bounds, const std::array<bool, Dim>& periodic);

    /// Replaces all obstacles. Refuses coordinates and lengths that are not finite, obstacles that
    /// reach beyond 1e18, boxes that are inverted, and turned boxes whose edges are not at right
    /// angles (the cosine must be below 1e-5).
    Status set(const ObstacleArrays<Dim>& arrays, Executor& executor = serial_executor());

    /// Adds, replaces or removes one obstacle. The table of ids takes four bytes for every id up
    /// to the largest.
    template <ObstacleIn<Dim> Shape>
    Status insert(Id id, const Shape& shape, std::uint32_t groups = kAllGroups);
    template <ObstacleIn<Dim> Shape>
    Status replace(Id id, const Shape& shape, std::uint32_t groups = kAllGroups);
    Status erase(Id id);
    // Deleted because a wider number would be cut to 32 bits in silence.
    Status insert(WiderThanId auto, const ObstacleIn<Dim> auto&,
                  std::uint32_t = kAllGroups) = delete;
    Status replace(WiderThanId auto, const ObstacleIn<Dim> auto&,
                   std::uint32_t = kAllGroups) = delete;
    Status erase(WiderThanId auto) = delete;

    /// Forgets all obstacles; keeps the memory.
    void clear() noexcept;

    /// Finds the nearest obstacle that is no farther away than `within`. Counts 1, or 0 if there is
    /// none; then the id is kNoId.
    Found nearest(const Point<Dim>& point, ObstacleNear<Dim>& near, float within = kLargest,
                  const Filter& filter = {}) const;
    /// The same for many points: `near` has an element for each. Fastest where neighbours in the
    /// array are neighbours in space. Counts the points for which an obstacle was found.
    Found nearest(std::span<const Point<Dim>> points, std::span<ObstacleNear<Dim>> near,
                  Executor& executor = serial_executor(), float within = kLargest,
                  const Filter& filter = {}) const;

    /// All obstacles whose distance from the centre of a ball is not above its radius, sorted.
    Found query(const Ball<Dim>& ball, std::vector<ObstacleNear<Dim>>& near,
                const Filter& filter = {}) const;
    /// The same for many balls. Fastest where neighbours in the array are neighbours in space.
    /// Returns how many answers there are. After std::bad_alloc or an executor that failed, the
    /// answers must not be read.
    Found query(std::span<const Ball<Dim>> balls, ObstaclesWithin<Dim>& within,
                Executor& executor = serial_executor(), const Filter& filter = {}) const;
    /// All obstacles that a segment, a ray or a moving disc hits, sorted.
    Found query(const ShapesView<Dim>& path, std::vector<ObstacleHit<Dim>>& hits,
                const Filter& filter = {}) const;
    /// All obstacles that a box or a capsule touches while it moves, sorted.
    Found query(const MoversView<Dim>& mover, std::vector<ObstacleHit<Dim>>& hits,
                const Filter& filter = {}) const;
    /// All obstacles that have a point in common with a box, a turned box that set() takes, a
    /// sector, a convex region or a cylinder, sorted by id. Refuses balls and paths: the calls
    /// above take them, and also give distances or times.
    Found query(const ShapesView<Dim>& shape, std::vector<Id>& ids,
                const Filter& filter = {}) const;
    /// The same for many shapes of one kind. Returns how many ids there are. After std::bad_alloc
    /// or an executor that failed, the answers must not be read.
    Found query(const ShapesView<Dim>& shapes, Hits& hits, Executor& executor = serial_executor(),
                const Filter& filter = {}) const;

    /// The first obstacle that a segment, a ray or a moving disc hits. If the path begins in an
    /// obstacle, the time is 0, and the point is the nearest on the surface. Counts 1, or 0 if the
    /// path hits nothing.
    Found first(const ShapesView<Dim>& path, ObstacleHit<Dim>& hit,
                const Filter& filter = {}) const;
    /// The same for many paths of one kind: `hits` has an element for each. Returns how many hit
    /// something.
    Found first(const ShapesView<Dim>& paths, std::span<ObstacleHit<Dim>> hits,
                Executor& executor = serial_executor(), const Filter& filter = {}) const;

    /// The first obstacle that a box or a capsule touches while it moves, for one mover or many of
    /// one kind. If a mover begins in an obstacle, the time is 0, and the point is that of the
    /// surface nearest to the middle of the box or to the middle line of the capsule. Refuses boxes
    /// that set() refuses.
    Found first(const MoversView<Dim>& mover, ObstacleHit<Dim>& hit,
                const Filter& filter = {}) const;
    Found first(const MoversView<Dim>& movers, std::span<ObstacleHit<Dim>> hits,
                Executor& executor = serial_executor(), const Filter& filter = {}) const;

    /// Counts 1 if no obstacle has a point in common with the segment, else 0.
    Found sight(const Segment<Dim>& between, const Filter& filter = {}) const;
    /// The same for many pairs of points: writes 1 or 0 to the element of `clear` for each pair.
    /// Returns how many pairs see each other.
    Found sight(std::span<const Segment<Dim>> between, std::span<std::uint8_t> clear,
                Executor& executor = serial_executor(), const Filter& filter = {}) const;

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(Id id) const noexcept;
    bool contains(WiderThanId auto) const = delete;
    [[nodiscard]] MemoryUse memory() const noexcept;
    /// Checks every invariant, slowly. Returns null if all hold, else says which one does not.
    [[nodiscard]] const char* validate() const;
    /// Gives back the scratch memory that set() keeps for the next time.
    void release_staging() noexcept;

private:
    friend struct detail::Access;

    struct State;
    detail::StatePointer<State> state_;
};

extern template class Obstacles<2>;
extern template class Obstacles<3>;

template <std::size_t Dim>
inline constexpr bool kCanBeFrozen<Obstacles<Dim>> = true; ///< for save() and load()

} // namespace throng

#include "../../simd/isa/names_end.hpp"
