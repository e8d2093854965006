// Crowds whose updates lay other cells, because the agents have spread, gathered or left.
#include <throng/engine/crowd/cell_stats.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/published_crowd.hpp>
#include <throng/engine/crowd/store/cell_fit.hpp>
#include <throng/engine/frozen/frozen.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/dims.hpp"
#include "../../support/random.hpp"
#include "../../support/scenes/scenes.hpp"
#include "../../support/threads/executors.hpp"
#include "crowd_truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace throng {
namespace {

using namespace test;

constexpr std::size_t kAgents = 2000;

template <class DimOf>
class Refit : public testing::Test {
public:
    static constexpr std::size_t kDim = DimOf::value;
    using Scene = scenes::Scene<kDim>;

    /// The scene in a world that is so many times as large, and shifted along x.
    static Scene scaled(const Scene& scene, float factor, float shift = 0.0f) {
        Scene other = scene;
        for (std::size_t a = 0; a < kDim; ++a) {
            for (float& x : other.position[a]) {
                x = x * factor + (a == 0 ? shift : 0.0f);
            }
        }
        return other;
    }

    /// Updates with worlds that grow, or shrink, to `factor` times their size within `frames`.
    template <class Update>
    static void travel(const Scene& scene, float factor, std::size_t frames, const Update& update) {
        for (std::size_t frame = 1; frame <= frames; ++frame) {
            const float part = static_cast<float>(frame) / static_cast<float>(frames);
            Scene now = scaled(scene, std::pow(factor, part));
            update(now);
        }
    }

    /// Updates a crowd, which was fitted to other agents, until the next update lays other cells. A
    /// crowd from its file, which goes ahead, tells when.
    static void update_until_due(Crowd<kDim>& crowd, Scene& scene) {
        const GridShape<kDim> first = crowd.grid().shape();
        Crowd<kDim> ahead;
        ASSERT_EQ(load(ahead, bytes(crowd)), Status{});
        for (int i = 0;; ++i) {
            ASSERT_LT(i, 8);
            ASSERT_EQ(ahead.update(scene.agents()), Status{});
            if (ahead.grid().shape() != first) { break; }
            ASSERT_EQ(crowd.update(scene.agents()), Status{});
            ASSERT_EQ(crowd.grid().shape(), first);
        }
    }

    static void expect_good_cells(const Crowd<kDim>& crowd) {
        const CellStats stats = crowd.cell_stats();
        EXPECT_LT(stats.company, 2.5 * stats.company_afresh + 0.5);
        EXPECT_LT(stats.outside, stats.agents / 2);
    }

