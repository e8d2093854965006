// Sets, tables of handles, snapshots and loops of kernels with each allocation failing in turn.
#include <throng/engine/agents/handle_table.hpp>
#include <throng/engine/crowd/snapshots.hpp>
#include <throng/engine/grid/neighbour_loop.hpp>
#include <throng/engine/memory/hierarchical_bitset.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"
#include "../../support/scenes/scenes.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace throng {
namespace {

using test::fail_each_allocation;

/// Two sets of several levels, of which `two` is the larger.
struct Sets {
    HierarchicalBitset one = HierarchicalBitset(5'000), two = HierarchicalBitset(300'000);
};

TEST(BitsetOutOfMemory, ChangesNothing) {
    const test::AllocationsFail somewhere;
    const auto make = [] {
        Sets sets;
        for (std::size_t i = 0; i < 5'000; i += 7) {
            sets.one.set(i);
            sets.two.set(i * 59);
        }
        return sets;
    };
    const auto say = [](const Sets& sets) {
        std::vector<std::vector<std::size_t>> said;
        for (const HierarchicalBitset* set : {&sets.one, &sets.two}) {
            auto& members = said.emplace_back();
            members = {set->size(), set->depth(), set->count()};
            set->for_each([&](std::size_t member) { members.push_back(member); });
            // Read through the summaries, and word by word.
            for (std::size_t i = 0; i < set->size(); i += 511) {
                members.push_back(set->next(i));
                members.push_back(set->test(i) ? 1 : 0);
            }
        }
        return said;
    };
    const auto each = [&](const auto& change) {
        fail_each_allocation(
            make,
            [&](Sets& sets) {
                change(sets);
                return Status{};
            },
            say);
    };
    each([](Sets& sets) { sets.one.resize(70'000); });
    each([](Sets& sets) { sets.one = sets.two; });
    each([](Sets& sets) { sets.two = sets.one; });
    each([](Sets& sets) { const HierarchicalBitset copy(sets.two); });
    each([](Sets& sets) { sets.one = HierarchicalBitset(300); });
}

TEST(HandlesOutOfMemory, NoneIsLost) {
    const test::AllocationsFail somewhere;
    const auto make = [] {
        HandleTable table;
        std::vector<Handle> some(70);
        EXPECT_EQ(table.add(some), Status{});
        EXPECT_EQ(table.remove(some[9]), Status{});
        return table;
    };
    const auto say = [](const HandleTable& table) {
        EXPECT_STREQ(table.validate(), nullptr);
        std::vector<std::size_t> said{table.size(), table.bound(), table.retired()};
        for (Id slot = 0; slot < table.bound() + 70; ++slot) {
            said.push_back(table.of(slot).generation);
        }
        table.for_each_dead([&](Id slot) { said.push_back(slot); });
        return said;
    };
    const auto each = [&](const auto& call) { fail_each_allocation(make, call, say); };
    std::vector<Handle> out(300);
    std::vector<Id> slots(300);
    each([&](HandleTable& table) { return table.add(out); });
    each([&](HandleTable& table) {
        return table.next_slots(slots) ? Status{} : Status{Cause::too_many};
    });
    each([](HandleTable& table) {
        table.reserve(1'000);
        return Status{};
    });
}

TEST(HandlesOutOfMemory, ACopyIsWholeOrNone) {
    const test::AllocationsFail somewhere;
    HandleTable from;
    std::vector<Handle> some(500);
    ASSERT_EQ(from.add(some), Status{});
    fail_each_allocation(
        [] {
            HandleTable table;
            (void)table.add();
            return table;
        },
        [&](HandleTable& table) {
            table.copy_from(from);
            return Status{};
        },
        [&](const HandleTable& table) {
            EXPECT_STREQ(table.validate(), nullptr);
            return std::pair(table.size(), table.check(some[499]).ok());
        });
}

TEST(SnapshotsOutOfMemory, WhatIsPublishedStays) {
    const test::AllocationsFail somewhere;
    using Hub = Snapshots<std::vector<int>>;
    struct Held {
        std::unique_ptr<Hub> hub = std::make_unique<Hub>();
        std::vector<Snapshot<std::vector<int>>> frames;
    };
    fail_each_allocation(
        [] {
            Held held;
            for (int frame = 0; frame < 9; ++frame) {
                held.hub->next().assign(3, frame);
                held.hub->publish();
                held.frames.push_back(held.hub->acquire());
            }
            return held;
        },
        [](Held& held) {
            held.hub->next().assign(100, 7);
            held.hub->publish();
            return Status{};
        },
        [](const Held& held) {
            std::vector<std::vector<int>> said;
            for (const auto& frame : held.frames) {
                said.push_back(*frame);
            }
            said.push_back(*held.hub->acquire());
            return said;
        });
}

template <class Dim>
class LoopsOutOfMemory : public testing::Test {};
TYPED_TEST_SUITE(LoopsOutOfMemory, test::Dims, test::DimNames);

TYPED_TEST(LoopsOutOfMemory, RunAllSlicesOrNone) {
    const test::AllocationsFail somewhere;
    constexpr std::size_t kDim = TypeParam::value;
    using Loop = NeighbourLoop<kDim>;
    auto scene = scenes::make<kDim>("uniform", 5'000);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    ASSERT_GE(grid.parts().slices(), 3u);
    const Neighbourhood near{0.5f, false, kAllGroups};
    const NamedGrid<kDim> named(grid);
    std::size_t slices = 0;
    const auto make = [&] {
        slices = 0;
        return std::make_unique<Loop>();
    };
    const auto say = [&](const std::unique_ptr<Loop>&) { return std::exchange(slices, 0); };
    const auto count = [&](const auto&...) { ++slices; };
    for (const auto order : {Loop::AgentOrder::none, Loop::AgentOrder::storage}) {
        ASSERT_NO_FATAL_FAILURE(fail_each_allocation(
            make,
            [&](const std::unique_ptr<Loop>& loop) {
                return loop->run(grid, near, active_isa(), order, count);
            },
            say));
    }
    ASSERT_NO_FATAL_FAILURE(fail_each_allocation(
        make,
        [&](const std::unique_ptr<Loop>& loop) {
            return loop->run_among(named, std::span(&named, 1), near, active_isa(), count);
        },
        say));
    fail_each_allocation([] { return std::optional<Loop>(); },
                         [](std::optional<Loop>& loop) {
                             loop.emplace();
                             return Status{};
                         },
                         [](const std::optional<Loop>& loop) { return loop.has_value(); });
}

} // namespace
} // namespace throng
