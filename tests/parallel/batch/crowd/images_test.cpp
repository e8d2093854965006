// Images in periodic worlds: each names the copy by which a call has found an agent, as the
// definition of docs/worlds.md has it, among all copies.
#include "../../../support/dims.hpp"
#include "../../../support/numbers.hpp"
#include "../../../support/random.hpp"

#include <throng/engine/agents/body.hpp>
#include <throng/engine/agents/world_wrap.hpp>
#include <throng/engine/crowd/images.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace throng::test {
namespace {

template <class>
class CrowdImages : public ::testing::Test {};
TYPED_TEST_SUITE(CrowdImages, Dims, DimNames);

/// An asker that stays comes first, then one that is moved down, then one that is moved up.
constexpr std::array<int, 3> kSteps = {0, -1, 1};

/// A crowd in a world of which each side is one of these settings', and where the agents are.
template <std::size_t Dim>
struct ImageScene {
    Crowd<Dim> crowd;
    CrowdSettings<Dim> settings;
    std::vector<Point<Dim>> given, kept; // as the caller has them, and inside
    Point<Dim> period{};
    float grain;

    /// With a grain all numbers are multiples of it, and there are ties. Otherwise many agents are
    /// on the border or one float beside it.
    ImageScene(std::array<bool, Dim> periodic, float grain_of_numbers, std::uint64_t seed)
        : grain(grain_of_numbers) {
        Box<Dim> bounds;
        for (std::size_t a = 0; a < Dim; ++a) {
            bounds.lo[a] = grain != 0.0f ? -4.0f : -3.3f - float(a);
            bounds.hi[a] = bounds.lo[a] + (grain != 0.0f ? 8.0f : 7.9f + float(a));
        }
        settings.bounds = bounds;
        settings.periodic = periodic;
        scenes::Random random(seed);
        for (std::size_t i = 0; i < 150; ++i) {
            Point<Dim> at;
            for (std::size_t a = 0; a < Dim; ++a) {
                at[a] = place(random, bounds, a, grain);
                if (!periodic[a]) { at[a] = std::clamp(at[a], bounds.lo[a], bounds.hi[a]); }
            }
            given.push_back(at);
            for (std::size_t a = 0; a < Dim; ++a) {
                if (periodic[a]) {
                    period[a] = bounds.hi[a] - bounds.lo[a];
                    at[a] = wrapped(at[a], bounds.lo[a], bounds.hi[a]);
                }
            }
            kept.push_back(at);
        }
        EXPECT_EQ(crowd.configure(settings), Status{});
        EXPECT_EQ(crowd.update(agents(given)), Status{});
    }

    static Agents<Dim> agents(const std::vector<Point<Dim>>& positions, float half = 0.25f) {
        Agents<Dim> all;
        all.positions = view(positions);
        all.common_half_extent = Point<Dim>::all(half);
        return all;
    }
    static PointView<Dim> view(const std::vector<Point<Dim>>& points) {
        return PointView<Dim>::interleaved(points[0].axis.data(), points.size());
    }

    static float place(scenes::Random& random, const Box<Dim>& bounds, std::size_t a, float grain) {
        const float side = bounds.hi[a] - bounds.lo[a];
        const float at = random.between(bounds.lo[a] - 2.0f * side, bounds.hi[a] + 2.0f * side);
        if (grain != 0.0f) { return std::floor(at / grain) * grain; }
        switch (random.below(6)) {
        case 0:
            return bounds.lo[a];
        case 1:
            return std::nextafter(bounds.hi[a], -kInfinity);
        case 2:
            return std::nextafter(bounds.lo[a], -kInfinity);
        default:
            return random.between(bounds.lo[a], bounds.hi[a]) + float(random.below(3)) * side;
        }
    }

