#include "bouncing_crowd.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace throng::web {

namespace {

/// Agents move away from their neighbours in memory, so that they are sorted again after this many
/// steps.
constexpr std::uint32_t kSortEvery = 128;
/// Hot regions; places and radii are fractions of the square's side.
constexpr float kHotRegions[][4] = { // x, y, radius, speed
    {0.30f, 0.35f, 0.10f, 7.0f},
    {0.72f, 0.60f, 0.14f, 5.0f},
    {0.45f, 0.80f, 0.06f, 9.0f},
    {0.80f, 0.18f, 0.05f, 9.0f}};

/// Random numbers from 0 to 1 with 24 bits, which floats hold exactly.
class Random {
public:
    float next() noexcept {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<float>(state_ >> 40) * 0x1p-24f;
    }

private:
    std::uint64_t state_ = 7;
};

void turn_back(float& position, float& velocity, float side) noexcept {
    if (position < 0.0f) {
        position = 0.0f;
        velocity = std::fabs(velocity);
    } else if (position > side) {
        position = side;
        velocity = -std::fabs(velocity);
    }
}

} // namespace

BouncingCrowd::BouncingCrowd(std::uint32_t agents, float radius)
    : x_(agents), y_(agents), vx_(agents), vy_(agents), radius_(radius),
      side_(std::sqrt(static_cast<float>(agents))) {
    Random random;
    for (std::uint32_t i = 0; i < agents; ++i) {
        const float x = random.next(), y = random.next();
        float vx = random.next() - 0.5f, vy = random.next() - 0.5f;
        for (const auto& [hot_x, hot_y, hot_radius, speed] : kHotRegions) {
            const float dx = x - hot_x, dy = y - hot_y;
            if (dx * dx + dy * dy < hot_radius * hot_radius) {
                vx += dx / hot_radius * speed;
                vy += dy / hot_radius * speed;
            }
        }
        x_[i] = x * side_;
        y_[i] = y * side_;
        vx_[i] = vx;
        vy_[i] = vy;
    }
}

Status BouncingCrowd::update() {
    Agents<2> agents;
    agents.positions = PointView<2>::separate({x_.data(), y_.data()}, x_.size());
    agents.common_half_extent = {radius_, radius_};
    Status status = crowd_.update(agents);
    if (status.ok() && steps_++ % kSortEvery == 0) {
        sort();
        status = crowd_.update(agents);
    }
    return status;
}

void BouncingCrowd::sort() {
    std::vector<Id> order(crowd_.size());
    (void)crowd_.order(order);
    (void)reorder(order, serial_executor(), x_, y_, vx_, vy_);
}

Status BouncingCrowd::find_pairs() { return batch_.pairs(crowd_, pairs_); }

void BouncingCrowd::move(float speed) {
    const float reach2 = 4.0f * radius_ * radius_;
    for (std::uint64_t pair = 0; pair < pairs_.count; ++pair) {
        const Id i = pairs_.first[pair], j = pairs_.second[pair];
        const float dx = x_[i] - x_[j], dy = y_[i] - y_[j];
        const float distance2 = dx * dx + dy * dy;
        if (!(distance2 < reach2) || distance2 == 0.0f) { continue; }
        const float closing = (vx_[i] - vx_[j]) * dx + (vy_[i] - vy_[j]) * dy;
        if (closing >= 0.0f) { continue; }
        // With equal masses, the two exchange their velocities along the line between them.
        const float change = closing / distance2;
        vx_[i] -= change * dx;
        vy_[i] -= change * dy;
        vx_[j] += change * dx;
        vy_[j] += change * dy;
    }
    const float step = 0.06f * speed;
    for (std::size_t i = 0; i < x_.size(); ++i) {
        x_[i] += step * vx_[i];
        y_[i] += step * vy_[i];
        turn_back(x_[i], vx_[i], side_);
        turn_back(y_[i], vy_[i], side_);
    }
}

std::span<const Id> BouncingCrowd::query(const ShapesView<2>& shape, std::vector<Id>& out) {
    if (!crowd_.query(shape, out).ok()) { out.clear(); }
    return out;
}

std::span<const Id> BouncingCrowd::in_view(const Box<2>& view) {
    return query(ShapesView<2>(view), seen_);
}

std::span<const Id> BouncingCrowd::ask(Brush brush, Point<2> from, Point<2> to,
                                       std::uint32_t nearest) {
    const float dx = to[0] - from[0], dy = to[1] - from[1];
    switch (brush) {
    case Brush::box: {
        const Box<2> box = {{{std::min(from[0], to[0]), std::min(from[1], to[1])}},
                            {{std::max(from[0], to[0]), std::max(from[1], to[1])}}};
        return query(ShapesView<2>(box), found_);
    }
    case Brush::ball: {
        const Ball<2> ball = {from, std::sqrt(dx * dx + dy * dy)};
        return query(ShapesView<2>(ball), found_);
    }
    case Brush::ray: {
        const Segment<2> segment = {from, to};
        PathHit hit;
        ray_time_ = crowd_.first(segment, hit).count == 0 ? 1.0f : hit.time;
        return query(ShapesView<2>(segment), found_);
    }
    case Brush::nearest: {
        near_.resize(nearest);
        const Found found = crowd_.nearest(from, Nearest{.k = nearest}, near_);
        found_.resize(std::max<std::size_t>(found_.size(), found.count));
        std::transform(near_.begin(), near_.begin() + static_cast<std::ptrdiff_t>(found.count),
                       found_.begin(), [](const Near& near) { return near.id; });
        return std::span<const Id>(found_).first(found.count);
    }
    }
    return {};
}

std::uint64_t BouncingCrowd::hash() const noexcept {
    std::uint64_t hash = pairs_.count;
    const auto mix = [&](std::uint64_t word) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    };
    for (std::uint64_t pair = 0; pair < pairs_.count; ++pair) {
        mix(std::uint64_t{pairs_.first[pair]} << 32 | pairs_.second[pair]);
    }
    for (std::size_t i = 0; i < x_.size(); ++i) {
        mix(std::uint64_t{std::bit_cast<std::uint32_t>(x_[i])} << 32 |
            std::bit_cast<std::uint32_t>(y_[i]));
        mix(std::uint64_t{std::bit_cast<std::uint32_t>(vx_[i])} << 32 |
            std::bit_cast<std::uint32_t>(vy_[i]));
    }
    return hash;
}

} // namespace throng::web
