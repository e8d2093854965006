// Shapes, their filters, and room for their answers.
#include "cases.hpp"

namespace throng::refusals {

namespace {

template <class Shape>
std::string all_asked(const std::vector<Shape>& shapes) {
    Hits hits;
    return said(Batch<2>().query(yard(), shapes, hits));
}
/// Asks about two shapes, of which the second is refused.
template <class Shape>
std::string asked(const Shape& good, const Shape& bad) {
    return all_asked(std::vector<Shape>{good, bad});
}
template <class Shape>
std::string asked(const Shape& bad) {
    return asked(Shape{}, bad);
}

std::string rays(const Ray<2>& bad) { return asked({{{0, 0}}, {{1, 0}}, 1}, bad); }
std::string sectors(const Sector<2>& bad) { return asked({{{0, 0}}, 1, {{1, 0}}, 0}, bad); }
std::string cylinders(const Cylinder<2>& bad) { return asked({{{0, 0}}, 1, 0, 1, 1}, bad); }

/// Asks about a region of `sides` equal sides, within (0, 0) ... (1, 1).
std::string regions(const HalfSpace<2>& side, std::uint32_t sides) {
    Convex<2> region;
    region.sides.fill(side);
    region.count = sides;
    region.bounds = {{{0, 0}}, {{1, 1}}};
    return asked(region);
}

const std::vector<Ball<2>> kBalls = {{{{1, 1}}, 1}, {{{9, 9}}, 1}, {{{5, 5}}, 1}};

const Case kShapeCases[] = {
    {"ball radius negative",
     [] {
         return asked(Ball<2>{{{0, 0}}, -1});
     }},
    {"ball radius not finite",
     [] {
         return asked(Ball<2>{{{0, 0}}, kNan});
     }},
    {"ball centre not finite",
     [] {
         return asked(Ball<2>{{{0, kInfinite}}, 1});
     }},
    {"ball too large",
     [] {
         return asked(Ball<2>{{{kTooLarge, 0}}, 1});
     }},
    {"box not finite",
     [] {
         return asked(Box<2>{{{0, 0}}, {{1, kNan}}});
     }},
    {"box too large",
     [] {
         return asked(Box<2>{{{-kTooLarge, 0}}, {{1, 1}}});
     }},
    {"segment not finite",
     [] {
         return asked(Segment<2>{{{0, 0}}, {{kNan, 1}}});
     }},
    {"ray without direction",
     [] {
         return rays({{{0, 0}}, {{0, 0}}, 1});
     }},
    {"ray length negative",
     [] {
         return rays({{{0, 0}}, {{1, 0}}, -1});
     }},
    {"ray origin not finite",
     [] {
         return rays({{{kNan, 0}}, {{1, 0}}, 1});
     }},
    {"capsule radius negative",
     [] {
         return asked(Capsule<2>{{{0, 0}}, {{1, 1}}, -1});
     }},
    {"sector cosine",
     [] {
         return sectors({{{0, 0}}, 1, {{1, 0}}, 1.5f});
     }},
    {"sector without direction",
     [] {
         return sectors({{{0, 0}}, 1, {{0, 0}}, 0});
     }},
    {"sector radius negative",
     [] {
         return sectors({{{0, 0}}, -1, {{1, 0}}, 0});
     }},
    {"convex too many sides",
     [] {
         return regions({{{1, 0}}, 1}, 9);
     }},
    {"convex side without direction",
     [] {
         return regions({{{0, 0}}, 1}, 1);
     }},
    {"oriented box not finite",
     [] {
         return asked(OrientedBox<2>{{{0, 0}}, {{{{kNan, 0}}, {{0, 1}}}}});
     }},
    {"cylinder upright on z",
     [] {
         return all_asked<Cylinder<2>>({{{{0, 0}}, 1, 0, 1, 2}});
     }},
    {"cylinder radius negative",
     [] {
         return cylinders({{{0, 0}}, -1, 0, 1, 1});
     }},
    {"cylinder low not finite",
     [] {
         return cylinders({{{0, 0}}, 1, kNan, 1, 1});
     }},
    {"body ball radius negative",
     [] {
         return asked(BodyBall<2>{{{{0, 0}}, -1}, Body::box});
     }},
    {"body ball without body",
     [] {
         return asked(BodyBall<2>{{{{0, 0}}, 1}, static_cast<Body>(9)});
     }},

    {"polygon not convex",
     [] {
         return said(polygon(Places{{{0, 0}}, {{4, 0}}, {{1, 1}}, {{0, 4}}}).status);
     }},
    {"polygon too many corners", [] { return said(polygon(Places(9)).status); }},
    {"polygon not finite",
     [] {
         return said(polygon(Places{{{kNan, 0}}, {{4, 0}}, {{0, 4}}}).status);
     }},
    {"frustum flat",
     [] {
         std::array<Point<3>, 8> corners = {{{{0, 0, 0}}, {{0, 1, 0}}, {{0, 1, 1}}, {{0, 0, 1}}}};
         for (std::size_t i = 0; i < 4; ++i) {
             corners[i + 4] = corners[i];
         }
         return said(frustum(corners).status);
     }},

    {"filters too few",
     [] {
         Hits hits;
         const Filter filters[2];
         return said(Batch<2>().query(yard(), kBalls, hits, filters));
     }},
    {"shapes null",
     [] {
         Hits hits;
         return said(Batch<2>().query(yard(), ShapesView<2>(ShapeKind::ball, nullptr, 3), hits));
     }},
    {"shapes unknown",
     [] {
         Hits hits;
         const ShapesView<2> unknown(static_cast<ShapeKind>(99), kBalls.data(), 3);
         return said(Batch<2>().query(yard(), unknown, hits));
     }},
    {"shapes no paths",
     [] {
         PathHit path_hits[3];
         return said(Batch<2>().first(yard(), ShapesView<2>(kBalls), path_hits));
     }},
    {"one question of three", [] { return said(yard().count(ShapesView<2>(kBalls))); }},
    {"one ball negative",
     [] {
         return said(yard().count(Ball<2>{{{0, 0}}, -1}));
     }},
    {"ray around a periodic world",
     [] {
         CrowdSettings<2> settings = yard_settings();
         settings.periodic = {true, false};
         Crowd<2> crowd;
         (void)crowd.configure(settings);
         return said(crowd.count(Ray<2>{{{0, 0}}, {{1, 0}}}));
     }},
    {"counts too short",
     [] {
         std::uint32_t counts[2];
         return said(Batch<2>().count(yard(), kBalls, counts));
     }},
    {"offsets too short",
     [] {
         std::uint64_t offsets[3];
         Id ids[9];
         return said(Batch<2>().query(yard(), kBalls, HitsOutput{offsets, ids}));
     }},
};

} // namespace

std::span<const Case> shape_cases() { return kShapeCases; }

} // namespace throng::refusals
