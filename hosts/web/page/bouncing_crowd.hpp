// Discs that bounce off each other and off the walls of a square, equal to the bit on every
// machine.
#pragma once

#include <throng/throng.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace throng::web {

/// The shape of a brush's question; the page uses the same numbers.
enum class Brush : std::uint32_t { box = 0, ball = 1, ray = 2, nearest = 3 };

class BouncingCrowd {
public:
    /// Starts a new crowd in a square with an area of 1 for each agent. The agents of some regions
    /// are hot: they fly apart, and push others.
    explicit BouncingCrowd(std::uint32_t agents, float radius = 0.3f);

    // The three parts of a step, which are timed separately. Each but the last may be refused.
    Status update();
    Status find_pairs();
    /// Lets discs that meet bounce off each other, and moves all discs by their velocities times
    /// `speed`.
    void move(float speed);

    /// The agents in the brush. For a ball, `to` is a point on its rim; for a ray, its end. The
    /// nearest are `nearest` agents around `from`.
    std::span<const Id> ask(Brush brush, Point<2> from, Point<2> to, std::uint32_t nearest);
    /// The agents in a part of the square, in storage order.
    std::span<const Id> in_view(const Box<2>& view);

    void set_radius(float radius) noexcept { radius_ = radius; }
    [[nodiscard]] float radius() const noexcept { return radius_; }
    [[nodiscard]] float side() const noexcept { return side_; }
    [[nodiscard]] std::uint32_t agents() const noexcept {
        return static_cast<std::uint32_t>(x_.size());
    }
    [[nodiscard]] std::uint64_t pairs() const noexcept { return pairs_.count; }
    /// When the ray hits its first agent, from 0 to 1; 1 if it hits none.
    [[nodiscard]] float ray_time() const noexcept { return ray_time_; }
    [[nodiscard]] Point<2> position(Id id) const noexcept { return {{x_[id], y_[id]}}; }
    [[nodiscard]] Point<2> velocity(Id id) const noexcept { return {{vx_[id], vy_[id]}}; }
    /// A hash of all positions, velocities and pairs, to the bit.
    [[nodiscard]] std::uint64_t hash() const noexcept;

private:
    void sort();
    std::span<const Id> query(const ShapesView<2>& shape, std::vector<Id>& out);

    std::vector<float> x_, y_, vx_, vy_;
    Crowd<2> crowd_;
    Batch<2> batch_;
    Pairs pairs_;
    std::vector<Id> found_, seen_;
    std::vector<Near> near_;
    float radius_, side_, ray_time_ = 1.0f;
    std::uint32_t steps_ = 0;
};

} // namespace throng::web
