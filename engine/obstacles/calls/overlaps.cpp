// Questions that ask which obstacles have a point in common with a shape.
#include "../../core/profile_scope.hpp"
#include "../../shapes/bounds.hpp"
#include "../../shapes/translated.hpp"
#include "../exact/exact_cylinder.hpp"
#include "../exact/exact_region.hpp"
#include "../exact/exact_sector.hpp"
#include "../store/answers.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace throng {

namespace obstacle {

template <std::size_t Dim>
ExactSector<Dim> moved(ExactSector<Dim> sector, const Shift<Dim>& shift) noexcept {
    sector.apex = shift.moved(sector.apex);
    return sector;
}
template <std::size_t Dim>
ExactRegion<Dim> moved(ExactRegion<Dim> region, const Shift<Dim>& shift) noexcept {
    region.lo = shift.moved(region.lo);
    region.hi = shift.moved(region.hi);
    for (std::size_t s = 0; s < region.count; ++s) {
        Side<Dim>& side = region.sides[s];
        side.offset = side.offset - dot(side.normal, shift.from) + dot(side.normal, shift.to);
    }
    return region;
}
inline ExactCylinder moved(ExactCylinder cylinder, const Shift<3>& shift) noexcept {
    const std::size_t up = cylinder.up;
    cylinder.centre = shift.moved(cylinder.centre);
    cylinder.low = cylinder.low - shift.from[up] + shift.to[up];
    cylinder.high = cylinder.high - shift.from[up] + shift.to[up];
    return cylinder;
}

namespace {

/// Calls with.template operator()<Shape>() for the shape type of a kind; false if obstacles cannot
/// be asked about that kind.
template <std::size_t Dim, class With>
bool with_area_kind(ShapeKind kind, const With& with) {
    switch (kind) {
    case ShapeKind::box:
        with.template operator()<Box<Dim>>();
        return true;
    case ShapeKind::oriented_box:
        with.template operator()<OrientedBox<Dim>>();
        return true;
    case ShapeKind::sector:
        with.template operator()<Sector<Dim>>();
        return true;
    case ShapeKind::convex:
        with.template operator()<Convex<Dim>>();
        return true;
    case ShapeKind::cylinder:
        with.template operator()<Cylinder<Dim>>();
        return true;
    default:
        return false;
    }
}

template <std::size_t Dim>
Status check_all(const ShapesView<Dim>& shapes) noexcept {
    if (const Status status = check_kind(shapes); !status.ok()) { return status; }
    Status status = {Cause::out_of_range, Argument::shapes};
    with_area_kind<Dim>(shapes.kind, [&]<class Shape>() {
        status = {};
        if constexpr (std::is_same_v<Shape, OrientedBox<Dim>>) { // check() demands right angles
            const auto boxes = shapes.template as<Shape>();
            for (std::size_t i = 0; i < boxes.size() && status.ok(); ++i) {
                status = check(boxes[i], i);
            }
        } else {
            status = first_fault(shapes);
        }
    });
    return status;
}

/// The bounds of a shape. Not rounded to floats: far from zero that moves them by more than the
/// slack of a copy that is near zero.
template <std::size_t Dim>
void find_area(const Box<Dim>& box, Real<Dim>& lo, Real<Dim>& hi) noexcept {
    lo = real(box.lo);
    hi = real(box.hi);
}
template <std::size_t Dim>
void find_area(const OrientedBox<Dim>& box, Real<Dim>& lo, Real<Dim>& hi) noexcept {
    find_bounds(body_of(box), lo, hi);
}
template <std::size_t Dim>
void find_area(const Cylinder<Dim>& cylinder, Real<Dim>& lo, Real<Dim>& hi) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        lo[a] = double{cylinder.centre[a]} - cylinder.radius;
        hi[a] = double{cylinder.centre[a]} + cylinder.radius;
    }
    lo[cylinder.up] = cylinder.low;
    hi[cylinder.up] = cylinder.high;
}
template <std::size_t Dim>
void find_area(const Convex<Dim>& region, Real<Dim>& lo, Real<Dim>& hi) noexcept {
    find_area(region.bounds, lo, hi);
}
template <std::size_t Dim>
void find_area(const Sector<Dim>& sector, Real<Dim>& lo, Real<Dim>& hi) noexcept {
    find_area(gate_of(ShapesView<Dim>(sector)).bounds(), lo, hi);
}

