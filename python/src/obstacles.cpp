#include "obstacles.hpp"

#include "arrays/block.hpp"
#include "refusal.hpp"
#include "threads/workshop.hpp"

#include <optional>
#include <string>

namespace throng::python {

namespace {

/// A block with a row for each answer: an id, a number, a point and a normal, in words of four
/// bytes.
template <class Answer>
py::object rows_of(const std::shared_ptr<std::vector<Answer>>& answers) {
    static_assert(sizeof(Answer) % sizeof(Id) == 0);
    return block_of_rows(answers, answers->empty() ? nullptr : &answers->front().id,
                         answers->size(), sizeof(Answer) / sizeof(Id), sizeof(Id));
}

ShapeKind kind_among(unsigned kind, std::initializer_list<ShapeKind> allowed,
                     const char* expected) {
    for (const ShapeKind one : allowed) {
        if (kind == static_cast<unsigned>(one)) { return one; }
    }
    throw py::type_error(expected);
}

ShapeKind path_kind(unsigned kind) {
    return kind_among(kind, {ShapeKind::segment, ShapeKind::ray, ShapeKind::capsule},
                      "paths: expected Segments, Rays or Capsules");
}

void check_one(std::size_t count) {
    if (count != 1) {
        check({Cause::count_mismatch, Argument::shapes}, {Argument::shapes, "shape"});
    }
}

Filter filter_from(py::handle groups, py::handle without) {
    return {uint32_from(groups, "groups"), uint32_from(without, "without")};
}

} // namespace

template <std::size_t Dim>
void OwnObstacles<Dim>::read(ShapeKind kind, const py::tuple& parts, Tools& tools) {
    read_shapes(kind, parts, world_, Doubles::never, tools.shapes);
}

template <std::size_t Dim>
template <template <std::size_t> class Shape>
std::vector<Moving<Dim, Shape>> OwnObstacles<Dim>::moving(ShapeKind kind, const py::tuple& parts,
                                                          Tools& tools) {
    const std::size_t last = parts.size() - 1;
    read(kind, parts[py::slice(0, static_cast<py::ssize_t>(last), 1)], tools);
    const auto& shapes = tools.shapes.template of<Shape<Dim>>();
    const Points<Dim> ways(parts[last], "ways");
    if (ways.count() != shapes.size()) {
        refuse_value("ways", "has another length than the shapes");
    }
    std::vector<Moving<Dim, Shape>> all(shapes.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].shape = shapes[i];
        for (std::size_t a = 0; a < Dim; ++a) {
            all[i].way[a] = ways.floats().values(a)[i];
        }
    }
    return all;
}

template <std::size_t Dim>
template <class Work>
void OwnObstacles<Dim>::with_ways(unsigned kind, const py::tuple& parts, Tools& tools,
                                  const Work& work) {
    switch (kind) {
    case kMovingBox:
        return work(moving<Box>(ShapeKind::box, parts, tools));
    case kMovingOrientedBox:
        return work(moving<OrientedBox>(ShapeKind::oriented_box, parts, tools));
    case kMovingCapsule:
        return work(moving<Capsule>(ShapeKind::capsule, parts, tools));
    default:
        break;
    }
    const ShapeKind path = path_kind(kind);
    read(path, parts, tools);
    with_paths(path, tools.shapes, work);
}

template <std::size_t Dim>
void OwnObstacles<Dim>::read_thin(const py::tuple& parts, std::vector<Thin>& to) {
    const auto point = [](const Points<Dim>& points, std::size_t i) {
        Point<Dim> made;
        for (std::size_t a = 0; a < Dim; ++a) {
            made[a] = points.floats().values(a)[i];
        }
        return made;
    };
    if constexpr (Dim == 2) {
        const Points<2> starts(parts[0], "starts");
        const Points<2> ends(parts[1], "ends");
        if (starts.count() != ends.count()) {
            refuse_value("ends", "has another length than starts");
        }
        const Values<float> thickness(parts[2], "thickness", starts.count());
        to.resize(starts.count());
        for (std::size_t i = 0; i < to.size(); ++i) {
            to[i] = {point(starts, i), point(ends, i), thickness.view()[i]};
        }
    } else {
        const Points<3> corners[3] = {Points<3>(parts[0], "corners"),
                                      Points<3>(parts[1], "corners"),
                                      Points<3>(parts[2], "corners")};
        to.resize(corners[0].count());
        for (std::size_t i = 0; i < to.size(); ++i) {
            to[i] = {{point(corners[0], i), point(corners[1], i), point(corners[2], i)}};
        }
    }
}

template <std::size_t Dim>
template <class Shape>
const Shape& OwnObstacles<Dim>::one_of(Tools& tools) {
    const auto& all = tools.shapes.template of<Shape>();
    check_one(all.size());
    return all[0];
}

template <std::size_t Dim>
template <class Work>
void OwnObstacles<Dim>::change(const std::shared_ptr<Tools>& tools, const Work& work) {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    check(work_without_gil(team_, tools->executor,
                           [&] { return work(obstacles_, tools->executor); }));
}

