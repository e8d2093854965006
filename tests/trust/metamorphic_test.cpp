// Answers that must not change when a crowd is moved, mirrored, turned or reordered. The right
// answers are not known here: two answers are compared.
#include "../family/every_index.hpp"
#include "turned_scene.hpp"

#include <limits>
#include <tuple>

namespace throng {
namespace {

template <class Entry>
class Metamorphic : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Entry::kDim;
    using Index = typename Entry::Index;
    using Scene = test::ExactScene<kAxes>;

    static void take(Index& index, Scene scene) {
        ASSERT_EQ(Entry::lay_out(index, scene.crowd, kind_of(scene.crowd.agents())), Status{});
        ASSERT_EQ(index.update(scene.crowd.agents()), Status{});
    }
    static Agent<kAxes> agent(const Scene& scene, Id id) {
        return {scene.crowd.position_of(id), scene.crowd.half_extent_of(id), {}};
    }

    /// The answers for a scene; also checks that they are not trivial.
    static test::AllFound answers_to(const Scene& scene) {
        Index index;
        take(index, scene);
        test::AllFound all = test::answers(index, scene);
        EXPECT_GT(all.found.size(), 200u);
        EXPECT_FALSE(all.pairs.empty());
        return all;
    }

    /// Expects the answers of the original scene after each turn. Cylinders along x do not exist,
    /// and discs have the extent on x.
    static void check_turned(const std::vector<test::Turn<kAxes>>& turns, bool upright = true) {
        for (const std::string_view name : test::kExactScenes) {
            Scene scene = test::exact_scene<kAxes>(name);
            if (!upright) {
                scene.others.capsules.clear(); // they meet discs
                scene.others.cylinders.clear();
                scene.others.body_cylinders.clear();
                const auto is_disc = [](const auto& seeing) { return seeing.body == Body::disc; };
                std::erase_if(scene.others.body_balls, is_disc);
                std::erase_if(scene.others.body_sectors, is_disc);
            }
            const test::AllFound before = answers_to(scene);
            for (std::size_t t = 0; t < turns.size(); ++t) {
                SCOPED_TRACE(testing::Message() << name << ", turn " << t);
                ASSERT_EQ(answers_to(test::turned(scene, turns[t])), before);
            }
        }
    }
};
TYPED_TEST_SUITE(Metamorphic, test::Indexes, test::IndexNames);

TYPED_TEST(Metamorphic, MovingEverythingByWholeCellsChangesNothing) {
    using P = Point<TypeParam::kDim>;
    std::vector<test::Turn<TypeParam::kDim>> turns;
    for (const float cells : {1.0f, -3.0f, -16.0f, 100.0f}) {
        for (std::size_t axis = 0; axis < TypeParam::kDim; ++axis) {
            turns.push_back({[=](P point) {
                point[axis] += cells;
                return point;
            }});
        }
    }
    this->check_turned(turns);
}

// With other cells, agents inside the cells are outside, and the other way round.
TYPED_TEST(Metamorphic, WhereTheCellsLieDoesNotMatter) {
    using P = Point<TypeParam::kDim>;
    constexpr std::size_t kDim = TypeParam::kDim;
    for (const std::string_view name : test::kExactScenes) {
        auto scene = test::exact_scene<kDim>(name);
        const test::AllFound before = this->answers_to(scene);
        for (const float shift : {0.5f, 5.0f, -5.0f, 1000.0f}) {
            for (const float cell : {0.25f, 3.0f}) {
                scene.crowd.world = {P::all(shift), P::all(shift + 8.0f)};
                scene.crowd.cell = P::all(cell);
                SCOPED_TRACE(testing::Message() << name << " " << shift << " " << cell);
                ASSERT_EQ(this->answers_to(scene), before);
            }
        }
    }
}

TYPED_TEST(Metamorphic, PowersOfTwoChangeNothing) {
    using P = Point<TypeParam::kDim>;
    std::vector<test::Turn<TypeParam::kDim>> turns;
    for (const float factor : {0.125f, 64.0f, 0x1p-20f, 0x1p30f}) {
        const auto times = [=](P point) {
            for (float& x : point.axis) {
                x *= factor;
            }
            return point;
        };
        turns.push_back({times, times, factor});
    }
    this->check_turned(turns);
}

TYPED_TEST(Metamorphic, MirrorsChangeNothing) {
    using P = Point<TypeParam::kDim>;
    std::vector<test::Turn<TypeParam::kDim>> turns;
    for (const float behind : {0.0f, 16.0f}) {
        for (std::size_t axis = 0; axis < TypeParam::kDim; ++axis) {
            turns.push_back({[=](P point) {
                point[axis] = behind - point[axis];
                return point;
            }});
        }
    }
    this->check_turned(turns);
}

TYPED_TEST(Metamorphic, WhichAxisIsWhichDoesNotMatter) {
    using P = Point<TypeParam::kDim>;
    std::vector<test::Turn<TypeParam::kDim>> turns;
    for (std::size_t axis = 1; axis < TypeParam::kDim; ++axis) {
        const auto swapped = [=](P point) {
            std::swap(point.axis[0], point.axis[axis]);
            return point;
        };
        turns.push_back({swapped, swapped});
    }
    this->check_turned(turns, false);
    if constexpr (TypeParam::kDim == 3) {
        const auto tipped = [](P point) {
            std::swap(point.axis[1], point.axis[2]);
            return point;
        };
        this->check_turned({{tipped, tipped}});
    }
}

TYPED_TEST(Metamorphic, ALargerShapeFindsThemAndMore) {
    constexpr std::size_t kDim = TypeParam::kDim;
    constexpr float kFar = std::numeric_limits<float>::max();
    for (const std::string_view name : test::kExactScenes) {
        const auto scene = test::exact_scene<kDim>(name);
        typename TypeParam::Index index;
        ASSERT_NO_FATAL_FAILURE(this->take(index, scene));
        for (Ball<kDim> ball : scene.crowd.balls) {
            test::Ids fewer;
            ball.radius = std::nextafter(ball.radius, 0.0f);
            for (int wider = 0; wider < 12; ++wider) {
                const test::Ids more = test::in_order(test::visited(index, ball));
                ASSERT_TRUE(std::includes(more.begin(), more.end(), fewer.begin(), fewer.end()));
                fewer = more;
                ball.radius = wider < 4 ? std::nextafter(ball.radius, kFar) : 1.5f * ball.radius;
            }
        }
        for (Box<kDim> box : scene.crowd.boxes) {
            test::Ids fewer;
            for (std::size_t wider = 0; wider < 12; ++wider) {
                const test::Ids more = test::in_order(test::visited(index, box));
                ASSERT_TRUE(std::includes(more.begin(), more.end(), fewer.begin(), fewer.end()));
                fewer = more;
                const std::size_t a = wider % kDim;
                (wider % 4 < 2 ? box.lo[a] : box.hi[a]) += wider % 4 < 2 ? -0.25f : 0.5f;
            }
        }
    }
}

TYPED_TEST(Metamorphic, WhoComesAndGoesChangesNothing) {
    constexpr std::size_t kDim = TypeParam::kDim;
    using P = Point<TypeParam::kDim>;
    for (const std::string_view name : test::kExactScenes) {
        const auto scene = test::exact_scene<kDim>(name);
        typename TypeParam::Index index;
        ASSERT_NO_FATAL_FAILURE(this->take(index, scene));
        const test::AllFound before = test::answers(index, scene);
        for (Id id = 0; id < 120; id += 3) {
            // Another agent at the same place is inserted and erased; an agent moves away and back;
            // another is erased and inserted again.
            ASSERT_EQ(index.insert(120 + id, this->agent(scene, id)), Status{});
            ASSERT_EQ(index.move(id, P::all(-40.0f)), Status{});
            ASSERT_EQ(index.move(id, scene.crowd.position_of(id)), Status{});
            ASSERT_EQ(index.erase(id + 1), Status{});
            ASSERT_EQ(index.insert(id + 1, this->agent(scene, id + 1)), Status{});
            if (id % 2 == 0) { TypeParam::tidy(index); }
            ASSERT_EQ(index.erase(120 + id), Status{});
        }
        ASSERT_EQ(index.size(), 120u);
        ASSERT_STREQ(index.validate(), nullptr);
        ASSERT_EQ(test::answers(index, scene), before) << name;
    }
}

TYPED_TEST(Metamorphic, ManyAtOnceAreAnsweredAsOneByOne) {
    for (const std::string_view name : test::kExactScenes) {
        const auto scene = test::exact_scene<TypeParam::kDim>(name);
        typename TypeParam::Index index;
        ASSERT_NO_FATAL_FAILURE(this->take(index, scene));
        test::each_kind(scene, [&](const auto& shapes) {
            Hits hits;
            ASSERT_EQ(index.query(shapes, hits), Status{});
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                const auto got = hits.of(q);
                ASSERT_EQ(test::in_order({got.begin(), got.end()}),
                          test::in_order(test::visited(index, shapes[q])));
            }
        });
        if (this->HasFatalFailure()) { return; }
    }
}

