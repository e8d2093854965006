// Agents of one grid and neighbours in other grids: the bits of plain loops, and refusals.
#include "examples.hpp"

#include "../../engine/core/access_check.hpp"
#include "../support/allocation_counter.hpp"
#include "../support/dims.hpp"
#include "../support/reports.hpp"
#include "../support/scenes/scene_cases.hpp"
#include "../support/scenes/split_crowd.hpp"
#include "../support/threads/executors.hpp"

#include <throng/engine/agents/grid_shape.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace throng::test {
namespace {

/// The arrays that a Diary fills, by id.
struct Pages {
    std::vector<float> number, sum;
    std::vector<std::uint32_t> met, mix;

    explicit Pages(std::size_t ids) : number(ids), sum(ids), met(ids), mix(ids) {
        scenes::Random random(1);
        std::generate(number.begin(), number.end(), [&] { return random.between(-1.0f, 1.0f); });
    }
    template <std::size_t Dim>
    [[nodiscard]] Diary<Dim> diary() noexcept {
        return {number.data(), sum.data(), met.data(), mix.data()};
    }
    /// The results as bits: minus zero differs from zero, and NaNs differ by their bits.
    [[nodiscard]] std::vector<std::uint32_t> bits() const {
        std::vector<std::uint32_t> all(met);
        all.insert(all.end(), mix.begin(), mix.end());
        for (const float x : sum) {
            all.push_back(std::bit_cast<std::uint32_t>(x));
        }
        return all;
    }
};

using Parts = std::vector<std::size_t>;

template <std::size_t Dim>
Pages wanted_of(const SplitCrowd<Dim>& crowd, std::size_t askers, const Parts& others,
                const Neighbourhood& asked) {
    Pages wanted(crowd.size());
    crowd.for_each(
        askers, others, asked, [](Id) {},
        [&](const typename SplitCrowd<Dim>::Neighbour& m) {
            ++wanted.met[m.id];
            wanted.mix[m.id] = (wanted.mix[m.id] + m.other + 1) * 2654435761u;
            float all = m.distance2 + wanted.number[m.id] + wanted.number[m.other];
            for (const float offset : m.offset) {
                all = all + offset;
            }
            wanted.sum[m.id] = wanted.sum[m.id] + all;
        },
        [](Id) {});
    return wanted;
}

class FusedAmong : public testing::TestWithParam<SceneCase> {
protected:
    template <std::size_t Dim>
    void run() {
        const auto& [dim, name, groups] = GetParam();
        auto scene = scenes::make<Dim>(name, 220, groups);
        const auto shapes = scenes::shapes_for(scene);
        const Parts asked_parts[] = {{0, 1, 2}, {1}, {2, 0}, {}, {1, 2, 1}};
        for (std::size_t s = 0; s < shapes.size(); ++s) {
            SCOPED_TRACE("shape " + std::to_string(s));
            const SplitCrowd<Dim> crowd(scene, shapes, s);
            // A cell's width, and 5: some agents are exactly this far apart, with offsets of 3, 4
            // and 5.
            const float radii[] = {scene.cell[0], 5.0f, 0.0f, 2.5f * scene.cell[0], 1e3f, kLargest};
            const Neighbourhood asked{radii[s % 6], s % 2 == 1, s % 3 != 2 ? 0x5u : kAllGroups};
            for (std::size_t askers = 0; askers < SplitCrowd<Dim>::kParts; ++askers) {
                SCOPED_TRACE("askers " + std::to_string(askers));
                expect_as_plain_loops(crowd, askers, {0, 1, 2}, asked);
                expect_as_plain_loops(crowd, askers, asked_parts[(s + askers) % 5], asked);
                expect_as_plain_loops(crowd, askers, {0, 1, 2},
                                      {asked.radius, s % 3 == 1, asked.groups, true});
                expect_as_plain_loops(crowd, askers, {0, 1, 2},
                                      {asked.radius, s % 3 == 1, asked.groups, s % 4 == 1,
                                       s % 2 == 0 ? Body::box : Body::disc});
            }
            expect_as_plain_loops(crowd, 1, {0, 1, 2}, {5.0f, true, 0});
        }
    }

private:
    template <std::size_t Dim>
    static void expect_as_plain_loops(const SplitCrowd<Dim>& crowd, std::size_t askers,
                                      const Parts& others, const Neighbourhood& asked) {
        const Pages wanted = wanted_of(crowd, askers, others, asked);
        Pages got(crowd.size());
        NeighbourLoop<Dim> loop;
        EXPECT_EQ(run_kernel_among(loop, crowd.part(askers).named(), crowd.grids(others), asked,
                                   got.diary<Dim>()),
                  Status{});
        EXPECT_EQ(got.bits(), wanted.bits()) << "radius " << asked.radius;
    }
};

TEST_P(FusedAmong, ComesToWhatPlainLoopsComeTo) {
    if (std::get<0>(GetParam()) == 2) {
        run<2>();
    } else {
        run<3>();
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, FusedAmong, all_scene_cases(), scene_case_name);

template <class Dim>
class ForEachNeighbourAmong : public testing::Test {
protected:
    static constexpr std::size_t kDims = Dim::value;

    ForEachNeighbourAmong()
        : scene_(scenes::make<kDims>("clustered", 6000, scenes::Groups::masks)),
          crowd_(scene_, scenes::shapes_for(scene_), 0) {}

    /// Runs a kernel over all agents, and returns its results as bits.
    std::vector<std::uint32_t> everything(Executor& executor) {
        Pages pages(crowd_.size());
        NeighbourLoop<kDims> loop(executor);
        for (std::size_t askers = 0; askers < 3; ++askers) {
            EXPECT_EQ(run_kernel_among(loop, crowd_.part(askers).named(), crowd_.grids({0, 1, 2}),
                                       {1.5f, false, 0x7u}, pages.template diary<kDims>()),
                      Status{});
        }
        return pages.bits();
    }

    scenes::Scene<kDims> scene_;
    SplitCrowd<kDims> crowd_;
};
TYPED_TEST_SUITE(ForEachNeighbourAmong, Dims, DimNames);

TYPED_TEST(ForEachNeighbourAmong, IsTheSameOnEveryExecutor) {
    const auto wanted = this->everything(serial_executor());
    ShuffleExecutor shuffle(3);
    EXPECT_EQ(this->everything(shuffle), wanted);
    for (const std::size_t threads : {2u, 5u}) {
        test::EagerPool pool(threads);
        EXPECT_EQ(this->everything(pool), wanted);
    }
}

TYPED_TEST(ForEachNeighbourAmong, IsWhatOneGridIsWhereThereIsOne) {
    constexpr std::size_t kDim = TypeParam::value;
    const NamedGrid<kDim> own(this->crowd_.part(0).grid);
    Pages one(this->crowd_.size()), among(this->crowd_.size());
    NeighbourLoop<kDim> loop;
    EXPECT_EQ(run_kernel(loop, *own.grid, {1.5f}, Count{one.met.data()}), Status{});
    EXPECT_EQ(run_kernel_among(loop, own, {own}, {1.5f}, Count{among.met.data()}), Status{});
    EXPECT_EQ(among.met, one.met);
    EXPECT_NE(std::accumulate(one.met.begin(), one.met.end(), 0u), 0u);
}

TYPED_TEST(ForEachNeighbourAmong, FindsNothingInEmptyGrids) {
    constexpr std::size_t kDim = TypeParam::value;
    const RowGrid<kDim> never_configured;
    RowGrid<kDim> cleared;
    ASSERT_EQ(cleared.use(this->crowd_.part(0).grid.shape()), Status{});
    NeighbourLoop<kDim> loop;
    EXPECT_EQ(run_kernel_among(loop, NamedGrid<kDim>(never_configured),
                               this->crowd_.grids({0, 1, 2}), {1.0f}, Count{nullptr}),
              Status{});
    const auto asker = this->crowd_.part(1).named();
    Pages some(this->crowd_.size()), wanted(this->crowd_.size());
    EXPECT_EQ(run_kernel_among(loop, asker,
                               {never_configured, this->crowd_.part(0).named(), cleared}, {1.0f},
                               Count{some.met.data()}),
              Status{});
    EXPECT_EQ(
        run_kernel_among(loop, asker, this->crowd_.grids({0}), {1.0f}, Count{wanted.met.data()}),
        Status{});
    EXPECT_EQ(some.met, wanted.met);
    // finish() is also called for agents without neighbours.
    std::fill(some.met.begin(), some.met.end(), 77u);
    EXPECT_EQ(run_kernel_among(loop, asker, {cleared}, {1.0f}, Count{some.met.data()}), Status{});
    EXPECT_EQ(static_cast<std::size_t>(std::count(some.met.begin(), some.met.end(), 0u)),
              asker.grid->size());
}

TYPED_TEST(ForEachNeighbourAmong, SaysWhatItCannotDo) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto small = this->crowd_.part(0).named();
    const auto giants = this->crowd_.part(1).named();
    NeighbourLoop<kDim> loop;
    std::vector<std::uint32_t> count(this->crowd_.size(), 77);
    const Count kernel{count.data()};
    for (const float radius : {std::nanf(""), -1.0f, 2e18f}) {
        const Status status = run_kernel_among(loop, small, {small, giants}, {radius}, kernel);
        EXPECT_FALSE(status.ok());
        EXPECT_EQ(status.argument, Argument::radius);
    }
    const std::vector<NamedGrid<kDim>> most(kMostGrids, giants), too_many(kMostGrids + 1, giants);
    EXPECT_EQ(run_kernel_among(loop, small, too_many, {1.0f}, kernel),
              (Status{Cause::too_many, Argument::others, kMostGrids}));
    NamedGrid<kDim> nameless = giants;
    nameless.names = nameless.names.first(nameless.names.size() - 1);
    EXPECT_EQ(run_kernel_among(loop, small, {small, nameless}, {1.0f}, kernel),
              (Status{Cause::count_mismatch, Argument::others, 1}));
    EXPECT_EQ(run_kernel_among(loop, nameless, {small}, {1.0f}, kernel),
              (Status{Cause::count_mismatch, Argument::askers, 0}));
    bool ran = false;
    EXPECT_EQ(loop.run_among(small, most, {1.0f}, Isa::none,
                             [&](const auto&, const auto&, const auto&) { ran = true; }),
              (Status{Cause::no_such_isa}));
    EXPECT_FALSE(ran);
    EXPECT_EQ(std::count(count.begin(), count.end(), 77u),
              static_cast<std::ptrdiff_t>(count.size()));
    EXPECT_EQ(run_kernel_among(loop, small, most, {1.0f}, kernel), Status{});
}

TYPED_TEST(ForEachNeighbourAmong, AllocatesNothingOnceItHasAndLetsExceptionsThrough) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto grids = this->crowd_.grids({0, 1, 2});
    std::vector<std::uint32_t> count(this->crowd_.size());
    NeighbourLoop<kDim> loop;
    EXPECT_EQ(run_kernel_among(loop, grids[0], grids, {1.0f}, Count{count.data()}), Status{});
    const std::size_t before = allocations();
    EXPECT_EQ(run_kernel_among(loop, grids[0], grids, {1.0f}, Count{count.data()}), Status{});
    EXPECT_EQ(allocations(), before);
    for (const std::size_t met : {0u, 1u, 50u}) {
        std::atomic<std::size_t> left{met};
        EXPECT_THROW(
            (void)run_kernel_among(loop, grids[1], grids, {1.0f}, Count{count.data(), &left}),
            KernelError);
        EXPECT_EQ(run_kernel_among(loop, grids[0], grids, {1.0f}, Count{count.data()}), Status{});
    }
}

