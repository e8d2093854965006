#include "distributed.hpp"

#include "arrays/block.hpp"
#include "asked.hpp"
#include "changes.hpp"
#include "refusal.hpp"
#include "threads/gil.hpp"

#include <throng/distributed/one_rank.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace throng::python {

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

template <std::size_t Dim>
DistributedSettings<Dim> settings_from(const py::dict& from) {
    DistributedSettings<Dim> settings;
    const auto point = [&](const char* key) {
        const py::object value = from[key];
        return is_number(value) ? Point<Dim>::all(float_from(value, key))
                                : Numbers<Dim>(value, key).point();
    };
    settings.bounds = {Numbers<Dim>(from["low"], "bounds[0]").point(),
                       Numbers<Dim>(from["high"], "bounds[1]").point()};
    settings.cell = point("cell");
    settings.reach = float_from(from["reach"], "reach");
    settings.kind.own_half_extents = truth_of(from["own_half_extents"]);
    if (!settings.kind.own_half_extents) {
        settings.kind.common_half_extent = point("half_extent");
    }
    settings.kind.groups = truth_of(from["groups"]);
    settings.imbalance = float_from(from["imbalance"], "imbalance");
    settings.most_agents = float_from(from["most_agents"], "most_agents");
    return settings;
}

template <class Answer>
py::tuple blocks_of_near(const std::shared_ptr<Answer>& hits) {
    GlobalNear* const first = hits->nearest.data();
    const std::size_t questions = hits->counts.size();
    return py::make_tuple(block_of_rows(hits, first == nullptr ? nullptr : &first->id, questions,
                                        hits->k, sizeof(GlobalNear)),
                          block_of_rows(hits, first == nullptr ? nullptr : &first->distance2,
                                        questions, hits->k, sizeof(GlobalNear)),
                          block_of(hits, hits->counts.data(), questions));
}

/// Blocks of times and ids.
py::tuple blocks_of_meetings(const std::shared_ptr<const void>& owner,
                             std::vector<GlobalMeeting>& meetings) {
    GlobalMeeting* const first = meetings.data();
    return py::make_tuple(block_of(owner, first == nullptr ? nullptr : &first->time,
                                   meetings.size(), sizeof(GlobalMeeting)),
                          block_of(owner, first == nullptr ? nullptr : &first->id, meetings.size(),
                                   sizeof(GlobalMeeting)));
}

GlobalNearest nearest_from(std::uint32_t k, float radius, float least, const py::object& band,
                           const py::object& after, const py::object& body) {
    GlobalNearest nearest;
    nearest.k = k;
    nearest.radius = radius;
    nearest.least = least;
    nearest.body = body_from(body);
    if (!band.is_none()) {
        const auto [below, above] = band.cast<std::pair<float, float>>();
        nearest.band.below = below;
        nearest.band.above = above;
    }
    if (!after.is_none()) {
        const auto [distance2, id] = after.cast<std::pair<float, std::uint64_t>>();
        nearest.after = {distance2, id};
    }
    return nearest;
}

} // namespace

template <std::size_t Dim>
OwnDistributed<Dim>::OwnDistributed(std::shared_ptr<Ranks> ranks, const TeamKind& team)
    : ranks_(std::move(ranks)), team_(Team::of(team)), crowd_(*ranks_) {}

template <std::size_t Dim>
template <class Work>
void OwnDistributed<Dim>::run(const Work& work, const char* radius) {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    const Status status = [&] {
        const WithoutGil without_gil;
        return work(crowd_, team_->executor());
    }();
    check(status, {Argument::radius, radius});
}

