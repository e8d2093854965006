// What a window does with a stage: it asks with every brush, and changes the settings of a scene.
#include "../../demo/command/make_stage.hpp"
#include "../../demo/stage/names.hpp"
#include "../../demo/structures/brush.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/crowd/sets.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using namespace throng;
using namespace throng::demo;

namespace {

int failures = 0;

void expect(bool holds, const std::string& what) {
    if (holds) { return; }
    std::printf("FAILED: %s\n", what.c_str());
    ++failures;
}

std::vector<Brush> brushes_over(const Box<2>& world) {
    std::vector<Brush> brushes;
    for (const BrushKind kind :
         {BrushKind::box, BrushKind::circle, BrushKind::ray, BrushKind::nearest, BrushKind::view}) {
        for (const float share : {0.0f, 0.31f, 0.5f, 0.77f}) {
            Brush brush;
            brush.kind = kind;
            brush.at = {{world.lo[0] + share * (world.hi[0] - world.lo[0]),
                         world.lo[1] + (1.0f - share) * (world.hi[1] - world.lo[1])}};
            brush.towards = {{0.6f, -0.8f}};
            brush.size = share == 0.5f ? 12.0f : 3.0f;
            brushes.push_back(brush);
        }
    }
    return brushes;
}

std::vector<Id> sorted(std::vector<Id> ids) {
    std::sort(ids.begin(), ids.end());
    return ids;
}

constexpr auto kBoxOrder = [](const Box<2>& a, const Box<2>& b) {
    return std::pair(a.lo.axis, a.hi.axis) < std::pair(b.lo.axis, b.hi.axis);
};

float distance_to(const Point<2>& from, const Box<2>& box) {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < 2; ++a) {
        const float outside = std::max({box.lo[a] - from[a], from[a] - box.hi[a], 0.0f});
        distance2 += outside * outside;
    }
    return std::sqrt(distance2);
}

/// Every hit is in a cell that the brush meets, and no such cell is beyond the brush's size.
void check_met(const Stage& stage, const Brush& brush, const Brushed& answer,
               const std::string& what) {
    constexpr float kRounding = 1e-3f;
    const auto sight = stage.sight();
    std::vector<Box<2>> with_agents; // cells without agents of their own do not count
    stage.visit_cells([&](const IndexCell<2>& cell) {
        if (cell.count != 0) { with_agents.push_back(cell.box); }
        return true;
    });
    std::sort(with_agents.begin(), with_agents.end(), kBoxOrder);
    std::vector<Box<2>> met;
    for (const Box<2>& box : answer.met) {
        if (std::binary_search(with_agents.begin(), with_agents.end(), box, kBoxOrder)) {
            met.push_back(box);
        }
    }
    float largest = 0.0f, furthest = 0.0f;
    for (std::size_t i = 0; i < sight.x.size(); ++i) {
        largest = std::max(largest, sight.half_of(i));
    }
    for (const Id id : answer.ids) {
        if (is_static(id)) { continue; } // cells have no walls, only agents
        const Point<2> at = {{sight.x[id], sight.y[id]}};
        furthest = std::max(furthest, distance_to(brush.at, Box<2>::at(at)));
        // A tight quadtree's cell lists all agents whose boxes touch the cell; other cells list
        // agents by their centres.
        const bool tight = stage.structure() == StructureKind::tight_quadtree;
        const float reach = (tight ? sight.half_of(id) : 0.0f) + kRounding;
        expect(std::any_of(met.begin(), met.end(),
                           [&](const Box<2>& box) {
                               return meets(Box<2>::around(at, Point<2>::all(reach)), box);
                           }),
               what + ": a cell that has agent " + std::to_string(id));
    }
    const float corner = std::sqrt(2.0f);
    const bool centres = brush.kind == BrushKind::circle || brush.kind == BrushKind::view;
    // In space the nearest may differ in depth, so their distance from above does not bound the
    // search.
    const float reach = brush.kind == BrushKind::nearest
                            ? (stage.dim() == 2 ? furthest : kLargest)
                            : (brush.kind == BrushKind::box ? corner : 1.0f) * brush.size +
                                  (centres ? 0.0f : corner * largest);
    for (const Box<2>& box : answer.met) {
        expect(distance_to(brush.at, box) <= reach + kRounding, what + ": a cell out of reach");
    }
}

