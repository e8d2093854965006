#include "ground.hpp"

#include <algorithm>
#include <cmath>

namespace throng::test {

namespace {

float within_limits(float value) { return std::clamp(value, -kLargest, kLargest); }

} // namespace

template <std::size_t Dim>
Ground<Dim>::Ground(Distribution distribution, scenes::Random& random)
    : distribution_(distribution), random_(random) {
    constexpr std::uint32_t kCells[3][4] = {{1, 5, 17, 70}, {1, 2, 3, 8}, {1, 2, 4, 4}};
    const bool cubes = random.below(4) != 0;
    const float size = one_of({1.0f, 0.5f, 2.0f, 0.7f});
    for (std::size_t a = 0; a < Dim; ++a) {
        cells_[a] = kCells[a][random.below(4)];
        cell_[a] = cubes ? size : random.between(0.3f, 3.0f);
        world_.lo[a] =
            one_of({0.0f, -0.5f * static_cast<float>(cells_[a]) * cell_[a], -1000.0f, 3.3f});
        if (distribution == Distribution::tiny) { world_.lo[a] = -2.0f * cell_[a]; }
    }
    if (distribution == Distribution::tiny && random.below(4) == 0) {
        cell_ = Point<Dim>::all(1e-18f);
        world_.lo = Point<Dim>::all(-2e-18f);
    }
    if (distribution == Distribution::limits && random.below(2) == 0) {
        cells_.fill(8);
        cell_ = Point<Dim>::all(0.25f * kLargest);
        world_.lo = Point<Dim>::all(-kLargest);
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        world_.hi[a] = within_limits(world_.lo[a] + static_cast<float>(cells_[a]) * cell_[a]);
    }
    for (Point<Dim>& hub : hubs_) {
        hub = random.below(2) == 0 ? corner() : anywhere();
    }
    rim_ = 1.25f * one_of({0.5f, 1.0f, 2.0f, 4.0f});
}

template <std::size_t Dim>
float Ground<Dim>::nudged(float value) {
    const float to = one_of({-2.0f * kLargest, value, 2.0f * kLargest});
    return within_limits(std::nextafter(value, to));
}

template <std::size_t Dim>
Point<Dim> Ground<Dim>::anywhere() {
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = random_.between(world_.lo[a], world_.hi[a]);
    }
    return point;
}

template <std::size_t Dim>
Point<Dim> Ground<Dim>::corner() {
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        const auto edge = static_cast<float>(random_.below(cells_[a] + 1));
        point[a] = within_limits(world_.lo[a] + edge * cell_[a]);
    }
    return point;
}

/// Offsets are sides of 3, 4 and 5, so the distance is exact where coordinates are.
template <std::size_t Dim>
Point<Dim> Ground<Dim>::on_rim() {
    constexpr float kSides[][2] = {{5, 0}, {0, 5}, {3, 4}, {4, 3}};
    const auto& sides = kSides[random_.below(4)];
    const std::size_t first = random_.below(Dim);
    Point<Dim> point = hub();
    for (std::size_t i = 0; i < 2; ++i) {
        const float side = sides[i] * 0.2f * rim_;
        const float exact = std::round(side * 64.0f) / 64.0f;
        point[(first + i) % Dim] += random_.below(2) == 0 ? exact : -exact;
    }
    return point;
}

template <std::size_t Dim>
Point<Dim> Ground<Dim>::place() {
    Point<Dim> point = anywhere();
    if (random_.below(16) == 0) { return point; } // an outlier
    const std::size_t axis = random_.below(Dim);
    bool nudge = false;
    switch (distribution_) {
    case Distribution::one_cell:
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = hub()[a] + random_.unit() * cell_[a];
        }
        break;
    case Distribution::coincident:
        point = hub();
        break;
    case Distribution::on_edges:
        point = corner();
        if (random_.below(4) == 0) { point[axis] += 0.5f * cell_[axis]; }
        nudge = true;
        break;
    case Distribution::rim:
        point = on_rim();
        nudge = true;
        break;
    case Distribution::line: {
        const float along = point[axis];
        point = hub();
        point[0] = axis == 0 ? along : corner()[0];
        break;
    }
    case Distribution::far_corner:
        point = world_.hi;
        point[axis] += one_of({0.0f, 0.0f, -1.0f, 1.0f}) * cell_[axis];
        nudge = true;
        break;
    case Distribution::clustered: {
        const Point<Dim> middle = hubs_[random_.below(3)];
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = middle[a] + random_.bell() * cell_[a];
        }
        break;
    }
    case Distribution::tiny:
        for (float& x : point.axis) {
            x = one_of({0.0f, -0.0f, 1e-45f, -1e-45f, 3e-40f, -3e-40f, 1.17549435e-38f, -1e-38f,
                        1e-30f, 1e-18f, 1.0f});
        }
        break;
    case Distribution::limits:
        for (float& x : point.axis) {
            x = one_of({kLargest, -kLargest, 0.9f * kLargest, -0.25f * kLargest, 1e17f, 0.0f, x});
        }
        nudge = true;
        break;
    case Distribution::outside:
        point[axis] += one_of({-1e6f, -100.0f, -3.0f, 3.0f, 100.0f, 1e6f}) * cell_[axis];
        break;
    default:
        break;
    }
    if (nudge && random_.below(3) == 0) { point[axis] = nudged(point[axis]); }
    for (float& x : point.axis) {
        x = within_limits(x);
    }
    return point;
}

template <std::size_t Dim>
Point<Dim> Ground<Dim>::half_extent() {
    float size = one_of({0.25f, 0.5f, 0.0f, random_.unit()});
    switch (distribution_) {
    case Distribution::huge:
        size = one_of({0.25f, 4.0f, 100.0f, 1e6f, 1e17f});
        break;
    case Distribution::mixed_sizes: {
        const std::uint32_t pick = random_.below(16);
        if (pick < 3) { size *= pick == 0 ? 200.0f : 16.0f; }
        break;
    }
    case Distribution::tiny:
        size = one_of({0.0f, -0.0f, 1e-45f, 1e-38f, 0.5f});
        break;
    case Distribution::limits:
        size = one_of({0.0f, 1.0f, 1e17f, kLargest});
        break;
    default:
        break;
    }
    Point<Dim> half;
    for (std::size_t a = 0; a < Dim; ++a) {
        half[a] = within_limits(size * cell_[a]);
    }
    // Sometimes long and thin.
    if (random_.below(8) == 0) { half[random_.below(Dim)] *= 0.125f; }
    return half;
}

template <std::size_t Dim>
float Ground<Dim>::length() {
    const std::size_t axis = random_.below(Dim);
    switch (random_.below(8)) {
    case 0:
        return distribution_ == Distribution::tiny ? 1e-40f : 0.0f;
    case 1:
        return cell_[axis];
    case 2:
        return 0.5f * cell_[axis];
    case 3:
        return within_limits(world_.hi[axis] - world_.lo[axis]);
    case 4:
        return random_.below(4) == 0 ? kLargest : 3.0f * cell_[axis];
    case 5:
        return rim_;
    default:
        return random_.between(0.0f, 3.0f) * cell_[axis];
    }
}

template class Ground<2>;
template class Ground<3>;

} // namespace throng::test
