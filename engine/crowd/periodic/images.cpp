// Images of what agents see, for arrays; and points from outside the world.
#include "../images.hpp"

#include "../../agents/validation.hpp"
#include "../../agents/world_wrap.hpp"
#include "../../core/limits.hpp"

#include <algorithm>

namespace throng {

namespace {

template <std::size_t Dim>
Point<Dim> point_of(const PointView<Dim>& view, std::size_t i) noexcept {
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = view.values(a)[i];
    }
    return point;
}
template <std::size_t Dim>
WorldPoint<Dim> point_of(const WorldPointView<Dim>& view, std::size_t i) noexcept {
    WorldPoint<Dim> point({});
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = view.values(a)[i];
    }
    return point;
}

} // namespace

template <std::size_t Dim>
Images<Dim>::Images(const Crowd<Dim>& crowd) noexcept {
    const CrowdSettings<Dim>& settings = crowd.settings();
    for (std::size_t a = 0; a < Dim; ++a) {
        axes_[a] = {settings.origin[a], -kLargest, kLargest, 0.0f};
        if (!settings.periodic[a]) { continue; }
        const auto& [lo, hi] = *settings.bounds;
        axes_[a] = {settings.origin[a], lo[a], hi[a], hi[a] - lo[a]};
    }
}

template <std::size_t Dim>
template <class Any>
Point<Dim> Images<Dim>::wrapped(const Any& point) const noexcept {
    WorldWrap<Dim> world;
    Point<Dim> inside;
    for (std::size_t a = 0; a < Dim; ++a) {
        world.periodic[a] = axes_[a].period > 0.0f;
        world.bounds.lo[a] = axes_[a].lo;
        world.bounds.hi[a] = axes_[a].hi;
        inside[a] = world.kept(local(point[a], axes_[a]), a);
    }
    return inside;
}

template <std::size_t Dim>
template <class Any>
Image<Dim> Images<Dim>::brought_in(const Any& asker, const Any& other) const noexcept {
    const Point<Dim> from = wrapped(asker), to = wrapped(other);
    Image<Dim> image;
    for (std::size_t a = 0; a < Dim; ++a) {
        image[a] = nearest(from[a], to[a], axes_[a].period);
    }
    return image;
}

template <std::size_t Dim>
template <class Float>
Status Images<Dim>::check(const StridedPoints<Float, Dim>& points,
                          Argument argument) const noexcept {
    if (points.count != 0 && std::count(points.axis.begin(), points.axis.end(), nullptr) != 0) {
        return {Cause::null_pointer, argument};
    }
    for (std::size_t i = 0; i < points.count; ++i) {
        const auto point = point_of(points, i);
        if (are_inside(point, point, std::make_index_sequence<Dim>())) { continue; }
        const Status status = check_point(wrapped(point), argument, i);
        if (!status.ok()) { return status; }
    }
    return {};
}

template <std::size_t Dim>
template <class Float>
Status Images<Dim>::write_all(const StridedPoints<Float, Dim>& points,
                              const StridedPoints<Float, Dim>& positions,
                              std::span<Image<Dim>> out) const noexcept {
    if (points.count != 1 && points.count != positions.count) {
        return {Cause::count_mismatch, Argument::points};
    }
    if (out.size() < positions.count) {
        return {Cause::no_room, Argument::images, positions.count};
    }
    Status status = check(points, Argument::points);
    if (status.ok()) { status = check(positions, Argument::positions); }
    if (!status.ok()) { return status; }
    StridedPoints<Float, Dim> askers = points;
    if (points.count == 1) { askers.stride = {}; }
    for (std::size_t i = 0; i < positions.count; ++i) {
        out[i] = between(point_of(askers, i), point_of(positions, i));
    }
    return {};
}

template <std::size_t Dim>
Status Images<Dim>::write(const PointView<Dim>& points, const PointView<Dim>& positions,
                          std::span<Image<Dim>> out) const noexcept {
    return write_all(points, positions, out);
}

template <std::size_t Dim>
Status Images<Dim>::write(const WorldPointView<Dim>& points, const WorldPointView<Dim>& positions,
                          std::span<Image<Dim>> out) const noexcept {
    return write_all(points, positions, out);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template class Images<Dim>;                                                                    \
    template THRONG_API Image<Dim> Images<Dim>::brought_in(const Point<Dim>&, const Point<Dim>&)   \
        const noexcept;                                                                            \
    template THRONG_API Image<Dim> Images<Dim>::brought_in(const WorldPoint<Dim>&,                 \
                                                           const WorldPoint<Dim>&) const noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
