// Checks obstacles, finds their places in the tree, and adds many at once.
#include "../../agents/validation.hpp"
#include "../../memory/checked_loop.hpp"
#include "search.hpp"

#include <cmath>
#include <limits>

namespace throng {

namespace obstacle {

namespace {

Status blaming(Status status, std::size_t index) noexcept {
    status.index = status.ok() ? 0 : index;
    return status;
}

float rounded_down(double x) noexcept {
    const auto f = static_cast<float>(x);
    return double{f} > x ? std::nextafter(f, -std::numeric_limits<float>::infinity()) : f;
}
float rounded_up(double x) noexcept { return -rounded_down(-x); }

template <std::size_t Dim>
bool is_too_large(const Box<Dim>& bounds) noexcept {
    bool large = false;
    for (std::size_t a = 0; a < Dim; ++a) {
        large = large || bounds.lo[a] < -kLargest || bounds.hi[a] > kLargest;
    }
    return large;
}

Box<2> bounds_of(const ExactWall& body) noexcept {
    Box<2> bounds;
    for (std::size_t a = 0; a < 2; ++a) {
        bounds.lo[a] = rounded_down(std::min(body.from[a], body.to[a]) - body.reach);
        bounds.hi[a] = rounded_up(std::max(body.from[a], body.to[a]) + body.reach);
    }
    return bounds;
}
Box<3> bounds_of(const ExactTriangle& body) noexcept {
    Box<3> bounds;
    for (std::size_t a = 0; a < 3; ++a) {
        bounds.lo[a] =
            rounded_down(std::min({body.corners[0][a], body.corners[1][a], body.corners[2][a]}));
        bounds.hi[a] =
            rounded_up(std::max({body.corners[0][a], body.corners[1][a], body.corners[2][a]}));
    }
    return bounds;
}

} // namespace

template <std::size_t Dim>
Box<Dim> bounds_of(const ExactBox<Dim>& body) noexcept {
    Box<Dim> bounds;
    for (std::size_t a = 0; a < Dim; ++a) {
        double low = body.lo[a], high = body.hi[a];
        if (body.turned) {
            double reach = 0.0, size = std::abs(body.origin[a]);
            for (std::size_t i = 0; i < Dim; ++i) {
                reach += std::abs(body.axis[i][a]) * body.hi[i];
                size += body.hi[i];
            }
            // Axes are of unit length except for rounding.
            reach += size * 0x1p-48;
            low = body.origin[a] - reach;
            high = body.origin[a] + reach;
        }
        bounds.lo[a] = rounded_down(low);
        bounds.hi[a] = rounded_up(high);
    }
    return bounds;
}

template <std::size_t Dim>
Status check(const Box<Dim>& box, std::size_t index) noexcept {
    for (const Point<Dim>& corner : {box.lo, box.hi}) {
        const Status status = check_point(corner, Argument::box, index);
        if (!status.ok()) { return status; }
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        if (box.lo[a] > box.hi[a]) { return {Cause::inverted, Argument::box, index}; }
    }
    return {};
}

template <std::size_t Dim>
Status check(const OrientedBox<Dim>& box, std::size_t index) noexcept {
    if (const Status status = check_shape(box); !status.ok()) { return blaming(status, index); }
    for (std::size_t i = 0; i < Dim; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const Real<Dim> one = real(box.half_edges[i]);
            const Real<Dim> other = real(box.half_edges[j]);
            constexpr double kMostCosine = 1e-5;
            if (std::abs(dot(one, other)) >
                kMostCosine * std::sqrt(dot(one, one)) * std::sqrt(dot(other, other))) {
                return {Cause::out_of_range, Argument::oriented_box, index};
            }
        }
    }
    if (is_too_large(bounds_of(body_of(box)))) {
        return {Cause::too_large, Argument::oriented_box, index};
    }
    return {};
}

Status check(const Wall& wall, std::size_t index) noexcept {
    for (const Point<2>& end : {wall.from, wall.to}) {
        const Status status = check_point(end, Argument::wall, index);
        if (!status.ok()) { return status; }
    }
    const Status status = check_length(wall.thickness, Argument::wall);
    if (!status.ok()) { return blaming(status, index); }
    if (is_too_large(bounds_of(body_of(wall)))) {
        return {Cause::too_large, Argument::wall, index};
    }
    return {};
}

Status check(const Triangle& triangle, std::size_t index) noexcept {
    for (const Point<3>& corner : triangle.corners) {
        const Status status = check_point(corner, Argument::triangle, index);
        if (!status.ok()) { return status; }
    }
    return {};
}

namespace {

/// An upper bound of those numbers of an obstacle that are added up on an axis. In a box that is
/// not turned, axes do not mix.
template <std::size_t Dim>
double slack_on(const ExactBox<Dim>& box, std::size_t a) noexcept {
    return box.turned ? size_of(box) : std::max(std::abs(box.lo[a]), std::abs(box.hi[a]));
}
double slack_on(const ExactWall& wall, std::size_t) noexcept { return size_of(wall); }
double slack_on(const ExactTriangle& triangle, std::size_t) noexcept { return size_of(triangle); }

} // namespace

template <std::size_t Dim>
Place<Dim> place_of(const Record<Dim>& record) noexcept {
    Box<Dim> bounds;
    with_body(record, [&](const auto& body) {
        bounds = bounds_of(body);
        for (std::size_t a = 0; a < Dim; ++a) {
            const double slack = slack_on(body, a) * kSlack;
            bounds.lo[a] = std::max(rounded_down(bounds.lo[a] - slack), -kLargest);
            bounds.hi[a] = std::min(rounded_up(bounds.hi[a] + slack), kLargest);
        }
    });
    Place<Dim> place;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float low = bounds.lo[a], high = bounds.hi[a];
        float middle = 0.5f * low + 0.5f * high;
        float half = std::max(high - middle, middle - low);
        // The box that the tree makes of position and half extent must hold the obstacle.
        while (middle - half > low || middle + half < high) {
            half = std::nextafter(half, std::numeric_limits<float>::infinity());
        }
        if (half > kLargest) {
            middle = 0.0f;
            half = kLargest;
        }
        place.position[a] = middle;
        place.half_extent[a] = half;
    }
    return place;
}

