// What must hold of the fluid in the end, by plain loops in doubles.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

using Values = std::vector<float>; // by id

inline double mean(const Values& values) {
    double sum = 0.0;
    for (const float value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

/// The density at a drop. remainder() is the way to the nearest image, the only one within the
/// radius.
inline double density_at(std::size_t drop, const Values (&at)[2], double radius, double side) {
    double sum = 0.0;
    for (std::size_t i = 0; i < at[0].size(); ++i) {
        const double x = std::remainder(double{at[0][i]} - at[0][drop], side);
        const double y = std::remainder(double{at[1][i]} - at[1][drop], side);
        const double q = std::sqrt(x * x + y * y) / radius;
        if (q < 1.0) { sum += std::pow(1.0 - q, 4.0) * (1.0 + 4.0 * q); }
    }
    return sum * 7.0 / (3.14159265358979 * radius * radius);
}

/// Says how the fluid is. Returns whether densities are right and near one, the momentum is that of
/// the beginning, and the energy no more than in the beginning.
inline bool check(const Values (&at)[2], const Values (&velocity)[2], const Values& density,
                  double radius, double side) {
    int wrong = 0;
    for (std::size_t i = 0; i < at[0].size(); i += 10) {
        const double far = density_at(i, at, radius, side) - density[i];
        wrong += std::abs(far) < 1e-5 ? 0 : 1;
    }
    double energy = 0.0;
    for (std::size_t i = 0; i < at[0].size(); ++i) {
        energy += 0.5 * std::pow(velocity[0][i], 2.0);
        energy += 0.5 * std::pow(velocity[1][i], 2.0);
    }
    energy /= static_cast<double>(at[0].size());
    const double x = mean(velocity[0]), y = mean(velocity[1]);
    std::printf("density %.3f on average, %d are not those of plain loops\n", mean(density), wrong);
    std::printf("momentum %.6f %.6f, energy %.3f\n", x, y, energy);
    return wrong == 0 && std::abs(mean(density) - 1.0) < 0.02 && std::abs(x - 1.0) < 1e-6 &&
           std::abs(y - 0.5) < 1e-6 && energy > 0.8 && energy < 0.876;
}
