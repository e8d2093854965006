// Crowds over the ranks of a job: changes, and questions of all agents.
#include "crowd.hpp"

#include "../../distributed/agreement.hpp"
#include "../../distributed/checkpoint.hpp"
#include "../agents.hpp"
#include "../arrays.hpp"
#include "../crowd/all_agents.hpp"
#include "../pairing.hpp"
#include "../points.hpp"
#include "../questions.hpp"
#include "share.hpp"
#include "structs.hpp"

#include <memory>
#include <optional>
#include <span>

namespace throng::c {

namespace {

template <std::size_t Dim>
DistributedSettings<Dim> settings_of(const throng_distributed_settings& given) {
    DistributedSettings<Dim> settings;
    settings.bounds = {point_of<Dim>(given.low), point_of<Dim>(given.high)};
    settings.cell = point_of<Dim>(given.cell);
    settings.reach = given.reach;
    settings.kind.own_half_extents = flag_of(given.own_half_extents, "settings.own_half_extents");
    settings.kind.groups = flag_of(given.groups, "settings.groups");
    if (!settings.kind.own_half_extents) {
        settings.kind.common_half_extent = point_of<Dim>(given.common_half_extent);
    }
    settings.imbalance = given.imbalance;
    settings.most_agents = given.most_agents;
    settings.question_bytes = static_cast<std::size_t>(given.question_bytes);
    if (given.periodic >= 1u << Dim) { refuse(THRONG_WRONG_VALUE, "settings.periodic"); }
    if (given.reserved != 0) { refuse(THRONG_WRONG_VALUE, "settings.reserved"); }
    for (std::size_t a = 0; a < Dim; ++a) {
        settings.periodic[a] = (given.periodic >> a & 1) != 0;
    }
    return settings;
}

/// Reads a neighbourhood for questions of owned agents. Refuses any order but that by local id.
AllAgents asked_by_id(const throng_neighbourhood* from) {
    const AllAgents given(from);
    if (given.order != Order::ids) { refuse(THRONG_WRONG_VALUE, "neighbourhood.order"); }
    return given;
}

/// Reads a pairing for a call that finds only overlaps. Refuses a distance.
Pairing overlaps(const throng_pairing* from) {
    const Pairing given(from);
    if (!(given.within < 0.0f)) { refuse(THRONG_WRONG_VALUE, "pairing.within"); }
    return given;
}

constexpr Names kCreate = {.half_extents = "settings.common_half_extent", .bounds = "settings.low"};
constexpr Names kBalance = {.counts = "work"};

/// Calls call(crowd, share) with a share of the crowd's dimension.
template <class Call>
decltype(auto) with_share(DistributedObject& crowd, const throng_share* share, const Call& call) {
    ShareObject& object = look_up(share, "share");
    return crowd.visit(
        [&]<std::size_t Dim>(DistributedGrid<Dim>& of) { return call(of, object.of<Dim>()); });
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_distributed_create(throng_ranks* ranks,
                                        const throng_distributed_settings* settings,
                                        throng_distributed** out) {
    return guarded([&] {
        const RanksObject& job = look_up(ranks, "ranks");
        throng_distributed* made = nullptr;
        throng_status status = kOk;
        // All steps that may fail come before the collective call; if one fails, the other ranks
        // are told.
        try {
            const throng_distributed_settings given = read(settings, "settings");
            if (given.dimension != 2 && given.dimension != 3) {
                refuse(THRONG_WRONG_DIMENSION, "settings.dimension");
            }
            check_out(out, "out");
            hand_out(std::make_unique<DistributedObject>(job.ranks, given.dimension), made);
            status =
                look_up(made, "out").visit([&]<std::size_t Dim>(throng::DistributedGrid<Dim>& of) {
                    return status_of(of.configure(settings_of<Dim>(given)), kCreate);
                });
        } catch (...) {
            status = status_of_exception();
            (void)throng::Agreement(*job.ranks).settle(~std::uint64_t{0}, {});
        }
        if (status.code == THRONG_OK) {
            *out = made;
        } else {
            (void)end(made, "out");
        }
        return status;
    });
}

throng_status throng_distributed_destroy(throng_distributed* crowd) { return end(crowd, "crowd"); }

throng_status throng_distributed_name(throng_distributed* crowd, throng_share* share) {
    return together(crowd, [&](DistributedObject& object) {
        return status_of(
            with_share(object, share, [](auto& of, auto& mine) { return of.name(mine); }));
    });
}

throng_status throng_distributed_update(throng_distributed* crowd, throng_share* share,
                                        throng_executor* executor) {
    return together(crowd, [&](DistributedObject& object) {
        const auto on = executor_of_rank(executor);
        return status_of(
            with_share(object, share, [&](auto& of, auto& mine) { return of.update(mine, *on); }));
    });
}

throng_status throng_distributed_balance(throng_distributed* crowd, const uint32_t* work,
                                         size_t count, throng_executor* executor) {
    return together(crowd, [&](DistributedObject& object) {
        const auto on = executor_of_rank(executor);
        const auto given = array_of<const std::uint32_t>(work, count, "work", "count");
        return status_of(object.visit([&](auto& of) { return of.balance(*on, given); }), kBalance);
    });
}

throng_status throng_distributed_save(throng_distributed* crowd, const throng_share* share,
                                      const char* folder) {
    return together(crowd, [&](DistributedObject& object) {
        check_pointer(folder, 0, "folder");
        return status_of(with_share(
            object, share, [&](auto& of, auto& mine) { return throng::save(of, mine, folder); }));
    });
}

throng_status throng_distributed_load(throng_distributed* crowd, throng_share* share,
                                      const char* folder, throng_executor* executor) {
    return together(crowd, [&](DistributedObject& object) {
        check_pointer(folder, 0, "folder");
        const auto on = executor_of_rank(executor);
        return status_of(with_share(object, share, [&](auto& of, auto& mine) {
            return throng::load(of, mine, folder, *on);
        }));
    });
}

throng_status throng_distributed_set_statics(throng_distributed* crowd,
                                             const throng_agents* statics,
                                             throng_executor* executor) {
    return together(crowd, [&](DistributedObject& object) {
        const AgentsReader given(statics, kStatics);
        const auto on = executor_of_rank(executor);
        return object.visit([&]<std::size_t Dim>(throng::DistributedGrid<Dim>& of) {
            return given.with_floats<Dim>(
                [&](const auto& all) { return of.set_statics(all, *on); });
        });
    });
}

throng_status throng_distributed_neighbours(throng_distributed* crowd,
                                            const throng_neighbourhood* neighbourhood,
                                            throng_executor* executor, throng_hits* out) {
    return guarded([&] {
        DistributedObject& object = look_up(crowd, "crowd");
        const AllAgents asked = asked_by_id(neighbourhood);
        const auto on = executor_of_rank(executor);
        throng_hits hits = read(out, "out");
        const throng::Status status = object.visit([&](auto& of) {
            return of.neighbours(asked.neighbourhood, object.hits, *on, asked.sets);
        });
        if (status.ok()) {
            hits.offsets = object.hits.offsets.data();
            hits.ids = object.hits.ids.data();
            hits.count = object.hits.offsets.size() - 1;
            hits.total = object.hits.total();
            write(hits, out);
        }
        return status_of(status);
    });
}

throng_status throng_distributed_count_neighbours(throng_distributed* crowd,
                                                  const throng_neighbourhood* neighbourhood,
                                                  throng_executor* executor, uint32_t* counts,
                                                  size_t room) {
    return guarded([&] {
        DistributedObject& object = look_up(crowd, "crowd");
        const AllAgents asked = asked_by_id(neighbourhood);
        const auto on = executor_of_rank(executor);
        const auto to = array_of<std::uint32_t>(counts, room, "counts", "room");
        return object.visit([&](auto& of) {
            const std::size_t owned = of.stats().owned;
            if (to.size() < owned) { return status_with(THRONG_NO_ROOM, "counts", owned); }
            return status_of(
                of.count_neighbours(asked.neighbourhood, to.first(owned), *on, asked.sets));
        });
    });
}

throng_status throng_distributed_pairs(throng_distributed* crowd, const throng_pairing* pairing,
                                       throng_executor* executor, throng_pairs* out) {
    return guarded([&] {
        DistributedObject& object = look_up(crowd, "crowd");
        const auto on = executor_of_rank(executor);
        const Pairing wanted = overlaps(pairing);
        throng_pairs pairs = read(out, "out");
        const throng::Status status = object.visit([&](auto& of) {
            return of.pairs(object.pairs, *on, wanted.groups, wanted.sets, wanted.body);
        });
        if (status.ok()) {
            pairs.first = object.pairs.first.data();
            pairs.second = object.pairs.second.data();
            pairs.total = object.pairs.count;
            write(pairs, out);
        }
        return status_of(status, kPairing);
    });
}

throng_status throng_distributed_count_pairs(throng_distributed* crowd,
                                             const throng_pairing* pairing,
                                             throng_executor* executor, uint64_t* pairs) {
    return together(crowd, [&](DistributedObject& object) {
        const auto on = executor_of_rank(executor);
        const Pairing wanted = overlaps(pairing);
        check_out(pairs, "pairs");
        return status_of(object.visit([&](auto& of) {
            return of.count_pairs(*pairs, *on, wanted.groups, wanted.sets, wanted.body);
        }),
                         kPairing);
    });
}

throng_status throng_distributed_size(throng_distributed* crowd, uint64_t* agents) {
    return together(crowd, [&](DistributedObject& object) {
        check_out(agents, "agents");
        return status_of(object.visit([&](auto& of) { return of.size(*agents); }));
    });
}

throng_status throng_distributed_get(const throng_distributed* crowd,
                                     throng_distributed_facts* out) {
    return guarded([&] {
        DistributedObject& object = look_up(crowd, "crowd");
        throng_distributed_facts facts = read(out, "out");
        facts.dimension = object.dimension();
        object.visit([&]<std::size_t Dim>(throng::DistributedGrid<Dim>& of) {
            const throng::DistributedStats& stats = of.stats();
            const throng::Brick<Dim> brick = of.brick();
            for (std::size_t a = 0; a < 3; ++a) {
                facts.first[a] = a < Dim ? brick.first[a] : 0;
                facts.cells[a] = a < Dim ? brick.cells[a] : 0;
            }
            facts.refused_by = of.refused_by();
            facts.owned = stats.owned;
            facts.ghosts = stats.ghosts;
            facts.giants = stats.giants;
            facts.statics = stats.statics;
            facts.left = stats.left;
            facts.came = stats.came;
            facts.neighbours = stats.neighbours;
            facts.asked = stats.asked;
            facts.answered = stats.answered;
            facts.bytes = of.memory();
            facts.imbalance = stats.imbalance;
            facts.next_imbalance = stats.next_imbalance;
        });
        write(facts, out);
        return kOk;
    });
}

throng_status throng_distributed_owner_of(const throng_distributed* crowd, const float* point,
                                          uint32_t* rank) {
    return guarded([&] {
        DistributedObject& object = look_up(crowd, "crowd");
        check_out(point, "point");
        check_out(rank, "rank");
        object.visit([&]<std::size_t Dim>(throng::DistributedGrid<Dim>& of) {
            throng::Point<Dim> place;
            for (std::size_t a = 0; a < Dim; ++a) {
                if (point[a] != point[a]) { refuse(THRONG_NOT_FINITE, "point"); }
                place[a] = point[a];
            }
            *rank = of.owner_of(place);
        });
        return kOk;
    });
}
