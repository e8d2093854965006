// A host with its own kernel, compiled for every instruction set.
#include "near.hpp"

#include <throng/fused/on_active_isa.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

int main() {
    const std::array<float, 6> xy = {0.0f, 0.0f, 3.0f, 4.0f, 9.0f, 9.0f};
    throng::Agents<2> crowd;
    crowd.positions = throng::PointView<2>::interleaved(xy.data(), 3);
    throng::RowGrid<2> grid;
    if (!grid.update(crowd).ok()) { return 1; }
    std::array<std::uint32_t, 3> count{}, on_best{};
    if (!throng::for_each_neighbour(grid, {.radius = 5.0f}, Near{count.data()}).ok()) { return 1; }
    const auto near_on = [&](auto arch) { return count_near_on(arch, grid, on_best.data()); };
    if (!throng::on_active_isa(near_on).ok() || on_best != count) { return 1; }
    std::printf("%u, %u and %u near\n", count[0], count[1], count[2]);
    return count == std::array<std::uint32_t, 3>{1, 1, 0} ? 0 : 1;
}
