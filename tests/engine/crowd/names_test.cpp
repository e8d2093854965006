// Updates and moves of agents that the host names one by one, against the same from arrays by id.
#include <throng/engine/crowd/crowd.hpp>

#include "../../support/dims.hpp"
#include "../../support/random.hpp"
#include "../../support/scenes/scenes.hpp"
#include "../../support/threads/executors.hpp"

#include <throng/engine/frozen/frozen.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace throng {
namespace {

using scenes::Groups;
using scenes::Scene;

template <class Dim>
class CrowdNames : public testing::Test {};
TYPED_TEST_SUITE(CrowdNames, test::Dims, test::DimNames);

template <std::size_t Dim>
std::vector<std::byte> bytes_of(const Crowd<Dim>& crowd) {
    EXPECT_STREQ(crowd.validate(), nullptr);
    std::vector<std::byte> bytes;
    EXPECT_EQ(save(crowd, bytes), Status{});
    return bytes;
}

/// The agents of a scene in another order, and the place that each had.
template <std::size_t Dim>
struct Shuffled {
    Scene<Dim> scene;
    std::vector<Id> ids;
};
template <std::size_t Dim>
Shuffled<Dim> shuffled(const Scene<Dim>& scene, std::vector<Id> chosen, std::uint64_t seed) {
    scenes::Random random(seed);
    for (std::size_t i = chosen.size(); i > 1; --i) {
        std::swap(chosen[i - 1], chosen[random.below(static_cast<std::uint32_t>(i))]);
    }
    Shuffled<Dim> mixed{scene, std::move(chosen)};
    const auto take = [&](auto& values) {
        if (values.empty()) { return; }
        const auto before = values;
        values.resize(mixed.ids.size());
        for (std::size_t i = 0; i < mixed.ids.size(); ++i) {
            values[i] = before[mixed.ids[i]];
        }
    };
    for (std::size_t a = 0; a < Dim; ++a) {
        take(mixed.scene.position[a]);
        take(mixed.scene.half_extent[a]);
    }
    take(mixed.scene.groups);
    return mixed;
}

/// All ids below `count`, or all but those of which `left_out` says so.
template <class LeftOut>
std::vector<Id> ids_below(std::size_t count, const LeftOut& left_out) {
    std::vector<Id> ids;
    for (Id id = 0; id < count; ++id) {
        if (!left_out(id)) { ids.push_back(id); }
    }
    return ids;
}

/// The kinds of worlds and agents that are tried.
template <std::size_t Dim, class Call>
void for_each_crowd(const Call& call) {
    for (const char* const name : {"uniform", "mixed_sizes"}) {
        for (const bool masks : {false, true}) {
            for (const bool periodic : {false, true}) {
                SCOPED_TRACE(testing::Message() << name << masks << periodic);
                auto scene = scenes::make<Dim>(name, 700, masks ? Groups::masks : Groups::none);
                CrowdSettings<Dim> settings;
                settings.bounds = scene.world;
                settings.cell = scene.cell;
                settings.periodic[0] = periodic;
                ASSERT_NO_FATAL_FAILURE(call(scene, settings));
            }
        }
    }
}

template <std::size_t Dim>
std::array<std::vector<double>, Dim> in_doubles(const Scene<Dim>& scene, double origin) {
    std::array<std::vector<double>, Dim> far;
    for (std::size_t a = 0; a < Dim; ++a) {
        for (const float x : scene.position[a]) {
            far[a].push_back(origin + double{x});
        }
    }
    return far;
}

template <std::size_t Dim>
WorldAgents<Dim> world_agents(Scene<Dim>& scene, const std::array<std::vector<double>, Dim>& far) {
    std::array<const double*, Dim> axes;
    for (std::size_t a = 0; a < Dim; ++a) {
        axes[a] = far[a].data();
    }
    const Agents<Dim> agents = scene.agents();
    WorldAgents<Dim> all(WorldPointView<Dim>::separate(axes, scene.size()));
    all.common_half_extent = agents.common_half_extent;
    all.half_extents = agents.half_extents;
    all.groups = agents.groups;
    return all;
}

TYPED_TEST(CrowdNames, InAnyOrderMakeTheSameCrowd) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_crowd<kDim>([&](auto& scene, const auto& settings) {
        Crowd<kDim> by_id, by_name;
        ASSERT_EQ(by_id.configure(settings), Status{});
        ASSERT_EQ(by_name.configure(settings), Status{});
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            ASSERT_EQ(by_id.update(scene.agents()), Status{});
            auto mixed = shuffled(scene, ids_below(scene.size(), [](Id) { return false; }), seed);
            test::ShuffleExecutor executor(seed);
            ASSERT_EQ(by_name.update(mixed.scene.agents(), mixed.ids, executor), Status{});
            ASSERT_TRUE(bytes_of(by_name) == bytes_of(by_id));
            scene.position[0].pop_back();
            for (auto& axis : scene.position) {
                axis.resize(scene.position[0].size());
            }
            for (auto& axis : scene.half_extent) {
                axis.resize(std::min(axis.size(), scene.size()));
            }
            scene.groups.resize(std::min(scene.groups.size(), scene.size()));
        }
    });
}

