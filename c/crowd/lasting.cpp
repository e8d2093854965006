// Neighbour lists that last several frames.
#include "../../engine/agents/validation.hpp"
#include "../../parallel/frames/lasting_neighbours.hpp"

#include "../agents.hpp"
#include "../arrays.hpp"
#include "../executor.hpp"
#include "../held.hpp"
#include "../hits.hpp"
#include "../questions.hpp"
#include "../structs.hpp"
#include "crowd.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <variant>

namespace throng::c {

namespace {

constexpr Names kSettings = {.radius = "settings.radius"};
constexpr throng_status kNoListsYet = status_with(THRONG_COUNT_MISMATCH, "positions");

LastingSettings settings_of(const throng_lasting_settings* from) {
    const throng_lasting_settings given = read(from, "settings");
    LastingSettings settings;
    settings.neighbourhood = {given.radius, flag_of(given.with_self, "settings.with_self"),
                              given.groups, flag_of(given.later_only, "settings.later_only")};
    settings.skin = given.skin;
    settings.sets = sets_of(given.sets, "settings.sets");
    for (const Status& status : {check_length(settings.neighbourhood.radius, Argument::radius),
                                 check_length(settings.skin, Argument::skin)}) {
        if (!status.ok()) { throw Refused{status_of(status, kSettings)}; }
    }
    return settings;
}

} // namespace

/// Lists of crowds of one dimension, which is that of the first crowd.
class LastingObject {
public:
    LastingObject(const LastingSettings& settings, std::shared_ptr<Executor> executor) noexcept
        : settings_(settings), executor_(std::move(executor)) {}

    /// Calls update(lists). If the first update is refused, there are no lists and no dimension.
    template <std::size_t Dim, class Update>
    [[nodiscard]] throng_status update(const Update& update) {
        if (auto* const lists = std::get_if<LastingNeighbours<Dim>>(&lists_)) {
            return update(*lists);
        }
        if (!std::holds_alternative<std::monostate>(lists_)) {
            refuse(THRONG_WRONG_DIMENSION, "crowd");
        }
        LastingNeighbours<Dim> first(settings_, *executor_);
        const throng_status status = update(first);
        if (status.code == THRONG_OK) { lists_ = std::move(first); }
        return status;
    }
    /// Calls call(lists) if there are any yet.
    template <class Call>
    void visit(const Call& call) {
        if (auto* const plane = std::get_if<LastingNeighbours<2>>(&lists_)) { call(*plane); }
        if (auto* const space = std::get_if<LastingNeighbours<3>>(&lists_)) { call(*space); }
    }

    Hits hits;

private:
    LastingSettings settings_;
    std::shared_ptr<Executor> executor_; // declared before the lists that borrow it
    std::variant<std::monostate, LastingNeighbours<2>, LastingNeighbours<3>> lists_;
};

template <>
struct Held<throng_lasting> {
    using Object = LastingObject;
    static constexpr Kind kKind = Kind::lasting;
};

namespace {

template <std::size_t Dim>
void show(const LastingNeighbours<Dim>& lists, throng_lasting_frame& frame) noexcept {
    frame.order = lists.order().data();
    frame.offsets = lists.candidates().offsets.data();
    frame.candidates = lists.candidates().ids.data();
    frame.count = lists.order().size();
    frame.made = lists.made();
    frame.lasted = lists.lasted();
    frame.moved = lists.moved();
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_lasting_create(const throng_lasting_settings* settings,
                                    throng_executor* executor, throng_lasting** out) {
    return guarded([&] {
        const throng::LastingSettings wanted = settings_of(settings);
        auto on = executor_for(executor);
        check_out(out, "out");
        hand_out(std::make_unique<LastingObject>(wanted, std::move(on)), *out);
        return kOk;
    });
}

throng_status throng_lasting_destroy(throng_lasting* lasting) { return end(lasting, "lasting"); }

throng_status throng_lasting_update(throng_lasting* lasting, throng_crowd* crowd,
                                    const throng_agents* agents, throng_lasting_frame* out) {
    return guarded([&] {
        LastingObject& object = look_up(lasting, "lasting");
        CrowdObject& changed = look_up(crowd, "crowd");
        const AgentsReader given(agents, kAgents);
        throng_lasting_frame frame = read(out, "out");
        const throng_status status = changed.change([&]<std::size_t Dim>(throng::Crowd<Dim>& of) {
            return object.update<Dim>([&](throng::LastingNeighbours<Dim>& lists) {
                const throng_status outcome = given.with<Dim>(
                    [&](const auto& all) { return lists.update(of, all); }, kSettings);
                if (outcome.code == THRONG_OK) { show(lists, frame); }
                return outcome;
            });
        });
        if (status.code == THRONG_OK) { write(frame, out); }
        return status;
    });
}

throng_status throng_lasting_neighbours(throng_lasting* lasting, const throng_agents* agents,
                                        throng_hits* out) {
    return guarded([&] {
        LastingObject& object = look_up(lasting, "lasting");
        const AgentsReader given(agents, kAgents);
        HitsWriter answers(out);
        throng_status status = kNoListsYet;
        object.visit([&]<std::size_t Dim>(throng::LastingNeighbours<Dim>& lists) {
            status = given.with<Dim>(
                [&](const auto& all) { return lists.neighbours(all, object.hits); });
        });
        if (status.code == THRONG_OK) { answers.write(object.hits); }
        return status;
    });
}

throng_status throng_lasting_visit(throng_lasting* lasting, const throng_agents* agents,
                                   throng_neighbour_visitor visitor, void* user) {
    return guarded([&] {
        LastingObject& object = look_up(lasting, "lasting");
        const AgentsReader given(agents, kAgents);
        if (visitor == nullptr) { refuse(THRONG_NULL_POINTER, "visitor"); }
        const auto hand_over = [&](throng::Id agent, std::span<const throng::Id> neighbours) {
            call_host([&] { visitor(agent, neighbours.data(), neighbours.size(), user); });
        };
        throng_status status = kNoListsYet;
        object.visit([&]<std::size_t Dim>(throng::LastingNeighbours<Dim>& lists) {
            status = given.with<Dim>([&](const auto& all) { return lists.visit(all, hand_over); });
        });
        return status;
    });
}

throng_status throng_lasting_memory(const throng_lasting* lasting, uint64_t* bytes) {
    return guarded([&] {
        LastingObject& object = look_up(lasting, "lasting");
        check_out(bytes, "bytes");
        *bytes = object.hits.offsets.capacity() * sizeof(std::uint64_t) +
                 object.hits.ids.capacity() * sizeof(throng::Id);
        object.visit([&](const auto& lists) { *bytes += lists.memory(); });
        return kOk;
    });
}

throng_status throng_lasting_release(throng_lasting* lasting) {
    return guarded([&] {
        LastingObject& object = look_up(lasting, "lasting");
        object.hits = {};
        object.visit([](auto& lists) { lists.release(); });
        return kOk;
    });
}
