// What floats can say of a look, with room for their rounding: bound_looks() compares it with a
// turned box around each obstacle, and with one that the obstacle fills.
//
// All its terms are sums of few products of the way, the middle and the extents, so floats err by
// less than 2^-20 of all of these. The extents of the outer box get four times that, 2^-18, added;
// of the inner box it is taken away.
#include "looks.hpp"

#include "search.hpp"

#include <bit>
#include <cmath>

namespace throng {

namespace obstacle {

namespace {

/// The extent of an inner box that no look comes near to. Its products with ways are floats yet.
constexpr float kNothing = -4.0f * kLargest;

/// Shorter ways have squares that are not exact enough to make an axis.
constexpr double kShortest2 = 1e-200;

template <std::size_t Dim>
Screen<Dim> screen_of(const BoxBody<Dim>& body) noexcept {
    Screen<Dim> screen;
    screen.middle = middle_of(body);
    screen.axis = body.axis;
    for (std::size_t i = 0; i < Dim; ++i) {
        screen.outer[i] = 0.5 * body.hi[i] - 0.5 * body.lo[i];
    }
    screen.inner = screen.outer;
    screen.bounds = bounds_of(body);
    return screen;
}

/// Inside is all but the round ends.
Screen<2> screen_of(const WallBody& wall) noexcept {
    BoxBody<2> box;
    box.turned = true;
    const Real<2> way = minus(wall.to, wall.from);
    const double length2 = dot(way, way);
    const bool is_long = length2 > kShortest2;
    const double length = std::sqrt(length2);
    const Real<2> ahead = is_long ? scaled(way, 1.0 / length) : Real<2>{1.0, 0.0};
    box.axis = {ahead, Real<2>{-ahead[1], ahead[0]}};
    box.origin = along(scaled(wall.from, 0.5), 0.5, wall.to);
    const double core = 0.5 * length, spread = is_long ? 0.0 : core;
    box.hi = {core + wall.reach, wall.reach + spread};
    box.lo = scaled(box.hi, -1.0);
    Screen<2> screen = screen_of(box);
    screen.inner = is_long ? Real<2>{core, wall.reach} : Real<2>{-1.0, -1.0};
    return screen;
}

/// A box that lies in the triangle's plane. Nothing is inside.
Screen<3> screen_of(const TriangleBody& triangle) noexcept {
    BoxBody<3> box;
    box.turned = true;
    box.origin = triangle.corners[0];
    box.axis = {Real<3>{1.0, 0.0, 0.0}, Real<3>{0.0, 1.0, 0.0}, Real<3>{0.0, 0.0, 1.0}};
    const Real<3> edge = minus(triangle.corners[1], triangle.corners[0]);
    const double edge2 = dot(edge, edge), normal2 = dot(triangle.normal, triangle.normal);
    if (edge2 > kShortest2 && normal2 > kShortest2) {
        box.axis[0] = scaled(edge, 1.0 / std::sqrt(edge2));
        box.axis[1] = scaled(triangle.normal, 1.0 / std::sqrt(normal2));
        box.axis[2] = cross(box.axis[0], box.axis[1]);
    }
    Real<3> low{}, high{};
    for (const Real<3>& corner : triangle.corners) {
        const Real<3> local = box.inside(corner);
        for (std::size_t i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], local[i]);
            high[i] = std::max(high[i], local[i]);
        }
    }
    box.origin = box.outside(scaled(along(low, 1.0, high), 0.5));
    box.hi = scaled(minus(high, low), 0.5);
    box.lo = scaled(box.hi, -1.0);
    Screen<3> screen = screen_of(box);
    screen.inner = {-1.0, -1.0, -1.0};
    return screen;
}

} // namespace
} // namespace obstacle

template <std::size_t Dim>
void Looks<Dim>::gather(const detail::StateOf<const Obstacles<Dim>>& obstacles,
                        const Box<Dim>& bounds, const Filter& filter) {
    screens_.clear();
    records_ = obstacles.records.data();
    size_ = obstacles.size;
    if (obstacles.is_empty_for(filter)) { return; }
    (void)obstacles.tree.visit(
        obstacle::widened(bounds, std::max(obstacle::size_of(obstacle::real(bounds.lo)),
                                           obstacle::size_of(obstacle::real(bounds.hi)))),
        [&](std::span<const Id> slots) {
            for (const std::uint32_t slot : slots) {
                screens_.push_back(with_body(
                    records_[slot], [](const auto& body) { return obstacle::screen_of(body); }));
                screens_.back().slot = slot;
            }
            return true;
        },
        obstacles.filter_of(filter));
}

