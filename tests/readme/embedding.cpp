// The programs of docs/hosts/embedding.md: positions as other tools keep them, and hosts with and
// without threads.
#include <throng/throng.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

// As in the tools' own headers, as far as it matters here.
struct GfVec3f {
    float v[3];
    [[nodiscard]] const float* data() const { return v; }
};
struct Boid {
    double age;
    float position[3];
    float radius;
    std::uint32_t team;
};

// USD, Blender, Houdini's numpy arrays, Alembic: float3 arrays, in space.
throng::PointView<3> positions_of(std::span<const GfVec3f> points) {
    return throng::PointView<3>::interleaved(points.empty() ? nullptr : points[0].data(),
                                             points.size(), sizeof(GfVec3f));
}

// The same seen from above, where y points upward: x and z of each.
throng::PointView<2> ground_of(std::span<const GfVec3f> points) {
    throng::PointView<2> view;
    if (!points.empty()) { view.axis = {points[0].data(), points[0].data() + 2}; }
    view.stride.fill(sizeof(GfVec3f));
    view.count = points.size();
    return view;
}

// Structures of your own: each field where it lies.
throng::Agents<3> agents_of(std::span<const Boid> boids) {
    throng::Agents<3> agents;
    if (boids.empty()) { return agents; }
    agents.positions =
        throng::PointView<3>::interleaved(boids[0].position, boids.size(), sizeof(Boid));
    agents.half_extents.axis.fill(&boids[0].radius); // the same on every axis
    agents.half_extents.stride.fill(sizeof(Boid));
    agents.half_extents.count = boids.size();
    agents.groups = {&boids[0].team, sizeof(Boid), boids.size()};
    return agents;
}

// No threads: everything on the thread that calls.
struct Host {
    throng::Crowd<2> crowd;
    throng::Batch<2> batch;
    throng::Hits near;

    throng::Status frame(const throng::Agents<2>& agents) {
        if (const throng::Status s = crowd.update(agents); !s.ok()) { return s; }
        return batch.neighbours(crowd, {.radius = 2.0f}, near, throng::Order::ids);
    }
};

// Threads of Throng's own, for hosts that have none. A job system of yours, or oneTBB, takes the
// place of the pool, and nothing else changes.
struct ThreadedHost {
    throng::ThreadPool pool; // as many threads as processors; outlives the batch
    throng::Crowd<2> crowd;
    throng::Batch<2> batch{pool};
    throng::Hits near;

    throng::Status frame(const throng::Agents<2>& agents) {
        if (const throng::Status s = crowd.update(agents, pool); !s.ok()) { return s; }
        return batch.neighbours(crowd, {.radius = 2.0f}, near, throng::Order::ids);
    }
};

int main() {
    std::vector<GfVec3f> points(10'000);
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i] = {{static_cast<float>(i % 100), 7.0f, static_cast<float>(i / 100)}};
    }
    throng::Agents<2> agents;
    agents.positions = ground_of(points);
    Host host;
    ThreadedHost threaded;
    if (!host.frame(agents).ok() || !threaded.frame(agents).ok()) { return 1; }
    std::printf("%llu near, %s\n", static_cast<unsigned long long>(host.near.total()),
                host.near.offsets == threaded.near.offsets ? "alike" : "not alike");

    throng::Agents<3> in_space;
    in_space.positions = positions_of(points);
    throng::Crowd<3> crowd;
    if (!crowd.update(in_space).ok()) { return 1; }
    std::printf("%zu agents", crowd.count(throng::Ball<3>{{50.0f, 7.0f, 50.0f}, 1.0f}).count);

    const std::vector<Boid> boids = {{1.0, {0.0f, 0.0f, 0.0f}, 0.5f, 1u},
                                     {2.0, {1.0f, 0.0f, 0.0f}, 0.5f, 2u}};
    if (!crowd.update(agents_of(boids)).ok()) { return 1; }
    const throng::Box<3> box = throng::Box<3>::at({1.5f, 0.5f, -0.5f});
    std::printf(", %zu boid, %zu of team 1\n", crowd.count(box).count,
                crowd.count(box, {.groups = 1u}).count);
    return 0;
}
