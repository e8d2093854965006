// Sums of floats over neighbours in windows of a grid: the bits must be those of the whole grid.
#include "examples.hpp"

#include "../support/random.hpp"
#include "../support/scenes/scenes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace throng::test {
namespace {

/// The sum that each agent of a grid gets from the `number`s of its neighbours.
template <std::size_t Dim>
std::vector<float> steered(const GridShape<Dim>& shape, scenes::Scene<Dim>& scene,
                           const std::vector<float>& number) {
    RowGrid<Dim> grid;
    EXPECT_EQ(grid.use(shape), Status{});
    EXPECT_EQ(grid.update(scene.agents()), Status{});
    const std::size_t count = scene.size();
    std::vector<float> sum(count);
    std::vector<std::uint32_t> place(count), met(count), mix(count);
    NeighbourLoop<Dim> loop;
    EXPECT_EQ(run_kernel(
                  loop, grid, {.radius = 1.7f},
                  Transcript<Dim>{number.data(), place.data(), sum.data(), met.data(), mix.data()}),
              Status{});
    return sum;
}

template <std::size_t Dim>
void check_sums() {
    auto scene = scenes::make_clustered<Dim>(6000, 12);
    scene.cell = Point<Dim>::all(0.8f);
    for (std::size_t i = 0; i < scene.size(); i += 9) { // some outside the world, some on edges
        scene.position[i % Dim][i] = i % 2 == 0 ? -0.5f : 0.8f * static_cast<float>(i % 20);
    }
    const auto whole = shape_over(scene.world, scene.cell).value;
    scenes::Random random(4);
    std::vector<float> number(scene.size());
    for (float& value : number) {
        value = random.between(-1.0f, 1.0f);
    }
    const std::vector<float> wanted = steered(whole, scene, number);
    std::size_t compared = 0;
    // Two bricks on each axis. A window has at least three more cells on each side, more than the
    // radius.
    for (std::size_t corner = 0; corner < (std::size_t{1} << Dim); ++corner) {
        std::array<std::uint32_t, Dim> first{}, past{}, from{}, count{};
        for (std::size_t a = 0; a < Dim; ++a) {
            const std::uint32_t middle = whole.cells[a] / 3 + 1;
            first[a] = (corner >> a & 1) == 0 ? 0 : middle;
            past[a] = (corner >> a & 1) == 0 ? middle : whole.cells[a];
            from[a] = first[a] < 4 ? 0 : first[a] - 4;
            count[a] = std::min(past[a] + 4, whole.cells[a]) - from[a];
        }
        const auto window = window_in(whole, from, count);
        ASSERT_EQ(window.status, Status{});
        const auto is_within = [&](Id id, const auto& low, const auto& high) {
            bool inside = true;
            for (std::size_t a = 0; a < Dim; ++a) {
                const std::uint32_t cell = whole.cell_on(a, scene.position_of(id)[a]);
                inside = inside && low[a] <= cell && cell < high[a];
            }
            return inside;
        };
        auto end = from;
        for (std::size_t a = 0; a < Dim; ++a) {
            end[a] += count[a];
        }
        scenes::Scene<Dim> part;
        std::vector<float> own;
        std::vector<Id> ids;
        for (const bool owned : {true, false}) {
            for (Id id = 0; id < scene.size(); ++id) {
                if (!is_within(id, from, end) || is_within(id, first, past) != owned) { continue; }
                part.add(scene.position_of(id));
                own.push_back(number[id]);
                ids.push_back(id);
            }
        }
        const std::vector<float> sums = steered(window.value, part, own);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (!is_within(ids[i], first, past)) { continue; }
            ASSERT_EQ(std::bit_cast<std::uint32_t>(sums[i]),
                      std::bit_cast<std::uint32_t>(wanted[ids[i]]))
                << "agent " << ids[i];
            ++compared;
        }
    }
    EXPECT_EQ(compared, scene.size());
}

TEST(FusedWindow, SumsAreThoseOfTheWholeInThePlane) { check_sums<2>(); }
TEST(FusedWindow, SumsAreThoseOfTheWholeInSpace) { check_sums<3>(); }

} // namespace
} // namespace throng::test