TYPED_TEST(CrowdNames, MayLeaveOutIds) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_crowd<kDim>([&](auto& scene, const auto& settings) {
        const auto is_out = [](Id id) { return id % 3 == 1 || id < 40; };
        Crowd<kDim> by_id, by_name;
        ASSERT_EQ(by_id.configure(settings), Status{});
        ASSERT_EQ(by_name.configure(settings), Status{});
        ASSERT_EQ(by_id.update(scene.agents()), Status{});
        for (Id id = 0; id < scene.size(); ++id) {
            if (is_out(id)) { ASSERT_EQ(by_id.erase(id), Status{}); }
        }
        auto mixed = shuffled(scene, ids_below(scene.size(), is_out), 5);
        ASSERT_EQ(by_name.update(mixed.scene.agents(), mixed.ids), Status{});
        ASSERT_STREQ(by_name.validate(), nullptr);
        ASSERT_EQ(by_name.size(), mixed.ids.size());
        ASSERT_EQ(by_name.size(Sets::giants), by_id.size(Sets::giants));
        std::vector<Id> order(mixed.ids.size()), wanted(mixed.ids.size());
        ASSERT_EQ(by_name.order(order), order.size());
        ASSERT_EQ(by_id.order(wanted), wanted.size());
        ASSERT_EQ(order, wanted);
        for (const Ball<kDim>& ball : scene.balls) {
            ASSERT_EQ(by_name.count(ball).count, by_id.count(ball).count);
        }
    });
}

TYPED_TEST(CrowdNames, LayOutTheFirstCrowdForTheAgentsAlone) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 300, Groups::masks);
    for (auto& axis : scene.position) {
        for (float& x : axis) {
            x += 5000.0f; // far from zero, which ids without agents have in the arrays
        }
    }
    std::vector<Id> names;
    for (Id id = 0; id < 300; ++id) {
        names.push_back(7 * id + 3);
    }
    Crowd<kDim> compact, by_name;
    ASSERT_EQ(compact.update(scene.agents()), Status{});
    ASSERT_EQ(by_name.update(scene.agents(), names), Status{});
    EXPECT_EQ(by_name.grid().shape(), compact.grid().shape());
    EXPECT_EQ(by_name.size(), 300u);
    EXPECT_EQ(by_name.id_bound(), names.back() + std::size_t{1});
    EXPECT_TRUE(by_name.contains(3) && !by_name.contains(4));
    EXPECT_STREQ(by_name.validate(), nullptr);
    // Then none, and then some again.
    Agents<kDim> none;
    none.groups = {names.data(), 4, 0};
    EXPECT_EQ(by_name.update(none, std::vector<Id>{}), Status{});
    EXPECT_EQ(by_name.size(), 0u);
    EXPECT_TRUE(by_name.kind().groups);
    Crowd<kDim> fresh;
    ASSERT_EQ(fresh.configure({scene.world, scene.cell}), Status{});
    EXPECT_EQ(fresh.update(none, std::vector<Id>{}), Status{});
    EXPECT_TRUE(fresh.kind().groups);
    EXPECT_EQ(by_name.update(scene.agents(), names), Status{});
    EXPECT_EQ(by_name.size(), 300u);
}

