// Pairs handed to a visitor a run at a time: the same as in a list, however short the runs.
#include <throng/engine/grid/row_grid.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/dims.hpp"
#include "range_calls.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace throng {
namespace {

using test::Ids;
using test::PairLists;

template <class Dim>
class RowGridVisitPairs : public testing::Test {
protected:
    static constexpr std::size_t kDim = Dim::value;
    using Grid = RowGrid<kDim>;

    /// A crowd of several slices, with runs that end inside an agent's partners, and a second
    /// crowd.
    RowGridVisitPairs() {
        auto scene = scenes::make<kDim>("clustered", 2000, scenes::Groups::masks);
        EXPECT_EQ(grid_.update(scene.agents()), Status{});
        auto strangers = scenes::make<kDim>("clustered", 700);
        EXPECT_EQ(others_.update(strangers.agents()), Status{});
    }

    /// Null for pairs within the crowd, and the other crowd for pairs with it.
    std::array<const Grid*, 2> both() const { return {nullptr, &others_}; }

    /// The pairs that are visited, with room for `room` pairs a run; stops after `most` runs.
    PairLists visited(const Grid* others, std::size_t room, std::uint32_t groups,
                      Body body = Body::box, std::size_t most = ~std::size_t{0}) const {
        PairLists pairs;
        Ids first(room), second(room + 3);
        std::size_t runs = 0;
        const auto visitor = [&](std::span<const Id> firsts, std::span<const Id> seconds) {
            EXPECT_EQ(firsts.size(), seconds.size());
            EXPECT_FALSE(firsts.empty());
            EXPECT_LE(firsts.size(), room);
            pairs.first.insert(pairs.first.end(), firsts.begin(), firsts.end());
            pairs.second.insert(pairs.second.end(), seconds.begin(), seconds.end());
            return ++runs < most;
        };
        const PairsBuffer run{first, second};
        const std::size_t end = grid_.parts().slices();
        const Found found =
            others == nullptr
                ? grid_.parts().visit_pairs(0, end, scratch_.words(), run, visitor, groups, body)
                : grid_.parts().visit_pairs(*others, 0, end, scratch_.words(), run, visitor, groups,
                                            body);
        EXPECT_EQ(found.status, Status{});
        EXPECT_EQ(found.count, pairs.first.size());
        return pairs;
    }

    PairLists listed(const Grid* others, std::uint32_t groups, Body body = Body::box) const {
        PairLists pairs;
        const auto ask = [&](const PairsBuffer& out) {
            return others == nullptr ? grid_.parts().pairs(0, grid_.parts().slices(),
                                                           scratch_.words(), out, groups, body)
                                     : grid_.parts().pairs(*others, 0, grid_.parts().slices(),
                                                           scratch_.words(), out, groups, body);
        };
        pairs.first.resize(ask({}).count);
        pairs.second.resize(pairs.first.size());
        EXPECT_EQ(ask({pairs.first, pairs.second}).count, pairs.first.size());
        return pairs;
    }

    Grid grid_, others_;
    test::Scratch<kDim> scratch_;
};

TYPED_TEST_SUITE(RowGridVisitPairs, test::Dims, test::DimNames);

TYPED_TEST(RowGridVisitPairs, AreThoseOfTheList) {
    ASSERT_GT(this->grid_.parts().slices(), 1u);
    for (const auto* others : this->both()) {
        for (const std::uint32_t groups : {kAllGroups, 0x3u, 0u}) {
            for (const Body body : {Body::box, Body::disc}) {
                const PairLists wanted = this->listed(others, groups, body);
                ASSERT_EQ(wanted.first.size() > 200, groups != 0);
                for (const std::size_t room : {64u, 65u, 100u, 1000u, 100'000u}) {
                    EXPECT_TRUE(this->visited(others, room, groups, body) == wanted) << room;
                }
            }
        }
    }
}

TYPED_TEST(RowGridVisitPairs, StopWhenTheVisitorHasHadEnough) {
    for (const auto* others : this->both()) {
        const PairLists wanted = this->listed(others, kAllGroups);
        const PairLists some = this->visited(others, 64, kAllGroups, Body::box, 3);
        ASSERT_LE(some.first.size(), 3u * 64u);
        ASSERT_GT(some.first.size(), 2u * 32u);
        EXPECT_TRUE(std::equal(some.first.begin(), some.first.end(), wanted.first.begin()));
        EXPECT_TRUE(std::equal(some.second.begin(), some.second.end(), wanted.second.begin()));
    }
}

TYPED_TEST(RowGridVisitPairs, LetTheVisitorsExceptionThrough) {
    Ids first(64), second(64);
    const auto thrower = [](std::span<const Id>, std::span<const Id>) -> bool {
        throw std::runtime_error("enough");
    };
    EXPECT_THROW((void)this->grid_.parts().visit_pairs(0, this->grid_.parts().slices(),
                                                       this->scratch_.words(), {first, second},
                                                       thrower),
                 std::runtime_error);
    EXPECT_EQ(this->grid_.validate(), nullptr);
}

TYPED_TEST(RowGridVisitPairs, RefuseRunsTooShort) {
    Ids first(63), second(64);
    const auto never = [](std::span<const Id>, std::span<const Id>) {
        ADD_FAILURE() << "visited";
        return true;
    };
    for (const PairsBuffer& run : {PairsBuffer{first, second}, PairsBuffer{second, first}}) {
        const Status refused{Cause::no_room, Argument::run};
        const std::size_t end = this->grid_.parts().slices();
        EXPECT_EQ(
            this->grid_.parts().visit_pairs(0, end, this->scratch_.words(), run, never).status,
            refused);
        EXPECT_EQ(this->grid_.parts()
                      .visit_pairs(this->others_, 0, end, this->scratch_.words(), run, never)
                      .status,
                  refused);
    }
}

} // namespace
} // namespace throng
