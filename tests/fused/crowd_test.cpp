// A kernel over a whole crowd meets giants and statics among the neighbours, as plain loops do.
#include "../support/threads/executors.hpp"
#include "examples.hpp"

#include "../support/dims.hpp"
#include "../support/ids.hpp"
#include "../support/random.hpp"

#include <throng/engine/shapes/ball.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace throng::test {
namespace {

/// Points with extents; one in `giants` is a giant.
template <std::size_t Dim>
struct Elements {
    std::array<std::vector<float>, Dim> position, half;

    Elements(std::size_t count, std::uint32_t giants, std::uint64_t seed, std::uint32_t side = 40) {
        scenes::Random random(seed);
        for (std::size_t i = 0; i < count; ++i) {
            const bool giant = random.below(giants) == 0;
            for (std::size_t a = 0; a < Dim; ++a) {
                // Coordinates in half units: many elements are exactly as far apart as asked, or in
                // one place.
                position[a].push_back(0.5f * static_cast<float>(random.below(side)));
                half[a].push_back(giant ? 6.0f : 0.25f);
            }
        }
    }
    /// Moves them to random places from `low` to `high`, every tenth to a border, or next to it.
    void scatter(float low, float high, std::uint64_t seed) {
        scenes::Random random(seed);
        const float borders[] = {low, std::nextafter(low, high), std::nextafter(high, low), -0.0f};
        for (std::vector<float>& axis : position) {
            for (float& x : axis) {
                x = random.below(10) == 0 ? borders[random.below(4)]
                                          : std::min(random.between(low, high), borders[2]);
            }
        }
    }
    [[nodiscard]] std::size_t size() const { return position[0].size(); }
    [[nodiscard]] Point<Dim> at(std::size_t i) const {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = position[a][i];
        }
        return point;
    }
    [[nodiscard]] Point<Dim> half_of(std::size_t i) const {
        Point<Dim> extent;
        for (std::size_t a = 0; a < Dim; ++a) {
            extent[a] = half[a][i];
        }
        return extent;
    }
    [[nodiscard]] bool is_giant(std::size_t i) const { return half[0][i] > 1.0f; }
    [[nodiscard]] Agents<Dim> agents() const {
        std::array<const float*, Dim> x, h;
        for (std::size_t a = 0; a < Dim; ++a) {
            x[a] = position[a].data();
            h[a] = half[a].data();
        }
        Agents<Dim> agents;
        agents.positions = PointView<Dim>::separate(x, size());
        agents.half_extents = PointView<Dim>::separate(h, size());
        return agents;
    }
};

/// The arrays that a Roll fills.
struct RollPages {
    std::vector<std::uint32_t> met, names;
    std::vector<float> nearest;

    explicit RollPages(std::size_t agents) : met(agents), names(agents), nearest(agents, 1e30f) {}
    [[nodiscard]] Roll roll() noexcept { return {met.data(), names.data(), nearest.data()}; }
    void note(std::size_t agent, Id other, float distance2) {
        ++met[agent];
        const std::uint32_t name = (other + 1) * 2654435761u;
        names[agent] = (names[agent] ^ name ^ name >> 15) * 16777619u;
        nearest[agent] = std::min(nearest[agent], distance2);
    }
    friend bool operator==(const RollPages&, const RollPages&) = default;
};

template <class Dim>
class FusedCrowd : public testing::Test {
protected:
    static constexpr std::size_t kDims = Dim::value;

    FusedCrowd() {
        EXPECT_EQ(crowd_.update(agents_.agents()), Status{});
        EXPECT_EQ(crowd_.set_statics(statics_.agents()), Status{});
        EXPECT_GT(crowd_.size(Sets::giants), 0u);
    }