TYPED_TEST(CrowdNames, TakePositionsInDoubles) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("mixed_sizes", 400, Groups::masks);
    CrowdSettings<kDim> settings;
    settings.bounds = scene.world;
    settings.cell = scene.cell;
    settings.origin.fill(-1e9);
    auto mixed = shuffled(scene, ids_below(400, [](Id) { return false; }), 9);
    const auto far = in_doubles(scene, -1e9), far_mixed = in_doubles(mixed.scene, -1e9);
    Crowd<kDim> by_id, by_name;
    ASSERT_EQ(by_id.configure(settings), Status{});
    ASSERT_EQ(by_name.configure(settings), Status{});
    ASSERT_EQ(by_id.update(world_agents(scene, far)), Status{});
    ASSERT_EQ(by_name.update(world_agents(mixed.scene, far_mixed), mixed.ids), Status{});
    ASSERT_TRUE(bytes_of(by_name) == bytes_of(by_id));
    // A fault has the index that the host knows.
    auto worse = far_mixed;
    worse[0][30] = worse[0][17] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(by_name.update(world_agents(mixed.scene, worse), mixed.ids),
              (Status{Cause::not_finite, Argument::positions, 17}));
    ASSERT_TRUE(bytes_of(by_name) == bytes_of(by_id));
    // Moves.
    std::array<const double*, kDim> axes;
    for (std::size_t a = 0; a < kDim; ++a) {
        axes[a] = far[a].data();
    }
    const auto places = WorldPointView<kDim>::separate(axes, 400);
    ASSERT_EQ(by_name.move(mixed.ids, places), Status{});
    for (std::size_t i = 0; i < 400; ++i) {
        WorldPoint<kDim> to({});
        for (std::size_t a = 0; a < kDim; ++a) {
            to[a] = far[a][i];
        }
        ASSERT_EQ(by_id.move(mixed.ids[i], to), Status{});
    }
    std::vector<Id> order(400), wanted(400);
    ASSERT_EQ(by_name.order(order), by_id.order(wanted));
    ASSERT_EQ(order, wanted);
}

/// A crowd of handles with holes, and its handles.
template <std::size_t Dim>
struct OfHandles {
    explicit OfHandles(Scene<Dim>& scene) {
        CrowdSettings<Dim> settings;
        settings.bounds = scene.world;
        settings.cell = scene.cell;
        EXPECT_EQ(crowd.configure(settings, {true, true, {}}), Status{});
        std::vector<Agent<Dim>> agents;
        for (std::size_t i = 0; i < scene.size(); ++i) {
            agents.push_back({scene.position_of(i), scene.half_extent_of(i), scene.groups[i]});
        }
        handles.resize(agents.size());
        EXPECT_EQ(crowd.add(agents, handles), Status{});
        for (std::size_t i = 0; i < handles.size(); i += 5) {
            gone.push_back(handles[i]);
        }
        EXPECT_EQ(crowd.remove(gone), Status{});
    }

    Crowd<Dim> crowd;
    std::vector<Handle> handles, gone;
};

