// How the engine reports why a call was refused, which argument was to blame, and where.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"

#include <cstdint>
#include <string>

namespace throng {

/// The fault in the data. Broken preconditions are assertions instead. The numbers are those of
/// throng.h, so new ones go to the end.
enum class Cause : std::uint8_t {
    ok,
    not_finite,      ///< NaN or infinite
    too_large,       ///< beyond kLargest
    negative,        ///< an extent or radius below zero
    not_positive,    ///< a cell size of zero or less
    inverted,        ///< bounds whose low side exceeds the high side
    count_mismatch,  ///< arrays of one crowd with different counts, or a count that is not wanted
    null_pointer,    ///< no data where a count says there is some
    too_many,        ///< more agents, rows or cells than the index can number
    id_taken,        ///< insert() of an id that is there
    id_unknown,      ///< erase() or move() of an id that is not there
    not_stored,      ///< an extent or mask given that this crowd does not keep
    missing,         ///< an extent or mask not given that this crowd keeps
    not_configured,  ///< insert() before the grid has a shape
    no_such_isa,     ///< the kernels need a set that this machine lacks, or lack the forced one
    executor_failed, ///< an executor returned before every block had run
    no_room,         ///< an array too short for what the call has to write
    out_of_range,    ///< a range that ends before it begins or behind the last element, a kind
                     ///< of shape that the call does not take, or any other value not allowed
    no_direction,    ///< a direction, or the normal of a half space, that is zero
    no_cosine,       ///< below -1 or above 1
    not_convex,      ///< corners that are not those of a convex polygon, or of a frustum
    handle_stale,    ///< a handle of an agent that is gone
    handle_foreign,  ///< a handle that this crowd has not given out
    other_names,     ///< an id where agents have handles, or a handle where they have ids
    wraps,           ///< what a periodic world does not support
    over_memory,     ///< more memory than the cap allows
    cancelled,       ///< the host cancelled the call
    io_failed,       ///< a file could not be opened, read or written
    not_an_index,    ///< a file of another kind
    other_version,   ///< a file of another version, dimension or byte order
    truncated,       ///< a file that ends too early, or goes on too long
    corrupted,       ///< a file that does not hold what was written
    rank_lost,       ///< another process of the job is gone, or does not answer
    beyond_reach,    ///< farther than the reach that the ranks of a job agreed on
    ranks_differ,    ///< ranks of a job that make different calls, or with different settings
};

/// M(name, number) for each argument that can be to blame, named as in the headers; `many` if it
/// has several elements, one of which is to blame. `shapes` is a ShapesView itself, not one of its
/// shapes.
#define THRONG_FOR_EACH_ARGUMENT(M)                                                                \
    M(positions, many)                                                                             \
    M(half_extents, many)                                                                          \
    M(groups, many)                                                                                \
    M(bounds, one)                                                                                 \
    M(cell, one)                                                                                   \
    M(id, one)                                                                                     \
    M(box, many)                                                                                   \
    M(ball, many)                                                                                  \
    M(executor, one)                                                                               \
    M(environment, one)                                                                            \
    M(radius, one)                                                                                 \
    M(range, one)                                                                                  \
    M(scratch, one)                                                                                \
    M(offsets, one)                                                                                \
    M(counts, one)                                                                                 \
    M(run, one)                                                                                    \
    M(edits, many)                                                                                 \
    M(segment, many)                                                                               \
    M(ray, many)                                                                                   \
    M(capsule, many)                                                                               \
    M(sector, many)                                                                                \
    M(convex, many)                                                                                \
    M(oriented_box, many)                                                                          \
    M(corners, many)                                                                               \
    M(path_hits, one)                                                                              \
    M(points, many)                                                                                \
    M(nearest, one)                                                                                \
    M(k, one)                                                                                      \
    M(filters, one)                                                                                \
    M(handle, many)                                                                                \
    M(memory, one)                                                                                 \
    M(progress, one)                                                                               \
    M(file, one)                                                                                   \
    M(origin, one)                                                                                 \
    M(period, one)                                                                                 \
    M(statics, many)                                                                               \
    M(askers, many)                                                                                \
    M(others, many)                                                                                \
    M(shapes, one)                                                                                 \
    M(cylinder, many)                                                                              \
    M(order, many)                                                                                 \
    M(arrays, many)                                                                                \
    M(least, one)                                                                                  \
    M(band, one)                                                                                   \
    M(after, one)                                                                                  \
    M(skin, one)                                                                                   \
    M(wall, many)                                                                                  \
    M(triangle, many)                                                                              \
    M(body_ball, many)                                                                             \
    M(body_sector, many)                                                                           \
    M(body_cylinder, many)                                                                         \
    M(body, one)                                                                                   \
    M(columns, many)                                                                               \
    M(reach, one)                                                                                  \
    M(cuts, one)                                                                                   \
    M(imbalance, one)                                                                              \
    M(most_agents, one)                                                                            \
    M(names, many)                                                                                 \
    M(images, one)                                                                                 \
    M(keys, one)

/// The argument that was to blame.
enum class Argument : std::uint8_t {
    none,
#define THRONG_FOR_ARGUMENT(name, number) name,
    THRONG_FOR_EACH_ARGUMENT(THRONG_FOR_ARGUMENT)
#undef THRONG_FOR_ARGUMENT
};

/// The outcome of a call that can be refused. After anything but ok, what was to be changed or
/// asked is as it was, and answers must not be read unless the call says what they are.
struct [[nodiscard]] Status {
    Cause cause = Cause::ok;
    Argument argument = Argument::none;
    std::uint64_t index = 0; ///< the first offending element of the argument

    [[nodiscard]] constexpr bool ok() const noexcept { return cause == Cause::ok; }
    friend constexpr bool operator==(const Status&, const Status&) noexcept = default;
};

/// What a function makes, or why it makes nothing.
template <class Made>
struct OrStatus {
    Made value{};
    Status status{};
};

/// One sentence for people, such as "positions[17] is NaN or infinite".
[[nodiscard]] THRONG_API std::string to_string(const Status& status);

} // namespace throng

#include "../../simd/isa/names_end.hpp"
