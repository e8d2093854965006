// What bounds rule out for a packet: never a body that can be the answer, and most of those that
// cannot. Compared with distances in doubles.
#include "../../../simd/kernels/tree/packet_bounds.hpp"

#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace throng {
namespace {

using test::kInfinity;

using simd::kMostGathered;
using simd::kPacketWidth;

template <std::size_t Dim>
using Place = std::array<double, Dim>;

template <std::size_t Dim>
double dot(const Place<Dim>& a, const Place<Dim>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < Dim; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}
template <std::size_t Dim>
Place<Dim> along(const Place<Dim>& a, double t, const Place<Dim>& b) {
    Place<Dim> made;
    for (std::size_t i = 0; i < Dim; ++i) {
        made[i] = a[i] + t * b[i];
    }
    return made;
}

/// The distance from a point to the segment from `from` to `from` + `way`.
double to_segment(const Place<2>& point, const Place<2>& from, const Place<2>& way) {
    const Place<2> off = along<2>(point, -1.0, from);
    const double length2 = dot<2>(way, way);
    const double part = length2 > 0.0 ? std::clamp(dot<2>(off, way) / length2, 0.0, 1.0) : 0.0;
    const Place<2> apart = along<2>(off, -part, way);
    return std::sqrt(dot<2>(apart, apart));
}
template <std::size_t Dim>
double to_box(const Place<Dim>& point, const simd::Gathered<Dim>& box) {
    Place<Dim> gap;
    for (std::size_t a = 0; a < Dim; ++a) {
        gap[a] = std::max({box.lo[a] - point[a], point[a] - box.hi[a], 0.0});
    }
    return std::sqrt(dot<Dim>(gap, gap));
}

double cross(const Place<2>& a, const Place<2>& b) { return a[0] * b[1] - a[1] * b[0]; }

/// The distance of two segments. If they cross it is below zero: the shortest end that sticks out,
/// as a fraction, times a length.
double between_segments(const Place<2>& p, const Place<2>& d, const Place<2>& q,
                        const Place<2>& w) {
    const Place<2> off = along<2>(q, -1.0, p);
    const double turn = cross(d, w);
    // Where they cross, as fractions of d and of w: beyond the ends of both if they are parallel.
    const double one = turn == 0.0 ? 2.0 : cross(off, w) / turn;
    const double other = turn == 0.0 ? 2.0 : cross(off, d) / turn;
    if (one >= 0.0 && one <= 1.0 && other >= 0.0 && other <= 1.0) {
        const double depth = std::abs(turn) * std::min({one, 1.0 - one, other, 1.0 - other});
        return -depth / std::sqrt(std::max(dot<2>(d, d), dot<2>(w, w)));
    }
    return std::min({to_segment(p, q, w), to_segment(along<2>(p, 1.0, d), q, w),
                     to_segment(q, p, d), to_segment(along<2>(q, 1.0, w), p, d)});
}

/// The distance is convex over time, so a ternary search finds the least.
template <std::size_t Dim>
double way_to_box(const Place<Dim>& from, const Place<Dim>& way, const simd::Gathered<Dim>& box) {
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 80; ++i) {
        const double one = low + (high - low) / 3.0, other = high - (high - low) / 3.0;
        const bool first = to_box<Dim>(along<Dim>(from, one, way), box) <=
                           to_box<Dim>(along<Dim>(from, other, way), box);
        (first ? high : low) = first ? other : one;
    }
    return to_box<Dim>(along<Dim>(from, 0.5 * (low + high), way), box);
}

/// Bodies and questions of about one size: boxes, and in the plane also segments. Some have no
/// length or no width.
template <std::size_t Dim>
struct PacketScene {
    std::vector<simd::Gathered<Dim>> boxes;
    std::vector<simd::RoundSegment> segments;
    simd::PacketBodies<Dim> bodies;
    simd::PointPacket<Dim> points;
    simd::WayPacket<Dim> ways;

