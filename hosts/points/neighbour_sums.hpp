// Figures about the points of a geometry, for hosts: the number of neighbours of each point, the
// density there, and the distance to the nearest other point. Uses only throng.h and C++17, because
// hosts of plug-ins choose the compiler and the standard library.
#pragma once

#include <throng/throng.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace throng_host {

/// The weight of a neighbour at distance d in a density: 1, 1 - d / radius, or (1 - d * d / (radius
/// * radius)) cubed.
enum class Kernel { flat, linear, poly6 };

/// The integral of a kernel over the disc or ball of this radius.
inline double integral(Kernel kernel, unsigned dimension, double radius) {
    constexpr double pi = 3.14159265358979323846;
    const bool flat_world = dimension == 2;
    const double size = flat_world ? radius * radius : radius * radius * radius;
    switch (kernel) {
    case Kernel::linear:
        return size * pi / 3;
    case Kernel::poly6:
        return size * pi * (flat_world ? 1.0 / 4 : 64.0 / 315);
    case Kernel::flat:
        break;
    }
    return size * pi * (flat_world ? 1.0 : 4.0 / 3);
}

/// The points of a host in its own arrays, borrowed until the last call that uses them.
struct Points {
    const void* xyz = nullptr; ///< x, y, z of each point, floats or doubles
    bool doubles = false;
    std::size_t count = 0;
    const float* radii = nullptr; ///< one for each point; null: points have no size
    double origin[3] = {};        ///< for doubles: near the points, where floats lose least
};

/// The definition of neighbours: points at most `radius` apart, from surface to surface if they
/// have radii.
struct Neighbours {
    unsigned dimension = 3; ///< 2: z is ignored
    float radius = 1.0f;
    Kernel kernel = Kernel::poly6;
};

/// The calls of a filter, step by step, so that a host can show progress and stop in between:
/// index(), then the others. Each step returns false if the library refuses; refusal() then has its
/// sentence. Runs on the library's default executor, except add_up() and count(), which the host
/// may call for parts.
class NeighbourSums {
public:
    bool index(const Points& points, const Neighbours& wanted) {
        wanted_ = wanted;
        radii_ = points.radii;
        throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
        settings.dimension = wanted.dimension;
        if (points.doubles) { std::copy_n(points.origin, wanted.dimension, settings.origin); }
        throng_crowd* crowd = nullptr;
        throng_batch* batch = nullptr;
        if (!ok(throng_crowd_create(&settings, &crowd))) { return false; }
        crowd_.reset(crowd);
        if (!ok(throng_batch_create(nullptr, &batch))) { return false; }
        batch_.reset(batch);
        const throng_agents agents = agents_of(points);
        if (!ok(throng_crowd_update(crowd, &agents, nullptr))) { return false; }
        keep(points);
        return true;
    }

    /// Finds the distance from each point to the nearest other point, at any distance; -1 if there
    /// is none.
    bool nearest(float* distances) {
        const std::size_t count = local_.size() / wanted_.dimension;
        throng_nearest question = THRONG_NEAREST_INIT;
        question.order = THRONG_ORDER_IDS;
        question.body = body();
        throng_near_hits found = THRONG_NEAR_HITS_INIT;
        if (!ok(throng_nearest_neighbours(batch_.get(), crowd_.get(), &question, &found))) {
            return false;
        }
        for (std::size_t i = 0; i < count; ++i) {
            distances[i] = found.counts[i] != 0 ? std::sqrt(found.nearest[i].distance2) : -1.0f;
        }
        return true;
    }

    /// Lists all neighbours, with four bytes for each.
    bool list() {
        throng_neighbourhood question = THRONG_NEIGHBOURHOOD_INIT;
        question.radius = wanted_.radius;
        question.order = THRONG_ORDER_IDS;
        question.body = body();
        return ok(throng_neighbours(batch_.get(), crowd_.get(), &question, &lists_));
    }

    // After list(): counts for points begin ... end - 1; threads may divide the points.

    void count(std::size_t begin, std::size_t end, int* counts) const {
        for (std::size_t i = begin; i < end; ++i) {
            counts[i] = static_cast<int>(lists_.offsets[i + 1] - lists_.offsets[i]);
        }
    }

