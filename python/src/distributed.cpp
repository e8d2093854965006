// Crowds over the ranks of a job, for Python.
#include "arguments.hpp"
#include "arrays/block.hpp"
#include "asked.hpp"
#include "changes.hpp"
#include "classes.hpp"
#include "refusal.hpp"
#include "share.hpp"
#include "threads/gil.hpp"

#include <throng/distributed/checkpoint.hpp>
#include <throng/distributed/distributed_grid.hpp>
#include <throng/distributed/one_rank.hpp>
#include <throng/distributed/ranks.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace throng::python {

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

template <std::size_t Dim>
DistributedSettings<Dim> settings_of_job(const Keywords& from) {
    DistributedSettings<Dim> settings;
    const auto point = [&](const char* key) {
        const py::object value = from[key];
        return is_number(value) ? Point<Dim>::all(float_from(value, key))
                                : Numbers<Dim>(value, key).point();
    };
    const auto bounds = py::reinterpret_borrow<py::sequence>(from["bounds"]);
    settings.bounds = {Numbers<Dim>(py::object(bounds[0]), "bounds[0]").point(),
                       Numbers<Dim>(py::object(bounds[1]), "bounds[1]").point()};
    settings.cell = point("cell");
    settings.reach = from.number("reach");
    settings.kind.own_half_extents = from.truth("own_half_extents");
    if (!settings.kind.own_half_extents) {
        settings.kind.common_half_extent = point("half_extent");
    }
    settings.kind.groups = from.truth("groups");
    settings.imbalance = from.number("imbalance");
    settings.most_agents = from.number("most_agents");
    settings.periodic = axes_from<Dim>(from["periodic"]);
    return settings;
}

