#include "shapes.hpp"

#include "refusal.hpp"
#include "threads/gil.hpp"

#include <throng/engine/shapes/with_shapes.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace throng::python {

namespace {

/// Calls put(i, point) for all points of a view whose stride is `Stride` on each axis; 0 for any
/// strides.
template <std::ptrdiff_t Stride, class Float, std::size_t Dim, class Put>
void visit_strided(const StridedPoints<Float, Dim>& view, const Put& put) {
    for (std::size_t i = 0; i < view.count; ++i) {
        std::array<Float, Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            const std::ptrdiff_t stride = Stride == 0 ? view.stride[a] : Stride;
            point[a] = ValueView<Float>{view.axis[a], stride, view.count}[i];
        }
        put(i, point);
    }
}

/// The same for any view, with the usual strides as constants, so that a point takes one nanosecond
/// instead of five.
template <class Float, std::size_t Dim, class Put>
void visit_points(const StridedPoints<Float, Dim>& view, const Put& put) {
    constexpr auto kOne = static_cast<std::ptrdiff_t>(sizeof(Float));
    constexpr auto kRow = static_cast<std::ptrdiff_t>(Dim) * kOne;
    const auto all = [&](std::ptrdiff_t stride) {
        return std::all_of(view.stride.begin(), view.stride.end(),
                           [stride](std::ptrdiff_t one) { return one == stride; });
    };
    if (all(kRow)) {
        visit_strided<kRow>(view, put);
    } else if (all(kOne)) {
        visit_strided<kOne>(view, put);
    } else {
        visit_strided<0>(view, put);
    }
}

/// Calls put(i, point) for all points, in the crowd's local coordinates.
template <std::size_t Dim, class Put>
void visit_local(const Points<Dim>& points, const Crowd<Dim>& crowd, const Put& put) {
    if (points.in_doubles()) {
        visit_points(points.doubles(), [&](std::size_t i, const std::array<double, Dim>& place) {
            put(i, crowd.local(WorldPoint<Dim>(place)));
        });
    } else {
        visit_points(points.floats(), [&](std::size_t i, const std::array<float, Dim>& place) {
            put(i, Point<Dim>{place});
        });
    }
}

/// Writes each point to a member of its shape.
template <auto Member, class Shape, std::size_t Dim>
void put_points(const Points<Dim>& points, const Crowd<Dim>& crowd, std::vector<Shape>& shapes) {
    Shape* const all = shapes.data();
    visit_local(points, crowd,
                [all](std::size_t i, const Point<Dim>& point) { all[i].*Member = point; });
}

/// Writes each value to a member of its shape.
template <auto Member, class Shape>
void put_values(const Values<float>& values, std::vector<Shape>& shapes) {
    if (values.one_for_all()) {
        const float value = values.of_all();
        for (Shape& shape : shapes) {
            shape.*Member = value;
        }
        return;
    }
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        shapes[i].*Member = values.view()[i];
    }
}

void check_parts(const py::tuple& parts, std::size_t expected) {
    if (parts.size() != expected) { throw py::value_error("shapes: not of this kind"); }
}

/// A tag that selects an overload.
template <class Shape>
struct Kind {};

/// Reads shapes, and moves them to the crowd's local coordinates.
template <std::size_t Dim>
class Reader {
public:
    Reader(const py::tuple& parts, const Crowd<Dim>& crowd, Doubles doubles,
           ShapeArrays<Dim>& shapes)
        : parts_(parts), crowd_(crowd), doubles_(doubles), shapes_(shapes) {}

