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

/// Whether the ids that everyone in a crowd finds fit into a few GiB: in clusters they are hundreds
/// each, in space thousands.
bool lists_fit(SceneKind scene, std::size_t dim, std::size_t count) {
    return scene == SceneKind::uniform || count <= (dim == 2 ? 1'000'000u : 100'000u);
}

template <std::size_t Dim>
void add_pairs(SceneKind scene, std::size_t count) {
    for (const PairsWay way : {PairsWay::list, PairsWay::count}) {
        if (!lists_fit(scene, Dim, count)) { continue; }
        add<Box, Dim>(way == PairsWay::list ? "pairs" : "pairs_count", scene, count,
                      [=](auto& state, auto& crowd) { pairs_of_all<Dim>(state, crowd, way); });
    }
}

template <std::size_t Dim>
void add_whole_crowd(SceneKind scene, std::size_t count) {
    for (const Way way : {Way::batch, Way::count}) {
        for (const Order order : {Order::storage, Order::callers}) {
            const std::string name = std::string("ball_whole_crowd") +
                                     (way == Way::count ? "_count" : "") +
                                     (order == Order::callers ? "_callers_order" : "");
            add<Ball, Dim>(name.c_str(), scene, count, [=](auto& state, auto& crowd) {
                ask_at_once<Dim>(state, crowd, way, order);
            });
        }
    }
    if (!lists_fit(scene, Dim, count)) { return; }
    for (const throng::Order order : {throng::Order::storage, throng::Order::ids}) {
        add<Ball, Dim>(
            order == throng::Order::storage ? "neighbours" : "neighbours_by_id", scene, count,
            [=](auto& state, auto& crowd) { neighbours_of_all<Dim>(state, crowd, order); });
    }
}

template <std::size_t Dim>
void add_fused(SceneKind scene, std::size_t count) {
    if (!lists_fit(scene, Dim, count)) { return; }
    const auto with = [&](const char* name, Fused way) {
        add<Ball, Dim>(name, scene, count,
                       [=](auto& state, auto& crowd) { fuse<Dim>(state, crowd, way); });
    };
    with("fused_offsets", Fused::offsets);
    with("fused_offsets_by_lists", Fused::offsets_by_lists);
    with("fused_count", Fused::count);
    with("fused_flock", Fused::flock);
}

} // namespace

void register_boxes(SceneKind scene, std::size_t count) {
    add_boxes<2>(scene, count);
    add_pairs<2>(scene, count);
    add_boxes<3>(scene, count);
    add_pairs<3>(scene, count);
}

void register_balls(SceneKind scene, std::size_t count) {
    add_questions<Ball, 2>("ball", scene, count);
    add_whole_crowd<2>(scene, count);
    add_fused<2>(scene, count);
    add_questions<Ball, 3>("ball", scene, count);
    add_whole_crowd<3>(scene, count);
    add_fused<3>(scene, count);
}

} // namespace throng::bench
