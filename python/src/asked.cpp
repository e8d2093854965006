#include "asked.hpp"

#include "arrays/out.hpp"
#include "threads/gil.hpp"

#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/grid/query_stats.hpp>

#include <algorithm>
#include <string>

namespace throng::python {

namespace {

constexpr Called kWithin = {Argument::radius, "within"};

} // namespace

Sets sets_from(unsigned sets) {
    if (sets > static_cast<unsigned>(Sets::all)) { refuse_value("sets", "is no set of Sets"); }
    return static_cast<Sets>(sets);
}

PairSets pair_sets_from(unsigned sets) {
    if (sets > static_cast<unsigned>(PairSets::all)) {
        refuse_value("sets", "is no set of PairSets");
    }
    return static_cast<PairSets>(sets);
}

py::tuple blocks_of(const std::shared_ptr<Hits>& hits) {
    if (hits->offsets.empty()) { hits->offsets.push_back(0); }
    return py::make_tuple(
        block_of(hits, hits->offsets.data(), hits->offsets.size()),
        block_of(hits, hits->ids.data(), static_cast<std::size_t>(hits->total())));
}

py::tuple blocks_of(const std::shared_ptr<NearHits>& hits) {
    Near* const first = hits->nearest.data();
    const std::size_t questions = hits->counts.size();
    return py::make_tuple(block_of_rows(hits, first == nullptr ? nullptr : &first->id, questions,
                                        hits->k, sizeof(Near)),
                          block_of_rows(hits, first == nullptr ? nullptr : &first->distance2,
                                        questions, hits->k, sizeof(Near)),
                          block_of(hits, hits->counts.data(), questions));
}

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
    return FilterEach(each);
}

template <std::size_t Dim>
template <class Work>
auto Asked<Dim>::ask_with(ShapeKind kind, const py::tuple& parts, const Leaving& leaving,
                          Work&& work) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        read_shapes(kind, parts, crowd, doubles(), tools.shapes);
        const std::size_t questions =
            with_shapes(kind, tools.shapes, [](const auto& shapes) { return shapes.size(); });
        const Filters filters = filters_from(leaving, questions, tools.filters);
        const Sets sets = sets_from(leaving.sets);
        return work(questions, [&](auto&& question) {
            return run([&](Batch<Dim>& batch) {
                return question(batch, crowd, tools.shapes, filters, sets);
            });
        });
    });
}

template <std::size_t Dim>
template <class Work>
auto Asked<Dim>::see_with(const Hiding& hiding, ShapeKind kind, const py::tuple& parts,
                          const Leaving& leaving, Work&& work) {
    if (kind != ShapeKind::ball && kind != ShapeKind::sector) {
        throw py::type_error("shapes: expected Balls or Sectors");
    }
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        read_shapes(kind, parts, crowd, doubles(), tools.shapes);
        const std::size_t questions =
            with_shapes(kind, tools.shapes, [](const auto& shapes) { return shapes.size(); });
        const Filters filters = filters_from(leaving, questions, tools.filters);
        const Sets sets = sets_from(leaving.sets);
        return work(questions, [&](auto&& question) {
            return hiding.obstacles.look([&](const Obstacles<Dim>& obstacles) {
                return run([&](Batch<Dim>&) {
                    return with_shapes(kind, tools.shapes, [&](const auto& shapes) {
                        return question(tools.sight, crowd, obstacles, shapes, filters, sets);
                    });
                });
            });
        });
    });
}

template <std::size_t Dim>
py::tuple Asked<Dim>::query_in_sight(const Hiding& hiding, ShapeKind kind, const py::tuple& parts,
                                     const Leaving& leaving) {
    return see_with(hiding, kind, parts, leaving, [&](std::size_t, const auto& see) {
        const std::shared_ptr<Hits> hits = workshop_->hits.lend();
        check(see([&](auto& sight, const auto& crowd, const auto& obstacles, const auto& shapes,
                      const Filters& filters, Sets sets) {
            return sight.query({crowd, sets}, obstacles, shapes, *hits, filters, {hiding.groups});
        }));
        return blocks_of(hits);
    });
}

template <std::size_t Dim>
py::object Asked<Dim>::count_in_sight(const Hiding& hiding, ShapeKind kind, const py::tuple& parts,
                                      const Leaving& leaving, py::handle out) {
    return see_with(hiding, kind, parts, leaving, [&](std::size_t questions, const auto& see) {
        const CountsOut counts(out, Element::uint32, questions, workshop_->numbers);
        check(see([&](auto& sight, const auto& crowd, const auto& obstacles, const auto& shapes,
                      const Filters& filters, Sets sets) {
                  return sight.count({crowd, sets}, obstacles, shapes, counts.counts(), filters,
                                     {hiding.groups});
              }).status);
        return counts.result();
    });
}

