#include "asked.hpp"

#include "arrays/out.hpp"
#include "classes.hpp"
#include "threads/gil.hpp"

#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/crowd/cell_stats.hpp>
#include <throng/engine/crowd/images.hpp>
#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/grid/query_stats.hpp>

#include <algorithm>
#include <string>

namespace throng::python {

namespace {

constexpr Called kWithin = {Argument::radius, "within"};

/// Questions about shapes.
template <std::size_t Dim>
struct Questions {
    throng::Asked<Dim> of;
    ShapesView<Dim> shapes;
    const Filters& filters;
    Tools<Dim>& tools;
};

template <std::size_t Dim>
Found find_pairs(Batch<Dim>& batch, const Crowd<Dim>& crowd, const Pairing& pairing,
                 const PairsOutput& out) {
    const PairsOf<Dim> all(crowd, pairing.sets);
    return pairing.within
               ? batch.pairs_within(all, *pairing.within, out, pairing.groups, pairing.body)
               : batch.pairs(all, out, pairing.groups, pairing.body);
}

void check_views(const GivenShapes& given) {
    const ShapeKind kind = given.kind();
    if (kind != ShapeKind::ball && kind != ShapeKind::sector) {
        throw py::type_error("shapes: expected Balls or Sectors");
    }
}

} // namespace

py::tuple blocks_of(const std::shared_ptr<Hits>& hits) {
    if (hits->offsets.empty()) { hits->offsets.push_back(0); }
    return py::make_tuple(
        block_of(hits, hits->offsets),
        block_of(hits, hits->ids.data(), static_cast<std::size_t>(hits->total())));
}

py::tuple blocks_of(const std::shared_ptr<NearHits>& hits) { return blocks_of_near<Near>(hits); }

template <std::size_t Dim>
Filters Asked<Dim>::filters_from(const Leaving& leaving, std::size_t questions,
                                 std::vector<Filter>& each) {
    const Values<std::uint32_t> groups(leaving.groups, "groups", questions, Argument::filters);
    const Values<std::uint32_t> without(leaving.without, "without", questions, Argument::filters);
    if (groups.one_for_all() && without.one_for_all()) {
        return Filter{groups.of_all(), without.of_all()};
    }
    const WithoutGil without_gil;
    each.resize(questions);
    for (std::size_t q = 0; q < questions; ++q) {
        each[q] = {groups.view()[q], without.view()[q]};
    }
    return each;
}

template <std::size_t Dim>
template <class Work>
auto Asked<Dim>::ask_with(const GivenShapes& given, const Leaving& leaving, Work&& work) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        const ShapesView<Dim> shapes = read_shapes(given, crowd, doubles(), tools.shapes);
        const Filters filters = filters_from(leaving, shapes.count, tools.filters);
        return work(Questions<Dim>{{crowd, leaving.sets}, shapes, filters, tools}, run);
    });
}

template <std::size_t Dim>
py::object Asked<Dim>::query(const GivenShapes& given, const Leaving& leaving, py::handle out,
                             OwnObstacles<Dim>* obstacles) {
    if (obstacles != nullptr) { check_views(given); }
    return ask_with(given, leaving, [&](const auto& asked, const auto& run) {
        const ListsOut lists(out, asked.shapes.count, workshop_->hits);
        return lists.result(run_past(
            obstacles, run,
            [&](Batch<Dim>& batch) {
                return batch.query(asked.of, asked.shapes, lists.output(), asked.filters);
            },
            [&](const Obstacles<Dim>& all) {
                return asked.tools.sight.query(asked.of, all, asked.shapes, lists.hits(),
                                               asked.filters, {leaving.hiding});
            }));
    });
}

template <std::size_t Dim>
py::object Asked<Dim>::count(const GivenShapes& given, const Leaving& leaving, py::handle out,
                             OwnObstacles<Dim>* obstacles) {
    if (obstacles != nullptr) { check_views(given); }
    return ask_with(given, leaving, [&](const auto& asked, const auto& run) {
        const CountsOut counts(out, Element::uint32, asked.shapes.count, workshop_->numbers);
        check(run_past(
            obstacles, run,
            [&](Batch<Dim>& batch) {
                return batch.count(asked.of, asked.shapes, counts.counts(), asked.filters);
            },
            [&](const Obstacles<Dim>& all) {
                return asked.tools.sight.count(asked.of, all, asked.shapes, counts.counts(),
                                               asked.filters, {leaving.hiding});
            }));
        return counts.result();
    });
}

template <std::size_t Dim>
py::object Asked<Dim>::any(const GivenShapes& given, const Leaving& leaving, py::handle out) {
    return ask_with(given, leaving, [&](const auto& asked, const auto& run) {
        const CountsOut counts(out, Element::boolean, asked.shapes.count, workshop_->numbers);
        check(run([&](Batch<Dim>& batch) {
            const Found found = batch.any(asked.of, asked.shapes, counts.counts(), asked.filters);
            if (found.status.ok()) { counts.make_flags(); }
            return found;
        }));
        return counts.result<bool>();
    });
}