template <std::size_t Dim>
void OwnDistributed<Dim>::leave_out(const Leaving& leaving, std::size_t questions) {
    const py::object& without = leaving.without;
    const Values<std::uint32_t> masks(leaving.groups, "groups", questions, Argument::filters);
    std::optional<Array> names;
    GlobalId name = kNoGlobalId;
    if (is_number(without)) {
        name = whole_from(without, "without", kMost);
    } else {
        const Expected expected = {"without", "a number, or a uint64 array of shape (" +
                                                  std::to_string(questions) + ",)"};
        names.emplace(without, expected);
        if (names->element() != Element::uint64) { refuse_type(expected, without); }
        if (names->dimensions() != 1 || names->extent(0) != questions) {
            refuse_shape(expected, without);
        }
    }
    filters_.clear();
    if (masks.one_for_all() && !names) {
        filters_.push_back({masks.of_all(), name});
        return;
    }
    for (std::size_t q = 0; q < questions; ++q) {
        const GlobalId left_out =
            names ? ValueView<GlobalId>{names->data<void>(), names->stride(0), questions}[q] : name;
        filters_.push_back({masks.one_for_all() ? masks.of_all() : masks.view()[q], left_out});
    }
}

template <std::size_t Dim>
template <class Work>
void OwnDistributed<Dim>::ask(ShapeKind kind, const py::tuple& parts, const Leaving& leaving,
                              const Work& work) {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    read_shapes(kind, parts, world_, Doubles::never, shapes_);
    const std::size_t questions =
        with_shapes(kind, shapes_, [](const auto& shapes) { return shapes.size(); });
    leave_out(leaving, questions);
    const Status status = [&] {
        const WithoutGil without_gil;
        return with_shapes(kind, shapes_, [&](const auto& shapes) {
            return work(crowd_, shapes, std::span<const GlobalFilter>(filters_), team_->executor());
        });
    }();
    check(status);
}

template <std::size_t Dim>
void OwnDistributed<Dim>::configure(const py::dict& settings) {
    const DistributedSettings<Dim> wanted = settings_from<Dim>(settings);
    run([&](auto& crowd, Executor&) { return crowd.configure(wanted); });
}

template <std::size_t Dim>
void OwnDistributed<Dim>::name(OwnShare<Dim>& mine) {
    const typename OwnShare<Dim>::Use use(mine);
    run([&](auto& crowd, Executor&) { return crowd.name(use.share()); });
}

template <std::size_t Dim>
void OwnDistributed<Dim>::update(OwnShare<Dim>& mine) {
    const typename OwnShare<Dim>::Use use(mine);
    run([&](auto& crowd, Executor& executor) { return crowd.update(use.share(), executor); });
}

template <std::size_t Dim>
void OwnDistributed<Dim>::set_statics(py::handle positions, py::handle half_extents,
                                      py::handle groups) {
    const AllAgents<Dim> statics(positions, half_extents, groups, Doubles::never);
    const Agents<Dim> all = statics.floats();
    run([&](auto& crowd, Executor& executor) { return crowd.set_statics(all, executor); });
}

template <std::size_t Dim>
void OwnDistributed<Dim>::balance(py::handle work) {
    std::span<const std::uint32_t> numbers;
    std::optional<Array> array;
    if (!work.is_none()) {
        const Expected expected = {"work", "None, or a contiguous uint32 array"};
        array.emplace(work, expected);
        if (array->element() != Element::uint32) { refuse_type(expected, work); }
        if (array->dimensions() != 1 || !array->in_one_piece()) { refuse_shape(expected, work); }
        numbers = {array->data<std::uint32_t>(), array->extent(0)};
    }
    run([&](auto& crowd, Executor& executor) { return crowd.balance(executor, numbers); });
}

template <std::size_t Dim>
void OwnDistributed<Dim>::save(OwnShare<Dim>& mine, const std::string& folder) {
    const typename OwnShare<Dim>::Use use(mine);
    run([&](auto& crowd, Executor&) { return throng::save(crowd, use.share(), folder.c_str()); });
}

template <std::size_t Dim>
void OwnDistributed<Dim>::load(OwnShare<Dim>& mine, const std::string& folder) {
    const typename OwnShare<Dim>::Use use(mine);
    run([&](auto& crowd, Executor& executor) {
        return throng::load(crowd, use.share(), folder.c_str(), executor);
    });
}

