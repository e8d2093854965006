// A box of atoms as simulations of liquids have it: all neighbours, for
// bench/distributed/lammps.sh.
#pragma once

#include "job.hpp"

#include <cstddef>
#include <string>

namespace throng::bench {

/// Writes the box for LAMMPS to read.
void write_box(const std::string& file, std::size_t atoms);

/// Updates and lists of neighbours, on the ranks of this job or on one: prints the number of pairs,
/// and median times.
void print_box(Job& job, std::size_t atoms, int steps);

} // namespace throng::bench
