// Shows a host's profiler where Throng's long calls begin and end.
#pragma once

#include "../simd/export.hpp"

namespace throng {

/// Functions of the host's. Both must be there.
///
/// Each is called on the thread that made the long call, from inside it: begin when it begins, and
/// end when it returns, be it refused or left by an exception. Calls within calls come within. What
/// an executor's other threads do is not told; the host sees its own jobs anyway.
///
/// Neither may throw, nor change or ask what is just being called.
struct ProfileHooks {
    /// The name says which call it is, such as "RowGrid::update", and stays good for ever.
    void (*begin)(const char* name, void* user) noexcept = nullptr;
    void (*end)(const char* name, void* user) noexcept = nullptr;
    void* user = nullptr; ///< passed to both
};

/// From now on, for all threads, calls that begin tell these; null, as at first, tells nobody.
/// Those that have begun will end with the hooks that they began with: so keep these until all such
/// calls have returned. At any time, from any thread. Returns the ones that were there.
///
/// Told are all calls that change a Crowd; update() of RowGrid, StaticTree, LooseTree, DoubleGrid
/// and TightQuadtree; RowGrid::edit(); every call to a Batch or a CrowdBatch; and those of a
/// NeighbourLoop. Without hooks that costs a load and a branch a call. One call may contain
/// another: that of a crowd with giants contains those of the tree and the grid that keep them.
THRONG_API const ProfileHooks* set_profile_hooks(const ProfileHooks* hooks) noexcept;

} // namespace throng
