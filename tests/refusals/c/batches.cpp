// Questions about all agents: neighbours, the nearest, pairs, pairs over time, lists that last.
#include "../../../throng_distributed.h"
#include "cases.hpp"

#include <functional>

namespace throng_refusals {

namespace {

throng_neighbourhood within(float radius) {
    throng_neighbourhood neighbourhood = THRONG_NEIGHBOURHOOD_INIT;
    neighbourhood.radius = radius;
    return neighbourhood;
}

throng_status neighbours(const throng_neighbourhood& neighbourhood) {
    const Yard yard;
    throng_hits hits = THRONG_HITS_INIT;
    return throng_neighbours(yard.batch, yard.crowd, &neighbourhood, &hits);
}

throng_status nearest(const std::function<void(throng_nearest&)>& spoil,
                      const Places& places = kPlaces) {
    const Yard yard;
    throng_nearest nearest = THRONG_NEAREST_INIT;
    spoil(nearest);
    const throng_points points = points_at(places);
    throng_near_hits hits = THRONG_NEAR_HITS_INIT;
    return throng_find_nearest(yard.batch, yard.crowd, &points, &nearest, &hits);
}

throng_status pairs(float within, std::uint32_t body = THRONG_BODY_CENTRE) {
    const Yard yard;
    throng_pairing pairing = THRONG_PAIRING_INIT;
    pairing.within = within;
    pairing.body = body;
    throng_pairs pairs = THRONG_PAIRS_INIT;
    return throng_find_pairs(yard.batch, yard.crowd, &pairing, &pairs);
}

throng_lasting_settings lasting_settings(float radius, float skin) {
    throng_lasting_settings settings = THRONG_LASTING_SETTINGS_INIT;
    settings.radius = radius;
    settings.skin = skin;
    return settings;
}

throng_status lasting(float radius, float skin) {
    const throng_lasting_settings settings = lasting_settings(radius, skin);
    throng_lasting* lasting = nullptr;
    return throng_lasting_create(&settings, nullptr, &lasting);
}

/// Makes lists with a radius and a skin of 1 for the yard's agents, and asks them about these
/// places.
throng_status listed(const Places& places) {
    const Yard yard;
    const throng_lasting_settings settings = lasting_settings(1, 1);
    throng_lasting* lists = nullptr;
    (void)throng_lasting_create(&settings, nullptr, &lists);
    throng_lasting_frame frame = THRONG_LASTING_FRAME_INIT;
    throng_agents agents = agents_at(kPlaces);
    (void)throng_lasting_update(lists, yard.crowd, &agents, &frame);
    agents = agents_at(places);
    throng_hits hits = THRONG_HITS_INIT;
    const throng_status status = throng_lasting_neighbours(lists, &agents, &hits);
    (void)throng_lasting_destroy(lists);
    return status;
}

/// A crowd over many processes with this reach, in the yard where it is periodic on x.
throng_status distributed_around(float reach) {
    const throng_crowd_settings yard = yard_settings();
    throng_distributed_settings settings = THRONG_DISTRIBUTED_SETTINGS_INIT;
    settings.reach = reach;
    settings.periodic = 1;
    for (std::size_t a = 0; a < 2; ++a) {
        settings.high[a] = yard.hi[a];
        settings.cell[a] = yard.cell[a];
    }
    throng_ranks* ranks = nullptr;
    (void)throng_ranks_one(&ranks);
    throng_distributed* crowd = nullptr;
    const throng_status status = throng_distributed_create(ranks, &settings, &crowd);
    (void)throng_distributed_destroy(crowd);
    (void)throng_ranks_destroy(ranks);
    return status;
}

const Case kBatchCases[] = {
    {"reach too far around", [] { return distributed_around(8); }},
    {"neighbours radius negative", [] { return neighbours(within(-1)); }},
    {"neighbours radius not finite", [] { return neighbours(within(kNan)); }},
    {"neighbours radius too large", [] { return neighbours(within(kTooLarge)); }},
    {"neighbours without body",
     [] {
         throng_neighbourhood neighbourhood = within(1);
         neighbourhood.body = 9;
         return neighbours(neighbourhood);
     }},
    {"neighbour counts too short",
     [] {
         const Yard yard;
         const throng_neighbourhood neighbourhood = within(1);
         std::uint32_t counts[2];
         return throng_count_neighbours(yard.batch, yard.crowd, &neighbourhood, counts, 2, nullptr);
     }},

    {"nearest k too many", [] { return nearest([](auto& n) { n.k = 1025; }); }},
    {"nearest radius negative", [] { return nearest([](auto& n) { n.radius = -1; }); }},
    {"nearest radius not finite", [] { return nearest([](auto& n) { n.radius = kNan; }); }},
    {"nearest least negative", [] { return nearest([](auto& n) { n.least = -1; }); }},
    {"nearest band not finite", [] { return nearest([](auto& n) {
                                         n.band = {1, kNan, 1};
                                     }); }},
    {"nearest band on z", [] { return nearest([](auto& n) {
                                   n.band = {2, 1, 1};
                               }); }},
    {"nearest after not finite", [] { return nearest([](auto& n) { n.after.distance2 = kNan; }); }},
    {"nearest points not finite",
     [] {
         return nearest([](auto&) {}, {0, 0, kNan, 0});
     }},
    {"nearest points too large",
     [] {
         return nearest([](auto&) {}, {0, 0, 0, kTooLarge});
     }},
    {"nearest too short",
     [] {
         const Yard yard;
         throng_nearest two = THRONG_NEAREST_INIT;
         two.k = 2;
         const throng_points points = points_at(kPlaces);
         throng_near near[5];
         std::uint32_t counts[3];
         throng_near_room room = THRONG_NEAR_ROOM_INIT;
         room.nearest = near;
         room.near_room = 5;
         room.counts = counts;
         room.count_room = 3;
         return throng_find_nearest_into(yard.batch, yard.crowd, &points, &two, &room);
     }},
    {"nearest neighbours radius negative",
     [] {
         const Yard yard;
         throng_nearest nearest = THRONG_NEAREST_INIT;
         nearest.radius = -1;
         throng_near_hits hits = THRONG_NEAR_HITS_INIT;
         return throng_nearest_neighbours(yard.batch, yard.crowd, &nearest, &hits);
     }},

    {"pairs within not finite", [] { return pairs(kNan); }},
    {"pairs within too large", [] { return pairs(kTooLarge); }},
    {"pairs without body", [] { return pairs(-1, 9); }},
    {"contacts within not finite",
     [] {
         const Yard yard;
         throng_pairing pairing = THRONG_PAIRING_INIT;
         pairing.within = kNan;
         throng_contacts* contacts = nullptr;
         (void)throng_contacts_create(nullptr, &contacts);
         throng_contact_frame frame = THRONG_CONTACT_FRAME_INIT;
         const throng_status status =
             throng_contacts_update(contacts, yard.crowd, &pairing, &frame);
         (void)throng_contacts_destroy(contacts);
         return status;
     }},

    {"lasting radius negative", [] { return lasting(-1, 1); }},
    {"lasting radius not finite", [] { return lasting(kNan, 1); }},
    {"lasting skin negative", [] { return lasting(1, -1); }},
    {"lasting skin not finite", [] { return lasting(1, kInfinite); }},
    {"lasting positions not finite",
     [] {
         return listed({1, 1, kNan, 1, 9, 9});
     }},
    {"lasting moved too far",
     [] {
         return listed({1, 1, 2, 1, 5, 9});
     }},
    {"lasting too few",
     [] {
         return listed({1, 1, 2, 1});
     }},
};

} // namespace

std::span<const Case> batch_cases() { return kBatchCases; }

} // namespace throng_refusals
