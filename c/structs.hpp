// Structures of callers that were compiled with an older or newer throng.h.
#pragma once

#include "../throng.h"
#include "boundary.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace throng::c {

/// No structure will ever be longer. So a size that was never set is likely to be detected, before
/// memory of that size is read.
inline constexpr std::size_t kLongest = 1024;

/// The size at the beginning of a caller's structure, which may be misaligned.
[[nodiscard]] inline std::size_t size_of(const void* given) noexcept {
    std::size_t size = 0;
    std::memcpy(&size, given, sizeof size);
    return size;
}

/// Reads a structure that begins with its size into `into`, which holds the defaults of the `known`
/// bytes that this library knows. Fields past the end of a shorter structure keep their defaults;
/// bytes of a longer one beyond `known` must be zero. Throws Refused if `given` is null, shorter
/// than `first`, the size of the first version, or longer than kLongest; these checks read only the
/// size.
void read_structure(const void* given, const char* name, std::size_t first, std::size_t known,
                    void* into);

/// Writes as much of `from` as the caller's structure had when `from` was read from it.
void write_structure(const void* from, std::size_t known, void* to) noexcept;

/// The defaults of each structure, and the end of its first version. That end must be the size of
/// the first version: a later field in padding would hold garbage of older callers.
template <class Structure>
struct Layout;

#define THRONG_C_STRUCTURE(Structure, INIT, last_of_first_version)                                 \
    template <>                                                                                    \
    struct Layout<Structure> {                                                                     \
        static Structure defaults() noexcept { return INIT; }                                      \
        static constexpr std::size_t kFirst =                                                      \
            offsetof(Structure, last_of_first_version) + sizeof(Structure::last_of_first_version); \
        static_assert((kFirst % alignof(Structure) == 0 || sizeof(void*) < 8) &&                   \
                      kFirst <= sizeof(Structure));                                                \
    };
THRONG_C_STRUCTURE(throng_memory_settings, THRONG_MEMORY_SETTINGS_INIT, cap)
THRONG_C_STRUCTURE(throng_memory_counts, THRONG_MEMORY_COUNTS_INIT, refused)
THRONG_C_STRUCTURE(throng_executor_callbacks, THRONG_EXECUTOR_CALLBACKS_INIT, user)
THRONG_C_STRUCTURE(throng_executor_facts, THRONG_EXECUTOR_FACTS_INIT, threads)
THRONG_C_STRUCTURE(throng_crowd_settings, THRONG_CROWD_SETTINGS_INIT, common_half_extent)
THRONG_C_STRUCTURE(throng_agents, THRONG_AGENTS_INIT, groups_stride)
THRONG_C_STRUCTURE(throng_crowd_counts, THRONG_CROWD_COUNTS_INIT, staging_bytes)
THRONG_C_STRUCTURE(throng_cell_stats, THRONG_CELL_STATS_INIT, company_afresh)
THRONG_C_STRUCTURE(throng_loop, THRONG_LOOP_INIT, threads_worth)
THRONG_C_STRUCTURE(throng_questions, THRONG_QUESTIONS_INIT, filter_count)
THRONG_C_STRUCTURE(throng_hits, THRONG_HITS_INIT, total)
THRONG_C_STRUCTURE(throng_hits_room, THRONG_HITS_ROOM_INIT, total)
THRONG_C_STRUCTURE(throng_neighbourhood, THRONG_NEIGHBOURHOOD_INIT, later_only)
THRONG_C_STRUCTURE(throng_pairing, THRONG_PAIRING_INIT, groups)
THRONG_C_STRUCTURE(throng_pairs, THRONG_PAIRS_INIT, total)
THRONG_C_STRUCTURE(throng_pairs_room, THRONG_PAIRS_ROOM_INIT, total)
THRONG_C_STRUCTURE(throng_contact_frame, THRONG_CONTACT_FRAME_INIT, ended_count)
THRONG_C_STRUCTURE(throng_lasting_settings, THRONG_LASTING_SETTINGS_INIT, later_only)
THRONG_C_STRUCTURE(throng_lasting_frame, THRONG_LASTING_FRAME_INIT, reserved)
THRONG_C_STRUCTURE(throng_nearest, THRONG_NEAREST_INIT, reserved)
THRONG_C_STRUCTURE(throng_near_hits, THRONG_NEAR_HITS_INIT, reserved)
THRONG_C_STRUCTURE(throng_near_room, THRONG_NEAR_ROOM_INIT, total)
THRONG_C_STRUCTURE(throng_points, THRONG_POINTS_INIT, count)
THRONG_C_STRUCTURE(throng_obstacle_arrays, THRONG_OBSTACLE_ARRAYS_INIT, groups_stride)
THRONG_C_STRUCTURE(throng_obstacle_counts, THRONG_OBSTACLE_COUNTS_INIT, staging_bytes)
THRONG_C_STRUCTURE(throng_obstacle_search, THRONG_OBSTACLE_SEARCH_INIT, reserved)
THRONG_C_STRUCTURE(throng_query_costs, THRONG_QUERY_COSTS_INIT, predicted_nanoseconds)

/// The caller's structure as this library knows it.
template <class Structure>
[[nodiscard]] Structure read(const Structure* given, const char* name) {
    Structure known = Layout<Structure>::defaults();
    read_structure(given, name, Layout<Structure>::kFirst, sizeof(Structure), &known);
    return known;
}

/// As read(), for a call with one question, which takes tens of nanoseconds. If the caller was
/// compiled with this header, the structure is read in place: copying fields as a vector, just
/// after the caller has written them one by one, would wait eight nanoseconds for all of them.
template <class Structure>
class Given {
public:
    Given(const Structure* given, const char* name) {
        const bool as_known = given != nullptr &&
                              reinterpret_cast<std::uintptr_t>(given) % alignof(Structure) == 0 &&
                              size_of(given) == sizeof(Structure);
        if (!as_known) { given = &copy_.emplace(read(given, name)); }
        fields_ = given;
    }
    Given(const Given&) = delete;
    Given& operator=(const Given&) = delete;
    ~Given() = default;

    const Structure* operator->() const noexcept { return fields_; }

private:
    std::optional<Structure> copy_;
    const Structure* fields_ = nullptr;
};

template <class Structure>
void write(const Structure& from, Structure* to) noexcept {
    write_structure(&from, sizeof(Structure), to);
}

/// Writes a single value, unless the caller does not want it.
template <class Value>
void write_value(Value value, Value* to) noexcept {
    if (to != nullptr) { *to = value; }
}

} // namespace throng::c
