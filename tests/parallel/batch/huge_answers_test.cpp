// Answers with more ids in all than 32 bits can count, and with little room for them.
#include <throng/parallel/batch/batch.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/scenes/scenes.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

namespace throng {
namespace {

using test::kCanary;

/// A crowd in a few long rows, so that counting the hits of a box around the world takes no search.
template <std::size_t Dim>
struct FewRows {
    RowGrid<Dim> grid;
    Box<Dim> everywhere, at_first_agent;
    std::vector<Id> order;

    explicit FewRows(std::size_t agents) : order(agents) {
        auto scene = scenes::make_uniform<Dim>(agents);
        everywhere = {Point<Dim>::all(-kLargest), Point<Dim>::all(kLargest)};
        at_first_agent = {scene.position_of(0), scene.position_of(0)};
        // The border cells have no agents: a border cell reaches to infinity, so it is never wholly
        // inside a box.
        const float side = scene.world.hi[0];
        const Box<Dim> bounds{Point<Dim>::all(-side), Point<Dim>::all(2.0f * side)};
        Point<Dim> cell = Point<Dim>::all(side / 4.0f);
        cell[0] = side / 4096.0f;
        EXPECT_EQ(grid.configure(bounds, cell), Status{});
        EXPECT_EQ(grid.update(scene.agents()), Status{});
        EXPECT_EQ(grid.order(order), agents);
    }
};

/// Room for a few ids, and more ids behind it that must not change.
class FewIds {
public:
    static constexpr std::size_t kRoom = 100;