GlobalNearest global_nearest_from(const Keywords& named) {
    GlobalNearest nearest;
    nearest.k = named.whole("k");
    nearest.radius = named.number("radius");
    nearest.least = named.number("least");
    nearest.body = body_from(named["body"]);
    const py::object band = named["band"], after = named["after"];
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

/// Calls wait for each other. A collective call is not ended by Ctrl-C: the other ranks would wait.
template <std::size_t Dim>
class OwnDistributed {
    using Mine = OwnShare<Dim>;

public:
    OwnDistributed(std::shared_ptr<Ranks> ranks, const TeamKind& team)
        : ranks_(std::move(ranks)), team_(Team::of(team)), crowd_(*ranks_) {}

    void configure(const Keywords& settings) {
        const DistributedSettings<Dim> wanted = settings_of_job<Dim>(settings);
        run([&](Executor&) { return crowd_.configure(wanted); });
    }
    void name(Mine& mine) {
        const typename Mine::Use use(mine);
        run([&](Executor&) { return crowd_.name(use.share()); });
    }
    void update(Mine& mine) {
        const typename Mine::Use use(mine);
        run([&](Executor& executor) { return crowd_.update(use.share(), executor); });
    }
    void set_statics(py::handle positions, py::handle half_extents, py::handle groups) {
        const AllAgents<Dim> statics(positions, half_extents, groups, Doubles::never);
        const Agents<Dim> all = statics.floats();
        run([&](Executor& executor) { return crowd_.set_statics(all, executor); });
    }
    void balance(py::handle work) {
        std::span<const std::uint32_t> numbers;
        std::optional<Array> array;
        if (!work.is_none()) {
            const Expected expected = {"work", "None, or a contiguous uint32 array"};
            array.emplace(work, expected);
            if (array->element() != Element::uint32) { refuse_type(expected, work); }
            if (array->dimensions() != 1 || !array->in_one_piece()) {
                refuse_shape(expected, work);
            }
            numbers = {array->data<std::uint32_t>(), array->extent(0)};
        }
        run([&](Executor& executor) { return crowd_.balance(executor, numbers); });
    }
    void save(Mine& mine, const std::string& folder) {
        const typename Mine::Use use(mine);
        run([&](Executor&) { return throng::save(crowd_, use.share(), folder.c_str()); });
    }
    void load(Mine& mine, const std::string& folder) {
        const typename Mine::Use use(mine);
        run([&](Executor& executor) {
            return throng::load(crowd_, use.share(), folder.c_str(), executor);
        });
    }

    // Of all agents. Ids are local ones.

    [[nodiscard]] py::tuple neighbours(const Around& around) {
        const auto hits = std::make_shared<Hits>();
        run([&](Executor& executor) {
            return crowd_.neighbours(around.neighbourhood, *hits, executor, around.sets);
        });
        return blocks_of(hits);
    }
    [[nodiscard]] py::object count_neighbours(const Around& around) {
        const auto counts = std::make_shared<std::vector<std::uint32_t>>();
        run([&](Executor& executor) {
            counts->resize(crowd_.stats().owned);
            return crowd_.count_neighbours(around.neighbourhood, *counts, executor, around.sets);
        });
        return block_of(counts, *counts);
    }
    [[nodiscard]] py::tuple pairs(const Pairing& pairing) {
        const auto pairs = std::make_shared<Pairs>();
        run([&](Executor& executor) {
            return crowd_.pairs(*pairs, executor, pairing.groups, pairing.sets, pairing.body);
        });
        return py::make_tuple(block_of(pairs, pairs->first.data(), pairs->count),
                              block_of(pairs, pairs->second.data(), pairs->count));
    }
    [[nodiscard]] std::uint64_t count_pairs(const Pairing& pairing) {
        std::uint64_t count = 0;
        run([&](Executor& executor) {
            return crowd_.count_pairs(count, executor, pairing.groups, pairing.sets, pairing.body);
        });
        return count;
    }
    [[nodiscard]] std::uint64_t size() {
        std::uint64_t count = 0;
        run([&](Executor&) { return crowd_.size(count); });
        return count;
    }

    // Of any place. Ids are global ones.

    [[nodiscard]] py::tuple query(const GivenShapes& given, const Leaving& leaving) {
        const auto hits = std::make_shared<GlobalHits>();
        ask(given, leaving, [&](const auto& shapes, Executor& executor) {
            return crowd_.query(shapes, *hits, filters_, executor, leaving.sets);
        });
        return py::make_tuple(block_of(hits, hits->offsets), block_of(hits, hits->ids));
    }
    /// With `any` ones where there is an agent.
    [[nodiscard]] py::object count(bool any, const GivenShapes& given, const Leaving& leaving) {
        const auto counts = std::make_shared<std::vector<std::uint64_t>>();
        ask(given, leaving, [&](const auto& shapes, Executor& executor) {
            counts->resize(shapes.count);
            return any ? crowd_.any(shapes, *counts, filters_, executor, leaving.sets)
                       : crowd_.count(shapes, *counts, filters_, executor, leaving.sets);
        });
        return block_of(counts, *counts);
    }
    [[nodiscard]] py::tuple nearest(py::handle points, const Keywords& named) {
        const auto hits = std::make_shared<GlobalNearHits>();
        const GlobalNearest nearest = global_nearest_from(named);
        const Leaving leaving = Leaving::from(named.all());
        run(
            [&](Executor& executor) {
                return crowd_.nearest(shapes_.points, nearest, *hits, filters_, executor,
                                      leaving.sets);
            },
            [&] {
                read_points(points, world_, Doubles::never, shapes_);
                leave_out(leaving, shapes_.points.size());
            });
        return blocks_of_near<GlobalNear>(hits);
    }
    [[nodiscard]] py::tuple nearest_neighbours(const Keywords& named) {
        const auto hits = std::make_shared<GlobalNearHits>();
        NearestNeighbours nearest;
        nearest.k = named.whole("k");
        nearest.radius = named.number("radius");
        nearest.groups = named.whole("groups");
        const Sets sets = sets_from(named["sets"]);
        run([&](Executor& executor) {
            return crowd_.nearest_neighbours(nearest, *hits, executor, sets);
        });
        return blocks_of_near<GlobalNear>(hits);
    }
    [[nodiscard]] py::tuple first(const GivenShapes& given, const Leaving& leaving) {
        const auto met = std::make_shared<std::vector<GlobalMeeting>>();
        ask(given.as_paths(), leaving, [&](const auto& paths, Executor& executor) {
            return crowd_.first(paths, *met, filters_, executor, leaving.sets);
        });
        return py::make_tuple(block_of_each<&GlobalMeeting::time>(met, *met),
                              block_of_each<&GlobalMeeting::id>(met, *met));
    }
    /// Offsets, times and ids.
    [[nodiscard]] py::tuple meetings(const GivenShapes& given, const Leaving& leaving) {
        const auto all = std::make_shared<GlobalMeetings>();
        ask(given.as_paths(), leaving, [&](const auto& paths, Executor& executor) {
            return crowd_.meetings(paths, *all, filters_, executor, leaving.sets);
        });
        return py::make_tuple(block_of(all, all->offsets),
                              block_of_each<&GlobalMeeting::time>(all, all->meetings),
                              block_of_each<&GlobalMeeting::id>(all, all->meetings));
    }

    /// What this rank was given is nothing to call with: the others hear so, and do not wait.
    void abstain() {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        const WithoutGil without_gil;
        (void)crowd_.abstain();
    }

    [[nodiscard]] std::uint32_t owner_of(py::handle point) {
        const Point<Dim> place = Numbers<Dim>(point, "point").point();
        for (std::size_t a = 0; a < Dim; ++a) {
            if (place[a] != place[a]) { refuse_value("point", "is NaN"); }
        }
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        return crowd_.owner_of(place);
    }
    [[nodiscard]] py::tuple brick() {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        const Brick<Dim> brick = crowd_.brick();
        py::tuple first(Dim), cells(Dim);
        for (std::size_t a = 0; a < Dim; ++a) {
            first[a] = brick.first[a];
            cells[a] = brick.cells[a];
        }
        return py::make_tuple(first, cells);
    }
    [[nodiscard]] py::dict stats() {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        const DistributedStats& stats = crowd_.stats();
        using namespace py::literals;
        return py::dict("owned"_a = stats.owned, "ghosts"_a = stats.ghosts,
                        "giants"_a = stats.giants, "statics"_a = stats.statics,
                        "left"_a = stats.left, "came"_a = stats.came,
                        "neighbours"_a = stats.neighbours, "routed"_a = stats.routed,
                        "asked"_a = stats.asked, "answered"_a = stats.answered,
                        "imbalance"_a = stats.imbalance, "next_imbalance"_a = stats.next_imbalance);
    }
    [[nodiscard]] std::size_t memory() {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        return crowd_.memory();
    }

private:
    /// Calls read(), and runs work(executor), which returns a Status, without the GIL; as the only
    /// call.
    template <class Work, class Read>
    void run(const Work& work, const Read& read) {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        read();
        const Status status = [&] {
            const WithoutGil without_gil;
            return work(team_->executor());
        }();
        check(status);
    }
    template <class Work>
    void run(const Work& work) {
        run(work, [] {});
    }
    /// Reads shapes and filters, and runs work(shapes, executor) likewise.
    template <class Work>
    void ask(const GivenShapes& given, const Leaving& leaving, const Work& work) {
        ShapesView<Dim> shapes;
        run([&](Executor& executor) { return work(shapes, executor); },
            [&] {
                shapes = read_shapes(given, world_, Doubles::never, shapes_);
                leave_out(leaving, shapes.count);
            });
    }
    /// Reads the filters of so many questions.
    void leave_out(const Leaving& leaving, std::size_t questions) {
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
                names ? ValueView<GlobalId>{names->data<void>(), names->stride(0), questions}[q]
                      : name;
            filters_.push_back({masks.one_for_all() ? masks.of_all() : masks.view()[q], left_out});
        }
    }

    std::shared_ptr<Ranks> ranks_;
    std::shared_ptr<Team> team_;
    Turnstile turnstile_;
    DistributedGrid<Dim> crowd_;
    Crowd<Dim> world_; ///< in whose coordinates shapes are read: it has no origin
    ShapeArrays<Dim> shapes_;
    std::vector<GlobalFilter> filters_;
};

