// Edits of single agents, by ids and by handles.
#include "cases.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace throng::refusals {

namespace {

/// Makes one good edit and a bad one, which is refused.
std::string edited(const Edit<2>& bad, const CrowdKind<2>& kind = {}) {
    Crowd<2> crowd = yard();
    if (kind != CrowdKind<2>{}) { crowd = empty_yard(kind); }
    Agent<2> agent{{{5, 5}}};
    if (kind.own_half_extents) { agent.half_extent = Point<2>::all(0.5f); }
    if (kind.groups) { agent.groups = 1; }
    const Edit<2> edits[] = {Edit<2>::insert(7, agent), bad};
    return said(crowd.edit(edits));
}

/// A yard whose agents have handles, which are returned in `handles`.
Crowd<2> with_handles(std::array<Handle, 3>& handles) {
    Crowd<2> crowd = empty_yard();
    std::vector<Agent<2>> agents;
    for (const Point<2>& place : kPlaces) {
        agents.push_back({place});
    }
    (void)crowd.add(agents, handles);
    return crowd;
}
Crowd<2> with_handles() {
    std::array<Handle, 3> handles;
    return with_handles(handles);
}
/// The second handle is another crowd's.
Crowd<2> with_a_foreign_one(std::array<Handle, 3>& handles) {
    std::array<Handle, 3> others;
    Crowd<2> crowd = with_handles(handles);
    const Crowd<2> other = with_handles(others);
    handles[1] = others[1];
    return crowd;
}

constexpr std::uint64_t kThreeKeys[] = {1, 2, 3};
constexpr std::span<const std::uint64_t> kKeys = kThreeKeys;

const Case kEditCases[] = {
    {"edit id taken",
     [] {
         return edited(Edit<2>::insert(1, {{{1, 1}}}));
     }},
    {"edit id taken before",
     [] {
         return edited(Edit<2>::insert(7, {{{1, 1}}}));
     }},
    {"edit erases nobody", [] { return edited(Edit<2>::erase(77)); }},
    {"edit moves nobody",
     [] {
         return edited(Edit<2>::move(77, {{1, 1}}));
     }},
    {"edit not finite",
     [] {
         return edited(Edit<2>::move(0, {{1, kNan}}));
     }},
    {"edit id too large",
     [] {
         return edited(Edit<2>::insert(kFirstStatic - 1, {{{1, 1}}}));
     }},
    {"edit groups not kept",
     [] {
         return edited(Edit<2>::insert(5, {{{1, 1}}, {}, 3}));
     }},
    {"edit groups missing",
     [] {
         return edited(Edit<2>::insert(5, {{{1, 1}}}), {.groups = true});
     }},
    {"edit half extent negative",
     [] {
         return edited(Edit<2>::insert(5, {{{1, 1}}, Point<2>{{0.5f, -0.5f}}}),
                       {.own_half_extents = true});
     }},

    {"name twice",
     [] {
         return said(yard().update(agents_at(kPlaces), std::array<Id, 3>{0, 1, 1}));
     }},
    {"names too few",
     [] {
         return said(yard().update(agents_at(kPlaces), std::array<Id, 2>{0, 1}));
     }},
    {"name too large",
     [] {
         return said(yard().update(agents_at(kPlaces), std::array<Id, 3>{0, kFirstStatic, 1}));
     }},
    {"name of nobody",
     [] {
         return said(yard().move(std::array<Id, 3>{0, 77, 1}, agents_at(kPlaces).positions));
     }},
    {"name positions not finite",
     [] {
         return said(yard().update(agents_at({{{1, 1}}, {{kNan, 1}}}), std::array<Id, 2>{0, 1}));
     }},
    {"names moved not finite",
     [] {
         const Places places = {{{1, 1}}, {{kNan, 1}}};
         return said(yard().move(std::array<Id, 2>{0, 1}, view(places)));
     }},
    {"names moved too few",
     [] {
         return said(yard().move(std::array<Id, 2>{0, 1}, view(kPlaces)));
     }},
    {"handle updated stale",
     [] {
         std::array<Handle, 3> handles;
         Crowd<2> crowd = with_handles(handles);
         (void)crowd.remove(handles[1]);
         return said(crowd.update(agents_at({{{1, 1}}, {{2, 1}}}), std::span(handles).first(2)));
     }},
    {"handle updated foreign",
     [] {
         std::array<Handle, 3> handles;
         Crowd<2> crowd = with_a_foreign_one(handles);
         return said(crowd.update(agents_at(kPlaces), handles));
     }},
    {"handle moved stale",
     [] {
         std::array<Handle, 3> handles;
         Crowd<2> crowd = with_handles(handles);
         (void)crowd.remove(handles[1]);
         return said(crowd.move(handles, view(kPlaces)));
     }},
    {"handle moved foreign",
     [] {
         std::array<Handle, 3> handles;
         Crowd<2> crowd = with_a_foreign_one(handles);
         return said(crowd.move(handles, view(kPlaces)));
     }},
    {"handle moved not finite",
     [] {
         std::array<Handle, 3> handles;
         Crowd<2> crowd = with_handles(handles);
         const Places places = {{{1, 1}}, {{kNan, 1}}};
         return said(crowd.move(std::span(handles).first(2), view(places)));
     }},
    {"handle named twice",
     [] {
         std::array<Handle, 3> handles;
         Crowd<2> crowd = with_handles(handles);
         handles[2] = handles[0];
         return said(crowd.update(agents_at(kPlaces), handles));
     }},
    {"handles too few",
     [] {
         std::array<Handle, 3> handles;
         Crowd<2> crowd = with_handles(handles);
         return said(crowd.update(agents_at({{{1, 1}}, {{2, 1}}}), std::span(handles).first(2)));
     }},
    {"handle stale",
     [] {
         std::array<Handle, 3> handles;
         Crowd<2> crowd = with_handles(handles);
         (void)crowd.remove(handles[1]);
         return said(crowd.remove(handles));
     }},
    {"handle twice",
     [] {
         std::array<Handle, 3> handles;
         Crowd<2> crowd = with_handles(handles);
         handles[2] = handles[0];
         return said(crowd.remove(handles));
     }},
    {"handle foreign",
     [] {
         std::array<Handle, 3> handles;
         Crowd<2> crowd = with_a_foreign_one(handles);
         return said(crowd.remove(handles));
     }},
    {"handle where ids are",
     [] {
         std::array<Handle, 3> handles;
         (void)with_handles(handles);
         return said(yard().remove(handles));
     }},
    {"handle moved where ids are",
     [] {
         std::array<Handle, 3> handles;
         (void)with_handles(handles);
         return said(yard().move(handles[0], {{5, 5}}));
     }},
    {"added where ids are",
     [] {
         Handle handle;
         return said(yard().add({{{5, 5}}}, handle));
     }},
    {"id where handles are",
     [] {
         const Edit<2> edits[] = {Edit<2>::erase(0)};
         return said(with_handles().edit(edits));
     }},
    {"id erased where handles are", [] { return said(with_handles().erase(0)); }},
    {"id inserted where handles are",
     [] {
         return said(with_handles().insert(7, {{{5, 5}}}));
     }},
    {"id moved where handles are",
     [] {
         return said(with_handles().move(Id{0}, {{5, 5}}));
     }},
    {"id moved in doubles where handles are",
     [] {
         return said(with_handles().move(0, WorldPoint<2>{{5, 5}}));
     }},
    {"id in steps where handles are",
     [] {
         Crowd<2> crowd = with_handles();
         const Edit<2> edits[] = {Edit<2>::erase(0)};
         return said(CrowdChange<2>().edit(crowd, edits));
     }},
    {"slots too few",
     [] {
         std::array<Handle, 3> handles;
         return said(with_handles(handles).update(agents_at({{{1, 1}}, {{2, 1}}})));
     }},
    {"keys too few",
     [] {
         std::array<Handle, 3> handles;
         Crowd<2> crowd = with_handles(handles);
         return said(crowd.set_keys(handles, kKeys.first(2)));
     }},
    {"keys added too few",
     [] {
         std::array<Handle, 3> handles;
         const std::array<Agent<2>, 3> newcomers{};
         Crowd<2> crowd = with_handles(handles);
         return said(crowd.add(newcomers, handles, kKeys.first(2)));
     }},
    {"key of an agent that is gone",
     [] {
         std::array<Handle, 3> handles;
         Crowd<2> crowd = with_handles(handles);
         (void)crowd.remove(handles[1]);
         return said(crowd.set_keys(handles, kKeys));
     }},
    {"added not finite",
     [] {
         std::array<Handle, 2> handles;
         const Agent<2> agents[] = {{{{1, 1}}}, {{{kNan, 1}}}};
         return said(empty_yard().add(agents, handles));
     }},
};

} // namespace

std::span<const Case> edit_cases() { return kEditCases; }

} // namespace throng::refusals
