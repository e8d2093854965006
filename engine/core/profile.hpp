// Shows a host's profiler where Throng's long calls begin and end.
#pragma once

#include "../../simd/isa/export.hpp"

namespace throng {

/// The host's functions. Neither may be null.
///
/// Both are called on the thread that made the long call, from inside it: begin when it begins, end
/// when it returns, also when it is refused or throws. Nested calls are reported nested. Work on an
/// executor's other threads is not reported; the host sees its own jobs anyway.
///
/// Neither may throw, nor change or query the object whose call is reported.
struct ProfileHooks {
    /// The name of the call, such as "RowGrid::update", stays valid for ever.
    void (*begin)(const char* name, void* user) noexcept = nullptr;
    void (*end)(const char* name, void* user) noexcept = nullptr;
    void* user = nullptr; ///< passed to both
};

/// Sets the hooks of all threads, at any time and from any thread; null, the initial value, means
/// none. A call that has begun ends with the hooks it began with, so keep those until all such
/// calls have returned. Returns the previous hooks.
///
/// Reported are all calls that change a Crowd; update() of RowGrid, LooseTree, DoubleGrid and
/// TightQuadtree; RowGrid::edit(); every call to a Batch and to InSight; the runs of a
/// NeighbourLoop; Contacts' updates; update(), neighbours() and visit() of LastingNeighbours;
/// Obstacles::set() and batches of questions to Obstacles. Without hooks this costs a load and a
/// branch a call. One call may contain others: a call to a crowd with giants contains calls to the
/// tree and the grid that keep them.
THRONG_API const ProfileHooks* set_profile_hooks(const ProfileHooks* hooks) noexcept;

} // namespace throng