template <std::size_t Dim>
py::tuple OwnDistributed<Dim>::neighbours(const Neighbourhood& neighbourhood, Sets sets) {
    const auto hits = std::make_shared<Hits>();
    run([&](auto& crowd, Executor& executor) {
        return crowd.neighbours(neighbourhood, *hits, executor, sets);
    });
    return blocks_of(hits);
}

template <std::size_t Dim>
py::object OwnDistributed<Dim>::count_neighbours(const Neighbourhood& neighbourhood, Sets sets) {
    const auto counts = std::make_shared<std::vector<std::uint32_t>>();
    run([&](auto& crowd, Executor& executor) {
        counts->resize(crowd.stats().owned);
        return crowd.count_neighbours(neighbourhood, *counts, executor, sets);
    });
    return block_of(counts, counts->data(), counts->size());
}

template <std::size_t Dim>
py::tuple OwnDistributed<Dim>::pairs(std::uint32_t groups, PairSets sets, Body body) {
    const auto pairs = std::make_shared<Pairs>();
    run([&](auto& crowd, Executor& executor) {
        return crowd.pairs(*pairs, executor, groups, sets, body);
    });
    return py::make_tuple(block_of(pairs, pairs->first.data(), pairs->count),
                          block_of(pairs, pairs->second.data(), pairs->count));
}

template <std::size_t Dim>
std::uint64_t OwnDistributed<Dim>::count_pairs(std::uint32_t groups, PairSets sets, Body body) {
    std::uint64_t count = 0;
    run([&](auto& crowd, Executor& executor) {
        return crowd.count_pairs(count, executor, groups, sets, body);
    });
    return count;
}

template <std::size_t Dim>
std::uint64_t OwnDistributed<Dim>::size() {
    std::uint64_t count = 0;
    run([&](auto& crowd, Executor&) { return crowd.size(count); });
    return count;
}

template <std::size_t Dim>
py::tuple OwnDistributed<Dim>::query(ShapeKind kind, const py::tuple& parts,
                                     const Leaving& leaving) {
    const auto hits = std::make_shared<GlobalHits>();
    ask(kind, parts, leaving,
        [&](auto& crowd, const auto& shapes, auto filters, Executor& executor) {
            return crowd.query(shapes, *hits, filters, executor, leaving.sets);
        });
    return py::make_tuple(block_of(hits, hits->offsets.data(), hits->offsets.size()),
                          block_of(hits, hits->ids.data(), hits->ids.size()));
}

template <std::size_t Dim>
py::object OwnDistributed<Dim>::count(bool any, ShapeKind kind, const py::tuple& parts,
                                      const Leaving& leaving) {
    const auto counts = std::make_shared<std::vector<std::uint64_t>>();
    ask(kind, parts, leaving,
        [&](auto& crowd, const auto& shapes, auto filters, Executor& executor) {
            counts->resize(shapes.size());
            return any ? crowd.any(shapes, *counts, filters, executor, leaving.sets)
                       : crowd.count(shapes, *counts, filters, executor, leaving.sets);
        });
    return block_of(counts, counts->data(), counts->size());
}

template <std::size_t Dim>
py::tuple OwnDistributed<Dim>::nearest(py::handle points, const GlobalNearest& nearest,
                                       const Leaving& leaving) {
    const auto hits = std::make_shared<GlobalNearHits>();
    {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        read_points(points, world_, Doubles::never, shapes_);
        leave_out(leaving, shapes_.points.size());
        const Status status = [&] {
            const WithoutGil without_gil;
            return crowd_.nearest(shapes_.points, nearest, *hits, filters_, team_->executor(),
                                  leaving.sets);
        }();
        check(status);
    }
    return blocks_of_near(hits);
}

template <std::size_t Dim>
py::tuple OwnDistributed<Dim>::nearest_neighbours(const NearestNeighbours& nearest, Sets sets) {
    const auto hits = std::make_shared<GlobalNearHits>();
    run([&](auto& crowd, Executor& executor) {
        return crowd.nearest_neighbours(nearest, *hits, executor, sets);
    });
    return blocks_of_near(hits);
}

