// How Obstacles are stored: records, and their places in a tree. Internal to the engine.
#pragma once

#include "../../core/access_check.hpp"
#include "../../loose_tree/loose_tree.hpp"
#include "../../memory/vector.hpp"
#include "../exact/exact_box.hpp"
#include "../exact/exact_triangle.hpp"
#include "../exact/exact_wall.hpp"
#include "../obstacles.hpp"
#include "copies.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace throng {

namespace obstacle {

/// Stands for no slot.
inline constexpr std::uint32_t kNowhere = ~0u;

enum class Kind : std::uint32_t { box, turned_box, thin };

/// The thin kind of obstacle: walls in the plane, triangles in space.
template <std::size_t Dim>
using Thin = std::conditional_t<Dim == 2, Wall, Triangle>;

template <class Shape, std::size_t Dim>
[[nodiscard]] constexpr Kind kind_of() noexcept {
    if constexpr (std::is_same_v<Shape, Box<Dim>>) { return Kind::box; }
    return std::is_same_v<Shape, OrientedBox<Dim>> ? Kind::turned_box : Kind::thin;
}

/// An obstacle as it was given, its id and its kind: half a cache line in the plane.
template <std::size_t Dim>
struct Record {
    std::array<float, Dim == 2 ? 6 : 12> numbers;
    Id id;
    Kind kind;

    template <class Shape>
    static Record of(Id id, const Shape& shape) noexcept {
        static_assert(sizeof(Shape) <= sizeof(numbers));
        Record record = {{}, id, kind_of<Shape, Dim>()};
        std::memcpy(record.numbers.data(), &shape, sizeof shape);
        return record;
    }
    template <class Shape>
    [[nodiscard]] Shape as() const noexcept {
        Shape shape;
        std::memcpy(static_cast<void*>(&shape), numbers.data(), sizeof shape);
        return shape;
    }
};

/// Calls with(body) with the exact body of an obstacle, and returns the result.
template <std::size_t Dim, class With>
auto with_body(const Record<Dim>& record, const With& with) {
    switch (record.kind) {
    case Kind::box:
        return with(body_of(record.template as<Box<Dim>>()));
    case Kind::turned_box:
        return with(body_of(record.template as<OrientedBox<Dim>>()));
    default:
        return with(body_of(record.template as<Thin<Dim>>()));
    }
}

/// Where an obstacle lies in the tree: a box around it, rounded outward, as trees take it, and
/// wider by the slack that the definitions add for the obstacle's own numbers.
template <std::size_t Dim>
struct Place {
    Point<Dim> position, half_extent;
};

/// Refuses obstacles that are not valid; blames `index`.
template <std::size_t Dim>
[[nodiscard]] Status check(const Box<Dim>& box, std::size_t index) noexcept;
template <std::size_t Dim>
[[nodiscard]] Status check(const OrientedBox<Dim>& box, std::size_t index) noexcept;
[[nodiscard]] Status check(const Wall& wall, std::size_t index) noexcept;
[[nodiscard]] Status check(const Triangle& triangle, std::size_t index) noexcept;

/// Refuses what check() refuses, and in a periodic world also obstacles that are wider than the
/// period. Moves the obstacle by whole periods, so that its middle is in the world.
template <std::size_t Dim, class Shape>
[[nodiscard]] Status admit(const WorldWrap<Dim>& world, Shape& shape, std::size_t index) noexcept;
/// Whether admit() may have left an obstacle in this place.
template <std::size_t Dim>
[[nodiscard]] bool is_at_home(const WorldWrap<Dim>& world, const Place<Dim>& place) noexcept;

/// The place of an obstacle that check() accepts.
template <std::size_t Dim>
[[nodiscard]] Place<Dim> place_of(const Record<Dim>& record) noexcept;
/// The box around a body, in floats that are rounded outward.
template <std::size_t Dim>
[[nodiscard]] Box<Dim> bounds_of(const ExactBox<Dim>& body) noexcept;
} // namespace obstacle

template <std::size_t Dim>
struct Obstacles<Dim>::State : FromSource {
    using Record = obstacle::Record<Dim>;

    // The ids in the tree are slots. So a replacement can be inserted before the old obstacle,
    // which has the same id, is erased.
    LooseTree<Dim> tree;
    Vector<Record> records;      // by slot
    Vector<std::uint32_t> slots; // by id
    Vector<std::uint32_t> free;  // slots that are not in use
    obstacle::Surroundings<Dim> around;
    THRONG_NO_UNIQUE_ADDRESS AccessCheck access;

    void expect_idle() noexcept { const AccessCheck::Changing going(access); }

    State();
    void clear() noexcept;
    /// The world, if it is periodic; else null.
    [[nodiscard]] const obstacle::Surroundings<Dim>* copied() const noexcept {
        return around.world.wraps ? &around : nullptr;
    }
    [[nodiscard]] std::uint32_t slot_of(Id id) const noexcept {
        return id < slots.size() ? slots[id] : obstacle::kNowhere;
    }
    [[nodiscard]] bool is_empty_for(const Filter& filter) const noexcept {
        return tree.size() == 0 || filter.groups == 0;
    }
    /// The filter as the tree takes it, with a slot instead of an id.
    [[nodiscard]] Filter filter_of(const Filter& filter) const noexcept {
        return {filter.groups, slot_of(filter.without)};
    }

    Status set(const ObstacleArrays<Dim>& arrays, Executor& executor);
    /// Adds an obstacle with a free id; or, if `old` is a slot, replaces the obstacle there, which
    /// has the same id.
    Status put(const Record& record, std::uint32_t groups, std::uint32_t old);
    Status erase(Id id);
    [[nodiscard]] const char* validate() const;
};

} // namespace throng
