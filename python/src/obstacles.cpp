#include "obstacles.hpp"

#include "arrays/block.hpp"
#include "changes.hpp"
#include "classes.hpp"
#include "refusal.hpp"
#include "threads/workshop.hpp"

#include <array>
#include <optional>
#include <span>

namespace throng::python {

namespace {

/// A block with a row for each answer: an id, a number, a point and a normal, in words of four
/// bytes.
template <class Answer>
py::object rows_of(std::shared_ptr<const void> owner, std::span<Answer> answers) {
    static_assert(sizeof(Answer) % sizeof(Id) == 0);
    return block_of_rows(std::move(owner), answers.empty() ? nullptr : &answers.front().id,
                         answers.size(), sizeof(Answer) / sizeof(Id), sizeof(Id));
}
template <class Answer>
py::object rows_of(const std::shared_ptr<std::vector<Answer>>& answers) {
    return rows_of(answers, std::span<Answer>(*answers));
}

ShapeKind kind_among(const GivenShapes& given, std::initializer_list<ShapeKind> allowed,
                     const char* expected) {
    for (const ShapeKind one : allowed) {
        if (given.number == static_cast<unsigned>(one)) { return one; }
    }
    throw py::type_error(expected);
}

void check_one(std::size_t count) {
    if (count != 1) {
        check({Cause::count_mismatch, Argument::shapes}, {Argument::shapes, "shape"});
    }
}

} // namespace

template <std::size_t Dim>
ShapesView<Dim> OwnObstacles<Dim>::read(ShapeKind kind, const py::tuple& parts, Tools& tools) {
    return read_shapes(kind, parts, world_, Doubles::never, tools.shapes);
}

template <std::size_t Dim>
template <template <std::size_t> class Shape>
std::vector<Moving<Dim, Shape>> OwnObstacles<Dim>::moving(ShapeKind kind, const py::tuple& parts,
                                                          Tools& tools) {
    const std::size_t last = parts.size() - 1;
    const std::span<const Shape<Dim>> shapes =
        read(kind, parts[py::slice(0, static_cast<py::ssize_t>(last), 1)], tools)
            .template as<Shape<Dim>>();
    const Points<Dim> ways(parts[last], "ways");
    if (ways.count() != shapes.size()) {
        refuse_value("ways", "has another length than the shapes");
    }
    std::vector<Moving<Dim, Shape>> all(shapes.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = {shapes[i], {at(ways.floats(), i)}};
    }
    return all;
}

template <std::size_t Dim>
template <class Work>
void OwnObstacles<Dim>::with_ways(const GivenShapes& given, Tools& tools, const Work& work) {
    const auto with_movers = [&](const auto& movers) { work(MoversView<Dim>(movers)); };
    switch (given.number) {
    case kMovingBox:
        return with_movers(moving<Box>(ShapeKind::box, given.parts, tools));
    case kMovingOrientedBox:
        return with_movers(moving<OrientedBox>(ShapeKind::oriented_box, given.parts, tools));
    case kMovingCapsule:
        return with_movers(moving<Capsule>(ShapeKind::capsule, given.parts, tools));
    default:
        return work(read(given.as_paths().kind(), given.parts, tools));
    }
}

template <std::size_t Dim>
void OwnObstacles<Dim>::read_thin(const py::tuple& parts, std::vector<Thin>& to) {
    const auto point = [](const Points<Dim>& points, std::size_t i) {
        return Point<Dim>{at(points.floats(), i)};
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
    check(work_without_gil(team_, tools.executor, [&] { return work(asked, tools.executor); }),
          {Argument::radius, "within"});
}

template <std::size_t Dim>
void OwnObstacles<Dim>::configure(const Keywords& world) {
    const CrowdSettings<Dim> settings = settings_from<Dim>(world);
    if (!settings.bounds && settings.periodic != std::array<bool, Dim>{}) {
        check({Cause::missing, Argument::bounds});
    }
    change(tools_.lend(), [&](Obstacles<Dim>& obstacles, Executor&) {
        return obstacles.configure(settings.bounds.value_or(Box<Dim>{}), settings.periodic);
    });
}

template <std::size_t Dim>
void OwnObstacles<Dim>::set(const py::object& boxes, const py::object& turned_boxes,
                            const py::object& thin, py::handle groups) {
    const auto tools = tools_.lend();
    const auto view_of = []<class Shape>(std::span<const Shape> all) {
        return ValueView<Shape>{all.data(), sizeof(Shape), all.size()};
    };
    ObstacleArrays<Dim> arrays;
    if (!boxes.is_none()) {
        arrays.boxes = view_of(read(ShapeKind::box, boxes, *tools).template as<Box<Dim>>());
    }
    if (!turned_boxes.is_none()) {
        arrays.turned_boxes = view_of(
            read(ShapeKind::oriented_box, turned_boxes, *tools).template as<OrientedBox<Dim>>());
    }
    std::size_t count = arrays.boxes.count + arrays.turned_boxes.count;
    if (!thin.is_none()) {
        read_thin(thin, tools->thin);
        count += tools->thin.size();
        if constexpr (Dim == 2) {
            arrays.walls = view_of(std::span<const Thin>(tools->thin));
        } else {
            arrays.triangles = view_of(std::span<const Thin>(tools->thin));
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
void OwnObstacles<Dim>::put(bool replace, GivenId id, const GivenShapes& given, py::handle groups) {
    const auto tools = tools_.lend();
    const std::uint32_t masks = uint32_from(groups, "groups");
    const auto put_one = [&](const auto& shapes) {
        check_one(shapes.size());
        change(tools, [&](Obstacles<Dim>& obstacles, Executor&) {
            return replace ? obstacles.replace(id.id, shapes[0], masks)
                           : obstacles.insert(id.id, shapes[0], masks);
        });
    };
    if (given.number == kThin) {
        read_thin(given.parts, tools->thin);
        return put_one(tools->thin);
    }
    const ShapeKind box = kind_among(given, {ShapeKind::box, ShapeKind::oriented_box},
                                     "shape: expected Boxes, OrientedBoxes, Walls or Triangles");
    const ShapesView<Dim> shapes = read(box, given.parts, *tools);
    if (box == ShapeKind::box) { return put_one(shapes.template as<Box<Dim>>()); }
    put_one(shapes.template as<OrientedBox<Dim>>());
}

template <std::size_t Dim>
void OwnObstacles<Dim>::erase(GivenId id) {
    change(tools_.lend(),
           [&](Obstacles<Dim>& obstacles, Executor&) { return obstacles.erase(id.id); });
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
    within_.clear();
    hits_.clear();
    flags_.clear();
    ids_.clear();
}

template <std::size_t Dim>
template <class To>
void OwnObstacles<Dim>::save_to(To&& to) {
    const auto tools = tools_.lend();
    ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor&) {
        return throng::save(obstacles, to, tools->progress());
    });
}

template <std::size_t Dim>
void OwnObstacles<Dim>::save(const char* path) {
    save_to(path);
}

template <std::size_t Dim>
py::bytes OwnObstacles<Dim>::to_bytes() {
    std::vector<std::byte> memory;
    save_to(memory);
    return py::bytes(reinterpret_cast<const char*>(memory.data()), memory.size());
}

template <std::size_t Dim>
void OwnObstacles<Dim>::load(const char* path) {
    const auto tools = tools_.lend();
    change(tools, [&](Obstacles<Dim>& obstacles, Executor&) {
        return throng::load(obstacles, path, tools->progress());
    });
}

template <std::size_t Dim>
void OwnObstacles<Dim>::load_bytes(py::handle bytes) {
    const auto tools = tools_.lend();
    const Expected expected = {"data", "bytes, or what holds some in one piece"};
    const Array array(bytes, expected);
    const auto memory = array.in_one_piece();
    if (!memory) { refuse_shape(expected, bytes); }
    change(tools, [&](Obstacles<Dim>& obstacles, Executor&) {
        return throng::load(obstacles, *memory, tools->progress());
    });
}

template <std::size_t Dim>
py::object OwnObstacles<Dim>::nearest(py::handle points, py::handle within,
                                      const Leaving& leaving) {
    const auto tools = tools_.lend();
    const float reach = float_from(within, "within");
    const Filter filter = leaving.one();
    read_points(points, world_, Doubles::never, tools->shapes);
    const auto near = near_.lend();
    near->resize(tools->shapes.points.size());
    ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor& executor) {
        return obstacles.nearest(tools->shapes.points, *near, executor, reach, filter);
    });
    return rows_of(near);
}

template <std::size_t Dim>
py::object OwnObstacles<Dim>::first(const GivenShapes& given, const Leaving& leaving) {
    const auto tools = tools_.lend();
    const auto hits = hits_.lend();
    with_ways(given, *tools, [&, filter = leaving.one()](const auto& paths) {
        hits->resize(paths.count);
        ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor& executor) {
            return obstacles.first(paths, *hits, executor, filter);
        });
    });
    return rows_of(hits);
}