template <std::size_t Dim>
py::tuple Asked<Dim>::first(const GivenShapes& given, const Leaving& leaving) {
    return ask_with(given.as_paths(), leaving, [&](const auto& asked, const auto& run) {
        const std::shared_ptr<std::vector<PathHit>> path_hits = workshop_->path_hits.lend();
        path_hits->resize(asked.shapes.count);
        check(run([&](Batch<Dim>& batch) {
            return batch.first(asked.of, asked.shapes, *path_hits, asked.filters);
        }));
        return py::make_tuple(block_of_each<&PathHit::id>(path_hits, *path_hits),
                              block_of_each<&PathHit::time>(path_hits, *path_hits));
    });
}

template <std::size_t Dim>
py::dict Asked<Dim>::explain(const GivenShapes& given, const Leaving& leaving) {
    return ask_with(given, leaving, [&](const auto& asked, const auto& run) {
        if (asked.shapes.count != 1) { check({Cause::count_mismatch, Argument::shapes}); }
        const CrowdStats stats = run([&](Batch<Dim>&) {
            return asked.of.crowd->explain(asked.shapes, asked.filters.of(0), leaving.sets);
        });
        check(stats.status);
        const auto cost = [](double nanoseconds) -> py::object {
            if (nanoseconds < 0.0) { return py::none(); }
            return py::float_(nanoseconds);
        };
        using namespace py::literals;
        return py::dict(
            "path"_a = to_string(stats.path), "rows"_a = stats.rows, "tested"_a = stats.tested,
            "copied"_a = stats.copied, "small"_a = stats.small, "giants"_a = stats.giants,
            "statics"_a = stats.statics, "predicted_nanoseconds"_a = stats.predicted_nanoseconds,
            "reason"_a = to_string(stats.reason), "predicted_rows"_a = cost(stats.predicted.rows),
            "predicted_tiles"_a = cost(stats.predicted.tiles),
            "predicted_all"_a = cost(stats.predicted.all), "large_first"_a = stats.large_first);
    });
}

template <std::size_t Dim>
py::object Asked<Dim>::neighbours(const Around& around, py::handle out,
                                  OwnObstacles<Dim>* obstacles) {
    const Neighbourhood& what = around.neighbourhood;
    const Order order = around.order;
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        const throng::Asked<Dim> of(crowd, around.sets);
        const ListsOut lists(out, Batch<Dim>::answers(crowd, order), workshop_->hits);
        return lists.result(run_past(
            obstacles, run,
            [&](Batch<Dim>& batch) { return batch.neighbours(of, what, lists.output(), order); },
            [&](const Obstacles<Dim>& all) {
                return tools.sight.neighbours(of, all, what, lists.hits(), order, {around.hiding});
            }));
    });
}

template <std::size_t Dim>
py::object Asked<Dim>::count_neighbours(const Around& around, py::handle out,
                                        OwnObstacles<Dim>* obstacles) {
    const Neighbourhood& what = around.neighbourhood;
    const Order order = around.order;
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        const throng::Asked<Dim> of(crowd, around.sets);
        const CountsOut out_counts(out, Element::uint32, Batch<Dim>::answers(crowd, order),
                                   workshop_->numbers);
        const std::span<std::uint32_t> counts = out_counts.counts();
        check(run_past(
            obstacles, run,
            [&](Batch<Dim>& batch) { return batch.count_neighbours(of, what, counts, order); },
            [&](const Obstacles<Dim>& all) {
                return tools.sight.count_neighbours(of, all, what, counts, order, {around.hiding});
            }));
        return out_counts.result();
    });
}

template <std::size_t Dim>
py::tuple Asked<Dim>::nearest(py::handle points, const Keywords& named) {
    const Nearest nearest = nearest_from(named);
    const Filter filter = {named.whole("groups"), named.whole("without")};
    const Sets sets = sets_from(named["sets"]);
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        read_points(points, crowd, doubles(), tools.shapes);
        const std::shared_ptr<NearHits> hits = workshop_->near_hits.lend();
        check(run([&](Batch<Dim>& batch) {
            return batch.nearest({crowd, sets}, tools.shapes.points, nearest, *hits, filter);
        }));
        return blocks_of(hits);
    });
}

template <std::size_t Dim>
py::tuple Asked<Dim>::nearest_neighbours(const Keywords& named) {
    const NearestNeighbours nearest = nearest_neighbours_from(named);
    const Order order = order_from(named["order"]);
    const Sets sets = sets_from(named["sets"]);
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) {
        const std::shared_ptr<NearHits> hits = workshop_->near_hits.lend();
        check(run([&](Batch<Dim>& batch) {
            return batch.nearest_neighbours({crowd, sets}, nearest, *hits, order);
        }));
        return blocks_of(hits);
    });
}

