// Giants alone: few, large, and overlapping. A tree holds them beside another structure for the
// many small agents.
#include "family.hpp"

namespace throng::bench {

namespace {

constexpr std::size_t kGiants = 4000;
constexpr float kSide = 1000.0f;

/// In the plane a giant overlaps about seventeen others; in space half of the giants overlap one.
template <std::size_t Dim>
scenes::Scene<Dim> giants() {
    scenes::Scene<Dim> scene;
    scene.world = {Point<Dim>::all(0.0f), Point<Dim>::all(kSide)};
    scene.cell = Point<Dim>::all(32.0f);
    scenes::Random random(37);
    for (std::size_t i = 0; i < kGiants; ++i) {
        Point<Dim> place, half;
        for (std::size_t a = 0; a < Dim; ++a) {
            place[a] = random.between(0.0f, kSide);
            half[a] = random.between(8.0f, 25.0f);
        }
        scene.add(place, half);
    }
    return scene;
}

/// Frames: all agents move, all pairs are found, and a box of each agent's size is asked, in the
/// order of the structure.
template <class Entry>
void run_giants(benchmark::State& state) {
    constexpr std::size_t kDim = Entry::kDim;
    auto scene = giants<kDim>();
    typename Entry::Index index;
    if (!Entry::lay_out(index, scene, kind_of(scene.agents())).ok() ||
        !index.update(scene.agents()).ok()) {
        state.SkipWithError("the crowd was refused");
        return;
    }
    std::vector<Id> askers(kGiants), ids(kGiants);
    (void)index.query(Box<kDim>{Point<kDim>::all(-kLargest), Point<kDim>::all(kLargest)},
                      std::span<Id>(askers));
    const auto around = [&](Id id) {
        return Box<kDim>::around(scene.position_of(id), scene.half_extent_of(id));
    };
    scenes::Random random(41);
    Stopwatch update, pairs, boxes;
    std::uint64_t found = 0, hits = 0;
    for (auto _ : state) {
        for (std::vector<float>& axis : scene.position) {
            for (float& x : axis) {
                x = std::clamp(x + random.between(-0.5f, 0.5f), 0.0f, kSide);
            }
        }
        update.time([&] {
            (void)index.update(scene.agents());
            Entry::tidy(index);
        });
        found = hits = 0;
        pairs.time([&] {
            (void)index.visit_pairs([&](std::span<const Id> first, std::span<const Id>) {
                found += first.size();
                return true;
            });
        });
        boxes.time([&] {
            for (const Id asker : askers) {
                hits += index.query(around(asker), std::span<Id>(ids)).count;
            }
        });
        update.end_iteration(state);
        pairs.end_iteration(state);
        boxes.end_iteration(state); // the reported time is the sum of these
    }
    BruteForce<kDim> truth;
    // Boxes find each pair from both sides, and each agent finds itself.
    if (!truth.update(scene.agents()).ok() || sum_of_pairs(truth) != sum_of_pairs(index) ||
        hits != 2 * found + kGiants) {
        state.SkipWithError("the answers are not those of brute force");
        return;
    }
    state.counters["update_ns"] = update.nanoseconds() / kGiants;
    state.counters["pairs_ns"] = pairs.nanoseconds() / kGiants;
    state.counters["boxes_ns"] = boxes.nanoseconds() / kGiants;
    state.counters["pairs_per_agent"] = static_cast<double>(found) / kGiants;
    state.counters["bytes_per_agent"] = static_cast<double>(index.memory().total()) / kGiants;
}

template <class Entry>
void add_giants(const std::string& name) {
    benchmark::RegisterBenchmark(
        ("family/giants/" + name + "/" + std::to_string(Entry::kDim) + "d").c_str(),
        run_giants<Entry>)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

} // namespace

void register_giants() {
    add_giants<test::InRowGrid<2>>("row_grid");
    add_giants<test::InRowGrid<3>>("row_grid");
    add_giants<test::InLooseTree<2>>("loose_tree");
    add_giants<test::InLooseTree<3>>("loose_tree");
}

} // namespace throng::bench
