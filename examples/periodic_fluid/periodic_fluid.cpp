// A whole fluid in a periodic box, through whose borders eddies drift: docs/particles.md. It
// teaches kernels that meet neighbours across borders, without lists.
#include "check.hpp"

#include <throng/fused/for_each_neighbour.hpp>
#include <throng/throng.hpp>

#include <chrono>

constexpr int kRows = 100, kDrops = kRows * kRows, kSteps = 200;
constexpr float kSide = kRows, kTurn = 6.2831853f / kSide, kStep = 0.05f, kStiffness = 60.0f;
constexpr float kRadius = 3.0f, kDrag = 0.25f, kWeight = 7.0f / (3.1415927f * kRadius * kRadius);

struct Fluid { // drops of mass one
    Values at[2], velocity[2], density = Values(kDrops), force[2] = {density, density};
};

// The density at each drop, by Wendland's weight: (1 - q)^4 (1 + 4 q), q radii away.
struct Densities {
    Fluid& fluid;
    template <class V>
    struct Lanes { // a lane for each drop that asks
        using Floats = typename V::Floats;
        Floats sum = Floats(0.0f);
        Lanes(const Densities&, const typename V::Agents&) {}
        void visit(const Densities&, const typename V::Other& other) {
            const Floats left = Floats(1.0f) - V::root(other.distance2) * Floats(1.0f / kRadius);
            const Floats left2 = left * left, q4 = Floats(4.0f) * (Floats(1.0f) - left);
            sum = V::add_if(other.near, sum, left2 * left2 * (Floats(1.0f) + q4));
        }
        void finish(const Densities& kernel, const typename V::Agents& agents) const {
            agents.put_by_id(kernel.fluid.density.data(), sum * Floats(kWeight));
        }
    };
};

// Pressure and drag. What a drop does to another is what that does to it, with the other sign.
struct Forces {
    Fluid& fluid;
    template <class V>
    struct Lanes {
        using Floats = typename V::Floats;
        Floats density, velocity[2], force[2] = {Floats(0.0f), Floats(0.0f)};
        Lanes(const Forces& kernel, const typename V::Agents& agents)
            : density(agents.by_id(kernel.fluid.density.data())),
              velocity{agents.by_id(kernel.fluid.velocity[0].data()),
                       agents.by_id(kernel.fluid.velocity[1].data())} {}
        void visit(const Forces& kernel, const typename V::Other& other) {
            const Floats left = Floats(1.0f) - V::root(other.distance2) * Floats(1.0f / kRadius);
            const Floats slope = left * left * left * Floats(20.0f * kWeight / (kRadius * kRadius));
            const Floats both = density + other.by_id(kernel.fluid.density.data()) - Floats(2.0f);
            for (int a = 0; a < 2; ++a) {
                const Floats drag = other.by_id(kernel.fluid.velocity[a].data()) - velocity[a];
                const Floats push = other.offset[a] * both * Floats(kStiffness);
                force[a] = V::add_if(other.near, force[a], slope * (drag * Floats(kDrag) - push));
            }
        }
        void finish(const Forces& kernel, const typename V::Agents& agents) const {
            agents.put_by_id(kernel.fluid.force[0].data(), force[0]);
            agents.put_by_id(kernel.fluid.force[1].data(), force[1]);
        }
    };
};

int main() {
    Fluid fluid;
    for (int i = 0; i < kDrops; ++i) {
        const float x = static_cast<float>(i % kRows), y = static_cast<float>(i / kRows);
        fluid.at[0].push_back(x);
        fluid.at[1].push_back(y);
        fluid.velocity[0].push_back(1.0f + std::sin(x * kTurn) * std::cos(y * kTurn));
        fluid.velocity[1].push_back(0.5f - std::cos(x * kTurn) * std::sin(y * kTurn));
    }
    throng::CrowdSettings<2> box;
    box.bounds = {{0.0f, 0.0f}, {kSide, kSide}};
    box.periodic = {true, true};
    throng::Crowd<2> crowd;
    if (!crowd.configure(box).ok()) { return 1; }
    throng::Agents<2> drops;
    drops.positions = throng::PointView<2>::separate({&fluid.at[0][0], &fluid.at[1][0]}, kDrops);
    // A drop is part of its density, and does not push itself.
    const throng::Neighbourhood near = {.radius = kRadius, .with_self = true};
    throng::NeighbourLoop<2> loop;
    const auto begin = std::chrono::steady_clock::now();
    for (int step = 0; step < kSteps; ++step) {
        for (int a = 0; a < 2; ++a) {
            for (std::size_t i = 0; i < kDrops; ++i) {
                fluid.velocity[a][i] += kStep * fluid.force[a][i];
                fluid.at[a][i] += kStep * fluid.velocity[a][i]; // the crowd takes it into the box
            }
        }
        if (!crowd.update(drops).ok()) { return 1; }
        if (!for_each_neighbour(loop, crowd, near, Densities{fluid}).ok()) { return 1; }
        if (!for_each_neighbour(loop, crowd, near, Forces{fluid}).ok()) { return 1; }
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    std::printf("%d steps, %.0f ns a drop and step\n", kSteps, time.count() / kDrops / kSteps);
    return check(fluid.at, fluid.velocity, fluid.density, kRadius, kSide) ? 0 : 1;
}
