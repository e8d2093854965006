// Buffers of every size for range calls: written answers are right, counts and offsets always are,
// and nothing is written behind the buffers.
#include <throng/engine/grid/row_grid.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/dims.hpp"
#include "range_calls.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace throng {
namespace {

using test::Guarded;
using test::Ids;
using test::kCanary;
using test::Lists;
using test::PairLists;
using test::Scratch;

constexpr std::size_t kOffsets = 16;

/// An array that ends `before_guard` words before a guard page.
class Window {
public:
    explicit Window(std::size_t most) : words_(most + kOffsets) {}

    std::span<Id> of(std::size_t size, std::size_t before_guard) {
        std::fill(words_.begin(), words_.end(), kCanary);
        window_ = {words_.end() - before_guard - size, size};
        return window_;
    }
    /// Whether the first `most` words of the window begin as `wanted` does, and nothing has been
    /// written behind them or around the window. Behind what is wanted there may be anything.
    [[nodiscard]] bool holds_only(const Ids& wanted, std::size_t most) const {
        const std::size_t size = std::min(window_.size(), most);
        const auto part = window_.first(std::min(size, wanted.size()));
        return std::equal(part.begin(), part.end(), wanted.begin()) &&
               is_untouched(words_.begin(), window_.data()) &&
               is_untouched(window_.data() + size, words_.end());
    }

private:
    static bool is_untouched(const Id* begin, const Id* end) {
        return std::count(begin, end, kCanary) == end - begin;
    }

