// A box of atoms, as in simulations of liquids, with all neighbours; for
// bench/distributed/lammps.sh.
#pragma once

#include "job.hpp"

#include <cstddef>
#include <string>

namespace throng::bench {

/// Writes the box as a file for LAMMPS.
void write_box(const std::string& file, std::size_t atoms);

/// Times updates and lists of neighbours, on the ranks of this job or on one. Prints the number of
/// pairs, and median times.
void print_box(Job& job, std::size_t atoms, int steps);

} // namespace throng::bench
