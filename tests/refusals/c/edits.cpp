// Edits of single agents, by ids and by handles.
#include "cases.hpp"

#include <cstdint>
#include <iterator>
#include <vector>

namespace throng_refusals {

namespace {

throng_edit edit(std::uint32_t kind, std::uint32_t id, float x = 1, float y = 1) {
    throng_edit edit{};
    edit.kind = kind;
    edit.id = id;
    edit.position[0] = x;
    edit.position[1] = y;
    return edit;
}

throng_edit with_groups(throng_edit edit) {
    edit.kept |= THRONG_KEPT_GROUPS;
    edit.groups = 3;
    return edit;
}

throng_edit with_half_extent(throng_edit edit, float x, float y) {
    edit.kept |= THRONG_KEPT_HALF_EXTENTS;
    edit.half_extent[0] = x;
    edit.half_extent[1] = y;
    return edit;
}

/// Makes one good edit and a bad one, which is refused.
throng_status edited(const Yard& yard, const throng_edit& good, const throng_edit& bad) {
    const throng_edit edits[] = {good, bad};
    return throng_crowd_edit(yard.crowd, edits, 2, nullptr);
}
throng_status edited(const throng_edit& bad) {
    return edited(Yard(), edit(THRONG_INSERT, 7, 5, 5), bad);
}

throng_crowd_settings keeping(std::uint32_t kept) {
    throng_crowd_settings settings = yard_settings();
    settings.kept = kept;
    return settings;
}

/// A yard whose three agents have handles.
struct Named : Yard {
    Named() : Yard(yard_settings()) {
        const throng_agents agents = agents_at(kPlaces);
        (void)throng_crowd_add(crowd, &agents, handles, std::size(handles), nullptr);
    }
    [[nodiscard]] throng_status set_keys(std::size_t count) const {
        const std::uint64_t keys[] = {1, 2, 3};
        return throng_crowd_set_keys(crowd, handles, 3, keys, count);
    }
    [[nodiscard]] throng_status remove(std::size_t count = 3) const {
        return throng_crowd_remove(crowd, handles, count, nullptr);
    }
    /// The agents of the first handles, as many as there are places.
    [[nodiscard]] throng_status update_named(const Places& places) const {
        const throng_agents agents = agents_at(places);
        return throng_crowd_update_handles(crowd, &agents, handles, agents.count, nullptr);
    }
    [[nodiscard]] throng_status move(const Places& places) const {
        const throng_agents agents = agents_at(places);
        return throng_crowd_move(crowd, handles, agents.count, &agents, nullptr);
    }
    throng_agent_handle handles[3]{};
};

/// A call with three handles, of which the second is another crowd's.
throng_status with_a_foreign_one(throng_status (Named::*call)(const Places&) const,
                                 const Places& places) {
    Named named;
    const Named other;
    named.handles[1] = other.handles[1];
    return (named.*call)(places);
}

throng_status updated_by(const std::vector<std::uint32_t>& ids) {
    const throng_agents places = agents_at(kPlaces);
    return throng_crowd_update_ids(Yard().crowd, &places, ids.data(), ids.size(), nullptr);
}

throng_status edited_by_id(const throng_edit& edit) {
    return throng_crowd_edit(Named().crowd, &edit, 1, nullptr);
}

const Case kEditCases[] = {
    {"edit id taken", [] { return edited(edit(THRONG_INSERT, 1)); }},
    {"edit id taken before", [] { return edited(edit(THRONG_INSERT, 7)); }},
    {"edit erases nobody", [] { return edited(edit(THRONG_ERASE, 77)); }},
    {"edit moves nobody", [] { return edited(edit(THRONG_MOVE, 77)); }},
    {"edit not finite", [] { return edited(edit(THRONG_MOVE, 0, 1, kNan)); }},
    {"edit id too large", [] { return edited(edit(THRONG_INSERT, THRONG_FIRST_STATIC - 1)); }},
    {"edit groups not kept", [] { return edited(with_groups(edit(THRONG_INSERT, 5))); }},
    {"edit groups missing",
     [] {
         return edited(Yard(keeping(THRONG_KEPT_GROUPS)), with_groups(edit(THRONG_INSERT, 7)),
                       edit(THRONG_INSERT, 5));
     }},
    {"edit half extent negative",
     [] {
         return edited(Yard(keeping(THRONG_KEPT_HALF_EXTENTS)),
                       with_half_extent(edit(THRONG_INSERT, 7), 0.5f, 0.5f),
                       with_half_extent(edit(THRONG_INSERT, 5), 0.5f, -0.5f));
     }},

    {"name twice",
     [] {
         return updated_by({0, 1, 1});
     }},
    {"names too few",
     [] {
         return updated_by({0, 1});
     }},
    {"name too large",
     [] {
         return updated_by({0, THRONG_FIRST_STATIC, 1});
     }},
    {"name of nobody",
     [] {
         const std::uint32_t ids[] = {0, 77, 1};
         const throng_agents places = agents_at(kPlaces);
         return throng_crowd_move_ids(Yard().crowd, ids, std::size(ids), &places, nullptr);
     }},
    {"name positions not finite",
     [] {
         const std::uint32_t ids[] = {0, 1};
         const Places nowhere = {1, 1, kNan, 1};
         const throng_agents places = agents_at(nowhere);
         return throng_crowd_update_ids(Yard().crowd, &places, ids, 2, nullptr);
     }},
    {"names moved not finite",
     [] {
         const std::uint32_t ids[] = {0, 1};
         const Places nowhere = {1, 1, kNan, 1};
         const throng_agents places = agents_at(nowhere);
         return throng_crowd_move_ids(Yard().crowd, ids, 2, &places, nullptr);
     }},
    {"names moved too few",
     [] {
         const std::uint32_t ids[] = {0, 1};
         const throng_agents places = agents_at(kPlaces);
         return throng_crowd_move_ids(Yard().crowd, ids, 2, &places, nullptr);
     }},
    {"handle updated stale",
     [] {
         const Named named;
         (void)throng_crowd_remove(named.crowd, named.handles + 1, 1, nullptr);
         return named.update_named({1, 1, 2, 1});
     }},
    {"handle updated foreign", [] { return with_a_foreign_one(&Named::update_named, kPlaces); }},
    {"handle moved stale",
     [] {
         const Named named;
         (void)throng_crowd_remove(named.crowd, named.handles + 1, 1, nullptr);
         return named.move(kPlaces);
     }},
    {"handle moved foreign", [] { return with_a_foreign_one(&Named::move, kPlaces); }},
    {"handle moved not finite",
     [] {
         return Named().move({1, 1, kNan, 1});
     }},
    {"handle named twice",
     [] {
         Named named;
         named.handles[2] = named.handles[0];
         const throng_agents places = agents_at(kPlaces);
         return throng_crowd_update_handles(named.crowd, &places, named.handles, 3, nullptr);
     }},
    {"handles too few",
     [] {
         Named named;
         const Places two = {1, 1, 2, 1};
         const throng_agents places = agents_at(two);
         return throng_crowd_update_handles(named.crowd, &places, named.handles, 2, nullptr);
     }},
    {"handle stale",
     [] {
         Named named;
         (void)throng_crowd_remove(named.crowd, named.handles + 1, 1, nullptr);
         return named.remove();
     }},
    {"handle twice",
     [] {
         Named named;
         named.handles[2] = named.handles[0];
         return named.remove();
     }},
    {"handle foreign",
     [] {
         Named named;
         const Named other;
         named.handles[1] = other.handles[1];
         return named.remove();
     }},
    {"handle where ids are",
     [] { return throng_crowd_remove(Yard().crowd, Named().handles, 3, nullptr); }},
    {"handle moved where ids are",
     [] {
         const throng_agents places = agents_at(kPlaces);
         return throng_crowd_move(Yard().crowd, Named().handles, 3, &places, nullptr);
     }},
    {"added where ids are",
     [] {
         const Places place = {5, 5};
         const throng_agents newcomers = agents_at(place);
         throng_agent_handle handle{};
         return throng_crowd_add(Yard().crowd, &newcomers, &handle, 1, nullptr);
     }},
    {"id where handles are", [] { return edited_by_id(edit(THRONG_ERASE, 0)); }},
    {"id inserted where handles are", [] { return edited_by_id(edit(THRONG_INSERT, 7)); }},
    {"id moved where handles are", [] { return edited_by_id(edit(THRONG_MOVE, 0)); }},
    {"id moved in doubles where handles are",
     [] {
         throng_world_edit move{};
         move.kind = THRONG_MOVE;
         return throng_crowd_edit_world(Named().crowd, &move, 1, nullptr);
     }},
    {"id in steps where handles are",
     [] {
         const Named named;
         const throng_edit erasure = edit(THRONG_ERASE, 0);
         throng_change* change = nullptr;
         (void)throng_change_create(&change);
         throng_loop loop = THRONG_LOOP_INIT;
         const throng_status status = throng_change_edit(change, named.crowd, &erasure, 1, &loop);
         (void)throng_change_destroy(change);
         return status;
     }},
    {"slots too few",
     [] {
         return Named().update({1, 1, 2, 1});
     }},
    {"keys too few", [] { return Named().set_keys(2); }},
    {"keys added too few",
     [] {
         const Yard yard(yard_settings());
         const throng_agents newcomers = agents_at(kPlaces);
         const std::uint64_t keys[] = {1, 2};
         throng_agent_handle handles[3]{};
         return throng_crowd_add_keyed(yard.crowd, &newcomers, keys, 2, handles, 3, nullptr);
     }},
    {"key of an agent that is gone",
     [] {
         Named named;
         (void)throng_crowd_remove(named.crowd, named.handles + 1, 1, nullptr);
         return named.set_keys(3);
     }},
    {"added not finite",
     [] {
         const Yard yard(yard_settings());
         const Places places = {1, 1, kNan, 1};
         const throng_agents agents = agents_at(places);
         throng_agent_handle handles[2];
         return throng_crowd_add(yard.crowd, &agents, handles, 2, nullptr);
     }},
};

} // namespace

std::span<const Case> edit_cases() { return kEditCases; }

} // namespace throng_refusals
