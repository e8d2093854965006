// Written by throng_planner_costs (bench/planner_costs.cpp); docs/planner.md says how.
// Nanoseconds on one thread of: AMD EPYC, avx512.
#pragma once

namespace throng::planner_costs {

inline constexpr double kCall = 23.70;
inline constexpr double kRow = 10.00;
inline constexpr double kNode = 0.09;
inline constexpr double kTile = 8.52;
inline constexpr double kTileWord = 1.66;
inline constexpr double kAllAgents = 6.88;

// any(): the first hit of a box or a ball, in a grid without and with tiles, and of a path; a row
// of a grid with tiles before it; and none among giants and statics.
inline constexpr double kAny = 36.95;
inline constexpr double kAnyTiled = 76.71;
inline constexpr double kAnyTiledRow = 2.46;
inline constexpr double kAnyPath = 132.81;
inline constexpr double kAnyLarge = 69.52;
inline constexpr double kAnyLargePath = 168.47;

// Paths in the plane and in space, in rows and in a packed tree: a question, a row that is looked
// into, an agent tested, a hit; packing, for an agent; and sorting, for a hit.
inline constexpr double kPlanePathCall = 61.00;
inline constexpr double kPlanePathRow = 20.78;
inline constexpr double kPlanePathNode = 0.47;
inline constexpr double kPlaneTreeCall = 94.71;
inline constexpr double kPlaneTreeRow = 0.19;
inline constexpr double kPlaneTreeHit = 5.09;
inline constexpr double kPlanePack = 12.32;
inline constexpr double kSpacePathCall = 68.64;
inline constexpr double kSpacePathRow = 39.42;
inline constexpr double kSpacePathNode = 0.00;
inline constexpr double kSpaceTreeCall = 117.06;
inline constexpr double kSpaceTreeRow = 1.23;
inline constexpr double kSpaceTreeHit = 39.60;
inline constexpr double kSpacePack = 13.80;
inline constexpr double kSortHit = 7.19;

} // namespace throng::planner_costs