template <std::size_t Dim>
void distributed_class(py::module_& module, const char* name) {
    using Self = OwnDistributed<Dim>;
    py::class_<Self>(module, name, "A crowd over the ranks of a job.")
        .def(py::init<std::shared_ptr<Ranks>, const TeamKind&>())
        .def("configure", &Self::configure)
        .def("name", &Self::name)
        .def("update", &Self::update)
        .def("set_statics", &Self::set_statics)
        .def("balance", &Self::balance)
        .def("save", &Self::save)
        .def("load", &Self::load)
        .def("neighbours", &Self::neighbours)
        .def("count_neighbours", &Self::count_neighbours)
        .def("pairs", &Self::pairs)
        .def("count_pairs", &Self::count_pairs)
        .def("size", &Self::size)
        .def("query", &Self::query)
        .def("count", &Self::count)
        .def("nearest", &Self::nearest)
        .def("nearest_neighbours", &Self::nearest_neighbours)
        .def("first", &Self::first)
        .def("meetings", &Self::meetings)
        .def("abstain", &Self::abstain)
        .def("owner_of", &Self::owner_of)
        .def("brick", &Self::brick)
        .def("stats", &Self::stats)
        .def("memory", &Self::memory);
}

} // namespace

void define_ranks(py::module_& module) {
    py::class_<Ranks, std::shared_ptr<Ranks>>(module, "Ranks", "The ranks of a job.")
        .def("rank", &Ranks::rank)
        .def("size", &Ranks::size);
    // The same where there is no crowd yet.
    module.def("abstain", [](Ranks& ranks) {
        const WithoutGil without_gil;
        (void)DistributedGrid<2>(ranks).abstain();
    });
    py::class_<OneRank, Ranks, std::shared_ptr<OneRank>>(module, "OneRank", "A job of one process.")
        .def(py::init<>());
}

void define_distributed(py::module_& module) {
    distributed_class<2>(module, "Distributed2");
    distributed_class<3>(module, "Distributed3");
}

} // namespace throng::python
