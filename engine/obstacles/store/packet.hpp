// Sixteen questions in a row are probably neighbours: they share one way down the tree, and floats
// leave out most of the obstacles found there. The definitions of the shapes decide about the rest,
// so answers are the same, to the bit, as to questions one by one. Internal to the engine.
#pragma once

#include "../../../simd/kernels/tree/packet_bounds.hpp"
#include "search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace throng::obstacle {

inline constexpr std::size_t kPacket = simd::kPacketWidth;

/// Whether packets are worth a try. A try fails if the questions are so far apart that there are
/// too many obstacles around them. After one failure the next packet is tried; after the second in
/// a row, seven packets go one by one; after the third, 63: the rest of a block. That is three
/// tries a block: with seven tries, looks that are far apart took 8 % longer.
class PacketLuck {
public:
    [[nodiscard]] bool tries() noexcept {
        if (skip_ == 0) { return true; }
        --skip_;
        return false;
    }
    void told(bool worked) noexcept {
        skip_ = worked ? 0 : next_;
        next_ = worked ? 0 : std::min(8 * next_ + 7, 63u);
    }

private:
    unsigned skip_ = 0, next_ = 0;
};

/// The obstacles near the questions of a packet.
template <std::size_t Dim>
struct Vicinity {
    const View<Dim>& view;
    std::array<simd::Gathered<Dim>, simd::kMostGathered> boxes;
    std::array<simd::RoundSegment, Dim == 2 ? simd::kMostGathered : 1> segments;
    simd::PacketBodies<Dim> bodies;

    explicit Vicinity(const View<Dim>& of) noexcept : view(of) {}

    /// Finds all obstacles within a distance of a box; false if there are too many.
    [[nodiscard]] bool gather(const Box<Dim>& around, float limit) noexcept {
        simd::BoxSeek<Dim> seek;
        for (std::size_t a = 0; a < Dim; ++a) {
            seek.lo[a] = around.lo[a];
            seek.hi[a] = around.hi[a];
        }
        seek.limit = limit;
        const std::uint32_t count = simd::gather_in_tree(view.tree, seek, view.kernel_filter,
                                                         boxes.data(), simd::kMostGathered);
        if (count > simd::kMostGathered) { return false; }
        bodies = {count, boxes.data(), segments.data(), 0};
        if constexpr (Dim == 2) {
            for (std::uint32_t c = 0; c < count; ++c) {
                const Record<2>& record = record_of(c);
                if (record.kind != Kind::thin) { continue; }
                segments[c] = segment_of(record.template as<Wall>());
                bodies.round |= std::uint64_t{1} << c;
            }
        }
        return true;
    }
    [[nodiscard]] const Record<Dim>& record_of(std::uint32_t c) const noexcept {
        return view.records[boxes[c].id];
    }

    [[nodiscard]] static simd::RoundSegment segment_of(const Wall& wall) noexcept {
        const float x = wall.to[0] - wall.from[0];
        const float y = wall.to[1] - wall.from[1];
        const float length2 = x * x + y * y;
        const float length = std::sqrt(length2) * static_cast<float>(kMore);
        constexpr float kShortest = 1e-30f; // inverses of smaller squares are beyond floats
        const bool is_long = length2 >= kShortest;
        return {{wall.from[0], wall.from[1]},    {x, y},
                is_long ? 1.0f / length2 : 0.0f, length + 1e-18f,
                0.5f * wall.thickness,           is_long ? 0.0f : 2e-15f};
    }
};

/// For each lane, a bit for each obstacle of the vicinity that is a candidate.
using Candidates = std::array<std::uint64_t, kPacket>;

inline Candidates candidates_of(const std::uint32_t* lanes, std::uint32_t count,
                                std::uint32_t wanted) noexcept {
    Candidates made{};
    for (std::uint32_t c = 0; c < count; ++c) {
        for (std::uint32_t bits = lanes[c] & wanted; bits != 0; bits &= bits - 1) {
            made[static_cast<std::size_t>(std::countr_zero(bits))] |= std::uint64_t{1} << c;
        }
    }
    return made;
}