    /// After list(): points per unit of area or volume, with the point itself; 0 if the radius is
    /// 0.
    void add_up(std::size_t begin, std::size_t end, float* densities) const {
        const double size = integral(wanted_.kernel, wanted_.dimension, wanted_.radius);
        for (std::size_t i = begin; i < end; ++i) {
            double sum = 1.0;
            for (std::uint64_t k = lists_.offsets[i]; k < lists_.offsets[i + 1]; ++k) {
                sum += weight(distance(i, lists_.ids[k]));
            }
            densities[i] = size > 0.0 ? static_cast<float>(sum / size) : 0.0f;
        }
    }

    /// Calls visitor(smaller, larger) once for each pair of neighbours, sorted by the smaller
    /// index.
    template <class Visitor>
    void visit_pairs(const Visitor& visitor) const {
        for (std::uint64_t i = 0; i < lists_.count; ++i) {
            for (std::uint64_t k = lists_.offsets[i]; k < lists_.offsets[i + 1]; ++k) {
                if (lists_.ids[k] > i) { visitor(i, lists_.ids[k]); }
            }
        }
    }

    [[nodiscard]] const std::string& refusal() const { return refusal_; }

private:
    struct Destroy {
        void operator()(throng_crowd* crowd) const { throng_crowd_destroy(crowd); }
        void operator()(throng_batch* batch) const { throng_batch_destroy(batch); }
    };

    [[nodiscard]] bool ok(const throng_status& status) {
        if (status.code == THRONG_OK) { return true; }
        refusal_.resize(throng_status_text(status, nullptr, 0));
        throng_status_text(status, &refusal_[0], refusal_.size() + 1);
        return false;
    }

    [[nodiscard]] std::uint32_t body() const {
        return radii_ != nullptr ? THRONG_BODY_DISC : THRONG_BODY_CENTRE;
    }

    [[nodiscard]] throng_agents agents_of(const Points& points) const {
        throng_agents agents = THRONG_AGENTS_INIT;
        agents.dimension = wanted_.dimension;
        agents.doubles = points.doubles ? 1 : 0;
        agents.count = points.count;
        const std::ptrdiff_t size = points.doubles ? sizeof(double) : sizeof(float);
        for (unsigned a = 0; a < wanted_.dimension; ++a) {
            if (points.xyz != nullptr) {
                agents.position[a] = static_cast<const char*>(points.xyz) + a * size;
            }
            agents.position_stride[a] = 3 * size;
            agents.half_extent[a] = points.radii;
        }
        return agents;
    }

    /// Keeps the positions as the crowd has them: for doubles the difference to the origin, rounded
    /// once.
    void keep(const Points& points) {
        const unsigned dimension = wanted_.dimension;
        local_.resize(points.count * dimension);
        for (std::size_t i = 0; i < points.count; ++i) {
            for (unsigned a = 0; a < dimension; ++a) {
                local_[i * dimension + a] =
                    points.doubles
                        ? static_cast<float>(static_cast<const double*>(points.xyz)[3 * i + a] -
                                             points.origin[a])
                        : static_cast<const float*>(points.xyz)[3 * i + a];
            }
        }
    }

    [[nodiscard]] double distance(std::size_t i, std::size_t j) const {
        const unsigned dimension = wanted_.dimension;
        double distance2 = 0.0;
        for (unsigned a = 0; a < dimension; ++a) {
            const double way = double(local_[i * dimension + a]) - local_[j * dimension + a];
            distance2 += way * way;
        }
        const double sizes = radii_ != nullptr ? double(radii_[i]) + radii_[j] : 0.0;
        return std::max(std::sqrt(distance2) - sizes, 0.0);
    }

    /// At least 0: the library rounds to floats, so a neighbour on the rim may be slightly outside.
    [[nodiscard]] double weight(double distance) const {
        if (wanted_.kernel == Kernel::flat || distance == 0.0) { return 1.0; }
        const double part = distance / wanted_.radius;
        const double left =
            std::max(1.0 - (wanted_.kernel == Kernel::linear ? part : part * part), 0.0);
        return wanted_.kernel == Kernel::linear ? left : left * left * left;
    }

    Neighbours wanted_;
    const float* radii_ = nullptr;
    std::vector<float> local_;
    std::unique_ptr<throng_crowd, Destroy> crowd_;
    std::unique_ptr<throng_batch, Destroy> batch_; ///< has the lists
    throng_hits lists_ = THRONG_HITS_INIT;
    std::string refusal_;
};

} // namespace throng_host
