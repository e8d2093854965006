// Shapes made of any bits: NaN, infinities, denormals, inverted boxes. Every structure must agree
// with brute force: the same refusal, or the same agents.
#include "../family/every_index.hpp"
#include "fuzz.hpp"

#include <throng/engine/agents/nearest.hpp>

#include <gtest/gtest.h>

#include <array>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <vector>

namespace throng::fuzz {
namespace {

constexpr std::size_t kAgents = 120;
constexpr std::size_t kMostQuestions = 8;
constexpr std::string_view kScenes[] = {"mixed_sizes", "extreme", "rim", "giant",
                                        "lattice_of_tenths"};

/// The same crowd in every structure under test, made once.
template <std::size_t Dim>
class Structures {
public:
    explicit Structures(std::string_view name) {
        auto scene = scenes::make<Dim>(name, kAgents, scenes::Groups::masks);
        lay_out<test::InRowGrid<Dim>>(grid_, scene);
        lay_out<test::InDoubleGrid<Dim>>(double_grid_, scene);
        lay_out<test::InLooseTree<Dim>>(packed_tree_, scene);
        lay_out<test::InCrowd<Dim>>(crowd_, scene);
        lay_out<test::InBruteForce<Dim>>(truth_, scene);

        CrowdSettings<Dim> settings;
        settings.bounds = scene.world;
        settings.periodic.fill(true);
        bool wraps = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float period = scene.world.hi[a] - scene.world.lo[a];
            wraps = wraps && period > 0.0f && period < 1e4f;
        }
        if (wraps) { wraps = ring_.configure(settings, kind_of(scene.agents())).ok(); }
        if (wraps) { wraps = ring_.update(scene.agents()).ok(); }
        wraps_ = wraps;
    }

    template <class Shape>
    void check(const Shape& shape, const Filter& filter) const {
        const Answer wanted(truth_, shape, filter);
        ASSERT_EQ(wanted.found.status, check_shape(shape));
        const test::Asked<Dim> all[] = {grid_, double_grid_, packed_tree_, crowd_};
        for (std::size_t i = 0; i < std::size(all); ++i) {
            SCOPED_TRACE(testing::Message() << "structure " << i);
            const Answer got(all[i], shape, filter);
            ASSERT_EQ(got.found.status, wanted.found.status);
            ASSERT_EQ(got.found.count, wanted.found.count);
            ASSERT_EQ(got.ids, wanted.ids);
            check_counts(all[i], shape, filter, wanted.found);
        }
        if constexpr (PathIn<Shape, Dim>) { check_path(shape, filter); }
    }

    void check_nearest(const Point<Dim>& point, const Nearest& nearest,
                       const Filter& filter) const {
        std::vector<Near> wanted(nearest.k), got(nearest.k);
        const Found right = truth_.nearest(point, nearest, wanted, filter);
        const auto check = [&](const auto& index) {
            const Found found = index.nearest(point, nearest, got, filter);
            ASSERT_EQ(found.status, right.status);
            ASSERT_EQ(found.count, right.count);
            if (right.status.ok()) { ASSERT_EQ(got, wanted); }
        };
        check(grid_);
        check(crowd_);
    }

    /// A periodic world has no other oracle, so its calls must agree with each other. Each shape is
    /// asked once, because it may have thousands of copies there.
    template <class Shape>
    void check_ring(const Shape& shape, const Filter& filter) const {
        if (!wraps_) { return; }
        const Status status = check_shape(shape);
        const Answer answer(ring_, shape, filter);
        if (!status.ok()) { ASSERT_EQ(answer.found.status, status); }
        ASSERT_EQ(answer.found.count, answer.ids.size());
        ASSERT_EQ(std::adjacent_find(answer.ids.begin(), answer.ids.end()), answer.ids.end());
        check_counts(ring_, shape, filter, answer.found);
    }

private:
    template <class Entry, class Index>
    static void lay_out(Index& index, scenes::Scene<Dim>& scene) {
        ASSERT_EQ(Entry::lay_out(index, scene, kind_of(scene.agents())), Status{});
        ASSERT_EQ(index.update(scene.agents()), Status{});
    }