    void read(Kind<Ball<Dim>>) {
        check_parts(parts_, 2);
        const Points<Dim> centres = places(0, "centres");
        const Values<float> radii(parts_[1], "radii", centres.count());
        const WithoutGil without_gil;
        // All members in one loop, for speed, since balls are the most frequent shape.
        Ball<Dim>* const balls = array<Ball<Dim>>(centres).data();
        if (radii.one_for_all()) {
            visit_local(centres, crowd_,
                        [balls, radius = radii.of_all()](std::size_t i, const Point<Dim>& centre) {
                            balls[i] = {centre, radius};
                        });
            return;
        }
        const ValueView<float> radius = radii.view();
        visit_local(centres, crowd_, [balls, radius](std::size_t i, const Point<Dim>& centre) {
            balls[i] = {centre, radius[i]};
        });
    }

    void read(Kind<Box<Dim>>) {
        check_parts(parts_, 2);
        const Points<Dim> lo = places(0, "lo");
        const Points<Dim> hi = places(1, "hi");
        agree(lo, hi, "hi", "lo");
        const WithoutGil without_gil;
        auto& boxes = array<Box<Dim>>(lo);
        put_points<&Box<Dim>::lo>(lo, crowd_, boxes);
        put_points<&Box<Dim>::hi>(hi, crowd_, boxes);
    }

    void read(Kind<Sector<Dim>>) {
        check_parts(parts_, 4);
        const Points<Dim> centres = places(0, "centres");
        const Values<float> radii(parts_[1], "radii", centres.count());
        const Points<Dim> directions(parts_[2], "directions", Doubles::never, One::allowed);
        const Values<float> cosines(parts_[3], "cosines", centres.count());
        agree(centres, directions, "directions", "centres");
        const WithoutGil without_gil;
        auto& sectors = array<Sector<Dim>>(centres);
        put_points<&Sector<Dim>::centre>(centres, crowd_, sectors);
        put_values<&Sector<Dim>::radius>(radii, sectors);
        put_points<&Sector<Dim>::direction>(directions, crowd_, sectors);
        put_values<&Sector<Dim>::cosine>(cosines, sectors);
    }

    void read(Kind<Segment<Dim>>) {
        check_parts(parts_, 2);
        const Points<Dim> starts = places(0, "starts");
        const Points<Dim> ends = places(1, "ends");
        agree(starts, ends, "ends", "starts");
        const WithoutGil without_gil;
        auto& segments = array<Segment<Dim>>(starts);
        put_points<&Segment<Dim>::from>(starts, crowd_, segments);
        put_points<&Segment<Dim>::to>(ends, crowd_, segments);
    }

    void read(Kind<Ray<Dim>>) {
        check_parts(parts_, 3);
        const Points<Dim> origins = places(0, "origins");
        const Points<Dim> directions(parts_[1], "directions", Doubles::never, One::allowed);
        agree(origins, directions, "directions", "origins");
        const Values<float> lengths(parts_[2], "lengths", origins.count());
        const WithoutGil without_gil;
        auto& rays = array<Ray<Dim>>(origins);
        put_points<&Ray<Dim>::origin>(origins, crowd_, rays);
        put_points<&Ray<Dim>::direction>(directions, crowd_, rays);
        put_values<&Ray<Dim>::length>(lengths, rays);
    }

    void read(Kind<Capsule<Dim>>) {
        check_parts(parts_, 3);
        const Points<Dim> starts = places(0, "starts");
        const Points<Dim> ends = places(1, "ends");
        agree(starts, ends, "ends", "starts");
        const Values<float> radii(parts_[2], "radii", starts.count());
        const WithoutGil without_gil;
        auto& capsules = array<Capsule<Dim>>(starts);
        put_points<&Capsule<Dim>::from>(starts, crowd_, capsules);
        put_points<&Capsule<Dim>::to>(ends, crowd_, capsules);
        put_values<&Capsule<Dim>::radius>(radii, capsules);
    }

