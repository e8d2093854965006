// Obstacles of either dimension.
#pragma once

#include "../../engine/obstacles/obstacles.hpp"
#include "../../throng.h"
#include "../arrays.hpp"
#include "../held.hpp"

#include <cstddef>
#include <cstdint>
#include <variant>

namespace throng::c {

#define THRONG_SAME(Cpp, C) static_assert(kSameLayout<Cpp, C>)
#define THRONG_SAME_FIELD(Cpp, C, field) static_assert(offsetof(Cpp, field) == offsetof(C, field))
THRONG_SAME(Wall, throng_wall);
THRONG_SAME_FIELD(Wall, throng_wall, to);
THRONG_SAME_FIELD(Wall, throng_wall, thickness);
THRONG_SAME(Triangle, throng_triangle);
#define THRONG_SAME_MOVING(Shape, shape, Dim)                                                      \
    using Moving##Shape##Dim = Moving<Dim, Shape>;                                                 \
    THRONG_SAME(Moving##Shape##Dim, throng_moving_##shape##Dim);                                   \
    THRONG_SAME_FIELD(Moving##Shape##Dim, throng_moving_##shape##Dim, way);
#define THRONG_FOR_DIM(Dim)                                                                        \
    THRONG_SAME_MOVING(Box, box, Dim)                                                              \
    THRONG_SAME_MOVING(OrientedBox, oriented_box, Dim)                                             \
    THRONG_SAME_MOVING(Capsule, capsule, Dim)                                                      \
    THRONG_SAME(ObstacleNear<Dim>, throng_obstacle_near##Dim);                                     \
    THRONG_SAME_FIELD(ObstacleNear<Dim>, throng_obstacle_near##Dim, id);                           \
    THRONG_SAME_FIELD(ObstacleNear<Dim>, throng_obstacle_near##Dim, distance);                     \
    THRONG_SAME_FIELD(ObstacleNear<Dim>, throng_obstacle_near##Dim, point);                        \
    THRONG_SAME_FIELD(ObstacleNear<Dim>, throng_obstacle_near##Dim, normal);                       \
    THRONG_SAME(ObstacleHit<Dim>, throng_obstacle_hit##Dim);                                       \
    THRONG_SAME_FIELD(ObstacleHit<Dim>, throng_obstacle_hit##Dim, id);                             \
    THRONG_SAME_FIELD(ObstacleHit<Dim>, throng_obstacle_hit##Dim, time);                           \
    THRONG_SAME_FIELD(ObstacleHit<Dim>, throng_obstacle_hit##Dim, point);                          \
    THRONG_SAME_FIELD(ObstacleHit<Dim>, throng_obstacle_hit##Dim, normal);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM
#undef THRONG_SAME_MOVING
#undef THRONG_SAME
#undef THRONG_SAME_FIELD

class ObstaclesObject {
public:
    template <std::size_t Dim>
    explicit ObstaclesObject(throng::Obstacles<Dim> obstacles) noexcept
        : obstacles_(std::move(obstacles)) {}

    /// Calls call(obstacles) with Obstacles<2>& or Obstacles<3>&.
    template <class Call>
    decltype(auto) change(const Call& call) {
        return std::visit(call, obstacles_);
    }
    /// The same with const obstacles.
    template <class Call>
    decltype(auto) ask(const Call& call) const {
        return std::visit(call, obstacles_);
    }

    /// The obstacles of a dimension. Throws Refused if they have the other one.
    template <std::size_t Dim>
    [[nodiscard]] const throng::Obstacles<Dim>& in() const {
        const auto* const obstacles = std::get_if<throng::Obstacles<Dim>>(&obstacles_);
        if (obstacles == nullptr) { refuse(THRONG_WRONG_DIMENSION, "obstacles"); }
        return *obstacles;
    }

private:
    std::variant<throng::Obstacles<2>, throng::Obstacles<3>> obstacles_;
};

template <>
struct Held<throng_obstacles> {
    using Object = ObstaclesObject;
    static constexpr Kind kKind = Kind::obstacles;
};

} // namespace throng::c
