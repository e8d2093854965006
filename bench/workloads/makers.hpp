// Makes single workloads, for make_workload().
#pragma once

#include "workload.hpp"

#include <memory>

namespace throng::bench {

/// All agents take small steps to and fro, so that no update finds its result in place already.
std::unique_ptr<Workload> make_update(const Setting& setting);
/// One agent in twenty takes a small step, in one list of edits.
std::unique_ptr<Workload> make_edits(const Setting& setting);
/// The pairs of agents whose boxes overlap: a list, or their number.
std::unique_ptr<Workload> make_pairs(const Setting& setting);
std::unique_ptr<Workload> make_pairs_count(const Setting& setting);
/// A list of neighbours for each agent; and below, the eight nearest to each agent.
std::unique_ptr<Workload> make_neighbours(const Setting& setting);
std::unique_ptr<Workload> make_nearest(const Setting& setting);
/// Lists for a ball around every agent: in storage order, and below, in random order.
std::unique_ptr<Workload> make_balls(const Setting& setting);
std::unique_ptr<Workload> make_balls_shuffled(const Setting& setting);
/// 256 boxes of a hundredth of the world each.
std::unique_ptr<Workload> make_large_boxes(const Setting& setting);
/// A ray from one agent in ten, in any direction, 32 units long.
std::unique_ptr<Workload> make_rays(const Setting& setting);
/// A kernel that sums over neighbours without lists.
std::unique_ptr<Workload> make_fused(const Setting& setting);

} // namespace throng::bench