template <std::size_t Dim>
py::tuple OwnDistributed<Dim>::first(ShapeKind kind, const py::tuple& parts,
                                     const Leaving& leaving) {
    const auto met = std::make_shared<std::vector<GlobalMeeting>>();
    ask(kind, parts, leaving, [&](auto& crowd, const auto&, auto filters, Executor& executor) {
        return with_paths(kind, shapes_, [&](const auto& paths) {
            return crowd.first(paths, *met, filters, executor, leaving.sets);
        });
    });
    return blocks_of_meetings(met, *met);
}

template <std::size_t Dim>
py::tuple OwnDistributed<Dim>::meetings(ShapeKind kind, const py::tuple& parts,
                                        const Leaving& leaving) {
    const auto all = std::make_shared<GlobalMeetings>();
    ask(kind, parts, leaving, [&](auto& crowd, const auto&, auto filters, Executor& executor) {
        return with_paths(kind, shapes_, [&](const auto& paths) {
            return crowd.meetings(paths, *all, filters, executor, leaving.sets);
        });
    });
    return py::make_tuple(block_of(all, all->offsets.data(), all->offsets.size()),
                          blocks_of_meetings(all, all->meetings));
}

template <std::size_t Dim>
void OwnDistributed<Dim>::abstain() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    const WithoutGil without_gil;
    (void)crowd_.abstain();
}

template <std::size_t Dim>
std::uint32_t OwnDistributed<Dim>::owner_of(py::handle point) {
    const Point<Dim> place = Numbers<Dim>(point, "point").point();
    for (std::size_t a = 0; a < Dim; ++a) {
        if (place[a] != place[a]) { refuse_value("point", "is NaN"); }
    }
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    return crowd_.owner_of(place);
}

template <std::size_t Dim>
py::tuple OwnDistributed<Dim>::brick() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    const Brick<Dim> brick = crowd_.brick();
    py::tuple first(Dim), cells(Dim);
    for (std::size_t a = 0; a < Dim; ++a) {
        first[a] = brick.first[a];
        cells[a] = brick.cells[a];
    }
    return py::make_tuple(first, cells);
}

template <std::size_t Dim>
py::dict OwnDistributed<Dim>::stats() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    const DistributedStats& stats = crowd_.stats();
    using namespace py::literals;
    return py::dict("owned"_a = stats.owned, "ghosts"_a = stats.ghosts, "giants"_a = stats.giants,
                    "statics"_a = stats.statics, "left"_a = stats.left, "came"_a = stats.came,
                    "neighbours"_a = stats.neighbours, "routed"_a = stats.routed,
                    "asked"_a = stats.asked, "answered"_a = stats.answered,
                    "imbalance"_a = stats.imbalance, "next_imbalance"_a = stats.next_imbalance);
}

template <std::size_t Dim>
std::size_t OwnDistributed<Dim>::memory() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    return crowd_.memory();
}

void define_ranks(py::module_& module) {
    py::class_<Ranks, std::shared_ptr<Ranks>>(module, "Ranks", "The ranks of a job.")
        .def("rank", &Ranks::rank)
        .def("size", &Ranks::size);
    // abstain() for a rank that has no crowd yet.
    module.def("abstain", [](Ranks& ranks) {
        const WithoutGil without_gil;
        (void)DistributedGrid<2>(ranks).abstain();
    });
    py::class_<OneRank, Ranks, std::shared_ptr<OneRank>>(module, "OneRank", "A job of one process.")
        .def(py::init<>());
}