    struct Answer {
        test::Ids ids; // sorted
        Found found;

        template <class Shape>
        Answer(const test::Asked<Dim>& index, const Shape& shape, const Filter& filter) {
            found = index.visit(
                shape,
                [this](std::span<const Id> run) {
                    ids.insert(ids.end(), run.begin(), run.end());
                    return true;
                },
                filter);
            ids = test::in_order(std::move(ids));
        }
    };

    template <class Shape>
    static void check_counts(const test::Asked<Dim>& index, const Shape& shape,
                             const Filter& filter, const Found& wanted) {
        const Found count = index.count(shape, filter);
        ASSERT_EQ(count.status, wanted.status);
        ASSERT_EQ(count.count, wanted.count);
        const Found any = index.any(shape, filter);
        ASSERT_EQ(any.status, wanted.status);
        ASSERT_EQ(any.count, wanted.count == 0 ? 0u : 1u);
        std::array<Id, 7> few;
        const Found first = index.query(shape, few, filter);
        ASSERT_EQ(first.status, wanted.status);
        ASSERT_EQ(first.count, wanted.count);
    }

    template <class Path>
    void check_path(const Path& path, const Filter& filter) const {
        std::vector<PathHit> wanted, got;
        PathHit first, other;
        const Status status = truth_.hits(path, wanted, filter);
        const Found right = truth_.first(path, first, filter);
        const auto check = [&](const auto& index) {
            ASSERT_EQ(index.hits(path, got, filter), status);
            const Found found = index.first(path, other, filter);
            ASSERT_EQ(found.status, right.status);
            ASSERT_EQ(found.count, right.count);
            if (!status.ok()) { return; }
            ASSERT_EQ(got, wanted);
            if (right.count != 0) { ASSERT_EQ(other, first); }
        };
        check(grid_);
        check(crowd_);
    }

    RowGrid<Dim> grid_;
    DoubleGrid<Dim> double_grid_;
    LooseTree<Dim> packed_tree_;
    Crowd<Dim> crowd_, ring_;
    BruteForce<Dim> truth_;
    bool wraps_ = false;
};

template <std::size_t Dim>
const Structures<Dim>& structures(std::size_t scene) {
    static const std::array<Structures<Dim>, std::size(kScenes)> all = {
        Structures<Dim>(kScenes[0]), Structures<Dim>(kScenes[1]), Structures<Dim>(kScenes[2]),
        Structures<Dim>(kScenes[3]), Structures<Dim>(kScenes[4])};
    return all[scene];
}

template <std::size_t Dim>
void ask(Input& input) {
    const std::uint32_t scene = input.below(std::size(kScenes));
    const Structures<Dim>& all = structures<Dim>(scene);
    for (std::size_t q = 0; q < kMostQuestions && !input.empty(); ++q) {
        SCOPED_TRACE(testing::Message() << kScenes[scene] << " " << Dim << "d, question " << q);
        const Filter filter = input.filter(kAgents);
        switch (input.below(8)) {
        case 0: {
            Point<Dim> point;
            for (float& x : point.axis) {
                x = input.any_float();
            }
            const float radius = input.any_float();
            static constexpr std::uint32_t kCounts[] = {
                0, 1, 2, 5, 64, kMostNearest, kMostNearest + 1};
            all.check_nearest(point, {input.any_of(kCounts), radius}, filter);
            break;
        }
        case 1: {
            // More sides than a region may have.
            Convex<Dim> convex;
            convex.count = input.raw<std::size_t>();
            all.check(convex, filter);
            break;
        }
        default:
            input.with_any_shape<Dim>([&](const auto& shape) {
                all.check(shape, filter);
                if (q == 0 && input.below(4) == 0) { all.check_ring(shape, filter); }
            });
        }
    }
}

} // namespace

void run(Input& input) { input.flip() ? ask<3>(input) : ask<2>(input); }

} // namespace throng::fuzz