TYPED_TEST(Metamorphic, TheOrderInWhichTheyComeChangesNothing) {
    constexpr std::size_t kDim = TypeParam::kDim;
    const std::vector<Id> order = test::shuffle(120);
    for (const std::string_view name : test::kExactScenes) {
        auto scene = test::exact_scene<kDim>(name);
        const test::AllFound before = this->answers_to(scene);
        typename TypeParam::Index index;
        const auto kind = kind_of(scene.crowd.agents());
        ASSERT_EQ(TypeParam::lay_out(index, scene.crowd, kind), Status{});
        for (const Id id : order) {
            ASSERT_EQ(index.insert(id, this->agent(scene, id)), Status{});
        }
        ASSERT_EQ(test::answers(index, scene), before) << name;
    }
}

TYPED_TEST(Metamorphic, OtherNamesAreOtherNamesAndNoMore) {
    const std::vector<Id> order = test::shuffle(120);
    for (const std::string_view name : test::kExactScenes) {
        const auto scene = test::exact_scene<TypeParam::kDim>(name);
        test::AllFound renamed = this->answers_to(test::shuffled(scene, order));
        for (test::Ids& ids : renamed.found) {
            for (Id& id : ids) {
                id = order[id];
            }
            std::sort(ids.begin(), ids.end());
        }
        for (auto& [first, second] : renamed.pairs) {
            std::tie(first, second) = std::pair(std::minmax({order[first], order[second]}));
        }
        std::sort(renamed.pairs.begin(), renamed.pairs.end());
        ASSERT_EQ(renamed, this->answers_to(scene)) << name;
    }
}

