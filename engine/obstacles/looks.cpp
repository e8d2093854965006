// What floats can say of a look, with room for their rounding.
//
// A look goes by a box if an axis separates the two: one of the box's own, or one that is upright
// on the look and on one of those. With the box's axes as coordinates, from where the look begins,
// m the middle, h the half extents and d the way of the look, it goes by if on some axis, or for
// some two of them,
//
//     |d / 2 - m| > h + |d| / 2        or        |d0 m1 - d1 m0| > h0 |d1| + h1 |d0|.
//
// All terms are sums of few products of m, d and h, so floats err by less than 2^-20 of |m| + |d| +
// h. The extents of the outer box get four times that, 2^-18, added; of the inner box it is taken
// away.
#include "looks.hpp"

#include "search.hpp"

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
        obstacle::widened(bounds, size_),
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
    const obstacle::Real<Dim> eye = obstacle::real(from);
    const Box<Dim> wide = obstacle::widened(bounds, size_);
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
        Seen& seen = seen_.emplace_back();
        seen.slot = screen.slot;
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
    for (std::size_t first = 0; first < to.size(); first += kLanes) {
        const std::size_t count = std::min(kLanes, to.size() - first);
        Lanes way{};
        for (std::size_t l = 0; l < count; ++l) {
            for (std::size_t a = 0; a < Dim; ++a) {
                way[a][l] = to[first + l][a] - from[a];
            }
        }
        std::uint8_t* const hides = hidden.data() + first;
        for (const Seen& seen : seen_) {
            // By how much the look comes short of each limit, at the most. Beyond the outer box it
            // goes by; inside of the inner box it hits.
            std::array<float, kLanes> by, in;
            Lanes along, across;
            for (std::size_t i = 0; i < Dim; ++i) {
                for (std::size_t l = 0; l < kLanes; ++l) {
                    float sum = way[0][l] * seen.axis[i][0];
                    for (std::size_t a = 1; a < Dim; ++a) {
                        sum += way[a][l] * seen.axis[i][a];
                    }
                    along[i][l] = sum;
                    across[i][l] = std::abs(sum);
                    const float half = 0.5f * sum;
                    const float apart = std::abs(half - seen.middle[i]) - std::abs(half);
                    const float beyond = apart - seen.outer[i], inside = apart - seen.inner[i];
                    by[l] = i == 0 || beyond > by[l] ? beyond : by[l];
                    in[l] = i == 0 || inside > in[l] ? inside : in[l];
                }
            }
            for (std::size_t i = 0; i < Dim; ++i) {
                const std::size_t j = (i + 1) % Dim;
                if (Dim == 2 && i == 1) { break; } // the same two again
                for (std::size_t l = 0; l < kLanes; ++l) {
                    const float turn =
                        std::abs(along[i][l] * seen.middle[j] - along[j][l] * seen.middle[i]);
                    const float beyond =
                        turn - (seen.outer[i] * across[j][l] + seen.outer[j] * across[i][l]);
                    const float inside =
                        turn - (seen.inner[i] * across[j][l] + seen.inner[j] * across[i][l]);
                    by[l] = beyond > by[l] ? beyond : by[l];
                    in[l] = inside > in[l] ? inside : in[l];
                }
            }
            for (std::size_t l = 0; l < count; ++l) {
                if (by[l] > 0.0f || hides[l] != 0) { continue; }
                hides[l] = in[l] <= 0.0f || is_hidden(from, to[first + l], seen.slot) ? 1 : 0;
            }
        }
    }
}

template class Looks<2>;
template class Looks<3>;

} // namespace throng