template <std::size_t Dim>
template <class Work>
void OwnObstacles<Dim>::ask(Tools& tools, const Work& work) {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
    const Obstacles<Dim>& asked = obstacles_;
    check(
        work_without_gil(team_, tools.executor, [&] { return work(asked, tools.executor); }).status,
        {Argument::radius, "within"});
}

template <std::size_t Dim>
void OwnObstacles<Dim>::set(const py::object& boxes, const py::object& turned_boxes,
                            const py::object& thin, py::handle groups) {
    const auto tools = tools_.lend();
    const auto view_of = []<class Shape>(const std::vector<Shape>& all) {
        return ValueView<Shape>{all.data(), sizeof(Shape), all.size()};
    };
    ObstacleArrays<Dim> arrays;
    if (!boxes.is_none()) {
        read(ShapeKind::box, boxes, *tools);
        arrays.boxes = view_of(tools->shapes.template of<Box<Dim>>());
    }
    if (!turned_boxes.is_none()) {
        read(ShapeKind::oriented_box, turned_boxes, *tools);
        arrays.turned_boxes = view_of(tools->shapes.template of<OrientedBox<Dim>>());
    }
    std::size_t count = arrays.boxes.count + arrays.turned_boxes.count;
    if (!thin.is_none()) {
        read_thin(thin, tools->thin);
        count += tools->thin.size();
        if constexpr (Dim == 2) {
            arrays.walls = view_of(tools->thin);
        } else {
            arrays.triangles = view_of(tools->thin);
        }
    }
    std::optional<Values<std::uint32_t>> masks;
    if (!groups.is_none()) {
        masks.emplace(groups, "groups", count, Argument::groups);
        arrays.groups = masks->view();
    }
    change(tools, [&](Obstacles<Dim>& obstacles, Executor& executor) {
        return obstacles.set(arrays, executor);
    });
}

template <std::size_t Dim>
void OwnObstacles<Dim>::put(bool replace, std::uint32_t id, unsigned kind, const py::tuple& parts,
                            std::uint32_t groups) {
    const auto tools = tools_.lend();
    const auto put_one = [&](const auto& shape) {
        change(tools, [&](Obstacles<Dim>& obstacles, Executor&) {
            return replace ? obstacles.replace(id, shape, groups)
                           : obstacles.insert(id, shape, groups);
        });
    };
    if (kind == kThin) {
        read_thin(parts, tools->thin);
        check_one(tools->thin.size());
        put_one(tools->thin[0]);
        return;
    }
    const ShapeKind box = kind_among(kind, {ShapeKind::box, ShapeKind::oriented_box},
                                     "shape: expected Boxes, OrientedBoxes, Walls or Triangles");
    read(box, parts, *tools);
    if (box == ShapeKind::box) {
        put_one(one_of<Box<Dim>>(*tools));
    } else {
        put_one(one_of<OrientedBox<Dim>>(*tools));
    }
}

template <std::size_t Dim>
void OwnObstacles<Dim>::erase(std::uint32_t id) {
    change(tools_.lend(),
           [&](Obstacles<Dim>& obstacles, Executor&) { return obstacles.erase(id); });
}

template <std::size_t Dim>
void OwnObstacles<Dim>::clear() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    obstacles_.clear();
}

template <std::size_t Dim>
void OwnObstacles<Dim>::release() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    obstacles_.release_staging();
    tools_.clear();
    near_.clear();
    hits_.clear();
    flags_.clear();
    ids_.clear();
}

template <std::size_t Dim>
py::object OwnObstacles<Dim>::nearest(py::handle points, float within, const Filter& filter) {
    const auto tools = tools_.lend();
    read_points(points, world_, Doubles::never, tools->shapes);
    const auto near = near_.lend();
    near->resize(tools->shapes.points.size());
    ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor& executor) {
        return obstacles.nearest(tools->shapes.points, *near, executor, within, filter);
    });
    return rows_of(near);
}

template <std::size_t Dim>
py::object OwnObstacles<Dim>::first(unsigned kind, const py::tuple& parts, const Filter& filter) {
    const auto tools = tools_.lend();
    const auto hits = hits_.lend();
    with_ways(kind, parts, *tools, [&](const auto& paths) {
        hits->resize(paths.size());
        ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor& executor) {
            return obstacles.first(paths, *hits, executor, filter);
        });
    });
    return rows_of(hits);
}

template <std::size_t Dim>
py::object OwnObstacles<Dim>::sight(const py::tuple& parts, const Filter& filter) {
    const auto tools = tools_.lend();
    read(ShapeKind::segment, parts, *tools);
    const auto& segments = tools->shapes.template of<Segment<Dim>>();
    const auto flags = flags_.lend();
    flags->resize(segments.size());
    ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor& executor) {
        return obstacles.sight(segments, *flags, executor, filter);
    });
    return block_of(flags, reinterpret_cast<bool*>(flags->data()), flags->size());
}

