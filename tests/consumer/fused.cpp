// A host with a kernel of its own.
#include <throng/fused/for_each_neighbour.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

struct Near {
    std::uint32_t* count;

    template <class V>
    struct Lanes {
        typename V::Words near;

        Lanes(const Near&, const typename V::Agents&) : near(0u) {}
        void visit(const Near&, const typename V::Other& other) {
            near = V::add_if(other.near, near, typename V::Words(1u));
        }
        void finish(const Near& kernel, const typename V::Agents& agents) const {
            agents.put_by_id(kernel.count, near);
        }
    };
};

int main() {
    const std::array<float, 6> xy = {0.0f, 0.0f, 3.0f, 4.0f, 9.0f, 9.0f};
    throng::Agents<2> crowd;
    crowd.positions = throng::PointView<2>::interleaved(xy.data(), 3);
    throng::RowGrid<2> grid;
    if (!grid.update(crowd).ok()) { return 1; }
    std::array<std::uint32_t, 3> count{};
    if (!throng::for_each_neighbour(grid, {.radius = 5.0f}, Near{count.data()}).ok()) { return 1; }
    std::printf("%u, %u and %u near\n", count[0], count[1], count[2]);
    return count == std::array<std::uint32_t, 3>{1, 1, 0} ? 0 : 1;
}
