#include "crowd.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace throng::demo {

namespace {

constexpr float kSpeed = 1.4f; // as people walk, in units a second
constexpr float kFrame = 1.0f / 30.0f;

/// Scales to a length of kSpeed; `fallback` where there is no direction.
template <std::size_t Dim>
Point<Dim> at_speed(const Point<Dim>& direction, const Point<Dim>& fallback) noexcept {
    float length2 = 0.0f;
    for (const float d : direction.axis) {
        length2 += d * d;
    }
    if (!(length2 > 1e-12f)) { return fallback; }
    Point<Dim> velocity = direction;
    for (float& v : velocity.axis) {
        v *= kSpeed / std::sqrt(length2);
    }
    return velocity;
}

} // namespace

template <std::size_t Dim>
Crowd<Dim>::Crowd(scenes::Scene<Dim> scene)
    : scene_(std::move(scene)), order_(scene_.size()),
      blocks_((scene_.size() + kBlock - 1) / kBlock), neighbours_(scene_.size()) {
    scenes::Random random(3);
    Point<Dim> ahead{};
    ahead[0] = kSpeed;
    for (std::size_t i = 0; i < size(); ++i) {
        Point<Dim> direction;
        for (float& d : direction.axis) {
            d = random.between(-1.0f, 1.0f);
        }
        const Point<Dim> velocity = at_speed(direction, ahead);
        for (std::size_t a = 0; a < Dim; ++a) {
            velocity_[a].push_back(velocity[a]);
        }
    }
}

template <std::size_t Dim>
void Crowd<Dim>::move(Executor& executor) {
    executor.run(blocks_.size(), [&](std::size_t b) {
        const std::size_t end = std::min(size(), (b + 1) * kBlock);
        for (std::size_t a = 0; a < Dim; ++a) {
            const float lo = scene_.world.lo[a], hi = scene_.world.hi[a];
            float* const x = scene_.position[a].data();
            float* const v = velocity_[a].data();
            for (std::size_t i = b * kBlock; i < end; ++i) {
                const float next = x[i] + v[i] * kFrame;
                v[i] = next < lo || next > hi ? -v[i] : v[i];
                x[i] = std::min(std::max(next, lo), hi);
            }
        }
    });
}

template <std::size_t Dim>
Status Crowd<Dim>::update(Executor& executor) {
    return grid_.update(scene_.agents(), executor);
}

template <std::size_t Dim>
Status Crowd<Dim>::ask(Executor& executor) {
    (void)grid_.order(order_);
    executor.run(blocks_.size(), [&](std::size_t b) {
        Block& block = blocks_[b];
        const std::size_t begin = b * kBlock;
        block.boxes.resize(std::min(kBlock, size() - begin));
        for (std::size_t i = 0; i < block.boxes.size(); ++i) {
            for (std::size_t a = 0; a < Dim; ++a) {
                const float x = scene_.position[a][order_[begin + i]];
                block.boxes[i].lo[a] = x - kSight;
                block.boxes[i].hi[a] = x + kSight;
            }
        }
        block.status = grid_.query(std::span<const Box<Dim>>(block.boxes), block.hits);
    });
    for (const Block& block : blocks_) {
        if (!block.status.ok()) { return block.status; }
    }
    return {};
}

template <std::size_t Dim>
void Crowd<Dim>::steer(Executor& executor) {
    executor.run(blocks_.size(), [&](std::size_t b) {
        const Block& block = blocks_[b];
        for (std::size_t i = 0; i < block.boxes.size(); ++i) {
            steer(order_[b * kBlock + i], block.hits.of(i));
        }
    });
}

template <std::size_t Dim>
void Crowd<Dim>::steer(Id agent, std::span<const Id> seen) noexcept {
    neighbours_[agent] = static_cast<std::uint32_t>(seen.size()) - 1; // but for the agent itself
    Point<Dim> away{};
    for (const Id other : seen) {
        // Weighed, not branched on: whether two bodies touch cannot be guessed. The agent itself
        // weighs nothing, being no distance away.
        float gap = -1.0f;
        Point<Dim> offset;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float* const x = scene_.position[a].data();
            offset[a] = x[agent] - x[other];
            gap = std::max(gap, std::abs(offset[a]) - 2.0f * scene_.common_half_extent[a]);
        }
        const float weight = std::max(std::copysign(1.0f, -gap), 0.0f);
        for (std::size_t a = 0; a < Dim; ++a) {
            away[a] += weight * offset[a];
        }
    }
    if (away == Point<Dim>{}) { return; }
    Point<Dim> velocity;
    for (std::size_t a = 0; a < Dim; ++a) {
        velocity[a] = velocity_[a][agent];
    }
    Point<Dim> turned = at_speed(away, velocity);
    for (std::size_t a = 0; a < Dim; ++a) {
        turned[a] = velocity[a] + 0.5f * turned[a];
    }
    turned = at_speed(turned, velocity);
    for (std::size_t a = 0; a < Dim; ++a) {
        velocity_[a][agent] = turned[a];
    }
}

template <std::size_t Dim>
std::uint64_t Crowd<Dim>::hits() const noexcept {
    std::uint64_t total = 0;
    for (const Block& block : blocks_) {
        total += block.hits.total();
    }
    return total;
}

template class Crowd<2>;
template class Crowd<3>;

} // namespace throng::demo
