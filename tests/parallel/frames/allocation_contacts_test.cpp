// Contacts allocate nothing in a steady frame, and lose nothing when memory runs out.
#include <throng/parallel/frames/contacts.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"
#include "../batch/crowd/crowd_world.hpp"
#include "frames_model.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace throng {
namespace {

using test::answers_of;
using test::FrameKind;
using test::World;

template <class Dim>
class ContactsAllocations : public testing::Test {};
TYPED_TEST_SUITE(ContactsAllocations, test::Dims, test::DimNames);

TYPED_TEST(ContactsAllocations, ThereAreNoneInASteadyFrame) {
    constexpr std::size_t kDim = TypeParam::value;
    World<kDim> world("mixed_sizes", 1'600, 300, scenes::Groups::none);
    const auto home = world.scene.position;
    for (const bool near : {false, true}) {
        FrameKind<kDim> kind{&world.crowd, nullptr, {}, PairSets::all};
        if (near) { kind.radius = world.scene.cell[0]; }
        Contacts<kDim> contacts;
        scenes::Random random(5);
        std::size_t began = 0;
        for (int frame = 0; frame < 16; ++frame) {
            for (std::size_t a = 0; a < kDim; ++a) {
                const float step = 0.02f * world.scene.cell[a];
                for (std::size_t i = 0; i < home[a].size(); ++i) {
                    world.scene.position[a][i] = home[a][i] + random.between(-step, step);
                }
            }
            world.update(serial_executor());
            const std::size_t before = test::allocations();
            ASSERT_EQ(kind.update(contacts), Status{});
            if (frame > 5) {
                EXPECT_EQ(test::allocations(), before) << frame;
                began += contacts.began().size();
            }
        }
        EXPECT_GT(began, 0u);
    }
}

/// Fails each single allocation, and all allocations from some point on.
TYPED_TEST(ContactsAllocations, MayFailAnywhere) {
    constexpr std::size_t kDim = TypeParam::value;
    const World<kDim> first("mixed_sizes", 300, 60, scenes::Groups::none);
    const World<kDim> second("uniform", 900, 60, scenes::Groups::none);
    Crowd<kDim> named;
    ASSERT_EQ(named.configure(first.crowd.settings(), {true, false, {}}), Status{});
    for (std::size_t i = 0; i < 300; ++i) {
        Handle handle;
        Point<kDim> at;
        for (std::size_t a = 0; a < kDim; ++a) {
            at[a] = first.scene.position[a][i];
        }
        ASSERT_EQ(named.add({at, first.scene.half_extent_of(i), {}}, handle), Status{});
    }
    for (const bool near : {false, true}) {
        for (const Crowd<kDim>* next : {&second.crowd, static_cast<const Crowd<kDim>*>(&named)}) {
            FrameKind<kDim> kind{next, nullptr, {}, PairSets::all};
            if (near) { kind.radius = second.scene.cell[0]; }
            test::AllocationsFail fail;
            test::fail_each_allocation(
                [&] {
                    auto contacts = std::make_unique<Contacts<kDim>>();
                    EXPECT_EQ(contacts->update(first.crowd), Status{});
                    return contacts;
                },
                [&](auto& contacts) { return kind.update(*contacts); },
                [](const auto& contacts) { return answers_of(*contacts); });
        }
    }
}

} // namespace
} // namespace throng
