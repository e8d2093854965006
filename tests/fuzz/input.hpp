// Takes values from the bytes that a fuzzer makes up.
#pragma once

#include <throng/engine/agents/agents.hpp>
#include <throng/engine/agents/body.hpp>
#include <throng/engine/agents/box.hpp>
#include <throng/engine/agents/filter.hpp>
#include <throng/engine/agents/point.hpp>
#include <throng/engine/shapes/shapes.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

namespace throng::fuzz {

/// Reads bytes from the front; past the end all bytes are zero. Any bytes give usable values, and a
/// change to one byte changes one value, so what a fuzzer has learned about one part of its input
/// remains true.
class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) noexcept : left_(data, size) {}

    [[nodiscard]] bool empty() const noexcept { return left_.empty(); }

    /// A value with any bit pattern.
    template <class T>
    T raw() noexcept {
        static_assert(std::is_trivially_copyable_v<T>);
        T value{};
        const std::size_t some = std::min(sizeof value, left_.size());
        if (some != 0) { std::memcpy(static_cast<void*>(&value), left_.data(), some); }
        left_ = left_.subspan(some);
        return value;
    }

    /// All bytes that are left; afterwards none are.
    [[nodiscard]] std::span<const std::uint8_t> rest() noexcept {
        return std::exchange(left_, std::span<const std::uint8_t>{});
    }

    /// A number below `end`, which must not be zero.
    std::uint32_t below(std::uint32_t end) noexcept {
        if (end <= 0x100) { return raw<std::uint8_t>() % end; }
        return end <= 0x1'0000 ? raw<std::uint16_t>() % end : raw<std::uint32_t>() % end;
    }
    bool flip() noexcept { return below(2) != 0; }

    template <class T, std::size_t kCount>
    T any_of(const T (&values)[kCount]) noexcept {
        return values[below(kCount)];
    }

    /// Half the time a coordinate on a lattice of quarters, so that rims and edges of cells meet
    /// exactly; else a float beside one, a very large or small one, or one a little off the
    /// lattice.
    float coordinate() noexcept {
        const std::uint8_t byte = raw<std::uint8_t>();
        const float x = static_cast<float>(byte & 0x7F) * 0.25f - 4.0f;
        if (byte < 0x80) { return x; }
        const std::uint8_t odd = raw<std::uint8_t>();
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        switch (odd & 0x7) {
        case 0:
            return std::nextafter(x, kInfinity);
        case 1:
            return std::nextafter(x, -kInfinity);
        case 2:
            return kLargest * (odd & 0x8 ? -1.0f : 1.0f);
        case 3:
            return x * 1e6f;
        case 4:
            return x * 1e-30f;
        case 5:
            return x * 1e-44f; // denormal, or zero
        default:
            return x + static_cast<float>(odd) * 0.001f;
        }
    }
    /// An extent or a radius: mostly small, sometimes as large as the world, or larger.
    float length() noexcept {
        const std::uint8_t byte = raw<std::uint8_t>();
        if (byte < 0xC0) { return static_cast<float>(byte) * 0.0625f; }
        return byte < 0xF0 ? static_cast<float>(byte - 0xC0) : std::abs(coordinate());
    }
    /// Any bits; special values come often.
    float any_float() noexcept {
        using Limits = std::numeric_limits<float>;
        static constexpr float kSpecial[] = {0.0f,
                                             -0.0f,
                                             1.0f,
                                             -1.0f,
                                             Limits::infinity(),
                                             -Limits::infinity(),
                                             Limits::quiet_NaN(),
                                             Limits::signaling_NaN(),
                                             Limits::denorm_min(),
                                             -Limits::denorm_min(),
                                             Limits::min(),
                                             Limits::max(),
                                             Limits::lowest(),
                                             kLargest,
                                             -kLargest,
                                             1e-36f};
        const std::uint8_t byte = raw<std::uint8_t>();
        if (byte < 0x60) { return coordinate(); }
        if (byte < 0xA0) { return std::bit_cast<float>(raw<std::uint32_t>()); }
        return kSpecial[byte % std::size(kSpecial)];
    }

    template <std::size_t Dim>
    Point<Dim> point() noexcept {
        Point<Dim> point;
        for (float& x : point.axis) {
            x = coordinate();
        }
        return point;
    }
    template <std::size_t Dim>
    Point<Dim> extent() noexcept {
        Point<Dim> extent;
        for (float& x : extent.axis) {
            x = length();
        }
        return extent;
    }
    /// An agent with the parts that the kind demands.
    template <std::size_t Dim>
    Agent<Dim> agent(const CrowdKind<Dim>& kind) noexcept {
        Agent<Dim> agent{point<Dim>(), {}, {}};
        if (kind.own_half_extents) { agent.half_extent = extent<Dim>(); }
        if (kind.groups) { agent.groups = below(16); }
        return agent;
    }
    template <std::size_t Dim>
    CrowdKind<Dim> kind() noexcept {
        const std::uint32_t bits = below(4);
        CrowdKind<Dim> kind{(bits & 1) != 0, (bits & 2) != 0, {}};
        if (!kind.own_half_extents) { kind.common_half_extent = extent<Dim>(); }
        return kind;
    }
    Body body() noexcept {
        static constexpr Body kBodies[] = {Body::centre, Body::box, Body::disc};
        return any_of(kBodies);
    }
    /// Half edges at right angles, on the lattice or not.
    template <std::size_t Dim>
    OrientedBox<Dim> turned_box() noexcept {
        OrientedBox<Dim> box{point<Dim>(), {}};
        static constexpr double kWays[][2] = {{1, 0}, {0, 1}, {3, 4}, {-1, 1}, {0.28, 0.96}};
        const std::uint32_t way = below(5);
        const double x = kWays[way][0], y = kWays[way][1];
        std::array<std::array<double, Dim>, Dim> edges{};
        edges[0][0] = x;
        edges[0][1] = y;
        edges[1][0] = -y;
        edges[1][1] = x;
        if constexpr (Dim == 3) {
            edges[2][2] = 1.0;
            const std::uint32_t axis = below(3); // about which axis it is turned
            for (auto& edge : edges) {
                std::rotate(edge.begin(), edge.begin() + axis, edge.end());
            }
        }
        for (std::size_t i = 0; i < Dim; ++i) {
            const double scale = length() * 0.25;
            for (std::size_t a = 0; a < Dim; ++a) {
                box.half_edges[i][a] = static_cast<float>(scale * edges[i][a]);
            }
        }
        return box;
    }
    /// A filter that excludes nothing, some groups, or one of the first `ids` ids.
    Filter filter(Id ids) noexcept {
        const std::uint32_t pick = below(8);
        Filter filter;
        if ((pick & 1) != 0) { filter.groups = below(16); }
        if ((pick & 2) != 0) { filter.without = below(ids); }
        if (pick == 4) { filter.groups = 0x8000'0001u; }
        return filter;
    }

    /// Calls ask(shape) with a shape of any kind, whose numbers come from `number` and `length`.
    template <std::size_t Dim, class Number, class Length, class Ask>
    void with_shape(const Number& number, const Length& length, const Ask& ask) {
        const auto place = [&] {
            Point<Dim> place;
            for (float& x : place.axis) {
                x = number();
            }
            return place;
        };
        const auto ball = [&] { return Ball<Dim>{place(), length()}; };
        const auto sector = [&] { return Sector<Dim>{place(), length(), place(), number()}; };
        const auto cylinder = [&] {
            return Cylinder<Dim>{place(), length(), number(), number(), below(4)};
        };
        switch (below(12)) {
        case 0: {
            const Point<Dim> lo = place();
            return ask(Box<Dim>{lo, place()});
        }
        case 1:
            return ask(ball());
        case 2:
            return ask(sector());
        case 3: {
            const Point<Dim> from = place();
            return ask(Segment<Dim>{from, place()});
        }
        case 4: {
            Ray<Dim> ray;
            ray.origin = place();
            ray.direction = place();
            ray.length = length();
            return ask(ray);
        }
        case 5: {
            Capsule<Dim> capsule;
            capsule.from = place();
            capsule.to = place();
            capsule.radius = length();
            return ask(capsule);
        }
        case 6: {
            Convex<Dim> convex;
            convex.count = below(Convex<Dim>::kMostSides + 1);
            for (std::size_t s = 0; s < convex.count; ++s) {
                convex.sides[s].normal = place();
                convex.sides[s].offset = number();
            }
            if (flip()) {
                convex.bounds.lo = place();
                convex.bounds.hi = place();
            }
            return ask(convex);
        }
        case 7:
            return ask(cylinder());
        case 8:
            return ask(BodyBall<Dim>{ball(), body()});
        case 9:
            return ask(BodySector<Dim>{sector(), body()});
        case 10:
            return ask(BodyCylinder<Dim>{cylinder(), body()});
        default: {
            OrientedBox<Dim> box;
            box.centre = place();
            for (Point<Dim>& edge : box.half_edges) {
                edge = place();
            }
            return ask(box);
        }
        }
    }
    /// A shape of finite numbers; it may still be refused, for example for a direction of zero.
    template <std::size_t Dim, class Ask>
    void with_sane_shape(const Ask& ask) {
        with_shape<Dim>([this] { return coordinate(); }, [this] { return length(); }, ask);
    }
    /// Calls ask(shape) with a shape of any numbers.
    template <std::size_t Dim, class Ask>
    void with_any_shape(const Ask& ask) {
        const auto number = [this] { return any_float(); };
        with_shape<Dim>(number, number, ask);
    }

private:
    std::span<const std::uint8_t> left_;
};

} // namespace throng::fuzz
