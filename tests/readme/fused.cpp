// The program of docs/fused.md.
#include <throng/fused/for_each_neighbour.hpp>

#include <cstdint>
#include <cstdio>

// How many are near each agent.
struct Crowding {
    std::uint32_t* count; // by id

    template <class V> // the vectors of an instruction set: a lane for each agent
    struct Lanes {
        typename V::Words near;

        Lanes(const Crowding&, const typename V::Agents&) : near(0u) {}
        void visit(const Crowding&, const typename V::Other& other) {
            near = V::add_if(other.near, near, typename V::Words(1u));
        }
        void finish(const Crowding& crowding, const typename V::Agents& agents) const {
            agents.put_by_id(crowding.count, near);
        }
    };
};

int main() {
    const float x[] = {0.0f, 1.0f, 5.0f};
    const float y[] = {0.0f, 1.0f, 5.0f};
    throng::Agents<2> agents;
    agents.positions = throng::PointView<2>::separate({x, y}, 3);
    throng::RowGrid<2> grid;
    if (!grid.update(agents).ok()) { return 1; }

    std::uint32_t count[3];
    const throng::Status status =
        throng::for_each_neighbour(grid, {.radius = 2.0f}, Crowding{count});
    if (!status.ok()) { return 1; }
    std::printf("%u near the first, %u near the last\n", count[0], count[2]);
}
