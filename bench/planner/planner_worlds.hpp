// The worlds and searches of the planner's sweep: dense, sparse and clustered worlds, with giants
// and statics; searches from a cell to twice the world.
#pragma once

#include "../../tests/support/random.hpp"
#include "../../tests/support/scenes/scenes.hpp"

#include <throng/engine/crowd/crowd.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace throng::bench {

/// A million agents, one for each unit of area or volume; or one in a hundred cells of side 1,
/// evenly spread or in 64 clusters. Mixed worlds also have a giant for every thousand agents, and
/// statics.
enum class World : std::uint8_t { dense, sparse, clustered, mixed, sparse_mixed };
/// A cube; a slice, which is thin in x; a beam, which is long only in x; a ball; a segment.
enum class Searched : std::uint8_t { box, slice, beam, ball, segment };

inline constexpr std::array<World, 5> kAllWorlds = {World::dense, World::sparse, World::clustered,
                                                    World::mixed, World::sparse_mixed};
inline constexpr std::array<Searched, 5> kAllSearched = {
    Searched::box, Searched::slice, Searched::beam, Searched::ball, Searched::segment};

[[nodiscard]] inline std::string name_of(World world) {
    constexpr const char* kNames[] = {"dense", "sparse", "clustered", "mixed", "sparse_mixed"};
    return kNames[static_cast<std::size_t>(world)];
}
[[nodiscard]] inline std::string name_of(Searched searched) {
    constexpr const char* kNames[] = {"box", "slice", "beam", "ball", "segment"};
    return kNames[static_cast<std::size_t>(searched)];
}
[[nodiscard]] inline bool has_large(World world) noexcept {
    return world == World::mixed || world == World::sparse_mixed;
}

template <std::size_t Dim>
struct SweepWorld {
    static constexpr std::size_t kDense = 1'000'000, kSparse = 168'000, kStatics = 1'000;
    static constexpr float kGiant = Dim == 2 ? 8.0f : 3.0f; ///< half extent

    World world;
    float side;
    scenes::Scene<Dim> scene, statics;
    throng::Crowd<Dim> crowd;

    /// Makes the world with a `part` of its side, and with as many fewer agents.
    explicit SweepWorld(World of, float part = 1.0f) : world(of) {
        const bool dense = of == World::dense || of == World::mixed;
        side = dense ? (Dim == 2 ? 1'000.0f : 100.0f) : (Dim == 2 ? 4'096.0f : 256.0f);
        side *= part;
        const float share = Dim == 2 ? part * part : part * part * part;
        const auto agents =
            static_cast<std::size_t>(share * static_cast<float>(dense ? kDense : kSparse));
        const float cluster = std::min(Dim == 2 ? 80.0f : 12.0f, 0.25f * side);
        scenes::Random random(1);
        std::vector<Point<Dim>> centres(64);
        for (Point<Dim>& centre : centres) {
            centre = anywhere(random, cluster);
        }
        for (std::size_t i = 0; i < agents; ++i) {
            const Point<Dim>& centre = centres[random.below(64)];
            Point<Dim> point = anywhere(random, 0.0f);
            for (std::size_t a = 0; a < Dim && of == World::clustered; ++a) {
                point[a] = centre[a] + cluster * random.bell();
            }
            if (has_large(of)) {
                scene.add(point, Point<Dim>::all(i % 1'000 == 0 ? kGiant : 0.25f));
            } else {
                scene.add(point);
            }
        }
        if (!has_large(of)) { scene.common_half_extent = Point<Dim>::all(0.25f); }
        CrowdSettings<Dim> settings{Box<Dim>{Point<Dim>::all(0.0f), Point<Dim>::all(side)}, {}};
        if (!dense) { settings.cell = Point<Dim>::all(1.0f); }
        (void)crowd.configure(settings);
        (void)crowd.update(scene.agents());
        for (std::size_t i = 0; i < kStatics && has_large(of); ++i) {
            statics.add(anywhere(random, 0.0f), Point<Dim>::all(random.between(0.5f, kGiant)));
        }
        if (has_large(of)) { (void)crowd.set_statics(statics.agents()); }
    }

    /// Calls call(shapes) with `count` searches of this half side, around agents.
    template <class Call>
    void with_shapes(Searched searched, float half, std::size_t count, const Call& call) const {
        scenes::Random random(3);
        std::vector<Box<Dim>> boxes;
        std::vector<Ball<Dim>> balls;
        std::vector<Segment<Dim>> segments;
        for (std::size_t i = 0; i < count; ++i) {
            const auto n = random.below(static_cast<std::uint32_t>(scene.size()));
            const Point<Dim> centre = scene.position_of(n);
            Point<Dim> reach = Point<Dim>::all(half), to = centre;
            for (std::size_t a = 0; a < Dim; ++a) {
                if (searched == (a == 0 ? Searched::slice : Searched::beam)) { reach[a] = 0.5f; }
                to[a] += half * random.between(-2.0f, 2.0f);
            }
            boxes.push_back(Box<Dim>::around(centre, reach));
            balls.push_back({centre, half});
            segments.push_back({centre, to});
        }
        if (searched == Searched::segment) { return call(segments); }
        if (searched == Searched::ball) { return call(balls); }
        call(boxes);
    }

private:
    [[nodiscard]] Point<Dim> anywhere(scenes::Random& random, float margin) const {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = random.between(margin, side - margin);
        }
        return point;
    }
};

/// Half sides as fractions of the world's side, from about a cell to twice the world, so that the
/// last one finds all agents.
[[nodiscard]] inline std::vector<float> sweep_parts(std::size_t dim) {
    std::vector<float> parts;
    for (float part = dim == 2 ? 0x1p-12f : 0x1p-8f; part <= 2.0f; part *= 2.0f) {
        parts.push_back(part);
    }
    return parts;
}

[[nodiscard]] inline double nanoseconds_of(const auto& body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start)
        .count();
}

/// If the call is short, takes the better of two, so that caches and branch prediction are as the
/// call itself leaves them.
[[nodiscard]] inline double warm_nanoseconds_of(const auto& body) {
    constexpr double kShort = 1e5;
    const double first = nanoseconds_of(body);
    return first < kShort ? std::min(first, nanoseconds_of(body)) : first;
}

} // namespace throng::bench