    PacketScene(scenes::Random& random, std::uint32_t count, float size, float far) : boxes(count) {
        const auto anywhere = [&] { return far + size * random.between(-1.0f, 1.0f); };
        std::uint64_t round = 0;
        for (std::uint32_t c = 0; c < count; ++c) {
            float from[Dim], to[Dim];
            for (std::size_t a = 0; a < Dim; ++a) {
                from[a] = anywhere();
                to[a] = random.below(6) == 0 ? from[a]
                                             : from[a] + 0.5f * size * random.between(-1.0f, 1.0f);
            }
            const float reach = random.below(3) == 0 ? 0.0f : 0.1f * size * random.unit();
            for (std::size_t a = 0; a < Dim; ++a) {
                boxes[c].lo[a] = std::min(from[a], to[a]);
                boxes[c].hi[a] = std::max(from[a], to[a]);
            }
            if constexpr (Dim == 2) {
                const float x = to[0] - from[0], y = to[1] - from[1];
                const float length2 = x * x + y * y;
                const bool is_long = length2 >= 1e-30f;
                segments.push_back({{from[0], from[1]},
                                    {x, y},
                                    is_long ? 1.0f / length2 : 0.0f,
                                    std::sqrt(length2) * 1.00001f,
                                    reach,
                                    is_long ? 0.0f : 2e-15f});
                if (random.below(3) != 0) { round |= std::uint64_t{1} << c; }
            }
        }
        bodies = {count, boxes.data(), segments.data(), round};
        for (std::uint32_t i = 0; i < kPacketWidth; ++i) {
            for (std::size_t a = 0; a < Dim; ++a) {
                points.axis[a][i] = ways.from[a][i] = anywhere();
                ways.to[a][i] = random.below(8) == 0
                                    ? ways.from[a][i]
                                    : ways.from[a][i] + size * random.between(-1.0f, 1.0f);
            }
            ways.reach[i] = random.below(2) == 0 ? 0.0f : 0.1f * size * random.unit();
            // Some ways begin at a body.
            if (count != 0 && random.below(6) == 0) {
                const std::uint32_t c = random.below(count);
                for (std::size_t a = 0; a < Dim; ++a) {
                    points.axis[a][i] = ways.from[a][i] = boxes[c].lo[a];
                }
            }
        }
    }
    [[nodiscard]] bool is_round(std::uint32_t c) const { return (bodies.round >> c & 1u) != 0; }
    [[nodiscard]] static Place<Dim> place(const float (&axes)[Dim][kPacketWidth], std::uint32_t i) {
        Place<Dim> made;
        for (std::size_t a = 0; a < Dim; ++a) {
            made[a] = axes[a][i];
        }
        return made;
    }
    [[nodiscard]] double distance(std::uint32_t c, std::uint32_t i) const {
        const Place<Dim> point = place(points.axis, i);
        if constexpr (Dim == 2) {
            if (is_round(c)) {
                const simd::RoundSegment& s = segments[c];
                return to_segment(point, {s.from[0], s.from[1]}, {s.way[0], s.way[1]}) - s.reach;
            }
        }
        return to_box<Dim>(point, boxes[c]);
    }
};

struct PacketSizes {
    float size, far;
};
constexpr PacketSizes kSizes[] = {{1.0f, 0.0f},   {10.0f, 3000.0f}, {1e-3f, 0.0f},
                                  {1e-16f, 0.0f}, {1e17f, 0.0f},    {1e-2f, 100.0f}};
constexpr std::uint32_t kCounts[] = {0, 1, 7, kMostGathered};

template <class Dim>
class PacketBounds : public testing::Test {};
TYPED_TEST_SUITE(PacketBounds, test::Dims, test::DimNames);

TYPED_TEST(PacketBounds, HoldTheNearest) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(3);
    for (const PacketSizes& sizes : kSizes) {
        for (int round = 0; round < 40; ++round) {
            const std::uint32_t count = kCounts[random.below(4)];
            const PacketScene<kDim> scene(random, count, sizes.size, sizes.far);
            const float slack = random.below(2) == 0 ? 0.0f : 0.01f * sizes.size;
            const float within = random.below(2) == 0 ? 1e18f : 0.3f * sizes.size;
            simd::NearBounds bounds;
            bounds.all = random.below(2) == 0;
            std::fill_n(bounds.limit, kPacketWidth, within);
            simd::bound_nearest(scene.bodies, scene.points, slack, bounds);
            for (std::uint32_t i = 0; i < kPacketWidth; ++i) {
                double least =
                    within; // or to the nearest round body, if only the nearest is wanted
                for (std::uint32_t c = 0; c < count; ++c) {
                    const double distance = scene.distance(c, i);
                    if (scene.is_round(c) && !bounds.all) { least = std::min(least, distance); }
                    const double lower = bounds.lower[c][i];
                    ASSERT_LE(lower, std::max(distance, 0.0)) << c << ' ' << i;
                    ASSERT_GE(lower, 0.0);
                    // The bound must not be much lower either.
                    const double off = 2e-5 * (std::abs(distance) + 2.0 * sizes.size) + 1e-14;
                    ASSERT_GE(lower, distance - off) << c << ' ' << i;
                    ASSERT_EQ(bounds.may_win[c] >> i & 1u, lower <= bounds.limit[i] ? 1u : 0u);
                }
                least = std::max(least, 0.0);
                ASSERT_GE(bounds.limit[i], least + slack) << i;
                ASSERT_LE(bounds.limit[i], least * 1.0001 + slack + 1e-4 * sizes.size + 1e-14);
            }
        }
    }
}