/// In space, a brush meets no cells in front of it or behind it.
void check_depth() {
    const auto cell_at = [](float x, float z) {
        return Box<3>::around({{x, 0.0f, z}}, Point<3>::all(0.5f));
    };
    const Point<3> along = {{1.0f, 0.0f, 0.0f}};
    const Ball<3> ball = {{}, 2.0f};
    const Ray<3> ray = {{}, along, 9.0f};
    const Sector<3> sector = {{}, 9.0f, along, 0.8f};
    const Box<3> box = Box<3>::around({}, Point<3>::all(2.0f));
    expect(meets(ball, cell_at(0.0f, 2.4f)) && !meets(ball, cell_at(0.0f, 2.6f)) &&
               !meets(ball, cell_at(2.4f, 2.4f)),
           "a ball's cells in space");
    expect(meets(ray, cell_at(5.0f, 0.4f)) && !meets(ray, cell_at(5.0f, 0.6f)) &&
               !meets(ray, cell_at(9.6f, 0.0f)),
           "a ray's cells in space");
    expect(meets(sector, cell_at(5.0f, 4.0f)) && !meets(sector, cell_at(5.0f, 5.0f)) &&
               !meets(sector, cell_at(-2.0f, 0.0f)),
           "a sector's cells in space");
    expect(meets(box, cell_at(2.4f, -2.4f)) && !meets(box, cell_at(0.0f, -2.6f)),
           "a box's cells in space");
}

/// In space, a circle meets only some of the cells that it covers when seen from above.
void check_layers(const Stage& stage) {
    const Box<2> world = stage.world();
    Brush brush;
    brush.at = {{(world.lo[0] + world.hi[0]) * 0.5f, (world.lo[1] + world.hi[1]) * 0.5f}};
    std::size_t covered = 0;
    stage.visit_cells([&](const IndexCell<2>& cell) {
        covered += meets(Ball<2>{brush.at, brush.size}, cell.box) ? 1 : 0;
        return true;
    });
    const std::size_t met = stage.ask(brush).met.size();
    expect(met > 0 && (stage.dim() == 2 ? met == covered : met < covered),
           std::string(stage.scene()) + ": cells before and behind a circle");
}

/// The agents' state, as callers can see it.
struct State {
    std::vector<float> x, y;
    std::vector<std::uint32_t> neighbours;
    std::uint64_t pairs = 0;
    float radius = 0.0f;
    StructureKind structure{};

    explicit State(const Stage& stage)
        : pairs(stage.pairs()), radius(stage.radius()), structure(stage.structure()) {
        const auto sight = stage.sight();
        x.assign(sight.x.begin(), sight.x.end());
        y.assign(sight.y.begin(), sight.y.end());
        neighbours.assign(sight.neighbours.begin(), sight.neighbours.end());
    }
    friend bool operator==(const State&, const State&) = default;
};

/// A refused call changes nothing, now or in later frames; neither does a call that sets the same
/// value again.
void check_refusals(const Options& options, Executor& executor) {
    const auto stage = make_stage(options, executor), untouched = make_stage(options, executor);
    FrameTimes times;
    for (Stage* const each : {stage.get(), untouched.get()}) {
        expect(each->step(times).ok(), options.scene + ": a frame");
    }
    const State before(*stage);
    for (const float radius : {-1.0f, kLargest * 10.0f}) {
        expect(!stage->set_radius(radius).ok(), options.scene + ": no such radius");
        expect(State(*stage) == before, options.scene + ": after a radius was refused");
    }
    expect(stage->set_structure(StructureKind::brute_force).ok() &&
               !stage->set_agents(kMostForBruteForce + 1).ok() &&
               stage->structure() == StructureKind::brute_force,
           options.scene + ": too many for a list");
    expect(stage->set_structure(before.structure).ok() && stage->set_radius(before.radius).ok(),
           options.scene + ": as it was");
    expect(State(*stage) == before, options.scene + ": after it was asked again");
    for (Stage* const each : {stage.get(), untouched.get()}) {
        expect(each->step(times).ok(), options.scene + ": another frame");
    }
    expect(State(*stage) == State(*untouched), options.scene + ": frames after refusals");
}