    [[nodiscard]] Point<Dim> moved(const Point<Dim>& asker,
                                   const std::array<int, Dim>& steps) const {
        Point<Dim> there;
        for (std::size_t a = 0; a < Dim; ++a) {
            there[a] = asker[a] + static_cast<float>(steps[a]) * period[a];
        }
        return there;
    }
    static float distance2(const Point<Dim>& from, const Point<Dim>& to) {
        float sum = 0.0f;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float apart = to[a] - from[a];
            sum = sum + apart * apart;
        }
        return sum;
    }
    /// All copies of an asker, in order.
    [[nodiscard]] std::vector<std::array<int, Dim>> copies() const {
        std::vector<std::array<int, Dim>> all(1);
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!settings.periodic[a]) { continue; }
            const auto before = all;
            all.clear();
            for (const int step : kSteps) {
                for (auto copy : before) {
                    copy[a] = step;
                    all.push_back(copy);
                }
            }
        }
        return all;
    }

    /// Checks an image against all copies. Returns the squared distance at which the asker sees the
    /// other.
    float check(const Image<Dim>& image, const Point<Dim>& asker, const Point<Dim>& other) const {
        std::array<int, Dim> named;
        for (std::size_t a = 0; a < Dim; ++a) {
            named[a] = -image[a];
            float least = std::numeric_limits<float>::infinity();
            int first = 0;
            for (const int step : kSteps) {
                if (step != 0 && !settings.periodic[a]) { continue; }
                std::array<int, Dim> steps{};
                steps[a] = step;
                const float apart = std::abs(other[a] - moved(asker, steps)[a]);
                if (apart < least) {
                    least = apart;
                    first = step;
                }
            }
            EXPECT_EQ(named[a], first) << "axis " << a;
        }
        const float seen2 = distance2(moved(asker, named), other);
        for (const auto& copy : copies()) {
            EXPECT_LE(seen2, distance2(moved(asker, copy), other));
        }
        return seen2;
    }
};

template <std::size_t Dim, class Check>
void for_each_image_scene(const Check& check) {
    std::array<bool, Dim> all, first{}, last{}, none{};
    all.fill(true);
    first[0] = true;
    last[Dim - 1] = true;
    std::uint64_t seed = 1;
    for (const auto& periodic : {all, first, last, none}) {
        for (const float grain : {0.0f, 0.25f, 1.0f}) {
            SCOPED_TRACE(testing::Message() << "scene " << seed << ", grain " << grain);
            ImageScene<Dim> scene(periodic, grain, seed++);
            check(scene);
        }
    }
}

TYPED_TEST(CrowdImages, AreTheCopiesThatFindNeighbours) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_image_scene<kDim>([](const ImageScene<kDim>& scene) {
        const Images<kDim> images(scene.crowd);
        Batch<kDim> batch;
        // With a radius of 4 the world is as wide as the reach, and with 5 narrower.
        for (const float radius : {1.0f, 2.0f, 4.0f, 5.0f}) {
            for (const bool later_only : {false, true}) {
                Hits hits;
                ASSERT_EQ(batch.neighbours(scene.crowd,
                                           {.radius = radius, .later_only = later_only}, hits,
                                           Order::ids),
                          Status{});
                std::size_t wanted = 0, across = 0;
                for (Id one = 0; one < scene.kept.size(); ++one) {
                    for (const Id other : hits.of(one)) {
                        const Image<kDim> image = images.of(scene.given[one], scene.given[other]);
                        const float seen2 = scene.check(image, scene.kept[one], scene.kept[other]);
                        ASSERT_LE(seen2, radius * radius);
                        across += image != Image<kDim>{};
                        if (radius > 3.0f) { continue; }
                        for (const auto& copy : scene.copies()) {
                            const float at2 = scene.distance2(scene.moved(scene.kept[one], copy),
                                                              scene.kept[other]);
                            wanted += at2 <= radius * radius;
                        }
                    }
                }
                // In a world that is wider than twice the reach no other copy finds anybody.
                if (radius < 3.0f) { ASSERT_EQ(wanted, hits.total()); }
                ASSERT_EQ(across != 0, scene.crowd.wraps());
            }
        }
    });
}

