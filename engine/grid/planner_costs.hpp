// Written by throng_planner_costs (bench/planner_costs.cpp); docs/planner.md says how.
// Nanoseconds on one thread of: AMD EPYC, avx512.
#pragma once

namespace throng::planner_costs {

inline constexpr double kCall = 37.00;
inline constexpr double kRow = 12.07;
inline constexpr double kNode = 0.06;
inline constexpr double kTile = 12.23;
inline constexpr double kTileWord = 1.56;
inline constexpr double kAllAgents = 8.12;

// any(): the first hit of a box or a ball, in a grid without and with tiles, and of a path; a row
// of a grid with tiles before it; and none among giants and statics.
inline constexpr double kAny = 49.66;
inline constexpr double kAnyTiled = 97.37;
inline constexpr double kAnyTiledRow = 2.48;
inline constexpr double kAnyPath = 202.35;
inline constexpr double kAnyLarge = 75.30;
inline constexpr double kAnyLargePath = 178.23;

// Paths in the plane and in space, in rows and in a packed tree: a question, a row that is looked
// into, an agent tested, a hit; packing, for an agent; and sorting, for a hit.
inline constexpr double kPlanePathCall = 60.73;
inline constexpr double kPlanePathRow = 17.88;
inline constexpr double kPlanePathNode = 0.05;
inline constexpr double kPlaneTreeCall = 117.36;
inline constexpr double kPlaneTreeRow = 0.27;
inline constexpr double kPlaneTreeHit = 6.54;
inline constexpr double kPlanePack = 15.91;
inline constexpr double kSpacePathCall = 80.48;
inline constexpr double kSpacePathRow = 39.64;
inline constexpr double kSpacePathNode = 0.00;
inline constexpr double kSpaceTreeCall = 150.82;
inline constexpr double kSpaceTreeRow = 1.63;
inline constexpr double kSpaceTreeHit = 50.73;
inline constexpr double kSpacePack = 17.16;
inline constexpr double kSortHit = 6.44;

} // namespace throng::planner_costs