/// An upper bound of those numbers of a shape that the definitions add up across axes. The second
/// argument is an upper bound of the obstacles' coordinates.
template <std::size_t Dim>
double mixed_of(const Box<Dim>&, double) noexcept {
    return 0.0;
}
template <std::size_t Dim>
double mixed_of(const OrientedBox<Dim>& box, double) noexcept {
    return size_of(body_of(box));
}
/// Leaves out the heights, which are compared on one axis only.
template <std::size_t Dim>
double mixed_of(const Cylinder<Dim>& cylinder, double) noexcept {
    Real<Dim> centre = real(cylinder.centre);
    centre[cylinder.up] = 0.0;
    return size_of(centre) + cylinder.radius;
}
template <std::size_t Dim>
double mixed_of(const Sector<Dim>& sector, double size) noexcept {
    return size_of(real(sector.centre)) + std::min(double{sector.radius}, size);
}
template <std::size_t Dim>
double mixed_of(const Convex<Dim>& region, double size) noexcept {
    return std::min(size,
                    std::max(size_of(real(region.bounds.lo)), size_of(real(region.bounds.hi))));
}

/// Where a shape asks.
template <std::size_t Dim, class Shape>
Extent<Dim> extent_of_area(const Shape& shape) noexcept {
    const ShapesView<Dim> view(shape);
    // What depends on the obstacles' size has its place in the margin already.
    Extent<Dim> extent = {
        anchor(view), {}, {}, three_copies_suffice(view.kind), mixed_of(shape, 0.0)};
    find_area(shape, extent.lo, extent.hi);
    return extent;
}

/// Returns the region, widened by more than the rounding error of its test against bounds with
/// coordinates up to `size`.
template <std::size_t Dim>
Convex<Dim> wider(Convex<Dim> region, float size) noexcept {
    constexpr double kMost = std::numeric_limits<float>::max();
    region.bounds = widened(region.bounds, mixed_of(region, size));
    for (std::size_t s = 0; s < region.count; ++s) {
        HalfSpace<Dim>& side = region.sides[s];
        double terms = std::abs(double{side.offset});
        for (const float x : side.normal.axis) {
            terms += std::abs(double{x}) * size;
        }
        side.offset = static_cast<float>(std::min(side.offset + terms * 0x1p-18 + 1e-36, kMost));
    }
    return region;
}

template <std::size_t Dim>
bool is_inverted(const Extent<Dim>& extent) noexcept {
    bool inverted = false;
    for (std::size_t a = 0; a < Dim; ++a) {
        inverted = inverted || extent.lo[a] > extent.hi[a];
    }
    return inverted;
}

/// check_all(), and refuses shapes with too many copies.
template <std::size_t Dim>
Status check_all(const ShapesView<Dim>& shapes, const WorldWrap<Dim>& world) noexcept {
    Status status = check_all(shapes);
    if (!status.ok() || !world.wraps) { return status; }
    with_area_kind<Dim>(shapes.kind, [&]<class Shape>() {
        const auto all = shapes.template as<Shape>();
        status = check_copies(world, all.size(), argument_of(shapes.kind),
                              [&](std::size_t i) { return extent_of_area<Dim>(all[i]); });
    });
    return status;
}

} // namespace
} // namespace obstacle