template <std::size_t Dim>
py::object OwnObstacles<Dim>::sight(const GivenShapes& segments, const Leaving& leaving) {
    const auto tools = tools_.lend();
    const Filter filter = leaving.one();
    const std::span<const Segment<Dim>> between =
        read(ShapeKind::segment, segments.parts, *tools).template as<Segment<Dim>>();
    const auto flags = flags_.lend();
    flags->resize(between.size());
    ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor& executor) {
        return obstacles.sight(between, *flags, executor, filter);
    });
    return block_of(flags, reinterpret_cast<bool*>(flags->data()), flags->size());
}

template <std::size_t Dim>
py::object OwnObstacles<Dim>::within(const GivenShapes& ball, const Leaving& leaving) {
    const auto tools = tools_.lend();
    const Filter filter = leaving.one();
    const std::span<const Ball<Dim>> balls =
        read(ShapeKind::ball, ball.parts, *tools).template as<Ball<Dim>>();
    check_one(balls.size());
    const auto near = near_.lend();
    ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor&) {
        return obstacles.query(balls[0], *near, filter);
    });
    return rows_of(near);
}

template <std::size_t Dim>
py::tuple OwnObstacles<Dim>::within_each(const GivenShapes& given, const Leaving& leaving) {
    const auto tools = tools_.lend();
    const Filter filter = leaving.one();
    const std::span<const Ball<Dim>> balls =
        read(ShapeKind::ball, given.parts, *tools).template as<Ball<Dim>>();
    const auto within = within_.lend();
    ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor& executor) {
        return obstacles.query(balls, *within, executor, filter);
    });
    return py::make_tuple(
        block_of(within, within->offsets),
        rows_of<ObstacleNear<Dim>>(
            within, {within->near.data(), static_cast<std::size_t>(within->total())}));
}