TYPED_TEST(CrowdNames, MayBeHandles) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("mixed_sizes", 300, Groups::masks);
    OfHandles<kDim> by_slot(scene), by_name(scene);
    auto mixed = shuffled(scene, ids_below(300, [](Id id) { return id % 5 == 0; }), 3);
    std::vector<Handle> names;
    for (const Id id : mixed.ids) {
        names.push_back(by_name.handles[id]);
    }
    ASSERT_EQ(by_slot.crowd.update(scene.agents()), Status{});
    ASSERT_EQ(by_name.crowd.update(mixed.scene.agents(), names), Status{});
    std::vector<Id> order(mixed.ids.size()), wanted(mixed.ids.size());
    ASSERT_EQ(by_name.crowd.order(order), by_slot.crowd.order(wanted));
    ASSERT_EQ(order, wanted);
    ASSERT_STREQ(by_name.crowd.validate(), nullptr);
    ASSERT_EQ(by_name.crowd.move(names, scene.agents().positions),
              (Status{Cause::count_mismatch, Argument::handle}));
    auto places = scene.agents().positions;
    places.count = names.size();
    ASSERT_EQ(by_name.crowd.move(names, places), Status{});
    for (std::size_t i = 0; i < names.size(); ++i) {
        ASSERT_EQ(by_slot.crowd.move(by_slot.handles[names[i].slot], scene.position_of(i)),
                  Status{});
    }
    ASSERT_EQ(by_name.crowd.order(order), by_slot.crowd.order(wanted));
    ASSERT_EQ(order, wanted);

    // Refusals, which change nothing.
    const auto before = bytes_of(by_name.crowd);
    const auto update = [&](const auto& list) {
        auto agents = mixed.scene.agents();
        return by_name.crowd.update(agents, list);
    };
    auto wrong = names;
    wrong[7] = by_name.gone[1];
    EXPECT_EQ(update(wrong), (Status{Cause::handle_stale, Argument::handle, 7}));
    EXPECT_EQ(by_name.crowd.move(wrong, places),
              (Status{Cause::handle_stale, Argument::handle, 7}));
    wrong[7] = by_slot.handles[names[7].slot];
    EXPECT_EQ(update(wrong), (Status{Cause::handle_foreign, Argument::handle, 7}));
    wrong[7] = names[20];
    EXPECT_EQ(update(wrong), (Status{Cause::handle_stale, Argument::handle, 20}));
    EXPECT_EQ(update(mixed.ids), (Status{Cause::other_names, Argument::names}));
    EXPECT_EQ(by_name.crowd.move(mixed.ids, places), (Status{Cause::other_names, Argument::names}));
    // Fewer handles than there are agents.
    wrong = names;
    wrong.pop_back();
    auto fewer = mixed;
    fewer.scene.position[0].pop_back();
    auto agents = fewer.scene.agents();
    agents.positions.count = agents.half_extents.count = agents.groups.count = wrong.size();
    EXPECT_EQ(by_name.crowd.update(agents, wrong),
              (Status{Cause::count_mismatch, Argument::handle, names.size()}));
    EXPECT_TRUE(bytes_of(by_name.crowd) == before);
}

TYPED_TEST(CrowdNames, OfManyAgentsAreReadFromAnyArrays) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr std::size_t kCount = 20'000; // several blocks
    auto scene = scenes::make<kDim>("mixed_sizes", kCount, Groups::masks);
    auto still = scenes::make<kDim>("uniform", 50);
    auto mixed = shuffled(scene, ids_below(kCount, [](Id) { return false; }), 12);
    // Positions in records of odd length, one byte behind an even address.
    constexpr std::size_t kRecord = kDim * sizeof(float) + 3;
    std::vector<char> bytes(kCount * kRecord + 1);
    Agents<kDim> agents = mixed.scene.agents();
    agents.positions =
        PointView<kDim>::interleaved(reinterpret_cast<const float*>(&bytes[1]), kCount, kRecord);
    for (std::size_t i = 0; i < kCount; ++i) {
        const Point<kDim> at = mixed.scene.position_of(i);
        std::memcpy(&bytes[1 + i * kRecord], at.axis.data(), sizeof at.axis);
    }
    CrowdSettings<kDim> settings;
    settings.bounds = scene.world;
    settings.cell = scene.cell;
    Crowd<kDim> by_id;
    ASSERT_EQ(by_id.configure(settings), Status{});
    ASSERT_EQ(by_id.set_statics(still.agents()), Status{});
    ASSERT_EQ(by_id.update(scene.agents()), Status{});
    const auto wanted = bytes_of(by_id);
    // The crowd has the new agents or the old ones, whatever an executor does.
    for (const test::Fault fault : test::kEveryFault) {
        std::size_t failed = 0;
        bool wanted_more = true;
        for (std::size_t run = 0; wanted_more; ++run) {
            Crowd<kDim> by_name;
            ASSERT_EQ(by_name.configure(settings), Status{});
            ASSERT_EQ(by_name.set_statics(still.agents()), Status{});
            const auto before = bytes_of(by_name);
            test::FaultyExecutor executor(fault, run);
            bool changed = false;
            try {
                changed = by_name.update(agents, mixed.ids, executor).ok();
            } catch (const test::ExecutorError&) {}
            wanted_more = executor.failed();
            failed += changed ? 0 : 1;
            ASSERT_TRUE(bytes_of(by_name) == (changed ? wanted : before)) << run;
            ASSERT_TRUE(changed || wanted_more);
        }
        EXPECT_EQ(failed == 0, fault == test::Fault::repeat);
    }
}

