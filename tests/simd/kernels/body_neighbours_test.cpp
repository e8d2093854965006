// Kernels that list and count neighbours by their bodies, against plain loops: with buffers of
// every size, none of them written past its end.
#include "../../../simd/kernels/grid/neighbours.hpp"

#include "../../support/dims.hpp"
#include "../../support/long_run.hpp"
#include "guarded.hpp"
#include "tiny_grid.hpp"

#include <throng/engine/agents/body.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace throng {
namespace {

using simd::RowSlot;
using test::Ids;
using test::TinyGrid;

/// Half extents outside the grid, of flat and high agents.
template <std::size_t Dim>
struct Sizes {
    std::array<std::vector<float>, Dim> axis;
    Point<Dim> largest{};

    Sizes(std::size_t agents, std::uint64_t seed) {
        scenes::Random random(seed);
        for (std::size_t i = 0; i < agents; ++i) {
            for (std::size_t a = 0; a < Dim; ++a) {
                axis[a].push_back(random.between(0.0f, (i + a) % 3 == 0 ? 0.5f : 0.1f));
                largest[a] = std::max(largest[a], axis[a].back());
            }
        }
    }
};

/// A grid with the names and sizes of its agents.
template <std::size_t Dim>
struct Side {
    const TinyGrid<Dim>& grid;
    const Sizes<Dim>* sizes = nullptr; ///< null: the grid's own
    const Ids* names = nullptr;        ///< null: ids

    [[nodiscard]] Point<Dim> half_of(std::uint32_t id) const {
        if (sizes == nullptr) { return grid.half_of(id); }
        Point<Dim> half;
        for (std::size_t a = 0; a < Dim; ++a) {
            half[a] = sizes->axis[a][id];
        }
        return half;
    }
    [[nodiscard]] simd::HalfExtents<Dim> half_extents() const {
        simd::HalfExtents<Dim> half;
        for (std::size_t a = 0; a < Dim; ++a) {
            half.by_id[a] = sizes == nullptr ? nullptr : sizes->axis[a].data();
            half.largest[a] = sizes == nullptr ? grid.half[a] : sizes->largest[a];
        }
        return half;
    }
    [[nodiscard]] const std::uint32_t* kernel_names() const {
        return names == nullptr ? nullptr : names->data();
    }
    [[nodiscard]] std::uint32_t name_of(std::uint32_t id) const {
        return names == nullptr ? id : (*names)[id];
    }
};

/// Asks for near bodies, in the askers' own grid and in another one.
template <std::size_t Dim>
struct Question {
    Body body;
    float radius;
    bool with_self, later_only;
    std::uint32_t groups;
    Side<Dim> own, others;

    [[nodiscard]] simd::NeighbourQueryAcross<Dim> kernel_query() const {
        const auto of = [&](const Side<Dim>& side, bool is_own) {
            return simd::NeighbourGrid<Dim>{&side.grid.view,
                                            side.grid.groups.empty() ? ~0u : groups, is_own,
                                            side.kernel_names(), side.half_extents()};
        };
        return {radius,     with_self,
                later_only, own.kernel_names(),
                2,          {of(own, true), of(others, false)},
                body,       own.half_extents()};
    }