    /// Makes the world periodic on all axes, and spreads the agents over it: over a lattice, or to
    /// places whose distances are rounded, some of them on a border.
    void wrap(bool rounded = false) {
        const float low = rounded ? -13.7f : 0.0f, high = low + 40.0f;
        period_ = high - low;
        agents_ = Elements<kDims>(kDims == 2 ? 700 : 1'500, 20, 3, 80);
        statics_ = Elements<kDims>(90, 3, 4, 80);
        if (rounded) {
            agents_.scatter(low, high, 5);
            statics_.scatter(low, high, 6);
        }
        CrowdSettings<kDims> settings;
        settings.bounds = Box<kDims>{Point<kDims>::all(low), Point<kDims>::all(high)};
        settings.periodic.fill(true);
        ASSERT_EQ(crowd_.configure(settings), Status{});
        ASSERT_EQ(crowd_.update(agents_.agents()), Status{});
        ASSERT_EQ(crowd_.set_statics(statics_.agents()), Status{});
    }

    /// A neighbour, and its place in the order in which an agent meets its neighbours.
    struct Met {
        std::uint32_t copy; ///< of the agent: a digit to the base of 3 for each axis
        std::uint32_t rank; ///< of the neighbour in its grids
        Id name;
        float distance2;

        friend bool operator<(const Met& a, const Met& b) {
            return std::tie(a.copy, a.rank) < std::tie(b.copy, b.rank);
        }
    };

    [[nodiscard]] RollPages wanted(const Neighbourhood& asked, Sets sets) const {
        RollPages pages(agents_.size());
        std::unordered_map<Id, std::uint32_t> rank;
        for (const NamedGrid<kDims>& named : crowd_.grids()) {
            Ids order(named.grid->size());
            (void)named.grid->order(order);
            for (const Id id : order) {
                rank.emplace(named.name_of(id), static_cast<std::uint32_t>(rank.size()));
            }
        }
        std::vector<Met> all;
        // An agent that is moved by `copy` looks at another; has(side) says whether that counts:
        // for side 0, if it is not moved, or 1 or -1, if up or down on the highest axis.
        const auto look_at = [&](std::size_t i, const Point<kDims>& at, const Point<kDims>& half,
                                 Id name, auto has) {
            const Point<kDims> own = agents_.at(i), own_half = agents_.half_of(i);
            const auto look = [&](auto& self, std::size_t axes, std::uint32_t copy, int side,
                                  Point<kDims> offset, Point<kDims> sum) -> void {
                if (axes == 0) {
                    const float distance2 = body_distance2(asked.body, offset, sum);
                    if (distance2 <= asked.radius * asked.radius && has(side)) {
                        all.push_back({copy, rank.at(name), name, distance2});
                    }
                    return;
                }
                const std::size_t a = axes - 1; // the highest first
                sum[a] = own_half[a] + half[a];
                for (const int way : {0, 1, -1}) {
                    if (way != 0 && period_ == 0.0f) { continue; }
                    offset[a] =
                        at[a] - (way == 0 ? own[a] : own[a] + static_cast<float>(way) * period_);
                    // No reach is longer than half a period.
                    if (period_ != 0.0f && std::abs(offset[a]) > 0.6f * period_) { continue; }
                    const std::uint32_t digit = way == 0 ? 0 : way == 1 ? 1 : 2;
                    self(self, a, 3 * copy + digit, side == 0 ? way : side, offset, sum);
                }
            };
            look(look, kDims, 0, 0, {}, {});
        };
        for (std::size_t i = 0; i < agents_.size(); ++i) {
            all.clear();
            const std::uint32_t own = rank.at(static_cast<Id>(i));
            for (std::size_t k = 0; k < agents_.size(); ++k) {
                const Sets set = agents_.is_giant(k) ? Sets::giants : Sets::small;
                if (!has(sets, set)) { continue; }
                const bool later = rank.at(static_cast<Id>(k)) >= own;
                const bool of_one_set = agents_.is_giant(i) == agents_.is_giant(k);
                look_at(i, agents_.at(k), agents_.half_of(k), static_cast<Id>(k), [&](int side) {
                    if (k == i && side == 0 && !asked.with_self) { return false; }
                    return !asked.later_only || (side != 0 && of_one_set ? side > 0 : later);
                });
            }
            for (std::size_t k = 0; k < statics_.size() && has(sets, Sets::statics); ++k) {
                look_at(i, statics_.at(k), statics_.half_of(k), static_id(k),
                        [](int) { return true; });
            }
            std::sort(all.begin(), all.end());
            for (const Met& one : all) {
                pages.note(i, one.name, one.distance2);
            }
        }
        return pages;
    }
    RollPages got(const Neighbourhood& asked, Sets sets, Executor& executor = serial_executor()) {
        RollPages pages(agents_.size());
        NeighbourLoop<kDims> loop(executor);
        EXPECT_EQ(run_kernel_in_crowd(loop, crowd_, asked, pages.roll(), sets), Status{});
        return pages;
    }

    static constexpr Sets kSets[] = {Sets::all,    Sets::agents,  Sets::small,
                                     Sets::giants, Sets::statics, Sets::small | Sets::statics,
                                     Sets::none};
    /// Kernels must meet what plain loops meet, for questions of all kinds, one of them up to
    /// `far`.
    void check(Sets sets, float far) {
        for (const Neighbourhood& asked :
             {Neighbourhood{2.5f}, Neighbourhood{5.0f, true}, Neighbourhood{0.0f},
              Neighbourhood{far}, Neighbourhood{2.5f, false, kAllGroups, true},
              Neighbourhood{5.0f, true, kAllGroups, true},
              Neighbourhood{1.0f, false, kAllGroups, false, Body::box},
              Neighbourhood{1.0f, true, kAllGroups, true, Body::disc}}) {
            EXPECT_TRUE(got(asked, sets) == wanted(asked, sets))
                << "sets " << static_cast<int>(sets) << ", radius " << asked.radius;
        }
    }

    Elements<kDims> agents_{700, 20, 3}, statics_{90, 3, 4};
    float period_ = 0.0f; // zero: the world has borders
    Crowd<kDims> crowd_;
};
TYPED_TEST_SUITE(FusedCrowd, Dims, DimNames);

TYPED_TEST(FusedCrowd, MeetsAllSetsThatAreWanted) {
    for (const Sets sets : TestFixture::kSets) {
        this->check(sets, 1e3f);
    }
}

TYPED_TEST(FusedCrowd, MeetsNeighboursAcrossPeriodicBorders) {
    for (const bool rounded : {false, true}) {
        SCOPED_TRACE(rounded ? "rounded" : "on a lattice");
        ASSERT_NO_FATAL_FAILURE(this->wrap(rounded));
        const RollPages inside = this->got({2.5f}, Sets::all);
        std::uint32_t met = 0;
        for (const std::uint32_t count : inside.met) {
            met += count;
        }
        EXPECT_GT(met, this->agents_.size());
        for (const Sets sets : TestFixture::kSets) {
            if (rounded && sets != Sets::all) { continue; } // takes long
            this->check(sets, 19.0f);
        }
    }
}

TYPED_TEST(FusedCrowd, ComesToTheSameOnThreads) {
    test::EagerPool pool(3);
    EXPECT_TRUE(this->got({2.5f}, Sets::all, pool) == this->got({2.5f}, Sets::all));
    ASSERT_NO_FATAL_FAILURE(this->wrap());
    EXPECT_TRUE(this->got({2.5f}, Sets::all, pool) == this->got({2.5f}, Sets::all));
}

TYPED_TEST(FusedCrowd, SaysWhereItDoesNotWork) {
    constexpr std::size_t kAxes = TestFixture::kDims;
    Crowd<kAxes> round;
    CrowdSettings<kAxes> settings;
    settings.bounds = Box<kAxes>{{}, Point<kAxes>::all(20.0f)};
    settings.periodic[0] = true;
    ASSERT_EQ(round.configure(settings), Status{});
    ASSERT_EQ(round.update(this->agents_.agents()), Status{});
    RollPages pages(this->agents_.size());
    NeighbourLoop<kAxes> loop;
    EXPECT_EQ(run_kernel_in_crowd(loop, round, {10.0f}, pages.roll(), Sets::all),
              (Status{Cause::wraps, Argument::radius}));
    EXPECT_EQ(run_kernel_in_crowd(loop, this->crowd_, {-1.0f}, pages.roll(), Sets::all).argument,
              Argument::radius);
    EXPECT_EQ(run_kernel_in_crowd(loop, this->crowd_, {1.0f, false, kAllGroups, false, Body{3}},
                                  pages.roll(), Sets::all),
              (Status{Cause::out_of_range, Argument::body}));
}

} // namespace
} // namespace throng::test