TYPED_TEST(Metamorphic, AnAgentIsFoundByAllThatItFinds) {
    constexpr std::size_t kDim = TypeParam::kDim;
    for (const std::string_view name : test::kExactScenes) {
        const auto scene = test::exact_scene<kDim>(name);
        typename TypeParam::Index index;
        ASSERT_NO_FATAL_FAILURE(this->take(index, scene));
        for (const float radius : {0.0f, 0.5f, 1.0f, 5.0f, std::nextafter(5.0f, 0.0f)}) {
            std::vector<std::vector<bool>> finds(120, std::vector<bool>(120));
            for (Id id = 0; id < 120; ++id) {
                const Ball<kDim> around{scene.crowd.position_of(id), radius};
                for (const Id other : test::visited(index, around)) {
                    finds[id][other] = true;
                }
                ASSERT_TRUE(finds[id][id]);
            }
            for (Id id = 0; id < 120; ++id) {
                for (Id other = 0; other < id; ++other) {
                    ASSERT_EQ(finds[id][other], finds[other][id])
                        << name << " " << radius << " " << id << " " << other;
                }
            }
        }
    }
}

TYPED_TEST(Metamorphic, PairsAreTheNeighboursOfAllAgents) {
    constexpr std::size_t kDim = TypeParam::kDim;
    for (const std::string_view name : test::kExactScenes) {
        const auto scene = test::exact_scene<kDim>(name);
        typename TypeParam::Index index;
        ASSERT_NO_FATAL_FAILURE(this->take(index, scene));
        test::IdPairs neighbours;
        for (Id id = 0; id < 120; ++id) {
            const auto own =
                Box<kDim>::around(scene.crowd.position_of(id), scene.crowd.half_extent_of(id));
            for (const Id other : test::visited(index, own, {kAllGroups, id})) {
                if (id < other) { neighbours.emplace_back(id, other); }
            }
        }
        std::sort(neighbours.begin(), neighbours.end());
        ASSERT_EQ(test::pairs_of(index), neighbours) << name;
    }
}

} // namespace
} // namespace throng
