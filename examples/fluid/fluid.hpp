// Shared by the kernel and the program.
#pragma once

#include <throng/throng.hpp>

/// The density of a fluid of drops around each drop, and the crowding by very near drops.
struct Fluid {
    float radius;
    float* density;  ///< by id: the sum of (1 - distance / radius)^2
    float* crowding; ///< by id: the sum of (1 - distance / radius)^3
};

/// Compiled once for each instruction set.
template <class Arch>
throng::Status measure_on(Arch, const throng::RowGrid<2>& grid, const Fluid& fluid);