    /// The names of each agent's neighbours, in the order of the grid.
    [[nodiscard]] std::vector<Ids> wanted() const {
        std::vector<Ids> lists;
        for (std::size_t i = 0; i < own.grid.order.size(); ++i) {
            Ids& found = lists.emplace_back();
            const std::uint32_t asker = own.grid.order[i];
            const auto add = [&](const Side<Dim>& side, std::size_t from, std::uint32_t without) {
                for (std::size_t k = from; k < side.grid.order.size(); ++k) {
                    const std::uint32_t other = side.grid.order[k];
                    if (other == without || !side.grid.takes_part(other, groups)) { continue; }
                    Point<Dim> sum = own.half_of(asker);
                    for (std::size_t a = 0; a < Dim; ++a) {
                        sum[a] += side.half_of(other)[a];
                    }
                    const float distance2 = distance2_to(body, own.grid.position[asker],
                                                         side.grid.position[other], sum);
                    if (distance2 <= radius * radius) { found.push_back(side.name_of(other)); }
                }
            };
            add(own, later_only ? i : 0, with_self ? ~0u : asker);
            add(others, 0, ~0u);
        }
        return lists;
    }
};

/// Uses buffers of one size until all agents are answered. A list that does not fit is cut at the
/// buffer's end, but its full length is reported.
template <std::size_t Dim>
void check_lists(const Question<Dim>& asked, const std::vector<Ids>& lists, std::size_t capacity) {
    const TinyGrid<Dim>& grid = asked.own.grid;
    const auto query = asked.kernel_query();
    const std::size_t agents = lists.size();
    const test::Guarded<std::uint32_t> buffer(capacity);
    const RowSlot end{grid.view.row_count, 0};
    RowSlot at{0, 0};
    for (std::size_t told = 0; told < agents;) {
        SCOPED_TRACE(testing::Message() << "room " << capacity << ", after " << told);
        const test::Guarded<std::uint64_t> offsets(agents - told + 1);
        offsets.begin()[0] = 0;
        simd::BatchOutput out{buffer.begin(), capacity, 0, offsets.begin()};
        const std::size_t answered = simd::list_neighbours_across(grid.view, query, at, end, out);
        ASSERT_GT(answered, 0u);
        ASSERT_LE(told + answered, agents);
        std::uint64_t used = 0;
        for (std::size_t i = 0; i < answered; ++i) {
            const Ids& ids = lists[told + i];
            const std::uint64_t fit = std::min<std::uint64_t>(
                ids.size(), capacity - std::min<std::uint64_t>(used, capacity));
            ASSERT_TRUE(std::equal(ids.begin(), ids.begin() + std::ptrdiff_t(fit),
                                   buffer.begin() + std::min<std::uint64_t>(used, capacity)))
                << "agent " << told + i;
            used += ids.size();
            ASSERT_EQ(offsets.begin()[i + 1], used);
        }
        ASSERT_EQ(out.used, used);
        told += answered;
        ASSERT_TRUE(told == agents || used >= capacity) << "ended early";
    }
    ASSERT_TRUE(at.row == end.row || at.slot == grid.view.rows[at.row].count);
}

template <std::size_t Dim>
void check_counts(const Question<Dim>& asked, const std::vector<Ids>& lists, std::size_t room) {
    const TinyGrid<Dim>& grid = asked.own.grid;
    const auto query = asked.kernel_query();
    const test::Guarded<std::uint32_t> counts(room);
    RowSlot at{0, 0};
    for (std::size_t told = 0; told < lists.size();) {
        SCOPED_TRACE(testing::Message() << "room " << room << ", after " << told);
        const std::size_t answered = simd::count_neighbours_across(
            grid.view, query, at, {grid.view.row_count, 0}, counts.begin(), room);
        ASSERT_GT(answered, 0u);
        ASSERT_LE(answered, std::min(room, lists.size() - told));
        for (std::size_t i = 0; i < answered; ++i) {
            ASSERT_EQ(counts.begin()[i], lists[told + i].size()) << "agent " << told + i;
        }
        told += answered;
    }
}

/// Calls check(question, lists) for grids of full and of trimmed rows, with agents of one size and
/// of different sizes, kept in the grids or outside.
template <std::size_t Dim, class Check>
void for_each_question_of_bodies(const Check& check) {
    const Sizes<Dim> sizes(TinyGrid<Dim>::kAgents, 5), sizes_of_others(TinyGrid<Dim>::kAgents, 6);
    Ids names(TinyGrid<Dim>::kAgents);
    for (std::size_t i = 0; i < names.size(); ++i) {
        names[i] = static_cast<std::uint32_t>(7 * i % names.size() + 1000);
    }
    unsigned turn = 0;
    for (const float width : {1.0f, 0.01f}) {
        for (const bool own_extents : {false, true}) {
            for (const bool beside : {false, true}) {
                for (const Body body : {Body::box, Body::disc}) {
                    for (const float radius : {0.0f, 0.3f, 1.1f}) {
                        ++turn;
                        const bool masks = turn % 3 == 0;
                        const TinyGrid<Dim> grid(width, own_extents, masks);
                        const TinyGrid<Dim> other(width == 1.0f ? 0.3f : 1.0f, turn % 2 == 0,
                                                  masks);
                        const Question<Dim> asked{body,
                                                  radius,
                                                  turn % 4 < 2,
                                                  turn % 5 < 2,
                                                  masks ? 2u : ~0u,
                                                  {grid, beside ? &sizes : nullptr},
                                                  {other, beside ? &sizes_of_others : nullptr,
                                                   turn % 2 == 0 ? &names : nullptr}};
                        SCOPED_TRACE(testing::Message() << "question " << turn);
                        check(asked, asked.wanted());
                    }
                }
            }
        }
    }
}

template <class D>
class BodyNeighbourLists : public testing::Test {};
TYPED_TEST_SUITE(BodyNeighbourLists, test::Dims, test::DimNames);

TYPED_TEST(BodyNeighbourLists, AreThoseOfPlainLoops) {
    for_each_question_of_bodies<TypeParam::value>(
        [](const auto& asked, const std::vector<Ids>& lists) {
            for (std::size_t capacity = 1; capacity <= 90; capacity += test::emulated() ? 11 : 1) {
                ASSERT_NO_FATAL_FAILURE(check_lists(asked, lists, capacity));
            }
            for (const std::size_t capacity : {300u, 1000u, 4000u, 300'000u}) {
                ASSERT_NO_FATAL_FAILURE(check_lists(asked, lists, capacity));
            }
        });
}

TYPED_TEST(BodyNeighbourLists, AreAsLongAsTheyAreCounted) {
    for_each_question_of_bodies<TypeParam::value>([](const auto& asked,
                                                     const std::vector<Ids>& lists) {
        for (const std::size_t room : test::sizes(simd::kBlockQueries, simd::kBlockQueries + 40)) {
            ASSERT_NO_FATAL_FAILURE(check_counts(asked, lists, room));
        }
        ASSERT_NO_FATAL_FAILURE(check_counts(asked, lists, lists.size()));
    });
}

} // namespace
} // namespace throng