    [[nodiscard]] std::span<Id> room() noexcept { return std::span(ids_).first(kRoom); }
    void expect_first_of(const std::vector<Id>& wanted) const {
        EXPECT_TRUE(std::equal(ids_.begin(), ids_.begin() + kRoom, wanted.begin()));
        EXPECT_EQ(std::count(ids_.begin() + kRoom, ids_.end(), kCanary), 64);
    }
    void expect_untouched() const {
        EXPECT_EQ(std::count(ids_.begin(), ids_.end(), kCanary), kRoom + 64);
    }

private:
    std::vector<Id> ids_ = std::vector<Id>(kRoom + 64, kCanary);
};

/// The index of the first wrong offset, if each question has `step` hits; the size if there is
/// none.
std::size_t first_wrong(std::span<const std::uint64_t> offsets, std::uint64_t begin,
                        std::uint64_t step) {
    std::size_t q = 0;
    while (q < offsets.size() && offsets[q] == begin + q * step) {
        ++q;
    }
    return q;
}

template <class Dim>
class HugeAnswers : public testing::Test {
protected:
    void SetUp() override {
        if (std::getenv("THRONG_TEST_EMULATED") != nullptr) { GTEST_SKIP() << "takes too long"; }
    }
};
TYPED_TEST_SUITE(HugeAnswers, test::Dims, test::DimNames);

constexpr std::size_t kMany = 70'000;
constexpr std::uint64_t kTotal = 4'900'000'000u;

TYPED_TEST(HugeAnswers, OfARange) {
    constexpr std::size_t kDim = TypeParam::value;
    const FewRows<kDim> crowd(kMany);
    const std::vector<Box<kDim>> boxes(kMany, crowd.everywhere);
    const std::span<const Box<kDim>> all(boxes);
    std::vector<std::uint32_t> scratch(GridParts<kDim>::scratch());
    std::vector<std::uint64_t> offsets(kMany + 1);
    FewIds ids;
    Found found = crowd.grid.parts().query(all, 0, kMany, scratch, {offsets, ids.room()});
    EXPECT_EQ(found.status, Status{});
    EXPECT_EQ(found.count, kTotal);
    EXPECT_EQ(offsets.back(), kTotal);
    EXPECT_EQ(first_wrong(offsets, 0, kMany), kMany + 1);
    ids.expect_first_of(crowd.order);

    // The same answers behind kTotal + 5 ids of earlier questions.
    FewIds none;
    found = crowd.grid.parts().query(all, 0, kMany, scratch, {offsets, none.room(), kTotal + 5});
    EXPECT_EQ(found.status, Status{});
    EXPECT_EQ(found.count, kTotal);
    EXPECT_EQ(first_wrong(offsets, kTotal + 5, kMany), kMany + 1);
    none.expect_untouched();

    std::vector<std::uint32_t> counts(kMany);
    found = crowd.grid.parts().count(all, 0, kMany, scratch, counts);
    EXPECT_EQ(found.status, Status{});
    EXPECT_EQ(found.count, kTotal);
    EXPECT_EQ(std::count(counts.begin(), counts.end(), kMany), std::ptrdiff_t{kMany});
}

TYPED_TEST(HugeAnswers, AreCountedByABatch) {
    constexpr std::size_t kDim = TypeParam::value;
    const FewRows<kDim> crowd(kMany);
    const std::vector<Box<kDim>> boxes(kMany, crowd.everywhere);
    std::vector<std::uint32_t> counts(kMany);
    test::EagerPool pool(2);
    Batch<kDim> batch(pool);
    const Found found = batch.count(crowd.grid, std::span<const Box<kDim>>(boxes), counts);
    EXPECT_EQ(found.status, Status{});
    EXPECT_EQ(found.count, kTotal);
    EXPECT_EQ(std::count(counts.begin(), counts.end(), kMany), std::ptrdiff_t{kMany});
}

// One block after another, each written directly to its place.
TYPED_TEST(HugeAnswers, OfABatchOnOneThread) {
    constexpr std::size_t kDim = TypeParam::value;
    const FewRows<kDim> crowd(kMany);
    const std::vector<Box<kDim>> boxes(kMany, crowd.everywhere);
    std::vector<std::uint64_t> offsets(kMany + 1);
    FewIds ids;
    Batch<kDim> batch;
    const Found found =
        batch.query(crowd.grid, std::span<const Box<kDim>>(boxes), {offsets, ids.room()});
    EXPECT_EQ(found.status, Status{});
    EXPECT_EQ(found.count, kTotal);
    EXPECT_EQ(first_wrong(offsets, 0, kMany), kMany + 1);
    ids.expect_first_of(crowd.order);
}

// Only the first block has long answers, and writes them directly to their place. Meanwhile later
// blocks are answered and kept, until the end of the first block's answers is known.
TYPED_TEST(HugeAnswers, OfABatch) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr std::size_t kLarge = 4'096, kBoxes = 64 * kLarge, kAgents = 1'060'000;
    constexpr std::uint64_t kEnd = std::uint64_t{kLarge} * kAgents;
    static_assert(kEnd > 0xFFFF'FFFFu);
    const FewRows<kDim> crowd(kAgents);
    std::vector<Box<kDim>> boxes(kBoxes, crowd.at_first_agent);
    std::fill_n(boxes.begin(), kLarge, crowd.everywhere);
    const std::size_t few = crowd.grid.count(crowd.at_first_agent).count;
    EXPECT_GE(few, 1u);
    std::vector<std::uint64_t> offsets(kBoxes + 1);
    FewIds ids;
    test::EagerPool pool(2);
    Batch<kDim> batch(pool);
    const Found found =
        batch.query(crowd.grid, std::span<const Box<kDim>>(boxes), {offsets, ids.room()});
    EXPECT_EQ(found.status, Status{});
    EXPECT_EQ(found.count, kEnd + few * (kBoxes - kLarge));
    EXPECT_EQ(offsets.back(), found.count);
    const std::span<const std::uint64_t> all(offsets);
    EXPECT_EQ(first_wrong(all.first(kLarge), 0, kAgents), kLarge);
    EXPECT_EQ(first_wrong(all.subspan(kLarge), kEnd, few), kBoxes - kLarge + 1);
    ids.expect_first_of(crowd.order);
}

} // namespace
} // namespace throng
