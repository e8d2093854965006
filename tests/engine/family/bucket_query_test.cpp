// The kernel that tests agents in short lists, against the plain test of one agent.
#include <throng/engine/family/bucket_query.hpp>
#include <throng/engine/shapes/agent_test.hpp>

#include "../../support/dims.hpp"
#include "../../support/scenes/scene_shapes.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace throng {
namespace {

template <class Dim>
class Scans : public testing::Test {};
TYPED_TEST_SUITE(Scans, test::Dims, test::DimNames);

/// A scene cut into lists of 0, 1, 2, ... agents.
template <std::size_t Dim>
struct Lists {
    std::vector<std::vector<std::uint32_t>> words;
    std::vector<simd::ScanSpan> spans;

    explicit Lists(const scenes::Scene<Dim>& scene, const CrowdKind<Dim>& kind) {
        const std::uint32_t fields = simd::Fields<Dim>::count(kind.own_half_extents, kind.groups);
        std::size_t next = 0;
        for (std::uint32_t count = 0; next < scene.size(); count = (count + 1) % 40) {
            const auto held =
                static_cast<std::uint32_t>(std::min<std::size_t>(count, scene.size() - next));
            const std::uint32_t capacity = held + 3;
            std::vector<std::uint32_t> list(std::size_t{fields} * capacity + simd::kSlack,
                                            0xFFFF'FFFFu);
            for (std::uint32_t i = 0; i < held; ++i) {
                const Point<Dim> position = scene.position_of(next + i);
                const Point<Dim> half = scene.half_extent_of(next + i);
                for (std::size_t a = 0; a < Dim; ++a) {
                    list[a * capacity + i] = std::bit_cast<std::uint32_t>(position[a]);
                    if (!kind.own_half_extents) { continue; }
                    list[(Dim + 1 + a) * capacity + i] = std::bit_cast<std::uint32_t>(half[a]);
                }
                list[Dim * capacity + i] = static_cast<Id>(next + i);
                if (kind.groups) {
                    list[simd::Fields<Dim>::groups(kind.own_half_extents) * capacity + i] =
                        scene.groups[next + i];
                }
            }
            words.push_back(std::move(list));
            spans.push_back({words.back().data(), capacity, held});
            next += held;
        }
    }
};

template <std::size_t Dim, class Shape>
void check_scan(const scenes::Scene<Dim>& scene, const Lists<Dim>& lists,
                const CrowdKind<Dim>& kind, const Shape& shape, const Filter& filter) {
    const AgentTest<Shape> test(shape);
    std::vector<Id> wanted;
    for (std::size_t i = 0; i < scene.size(); ++i) {
        const bool in_group =
            filter.groups == kAllGroups ||
            (kind.groups ? (scene.groups[i] & filter.groups) != 0 : filter.groups != 0);
        if (i != filter.without && in_group &&
            test.hits(scene.position_of(i), scene.half_extent_of(i))) {
            wanted.push_back(static_cast<Id>(i));
        }
    }
    for (const std::size_t most : {kLongestRun, std::size_t{1}, std::size_t{7}}) {
        std::vector<Id> got;
        const auto visitor = [&](std::span<const Id> run) {
            EXPECT_LE(run.size(), most);
            got.insert(got.end(), run.begin(), run.end());
            return true;
        };
        BucketQuery<Dim, Shape> scan(scan_crowd(kind, kind.common_half_extent), shape, filter,
                                     visitor, most);
        for (const simd::ScanSpan& span : lists.spans) {
            if (!scan.add(span)) {
                ASSERT_EQ(filter.groups, 0u);
                break;
            }
        }
        ASSERT_EQ(scan.finish().count, wanted.size());
        ASSERT_EQ(got, wanted);
    }
    // A visitor that stops after the first run is not called again.
    std::size_t runs = 0;
    const auto once = [&](std::span<const Id>) { return ++runs < 1; };
    BucketQuery<Dim, Shape> scan(scan_crowd(kind, kind.common_half_extent), shape, filter, once, 1);
    for (const simd::ScanSpan& span : lists.spans) {
        if (!scan.add(span)) { break; }
    }
    ASSERT_EQ(scan.finish().count, wanted.empty() ? 0u : 1u);
    ASSERT_EQ(runs, wanted.empty() ? 0u : 1u);
}

TYPED_TEST(Scans, FindWhatTheTestOfOneAgentFinds) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::string_view name : {"uniform", "mixed_sizes", "rim", "giant", "extreme"}) {
        for (const auto groups : {scenes::Groups::none, scenes::Groups::masks}) {
            SCOPED_TRACE(testing::Message() << name << (groups == scenes::Groups::none ? "" : "+"));
            const auto scene = scenes::make<kDim>(name, 700, groups);
            CrowdKind<kDim> kind{scene.has_own_half_extents(), groups != scenes::Groups::none, {}};
            if (!kind.own_half_extents) { kind.common_half_extent = scene.common_half_extent; }
            const Lists<kDim> lists(scene, kind);
            const scenes::Shapes<kDim> others = scenes::shapes_about(scene, 25);
            const auto check_all = [&](const auto&... shapes) {
                const auto check = [&](const auto& some) {
                    static constexpr Filter kFilters[] = {{}, {0x3u, 5}, {kAllGroups, 3}, {0u}};
                    for (std::size_t q = 0; q < std::min<std::size_t>(some.size(), 40); ++q) {
                        ASSERT_NO_FATAL_FAILURE(
                            check_scan(scene, lists, kind, some[q], kFilters[q % 4]));
                    }
                };
                (check(shapes), ...);
            };
            check_all(scene.boxes, scene.balls, others.segments, others.rays, others.capsules,
                      others.sectors, others.convexes, others.oriented_boxes, others.cylinders,
                      others.body_balls, others.body_sectors, others.body_cylinders);
        }
    }
}

} // namespace
} // namespace throng