template <std::size_t Dim>
py::object Asked<Dim>::pairs(const Pairing& pairing, py::handle out) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) -> py::object {
        const auto find = [&](const PairsOutput& to) {
            const Found found =
                run([&](Batch<Dim>& batch) { return find_pairs(batch, crowd, pairing, to); });
            check(found, kWithin);
            return static_cast<std::size_t>(found.count);
        };
        if (out.is_none()) {
            const std::shared_ptr<Pairs> pairs = workshop_->pairs.lend();
            const std::size_t count = find(*pairs);
            return py::make_tuple(block_of(pairs, pairs->first.data(), count),
                                  block_of(pairs, pairs->second.data(), count));
        }
        const auto pair = py::reinterpret_borrow<py::tuple>(out);
        const Array first = out_array(pair[0], "out[0]", Element::uint32, 0);
        const Array second = out_array(pair[1], "out[1]", Element::uint32, 0);
        check_apart(first, second);
        const std::size_t count =
            find({first.written<std::uint32_t>(), second.written<std::uint32_t>()});
        if (count > std::min(first.extent(0), second.extent(0))) { refuse_room("out", count); }
        return py::int_(count);
    });
}

template <std::size_t Dim>
std::size_t Asked<Dim>::count_pairs(const Pairing& pairing) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) {
        const Found found = run([&](Batch<Dim>& batch) {
            return pairing.within
                       ? find_pairs(batch, crowd, pairing, {})
                       : batch.count_pairs({crowd, pairing.sets}, pairing.groups, pairing.body);
        });
        check(found, kWithin);
        return found.count;
    });
}

template <std::size_t Dim>
void Asked<Dim>::next_frame(Contacts<Dim>& contacts, PatientExecutor& executor,
                            const Pairing& pairing, FunctionRef<void()> copy) {
    const std::shared_ptr<Team> team = workshop_->team;
    const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
    const PairsOf<Dim> all(crowd(), pairing.sets);
    const Status status = work_without_gil(team, executor, [&] {
        const Status outcome = pairing.within ? contacts.update_within(all, *pairing.within,
                                                                       pairing.groups, pairing.body)
                                              : contacts.update(all, pairing.groups, pairing.body);
        if (outcome.ok()) { copy(); }
        return outcome;
    });
    check(status, kWithin);
}

template <std::size_t Dim>
py::object Asked<Dim>::order() {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) {
        const std::shared_ptr<std::vector<std::uint32_t>> ids = workshop_->numbers.lend();
        ids->resize(crowd.size());
        run([&](Batch<Dim>&) { return crowd.order(*ids); });
        return block_of(ids, *ids);
    });
}

template <std::size_t Dim>
py::bytearray Asked<Dim>::images(py::handle points, py::handle positions) {
    const Points<Dim> askers(points, "points", doubles(), One::allowed);
    const Points<Dim> others(positions, "positions", doubles());
    if (askers.in_doubles() != others.in_doubles()) {
        refuse_value("positions", "expected the type of points");
    }
    py::bytearray out;
    if (PyByteArray_Resize(out.ptr(), static_cast<Py_ssize_t>(others.count() * Dim)) != 0) {
        throw py::error_already_set();
    }
    void* const memory = PyByteArray_AS_STRING(out.ptr());
    const std::span<Image<Dim>> to(static_cast<Image<Dim>*>(memory), others.count());
    ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) {
        check(run([&](Batch<Dim>&) {
            const Images<Dim> all(crowd);
            return askers.in_doubles() ? all.write(askers.doubles(), others.doubles(), to)
                                       : all.write(askers.floats(), others.floats(), to);
        }));
    });
    return out;
}

template <std::size_t Dim>
py::dict Asked<Dim>::stats() {
    return look([](const Crowd<Dim>& crowd) {
        const GridShape<Dim>& shape = crowd.grid().shape();
        py::tuple cells(Dim), cell(Dim);
        for (std::size_t a = 0; a < Dim; ++a) {
            cells[a] = py::int_(shape.cells[a]);
            cell[a] = py::float_(shape.cells[a] == 0 ? 0.0 : 1.0 / shape.inverse_cell[a]);
        }
        using namespace py::literals;
        return py::dict("agents"_a = crowd.size(), "giants"_a = crowd.size(Sets::giants),
                        "statics"_a = crowd.size(Sets::statics), "id_bound"_a = crowd.id_bound(),
                        "cells"_a = cells, "cell"_a = cell);
    });
}