/// A box around points.
template <std::size_t Dim>
class Surrounding {
public:
    void add(const Point<Dim>& point) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            box.lo[a] = std::min(box.lo[a], point[a]);
            box.hi[a] = std::max(box.hi[a], point[a]);
        }
    }
    /// The largest coordinate, without signs.
    [[nodiscard]] double size() const noexcept {
        return std::max(size_of(real(box.lo)), size_of(real(box.hi)));
    }

    Box<Dim> box = {Point<Dim>::all(kLargest), Point<Dim>::all(-kLargest)};
};

/// Finds the nearest obstacle to each of many points, sixteen points at a time.
template <std::size_t Dim>
class NearestOfMany {
public:
    NearestOfMany(const View<Dim>& view, float within) noexcept
        : view_(view), within_(within), vicinity_(view) {}

    std::size_t find(const Point<Dim>* points, std::size_t count,
                     ObstacleNear<Dim>* near) noexcept {
        std::size_t found = 0;
        for (std::size_t i = 0; i < count; i += kPacket) {
            const std::size_t n = std::min(count - i, kPacket);
            bool together = last_ != kNowhere && luck_.tries();
            if (together) {
                together = find_together(points + i, n, near + i);
                luck_.told(together);
            }
            for (std::size_t j = i; j < i + n; ++j) {
                if (!together) { find_alone(points[j], near[j]); }
                found += near[j].id != kNoId ? 1 : 0;
            }
        }
        return found;
    }

private:
    void find_alone(const Point<Dim>& point, ObstacleNear<Dim>& near) noexcept {
        // The point before this one is probably near, so its obstacle is the first guess.
        NearestOf<Dim> search = {{view_, point}, within_};
        search.find(last_);
        near = {};
        if (search.slot == kNowhere) { return; }
        last_ = search.slot;
        near = near_of(view_.records[last_], search.around.point);
    }

    [[nodiscard]] bool find_together(const Point<Dim>* points, std::size_t count,
                                     ObstacleNear<Dim>* near) noexcept {
        Surrounding<Dim> all;
        for (std::size_t i = 0; i < kPacket; ++i) {
            const Point<Dim>& point = points[i < count ? i : 0];
            all.add(point);
            for (std::size_t a = 0; a < Dim; ++a) {
                packet_.axis[a][i] = point[a];
            }
        }
        // The nearest obstacle of a point is no farther away than the obstacle found last.
        Real<Dim> middle, half;
        for (std::size_t a = 0; a < Dim; ++a) {
            middle[a] = 0.5 * all.box.lo[a] + 0.5 * all.box.hi[a];
            half[a] = all.box.hi[a] - middle[a];
        }
        const double farthest =
            distance_of(view_.records[last_], middle) + std::sqrt(dot(half, half));
        const Allowance allowed = {(view_.size + all.size()) * kSlack};
        const float most = std::min(allowed.distance_for(farthest), within_);
        if (!vicinity_.gather(all.box, allowed.limit_for(most))) { return false; }
        std::fill_n(bounds_.limit, kPacket, most);
        // Twice: of two distances compared, one may be rounded up and the other down.
        const auto slack = static_cast<float>(2.0 * allowed.slack * kMore + 1e-30);
        simd::bound_nearest(vicinity_.bodies, packet_, slack, bounds_);
        const auto wanted = static_cast<std::uint32_t>((1u << count) - 1u);
        const Candidates candidates =
            candidates_of(bounds_.may_win, vicinity_.bodies.count, wanted);
        std::uint32_t winner = 0;
        for (std::size_t i = 0; i < count; ++i) {
            near[i] = nearest_of(real(points[i]), i, candidates[i], slack, winner);
            if (near[i].id != kNoId) { last_ = vicinity_.boxes[winner].id; }
        }
        return true;
    }