    Guarded<Id> words_;
    std::span<Id> window_;
};

/// Calls call(room, offset) for rooms from none to more than `total`, and every offset.
template <class Call>
void for_each_room(std::size_t total, const Call& call) {
    const std::size_t step = std::getenv("THRONG_TEST_EMULATED") != nullptr ? 5 : 1;
    std::vector<std::size_t> rooms;
    for (std::size_t room = 0; room <= 130; ++room) {
        rooms.push_back(room);
    }
    for (std::size_t room : {total - 17, total - 1, total, total + 1, total + 16, total + 17}) {
        rooms.push_back(room);
    }
    for (const std::size_t room : rooms) {
        for (std::size_t offset = 0; offset < kOffsets; offset += step) {
            SCOPED_TRACE(testing::Message() << "room " << room << ", offset " << offset);
            ASSERT_NO_FATAL_FAILURE(call(room, offset));
        }
    }
}

/// Checks call(HitsBuffer) with every buffer.
template <class Call>
void check_lists(std::size_t asked, const Call& call) {
    const Lists wanted = test::lists_of(asked, call);
    const std::size_t total = wanted.ids.size();
    ASSERT_GT(total, 150u);
    Window ids(total + 200);
    const Guarded<std::uint64_t> offsets(asked + 1);
    for_each_room(total, [&](std::size_t room, std::size_t offset) {
        std::fill(offsets.begin(), offsets.end(), 77u);
        // Answers follow what the buffer may hold already.
        const std::size_t used = offset % 4 * 7;
        Ids all(used, kCanary);
        all.insert(all.end(), wanted.ids.begin(), wanted.ids.end());
        const Found found =
            call(HitsBuffer{{offsets.begin(), asked + 1}, ids.of(used + room, offset), used});
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(found.count, total);
        for (std::size_t q = 0; q <= asked; ++q) {
            ASSERT_EQ(offsets.begin()[q], used + wanted.offsets[q]);
        }
        ASSERT_TRUE(ids.holds_only(all, used + room));
    });
}

/// Checks call(PairsBuffer) with every buffer, also if one array is longer than the other.
template <class Call>
void check_pairs(const Call& call) {
    const PairLists wanted = test::pairs_told(call);
    const std::size_t total = wanted.first.size();
    ASSERT_GT(total, 150u);
    Window first(total + 200), second(total + 200);
    for_each_room(total, [&](std::size_t room, std::size_t offset) {
        const std::size_t more_first = offset % 3 == 1 ? offset : 0;
        const std::size_t more_second = offset % 3 == 2 ? offset : 0;
        const PairsBuffer buffer{first.of(room + more_first, offset),
                                 second.of(room + more_second, kOffsets - 1 - offset)};
        const Found found = call(buffer);
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(found.count, total);
        // The longer array is written only as far as the shorter one is long.
        ASSERT_TRUE(first.holds_only(wanted.first, room));
        ASSERT_TRUE(second.holds_only(wanted.second, room));
    });
}

template <class Dim>
class RowGridRangeBuffers : public testing::Test {};
TYPED_TEST_SUITE(RowGridRangeBuffers, test::Dims, test::DimNames);

/// Crowds with few or many pairs for their size, some with masks or own extents.
template <std::size_t Dim>
std::vector<scenes::Scene<Dim>> crowds() {
    std::vector<scenes::Scene<Dim>> scenes;
    scenes.push_back(scenes::make<Dim>("uniform", 150));
    scenes.back().common_half_extent = Point<Dim>::all(0.7f);
    scenes.push_back(scenes::make<Dim>("clustered", 250, scenes::Groups::masks));
    scenes.back().common_half_extent = Point<Dim>::all(1.1f);
    scenes.push_back(scenes::make<Dim>("mixed_sizes", 250));
    for (std::vector<float>& axis : scenes.back().half_extent) {
        for (float& half : axis) {
            half *= 2.0f;
        }
    }
    scenes.push_back(scenes::make<Dim>("coincident", 40));
    return scenes;
}

TYPED_TEST(RowGridRangeBuffers, OfPairs) {
    constexpr std::size_t kDim = TypeParam::value;
    const Scratch<kDim> scratch;
    for (auto& scene : crowds<kDim>()) {
        SCOPED_TRACE(scene.name);
        const auto grid = test::grid_of(scene);
        check_pairs([&](const PairsBuffer& buffer) {
            return grid.parts().pairs(0, grid.parts().slices(), scratch.words(), buffer,
                                      scene.groups.empty() ? kAllGroups : 0x7u);
        });
        check_pairs([&](const PairsBuffer& buffer) {
            return grid.parts().pairs(grid, 0, grid.parts().slices(), scratch.words(), buffer);
        });
    }
}

TYPED_TEST(RowGridRangeBuffers, OfNeighbours) {
    constexpr std::size_t kDim = TypeParam::value;
    const Scratch<kDim> scratch;
    for (auto& scene : crowds<kDim>()) {
        SCOPED_TRACE(scene.name);
        const auto grid = test::grid_of(scene);
        for (const Neighbourhood& asked :
             {Neighbourhood{1.8f, false, kAllGroups}, Neighbourhood{3.0f, true, 0x5u},
              Neighbourhood{1.0f, false, kAllGroups, false, Body::box},
              Neighbourhood{2.0f, true, 0x5u, false, Body::disc}}) {
            check_lists(scene.size(), [&](const HitsBuffer& buffer) {
                return grid.parts().neighbours(asked, 0, grid.parts().slices(), scratch.words(),
                                               buffer);
            });
        }
    }
}

TYPED_TEST(RowGridRangeBuffers, OfQueries) {
    constexpr std::size_t kDim = TypeParam::value;
    const Scratch<kDim> scratch;
    for (auto& scene : crowds<kDim>()) {
        SCOPED_TRACE(scene.name);
        const auto grid = test::grid_of(scene);
        scenes::add_queries(scene, 50, 3);
        // Guarded copies, since questions must not be read beyond their end.
        const Guarded<Box<kDim>> boxes(scene.boxes.size());
        std::copy(scene.boxes.begin(), scene.boxes.end(), boxes.begin());
        const Guarded<Ball<kDim>> balls(scene.balls.size());
        std::copy(scene.balls.begin(), scene.balls.end(), balls.begin());
        const std::span<const Box<kDim>> all_boxes(boxes.begin(), boxes.end());
        const std::span<const Ball<kDim>> all_balls(balls.begin(), balls.end());
        check_lists(all_boxes.size(), [&](const HitsBuffer& buffer) {
            return grid.parts().query(all_boxes, 0, all_boxes.size(), scratch.words(), buffer);
        });
        check_lists(all_balls.size() - 15, [&](const HitsBuffer& buffer) {
            return grid.parts().query(all_balls, 15, all_balls.size(), scratch.words(), buffer,
                                      Filter{0x7u, 3});
        });
    }
}

TYPED_TEST(RowGridRangeBuffers, OfCounts) {
    constexpr std::size_t kDim = TypeParam::value;
    const Scratch<kDim> scratch;
    auto scene = scenes::make<kDim>("clustered", 300);
    scenes::add_queries(scene, 100, 3);
    const auto grid = test::grid_of(scene);
    const std::span<const Box<kDim>> boxes(scene.boxes);
    std::vector<std::uint32_t> wanted, wanted_any;
    for (const Box<kDim>& box : boxes) {
        wanted.push_back(static_cast<std::uint32_t>(grid.count(box).count));
        wanted_any.push_back(wanted.back() != 0 ? 1 : 0);
    }
    Window counts(200);
    for (std::size_t asked = 0; asked <= 130; ++asked) {
        for (std::size_t offset = 0; offset < kOffsets; ++offset) {
            const auto room = counts.of(asked, offset);
            ASSERT_EQ(grid.parts().count(boxes, 0, asked, scratch.words(), room).status, Status{});
            ASSERT_TRUE(counts.holds_only(wanted, asked)) << asked << " queries, offset " << offset;
            const auto room_any = counts.of(asked, offset);
            ASSERT_EQ(grid.parts().any(boxes, 0, asked, scratch.words(), room_any).status,
                      Status{});
            ASSERT_TRUE(counts.holds_only(wanted_any, asked))
                << asked << " queries, offset " << offset;
        }
    }
    const Neighbourhood asked{1.0f, false, kAllGroups};
    const Guarded<std::uint32_t> exact(grid.size());
    ASSERT_EQ(grid.parts()
                  .count_neighbours(asked, 0, grid.parts().slices(), scratch.words(),
                                    {exact.begin(), grid.size()})
                  .status,
              Status{});
    EXPECT_TRUE(
        std::equal(exact.begin(), exact.end(),
                   test::neighbours_in(grid, asked, 0, grid.parts().slices()).counts().begin()));
}

// Buffers without memory behind one of the spans, or behind both.
TYPED_TEST(RowGridRangeBuffers, NoneAtAll) {
    constexpr std::size_t kDim = TypeParam::value;
    const Scratch<kDim> scratch;
    auto scene = scenes::make<kDim>("coincident", 40);
    const auto grid = test::grid_of(scene);
    EXPECT_EQ(grid.parts().pairs(0, 1, scratch.words(), {}).count, 40u * 39 / 2);
    EXPECT_EQ(grid.parts().pairs(grid, 0, 1, scratch.words(), {}).count, 40u * 40);
    Ids one_side(100, kCanary);
    EXPECT_EQ(grid.parts().pairs(0, 1, scratch.words(), {one_side, {}}).count, 40u * 39 / 2);
    EXPECT_EQ(grid.parts().pairs(0, 1, scratch.words(), {{}, one_side}).count, 40u * 39 / 2);
    EXPECT_EQ(grid.parts().pairs(grid, 0, 1, scratch.words(), {one_side, {}}).count, 40u * 40);
    EXPECT_EQ(grid.parts().pairs(grid, 0, 1, scratch.words(), {{}, one_side}).count, 40u * 40);
    EXPECT_EQ(one_side, Ids(100, kCanary));
}

} // namespace
} // namespace throng