template <std::size_t Dim>
py::tuple Asked<Dim>::neighbours_in_sight(const Hiding& hiding, const Neighbourhood& neighbourhood,
                                          Order order, unsigned sets) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        const Sets wanted = sets_from(sets);
        const std::shared_ptr<Hits> hits = workshop_->hits.lend();
        check(hiding.obstacles.look([&](const Obstacles<Dim>& obstacles) {
            return run([&](Batch<Dim>&) {
                return tools.sight.neighbours({crowd, wanted}, obstacles, neighbourhood, *hits,
                                              order, {hiding.groups});
            });
        }));
        return blocks_of(hits);
    });
}

template <std::size_t Dim>
py::object Asked<Dim>::count_neighbours_in_sight(const Hiding& hiding,
                                                 const Neighbourhood& neighbourhood, Order order,
                                                 unsigned sets, py::handle out) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        const Sets wanted = sets_from(sets);
        const CountsOut counts(out, Element::uint32, Batch<Dim>::answers(crowd, order),
                               workshop_->numbers);
        check(hiding.obstacles
                  .look([&](const Obstacles<Dim>& obstacles) {
                      return run([&](Batch<Dim>&) {
                          return tools.sight.count_neighbours({crowd, wanted}, obstacles,
                                                              neighbourhood, counts.counts(), order,
                                                              {hiding.groups});
                      });
                  })
                  .status);
        return counts.result();
    });
}

template <std::size_t Dim>
py::tuple Asked<Dim>::query(ShapeKind kind, const py::tuple& parts, const Leaving& leaving) {
    return ask_with(kind, parts, leaving, [&](std::size_t, const auto& run) {
        const std::shared_ptr<Hits> hits = workshop_->hits.lend();
        check(run(
            [&](auto& batch, const auto& crowd, auto& arrays, const Filters& filters, Sets sets) {
                return with_shapes(kind, arrays, [&](const auto& shapes) {
                    return batch.query({crowd, sets}, shapes, *hits, filters);
                });
            }));
        return blocks_of(hits);
    });
}

template <std::size_t Dim>
std::size_t Asked<Dim>::query_into(ShapeKind kind, const py::tuple& parts, const Leaving& leaving,
                                   py::handle offsets, py::handle ids) {
    return ask_with(kind, parts, leaving, [&](std::size_t questions, const auto& run) {
        const HitsOut out(offsets, ids, questions);
        return out.checked(run(
            [&](auto& batch, const auto& crowd, auto& arrays, const Filters& filters, Sets sets) {
                return with_shapes(kind, arrays, [&](const auto& shapes) {
                    return batch.query({crowd, sets}, shapes, out.buffer(), filters);
                });
            }));
    });
}

template <std::size_t Dim>
py::object Asked<Dim>::count(ShapeKind kind, const py::tuple& parts, const Leaving& leaving,
                             py::handle out) {
    return ask_with(kind, parts, leaving, [&](std::size_t questions, const auto& run) {
        const CountsOut counts(out, Element::uint32, questions, workshop_->numbers);
        check(run([&](auto& batch, const auto& crowd, auto& arrays, const Filters& filters,
                      Sets sets) {
                  return with_shapes(kind, arrays, [&](const auto& shapes) {
                      return batch.count({crowd, sets}, shapes, counts.counts(), filters);
                  });
              }).status);
        return counts.result();
    });
}

template <std::size_t Dim>
py::object Asked<Dim>::any(ShapeKind kind, const py::tuple& parts, const Leaving& leaving,
                           py::handle out) {
    return ask_with(kind, parts, leaving, [&](std::size_t questions, const auto& run) {
        const CountsOut counts(out, Element::boolean, questions, workshop_->numbers);
        check(run([&](auto& batch, const auto& crowd, auto& arrays, const Filters& filters,
                      Sets sets) {
                  const Found found = with_shapes(kind, arrays, [&](const auto& shapes) {
                      return batch.any({crowd, sets}, shapes, counts.counts(), filters);
                  });
                  if (found.status.ok()) { counts.make_flags(); }
                  return found;
              }).status);
        return counts.flags();
    });
}

