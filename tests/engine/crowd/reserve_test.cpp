// Memory taken before the first update of every kind of crowd, on any executor.
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/published_crowd.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"
#include "../../support/scenes/scenes.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace throng {
namespace {

enum class Kind : unsigned char {
    plain,
    extents, ///< of their own, some of them giants'
    small,   ///< of their own, no giants
    origin,
    periodic,
    handles,
};
constexpr Kind kKinds[] = {Kind::plain,  Kind::extents,  Kind::small,
                           Kind::origin, Kind::periodic, Kind::handles};

/// A scene, and crowds of one kind for it.
template <std::size_t Dim>
class Builder {
public:
    Builder(Kind kind, std::size_t agents)
        : kind_(kind), scene_(scenes::make<Dim>(
                           kind == Kind::extents ? "mixed_sizes" : "uniform", agents,
                           kind == Kind::handles ? scenes::Groups::masks : scenes::Groups::none)) {
        scenes::add_queries(scene_, 20);
        for (std::size_t i = 0; kind == Kind::small && i < scene_.size(); ++i) {
            for (std::vector<float>& axis : scene_.half_extent) {
                axis.push_back(0.01f * static_cast<float>(i % 20));
            }
        }
    }

    [[nodiscard]] scenes::Scene<Dim>& scene() noexcept { return scene_; }

