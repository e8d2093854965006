// Written by throng_planner_costs (bench/planner/planner_costs.cpp); docs/planner.md says how.
// Nanoseconds on one thread of: AMD EPYC, avx512.
#pragma once

namespace throng::planner_costs {

inline constexpr double kCall = 35.45;
inline constexpr double kRow = 12.00;
inline constexpr double kNode = 0.06;
inline constexpr double kTile = 9.94;
inline constexpr double kTileWord = 1.73;
inline constexpr double kAllAgents = 8.23;

// any(): the first hit of a box or a ball, in a grid without and with tiles, and of a path; a row
// of a grid with tiles before it; and none among giants and statics.
inline constexpr double kAny = 34.11;
inline constexpr double kAnyTiled = 88.88;
inline constexpr double kAnyTiledRow = 2.49;
inline constexpr double kAnyPath = 201.39;
inline constexpr double kAnyLarge = 76.34;
inline constexpr double kAnyLargePath = 174.32;

// Paths in the plane and in space, in rows and in a packed tree: a question, a row that is looked
// into, an agent tested, a hit; packing, for an agent; and sorting, for a hit.
inline constexpr double kPlanePathCall = 63.54;
inline constexpr double kPlanePathRow = 18.02;
inline constexpr double kPlanePathNode = 0.05;
inline constexpr double kPlaneTreeCall = 117.71;
inline constexpr double kPlaneTreeRow = 0.27;
inline constexpr double kPlaneTreeHit = 6.62;
inline constexpr double kPlanePack = 14.87;
inline constexpr double kSpacePathCall = 79.32;
inline constexpr double kSpacePathRow = 40.07;
inline constexpr double kSpacePathNode = 0.00;
inline constexpr double kSpaceTreeCall = 150.58;
inline constexpr double kSpaceTreeRow = 1.60;
inline constexpr double kSpaceTreeHit = 49.18;
inline constexpr double kSpacePack = 16.57;
inline constexpr double kSortHit = 6.63;

} // namespace throng::planner_costs