template <std::size_t Dim>
void define_distributed(py::module_& module, const char* name) {
    using Self = OwnDistributed<Dim>;
    const auto kind_from = [](unsigned kind) { return static_cast<ShapeKind>(kind); };
    const auto leaving = [](py::handle groups, py::handle without, py::handle sets) {
        return typename Self::Leaving{py::reinterpret_borrow<py::object>(groups),
                                      py::reinterpret_borrow<py::object>(without),
                                      sets_from(uint32_from(sets, "sets"))};
    };
    const auto pair_sets = [](py::handle sets) {
        return pair_sets_from(uint32_from(sets, "sets"));
    };
    py::class_<Self>(module, name, "A crowd over the ranks of a job.")
        .def(py::init([](std::shared_ptr<Ranks> ranks, py::handle threads, py::handle executor) {
            return std::make_unique<Self>(std::move(ranks), TeamKind::from(threads, executor));
        }))
        .def("configure", &Self::configure)
        .def("name", &Self::name)
        .def("update", &Self::update)
        .def("set_statics", &Self::set_statics)
        .def("balance", &Self::balance)
        .def("save", &Self::save)
        .def("load", &Self::load)
        .def("neighbours",
             [](Self& self, py::handle radius, py::handle with_self, py::handle groups,
                py::handle later_only, py::handle sets) {
                 return self.neighbours(
                     neighbourhood_from(radius, with_self, groups, later_only, Body::centre),
                     sets_from(uint32_from(sets, "sets")));
             })
        .def("count_neighbours",
             [](Self& self, py::handle radius, py::handle with_self, py::handle groups,
                py::handle later_only, py::handle sets) {
                 return self.count_neighbours(
                     neighbourhood_from(radius, with_self, groups, later_only, Body::centre),
                     sets_from(uint32_from(sets, "sets")));
             })
        .def("pairs",
             [pair_sets](Self& self, py::handle groups, py::handle sets, const py::object& body) {
                 return self.pairs(uint32_from(groups, "groups"), pair_sets(sets), body_from(body));
             })
        .def("count_pairs",
             [pair_sets](Self& self, py::handle groups, py::handle sets, const py::object& body) {
                 return self.count_pairs(uint32_from(groups, "groups"), pair_sets(sets),
                                         body_from(body));
             })
        .def("size", &Self::size)
        .def("query",
             [kind_from, leaving](Self& self, unsigned kind, const py::tuple& parts,
                                  py::handle groups, py::handle without, py::handle sets) {
                 return self.query(kind_from(kind), parts, leaving(groups, without, sets));
             })
        .def("count",
             [kind_from, leaving](Self& self, bool any, unsigned kind, const py::tuple& parts,
                                  py::handle groups, py::handle without, py::handle sets) {
                 return self.count(any, kind_from(kind), parts, leaving(groups, without, sets));
             })
        .def("nearest",
             [leaving](Self& self, py::handle points, py::handle k, py::handle radius,
                       py::handle least, const py::object& band, const py::object& after,
                       const py::object& body, py::handle groups, py::handle without,
                       py::handle sets) {
                 return self.nearest(points,
                                     nearest_from(uint32_from(k, "k"), float_from(radius, "radius"),
                                                  float_from(least, "least"), band, after, body),
                                     leaving(groups, without, sets));
             })
        .def("nearest_neighbours",
             [](Self& self, py::handle k, py::handle radius, py::handle groups, py::handle sets) {
                 NearestNeighbours nearest;
                 nearest.k = uint32_from(k, "k");
                 nearest.radius = float_from(radius, "radius");
                 nearest.groups = uint32_from(groups, "groups");
                 return self.nearest_neighbours(nearest, sets_from(uint32_from(sets, "sets")));
             })
        .def("first",
             [kind_from, leaving](Self& self, unsigned kind, const py::tuple& parts,
                                  py::handle groups, py::handle without, py::handle sets) {
                 return self.first(kind_from(kind), parts, leaving(groups, without, sets));
             })
        .def("meetings",
             [kind_from, leaving](Self& self, unsigned kind, const py::tuple& parts,
                                  py::handle groups, py::handle without, py::handle sets) {
                 return self.meetings(kind_from(kind), parts, leaving(groups, without, sets));
             })
        .def("abstain", &Self::abstain)
        .def("owner_of", &Self::owner_of)
        .def("brick", &Self::brick)
        .def("stats", &Self::stats)
        .def("memory", &Self::memory);
}

template class OwnDistributed<2>;
template class OwnDistributed<3>;
template void define_distributed<2>(py::module_&, const char*);
template void define_distributed<3>(py::module_&, const char*);

} // namespace throng::python
