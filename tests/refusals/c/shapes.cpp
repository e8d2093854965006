// Shapes, their filters, and room for their answers.
#include "cases.hpp"

namespace throng_refusals {

namespace {

throng_status queried(const throng_questions& questions) {
    const Yard yard;
    throng_hits hits = THRONG_HITS_INIT;
    return throng_query(yard.batch, yard.crowd, &questions, &hits);
}

/// Asks about two shapes, of which the second is refused.
template <class Shape>
throng_status asked(std::uint32_t kind, const Shape& good, const Shape& bad) {
    return queried(questions(kind, std::vector<Shape>{good, bad}));
}

throng_status balls(const throng_ball2& bad) { return asked(THRONG_BALL2, {}, bad); }
throng_status boxes(const throng_box2& bad) { return asked(THRONG_BOX2, {}, bad); }
throng_status rays(const throng_ray2& bad) { return asked(THRONG_RAY2, {{0, 0}, {1, 0}, 1}, bad); }
throng_status sectors(const throng_sector2& bad) {
    return asked(THRONG_SECTOR2, {{0, 0}, 1, {1, 0}, 0}, bad);
}
throng_status cylinders(const throng_cylinder2& bad) {
    return asked(THRONG_CYLINDER2, {{0, 0}, 1, 0, 1, 1}, bad);
}
throng_status body_balls(const throng_body_ball2& bad) {
    return asked(THRONG_BODY_BALL2, {{0, 0}, 1, THRONG_BODY_BOX}, bad);
}

/// Asks about a region of `sides` equal sides, within (0, 0) ... (1, 1).
throng_status regions(const throng_side2& side, std::size_t sides) {
    throng_convex2 region{};
    for (throng_side2& each : region.sides) {
        each = side;
    }
    region.count = 1;
    region.bounds = {{0, 0}, {1, 1}};
    throng_convex2 good = region, bad = region;
    good.sides[0] = {{1, 0}, 1};
    bad.count = sides;
    return asked(THRONG_CONVEX2, good, bad);
}

throng_status polygon(const Places& corners) {
    throng_convex2 region;
    return throng_polygon(corners.data(), corners.size() / 2, &region);
}

const std::vector<throng_ball2> kBalls = {{{1, 1}, 1}, {{9, 9}, 1}, {{5, 5}, 1}};

const Case kShapeCases[] = {
    {"ball radius negative",
     [] {
         return balls({{0, 0}, -1});
     }},
    {"ball radius not finite",
     [] {
         return balls({{0, 0}, kNan});
     }},
    {"ball centre not finite",
     [] {
         return balls({{0, kInfinite}, 1});
     }},
    {"ball too large",
     [] {
         return balls({{kTooLarge, 0}, 1});
     }},
    {"box not finite",
     [] {
         return boxes({{0, 0}, {1, kNan}});
     }},
    {"box too large",
     [] {
         return boxes({{-kTooLarge, 0}, {1, 1}});
     }},
    {"segment not finite",
     [] {
         return asked<throng_segment2>(THRONG_SEGMENT2, {}, {{0, 0}, {kNan, 1}});
     }},
    {"ray without direction",
     [] {
         return rays({{0, 0}, {0, 0}, 1});
     }},
    {"ray length negative",
     [] {
         return rays({{0, 0}, {1, 0}, -1});
     }},
    {"ray origin not finite",
     [] {
         return rays({{kNan, 0}, {1, 0}, 1});
     }},
    {"capsule radius negative",
     [] {
         return asked<throng_capsule2>(THRONG_CAPSULE2, {}, {{0, 0}, {1, 1}, -1});
     }},
    {"sector cosine",
     [] {
         return sectors({{0, 0}, 1, {1, 0}, 1.5f});
     }},
    {"sector without direction",
     [] {
         return sectors({{0, 0}, 1, {0, 0}, 0});
     }},
    {"sector radius negative",
     [] {
         return sectors({{0, 0}, -1, {1, 0}, 0});
     }},
    {"convex too many sides",
     [] {
         return regions({{1, 0}, 1}, 9);
     }},
    {"convex side without direction",
     [] {
         return regions({{0, 0}, 1}, 1);
     }},
    {"oriented box not finite",
     [] {
         return asked<throng_oriented_box2>(THRONG_ORIENTED_BOX2, {},
                                            {{0, 0}, {{kNan, 0}, {0, 1}}});
     }},
    {"cylinder upright on z",
     [] {
         const std::vector<throng_cylinder2> one = {{{0, 0}, 1, 0, 1, 2}};
         return queried(questions(THRONG_CYLINDER2, one));
     }},
    {"cylinder radius negative",
     [] {
         return cylinders({{0, 0}, -1, 0, 1, 1});
     }},
    {"cylinder low not finite",
     [] {
         return cylinders({{0, 0}, 1, kNan, 1, 1});
     }},
    {"body ball radius negative",
     [] {
         return body_balls({{0, 0}, -1, THRONG_BODY_BOX});
     }},
    {"body ball without body",
     [] {
         return body_balls({{0, 0}, 1, 9});
     }},

    {"polygon not convex",
     [] {
         return polygon({0, 0, 4, 0, 1, 1, 0, 4});
     }},
    {"polygon too many corners", [] { return polygon(Places(18)); }},
    {"polygon not finite",
     [] {
         return polygon({kNan, 0, 4, 0, 0, 4});
     }},
    {"frustum flat",
     [] {
         const float corners[24] = {0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1,
                                    0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1};
         throng_convex3 region;
         return throng_frustum(corners, &region);
     }},

    {"filters too few",
     [] {
         const throng_filter filters[2] = {{THRONG_ALL_GROUPS, THRONG_NO_ID},
                                           {THRONG_ALL_GROUPS, THRONG_NO_ID}};
         throng_questions all = questions(THRONG_BALL2, kBalls);
         all.filters = filters;
         all.filter_count = 2;
         return queried(all);
     }},
    {"shapes null",
     [] {
         throng_questions all = questions(THRONG_BALL2, kBalls);
         all.shapes = nullptr;
         return queried(all);
     }},
    {"shapes unknown", [] { return queried(questions(992, kBalls)); }},
    {"shapes no paths",
     [] {
         const Yard yard;
         const throng_questions all = questions(THRONG_BALL2, kBalls);
         throng_meeting meetings[3];
         return throng_first(yard.batch, yard.crowd, &all, meetings, 3, nullptr);
     }},
    {"one question of three",
     [] {
         const throng_questions all = questions(THRONG_BALL2, kBalls);
         std::uint64_t total = 0;
         return throng_count_one(Yard().crowd, &all, &total);
     }},
    {"one ball negative",
     [] {
         const std::vector<throng_ball2> ball = {{{0, 0}, -1}};
         const throng_questions one = questions(THRONG_BALL2, ball);
         std::uint64_t total = 0;
         return throng_count_one(Yard().crowd, &one, &total);
     }},
    {"ray around a periodic world",
     [] {
         throng_crowd_settings settings = yard_settings();
         settings.periodic = 1;
         const std::vector<throng_ray2> ray = {{{0, 0}, {1, 0}, 1e18f}};
         const throng_questions one = questions(THRONG_RAY2, ray);
         std::uint64_t total = 0;
         return throng_count_one(Yard(settings).crowd, &one, &total);
     }},
    {"counts too short",
     [] {
         const Yard yard;
         const throng_questions all = questions(THRONG_BALL2, kBalls);
         std::uint32_t counts[2];
         return throng_count(yard.batch, yard.crowd, &all, counts, 2, nullptr);
     }},
    {"offsets too short",
     [] {
         const Yard yard;
         const throng_questions all = questions(THRONG_BALL2, kBalls);
         std::uint64_t offsets[3];
         std::uint32_t ids[9];
         throng_hits_room room = THRONG_HITS_ROOM_INIT;
         room.offsets = offsets;
         room.offset_room = 3;
         room.ids = ids;
         room.id_room = 9;
         return throng_query_into(yard.batch, yard.crowd, &all, &room);
     }},
};

} // namespace

std::span<const Case> shape_cases() { return kShapeCases; }

} // namespace throng_refusals