TYPED_TEST(PacketBounds, HoldWhatIsOnTheWay) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(4);
    for (const PacketSizes& sizes : kSizes) {
        SCOPED_TRACE(testing::Message() << sizes.size << " at " << sizes.far);
        std::size_t apart = 0, ruled_out = 0, crossing = 0, crossed = 0;
        for (int round = 0; round < 40; ++round) {
            const std::uint32_t count = kCounts[random.below(4)];
            const PacketScene<kDim> scene(random, count, sizes.size, sizes.far);
            simd::WayBounds bounds;
            simd::bound_ways(scene.bodies, scene.ways, bounds);
            for (std::uint32_t i = 0; i < kPacketWidth; ++i) {
                const Place<kDim> from = scene.place(scene.ways.from, i);
                const Place<kDim> way = along<kDim>(scene.place(scene.ways.to, i), -1.0, from);
                double deepest = kInfinity;
                for (std::uint32_t c = 0; c < count; ++c) {
                    double between = 0.0, reach = scene.ways.reach[i];
                    if constexpr (kDim == 2) {
                        if (scene.is_round(c)) {
                            const simd::RoundSegment& s = scene.segments[c];
                            between = between_segments(from, way, {s.from[0], s.from[1]},
                                                       {s.way[0], s.way[1]});
                            deepest = std::min(deepest, between);
                            reach += s.reach;
                        }
                    }
                    if (!scene.is_round(c)) {
                        between = way_to_box<kDim>(from, way, scene.boxes[c]);
                    }
                    const bool may_hit = (bounds.may_hit[c] >> i & 1u) != 0;
                    if (between <= reach) { ASSERT_TRUE(may_hit) << c << ' ' << i; }
                    if (between > 2.0 * reach + 0.01 * sizes.size) {
                        ++apart;
                        ruled_out += may_hit ? 0 : 1;
                    }
                }
                const bool crosses = (bounds.crossed >> i & 1u) != 0;
                if (crosses) { ASSERT_LT(deepest, 0.0) << i; }
                if (deepest < -0.01 * sizes.size) {
                    ++crossing;
                    crossed += crosses ? 1 : 0;
                }
            }
        }
        if (sizes.size < 1e-10f) { continue; } // too small to judge
        EXPECT_GT(apart, 1000u);
        EXPECT_GT(static_cast<double>(ruled_out), 0.97 * static_cast<double>(apart));
        if (kDim == 2) { EXPECT_GT(crossing, 50u); }
        EXPECT_GE(static_cast<double>(crossed), 0.97 * static_cast<double>(crossing));
    }
}

/// Boxes that are infinite on one side are bounded as exactly as small ones: box i ends beside way
/// i.
TYPED_TEST(PacketBounds, TellBoxesWithoutAnEnd) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(29);
    for (int round = 0; round < 60; ++round) {
        const std::size_t axis = random.below(kDim);
        const bool above = random.below(2) == 0;
        const bool within = round % 2 == 0;
        simd::WayPacket<kDim> ways;
        std::vector<simd::Gathered<kDim>> boxes(kPacketWidth);
        for (std::uint32_t i = 0; i < kPacketWidth; ++i) {
            ways.reach[i] = random.below(2) == 0 ? 0.0f : 0.25f * random.unit();
            for (std::size_t a = 0; a < kDim; ++a) {
                ways.from[a][i] = random.between(-50.0f, 50.0f);
                ways.to[a][i] = ways.from[a][i] + random.between(-2.0f, 2.0f);
                boxes[i].lo[a] = -1e18f;
                boxes[i].hi[a] = 1e18f;
            }
            const float beside = within ? 0.99f * ways.reach[i] : ways.reach[i] + 0.01f;
            const float low = std::min(ways.from[axis][i], ways.to[axis][i]) - beside;
            const float high = std::max(ways.from[axis][i], ways.to[axis][i]) + beside;
            (above ? boxes[i].lo : boxes[i].hi)[axis] = above ? high : low;
        }
        simd::WayBounds bounds;
        simd::bound_ways<kDim>({kPacketWidth, boxes.data(), nullptr, 0}, ways, bounds);
        for (std::uint32_t i = 0; i < kPacketWidth; ++i) {
            ASSERT_EQ((bounds.may_hit[i] >> i & 1u) != 0, within) << i;
        }
    }
}