/// Bodies that are wider than half the world, too.
TYPED_TEST(CrowdImages, AreTheCopiesThatFindBodies) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_image_scene<kDim>([](ImageScene<kDim>& scene) {
        const Images<kDim> images(scene.crowd);
        Batch<kDim> batch;
        for (const float half : {0.25f, 3.0f}) {
            ASSERT_EQ(scene.crowd.update(scene.agents(scene.given, half)), Status{});
            for (const Body body : {Body::box, Body::disc}) {
                const auto apart2 = [&](Id one, Id other) {
                    const Image<kDim> image = images.of(scene.given[one], scene.given[other]);
                    scene.check(image, scene.kept[one], scene.kept[other]);
                    std::array<int, kDim> steps;
                    for (std::size_t a = 0; a < kDim; ++a) {
                        steps[a] = -image[a];
                    }
                    return distance2_to(body, scene.moved(scene.kept[one], steps),
                                        scene.kept[other], Point<kDim>::all(2.0f * half));
                };
                Hits hits;
                ASSERT_EQ(
                    batch.neighbours(scene.crowd, {.radius = 0.5f, .body = body}, hits, Order::ids),
                    Status{});
                ASSERT_GT(hits.total(), 0u);
                for (Id one = 0; one < scene.kept.size(); ++one) {
                    for (const Id other : hits.of(one)) {
                        ASSERT_LE(apart2(one, other), 0.5f * 0.5f);
                    }
                }
                Pairs pairs;
                ASSERT_EQ(batch.pairs_within(scene.crowd, 0.5f, pairs, kAllGroups, body).status,
                          Status{});
                for (std::size_t i = 0; i < pairs.count; ++i) {
                    ASSERT_LE(apart2(pairs.first[i], pairs.second[i]), 0.5f * 0.5f);
                }
            }
            Pairs discs;
            ASSERT_EQ(batch.pairs(scene.crowd, discs, kAllGroups, Body::disc).status, Status{});
            for (std::size_t i = 0; i < discs.count; ++i) {
                const Id one = std::min(discs.first[i], discs.second[i]);
                const Id other = std::max(discs.first[i], discs.second[i]);
                const Image<kDim> image = images.of(scene.given[one], scene.given[other]);
                std::array<int, kDim> steps;
                for (std::size_t a = 0; a < kDim; ++a) {
                    steps[a] = -image[a];
                }
                ASSERT_TRUE(discs_overlap(scene.moved(scene.kept[one], steps), half,
                                          scene.kept[other], half));
            }
        }
    });
}

TYPED_TEST(CrowdImages, AreAsFarAsTheNearestAre) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_image_scene<kDim>([](const ImageScene<kDim>& scene) {
        const Images<kDim> images(scene.crowd);
        std::array<Near, 40> out;
        // Places of other scenes' agents are far outside, too.
        for (const Point<kDim>& point : scene.given) {
            const Found found = scene.crowd.nearest(point, {40}, out);
            ASSERT_EQ(found, (Found{40, {}}));
            Point<kDim> home = point;
            for (std::size_t a = 0; a < kDim; ++a) {
                if (!scene.settings.periodic[a]) { continue; }
                home[a] =
                    wrapped(point[a], scene.settings.bounds->lo[a], scene.settings.bounds->hi[a]);
            }
            for (const Near& near : out) {
                const Image<kDim> image = images.of(point, scene.given[near.id]);
                ASSERT_EQ(scene.check(image, home, scene.kept[near.id]), near.distance2);
            }
        }
        Batch<kDim> batch;
        NearHits hits;
        ASSERT_EQ(batch.nearest_neighbours(scene.crowd, {12}, hits, Order::ids).status, Status{});
        for (Id one = 0; one < scene.kept.size(); ++one) {
            for (const Near& near : hits.of(one)) {
                const Image<kDim> image = images.of(scene.given[one], scene.given[near.id]);
                ASSERT_EQ(scene.check(image, scene.kept[one], scene.kept[near.id]), near.distance2);
            }
        }
    });
}

