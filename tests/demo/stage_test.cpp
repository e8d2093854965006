// What a window does with a stage: asks with every brush, and changes what is played.
#include "../../demo/make_stage.hpp"
#include "../../demo/names.hpp"

#include <throng/engine/crowd_sets.hpp>
#include <throng/parallel/thread_pool.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
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

/// Every structure answers every brush as the list of everybody does.
void check_brushes(Stage& stage) {
    std::vector<Brushed> wanted;
    expect(stage.set_structure(StructureKind::brute_force).ok(), "everybody in a list");
    const std::vector<Brush> brushes = brushes_over(stage.world());
    std::size_t found = 0;
    for (const Brush& brush : brushes) {
        wanted.push_back(stage.ask(brush));
        found += wanted.back().ids.size();
    }
    expect(found > 100, "brushes that find somebody");
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
            // The nearest come by how near they are, others in an order of each structure's own.
            const bool nearest = brushes[b].kind == BrushKind::nearest;
            expect(nearest ? answer.ids == wanted[b].ids
                           : sorted(answer.ids) == sorted(wanted[b].ids),
                   brush + ": whom it finds");
            expect(!nearest || answer.ids.size() == brushes[b].nearest, brush + ": how many");
            // Walls are not in the cells that agents are in.
            const bool agents = std::any_of(answer.ids.begin(), answer.ids.end(),
                                            [](Id id) { return !is_static(id); });
            expect(!agents || !answer.searched.empty() || kind == StructureKind::brute_force,
                   brush + ": where it looks");
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
        if (options.scene != "stress") { check_brushes(*stage); }

        const auto near = [&] {
            std::uint64_t sum = 0;
            for (const std::uint32_t n : stage->sight().neighbours) {
                sum += n;
            }
            return sum;
        };
        const std::uint64_t before = near();
        expect(stage->set_radius(stage->radius() * 2.0f).ok(), "a larger radius");
        // Who all stand on one spot see each other with any.
        expect(options.scene == "stress" ? near() == before : near() > before,
               std::string(scene) + ": whom a larger radius sees");
        expect(!stage->set_radius(-1.0f).ok() && stage->radius() > 0.0f, "a radius below zero");
        expect(stage->set_agents(400).ok() && stage->sight().x.size() == 400 &&
                   stage->step(times).ok(),
               std::string(scene) + ": other agents");
    }
    return failures == 0 ? 0 : 1;
}