    /// Reads polygons of one to eight corners in the plane, frusta of eight corners in space.
    void read(Kind<Convex<Dim>>) {
        check_parts(parts_, 1);
        const Stack corners(parts_[0], "corners", Dim == 3 ? 8 : 0);
        if (corners.rows() > kMostCorners) {
            check({Cause::too_many, Argument::corners, kMostCorners});
        }
        Status status;
        {
            const WithoutGil without_gil;
            auto& all = shapes_.template of<Convex<Dim>>();
            all.resize(corners.count());
            for (std::size_t q = 0; q < all.size() && status.ok(); ++q) {
                std::array<Point<Dim>, kMostCorners> own{};
                for (std::size_t c = 0; c < corners.rows(); ++c) {
                    own[c] = corners.point(q, c);
                }
                OrStatus<Convex<Dim>> made;
                if constexpr (Dim == 2) {
                    made = polygon(std::span(own).first(corners.rows()));
                } else {
                    made = frustum(own);
                }
                all[q] = made.value;
                status = made.status;
                status.index = q; // the shape's index, not its corner's
            }
        }
        check(status);
    }

    void read(Kind<OrientedBox<Dim>>) {
        check_parts(parts_, 2);
        const Points<Dim> centres = places(0, "centres");
        const Stack edges(parts_[1], "half_edges", Dim);
        if (edges.count() != centres.count()) {
            refuse_value("half_edges", "has another length than centres");
        }
        const WithoutGil without_gil;
        auto& boxes = array<OrientedBox<Dim>>(centres);
        put_points<&OrientedBox<Dim>::centre>(centres, crowd_, boxes);
        for (std::size_t q = 0; q < boxes.size(); ++q) {
            for (std::size_t e = 0; e < Dim; ++e) {
                boxes[q].half_edges[e] = edges.point(q, e);
            }
        }
    }

    void read(Kind<Cylinder<Dim>>) {
        check_parts(parts_, 5);
        const Points<Dim> centres = places(0, "centres");
        const Values<float> radii(parts_[1], "radii", centres.count());
        const Values<float> low(parts_[2], "low", centres.count());
        const Values<float> high(parts_[3], "high", centres.count());
        const std::uint32_t up = parts_[4].is_none() ? Dim - 1 : uint32_from(parts_[4], "up");
        const WithoutGil without_gil;
        auto& cylinders = array<Cylinder<Dim>>(centres);
        put_points<&Cylinder<Dim>::centre>(centres, crowd_, cylinders);
        put_values<&Cylinder<Dim>::radius>(radii, cylinders);
        put_values<&Cylinder<Dim>::low>(low, cylinders);
        put_values<&Cylinder<Dim>::high>(high, cylinders);
        for (Cylinder<Dim>& cylinder : cylinders) {
            cylinder.up = up;
        }
    }

    /// Reads the plain shapes, and the body that all of them see.
    template <class Shape>
    void read(Kind<WithBody<Shape>>) {
        if (parts_.size() == 0) { check_parts(parts_, 1); }
        const std::size_t last = parts_.size() - 1;
        const Body body = body_from(parts_[last]);
        const auto plain = py::reinterpret_steal<py::tuple>(
            PyTuple_GetSlice(parts_.ptr(), 0, static_cast<Py_ssize_t>(last)));
        Reader(plain, crowd_, doubles_, shapes_).read(Kind<Shape>());
        const WithoutGil without_gil;
        const auto& all = shapes_.template of<Shape>();
        auto& seeing = shapes_.template of<WithBody<Shape>>();
        seeing.resize(all.size());
        for (std::size_t q = 0; q < all.size(); ++q) {
            seeing[q] = {all[q], body};
        }
    }

private:
    static constexpr std::size_t kMostCorners = 8;