/// Every structure gives every brush the answers of a plain list of agents.
void check_brushes(Stage& stage) {
    std::vector<Brushed> wanted;
    expect(stage.set_structure(StructureKind::brute_force).ok(), "all agents in a list");
    const std::vector<Brush> brushes = brushes_over(stage.world());
    std::size_t found = 0;
    for (const Brush& brush : brushes) {
        wanted.push_back(stage.ask(brush));
        found += wanted.back().ids.size();
    }
    expect(found > 100, "brushes that find agents");
    for (std::size_t k = 0; k < kStructureNames.size(); ++k) {
        const auto kind = static_cast<StructureKind>(k);
        const std::string name = std::string(stage.scene()) + " in " + name_of(kind);
        const StructureKind before = stage.structure();
        const bool fits = has_dimension(kind, stage.dim());
        expect(stage.set_structure(kind).ok() == fits, name + ": taken or refused");
        expect(stage.structure() == (fits ? kind : before), name + ": what it is now");
        if (!fits) { continue; }
        for (std::size_t b = 0; b < brushes.size(); ++b) {
            const Brushed answer = stage.ask(brushes[b]);
            const std::string brush = name + ", brush " + std::to_string(b);
            expect(answer.status.ok() && answer.nanoseconds > 0.0, brush + ": asked");
            // The nearest come in order of distance; other hits in each structure's own order.
            const bool nearest = brushes[b].kind == BrushKind::nearest;
            expect(nearest ? answer.ids == wanted[b].ids
                           : sorted(answer.ids) == sorted(wanted[b].ids),
                   brush + ": hits");
            expect(!nearest || answer.ids.size() == brushes[b].nearest, brush + ": how many");
            check_met(stage, brushes[b], answer, brush);
        }
        std::size_t kept = 0;
        stage.visit_cells([&](const IndexCell<2>& cell) {
            kept += cell.count;
            return true;
        });
        expect(kept >= stage.sight().x.size(), name + ": cells that keep all");
    }
}

} // namespace

int main() {
    check_depth();
    ThreadPool pool(2);
    for (const char* const scene : kSceneNames) {
        Options options;
        options.scene = scene;
        options.agents = 1500;
        const auto stage = make_stage(options, pool);
        FrameTimes times;
        for (int f = 0; f < 3; ++f) {
            expect(stage->step(times).ok(), std::string(scene) + ": a frame");
        }
        expect(times.frames() == 3 && times.of(Part::query).size() == 3, "times of all frames");
        if (options.scene != "stress") {
            check_brushes(*stage);
            expect(stage->set_structure(StructureKind::row_grid).ok(), "a grid");
            check_layers(*stage);
        }
        check_refusals(options, pool);

        const auto near = [&] {
            std::uint64_t sum = 0;
            for (const std::uint32_t n : stage->sight().neighbours) {
                sum += n;
            }
            return sum;
        };
        const std::uint64_t before = near();
        expect(stage->set_radius(stage->radius() * 2.0f).ok(), "a larger radius");
        // In the stress scene all agents are at one point, so all see each other with any radius.
        expect(options.scene == "stress" ? near() == before : near() > before,
               std::string(scene) + ": agents within a larger radius");
        expect(!stage->set_radius(-1.0f).ok() && stage->radius() > 0.0f, "a radius below zero");
        const float radius = stage->radius();
        expect(stage->set_agents(400).ok() && stage->sight().x.size() == 400 &&
                   stage->step(times).ok(),
               std::string(scene) + ": other agents");
        expect(stage->radius() == radius, std::string(scene) + ": who see as far as before");
    }
    return failures == 0 ? 0 : 1;
}