    /// The nearest of some candidates; begins with the winner of the previous point, if that is a
    /// candidate.
    ObstacleNear<Dim> nearest_of(const Real<Dim>& point, std::size_t lane, std::uint64_t candidates,
                                 float slack, std::uint32_t& winner) const noexcept {
        ObstacleNear<Dim> best;
        float limit = bounds_.limit[lane];
        const auto next = [&] { return static_cast<std::uint32_t>(std::countr_zero(candidates)); };
        std::uint32_t c = (candidates >> winner & 1u) != 0 ? winner : next();
        for (; candidates != 0; c = next()) {
            candidates &= ~(std::uint64_t{1} << c);
            if (bounds_.lower[c][lane] > limit) { continue; }
            const ObstacleNear<Dim> one = near_of(vicinity_.record_of(c), point);
            if (one.distance > within_ || one.distance > best.distance ||
                (one.distance == best.distance && one.id > best.id)) {
                continue;
            }
            best = one;
            winner = c;
            limit =
                std::min(limit, std::max(one.distance, 0.0f) * static_cast<float>(kMore) + slack);
        }
        return best;
    }

    const View<Dim>& view_;
    float within_;
    std::uint32_t last_ = kNowhere; ///< the slot of the obstacle that was found last
    PacketLuck luck_;
    Vicinity<Dim> vicinity_;
    simd::PointPacket<Dim> packet_;
    simd::NearBounds bounds_;
};

/// Finds what each of many straight ways may hit, sixteen ways at a time.
template <std::size_t Dim>
class ManyWays {
public:
    explicit ManyWays(const View<Dim>& view) noexcept : view_(view), vicinity_(view) {}

    /// Finds what these ways may hit; false if they are better asked about one by one.
    template <class Shape>
    [[nodiscard]] bool gather(const Shape* shapes, std::size_t count) noexcept {
        if (!luck_.tries()) { return false; }
        Surrounding<Dim> all;
        double radius = 0.0;
        for (std::size_t i = 0; i < kPacket; ++i) {
            const Shape& shape = shapes[i < count ? i : 0];
            all.add(shape.from);
            all.add(shape.to);
            for (std::size_t a = 0; a < Dim; ++a) {
                packet_.from[a][i] = shape.from[a];
                packet_.to[a][i] = shape.to[a];
            }
            if constexpr (std::is_same_v<Shape, Capsule<Dim>>) {
                packet_.reach[i] = shape.radius;
                radius = std::max(radius, double{shape.radius});
            } else {
                packet_.reach[i] = 0.0f;
            }
        }
        const Allowance allowed = {(view_.size + all.size() + radius) * kSlack};
        for (float& reach : packet_.reach) {
            reach = allowed.distance_for(double{reach});
        }
        const bool worked =
            vicinity_.gather(all.box, allowed.limit_for(static_cast<float>(radius)));
        luck_.told(worked);
        if (!worked) { return false; }
        simd::bound_ways(vicinity_.bodies, packet_, bounds_);
        candidates_ = candidates_of(bounds_.may_hit, vicinity_.bodies.count,
                                    static_cast<std::uint32_t>((1u << count) - 1u));
        return true;
    }

    /// Whether way i crosses the middle line of a wall, so that the wall blocks it.
    [[nodiscard]] bool crosses(std::size_t i) const noexcept {
        return (bounds_.crossed >> i & 1u) != 0;
    }
    /// Calls hit(slot) for each obstacle that way i may hit, until a call returns true; returns
    /// whether one did.
    template <class Hit>
    bool until(std::size_t i, const Hit& hit) const noexcept {
        for (std::uint64_t left = candidates_[i]; left != 0; left &= left - 1) {
            if (hit(vicinity_.boxes[static_cast<std::size_t>(std::countr_zero(left))].id)) {
                return true;
            }
        }
        return false;
    }

private:
    const View<Dim>& view_;
    PacketLuck luck_;
    Vicinity<Dim> vicinity_;
    simd::WayPacket<Dim> packet_;
    simd::WayBounds bounds_;
    Candidates candidates_;
};

} // namespace throng::obstacle