namespace {

/// Calls call(point) for each point of an obstacle that moves with it.
template <std::size_t Dim, class Call>
void each_point(Box<Dim>& box, const Call& call) {
    call(box.lo);
    call(box.hi);
}
template <std::size_t Dim, class Call>
void each_point(OrientedBox<Dim>& box, const Call& call) {
    call(box.centre);
}
template <class Call>
void each_point(Wall& wall, const Call& call) {
    call(wall.from);
    call(wall.to);
}
template <class Call>
void each_point(Triangle& triangle, const Call& call) {
    std::for_each(triangle.corners.begin(), triangle.corners.end(), call);
}

template <std::size_t Dim>
constexpr Argument argument_of(const Box<Dim>&) noexcept {
    return Argument::box;
}
template <std::size_t Dim>
constexpr Argument argument_of(const OrientedBox<Dim>&) noexcept {
    return Argument::oriented_box;
}
constexpr Argument argument_of(const Wall&) noexcept { return Argument::wall; }
constexpr Argument argument_of(const Triangle&) noexcept { return Argument::triangle; }

/// As wide as the period, whatever rounding did.
constexpr double kWidest = 1.0 + 0x1p-10;

} // namespace

template <std::size_t Dim, class Shape>
Status admit(const WorldWrap<Dim>& world, Shape& shape, std::size_t index) noexcept {
    const Status status = check(shape, index);
    if (!world.wraps || !status.ok()) { return status; }
    bool outside = false;
    for (std::size_t a = 0; a < Dim; ++a) {
        if (!world.periodic[a]) { continue; }
        double low = kNever, high = -kNever;
        each_point(shape, [&](const Point<Dim>& point) {
            low = std::min(low, double{point[a]});
            high = std::max(high, double{point[a]});
        });
        const double middle = 0.5 * (low + high);
        const float lo = world.bounds.lo[a], hi = world.bounds.hi[a];
        if (lo <= middle && middle < hi) { continue; }
        outside = true;
        const double home = put_between(middle, lo, hi);
        each_point(shape, [&](Point<Dim>& point) {
            point[a] = static_cast<float>(point[a] - middle + home);
        });
    }
    // Not before, as far away the widths are lost in the rounding of bounds.
    const Box<Dim> bounds = bounds_of(body_of(shape));
    for (std::size_t a = 0; a < Dim; ++a) {
        if (world.periodic[a] && double{bounds.hi[a]} - bounds.lo[a] > world.period[a] * kWidest) {
            return {Cause::wraps, argument_of(shape), index};
        }
    }
    return outside ? check(shape, index) : status; // it may reach too far now
}

