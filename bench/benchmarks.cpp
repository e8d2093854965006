#include "benchmarks.hpp"
#include "measure/register.hpp"

#include <sstream>
#include <string>

namespace throng::bench {

namespace {

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
void add_update(SceneKind scene, std::size_t count) {
    add<Box, Dim>("update", scene, count,
                  [](auto& state, auto& crowd) { update_all<Dim>(state, crowd, Order::callers); });
}

template <std::size_t Dim>
void add_boxes(SceneKind scene, std::size_t count) {
    add_update<Dim>(scene, count);
    add<Box, Dim>("update_in_order", scene, count,
                  [](auto& state, auto& crowd) { update_all<Dim>(state, crowd, Order::storage); });
    add<Box, Dim>("reorder", scene, count,
                  [](auto& state, auto& crowd) { reorder_all<Dim>(state, crowd); });
    add_questions<Box, Dim>("box", scene, count);
    for (const Large large : {Large::ids, Large::batch, Large::count, Large::copy}) {
        const char* const name = large == Large::ids     ? "large_box_ids"
                                 : large == Large::batch ? "large_box_batch"
                                 : large == Large::count ? "large_box_count"
                                                         : "large_box_copy";
        add<Box, Dim>(name, scene, count,
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

/// Whether the neighbours of all agents fit into a few GiB. In clusters each agent has hundreds of
/// neighbours in the plane, and thousands in space.
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
    if (!lists_fit(scene, Dim, count)) { return; }
    add<Box, Dim>("contacts", scene, count, [](auto& state, auto& crowd) {
        contacts_of_frames<Dim>(state, crowd, Order::callers);
    });
    add<Box, Dim>("contacts_in_order", scene, count, [](auto& state, auto& crowd) {
        contacts_of_frames<Dim>(state, crowd, Order::storage);
    });
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
    if (scene == SceneKind::uniform) {
        add<Ball, Dim>("frames_of_fresh_lists", scene, count, [](auto& state, auto& crowd) {
            lists_of_frames<Dim>(state, crowd, LastingWay::fresh, 0.0f);
        });
        for (const float skin : {0.125f, 0.25f, 0.5f, 1.0f}) {
            for (const LastingWay way : {LastingWay::candidates, LastingWay::lists}) {
                std::ostringstream name;
                name << "frames_of_lasting_" << (way == LastingWay::lists ? "lists" : "candidates")
                     << "_" << skin;
                add<Ball, Dim>(name.str().c_str(), scene, count, [=](auto& state, auto& crowd) {
                    lists_of_frames<Dim>(state, crowd, way, skin);
                });
            }
        }
    }
    for (const HalfLists form : {HalfLists::lists, HalfLists::pairs}) {
        add<Ball, Dim>(
            form == HalfLists::lists ? "neighbours_later" : "pairs_within", scene, count,
            [=](auto& state, auto& crowd) { later_neighbours_of_all<Dim>(state, crowd, form); });
    }
}

template <std::size_t Dim>
void add_nearest(SceneKind scene, std::size_t count) {
    for (const std::uint32_t k : {1u, 4u, 8u, 16u, 64u}) {
        const std::string name = "nearest_" + std::to_string(k);
        const auto ask = [&](const char* suffix, NearestWay way) {
            add<Ball, Dim>((name + suffix).c_str(), scene, count, [=](auto& state, auto& crowd) {
                nearest_of_all<Dim>(state, crowd, way, k);
            });
        };
        ask("", NearestWay::everyone);
        ask("_points_callers_order", NearestWay::points);
        ask("_single_callers_order", NearestWay::single);
        ask("_beyond", NearestWay::beyond);
        ask("_in_band", NearestWay::in_band);
    }
}

template <template <std::size_t> class Shape, std::size_t Dim>
void add_packets(const std::string& shape, std::size_t count) {
    for (const PacketForm form : {PacketForm::ids, PacketForm::count, PacketForm::any}) {
        const char* const name = form == PacketForm::ids     ? "_ids_"
                                 : form == PacketForm::count ? "_count_"
                                                             : "_any_";
        for (const int hits : {1, 2, 4, 8, 16, 32, 50, 100}) {
            add<Shape, Dim>(("packets/" + shape + name + std::to_string(hits)).c_str(),
                            SceneKind::uniform, count, [=](auto& state, auto& crowd) {
                                compare_packets<Shape, Dim>(state, crowd, form, hits);
                            });
        }
    }
    for (const int hits : {4, 16, 50, 100}) {
        for (const std::size_t apart : {1u, 2u, 4u, 8u, 16u, 32u}) {
            add<Shape, Dim>(("packets_apart/" + shape + "_count_" + std::to_string(hits) + "/" +
                             std::to_string(apart))
                                .c_str(),
                            SceneKind::uniform, count, [=](auto& state, auto& crowd) {
                                packets_apart<Shape, Dim>(state, crowd, hits, apart);
                            });
        }
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

template <std::size_t Dim>
void add_bodies(SceneKind scene, std::size_t count) {
    for (const BodyWay way : {BodyWay::lists, BodyWay::counts, BodyWay::fused}) {
        for (const bool own : {false, true}) {
            for (const Body body : {Body::centre, Body::box, Body::disc}) {
                std::string name = "bodies_";
                name += way == BodyWay::lists    ? "lists"
                        : way == BodyWay::counts ? "counts"
                                                 : "fused";
                name += own ? "_own" : "_common";
                name += body == Body::centre ? "_centre" : body == Body::box ? "_box" : "_disc";
                add<Ball, Dim>(name.c_str(), scene, count, [=](auto& state, auto& crowd) {
                    neighbours_by_body<Dim>(state, crowd, way, body, own);
                });
            }
        }
    }
}

} // namespace

void register_packets(std::size_t count) {
    add_packets<Ball, 2>("ball", count);
    add_packets<Box, 2>("box", count);
    add_packets<Ball, 3>("ball", count);
    add_packets<Box, 3>("box", count);
}

void register_boxes(SceneKind scene, std::size_t count) {
    add_boxes<2>(scene, count);
    add_pairs<2>(scene, count);
    add_boxes<3>(scene, count);
    add_pairs<3>(scene, count);
}

void register_small_updates() {
    for (const std::size_t count : {300u, 1'000u, 3'000u}) {
        add_update<2>(SceneKind::uniform, count);
        add_update<3>(SceneKind::uniform, count);
    }
}

void register_balls(SceneKind scene, std::size_t count) {
    add_questions<Ball, 2>("ball", scene, count);
    add_whole_crowd<2>(scene, count);
    add_nearest<2>(scene, count);
    add_fused<2>(scene, count);
    if (scene == SceneKind::uniform) { add_bodies<2>(scene, count); }
    add_questions<Ball, 3>("ball", scene, count);
    add_whole_crowd<3>(scene, count);
    add_nearest<3>(scene, count);
    add_fused<3>(scene, count);
    if (scene == SceneKind::uniform) { add_bodies<3>(scene, count); }
}

} // namespace throng::bench