    /// A crowd with cells and without agents.
    [[nodiscard]] Crowd<Dim> laid() {
        CrowdSettings<Dim> settings;
        settings.bounds = scene_.world;
        settings.cell = scene_.cell;
        if (kind_ == Kind::periodic) { settings.periodic[0] = true; }
        if (kind_ == Kind::origin) { settings.origin[0] = 1e6; }
        Crowd<Dim> crowd;
        CrowdKind<Dim> kind;
        kind.own_half_extents = scene_.has_own_half_extents();
        kind.groups = !scene_.groups.empty();
        if (!kind.own_half_extents) { kind.common_half_extent = scene_.common_half_extent; }
        EXPECT_EQ(crowd.configure(settings, kind), Status{});
        return crowd;
    }
    /// Configures a published crowd in the same way.
    [[nodiscard]] Status lay(PublishedCrowd<Dim>& crowd) {
        const Crowd<Dim> like = laid();
        return crowd.configure(like.settings(), like.kind());
    }
    /// A crowd with all agents, with handles if the kind has them.
    [[nodiscard]] Crowd<Dim> full() {
        Crowd<Dim> crowd = laid();
        if (kind_ != Kind::handles) {
            EXPECT_EQ(crowd.update(scene_.agents()), Status{});
            return crowd;
        }
        std::vector<Agent<Dim>> agents;
        for (std::size_t i = 0; i < scene_.size(); ++i) {
            agents.push_back({scene_.position_of(i), {}, scene_.groups[i]});
        }
        std::vector<Handle> handles(agents.size());
        EXPECT_EQ(crowd.add(agents, handles), Status{});
        // Leaves some slots without an agent.
        for (std::size_t i = 0; i < handles.size(); i += 5) {
            EXPECT_EQ(crowd.remove(handles[i]), Status{});
        }
        return crowd;
    }

private:
    Kind kind_;
    scenes::Scene<Dim> scene_;
};

/// The order of a crowd's agents, its answers, and the generations of its handles.
template <std::size_t Dim>
std::vector<Id> said(const Crowd<Dim>& crowd, const scenes::Scene<Dim>& scene) {
    EXPECT_STREQ(crowd.validate(), nullptr);
    std::vector<Id> all(crowd.size());
    EXPECT_EQ(crowd.order(all), all.size());
    for (const Box<Dim>& box : scene.boxes) {
        std::vector<Id> hits(crowd.size());
        hits.resize(crowd.query(box, std::span<Id>(hits)).count);
        all.insert(all.end(), hits.begin(), hits.end());
        all.push_back(kNoId);
    }
    for (Id id = 0; id < scene.size(); ++id) {
        all.push_back(crowd.handle_of(id).generation);
    }
    return all;
}

/// Claims to have `threads` threads, runs on one, and needs no memory for it.
class Thrifty final : public Executor {
public:
    explicit Thrifty(std::size_t threads) noexcept : threads_(threads) {}
    void run(std::size_t blocks, Body body) override {
        for (std::size_t block = blocks; block-- != 0;) {
            body(block);
        }
    }
    [[nodiscard]] std::size_t threads() const noexcept override { return threads_; }

private:
    std::size_t threads_;
};

template <class Dim>
class ReserveCrowd : public testing::Test {};
TYPED_TEST_SUITE(ReserveCrowd, test::Dims, test::DimNames);

TYPED_TEST(ReserveCrowd, LeavesAgentsOfEveryKindAsTheyAre) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const Kind kind : kKinds) {
        SCOPED_TRACE(static_cast<int>(kind));
        Builder<kDim> maker(kind, 3000);
        Crowd<kDim> crowd = maker.full();
        const auto before = said(crowd, maker.scene());
        for (const std::size_t agents : {0u, 10u, 3000u, 50'000u, 20u}) {
            ASSERT_EQ(crowd.reserve(agents), Status{});
            ASSERT_TRUE(said(crowd, maker.scene()) == before) << agents;
        }
        const std::size_t bytes = crowd.memory().total();
        ASSERT_EQ(crowd.reserve(50'000), Status{});
        EXPECT_EQ(crowd.memory().total(), bytes) << "there is nothing left to take";
        // After an update this crowd equals one that has reserved no memory before.
        Crowd<kDim> like = maker.full();
        for (Crowd<kDim>* updated : {&crowd, &like}) {
            ASSERT_EQ(updated->update(maker.scene().agents()), Status{});
        }
        EXPECT_TRUE(said(crowd, maker.scene()) == said(like, maker.scene()));
    }
}

TYPED_TEST(ReserveCrowd, ServesUpdatesOnAnyNumberOfThreads) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const Kind kind : {Kind::plain, Kind::small, Kind::origin, Kind::periodic}) {
        Builder<kDim> maker(kind, 60'000);
        const auto agents = maker.scene().agents();
        for (const std::size_t reserving : {1u, 3u, 64u}) {
            for (const std::size_t updating : {0u, 1u, 2u, 16u, 64u, 256u}) {
                SCOPED_TRACE(testing::Message()
                             << static_cast<int>(kind) << ": " << reserving << ", " << updating);
                Crowd<kDim> crowd = maker.laid();
                test::BoastingExecutor many(reserving);
                ASSERT_EQ(crowd.reserve(maker.scene().size(), many), Status{});
                Thrifty executor(updating);
                for (int frame = 0; frame < 2; ++frame) {
                    const std::size_t before = test::allocations();
                    const Status status = crowd.update(agents, executor);
                    EXPECT_EQ(test::allocations(), before) << frame;
                    ASSERT_EQ(status, Status{});
                }
                EXPECT_STREQ(crowd.validate(), nullptr);
            }
        }
    }
}

TYPED_TEST(ReserveCrowd, ServesUpdatesOfAgentsWithHandles) {
    constexpr std::size_t kDim = TypeParam::value;
    Builder<kDim> maker(Kind::handles, 20'000);
    Crowd<kDim> crowd = maker.full();
    crowd.release_staging();
    ASSERT_EQ(crowd.reserve(maker.scene().size()), Status{});
    const auto agents = maker.scene().agents();
    for (int frame = 0; frame < 2; ++frame) {
        const std::size_t before = test::allocations();
        const Status status = crowd.update(agents);
        EXPECT_EQ(test::allocations(), before) << frame;
        ASSERT_EQ(status, Status{});
    }
    EXPECT_STREQ(crowd.validate(), nullptr);
}

TYPED_TEST(ReserveCrowd, ServesFramesThatArePublished) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const Kind kind : {Kind::plain, Kind::small, Kind::origin, Kind::periodic}) {
        SCOPED_TRACE(static_cast<int>(kind));
        Builder<kDim> maker(kind, 20'000);
        const auto agents = maker.scene().agents();
        const auto expected = said(maker.full(), maker.scene());
        PublishedCrowd<kDim> crowd;
        EXPECT_EQ(crowd.reserve(1000), Status{Cause::not_configured}) << "no cells yet";
        ASSERT_EQ(maker.lay(crowd), Status{});
        ASSERT_EQ(crowd.reserve(maker.scene().size()), Status{});
        EXPECT_EQ(crowd.frames(), 2u);
        EXPECT_FALSE(crowd.acquire()) << "nothing is published";
        const auto update = [&] {
            const std::size_t before = test::allocations();
            const Status status = crowd.update(agents);
            EXPECT_EQ(test::allocations(), before);
            ASSERT_EQ(status, Status{});
        };
        for (int frame = 0; frame < 3; ++frame) {
            update();
        }
        EXPECT_EQ(crowd.frames(), 2u);
        // A reader holds a frame, so the writer soon has none but the published one.
        const auto held = crowd.acquire();
        update();
        ASSERT_EQ(crowd.reserve(maker.scene().size()), Status{});
        EXPECT_EQ(crowd.frames(), 3u);
        update();
        EXPECT_EQ(held.frame(), 3u);
        EXPECT_TRUE(said(*held, maker.scene()) == expected);
        EXPECT_TRUE(said(*crowd.acquire(), maker.scene()) == expected);
        EXPECT_EQ(crowd.reserve(~std::size_t{0}).cause, Cause::too_many);
        EXPECT_TRUE(said(*crowd.acquire(), maker.scene()) == expected);
    }
}

TEST(ReservePublished, WithoutMemoryNothingChanges) {
    const test::AllocationsFail somewhere;
    Builder<2> maker(Kind::extents, 3000);
    const auto agents = maker.scene().agents();
    test::fail_each_allocation(
        [&] {
            auto crowd = std::make_unique<PublishedCrowd<2>>();
            EXPECT_EQ(maker.lay(*crowd), Status{});
            EXPECT_EQ(crowd->update(agents), Status{});
            return crowd;
        },
        [](const std::unique_ptr<PublishedCrowd<2>>& crowd) { return crowd->reserve(9000); },
        [&](const std::unique_ptr<PublishedCrowd<2>>& crowd) {
            const auto frame = crowd->acquire();
            return std::pair(frame.frame(), said(*frame, maker.scene()));
        });
}

TYPED_TEST(ReserveCrowd, ExecutorsThatFailChangeNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr std::size_t kMany = 800'000; // more than a block of pages to touch
    for (const Kind kind : kKinds) {
        Builder<kDim> maker(kind, 2000);
        const auto before = said(maker.full(), maker.scene());
        std::size_t failures = 0;
        for (const test::Fault fault : test::kEveryFault) {
            for (std::size_t run = 0;; ++run) {
                SCOPED_TRACE(testing::Message() << static_cast<int>(kind) << ", fault "
                                                << static_cast<int>(fault) << " in run " << run);
                Crowd<kDim> crowd = maker.full();
                test::FaultyExecutor executor(fault, run);
                std::optional<Status> status;
                try {
                    status = crowd.reserve(kMany, executor);
                } catch (const test::ExecutorError&) {}
                ASSERT_TRUE(said(crowd, maker.scene()) == before);
                if (!executor.failed()) {
                    EXPECT_EQ(status, Status{});
                    break;
                }
                ++failures;
                if (fault == test::Fault::repeat) {
                    EXPECT_EQ(status, Status{}) << "a block that is run again does no harm";
                } else {
                    EXPECT_TRUE(!status || status->cause == Cause::executor_failed);
                }
                ASSERT_EQ(crowd.reserve(kMany), Status{}) << "nothing is broken for good";
                ASSERT_TRUE(said(crowd, maker.scene()) == before);
            }
        }
        EXPECT_GE(failures, std::size(test::kEveryFault));
    }
}

TYPED_TEST(ReserveCrowd, WithoutMemoryNothingHasChanged) {
    const test::AllocationsFail somewhere;
    constexpr std::size_t kDim = TypeParam::value;
    for (const Kind kind : kKinds) {
        SCOPED_TRACE(static_cast<int>(kind));
        Builder<kDim> maker(kind, 300);
        test::fail_each_allocation(
            [&] { return maker.full(); }, [](Crowd<kDim>& crowd) { return crowd.reserve(20'000); },
            [&](const Crowd<kDim>& crowd) { return said(crowd, maker.scene()); });
    }
}

TYPED_TEST(ReserveCrowd, WhatAFailureLeavesCanBeGivenBack) {
    constexpr std::size_t kDim = TypeParam::value;
    Builder<kDim> maker(Kind::periodic, 300);
    Crowd<kDim> crowd = maker.full();
    crowd.release_staging();
    const std::size_t before = crowd.memory().total();
    test::FaultyExecutor executor(test::Fault::nothing, 0);
    EXPECT_EQ(crowd.reserve(800'000, executor).cause, Cause::executor_failed);
    EXPECT_GE(crowd.memory().total(), before + 800'000 * sizeof(float)) << "positions to come";
    crowd.release_staging();
    EXPECT_LT(crowd.memory().total(), before + 1000);
}

} // namespace
} // namespace throng