    /// A float32 array of shape (n, rows, Dim).
    class Stack {
    public:
        /// `rows` is zero if any number is allowed.
        Stack(py::handle object, const char* argument, std::size_t rows)
            : array_(fitting(object, expected(argument, rows), Element::float32)) {
            if (array_.dimensions() != 3 || array_.extent(2) != Dim ||
                (rows != 0 && array_.extent(1) != rows)) {
                refuse_shape(expected(argument, rows), object);
            }
        }
        [[nodiscard]] std::size_t count() const noexcept { return array_.extent(0); }
        [[nodiscard]] std::size_t rows() const noexcept { return array_.extent(1); }
        [[nodiscard]] Point<Dim> point(std::size_t i, std::size_t row) const noexcept {
            const char* const first = array_.data<char>() +
                                      static_cast<std::ptrdiff_t>(i) * array_.stride(0) +
                                      static_cast<std::ptrdiff_t>(row) * array_.stride(1);
            const ValueView<float> numbers = {first, array_.stride(2), Dim};
            Point<Dim> point;
            for (std::size_t a = 0; a < Dim; ++a) {
                point[a] = numbers[a];
            }
            return point;
        }

    private:
        static Expected expected(const char* argument, std::size_t rows) {
            return {argument, "a float32 array of shape (n, " +
                                  (rows == 0 ? "1 to 8" : std::to_string(rows)) + ", " +
                                  std::to_string(Dim) + ")"};
        }
        Array array_;
    };

    [[nodiscard]] Points<Dim> places(std::size_t part, const char* argument) const {
        return Points<Dim>(parts_[part], argument, doubles_, One::allowed);
    }

    static void agree(const Points<Dim>& a, const Points<Dim>& b, const char* name,
                      const char* other) {
        if (a.count() != b.count()) {
            refuse_value(name, "has another length than " + std::string(other) + ": " +
                                   std::to_string(b.count()) + ", not " +
                                   std::to_string(a.count()));
        }
    }

    template <class Shape>
    std::vector<Shape>& array(const Points<Dim>& places) const {
        auto& shapes = shapes_.template of<Shape>();
        shapes.resize(places.count());
        return shapes;
    }

    const py::tuple& parts_;
    const Crowd<Dim>& crowd_;
    Doubles doubles_;
    ShapeArrays<Dim>& shapes_;
};

} // namespace

template <std::size_t Dim>
std::size_t ShapeArrays<Dim>::memory() const noexcept {
    std::size_t bytes = points.capacity() * sizeof(Point<Dim>);
    std::apply(
        [&](const auto&... array) {
            ((bytes +=
              array.capacity() * sizeof(typename std::remove_cvref_t<decltype(array)>::value_type)),
             ...);
        },
        arrays);
    return bytes;
}

template <std::size_t Dim>
ShapesView<Dim> read_shapes(ShapeKind kind, const py::tuple& parts, const Crowd<Dim>& crowd,
                            Doubles doubles, ShapeArrays<Dim>& shapes) {
    Reader<Dim> reader(parts, crowd, doubles, shapes);
    return with_kind<Dim>(kind, [&]<class Shape>() -> ShapesView<Dim> {
        reader.read(Kind<Shape>());
        return shapes.template of<Shape>();
    });
}

template <std::size_t Dim>
void read_points(py::handle points, const Crowd<Dim>& crowd, Doubles doubles,
                 ShapeArrays<Dim>& shapes) {
    const Points<Dim> places(points, "points", doubles, One::allowed);
    const WithoutGil without_gil;
    shapes.points.resize(places.count());
    Point<Dim>* const all = shapes.points.data();
    visit_local(places, crowd, [all](std::size_t i, const Point<Dim>& point) { all[i] = point; });
}

template ShapesView<2> read_shapes(ShapeKind, const py::tuple&, const Crowd<2>&, Doubles,
                                   ShapeArrays<2>&);
template ShapesView<3> read_shapes(ShapeKind, const py::tuple&, const Crowd<3>&, Doubles,
                                   ShapeArrays<3>&);
template void read_points(py::handle, const Crowd<2>&, Doubles, ShapeArrays<2>&);
template void read_points(py::handle, const Crowd<3>&, Doubles, ShapeArrays<3>&);
template struct ShapeArrays<2>;
template struct ShapeArrays<3>;

} // namespace throng::python
