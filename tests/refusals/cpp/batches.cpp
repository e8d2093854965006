// Questions about all agents: neighbours, the nearest, pairs, pairs over time, lists that last.
#include "../../../distributed.hpp"
#include "../../../engine/crowd/asker_copies.hpp"
#include "cases.hpp"

namespace throng::refusals {

namespace {

std::string neighbours(const Neighbourhood& neighbourhood) {
    Hits hits;
    return said(Batch<2>().neighbours(yard(), neighbourhood, hits));
}

std::string nearest(const Nearest& wanted, const Places& points = kPlaces) {
    NearHits hits;
    return said(Batch<2>().nearest(yard(), points, wanted, hits));
}

std::string pairs_within(float radius) {
    Pairs pairs;
    return said(Batch<2>().pairs_within(yard(), radius, pairs));
}

std::string lasting(float radius, float skin) {
    Crowd<2> crowd = yard();
    return said(LastingNeighbours<2>({{.radius = radius}, skin}).update(crowd, agents_at(kPlaces)));
}

/// Makes lists with a radius and a skin of 1 for the yard's agents, and asks them about these
/// places.
std::string listed(const Places& places) {
    Crowd<2> crowd = yard();
    LastingNeighbours<2> lists({{.radius = 1}, 1});
    (void)lists.update(crowd, agents_at(kPlaces));
    Hits hits;
    return said(lists.neighbours(agents_at(places), hits));
}

/// The yard, periodic on x: it is 16 wide.
std::string summed_around(float radius) {
    CrowdSettings<2> settings = yard_settings();
    settings.periodic = {true, false};
    Crowd<2> crowd;
    (void)crowd.configure(settings);
    (void)crowd.update(agents_at(kPlaces));
    return said(asker_copies(crowd, {radius}).status);
}

std::string distributed_around(float reach) {
    OneRank rank;
    DistributedSettings<2> settings;
    settings.bounds = *yard_settings().bounds;
    settings.cell = *yard_settings().cell;
    settings.periodic = {true, false};
    settings.reach = reach;
    return said(DistributedGrid<2>(rank).configure(settings));
}

const Case kBatchCases[] = {
    {"sums too far around", [] { return summed_around(8); }},
    {"reach too far around", [] { return distributed_around(8); }},
    {"neighbours radius negative", [] { return neighbours({.radius = -1}); }},
    {"neighbours radius not finite", [] { return neighbours({.radius = kNan}); }},
    {"neighbours radius too large", [] { return neighbours({.radius = kTooLarge}); }},
    {"neighbours without body",
     [] { return neighbours({.radius = 1, .body = static_cast<Body>(9)}); }},
    {"neighbour counts too short",
     [] {
         std::uint32_t counts[2];
         return said(Batch<2>().count_neighbours(yard(), {.radius = 1}, counts));
     }},

    {"nearest k too many", [] { return nearest({.k = 1025}); }},
    {"nearest radius negative", [] { return nearest({.radius = -1}); }},
    {"nearest radius not finite", [] { return nearest({.radius = kNan}); }},
    {"nearest least negative", [] { return nearest({.least = -1}); }},
    {"nearest band not finite",
     [] {
         return nearest({.band = {1, kNan, 1}});
     }},
    {"nearest band on z",
     [] {
         return nearest({.band = {2, 1, 1}});
     }},
    {"nearest after not finite",
     [] {
         return nearest({.after = {kNan, 0}});
     }},
    {"nearest points not finite",
     [] {
         return nearest({}, {{{0, 0}}, {{kNan, 0}}});
     }},
    {"nearest points too large",
     [] {
         return nearest({}, {{{0, 0}}, {{0, kTooLarge}}});
     }},
    {"nearest too short",
     [] {
         Near near[5];
         std::uint32_t counts[3];
         return said(Batch<2>().nearest(yard(), kPlaces, {.k = 2}, NearOutput{near, counts}));
     }},
    {"nearest neighbours radius negative",
     [] {
         NearHits hits;
         return said(Batch<2>().nearest_neighbours(yard(), {.radius = -1}, hits));
     }},

    {"pairs within not finite", [] { return pairs_within(kNan); }},
    {"pairs within too large", [] { return pairs_within(kTooLarge); }},
    {"pairs without body",
     [] {
         Pairs pairs;
         return said(Batch<2>().pairs(yard(), pairs, kAllGroups, Body::centre));
     }},
    {"contacts within not finite", [] { return said(Contacts<2>().update_within(yard(), kNan)); }},

    {"lasting radius negative", [] { return lasting(-1, 1); }},
    {"lasting radius not finite", [] { return lasting(kNan, 1); }},
    {"lasting skin negative", [] { return lasting(1, -1); }},
    {"lasting skin not finite", [] { return lasting(1, kInfinite); }},
    {"lasting positions not finite",
     [] {
         return listed({{{1, 1}}, {{kNan, 1}}, {{9, 9}}});
     }},
    {"lasting moved too far",
     [] {
         return listed({{{1, 1}}, {{2, 1}}, {{5, 9}}});
     }},
    {"lasting too few",
     [] {
         return listed({{{1, 1}}, {{2, 1}}});
     }},
};

} // namespace

std::span<const Case> batch_cases() { return kBatchCases; }

} // namespace throng::refusals
