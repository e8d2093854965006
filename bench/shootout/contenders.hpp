// The contenders: one function for each file of contenders.
#pragma once

#include "subject.hpp"

#include <vector>

namespace throng::shootout {

[[nodiscard]] std::vector<Entry> ours();
[[nodiscard]] std::vector<Entry> plain_grid();
[[nodiscard]] std::vector<Entry> plain_hash();
[[nodiscard]] std::vector<Entry> plain_sweep();
[[nodiscard]] std::vector<Entry> plain_box_tree();
[[nodiscard]] std::vector<Entry> plain_vp_tree();

// Peers are linked only if they were found when this was built.
[[nodiscard]] std::vector<Entry> boost_rtree();
[[nodiscard]] std::vector<Entry> nanoflann_tree();
[[nodiscard]] std::vector<Entry> box2d_tree();
[[nodiscard]] std::vector<Entry> bullet_dbvt();
[[nodiscard]] std::vector<Entry> embree();

} // namespace throng::shootout
