#include "published.hpp"

#include "../agents.hpp"
#include "../arrays.hpp"
#include "../crowd_settings.hpp"
#include "../edits.hpp"
#include "../executor.hpp"
#include "../structs.hpp"

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

namespace throng::c {

namespace {

/// Returns make(crowd, edits), with the host's edits in the crowd's form.
template <class Make>
throng_status edit_all(throng_published* published, const throng_edit* edits, std::size_t count,
                       const Make& make) {
    PublishedObject& object = look_up(published, "published");
    const auto given = array_of<const throng_edit>(edits, count, "edits", "count");
    return std::visit(
        [&]<std::size_t Dim>(throng::PublishedCrowd<Dim>& changed) {
            std::vector<Edit<Dim>> all;
            all.reserve(given.size());
            for (std::size_t i = 0; i < given.size(); ++i) {
                all.push_back(edit_of<Dim>(given[i], "edits", i));
            }
            return status_of(make(changed, all));
        },
        object.published);
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_published_create(const throng_crowd_settings* settings,
                                      throng_published** out) {
    return guarded([&] {
        const SettingsReader given(settings);
        check_out(out, "out");
        given.with_dimension([&]<std::size_t Dim>(std::integral_constant<std::size_t, Dim> dim) {
            auto object = std::make_unique<PublishedObject>(dim, given.memory());
            given.configure<Dim>(std::get<throng::PublishedCrowd<Dim>>(object->published));
            hand_out(std::move(object), *out);
        });
        return kOk;
    });
}

throng_status throng_published_destroy(throng_published* published) {
    return end(published, "published");
}

throng_status throng_published_update(throng_published* published, const throng_agents* agents,
                                      throng_executor* executor) {
    return guarded([&] {
        PublishedObject& object = look_up(published, "published");
        const AgentsReader given(agents, kAgents);
        const auto on = executor_for(executor);
        return std::visit(
            [&]<std::size_t Dim>(throng::PublishedCrowd<Dim>& changed) {
                return given.with<Dim>([&](const auto& all) { return changed.update(all, *on); });
            },
            object.published);
    });
}

throng_status throng_published_reserve(throng_published* published, size_t agents,
                                       throng_executor* executor) {
    return guarded([&] {
        PublishedObject& object = look_up(published, "published");
        const auto on = executor_for(executor);
        return status_of_reserve(std::visit(
            [&](auto& changed) { return changed.reserve(agents, *on); }, object.published));
    });
}

throng_status throng_published_edit(throng_published* published, const throng_edit* edits,
                                    size_t count, throng_executor* executor) {
    return guarded([&] {
        const auto on = executor_for(executor);
        return edit_all(published, edits, count,
                        [&](auto& changed, const auto& all) { return changed.edit(all, *on); });
    });
}

throng_status throng_published_edit_statics(throng_published* published, const throng_edit* edits,
                                            size_t count) {
    return guarded([&] {
        return edit_all(published, edits, count,
                        [](auto& changed, const auto& all) { return changed.edit_statics(all); });
    });
}

throng_status throng_published_set_statics(throng_published* published,
                                           const throng_agents* statics,
                                           throng_executor* executor) {
    return guarded([&] {
        PublishedObject& object = look_up(published, "published");
        const AgentsReader given(statics, kStatics);
        const auto on = executor_for(executor);
        return std::visit(
            [&]<std::size_t Dim>(throng::PublishedCrowd<Dim>& changed) {
                return given.with<Dim>(
                    [&](const auto& all) { return changed.set_statics(all, *on); });
            },
            object.published);
    });
}

throng_status throng_snapshot_acquire(const throng_published* published, throng_snapshot** out) {
    return guarded([&] {
        const PublishedObject& object = look_up(published, "published");
        check_out(out, "out");
        std::visit(
            [&](const auto& frames) {
                auto frame = frames.acquire();
                if (frame) {
                    hand_out(std::make_unique<SnapshotObject>(std::move(frame), object.memory),
                             *out);
                } else {
                    *out = nullptr;
                }
            },
            object.published);
        return kOk;
    });
}

throng_status throng_snapshot_release(throng_snapshot* snapshot) {
    return end(snapshot, "snapshot");
}

throng_status throng_snapshot_look(const throng_snapshot* snapshot, uint64_t* frame,
                                   throng_crowd** crowd) {
    return guarded([&] {
        const SnapshotObject& object = look_up(snapshot, "snapshot");
        check_wanted(frame, "frame");
        check_wanted(crowd, "crowd");
        write_value(object.frame(), frame);
        write_value(object.crowd(), crowd);
        return kOk;
    });
}