template <std::size_t Dim>
py::tuple Asked<Dim>::first(ShapeKind kind, const py::tuple& parts, const Leaving& leaving) {
    if (!is_path(kind)) { throw py::type_error("paths: expected Segments, Rays or Capsules"); }
    return ask_with(kind, parts, leaving, [&](std::size_t questions, const auto& run) {
        const std::shared_ptr<std::vector<PathHit>> path_hits = workshop_->path_hits.lend();
        path_hits->resize(questions);
        check(run([&](auto& batch, const auto& crowd, auto& arrays, const Filters& filters,
                      Sets sets) {
                  return with_paths(kind, arrays, [&](const auto& paths) {
                      return batch.first({crowd, sets}, paths, *path_hits, filters);
                  });
              }).status);
        PathHit* const one = path_hits->data();
        return py::make_tuple(
            block_of(path_hits, one == nullptr ? nullptr : &one->id, questions, sizeof(PathHit)),
            block_of(path_hits, one == nullptr ? nullptr : &one->time, questions, sizeof(PathHit)));
    });
}

template <std::size_t Dim>
py::dict Asked<Dim>::explain(ShapeKind kind, const py::tuple& parts, const Leaving& leaving) {
    return ask_with(kind, parts, leaving, [&](std::size_t questions, const auto& run) {
        if (questions != 1) { check({Cause::count_mismatch, Argument::shapes}); }
        const CrowdStats stats =
            run([&](auto&, const auto& crowd, auto& arrays, const Filters& filters, Sets sets) {
                return with_shapes(kind, arrays, [&](const auto& shapes) {
                    return crowd.explain(shapes[0], filters.of(0), sets);
                });
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
py::tuple Asked<Dim>::neighbours(const Neighbourhood& neighbourhood, Order order, unsigned sets) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) {
        const Sets wanted = sets_from(sets);
        const std::shared_ptr<Hits> hits = workshop_->hits.lend();
        check(run([&](Batch<Dim>& batch) {
            return batch.neighbours({crowd, wanted}, neighbourhood, *hits, order);
        }));
        return blocks_of(hits);
    });
}

template <std::size_t Dim>
std::size_t Asked<Dim>::neighbours_into(const Neighbourhood& neighbourhood, Order order,
                                        unsigned sets, py::handle offsets, py::handle ids) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) {
        const Sets wanted = sets_from(sets);
        const HitsOut out(offsets, ids, Batch<Dim>::answers(crowd, order));
        return out.checked(run([&](Batch<Dim>& batch) {
            return batch.neighbours({crowd, wanted}, neighbourhood, out.buffer(), order);
        }));
    });
}

template <std::size_t Dim>
py::object Asked<Dim>::count_neighbours(const Neighbourhood& neighbourhood, Order order,
                                        unsigned sets, py::handle out) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) {
        const Sets wanted = sets_from(sets);
        const CountsOut counts(out, Element::uint32, Batch<Dim>::answers(crowd, order),
                               workshop_->numbers);
        check(run([&](Batch<Dim>& batch) {
                  return batch.count_neighbours({crowd, wanted}, neighbourhood, counts.counts(),
                                                order);
              }).status);
        return counts.result();
    });
}

template <std::size_t Dim>
py::tuple Asked<Dim>::nearest(py::handle points, const Nearest& nearest, const Leaving& leaving) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        read_points(points, crowd, doubles(), tools.shapes);
        const Filter filter = {uint32_from(leaving.groups, "groups"),
                               uint32_from(leaving.without, "without")};
        const Sets sets = sets_from(leaving.sets);
        const std::shared_ptr<NearHits> hits = workshop_->near_hits.lend();
        check(run([&](Batch<Dim>& batch) {
            return batch.nearest({crowd, sets}, tools.shapes.points, nearest, *hits, filter);
        }));
        return blocks_of(hits);
    });
}

template <std::size_t Dim>
py::tuple Asked<Dim>::nearest_neighbours(const NearestNeighbours& nearest, Order order,
                                         unsigned sets) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) {
        const Sets wanted = sets_from(sets);
        const std::shared_ptr<NearHits> hits = workshop_->near_hits.lend();
        check(run([&](Batch<Dim>& batch) {
            return batch.nearest_neighbours({crowd, wanted}, nearest, *hits, order);
        }));
        return blocks_of(hits);
    });
}