template <std::size_t Dim>
py::object OwnObstacles<Dim>::hits(const GivenShapes& given, const Leaving& leaving) {
    const auto tools = tools_.lend();
    const auto hits = hits_.lend();
    with_ways(given, *tools, [&, filter = leaving.one()](const auto& paths) {
        check_one(paths.count);
        ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor&) {
            return obstacles.query(paths, *hits, filter);
        });
    });
    return rows_of(hits);
}

template <std::size_t Dim>
py::object OwnObstacles<Dim>::overlaps(const GivenShapes& given, const Leaving& leaving) {
    const auto tools = tools_.lend();
    const Filter filter = leaving.one();
    const ShapeKind area =
        kind_among(given,
                   {ShapeKind::box, ShapeKind::oriented_box, ShapeKind::sector, ShapeKind::convex,
                    ShapeKind::cylinder},
                   "shape: expected Boxes, OrientedBoxes, Sectors, Polygons, Frusta or Cylinders");
    const ShapesView<Dim> shape = read(area, given.parts, *tools);
    check_one(shape.count);
    const auto ids = ids_.lend();
    ask(*tools, [&](const Obstacles<Dim>& obstacles, Executor&) {
        return obstacles.query(shape, *ids, filter);
    });
    return block_of(ids, *ids);
}

namespace {

template <std::size_t Dim>
void obstacles_class(py::module_& module, const char* name) {
    using Self = OwnObstacles<Dim>;
    py::class_<Self>(module, name, "What stands in the agents' world.")
        .def(py::init<const TeamKind&>())
        .def("configure", &Self::configure)
        .def("set", &Self::set)
        .def("put", &Self::put)
        .def("erase", &Self::erase)
        .def("clear", &Self::clear)
        .def("release", &Self::release)
        .def("save", &Self::save)
        .def("to_bytes", &Self::to_bytes)
        .def("load", &Self::load)
        .def("load_bytes", &Self::load_bytes)
        .def("nearest", &Self::nearest)
        .def("first", &Self::first)
        .def("sight", &Self::sight)
        .def("within", &Self::within)
        .def("within_each", &Self::within_each)
        .def("hits", &Self::hits)
        .def("overlaps", &Self::overlaps)
        .def("size", &Self::size)
        .def("contains", &Self::contains)
        .def("memory", &Self::memory)
        .def("threads", &Self::threads)
        .def("executor", &Self::executor);
}

} // namespace

void define_obstacles(py::module_& module) {
    obstacles_class<2>(module, "Obstacles2");
    obstacles_class<3>(module, "Obstacles3");
}

template class OwnObstacles<2>;
template class OwnObstacles<3>;

} // namespace throng::python
