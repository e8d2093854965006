// The program of docs/memory.md.
#include <throng/engine/memory/capped_memory.hpp>
#include <throng/throng.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

throng::CappedMemory memory(64 << 20); // no more than 64 MiB at a time; must outlive the grid
throng::RowGrid<2> grid;

throng::Status frame(const throng::Agents<2>& agents) {
    return throng::capped(&memory, [&] { return grid.update(agents); });
}

int main() {
    for (const std::size_t count : {1'000'000u, 2'000'000u}) {
        std::vector<float> x(count), y(count);
        for (std::size_t i = 0; i < count; ++i) {
            x[i] = static_cast<float>(i % 1000);
            y[i] = static_cast<float>(i / 1000);
        }
        throng::Agents<2> agents;
        agents.positions = throng::PointView<2>::separate({x.data(), y.data()}, count);
        const throng::Status status = frame(agents);
        std::printf("%s: %zu agents\n", to_string(status).c_str(), grid.size());
    }
}
