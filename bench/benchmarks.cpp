#include "benchmarks.hpp"

#include <string>

namespace throng::bench {

namespace {

template <template <std::size_t> class Shape, std::size_t Dim, class Body>
void add(const char* name, SceneKind scene, std::size_t count, const Body& body) {
    const std::string full = std::string(name) + "/" + std::to_string(Dim) + "d/" +
                             (scene == SceneKind::uniform ? "uniform/" : "clustered/") +
                             std::to_string(count);
    benchmark::RegisterBenchmark(
        full.c_str(),
        [=](benchmark::State& state) { body(state, Crowd<Shape, Dim>::get(scene, count)); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

template <template <std::size_t> class Shape, std::size_t Dim>
void add_questions(const std::string& shape, SceneKind scene, std::size_t count) {
    const auto ask = [&](const char* name, Way way, Order order) {
        add<Shape, Dim>((shape + name).c_str(), scene, count, [=](auto& state, auto& crowd) {
            ask_everyone<Shape, Dim>(state, crowd, way, order);
        });
    };
    ask("_batch", Way::batch, Order::storage);
    ask("_batch_callers_order", Way::batch, Order::callers);
    ask("_single", Way::single, Order::storage);
    ask("_single_callers_order", Way::single, Order::callers);
    ask("_count", Way::count, Order::storage);
    ask("_any", Way::any, Order::storage);
}

template <std::size_t Dim>
void add_boxes(SceneKind scene, std::size_t count) {
    add<Box, Dim>("update", scene, count,
                  [](auto& state, auto& crowd) { update_all<Dim>(state, crowd); });
    add_questions<Box, Dim>("box", scene, count);
    for (const Large large : {Large::ids, Large::count}) {
        add<Box, Dim>(large == Large::ids ? "large_box_ids" : "large_box_count", scene, count,
                      [=](auto& state, auto& crowd) { ask_large_boxes<Dim>(state, crowd, large); });
    }
    for (const Edit edit : {Edit::insert, Edit::erase, Edit::move, Edit::move_batch}) {
        const char* const name = edit == Edit::insert  ? "insert"
                                 : edit == Edit::erase ? "erase"
                                 : edit == Edit::move  ? "move"
                                                       : "move_batch";
        add<Box, Dim>(name, scene, count,
                      [=](auto& state, auto& crowd) { edit_some<Dim>(state, crowd, edit); });
    }
}

} // namespace

void register_boxes(SceneKind scene, std::size_t count) {
    add_boxes<2>(scene, count);
    add_boxes<3>(scene, count);
}

void register_balls(SceneKind scene, std::size_t count) {
    add_questions<Ball, 2>("ball", scene, count);
    add_questions<Ball, 3>("ball", scene, count);
}

} // namespace throng::bench