template <std::size_t Dim>
bool is_at_home(const WorldWrap<Dim>& world, const Place<Dim>& place) noexcept {
    double numbers = 0.0; // the slack of an obstacle is more than a period where others are large
    for (std::size_t a = 0; a < Dim; ++a) {
        numbers += std::abs(double{place.position[a]}) + double{place.half_extent[a]};
    }
    bool home = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        // Rounding and slack move places and widen them, by less than this.
        const double ulps = (std::abs(world.bounds.lo[a]) + std::abs(world.bounds.hi[a])) * 0x1p-20;
        const double loose = 0.125 * world.period[a] + ulps + 4.0 * kSlack * numbers;
        home =
            home && (!world.periodic[a] || (place.position[a] >= world.bounds.lo[a] - loose &&
                                            place.position[a] <= world.bounds.hi[a] + loose &&
                                            place.half_extent[a] <= 0.5 * world.period[a] + loose));
    }
    return home;
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status check(const Box<Dim>&, std::size_t) noexcept;                                  \
    template Status check(const OrientedBox<Dim>&, std::size_t) noexcept;                          \
    template Status admit(const WorldWrap<Dim>&, Box<Dim>&, std::size_t) noexcept;                 \
    template Status admit(const WorldWrap<Dim>&, OrientedBox<Dim>&, std::size_t) noexcept;         \
    template Status admit(const WorldWrap<Dim>&, Thin<Dim>&, std::size_t) noexcept;                \
    template bool is_at_home(const WorldWrap<Dim>&, const Place<Dim>&) noexcept;                   \
    template Box<Dim> bounds_of(const ExactBox<Dim>&) noexcept;                                    \
    template Place<Dim> place_of(const Record<Dim>&) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace obstacle

namespace {

using obstacle::Place;
using obstacle::Record;
using obstacle::Thin;

const ValueView<Wall>& thin_of(const ObstacleArrays<2>& arrays) noexcept { return arrays.walls; }
const ValueView<Triangle>& thin_of(const ObstacleArrays<3>& arrays) noexcept {
    return arrays.triangles;
}

constexpr std::uint32_t kEverywhere = kAllGroups;

/// The arrays of one set(), read as if they were one array.
template <std::size_t Dim>
struct Incoming {
    const ObstacleArrays<Dim>& arrays;
    const WorldWrap<Dim>& world;
    std::size_t boxes, turned_boxes, thin;

    Incoming(const ObstacleArrays<Dim>& given, const WorldWrap<Dim>& in) noexcept
        : arrays(given), world(in), boxes(given.boxes.count),
          turned_boxes(given.turned_boxes.count), thin(thin_of(given).count) {}

    [[nodiscard]] std::size_t count() const noexcept { return boxes + turned_boxes + thin; }