    static std::vector<std::byte> bytes(const Crowd<kDim>& crowd) {
        std::vector<std::byte> all;
        EXPECT_EQ(save(crowd, all), Status{});
        return all;
    }
};
TYPED_TEST_SUITE(Refit, Dims, DimNames);

TYPED_TEST(Refit, CellsFollowACrowdThatSpreadsAndGathers) {
    constexpr std::size_t Dim = TypeParam::value;
    auto scene = scenes::make_uniform<Dim>(kAgents);
    Crowd<Dim> follows, stays;
    CrowdSettings<Dim> settings;
    settings.refits = false;
    ASSERT_EQ(stays.configure(settings), Status{});
    ASSERT_EQ(follows.update(scene.agents()), Status{});
    ASSERT_EQ(stays.update(scene.agents()), Status{});
    const GridShape<Dim> first = stays.grid().shape();
    for (const float factor : {1000.0f, 0.001f}) {
        this->travel(scene, factor, 4000, [&](auto& now) {
            ASSERT_EQ(follows.update(now.agents()), Status{});
            ASSERT_EQ(stays.update(now.agents()), Status{});
            ASSERT_NO_FATAL_FAILURE(this->expect_good_cells(follows));
        });
        EXPECT_EQ(stays.grid().shape(), first);
        if (factor > 1.0f) {
            EXPECT_NE(follows.grid().shape(), first);
            EXPECT_GT(stays.cell_stats().company, 10.0);
        }
        scene = this->scaled(scene, factor);
    }
}

TYPED_TEST(Refit, EveryQuestionIsAnsweredAsBefore) {
    constexpr std::size_t Dim = TypeParam::value;
    auto scene = with_giants<Dim>(400, [](std::size_t i) { return i % 50 == 3; });
    scenes::add_queries(scene, 12);
    CrowdTruth<Dim> truth;
    ASSERT_EQ(truth.update(scene), Status{});
    auto castles = scenes::make<Dim>("uniform", 20);
    truth.set_statics(castles);
    const GridShape<Dim> first = truth.crowd.grid().shape();
    const Questions<Dim> questions(scene);
    this->travel(scene, 8.0f, 24, [&](auto& now) {
        ASSERT_EQ(truth.update(now), Status{});
        ASSERT_NO_FATAL_FAILURE(truth.check_all(questions));
    });
    EXPECT_NE(truth.crowd.grid().shape(), first);
}

TYPED_TEST(Refit, MarchingCrowdsTakeTheirCellsAlong) {
    constexpr std::size_t Dim = TypeParam::value;
    const auto scene = scenes::make_uniform<Dim>(kAgents);
    Crowd<Dim> crowd;
    const float side = scene.world.hi[0] - scene.world.lo[0];
    for (std::size_t frame = 0; frame < 3200; ++frame) {
        auto now = this->scaled(scene, 1.0f, 0.0015f * side * static_cast<float>(frame));
        ASSERT_EQ(crowd.update(now.agents()), Status{});
        ASSERT_NO_FATAL_FAILURE(this->expect_good_cells(crowd));
    }
}

/// Sizes change by 7 percent a frame, which is more than a look at every eighth update can follow.
TYPED_TEST(Refit, SuddenChangesAreSeenAtOnce) {
    constexpr std::size_t Dim = TypeParam::value;
    auto scene = scenes::make_uniform<Dim>(1000);
    Crowd<Dim> crowd;
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    for (const float factor : {1000.0f, 0.001f}) {
        this->travel(scene, factor, 100, [&](auto& now) {
            ASSERT_EQ(crowd.update(now.agents()), Status{});
            const CellStats stats = crowd.cell_stats();
            ASSERT_LT(stats.outside, 500u);
            // While a crowd grows, agents beyond the cells are company in corners that few ask.
            if (factor < 1.0f) { ASSERT_LT(stats.company, 3.0 * stats.company_afresh); }
        });
        scene = this->scaled(scene, factor);
    }
}

/// Small crowds, drawn anew for each frame: a few agents stand far from the others, by chance.
TYPED_TEST(Refit, SmallCrowdsWithOutliersMostlyKeepTheirCells) {
    constexpr std::size_t Dim = TypeParam::value;
    scenes::Random random(5);
    for (const std::size_t agents : {64u, 100u, 400u}) {
        Crowd<Dim> crowd;
        GridShape<Dim> shape;
        std::size_t laid = 0;
        auto scene = scenes::make_uniform<Dim>(agents);
        for (int frame = 0; frame < 1000; ++frame) {
            for (auto& axis : scene.position) {
                for (float& x : axis) {
                    x = 0.0f;
                    for (int draw = 0; draw < 6; ++draw) {
                        x += random.between(-1.0f, 1.0f);
                    }
                }
            }
            ASSERT_EQ(crowd.update(scene.agents()), Status{});
            laid += crowd.grid().shape() == shape ? 0 : 1;
            shape = crowd.grid().shape();
        }
        EXPECT_LT(laid, 12u) << agents;
    }
}

TYPED_TEST(Refit, CrowdsThatSpreadWithinTheirBoundsGetLargerCells) {
    constexpr std::size_t Dim = TypeParam::value;
    const auto scene = scenes::make_uniform<Dim>(kAgents);
    Crowd<Dim> crowd, afresh;
    CrowdSettings<Dim> settings;
    settings.bounds = scene.world;
    ASSERT_EQ(crowd.configure(settings), Status{});
    ASSERT_EQ(afresh.configure(settings), Status{});
    const auto born = this->scaled(scene, 0.25f);
    this->travel(born, 4.0f, 100,
                 [&](auto& now) { ASSERT_EQ(crowd.update(now.agents()), Status{}); });
    auto all = scene;
    ASSERT_EQ(afresh.update(all.agents()), Status{});
    for (std::size_t a = 0; a < Dim; ++a) {
        const auto side = [&](const Crowd<Dim>& of) {
            return 1.0f / of.grid().shape().inverse_cell[a];
        };
        EXPECT_GT(side(crowd), 0.6f * side(afresh));
    }
}

/// Cells with room for a crowd that grows suit it as long as it does not grow on.
TYPED_TEST(Refit, CellsWithRoomSuitTheirCrowd) {
    constexpr std::size_t Dim = TypeParam::value;
    for (const std::size_t agents : {300u, 2000u}) {
        const auto scene = scenes::make_uniform<Dim>(agents);
        for (const float shift : {0.0f, 1.0f}) {
            auto grown = this->scaled(scene, 2.0f, shift);
            const auto born = shape_for(this->scaled(scene, 1.0f).agents());
            const auto once = refitted_shape<Dim>({}, grown.agents(), born.value);
            ASSERT_EQ(once.status, Status{});
            EXPECT_NE(once.value, born.value);
            const auto twice = refitted_shape<Dim>({}, grown.agents(), once.value);
            EXPECT_EQ(twice.value, once.value);
        }
    }
}

/// The cells of a flat axis at the end of the world have no side to stretch.
TYPED_TEST(Refit, FlatCrowdsAtTheEndOfTheWorldGetRoom) {
    constexpr std::size_t Dim = TypeParam::value;
    auto scene = scenes::make_uniform<Dim>(300);
    std::fill(scene.position[1].begin(), scene.position[1].end(), kLargest);
    const auto born = shape_for(scene.agents());
    auto grown = scene;
    for (float& x : grown.position[0]) {
        x *= 3.0f;
    }
    const auto refitted = refitted_shape<Dim>({}, grown.agents(), born.value);
    ASSERT_EQ(refitted.status, Status{});
    const GridShape<Dim>& shape = refitted.value;
    const float end = shape.origin[0] + static_cast<float>(shape.cells[0]) / shape.inverse_cell[0];
    EXPECT_GT(end, 1.05f * *std::max_element(grown.position[0].begin(), grown.position[0].end()));
}

TYPED_TEST(Refit, ASteadyCrowdKeepsItsCells) {
    constexpr std::size_t Dim = TypeParam::value;
    for (const std::size_t agents : {70u, 300u, 20'000u}) {
        Crowd<Dim> crowd;
        GridShape<Dim> first;
        for (std::uint64_t frame = 0; frame < 20; ++frame) {
            auto scene = scenes::make_uniform<Dim>(agents, 1 + frame); // all have moved
            ASSERT_EQ(crowd.update(scene.agents()), Status{});
            if (frame == 0) { first = crowd.grid().shape(); }
            if (agents == 20'000u) { ASSERT_EQ(crowd.grid().shape(), first); }
            ASSERT_NO_FATAL_FAILURE(this->expect_good_cells(crowd));
        }
    }
}

TYPED_TEST(Refit, GivenCellsAndFewAgentsStay) {
    constexpr std::size_t Dim = TypeParam::value;
    const auto scene = scenes::make_uniform<Dim>(kAgents);
    Crowd<Dim> laid;
    CrowdSettings<Dim> settings;
    settings.bounds = scene.world;
    settings.cell = Point<Dim>::all(2.0f);
    ASSERT_EQ(laid.configure(settings), Status{});
    const auto shape = laid.grid().shape();
    Crowd<Dim> few;
    auto family = scenes::make_uniform<Dim>(40);
    ASSERT_EQ(few.update(family.agents()), Status{});
    const auto shape_of_few = few.grid().shape();
    this->travel(scene, 100.0f, 10, [&](auto& now) {
        ASSERT_EQ(laid.update(now.agents()), Status{});
        ASSERT_EQ(laid.grid().shape(), shape);
    });
    this->travel(family, 100.0f, 10, [&](auto& now) {
        ASSERT_EQ(few.update(now.agents()), Status{});
        ASSERT_EQ(few.grid().shape(), shape_of_few);
    });
}

TYPED_TEST(Refit, HandlesAndStaticsStay) {
    constexpr std::size_t Dim = TypeParam::value;
    auto scene = scenes::make_uniform<Dim>(kAgents);
    Crowd<Dim> crowd;
    CrowdSettings<Dim> settings;
    settings.bounds = scene.world;
    ASSERT_EQ(crowd.configure(settings), Status{});
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    crowd.clear();
    std::vector<Agent<Dim>> agents(kAgents);
    for (std::size_t i = 0; i < kAgents; ++i) {
        agents[i].position = scene.position_of(i);
    }
    std::vector<Handle> handles(kAgents);
    ASSERT_EQ(crowd.add(agents, handles), Status{});
    ASSERT_EQ(crowd.set_key(handles[9], 99), Status{});
    auto castles = scenes::make<Dim>("uniform", 20);
    ASSERT_EQ(crowd.set_statics(castles.agents()), Status{});
    ASSERT_EQ(crowd.remove(handles[7]), Status{});
    ASSERT_EQ(crowd.remove(handles[8]), Status{});
    const GridShape<Dim> first = crowd.grid().shape();
    this->travel(scene, 0.01f, 2000, [&](auto& now) {
        // What stands where no agent is has no say.
        now.position[0][7] = std::numeric_limits<float>::quiet_NaN();
        now.position[Dim - 1][8] = 1e6f;
        ASSERT_EQ(crowd.update(now.agents()), Status{});
        ASSERT_NO_FATAL_FAILURE(this->expect_good_cells(crowd));
    });
    EXPECT_NE(crowd.grid().shape(), first);
    EXPECT_EQ(crowd.size(), kAgents - 2);
    EXPECT_EQ(crowd.size(Sets::statics), 20u);
    EXPECT_EQ(crowd.check(handles[7]).cause, Cause::handle_stale);
    for (const std::size_t i : {0u, 9u, 1999u}) {
        EXPECT_EQ(crowd.check(handles[i]), Status{});
        EXPECT_EQ(crowd.handle_of(handles[i].slot), handles[i]);
        EXPECT_EQ(crowd.key_of(handles[i].slot), i == 9 ? 99u : 0u);
    }
    EXPECT_STREQ(crowd.validate(), nullptr);
}

TYPED_TEST(Refit, UpdatesByNamesLayTheSameCells) {
    constexpr std::size_t Dim = TypeParam::value;
    const auto scene = scenes::make_uniform<Dim>(kAgents);
    Crowd<Dim> by_id, by_names;
    std::vector<Id> names(kAgents);
    for (std::size_t i = 0; i < kAgents; ++i) {
        names[i] = static_cast<Id>(kAgents - 1 - i);
    }
    this->travel(scene, 50.0f, 2400, [&](auto& now) {
        auto other_order = now;
        for (std::size_t a = 0; a < Dim; ++a) {
            std::reverse(other_order.position[a].begin(), other_order.position[a].end());
        }
        ASSERT_EQ(by_id.update(now.agents()), Status{});
        ASSERT_EQ(by_names.update(other_order.agents(), names), Status{});
        ASSERT_EQ(by_names.grid().shape(), by_id.grid().shape());
        ASSERT_NO_FATAL_FAILURE(this->expect_good_cells(by_names));
    });
}

TYPED_TEST(Refit, AFewFirstAgentsDoNotSetTheCells) {
    constexpr std::size_t Dim = TypeParam::value;
    auto scene = scenes::make_uniform<Dim>(20'000);
    for (const std::size_t few : {0u, 1u, 10u, 63u}) {
        Crowd<Dim> crowd;
        auto all = this->scaled(scene, 1.0f), born = this->scaled(scene, 0.01f);
        for (auto& axis : born.position) {
            axis.resize(few);
        }
        ASSERT_EQ(crowd.update(born.agents()), Status{});
        ASSERT_EQ(crowd.update(all.agents()), Status{});
        ASSERT_EQ(crowd.update(born.agents()), Status{}); // keeps the cells, whatever they are
        ASSERT_EQ(crowd.size(), few);
        for (int frame = 0; frame < 3; ++frame) {
            ASSERT_EQ(crowd.update(all.agents()), Status{});
        }
        ASSERT_NO_FATAL_FAILURE(this->expect_good_cells(crowd));
    }
}

TYPED_TEST(Refit, ThreadsFilesAndFramesChangeNothing) {
    constexpr std::size_t Dim = TypeParam::value;
    const auto scene = scenes::make_uniform<Dim>(kAgents);
    Crowd<Dim> one, many, loaded;
    PublishedCrowd<Dim> published;
    EagerPool threads(4);
    std::size_t shapes = 0;
    this->travel(scene, 300.0f, 100, [&](auto& now) {
        const GridShape<Dim> before = one.grid().shape();
        ASSERT_EQ(one.update(now.agents()), Status{});
        ASSERT_EQ(many.update(now.agents(), threads), Status{});
        ASSERT_EQ(loaded.update(now.agents()), Status{});
        ASSERT_EQ(published.update(now.agents()), Status{});
        const std::vector<std::byte> right = this->bytes(one);
        ASSERT_EQ(this->bytes(many), right);
        ASSERT_EQ(this->bytes(loaded), right);
        ASSERT_EQ(this->bytes(*published.acquire()), right);
        Crowd<Dim> next;
        ASSERT_EQ(load(next, right), Status{});
        loaded = std::move(next);
        shapes += one.grid().shape() == before ? 0 : 1;
    });
    EXPECT_GT(shapes, 3u);
}

TYPED_TEST(Refit, WithoutMemoryTheCellsStay) {
    constexpr std::size_t Dim = TypeParam::value;
    for (const bool own : {false, true}) {
        auto scene = scenes::make_uniform<Dim>(kAgents);
        for (std::size_t i = 0; own && i < kAgents; ++i) {
            for (auto& axis : scene.half_extent) {
                axis.push_back(i % 100 == 0 ? 40.0f : 0.01f * static_cast<float>(i % 10));
            }
        }
        auto wide = this->scaled(scene, 10.0f);
        std::size_t failed = 0;
        for (std::size_t successes = 0;; ++successes) {
            Crowd<Dim> crowd;
            auto now = scene;
            ASSERT_EQ(crowd.update(now.agents()), Status{});
            this->update_until_due(crowd, wide);
            const GridShape<Dim> first = crowd.grid().shape();
            bool was_refused = false;
            {
                const FailingAllocations fail(successes);
                ASSERT_EQ(crowd.update(wide.agents()), Status{});
                was_refused = fail.failed();
            }
            ASSERT_STREQ(crowd.validate(), nullptr);
            ASSERT_EQ(crowd.size(), kAgents);
            if (!was_refused) {
                EXPECT_NE(crowd.grid().shape(), first);
                break;
            }
            ++failed;
            ASSERT_EQ(crowd.grid().shape(), first);
        }
        EXPECT_GT(failed, 3u);
    }
}

TYPED_TEST(Refit, RefusedAgentsChangeNothing) {
    constexpr std::size_t Dim = TypeParam::value;
    const auto scene = scenes::make_uniform<Dim>(kAgents);
    Crowd<Dim> crowd;
    auto now = scene, wide = this->scaled(scene, 10.0f);
    ASSERT_EQ(crowd.update(now.agents()), Status{});
    this->update_until_due(crowd, wide);
    const std::vector<std::byte> before = this->bytes(crowd);
    auto wrong = wide;
    wrong.position[Dim - 1][1234] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(crowd.update(wrong.agents()), (Status{Cause::not_finite, Argument::positions, 1234}));
    wrong.position[Dim - 1][1234] = 1e30f;
    EXPECT_EQ(crowd.update(wrong.agents()), (Status{Cause::too_large, Argument::positions, 1234}));
    EXPECT_EQ(this->bytes(crowd), before);
    ASSERT_EQ(crowd.update(wide.agents()), Status{});
    ASSERT_NO_FATAL_FAILURE(this->expect_good_cells(crowd));
}

TYPED_TEST(Refit, PeriodicWorldsAndGivenBounds) {
    constexpr std::size_t Dim = TypeParam::value;
    const auto scene = scenes::make_uniform<Dim>(kAgents);
    for (const bool wraps : {false, true}) {
        Crowd<Dim> crowd;
        CrowdSettings<Dim> settings;
        settings.bounds = scene.world;
        settings.periodic[0] = wraps;
        ASSERT_EQ(crowd.configure(settings), Status{});
        auto born = this->scaled(scene, 0.01f);
        ASSERT_EQ(crowd.update(born.agents()), Status{});
        this->travel(born, 100.0f, 2000, [&](auto& now) {
            ASSERT_EQ(crowd.update(now.agents()), Status{});
            ASSERT_STREQ(crowd.validate(), nullptr);
        });
        ASSERT_NO_FATAL_FAILURE(this->expect_good_cells(crowd));
    }
}

TYPED_TEST(Refit, AWorldAThousandMillionTimesAsLarge) {
    constexpr std::size_t Dim = TypeParam::value;
    auto scene = scenes::make_uniform<Dim>(kAgents);
    for (const bool bounds : {false, true}) {
        Crowd<Dim> crowd;
        CrowdSettings<Dim> settings;
        if (bounds) { settings.bounds = scene.world; }
        ASSERT_EQ(crowd.configure(settings), Status{});
        ASSERT_EQ(crowd.update(scene.agents()), Status{});
        auto far = this->scaled(scene, 1e9f);
        for (int frame = 0; frame < 10; ++frame) {
            ASSERT_EQ(crowd.update(far.agents()), Status{});
        }
        ASSERT_STREQ(crowd.validate(), nullptr);
        ASSERT_NO_FATAL_FAILURE(this->expect_good_cells(crowd));
    }
}

TYPED_TEST(Refit, StatsCountCellsAndAgents) {
    constexpr std::size_t Dim = TypeParam::value;
    Crowd<Dim> crowd;
    EXPECT_EQ(crowd.cell_stats().rows, 0u);
    CrowdSettings<Dim> settings;
    settings.bounds = Box<Dim>{Point<Dim>{}, Point<Dim>::all(4.0f)};
    settings.cell = Point<Dim>::all(1.0f);
    ASSERT_EQ(crowd.configure(settings), Status{});
    scenes::Scene<Dim> scene;
    for (const float x : {0.5f, 0.25f, 0.75f, 3.5f, 9.0f}) { // three in a cell, two in another
        scene.add(Point<Dim>::all(x));
    }
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    const CellStats stats = crowd.cell_stats();
    EXPECT_EQ(stats.rows, Dim == 2 ? 4u : 16u);
    EXPECT_EQ(stats.cells, Dim == 2 ? 16u : 64u);
    EXPECT_EQ(stats.used_rows, 2u);
    EXPECT_EQ(stats.used_cells, 2u);
    EXPECT_EQ(stats.agents, 5u);
    EXPECT_EQ(stats.outside, 1u);
    EXPECT_DOUBLE_EQ(stats.company, (3 * 2 + 2 * 1) / 5.0);
}

} // namespace
} // namespace throng
