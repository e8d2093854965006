// A fluid with a kernel of one's own. It teaches kernels that meet every neighbour of every agent
// without a list (fluid.kernel.cpp), and how the copy for this machine is called; a plain loop over
// lists must give the same bits.
#include "fluid.hpp"

#include <throng/fused/on_active_isa.hpp>
#include <throng/throng.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
    // Drops on a bent lattice, so that no two have the same surroundings.
    std::vector<float> x, y;
    for (int i = 0; i < 20'000; ++i) {
        const float column = static_cast<float>(i % 200), row = static_cast<float>(i / 200);
        x.push_back(column + row * row / 512.0f);
        y.push_back(row + column * column / 2048.0f);
    }
    throng::Agents<2> drops;
    drops.positions = throng::PointView<2>::separate({x.data(), y.data()}, x.size());
    throng::RowGrid<2> grid;
    if (!grid.update(drops).ok()) { return 1; }

    std::vector<float> density(x.size()), crowding(x.size());
    const Fluid fluid{2.5f, density.data(), crowding.data()};
    const throng::Status status =
        throng::on_active_isa([&](auto arch) { return measure_on(arch, grid, fluid); });
    if (!status.ok()) {
        std::printf("%s\n", throng::to_string(status).c_str());
        return 1;
    }

    // The same in plain C++, in the order of the neighbours in lists.
    throng::Batch<2> batch;
    throng::Hits near;
    if (!batch.neighbours(grid, {.radius = fluid.radius}, near, throng::Order::ids).ok()) {
        return 1;
    }
    std::size_t wrong = 0;
    double mean = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        float sum2 = 0.0f, sum3 = 0.0f;
        for (const throng::Id other : near.of(i)) {
            const float dx = x[other] - x[i], dy = y[other] - y[i];
            const float left = 1.0f - std::sqrt(dx * dx + dy * dy) / fluid.radius;
            sum2 += left * left;
            sum3 += left * left * left;
        }
        wrong += density[i] == sum2 && crowding[i] == sum3 ? 0 : 1;
        mean += static_cast<double>(density[i]) / static_cast<double>(x.size());
    }
    std::printf("density %.4f on average, %zu drops differ from the plain loop\n", mean, wrong);
    return wrong == 0 ? 0 : 1;
}