    [[nodiscard]] Status check_views() const noexcept {
        constexpr Argument kThin = Dim == 2 ? Argument::wall : Argument::triangle;
        const auto lacks = [](const auto& view) { return view.data == nullptr && view.count != 0; };
        if (lacks(arrays.boxes)) { return {Cause::null_pointer, Argument::box}; }
        if (lacks(arrays.turned_boxes)) { return {Cause::null_pointer, Argument::oriented_box}; }
        if (lacks(thin_of(arrays))) { return {Cause::null_pointer, kThin}; }
        if (boxes > kMaxAgents) { return {Cause::too_many, Argument::box, kMaxAgents}; }
        if (turned_boxes > kMaxAgents - boxes) {
            return {Cause::too_many, Argument::oriented_box, kMaxAgents};
        }
        if (thin > kMaxAgents - boxes - turned_boxes) {
            return {Cause::too_many, kThin, kMaxAgents};
        }
        if (arrays.groups.count == 0 && arrays.groups.data == nullptr) { return {}; }
        if (arrays.groups.count != count()) { return {Cause::count_mismatch, Argument::groups}; }
        return lacks(arrays.groups) ? Status{Cause::null_pointer, Argument::groups} : Status{};
    }

    [[nodiscard]] Status take(std::size_t i, Record<Dim>& record) const noexcept {
        const auto one = [&](auto shape, std::size_t index) {
            const Status status = obstacle::admit<Dim>(world, shape, index);
            record = Record<Dim>::of(static_cast<Id>(i), shape);
            return status;
        };
        if (i < boxes) { return one(arrays.boxes[i], i); }
        if (i < boxes + turned_boxes) { return one(arrays.turned_boxes[i - boxes], i - boxes); }
        return one(thin_of(arrays)[i - boxes - turned_boxes], i - boxes - turned_boxes);
    }
};

} // namespace

template <std::size_t Dim>
Status Obstacles<Dim>::State::set(const ObstacleArrays<Dim>& arrays, Executor& executor) {
    const Incoming<Dim> incoming(arrays, around.world);
    if (const Status status = incoming.check_views(); !status.ok()) { return status; }
    const std::size_t count = incoming.count();
    if (count == 0) {
        clear();
        return {};
    }
    constexpr std::size_t kBlock = 4096;
    const std::size_t blocks = (count + kBlock - 1) / kBlock;
    struct Outcome {
        Status status;
        obstacle::Surroundings<Dim> around;
    };
    Vector<Record> taken(count);
    Vector<std::uint32_t> own(count);
    Vector<Place<Dim>> places(count);
    Vector<Outcome> outcomes(blocks);
    LoopClaims claims;
    const Status run = run_blocks(
        executor, blocks,
        [&](std::size_t block) {
            Outcome outcome;
            const std::size_t end = std::min(count, (block + 1) * kBlock);
            for (std::size_t i = block * kBlock; i < end && outcome.status.ok(); ++i) {
                outcome.status = incoming.take(i, taken[i]);
                if (!outcome.status.ok()) { break; }
                places[i] = obstacle::place_of(taken[i]);
                outcome.around.include(places[i].position, places[i].half_extent);
                own[i] = static_cast<std::uint32_t>(i);
            }
            outcomes[block] = outcome;
        },
        claims, LoopCost::of(count, 20.0));
    if (!run.ok()) { return run; }
    obstacle::Surroundings<Dim> next = {around.world};
    for (const Outcome& outcome : outcomes) {
        if (!outcome.status.ok()) { return outcome.status; }
        next.include(outcome.around);
    }
    Agents<Dim> agents;
    constexpr std::ptrdiff_t kStride = sizeof(Place<Dim>);
    agents.positions = PointView<Dim>::interleaved(places[0].position.axis.data(), count, kStride);
    agents.half_extents =
        PointView<Dim>::interleaved(places[0].half_extent.axis.data(), count, kStride);
    agents.groups = arrays.groups;
    if (agents.groups.data == nullptr) { agents.groups = {&kEverywhere, 0, count}; }
    if (const Status status = tree.update(agents, executor); !status.ok()) { return status; }
    records.swap(taken);
    slots.swap(own);
    free.clear();
    around = next;
    return {};
}

template Status Obstacles<2>::State::set(const ObstacleArrays<2>&, Executor&);
template Status Obstacles<3>::State::set(const ObstacleArrays<3>&, Executor&);

} // namespace throng