namespace {

/// Adds the ids of all obstacles that overlap a shape, sorted.
template <std::size_t Dim, class State, class Shape>
void add_overlaps(const State& state, const Shape& shape, const Filter& filter,
                  std::vector<Id>& ids) {
    // As everywhere, inverted bounds hold nothing.
    const auto asked = obstacle::extent_of_area<Dim>(shape);
    if (obstacle::is_inverted(asked)) { return; }
    const auto whole = obstacle::body_of(shape);
    const auto before = static_cast<std::ptrdiff_t>(ids.size());
    const auto visit = [&](const auto& around, const auto& body) {
        (void)state.tree.visit(
            around,
            [&](std::span<const Id> slots) {
                for (const std::uint32_t slot : slots) {
                    const auto& record = state.records[slot];
                    const bool meets = obstacle::with_body(
                        record, [&](const auto& other) { return obstacle::overlaps(body, other); });
                    if (meets) { ids.push_back(record.id); }
                }
                return true;
            },
            state.filter_of(filter));
    };
    const float size = state.around.size;
    const obstacle::Surroundings<Dim>* const around = state.copied();
    if (around != nullptr && !around->has_inside(asked)) {
        const obstacle::Copies<Dim> copies(*around, asked);
        for (std::size_t i = 0; i < copies.size(); ++i) {
            const obstacle::Shift<Dim> shift = copies[i];
            const double mixed = obstacle::mixed_of(shape, size) + obstacle::size_of(shift.to);
            visit(obstacle::box_around(shift.moved(asked.lo), shift.moved(asked.hi), mixed),
                  obstacle::moved(whole, shift));
        }
    } else if constexpr (std::is_same_v<Shape, Convex<Dim>>) {
        visit(obstacle::wider(shape, size), whole);
    } else {
        visit(obstacle::box_around(asked.lo, asked.hi, obstacle::mixed_of(shape, size)), whole);
    }
    std::sort(ids.begin() + before, ids.end());
    if (around != nullptr) { ids.erase(std::unique(ids.begin() + before, ids.end()), ids.end()); }
}

} // namespace

template <std::size_t Dim>
Found Obstacles<Dim>::query(const ShapesView<Dim>& shape, std::vector<Id>& ids,
                            const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    Status status = obstacle::check_all(shape, state_->around.world);
    if (status.ok() && shape.count != 1) { status = {Cause::count_mismatch, Argument::shapes}; }
    if (!status.ok()) { return {0, status}; }
    ids.clear();
    if (state_->is_empty_for(filter)) { return {}; }
    obstacle::with_area_kind<Dim>(shape.kind, [&]<class Shape>() {
        add_overlaps<Dim>(*state_, shape.template as<Shape>()[0], filter, ids);
    });
    return {ids.size(), {}};
}

template <std::size_t Dim>
Found Obstacles<Dim>::query(const ShapesView<Dim>& shapes, Hits& hits, Executor& executor,
                            const Filter& filter) const {
    const ProfileScope profiled("Obstacles::query");
    const AccessCheck::Reading reading(state_->access);
    const Status status = obstacle::check_all(shapes, state_->around.world);
    if (!status.ok()) { return {0, status}; }
    if (shapes.count == 0 || state_->is_empty_for(filter)) {
        hits.offsets.assign(shapes.count + 1, 0);
        return {};
    }
    return obstacle::list_all<64>(shapes.count, executor, 500.0, hits.offsets, hits.ids, [&] {
        return [&](std::size_t begin, std::size_t end, std::vector<Id>& ids, std::uint64_t* ends) {
            obstacle::with_area_kind<Dim>(shapes.kind, [&]<class Shape>() {
                for (std::size_t i = begin; i < end; ++i) {
                    add_overlaps<Dim>(*state_, shapes.template as<Shape>()[i], filter, ids);
                    *ends++ = ids.size();
                }
            });
        };
    });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found Obstacles<Dim>::query(const ShapesView<Dim>&, std::vector<Id>&, const Filter&)  \
        const;                                                                                     \
    template Found Obstacles<Dim>::query(const ShapesView<Dim>&, Hits&, Executor&, const Filter&)  \
        const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