template <std::size_t Dim>
py::dict Asked<Dim>::cell_stats() {
    const CellStats stats = ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) {
        return run([&](Batch<Dim>&) { return crowd.cell_stats(); });
    });
    using namespace py::literals;
    return py::dict("rows"_a = stats.rows, "cells"_a = stats.cells, "used_rows"_a = stats.used_rows,
                    "used_cells"_a = stats.used_cells, "agents"_a = stats.agents,
                    "outside"_a = stats.outside, "company"_a = stats.company,
                    "company_afresh"_a = stats.company_afresh);
}

template <std::size_t Dim>
py::dict Asked<Dim>::settings() {
    return look([](const Crowd<Dim>& crowd) {
        const CrowdSettings<Dim>& settings = crowd.settings();
        const auto as_tuple = [](const auto& numbers, const auto& as) {
            py::tuple tuple(Dim);
            for (std::size_t a = 0; a < Dim; ++a) {
                tuple[a] = as(numbers[a]);
            }
            return py::object(std::move(tuple));
        };
        const auto number = [](double value) { return py::float_(value); };
        py::object bounds = py::none(), cell = py::none();
        if (settings.bounds) {
            bounds = py::make_tuple(as_tuple(settings.bounds->lo, number),
                                    as_tuple(settings.bounds->hi, number));
        }
        if (settings.cell) { cell = as_tuple(*settings.cell, number); }
        using namespace py::literals;
        return py::dict(
            "bounds"_a = bounds, "cell"_a = cell, "origin"_a = as_tuple(settings.origin, number),
            "periodic"_a = as_tuple(settings.periodic, [](bool value) { return py::bool_(value); }),
            "refits"_a = settings.refits);
    });
}

template <std::size_t Dim>
py::dict Asked<Dim>::memory() {
    return look([&](const Crowd<Dim>& crowd) {
        const MemoryUse use = crowd.memory();
        const auto [scratch, answers] = workshop_->memory();
        using namespace py::literals;
        return py::dict("nodes"_a = use.nodes, "tables"_a = use.tables, "rows"_a = use.rows,
                        "marks"_a = use.marks, "ids"_a = use.ids, "staging"_a = use.staging,
                        "scratch"_a = scratch, "answers"_a = answers);
    });
}

/// Saves a crowd to a file or to memory; Ctrl-C ends it.
template <std::size_t Dim, class To>
static Status save_patiently(const Crowd<Dim>& crowd, To&& to, Tools<Dim>& tools) {
    return throng::save(crowd, to, [&](float) {
        tools.executor.patience().check();
        return true;
    });
}

template <std::size_t Dim>
void Asked<Dim>::save(const char* path) {
    ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        check(run([&](Batch<Dim>&) { return save_patiently(crowd, path, tools); }));
    });
}

template <std::size_t Dim>
py::bytes Asked<Dim>::to_bytes() {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        std::vector<std::byte> memory;
        check(run([&](Batch<Dim>&) { return save_patiently(crowd, memory, tools); }));
        return py::bytes(reinterpret_cast<const char*>(memory.data()), memory.size());
    });
}

template class Asked<2>;
template class Asked<3>;

namespace {

template <std::size_t Dim>
void asked_class(py::module_& module, const char* name) {
    using Self = Asked<Dim>;
    py::class_<Self>(module, name, "What can be asked.")
        .def("query", &Self::query)
        .def("count", &Self::count)
        .def("any", &Self::any)
        .def("first", &Self::first)
        .def("meetings", &Self::meetings)
        .def("explain", &Self::explain)
        .def("neighbours", &Self::neighbours)
        .def("count_neighbours", &Self::count_neighbours)
        .def("measured_neighbours", &Self::measured_neighbours)
        .def("pairs", &Self::pairs)
        .def("count_pairs", &Self::count_pairs)
        .def("reduce", &Self::reduce)
        .def("visit_neighbours", &Self::visit_neighbours)
        .def("nearest", &Self::nearest)
        .def("nearest_neighbours", &Self::nearest_neighbours)
        .def("order", &Self::order)
        .def("images", &Self::images)
        .def("cells", &Self::cells)
        .def("agents", &Self::agents)
        .def("contains", &Self::contains)
        .def("is_giant", &Self::is_giant)
        .def("size", &Self::size)
        .def("stats", &Self::stats)
        .def("cell_stats", &Self::cell_stats)
        .def("settings", &Self::settings)
        .def("memory", &Self::memory)
        .def("save", &Self::save)
        .def("to_bytes", &Self::to_bytes)
        .def("threads", &Self::threads)
        .def("takes_doubles", &Self::takes_doubles)
        .def("executor", &Self::executor)
        .def("set_team", &Self::set_team)
        .def("release", &Self::release);
}

} // namespace

void define_asked(py::module_& module) {
    asked_class<2>(module, "Asked2");
    asked_class<3>(module, "Asked3");
}

} // namespace throng::python