template <std::size_t Dim>
py::tuple Asked<Dim>::pairs(const Pairing& pairing) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) {
        const PairSets sets = pair_sets_from(pairing.sets);
        const std::shared_ptr<Pairs> pairs = workshop_->pairs.lend();
        const Status status = run([&](Batch<Dim>& batch) {
            return pairing.within
                       ? batch.pairs_within({crowd, sets}, *pairing.within, *pairs, pairing.groups,
                                            pairing.body)
                       : batch.pairs({crowd, sets}, *pairs, pairing.groups, pairing.body);
        });
        check(status, kWithin);
        const auto count = static_cast<std::size_t>(pairs->count);
        return py::make_tuple(block_of(pairs, pairs->first.data(), count),
                              block_of(pairs, pairs->second.data(), count));
    });
}

template <std::size_t Dim>
std::size_t Asked<Dim>::pairs_into(const Pairing& pairing, py::handle first, py::handle second) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) {
        const PairSets sets = pair_sets_from(pairing.sets);
        const Array firsts = out_array(first, "out[0]", Element::uint32, 0);
        const Array seconds = out_array(second, "out[1]", Element::uint32, 0);
        check_apart(firsts, seconds);
        const PairsBuffer out = {firsts.written<std::uint32_t>(), seconds.written<std::uint32_t>()};
        const Found found = run([&](Batch<Dim>& batch) {
            return pairing.within ? batch.pairs_within({crowd, sets}, *pairing.within, out,
                                                       pairing.groups, pairing.body)
                                  : batch.pairs({crowd, sets}, out, pairing.groups, pairing.body);
        });
        check(found.status, kWithin);
        const std::size_t room = std::min(out.first.size(), out.second.size());
        if (found.count > room) { refuse_room("out", found.count); }
        return found.count;
    });
}

template <std::size_t Dim>
std::size_t Asked<Dim>::count_pairs(const Pairing& pairing) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>&, const auto& run) {
        const PairSets sets = pair_sets_from(pairing.sets);
        const Found found = run([&](Batch<Dim>& batch) {
            return pairing.within ? batch.pairs_within({crowd, sets}, *pairing.within,
                                                       PairsBuffer{}, pairing.groups, pairing.body)
                                  : batch.count_pairs({crowd, sets}, pairing.groups, pairing.body);
        });
        check(found.status, kWithin);
        return found.count;
    });
}

template <std::size_t Dim>
void Asked<Dim>::next_frame(Contacts<Dim>& contacts, PatientExecutor& executor,
                            const Pairing& pairing, FunctionRef<void()> copy) {
    const PairSets sets = pair_sets_from(pairing.sets);
    const std::shared_ptr<Team> team = workshop_->team;
    const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
    const Crowd<Dim>& asked = crowd();
    const Status status = work_without_gil(team, executor, [&] {
        const Status outcome = pairing.within
                                   ? contacts.update_within({asked, sets}, *pairing.within,
                                                            pairing.groups, pairing.body)
                                   : contacts.update({asked, sets}, pairing.groups, pairing.body);
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
        return block_of(ids, ids->data(), ids->size());
    });
}

template <std::size_t Dim>
bool Asked<Dim>::contains(std::uint32_t id) {
    return look([&](const Crowd<Dim>& crowd) { return crowd.contains(id); });
}

template <std::size_t Dim>
bool Asked<Dim>::is_giant(std::uint32_t id) {
    return look([&](const Crowd<Dim>& crowd) { return crowd.is_giant(id); });
}

template <std::size_t Dim>
std::size_t Asked<Dim>::size() {
    return look([](const Crowd<Dim>& crowd) { return crowd.size(); });
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
        return py::dict("agents"_a = crowd.size(), "giants"_a = crowd.giants(),
                        "statics"_a = crowd.statics(), "id_bound"_a = crowd.id_bound(),
                        "cells"_a = cells, "cell"_a = cell);
    });
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
        return py::dict("bounds"_a = bounds, "cell"_a = cell,
                        "origin"_a = as_tuple(settings.origin, number),
                        "periodic"_a = as_tuple(settings.periodic,
                                                [](bool value) { return py::bool_(value); }));
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

template <std::size_t Dim>
void Asked<Dim>::save(const char* path) {
    ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        check(run([&](Batch<Dim>&) {
            return throng::save(crowd, path, [&](float) {
                tools.executor.patience().check();
                return true;
            });
        }));
    });
}

template <std::size_t Dim>
py::bytes Asked<Dim>::to_bytes() {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        std::vector<std::byte> memory;
        check(run([&](Batch<Dim>&) {
            return throng::save(crowd, memory, [&](float) {
                tools.executor.patience().check();
                return true;
            });
        }));
        return py::bytes(reinterpret_cast<const char*>(memory.data()), memory.size());
    });
}

template class Asked<2>;
template class Asked<3>;

} // namespace throng::python
