#include "walkers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace throng::shootout {

namespace {

constexpr std::size_t kClusters = 100;
constexpr float kSmall = 0.25f;
constexpr float kTimesLarger = 32.0f;
constexpr std::size_t kOneGiantIn = 1000;
/// Frames from the start to the turning point.
constexpr int kFramesThere = 4;

/// Clusters with about one agent for each unit, in a world with one agent for each hundred units.
template <std::size_t Dim>
scenes::Scene<Dim> make_sparse(std::size_t agents) {
    const auto side_of = [](double volume) {
        return static_cast<float>(std::pow(volume, 1.0 / static_cast<double>(Dim)));
    };
    const float side = side_of(100.0 * static_cast<double>(agents));
    const float reach = side_of(static_cast<double>(agents) / static_cast<double>(kClusters));
    scenes::Random random(5);
    std::vector<Point<Dim>> centres(kClusters);
    for (Point<Dim>& centre : centres) {
        for (std::size_t a = 0; a < Dim; ++a) {
            centre[a] = random.between(0.0f, side);
        }
    }
    scenes::Scene<Dim> scene;
    scene.world = {Point<Dim>::all(0.0f), Point<Dim>::all(side)};
    scene.common_half_extent = Point<Dim>::all(kSmall);
    for (std::size_t i = 0; i < agents; ++i) {
        const Point<Dim>& centre = centres[random.below(kClusters)];
        for (std::size_t a = 0; a < Dim; ++a) {
            scene.position[a].push_back(std::clamp(centre[a] + reach * random.bell(), 0.0f, side));
        }
    }
    return scene;
}

template <std::size_t Dim>
scenes::Scene<Dim> make_scene(SceneKind kind, std::size_t agents) {
    switch (kind) {
    case SceneKind::clustered:
        return scenes::make_clustered<Dim>(agents, kClusters);
    case SceneKind::sparse:
        return make_sparse<Dim>(agents);
    case SceneKind::uniform:
    case SceneKind::mixed:
        break;
    }
    scenes::Scene<Dim> scene = scenes::make_uniform<Dim>(agents);
    if (kind == SceneKind::mixed) {
        for (std::vector<float>& axis : scene.half_extent) {
            axis.assign(agents, kSmall);
            for (std::size_t i = 0; i < agents; i += kOneGiantIn) {
                axis[i] = kSmall * kTimesLarger;
            }
        }
    }
    return scene;
}

template <std::size_t Dim>
PointView<Dim> view_of(const std::array<std::vector<float>, Dim>& arrays) noexcept {
    std::array<const float*, Dim> axes;
    for (std::size_t a = 0; a < Dim; ++a) {
        axes[a] = arrays[a].data();
    }
    return PointView<Dim>::separate(axes, arrays[0].size());
}

} // namespace

std::string_view name_of(SceneKind kind) noexcept {
    switch (kind) {
    case SceneKind::clustered:
        return "clustered";
    case SceneKind::mixed:
        return "mixed";
    case SceneKind::sparse:
        return "sparse";
    case SceneKind::uniform:
        break;
    }
    return "uniform";
}

template <std::size_t Dim>
Walkers<Dim>::Walkers(SceneKind kind, std::size_t agents) {
    scenes::Scene<Dim> scene = make_scene<Dim>(kind, agents);
    world_ = scene.world;
    common_half_ = scene.common_half_extent;
    home_ = std::move(scene.position);
    half_ = std::move(scene.half_extent);
    scenes::Random random(31);
    for (std::vector<float>& axis : first_speed_) {
        axis.resize(agents);
        for (float& speed : axis) {
            speed = random.between(0.1f, 0.5f) * (random.below(2) == 0 ? 1.0f : -1.0f);
        }
    }
    restart();
}

template <std::size_t Dim>
void Walkers<Dim>::walk() {
    const float there = frame_ / kFramesThere % 2 == 0 ? 1.0f : -1.0f;
    ++frame_;
    for (std::size_t a = 0; a < Dim; ++a) {
        for (std::size_t i = 0; i < size(); ++i) {
            float& x = position_[a][i];
            x += there * speed_[a][i];
            if (x < world_.lo[a] || x > world_.hi[a]) {
                speed_[a][i] = -speed_[a][i];
                x = std::clamp(x, world_.lo[a], world_.hi[a]);
            }
        }
    }
}

template <std::size_t Dim>
void Walkers<Dim>::restart() {
    position_ = home_;
    speed_ = first_speed_;
    frame_ = 0;
}

template <std::size_t Dim>
float Walkers<Dim>::largest_half() const noexcept {
    float largest = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        largest =
            std::max(largest, has_own_sizes() ? *std::max_element(half_[a].begin(), half_[a].end())
                                              : common_half_[a]);
    }
    return largest;
}

template <std::size_t Dim>
Agents<Dim> Walkers<Dim>::agents() const noexcept {
    Agents<Dim> agents;
    agents.positions = view_of(position_);
    agents.common_half_extent = common_half_;
    if (has_own_sizes()) { agents.half_extents = view_of(half_); }
    return agents;
}

template class Walkers<2>;
template class Walkers<3>;

} // namespace throng::shootout