/// Half a world away from each other, where rounding decides which copy is nearer, and where an
/// asker that is moved is not as far as the other moved the opposite way.
TYPED_TEST(CrowdImages, AreOfAskersThatAreMovedAndRounded) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_image_scene<kDim>([](const ImageScene<kDim>& scene) {
        const Images<kDim> images(scene.crowd);
        scenes::Random random(17);
        for (std::size_t i = 0; i < 2'000; ++i) {
            Point<kDim> one, other;
            for (std::size_t a = 0; a < kDim; ++a) {
                const auto [lo, hi] =
                    std::pair(scene.settings.bounds->lo[a], scene.settings.bounds->hi[a]);
                const float middle = lo + (hi - lo) / 2.0f;
                one[a] = random.between(lo, middle);
                other[a] = one[a] + (hi - lo) / 2.0f;
                for (std::uint32_t step = random.below(4); step > 0; --step) {
                    other[a] = std::nextafter(other[a], i % 2 == 0 ? lo : hi);
                }
                other[a] = std::min(other[a], std::nextafter(hi, lo));
                if (random.below(2) == 0) { std::swap(one[a], other[a]); }
            }
            scene.check(images.of(one, other), one, other);
        }
    });
}

TYPED_TEST(CrowdImages, AreTheCopiesOfBallsThatHit) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_image_scene<kDim>([](const ImageScene<kDim>& scene) {
        const Images<kDim> images(scene.crowd);
        std::vector<Id> ids(scene.kept.size());
        const auto check = [&](const Point<kDim>& asker, const Point<kDim>& home, float radius) {
            const Found found = scene.crowd.query(Ball<kDim>{asker, radius}, ids);
            ASSERT_EQ(found.status, Status{});
            for (std::size_t n = 0; n < found.count; ++n) {
                const Image<kDim> image = images.of(asker, scene.given[ids[n]]);
                ASSERT_LE(scene.check(image, home, scene.kept[ids[n]]), radius * radius);
            }
        };
        for (std::size_t i = 0; i < scene.kept.size(); ++i) {
            const float radius = i % 3 == 0 ? 9.0f : 2.0f;
            check(scene.kept[i], scene.kept[i], radius);
            // From far outside, where nothing is rounded.
            if (scene.grain != 0.0f) { check(scene.given[i], scene.kept[i], radius); }
        }
    });
}

TYPED_TEST(CrowdImages, AreTheCopiesOfPairs) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_image_scene<kDim>([](const ImageScene<kDim>& scene) {
        const Images<kDim> images(scene.crowd);
        Batch<kDim> batch;
        Pairs pairs;
        const auto negative = [](Image<kDim> image) {
            for (std::int8_t& step : image) {
                step = static_cast<std::int8_t>(-step);
            }
            return image;
        };
        const auto overlap_at = [&](const std::array<int, kDim>& steps, Id one, Id other) {
            const Point<kDim> half = Point<kDim>::all(0.25f);
            return overlaps(Box<kDim>::around(scene.moved(scene.kept[one], steps), half),
                            scene.kept[other], half);
        };
        ASSERT_EQ(batch.pairs(scene.crowd, pairs).status, Status{});
        ASSERT_GT(pairs.count, 0u);
        for (std::size_t i = 0; i < pairs.count; ++i) {
            const Id one = std::min(pairs.first[i], pairs.second[i]);
            const Id other = std::max(pairs.first[i], pairs.second[i]);
            const Image<kDim> image = images.of(scene.given[one], scene.given[other]);
            scene.check(image, scene.kept[one], scene.kept[other]);
            for (const auto& copy : scene.copies()) {
                bool named = true;
                for (std::size_t a = 0; a < kDim; ++a) {
                    named = named && copy[a] == -image[a];
                }
                ASSERT_EQ(overlap_at(copy, one, other), named);
            }
            ASSERT_EQ(images.of(scene.given[other], scene.given[one]), negative(image));
        }
        ASSERT_EQ(batch.pairs_within(scene.crowd, 1.5f, pairs).status, Status{});
        ASSERT_GT(pairs.count, 0u);
        for (std::size_t i = 0; i < pairs.count; ++i) {
            const Id one = pairs.first[i], other = pairs.second[i];
            const Image<kDim> image = images.of(scene.given[one], scene.given[other]);
            ASSERT_LE(scene.check(image, scene.kept[one], scene.kept[other]), 1.5f * 1.5f);
        }
    });
}

