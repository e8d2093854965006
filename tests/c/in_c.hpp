// Converts agents and shapes of C++ to arguments of the C API.
#pragma once

#include <throng/engine/agents/agents.hpp>
#include <throng/engine/shapes/shapes.hpp>
#include <throng/throng.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::test {

/// The C structure of agents in the same arrays.
template <std::size_t Dim>
[[nodiscard]] throng_agents in_c(const Agents<Dim>& agents) {
    throng_agents same = THRONG_AGENTS_INIT;
    same.dimension = Dim;
    same.count = agents.positions.count;
    for (std::size_t a = 0; a < Dim; ++a) {
        same.position[a] = agents.positions.axis[a];
        same.position_stride[a] = agents.positions.stride[a];
        same.half_extent[a] = agents.half_extents.axis[a];
        same.half_extent_stride[a] = agents.half_extents.stride[a];
        same.common_half_extent[a] = agents.common_half_extent[a];
    }
    same.groups = static_cast<const std::uint32_t*>(agents.groups.data);
    same.groups_stride = agents.groups.stride;
    return same;
}

template <class Shape>
inline constexpr std::uint32_t kShape = 0;
#define THRONG_TEST_SHAPE(Cpp, C)                                                                  \
    template <>                                                                                    \
    inline constexpr std::uint32_t kShape<Cpp<2>> = C##2;                                          \
    template <>                                                                                    \
    inline constexpr std::uint32_t kShape<Cpp<3>> = C##3;
THRONG_TEST_SHAPE(Box, THRONG_BOX)
THRONG_TEST_SHAPE(Ball, THRONG_BALL)
THRONG_TEST_SHAPE(Segment, THRONG_SEGMENT)
THRONG_TEST_SHAPE(Ray, THRONG_RAY)
THRONG_TEST_SHAPE(Capsule, THRONG_CAPSULE)
THRONG_TEST_SHAPE(Sector, THRONG_SECTOR)
THRONG_TEST_SHAPE(Convex, THRONG_CONVEX)
THRONG_TEST_SHAPE(OrientedBox, THRONG_ORIENTED_BOX)
THRONG_TEST_SHAPE(Cylinder, THRONG_CYLINDER)
THRONG_TEST_SHAPE(BodyBall, THRONG_BODY_BALL)
THRONG_TEST_SHAPE(BodySector, THRONG_BODY_SECTOR)
THRONG_TEST_SHAPE(BodyCylinder, THRONG_BODY_CYLINDER)
#undef THRONG_TEST_SHAPE

/// Questions of one kind, without filters.
template <class Shape>
[[nodiscard]] throng_questions in_c(const std::vector<Shape>& shapes) {
    throng_questions same = THRONG_QUESTIONS_INIT;
    same.shape = kShape<Shape>;
    same.shapes = shapes.data();
    same.count = shapes.size();
    return same;
}

} // namespace throng::test
