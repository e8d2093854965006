// What the kernel and the program share.
#pragma once

#include <throng/throng.hpp>

/// How dense a fluid of drops is around each, and how crowded by drops that are very near.
struct Fluid {
    float radius;
    float* density;  ///< by id: the sum of (1 - distance / radius)^2
    float* crowding; ///< by id: the sum of (1 - distance / radius)^3
};

/// Compiled once for each instruction set.
template <class Arch>
throng::Status measure_on(Arch, const throng::RowGrid<2>& grid, const Fluid& fluid);