/// What an array says, or none where it is refused; and that nothing is written behind it.
template <std::size_t Dim, class Points>
Status write_images(const Images<Dim>& images, const Points& points, const Points& positions,
                    std::vector<Image<Dim>>& out) {
    Image<Dim> untouched;
    untouched.fill(77);
    out.assign(positions.count + 1, untouched);
    const Status status = images.write(points, positions, std::span(out).first(positions.count));
    EXPECT_EQ(out.back(), untouched);
    if (!status.ok()) { EXPECT_EQ(out, std::vector(positions.count + 1, untouched)); }
    out.pop_back();
    return status;
}

TYPED_TEST(CrowdImages, OfArraysAreThoseOfTheirElements) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_image_scene<kDim>([](const ImageScene<kDim>& scene) {
        const Images<kDim> images(scene.crowd);
        std::vector<Point<kDim>> turned(scene.given.rbegin(), scene.given.rend());
        std::vector<Image<kDim>> out;
        const auto all = scene.view(scene.given);
        ASSERT_EQ(write_images(images, scene.view(turned), all, out), Status{});
        for (std::size_t i = 0; i < turned.size(); ++i) {
            ASSERT_EQ(out[i], images.of(turned[i], scene.given[i]));
        }
        const auto one = PointView<kDim>::interleaved(turned[0].axis.data(), 1);
        ASSERT_EQ(write_images(images, one, all, out), Status{});
        for (std::size_t i = 0; i < turned.size(); ++i) {
            ASSERT_EQ(out[i], images.of(turned[0], scene.given[i]));
        }
        ASSERT_EQ(write_images(images, one, PointView<kDim>{}, out), Status{});
        ASSERT_EQ(write_images(images, PointView<kDim>{}, PointView<kDim>{}, out), Status{});
    });
}