/// Keeps what is in the way of looks within the bounds.
template <std::size_t Dim>
void Looks<Dim>::see(const Point<Dim>& from, const Box<Dim>& bounds) {
    seen_.clear();
    slots_.clear();
    const obstacle::Real<Dim> eye = obstacle::real(from);
    const Box<Dim> wide =
        obstacle::widened(bounds, std::max(obstacle::size_of(obstacle::real(bounds.lo)),
                                           obstacle::size_of(obstacle::real(bounds.hi))));
    double way = 0.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        way += std::max(bounds.hi[a] - eye[a], eye[a] - bounds.lo[a]);
    }
    const double least = 4.0 * obstacle::kSlack * (size_ + obstacle::size_of(eye) + way) + 1e-36;
    for (const obstacle::Screen<Dim>& screen : screens_) {
        bool meets = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            meets = meets && screen.bounds.lo[a] <= wide.hi[a] && wide.lo[a] <= screen.bounds.hi[a];
        }
        if (!meets) { continue; }
        const obstacle::Real<Dim> there = obstacle::minus(screen.middle, eye);
        const double slack =
            (obstacle::sum_of(there) + way + obstacle::sum_of(screen.outer)) * 0x1p-18 + least;
        simd::SeenBody<Dim>& seen = seen_.emplace_back();
        slots_.push_back(screen.slot);
        for (std::size_t i = 0; i < Dim; ++i) {
            for (std::size_t a = 0; a < Dim; ++a) {
                seen.axis[i][a] = static_cast<float>(screen.axis[i][a]);
            }
            seen.middle[i] = static_cast<float>(obstacle::dot(there, screen.axis[i]));
            seen.outer[i] = static_cast<float>(screen.outer[i] + slack);
            const double inner = screen.inner[i] - slack;
            seen.inner[i] = inner >= 0.0 ? static_cast<float>(inner) : obstacle::kNothing;
        }
    }
}

template <std::size_t Dim>
bool Looks<Dim>::is_hidden(const Point<Dim>& from, const Point<Dim>& to,
                           std::uint32_t slot) const noexcept {
    const bool forward = !std::lexicographical_compare(to.axis.begin(), to.axis.end(),
                                                       from.axis.begin(), from.axis.end());
    const obstacle::Real<Dim> begin = obstacle::real(forward ? from : to);
    const obstacle::Real<Dim> end = obstacle::real(forward ? to : from);
    const obstacle::Path<Dim> path = {begin, obstacle::minus(end, begin)};
    return obstacle::time_of(records_[slot], path) != obstacle::kNever;
}

template <std::size_t Dim>
void Looks<Dim>::hide(const Point<Dim>& from, std::span<const Point<Dim>> to,
                      const Box<Dim>& bounds, std::vector<std::uint8_t>& hidden) {
    hidden.assign(to.size(), 0);
    see(from, bounds);
    if (seen_.empty()) { return; }
    may_meet_.resize(seen_.size());
    constexpr std::size_t kLooks = simd::kPacketWidth;
    for (std::size_t first = 0; first < to.size(); first += kLooks) {
        const std::size_t count = std::min(kLooks, to.size() - first);
        simd::LookPacket<Dim> looks{};
        for (std::size_t l = 0; l < count; ++l) {
            for (std::size_t a = 0; a < Dim; ++a) {
                looks.way[a][l] = to[first + l][a] - from[a];
            }
        }
        const std::uint32_t wanted = (std::uint32_t{1} << count) - 1;
        std::uint32_t met =
            simd::bound_looks(seen_.data(), seen_.size(), looks, may_meet_.data()) & wanted;
        for (std::size_t c = 0; c < seen_.size() && met != wanted; ++c) {
            for (std::uint32_t may = may_meet_[c] & wanted & ~met; may != 0; may &= may - 1) {
                const auto l = static_cast<std::size_t>(std::countr_zero(may));
                if (is_hidden(from, to[first + l], slots_[c])) { met |= std::uint32_t{1} << l; }
            }
        }
        for (std::size_t l = 0; l < count; ++l) {
            hidden[first + l] = static_cast<std::uint8_t>(met >> l & 1u);
        }
    }
}

template class Looks<2>;
template class Looks<3>;

} // namespace throng
