// A host that uses structures of the family, and saves and loads one of them.
#include <throng/family.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
    const std::array<float, 6> xy = {0.0f, 0.0f, 3.0f, 4.0f, 9.0f, 9.0f};
    throng::Agents<2> agents;
    agents.positions = throng::PointView<2>::interleaved(xy.data(), 3);
    throng::LooseTree<2> walls, loaded;
    std::vector<std::byte> memory;
    if (!walls.update(agents).ok() || !throng::save(walls, memory).ok() ||
        !throng::load(loaded, memory).ok()) {
        return 1;
    }
    throng::HierarchicalBitset found;
    found.resize(3);
    (void)loaded.visit(throng::Ball<2>{{0.0f, 0.0f}, 5.0f}, [&](std::span<const throng::Id> ids) {
        for (const throng::Id id : ids) {
            found.set(id);
        }
        return true;
    });
    throng::BruteForce<2> truth;
    throng::DoubleGrid<2> grid;
    throng::TightQuadtree tree;
    if (!truth.update(agents).ok() || !grid.update(agents).ok() || !tree.update(agents).ok()) {
        return 1;
    }
    const throng::Box<2> all{{0.0f, 0.0f}, {9.0f, 9.0f}};
    std::printf("%zu near\n", found.count());
    return found.count() == 2 && truth.count(all).count == grid.count(all).count &&
                   truth.count(all).count == tree.count(all).count
               ? 0
               : 1;
}