TYPED_TEST(ForEachNeighbourAmong, NoticesExecutorsThatLoseSlices) {
    constexpr std::size_t kDim = TypeParam::value;
    std::vector<std::uint32_t> count(this->crowd_.size());
    FaultyExecutor executor(Fault::drop, 0);
    NeighbourLoop<kDim> loop(executor);
    EXPECT_EQ(run_kernel_among(loop, this->crowd_.part(0).named(), this->crowd_.grids({1}), {1.0f},
                               Count{count.data()})
                  .cause,
              Cause::executor_failed);
}

// The grids count as in use before the first block too: here an executor changes one of them then.
TYPED_TEST(ForEachNeighbourAmong, IsInAllGridsForTheWholeCall) {
    constexpr std::size_t kDim = TypeParam::value;
    class Meddler final : public Executor {
    public:
        explicit Meddler(RowGrid<kDim>& grid) : grid_(grid) {}
        void run(std::size_t blocks, Body body) override {
            (void)grid_.erase(kNoId); // refused, but it is still a call that changes the grid
            for (std::size_t b = 0; b < blocks; ++b) {
                body(b);
            }
        }

    private:
        RowGrid<kDim>& grid_;
    };
    RowGrid<kDim> met;
    Meddler meddler(met);
    Reports reports;
    NeighbourLoop<kDim> loop(meddler);
    std::vector<std::uint32_t> count(this->crowd_.size());
    EXPECT_EQ(run_kernel_among(loop, this->crowd_.part(0).named(), {met, this->crowd_.part(1).grid},
                               {1.0f}, Count{count.data()}),
              Status{});
    EXPECT_EQ(reports.count() != 0, kAccessChecked);
}

} // namespace
} // namespace throng::test
