// The subsystem between stubs of Unreal, against all agents.
#include "../../points/tests/truth.hpp"

#include "ThrongCrowdSubsystem.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace throng_host::tests;
using throng_host::Kernel;

namespace {

/// Kilometres from the world's origin, in centimetres, where floats are a quarter apart.
const FVector far_away(3e6, -2e6, 1e6);

FVector place(const std::array<int, 3>& point) {
    return FVector(far_away.X + point[0] / 16.0, far_away.Y + point[1] / 16.0,
                   far_away.Z + point[2] / 16.0);
}

void update(UThrongCrowdSubsystem& crowd, const Lattice& lattice, bool planar, bool bodies) {
    TArray<FVector> positions;
    TArray<float> radii;
    for (std::size_t i = 0; i < lattice.size(); ++i) {
        positions.Add(place(lattice.points[i]));
        if (bodies) { radii.Add(static_cast<float>(lattice.radii[i]) / 16.0f); }
    }
    THRONG_REQUIRE(crowd.Configure(far_away, planar));
    THRONG_REQUIRE(crowd.Update(positions, radii));
}

void compare_neighbours(UThrongCrowdSubsystem& crowd, const Truth& truth, float radius) {
    TArray<int32> offsets, ids, counts;
    THRONG_REQUIRE(crowd.Neighbours(radius, offsets, ids));
    THRONG_REQUIRE(crowd.CountNeighbours(radius, counts));
    const auto size = static_cast<int32>(truth.counts.size());
    THRONG_REQUIRE(offsets.Num() == size + 1 && counts.Num() == size);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (int32 i = 0; i < size; ++i) {
        const int count = truth.counts[static_cast<std::size_t>(i)];
        THRONG_REQUIRE(counts[i] == count && offsets[i + 1] - offsets[i] == count);
        for (int32 k = offsets[i]; k < offsets[i + 1]; ++k) {
            if (ids[k] > i) { pairs.emplace_back(i, ids[k]); }
        }
    }
    std::sort(pairs.begin(), pairs.end());
    THRONG_REQUIRE(pairs == truth.pairs);
}

/// From the places of agents and beside them: who is in a ball, and who is nearest.
void compare_questions(const UThrongCrowdSubsystem& crowd, const Lattice& lattice, bool planar,
                       bool bodies) {
    for (std::size_t asker = 0; asker < lattice.size(); asker += 17) {
        std::array<int, 3> at = lattice.points[asker];
        at[0] += static_cast<int>(asker % 3) * 8;
        std::vector<int32> inside;
        std::vector<double> distances;
        for (std::size_t i = 0; i < lattice.size(); ++i) {
            std::int64_t distance2 = 0;
            for (std::size_t a = 0; a < (planar ? 2 : 3); ++a) {
                const std::int64_t way = lattice.points[i][a] - at[a];
                distance2 += way * way;
            }
            const std::int64_t size = bodies ? lattice.radii[i] : 0;
            if (distance2 <= (40 + size) * (40 + size)) { inside.push_back(static_cast<int32>(i)); }
            const double centre = std::sqrt(static_cast<double>(distance2));
            distances.push_back(std::fmax(centre - static_cast<double>(size), 0.0) / 16.0);
        }
        std::sort(distances.begin(), distances.end());
        TArray<int32> ids;
        THRONG_REQUIRE(crowd.InBall(place(at), 2.5f, ids));
        std::vector<int32> found(ids.GetData(), ids.GetData() + ids.Num());
        std::sort(found.begin(), found.end());
        THRONG_REQUIRE(found == inside);
        TArray<float> near;
        THRONG_REQUIRE(crowd.Nearest(place(at), 10, 100.0f, ids, near));
        THRONG_REQUIRE(ids.Num() == 10 && near.Num() == 10);
        for (int32 k = 0; k < 10; ++k) {
            THRONG_REQUIRE(alike(near[k], distances[static_cast<std::size_t>(k)]));
        }
    }
}

void test_all_settings(UThrongCrowdSubsystem& crowd) {
    const Lattice scene = lattice(1200, 1);
    std::size_t neighbours = 0;
    for (int setting = 0; setting < 4; ++setting) {
        const bool planar = setting % 2 == 1, bodies = setting / 2 == 1;
        update(crowd, scene, planar, bodies);
        const Truth truth = truth_of(scene, planar ? 2 : 3, 20, Kernel::flat, bodies);
        compare_neighbours(crowd, truth, 20 / 16.0f);
        compare_questions(crowd, scene, planar, bodies);
        neighbours += truth.pairs.size();
    }
    THRONG_REQUIRE(neighbours > 10'000);
}

// As docs/unreal.md shows it.
/// Moves all agents away from those that are nearer than a metre.
void Separate(UThrongCrowdSubsystem& Crowd, TArray<FVector>& Positions) {
    TArray<int32> Offsets, Ids;
    if (!Crowd.Update(Positions, {}) || !Crowd.Neighbours(100.0f, Offsets, Ids)) { return; }
    const TArray<FVector> Before = Positions;
    for (int32 Agent = 0; Agent < Before.Num(); ++Agent) {
        for (int32 Hit = Offsets[Agent]; Hit < Offsets[Agent + 1]; ++Hit) {
            Positions[Agent] += (Before[Agent] - Before[Ids[Hit]]) * 0.25;
        }
    }
}

void test_example(UThrongCrowdSubsystem& crowd) {
    THRONG_REQUIRE(crowd.Configure(far_away, false));
    TArray<FVector> positions = {place({0, 0, 0}), place({16 * 40, 0, 0}), place({16 * 150, 0, 0})};
    Separate(crowd, positions);
    THRONG_REQUIRE(positions[0].X == far_away.X - 10 && positions[1].X == far_away.X + 50);
    THRONG_REQUIRE(positions[2].X == far_away.X + 150 && positions[2].Y == far_away.Y);
}

/// A ball with radius 1 that rolls along x towards agents with radius 0.5, and past them.
void test_first_hit(UThrongCrowdSubsystem& crowd) {
    THRONG_REQUIRE(crowd.Configure(far_away, false));
    const TArray<FVector> positions = {place({16 * 8, 0, 0}), place({16 * 5, 16, 0}),
                                       place({16 * 3, 16 * 4, 0})};
    THRONG_REQUIRE(crowd.Update(positions, {0.5f, 0.5f, 0.5f}));
    int32 id = -7;
    float time = -7.0f;
    const FVector start = place({0, 0, 0}), end = place({16 * 10, 0, 0});
    THRONG_REQUIRE(crowd.FirstHit(start, end, 1.0f, id, time));
    THRONG_REQUIRE(id == 1 && alike(time, (5.0 - std::sqrt(1.25)) / 10.0));
    THRONG_REQUIRE(crowd.FirstHit(start, end, 0.25f, id, time));
    THRONG_REQUIRE(id == 0 && alike(time, 0.725));
    THRONG_REQUIRE(crowd.FirstHit(start, place({0, 0, 16 * 10}), 1.0f, id, time));
    THRONG_REQUIRE(id == INDEX_NONE);
    THRONG_REQUIRE(crowd.Configure(far_away, true));
    THRONG_REQUIRE(crowd.Update(positions, {}));
    THRONG_REQUIRE(crowd.FirstHit(start, end, 1.0f, id, time));
    THRONG_REQUIRE(id == 1 && alike(time, 0.5));
}

/// False, a warning with the library's sentence, and all as it was.
void test_refusals(UThrongCrowdSubsystem& crowd) {
    const Lattice scene = lattice(200, 2);
    update(crowd, scene, false, false);
    TArray<FVector> wrong = {place({0, 0, 0}), place({0, 0, 0})};
    wrong[1].Y = std::numeric_limits<double>::quiet_NaN();
    THRONG_REQUIRE(!crowd.Update(wrong, {}));
    THRONG_REQUIRE(stub_warning == u"positions[1] is NaN or infinite");
    wrong[1].Y = 0;
    THRONG_REQUIRE(!crowd.Update(wrong, {1.0f}));
    THRONG_REQUIRE(stub_warning == u"Radii: one for each agent, or none");
    TArray<int32> ids = {7}, offsets = {8};
    TArray<float> distances;
    THRONG_REQUIRE(!crowd.InBall(place({0, 0, 0}), -1.0f, ids));
    THRONG_REQUIRE(stub_warning.find(u"negative") != std::u16string::npos);
    THRONG_REQUIRE(!crowd.InBall(wrong[0], std::numeric_limits<float>::quiet_NaN(), ids));
    THRONG_REQUIRE(!crowd.Neighbours(-1.0f, offsets, ids));
    THRONG_REQUIRE(!crowd.CountNeighbours(-1.0f, ids));
    for (const int32 most : {-1, 1025}) {
        THRONG_REQUIRE(!crowd.Nearest(place({0, 0, 0}), most, 1.0f, ids, distances));
    }
    int32 id = -7;
    float time = -7.0f;
    THRONG_REQUIRE(!crowd.FirstHit(place({0, 0, 0}), place({16, 0, 0}), -1.0f, id, time));
    THRONG_REQUIRE(!crowd.Configure(FVector(0, std::numeric_limits<double>::infinity(), 0), false));
    THRONG_REQUIRE(ids.Num() == 1 && ids[0] == 7 && offsets[0] == 8 && id == -7 && time == -7.0f);
    compare_neighbours(crowd, truth_of(scene, 3, 16, Kernel::flat, false), 1.0f);
}

/// Every call is refused before and after the subsystem's life.
void test_no_world(UThrongCrowdSubsystem& crowd) {
    TArray<int32> ids, offsets;
    stub_warning.clear();
    THRONG_REQUIRE(!crowd.Update({place({0, 0, 0})}, {}));
    THRONG_REQUIRE(stub_warning.find(u"NULL") != std::u16string::npos ||
                   stub_warning.find(u"null") != std::u16string::npos);
    THRONG_REQUIRE(!crowd.Neighbours(1.0f, offsets, ids) && !crowd.CountNeighbours(1.0f, ids));
    THRONG_REQUIRE(!crowd.InBall(place({0, 0, 0}), 1.0f, ids) && crowd.Handle() == nullptr);
}

/// The library's loops are Unreal's.
void test_threads(UThrongCrowdSubsystem& crowd) {
    stub_loops = 0;
    update(crowd, lattice(50'000, 3), false, false);
    TArray<int32> counts;
    THRONG_REQUIRE(crowd.CountNeighbours(0.5f, counts) && counts.Num() == 50'000);
    THRONG_REQUIRE(stub_loops >= 2);
}

} // namespace

int main() {
    UThrongCrowdSubsystem crowd;
    FSubsystemCollectionBase collection;
    test_no_world(crowd);
    crowd.Initialize(collection);
    test_all_settings(crowd);
    test_example(crowd);
    test_first_hit(crowd);
    test_refusals(crowd);
    test_threads(crowd);
    crowd.Deinitialize();
    test_no_world(crowd);
    std::puts("the subsystem finds what all agents say");
}