TYPED_TEST(CrowdNames, AreRefusedWithTheIndexOfTheFirstAtFault) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("mixed_sizes", 200, Groups::masks);
    Crowd<kDim> crowd;
    auto mixed = shuffled(scene, ids_below(200, [](Id) { return false; }), 4);
    ASSERT_EQ(crowd.update(mixed.scene.agents(), mixed.ids), Status{});
    const auto before = bytes_of(crowd);
    const auto refused = [&](const auto& names, const Status& wanted) {
        EXPECT_EQ(crowd.update(mixed.scene.agents(), names), wanted) << to_string(wanted);
        Crowd<kDim> fresh;
        EXPECT_EQ(fresh.update(mixed.scene.agents(), names), wanted);
        EXPECT_EQ(fresh.size(), 0u);
    };
    auto wrong = mixed.ids;
    wrong[150] = wrong[30];
    wrong[90] = wrong[60];
    refused(wrong, {Cause::id_taken, Argument::names, 90});
    wrong[31] = kFirstStatic;
    refused(wrong, {Cause::too_many, Argument::names, 31});
    wrong.pop_back();
    refused(wrong, {Cause::count_mismatch, Argument::names});
    EXPECT_EQ(crowd.update(mixed.scene.agents(), std::vector<Handle>(200)),
              (Status{Cause::handle_foreign, Argument::handle, 0}));
    Agents<kDim> none;
    EXPECT_EQ(crowd.update(none, std::vector<Handle>{}),
              (Status{Cause::other_names, Argument::handle}));
    // The first fault in the host's order, not in that of ids.
    mixed.scene.position[0][170] = std::numeric_limits<float>::quiet_NaN();
    mixed.scene.position[0][55] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(crowd.update(mixed.scene.agents(), mixed.ids),
              (Status{Cause::not_finite, Argument::positions, 55}));
    EXPECT_EQ(crowd.move(mixed.ids, mixed.scene.agents().positions),
              (Status{Cause::not_finite, Argument::positions, 55}));
    auto unknown = mixed.ids;
    unknown[12] = 5000;
    EXPECT_EQ(crowd.move(unknown, mixed.scene.agents().positions),
              (Status{Cause::id_unknown, Argument::names, 12}));
    mixed.scene.half_extent[1][20] = -1.0f;
    EXPECT_EQ(crowd.update(mixed.scene.agents(), mixed.ids),
              (Status{Cause::not_finite, Argument::positions, 55}));
    mixed.scene.position = scene.position;
    EXPECT_EQ(crowd.update(mixed.scene.agents(), mixed.ids),
              (Status{Cause::negative, Argument::half_extents, 20}));
    Agents<kDim> nothing;
    nothing.positions.count = 3;
    EXPECT_EQ(crowd.update(nothing, mixed.ids), (Status{Cause::null_pointer, Argument::positions}));
    EXPECT_EQ(crowd.move(mixed.ids, nothing.positions),
              (Status{Cause::null_pointer, Argument::positions}));
    EXPECT_TRUE(bytes_of(crowd) == before);
}

} // namespace
} // namespace throng
