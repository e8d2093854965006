// A grid's answers to shapes of every kind except boxes and balls, reduced to one hash.
#include <throng/engine/grid/row_grid.hpp>

#include "../support/answers.hpp"
#include "../support/canonical_order.hpp"
#include "../support/golden.hpp"
#include "../support/hash.hpp"
#include "../support/scenes/scene_shapes.hpp"
#include "../support/truth.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

namespace throng {
namespace {

const std::vector<test::Golden> kShapeHashes = {
#include "hashes/shapes.txt"
};

/// All shapes except convex regions: their corners are cosines, whose last bit may differ between C
/// libraries.
template <std::size_t Dim, class Answer>
std::uint64_t hash_of(const scenes::Shapes<Dim>& about, const Answer& answer) {
    static constexpr Filter kFilters[] = {{}, {0x3u}};
    test::Hash hash;
    const auto add = [&](const auto& shapes) {
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            hash.add(answer(shapes[i], kFilters[i % 2]));
        }
    };
    add(about.segments);
    add(about.rays);
    add(about.capsules);
    add(about.sectors);
    add(about.oriented_boxes);
    add(about.cylinders);
    return hash.value();
}

template <std::size_t Dim>
std::size_t check_shapes() {
    return test::check_golden<Dim>(kShapeHashes, 1000, [](scenes::Scene<Dim>& scene) {
        const RowGrid<Dim> grid = test::grid_of(scene);
        test::Truth<Dim> truth;
        EXPECT_EQ(truth.update(scene.agents()), Status{});
        const test::CanonicalOrder order = truth.order(grid.shape());
        const scenes::Shapes<Dim> about = scenes::shapes_about(scene, 40);
        const auto asked = [&](const auto& shape, const Filter& filter) {
            return test::ask(grid, shape, filter);
        };
        const auto wanted = [&](const auto& shape, const Filter& filter) {
            return order.sorted(test::ask(truth, shape, filter));
        };
        return std::pair(hash_of(about, asked), hash_of(about, wanted));
    });
}

TEST(Golden, AnswersToShapesNeverChange) {
    const std::size_t checked = check_shapes<2>() + check_shapes<3>();
    if (std::getenv("THRONG_PRINT_GOLDEN") == nullptr) { EXPECT_EQ(checked, kShapeHashes.size()); }
}

} // namespace
} // namespace throng
