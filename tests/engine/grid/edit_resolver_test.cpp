// What becomes of lists of edits: in a world where rows are soon full; and in which way they are
// made.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/core/access.hpp>
#include <throng/engine/grid/store/edit_resolver.hpp>
#include <throng/engine/grid/store/edits_by_update.hpp>

#include "../../support/dims.hpp"
#include "../../support/scenes/scenes.hpp"

#include <gtest/gtest.h>

namespace throng {
namespace {

constexpr std::uint32_t kMost = 3; // agents in a row

/// Two rows with agents 0 and 1 in the first, and 2, 3 and 4 in the second, which is full.
template <std::size_t Dim>
class TwoRows {
public:
    TwoRows()
        : store_(shape_over({Point<Dim>{}, Point<Dim>::all(2.0f)}, Point<Dim>::all(1.0f)).value,
                 {}) {
        for (Id id = 0; id < 5; ++id) {
            const std::uint32_t r = store_.shape().row_of(in_row(id < 2 ? 0 : 1));
            store_.insert(r, node_words(id, Agent<Dim>{in_row(id < 2 ? 0 : 1)}, store_.kind()));
            row_of_.reserve(id);
            row_of_.cover(id);
            row_of_.words.data()[id] = r;
        }
    }

    Status resolve(const std::vector<Edit<Dim>>& edits) {
        EditResolver<Dim> resolver(store_, row_of_, 5, staging, kMost);
        return resolver.resolve({edits});
    }

    [[nodiscard]] static Point<Dim> in_row(std::uint32_t row) {
        Point<Dim> point = Point<Dim>::all(0.5f);
        point[1] += static_cast<float>(row);
        return point;
    }

    EditStaging staging;

private:
    RowStore<Dim> store_;
    RowOfId row_of_;
};

Status refused(Cause cause, std::size_t index) { return {cause, Argument::edits, index}; }

template <class Dim>
class EditResolving : public testing::Test {};
TYPED_TEST_SUITE(EditResolving, test::Dims, test::DimNames);

TYPED_TEST(EditResolving, RefusesTheFirstEditThatFindsItsRowFull) {
    using E = Edit<TypeParam::value>;
    TwoRows<TypeParam::value> rows;
    const auto first = rows.in_row(0), second = rows.in_row(1);
    EXPECT_EQ(rows.resolve({E::insert(5, {second})}), refused(Cause::too_many, 0));
    EXPECT_EQ(rows.resolve({E::insert(5, {first}), E::insert(6, {first})}),
              refused(Cause::too_many, 1));
    EXPECT_EQ(rows.resolve({E::move(4, second), E::move(0, second)}), refused(Cause::too_many, 1));
    // A row must not hold too many even for a moment.
    EXPECT_EQ(rows.resolve({E::move(0, second), E::erase(4)}), refused(Cause::too_many, 0));
    EXPECT_EQ(rows.resolve({E::erase(4), E::move(0, second)}), Status{});
    EXPECT_EQ(rows.resolve({E::move(2, first), E::move(0, second), E::insert(9, {first}),
                            E::move(9, first), E::insert(10, {first})}),
              refused(Cause::too_many, 4));
    EXPECT_EQ(rows.resolve({E::erase(2), E::insert(2, {second}), E::insert(7, {second})}),
              refused(Cause::too_many, 2));
}

TYPED_TEST(EditResolving, NotesOneChangeForEachAgent) {
    using E = Edit<TypeParam::value>;
    TwoRows<TypeParam::value> rows;
    const auto first = rows.in_row(0), second = rows.in_row(1);
    ASSERT_EQ(
        rows.resolve({E::insert(8, {first}), E::erase(3), E::move(8, second), E::move(1, first),
                      E::erase(8), E::erase(2), E::insert(2, {second}), E::move(2, first)}),
        Status{});
    const Vector<AgentChange>& changes = rows.staging.changes;
    ASSERT_EQ(changes.size(), 4u);
    EXPECT_EQ(changes[0].id, 8u); // came and went
    EXPECT_EQ(changes[0].from, kNoRow);
    EXPECT_EQ(changes[0].to, kNoRow);
    EXPECT_EQ(changes[1].id, 3u);
    EXPECT_NE(changes[1].from, kNoRow);
    EXPECT_EQ(changes[1].to, kNoRow);
    EXPECT_EQ(changes[2].id, 1u);
    EXPECT_EQ(changes[2].from, changes[2].to);
    EXPECT_EQ(changes[2].placed, 3u);
    EXPECT_EQ(changes[2].inserted, AgentChange::kNoEdit);
    EXPECT_EQ(changes[3].id, 2u);
    EXPECT_EQ(changes[3].from, changes[1].from);
    EXPECT_EQ(changes[3].to, changes[2].to);
    EXPECT_EQ(changes[3].placed, 7u);
    EXPECT_EQ(changes[3].inserted, 6u);
    for (std::uint32_t n = 0; n < 4; ++n) {
        EXPECT_EQ(rows.staging.ids.find(changes[n].id), n);
    }
}

TYPED_TEST(EditResolving, AreMadeByAnUpdateOnlyWhereThatIsFaster) {
    constexpr std::size_t kDim = TypeParam::value;
    // `cells` on each axis; `far` is an id that comes, unless 0.
    const auto pays = [](std::size_t agents, float cells, std::size_t moves, Id far = 0) {
        auto scene = scenes::make<kDim>("uniform", agents);
        Point<kDim> cell;
        for (std::size_t a = 0; a < kDim; ++a) {
            cell[a] = (scene.world.hi[a] - scene.world.lo[a]) / cells;
        }
        const auto shape = shape_over(scene.world, cell).value;
        RowGrid<kDim> grid;
        EXPECT_EQ(grid.use(shape, {}), Status{});
        Agents<kDim> all = scene.agents();
        all.half_extents = {};
        EXPECT_EQ(grid.update(all), Status{});
        std::vector<Edit<kDim>> edits(moves, Edit<kDim>::move(0, {}));
        if (far != 0) { edits.front() = Edit<kDim>::insert(far, {}); }
        return EditsByUpdate<kDim>::ids_if_faster(detail::state_of(grid), {edits}) != 0;
    };
    EXPECT_TRUE(pays(5000, 8.0f, 2500));
    EXPECT_FALSE(pays(5000, 8.0f, 100));
    // Few agents a row, and few agents.
    EXPECT_FALSE(pays(1000, kDim == 2 ? 5000.0f : 70.0f, 100));
    EXPECT_FALSE(pays(10, 8.0f, 10));
    // Ids without agents.
    EXPECT_TRUE(pays(5000, 8.0f, 2500, 9000));
    EXPECT_FALSE(pays(5000, 8.0f, 2500, 60'000));
    EXPECT_FALSE(pays(50'000, 8.0f, 50'000, 2'000'000'000));
}

} // namespace
} // namespace throng