/// Whether a straight way from zero meets a box whose extents grow by `change`, in the box's own
/// coordinates.
template <std::size_t Dim>
bool meets(const Place<Dim>& way, const float (&middle)[Dim], const float (&half)[Dim],
           double change) {
    double enter = 0.0, exit = 1.0;
    for (std::size_t i = 0; i < Dim; ++i) {
        const double low = middle[i] - half[i] - change, high = middle[i] + half[i] + change;
        if (high < low) { return false; }
        if (way[i] == 0.0) {
            if (low > 0.0 || high < 0.0) { return false; }
            continue;
        }
        enter = std::max(enter, std::min(low / way[i], high / way[i]));
        exit = std::min(exit, std::max(low / way[i], high / way[i]));
    }
    return enter <= exit;
}

TYPED_TEST(PacketBounds, TellWhichLooksMeetTurnedBoxes) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(23);
    std::size_t met = 0, surely = 0, apart = 0, ruled_out = 0;
    for (const float size : {1.0f, 1e8f, 1e-8f}) {
        for (int round = 0; round < 600; ++round) {
            simd::LookPacket<kDim> looks;
            for (auto& axis : looks.way) {
                for (float& x : axis) {
                    x = random.below(9) == 0 ? 0.0f : size * random.between(-4.0f, 4.0f);
                }
            }
            std::vector<simd::SeenBody<kDim>> bodies(1 + random.below(20));
            for (simd::SeenBody<kDim>& body : bodies) {
                const float turn = random.below(3) == 0 ? 0.0f : random.between(-3.0f, 3.0f);
                for (std::size_t i = 0; i < kDim; ++i) {
                    for (std::size_t a = 0; a < kDim; ++a) {
                        body.axis[i][a] = i == a ? 1.0f : 0.0f;
                    }
                    body.middle[i] = size * random.between(-3.0f, 3.0f);
                    body.outer[i] = size * random.between(0.1f, 1.0f);
                    body.inner[i] = random.below(4) == 0 ? -4e18f : 0.7f * body.outer[i];
                }
                body.axis[0][0] = body.axis[1][1] = std::cos(turn);
                body.axis[0][1] = std::sin(turn);
                body.axis[1][0] = -body.axis[0][1];
            }
            // Some of the bodies, in any order; one of them may come twice.
            std::vector<std::uint32_t> numbers(1 + random.below(30));
            for (std::uint32_t& number : numbers) {
                number = random.below(static_cast<std::uint32_t>(bodies.size()));
            }
            const std::uint32_t lanes = 1 + random.below(kPacketWidth);
            std::vector<std::uint32_t> may(numbers.size(), ~0u);
            const std::uint32_t sure = simd::bound_looks(bodies.data(), numbers.data(),
                                                         numbers.size(), looks, lanes, may.data());
            for (std::uint32_t l = 0; l < lanes; ++l) {
                bool some = false, some_nearly = false;
                for (std::size_t c = 0; c < numbers.size(); ++c) {
                    const simd::SeenBody<kDim>& body = bodies[numbers[c]];
                    Place<kDim> way{};
                    for (std::size_t i = 0; i < kDim; ++i) {
                        for (std::size_t a = 0; a < kDim; ++a) {
                            way[i] += double{looks.way[a][l]} * body.axis[i][a];
                        }
                    }
                    const double little = 1e-4 * size;
                    const bool told = (may[c] >> l & 1u) != 0;
                    if (meets<kDim>(way, body.middle, body.outer, -little)) {
                        ASSERT_TRUE(told) << c << ' ' << l;
                    } else if (!meets<kDim>(way, body.middle, body.outer, little)) {
                        ++apart;
                        ruled_out += told ? 0 : 1;
                    }
                    some = some || meets<kDim>(way, body.middle, body.inner, -little);
                    some_nearly = some_nearly || meets<kDim>(way, body.middle, body.inner, little);
                }
                const bool told = (sure >> l & 1u) != 0;
                if (told) { ASSERT_TRUE(some_nearly) << l; }
                met += some ? 1 : 0;
                surely += some && told ? 1 : 0;
            }
        }
    }
    EXPECT_GT(met, 400u);
    EXPECT_EQ(surely, met);
    EXPECT_GT(apart, 10'000u);
    EXPECT_EQ(ruled_out, apart);
}

} // namespace
} // namespace throng