template <std::size_t Dim>
py::object OwnObstacles<Dim>::within(const py::tuple& parts, const Filter& filter) {
    const auto tools = tools_.lend();
    read(ShapeKind::ball, parts, *tools);
    const Ball<Dim>& ball = one_of<Ball<Dim>>(*tools);
    const auto near = near_.lend();
    ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor&) {
        return obstacles.query(ball, *near, filter);
    });
    return rows_of(near);
}

template <std::size_t Dim>
py::object OwnObstacles<Dim>::hits(unsigned kind, const py::tuple& parts, const Filter& filter) {
    const auto tools = tools_.lend();
    const auto hits = hits_.lend();
    with_ways(kind, parts, *tools, [&](const auto& paths) {
        check_one(paths.size());
        ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor&) {
            return obstacles.query(paths[0], *hits, filter);
        });
    });
    return rows_of(hits);
}

template <std::size_t Dim>
py::object OwnObstacles<Dim>::overlaps(unsigned kind, const py::tuple& parts,
                                       const Filter& filter) {
    const auto tools = tools_.lend();
    const ShapeKind area =
        kind_among(kind,
                   {ShapeKind::box, ShapeKind::oriented_box, ShapeKind::sector, ShapeKind::convex,
                    ShapeKind::cylinder},
                   "shape: expected Boxes, OrientedBoxes, Sectors, Polygons, Frusta or Cylinders");
    read(area, parts, *tools);
    const auto ids = ids_.lend();
    const auto ask_with = [&](const auto& shape) {
        ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor&) {
            return obstacles.query(shape, *ids, filter);
        });
    };
    switch (area) {
    case ShapeKind::box:
        ask_with(one_of<Box<Dim>>(*tools));
        break;
    case ShapeKind::oriented_box:
        ask_with(one_of<OrientedBox<Dim>>(*tools));
        break;
    case ShapeKind::sector:
        ask_with(one_of<Sector<Dim>>(*tools));
        break;
    case ShapeKind::convex:
        ask_with(one_of<Convex<Dim>>(*tools));
        break;
    default:
        ask_with(one_of<Cylinder<Dim>>(*tools));
        break;
    }
    return block_of(ids, ids->data(), ids->size());
}

template <std::size_t Dim>
std::size_t OwnObstacles<Dim>::size() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
    return obstacles_.size();
}

template <std::size_t Dim>
bool OwnObstacles<Dim>::contains(std::uint32_t id) {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
    return obstacles_.contains(id);
}

template <std::size_t Dim>
std::size_t OwnObstacles<Dim>::memory() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
    return obstacles_.memory().total();
}

template <std::size_t Dim>
void define_obstacles(py::module_& module, const char* name) {
    using Self = OwnObstacles<Dim>;
    py::class_<Self>(module, name, "What stands in the agents' world.")
        .def(py::init([](py::handle threads, py::handle executor) {
            return std::make_unique<Self>(TeamKind::from(threads, executor));
        }))
        .def("set", &Self::set)
        .def("put",
             [](Self& self, bool replace, py::handle id, unsigned kind, const py::tuple& parts,
                py::handle groups) {
                 self.put(replace, uint32_from(id, "id"), kind, parts,
                          uint32_from(groups, "groups"));
             })
        .def("erase", [](Self& self, py::handle id) { self.erase(uint32_from(id, "id")); })
        .def("clear", &Self::clear)
        .def("release", &Self::release)
        .def("nearest",
             [](Self& self, py::handle points, py::handle within, py::handle groups,
                py::handle without) {
                 return self.nearest(points, float_from(within, "within"),
                                     filter_from(groups, without));
             })
        .def("first",
             [](Self& self, unsigned kind, const py::tuple& parts, py::handle groups,
                py::handle without) {
                 return self.first(kind, parts, filter_from(groups, without));
             })
        .def("sight",
             [](Self& self, const py::tuple& parts, py::handle groups, py::handle without) {
                 return self.sight(parts, filter_from(groups, without));
             })
        .def("within",
             [](Self& self, const py::tuple& parts, py::handle groups, py::handle without) {
                 return self.within(parts, filter_from(groups, without));
             })
        .def(
            "hits",
            [](Self& self, unsigned kind, const py::tuple& parts, py::handle groups,
               py::handle without) { return self.hits(kind, parts, filter_from(groups, without)); })
        .def("overlaps",
             [](Self& self, unsigned kind, const py::tuple& parts, py::handle groups,
                py::handle without) {
                 return self.overlaps(kind, parts, filter_from(groups, without));
             })
        .def("size", &Self::size)
        .def("contains",
             [](Self& self, py::handle id) { return self.contains(uint32_from(id, "id")); })
        .def("memory", &Self::memory)
        .def("threads", &Self::threads)
        .def("executor", &Self::executor);
}

template void define_obstacles<2>(py::module_&, const char*);
template void define_obstacles<3>(py::module_&, const char*);

} // namespace throng::python
