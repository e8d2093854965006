// Difficult queries for a scene, of every shape except boxes and balls.
#pragma once

#include "scenes.hpp"

#include <throng/engine/shapes/shapes.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::scenes {

template <std::size_t Dim>
struct Shapes {
    std::vector<Segment<Dim>> segments;
    std::vector<Ray<Dim>> rays;
    std::vector<Capsule<Dim>> capsules;
    std::vector<Sector<Dim>> sectors;
    std::vector<Convex<Dim>> convexes;
    std::vector<OrientedBox<Dim>> oriented_boxes;
    std::vector<Cylinder<Dim>> cylinders;
    std::vector<BodyBall<Dim>> body_balls;
    std::vector<BodySector<Dim>> body_sectors;
    std::vector<BodyCylinder<Dim>> body_cylinders;
};

/// Some of each shape that suit any crowd: along, beside and just outside agents' edges and rims,
/// between agents, through the whole world, from far away, and of no length, area or angle.
template <std::size_t Dim>
[[nodiscard]] Shapes<Dim> shapes_about(const Scene<Dim>& scene, std::size_t count,
                                       std::uint64_t seed = 23);

} // namespace throng::scenes