/// In doubles, positions are those of the crowd, too: an agent just below the border is kept at the
/// lower one, where its float cannot say so.
TYPED_TEST(CrowdImages, TakeDoublesAsTheCrowdDoes) {
    constexpr std::size_t kDim = TypeParam::value;
    ImageScene<kDim> scene({true, true}, 0.0f, 5);
    for (std::size_t a = 0; a < kDim; ++a) {
        scene.settings.origin[a] = 4.5e9 + 0.1;
    }
    ASSERT_EQ(scene.crowd.configure(scene.settings), Status{});
    scenes::Random random(8);
    std::vector<std::array<double, kDim>> far;
    for (std::size_t i = 0; i < scene.kept.size(); ++i) {
        auto& place = far.emplace_back();
        for (std::size_t a = 0; a < kDim; ++a) {
            const double side = scene.period[a];
            const double at = i % 4 == 0 ? scene.settings.bounds->lo[a] - 1e-7
                                         : static_cast<double>(random.between(-3.0f, 3.0f));
            place[a] = scene.settings.origin[a] + at +
                       (scene.settings.periodic[a] ? side * (double(random.below(9)) - 4.0) : 0.0);
        }
    }
    const auto positions = WorldPointView<kDim>::interleaved(
        far[0].data(), far.size(), static_cast<std::ptrdiff_t>(sizeof far[0]));
    ASSERT_EQ(scene.crowd.update(WorldAgents<kDim>(positions)), Status{});
    const Images<kDim> images(scene.crowd);
    std::array<Near, 40> out;
    std::vector<Point<kDim>> kept(far.size());
    WorldWrap<kDim> wrap;
    wrap.origin = scene.settings.origin;
    wrap.periodic = scene.settings.periodic;
    wrap.bounds = *scene.settings.bounds;
    for (std::size_t i = 0; i < far.size(); ++i) {
        kept[i] = wrap.kept(WorldPoint<kDim>(far[i]));
    }
    for (std::size_t i = 0; i < far.size(); ++i) {
        ASSERT_EQ(scene.crowd.nearest(kept[i], {40}, out), (Found{40, {}}));
        for (const Near& near : out) {
            const Image<kDim> image =
                images.of(WorldPoint<kDim>(far[i]), WorldPoint<kDim>(far[near.id]));
            ASSERT_EQ(scene.check(image, kept[i], kept[near.id]), near.distance2);
        }
    }
    auto turned = far;
    std::reverse(turned.begin(), turned.end());
    const auto points = WorldPointView<kDim>::interleaved(
        turned[0].data(), turned.size(), static_cast<std::ptrdiff_t>(sizeof turned[0]));
    std::vector<Image<kDim>> written;
    ASSERT_EQ(write_images(images, points, positions, written), Status{});
    for (std::size_t i = 0; i < far.size(); ++i) {
        ASSERT_EQ(written[i], images.of(WorldPoint<kDim>(turned[i]), WorldPoint<kDim>(far[i])));
    }
    for (const double wrong : {std::nan(""), 1e300, -1e19, double(INFINITY)}) {
        auto spoilt = far;
        spoilt[7][1] = wrong;
        const auto bad = WorldPointView<kDim>::interleaved(
            spoilt[0].data(), far.size(), static_cast<std::ptrdiff_t>(sizeof far[0]));
        const Cause cause = std::isfinite(wrong) ? Cause::too_large : Cause::not_finite;
        EXPECT_EQ(write_images(images, points, bad, written),
                  (Status{cause, Argument::positions, 7}));
    }
}

TYPED_TEST(CrowdImages, RefuseWhatNoCrowdTakes) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_image_scene<kDim>([](const ImageScene<kDim>& scene) {
        const Images<kDim> images(scene.crowd);
        const auto all = scene.view(scene.given);
        std::vector<Image<kDim>> out;
        for (const float wrong : {std::nanf(""), 2e18f, -INFINITY}) {
            const Cause cause = std::isfinite(wrong) ? Cause::too_large : Cause::not_finite;
            for (std::size_t a = 0; a < kDim; ++a) {
                std::vector<Point<kDim>> spoilt = scene.given;
                spoilt[a + 3][a] = wrong;
                spoilt.back()[0] = wrong;
                EXPECT_EQ(write_images(images, all, scene.view(spoilt), out),
                          (Status{cause, Argument::positions, a + 3}));
                EXPECT_EQ(write_images(images, scene.view(spoilt), all, out),
                          (Status{cause, Argument::points, a + 3}));
            }
        }
        PointView<kDim> fewer = all, none{}, null{};
        fewer.count = all.count - 1;
        null.count = all.count;
        EXPECT_EQ(write_images(images, fewer, all, out),
                  (Status{Cause::count_mismatch, Argument::points}));
        EXPECT_EQ(write_images(images, none, all, out),
                  (Status{Cause::count_mismatch, Argument::points}));
        EXPECT_EQ(write_images(images, null, all, out),
                  (Status{Cause::null_pointer, Argument::points}));
        EXPECT_EQ(write_images(images, all, null, out),
                  (Status{Cause::null_pointer, Argument::positions}));
        out.resize(all.count - 1);
        EXPECT_EQ(images.write(all, all, out),
                  (Status{Cause::no_room, Argument::images, all.count}));
    });
}

} // namespace
} // namespace throng::test
