// A batch about several grids, some small beside others, allocates nothing in a steady frame, and
// loses nothing when memory runs out.
#include <throng/parallel/batch/batch.hpp>

#include "../../../support/dims.hpp"
#include "../../../support/scenes/split_crowd.hpp"
#include "../../../support/threads/executors.hpp"
#include "allocations.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace throng {
namespace {

using test::Outcome;

/// The agents of all grids, and who of them finds whom.
template <std::size_t Dim>
class GridsCalls : public test::EveryCall<GridsCalls<Dim>> {
public:
    static constexpr std::size_t kCount = 9;

    explicit GridsCalls(const test::SplitCrowd<Dim>& crowd)
        : test::EveryCall<GridsCalls>(crowd.size(), crowd.size()), size_(crowd.size()),
          grids_(crowd.grids({0, 1, 2})) {}

    /// Makes the call with this number. Exceptions pass through.
    [[nodiscard]] Outcome make(std::size_t call, Batch<Dim>& batch) {
        const Neighbourhood near = {1.5f}, later = {1.0f, false, kAllGroups, true};
        const Neighbourhood masked = {1.5f, true, 0x5u}; // grids with masks are small no more
        test::Outputs& out = this->out_;
        const Asking<Dim> all = {grids_, grids_};
        switch (call) {
        case 0:
            return out.listed(batch.neighbours(all, near, out.hits));
        case 1:
            return out.listed(batch.neighbours(all, near, out.hits, Order::ids));
        case 2:
            return out.listed(batch.neighbours(all, later, out.hits));
        case 3:
            return out.listed(batch.neighbours(all, masked, out.hits, Order::ids));
        case 4:
            return out.buffered(batch.neighbours(all, near, out.some()), size_);
        case 5:
            return out.counted(batch.count_neighbours(all, near, out.counts), size_);
        case 6:
            return out.counted(batch.count_neighbours(all, near, out.counts, Order::ids), size_);
        case 7:
            return out.listed_near(batch.nearest_neighbours(all, {3}, out.near_hits));
        default:
            return out.buffered_near(batch.nearest_neighbours(all, {test::Outputs::kNear, 0.5f},
                                                              out.some_near(), Order::ids),
                                     size_);
        }
    }

    /// After a failed call: whether the arrays that it fills are empty.
    [[nodiscard]] bool is_empty(std::size_t call) const noexcept {
        if (call < 4) { return this->out_.has_no_hits(); }
        return call != 7 || this->out_.has_no_near();
    }

private:
    std::size_t size_;
    std::vector<NamedGrid<Dim>> grids_;
};

template <class Dim>
class GridsAllocations : public testing::Test {
protected:
    static constexpr std::size_t kDims = Dim::value;

    static test::SplitCrowd<kDims> split(std::size_t agents) {
        auto scene = scenes::make<kDims>("uniform", agents, scenes::Groups::masks);
        return {scene, scenes::shapes_for(scene), 0};
    }
};
TYPED_TEST_SUITE(GridsAllocations, test::Dims, test::DimNames);

TYPED_TEST(GridsAllocations, ThereAreNoneInASteadyFrame) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::SplitCrowd<kDim> crowd = this->split(1'600);
    const auto make = [&] { return GridsCalls<kDim>(crowd); };
    test::expect_steady_frames_without<Batch<kDim>>(make);
    test::EagerPool pool(4);
    test::expect_they_die_out<Batch<kDim>>(pool, make);
}

TYPED_TEST(GridsAllocations, MayFailAnywhere) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::SplitCrowd<kDim> crowd = this->split(600);
    GridsCalls<kDim> calls(crowd);
    test::expect_each_may_fail<Batch<kDim>>(calls);
}

} // namespace
} // namespace throng
