// The right answers for tests of hosts: points on a lattice of sixteenths, and all pairs of them in
// integers, so that many pairs are exactly on the rim and nothing is rounded.
#pragma once

#include "../neighbour_sums.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

namespace throng_host::tests {

/// Ends the program and says where, unless `holds`.
inline void require(bool holds, const char* what, int line) {
    if (holds) { return; }
    std::fprintf(stderr, "line %d: not so: %s\n", line, what);
    std::exit(1);
}
#define THRONG_REQUIRE(condition) throng_host::tests::require((condition), #condition, __LINE__)

/// Points in sixteenths of a unit.
struct Lattice {
    std::vector<std::array<int, 3>> points;
    std::vector<int> radii;

    [[nodiscard]] std::size_t size() const { return points.size(); }
    [[nodiscard]] double at(std::size_t i, std::size_t axis) const {
        return points[i][axis] / 16.0;
    }
};

/// Random points, some in one place, some on the axes of others, and a few large ones.
inline Lattice lattice(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    const auto up_to = [&](unsigned most) { return static_cast<int>(random() % (most + 1)); };
    Lattice made;
    for (std::size_t i = 0; i < count; ++i) {
        std::array<int, 3> point = {up_to(160), up_to(160), up_to(160)};
        if (i % 8 == 7) {
            point = made.points[i - 1];
            point[i / 8 % 3] += 16 * up_to(2);
        }
        made.points.push_back(point);
        made.radii.push_back(i % 50 == 49 ? 40 : up_to(6));
    }
    return made;
}

struct Truth {
    std::vector<int> counts;
    std::vector<double> densities, nearest;
    std::vector<std::pair<std::size_t, std::size_t>> pairs; ///< sorted by first, then by second
};

/// The weight of a neighbour at this fraction of the radius.
inline double weight(Kernel kernel, double part) {
    switch (kernel) {
    case Kernel::linear:
        return 1.0 - part;
    case Kernel::poly6:
        return std::pow(1.0 - part * part, 3.0);
    case Kernel::flat:
        break;
    }
    return 1.0;
}

/// The integral of the weight over a disc or a ball, summed ring by ring.
inline double summed(Kernel kernel, unsigned dimension, double radius) {
    constexpr int rings = 10'000;
    const double pi = std::acos(-1.0), width = radius / rings;
    double sum = 0.0;
    for (int ring = 0; ring < rings; ++ring) {
        const double middle = (ring + 0.5) * width;
        const double length = dimension == 2 ? 2.0 * pi * middle : 4.0 * pi * middle * middle;
        sum += weight(kernel, middle / radius) * length * width;
    }
    return sum;
}

/// The radius is in sixteenths as well. Without `bodies` points have no size.
inline Truth truth_of(const Lattice& lattice, unsigned dimension, int radius, Kernel kernel,
                      bool bodies) {
    Truth truth;
    const double size = summed(kernel, dimension, radius / 16.0);
    for (std::size_t i = 0; i < lattice.size(); ++i) {
        int count = 0;
        double sum = 1.0, nearest = -1.0;
        for (std::size_t j = 0; j < lattice.size(); ++j) {
            if (j == i) { continue; }
            std::int64_t distance2 = 0;
            for (unsigned a = 0; a < dimension; ++a) {
                const std::int64_t way = lattice.points[i][a] - lattice.points[j][a];
                distance2 += way * way;
            }
            const int sizes = bodies ? lattice.radii[i] + lattice.radii[j] : 0;
            const double centres = std::sqrt(static_cast<double>(distance2));
            const double distance = std::fmax(centres - sizes, 0.0) / 16.0;
            if (nearest < 0.0 || distance < nearest) { nearest = distance; }
            const std::int64_t most = radius + sizes;
            if (distance2 > most * most) { continue; }
            ++count;
            sum += weight(kernel, distance * 16.0 / radius);
            if (i < j) { truth.pairs.emplace_back(i, j); }
        }
        truth.counts.push_back(count);
        truth.densities.push_back(sum / size);
        truth.nearest.push_back(nearest);
    }
    return truth;
}

/// Whether two numbers are equal up to the errors of floats. Floats around 10 are a millionth
/// apart, so differences have that error.
inline bool alike(double found, double right) {
    return std::fabs(found - right) <= 1e-6 + 1e-5 * std::fabs(right);
}

} // namespace throng_host::tests
