// Every call of the C API with all its arguments, each of which a test can spoil.
#pragma once

#include "../../c/structs.hpp"

#include <throng/throng.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace throng::test {

/// The kinds of objects behind handles.
enum class Kind : std::uint8_t {
    crowd,
    batch,
    executor,
    memory,
    published,
    snapshot,
    change,
    contacts,
    obstacles,
    lasting
};
inline constexpr std::size_t kKinds = 10;

/// A structure that a host passes: NULL, or with more memory behind it.
template <class T>
struct Given {
    static_assert(offsetof(T, struct_size) == 0);
    T value;
    std::array<unsigned char, 24> tail{};
    bool is_null = false;

    Given(const T& defaults) : value(defaults) {}
    Given& operator=(const T& other) {
        value = other;
        return *this;
    }
    [[nodiscard]] T* at() noexcept { return is_null ? nullptr : &value; }
};

/// A `Given` of any type.
struct AnyGiven {
    std::size_t* struct_size;
    std::size_t size, first; ///< of the present structure, and of its first version
    std::span<unsigned char> tail;
    bool* is_null;

    template <class T>
    AnyGiven(Given<T>& given) noexcept
        : struct_size(&given.value.struct_size), size(sizeof(T)), first(c::Layout<T>::kFirst),
          tail(given.tail), is_null(&given.is_null) {}
};

/// An array that a host passes: a test can make it too short, or misalign its address.
template <class T>
struct Array {
    std::vector<T> values;
    std::size_t room;
    std::ptrdiff_t shift = 0; // in bytes
    bool is_null = false;

    explicit Array(std::size_t count) : values(count + 1), room(count) {}
    [[nodiscard]] T* at() noexcept {
        if (is_null) { return nullptr; }
        // Copied as bytes: no one may read through the moved pointer.
        T* moved = values.data();
        const auto bits = reinterpret_cast<std::uintptr_t>(moved) + static_cast<std::size_t>(shift);
        std::memcpy(&moved, &bits, sizeof bits);
        return moved;
    }
};

/// One small world, one of each handle, and arguments with which every call succeeds.
class Rig {
public:
    static constexpr std::size_t kAgents = 24, kStatics = 5, kQuestions = 3, kPoints = 2,
                                 kNearest = 2, kObstacles = 3;

    /// Crowds get their memory from the host's counted callbacks, or from the heap.
    explicit Rig(std::uint32_t dimension, bool on_heap = false);
    ~Rig();
    Rig(const Rig&) = delete;
    Rig& operator=(const Rig&) = delete;

    static constexpr std::ptrdiff_t kEndless = 1'000'000'000;
    /// How many allocations the host's memory still grants; below zero after it has refused one.
    static inline std::ptrdiff_t gifts_left = kEndless;
    /// Blocks that the host's memory gave out and did not get back.
    static inline std::ptrdiff_t gifts_out = 0;

    /// The state of the world in numbers: the same before and after a refusal.
    [[nodiscard]] std::vector<std::uint64_t> answers() const;

    template <class Handle>
    [[nodiscard]] Handle* handle(Kind kind) const noexcept {
        return static_cast<Handle*>(handles[static_cast<std::size_t>(kind)]);
    }
    [[nodiscard]] throng_crowd* crowd() const { return handle<throng_crowd>(Kind::crowd); }
    /// A crowd whose agents have handles, or the handle with which a test replaced crowd().
    [[nodiscard]] throng_crowd* named() const { return crowd() == own_[0] ? named_ : crowd(); }
    [[nodiscard]] throng_batch* batch() const { return handle<throng_batch>(Kind::batch); }
    [[nodiscard]] throng_executor* executor() const {
        return handle<throng_executor>(Kind::executor);
    }
    [[nodiscard]] throng_memory* memory() const { return handle<throng_memory>(Kind::memory); }
    [[nodiscard]] throng_published* published() const {
        return handle<throng_published>(Kind::published);
    }
    [[nodiscard]] throng_snapshot* snapshot() const {
        return handle<throng_snapshot>(Kind::snapshot);
    }
    [[nodiscard]] throng_change* change() const { return handle<throng_change>(Kind::change); }
    [[nodiscard]] throng_contacts* contacts() const {
        return handle<throng_contacts>(Kind::contacts);
    }
    [[nodiscard]] throng_obstacles* obstacles() const {
        return handle<throng_obstacles>(Kind::obstacles);
    }
    [[nodiscard]] throng_lasting* lasting() const { return handle<throng_lasting>(Kind::lasting); }
    /// Destroys the first object of this kind.
    throng_status destroy(Kind kind);

    /// Where a call writes a value or a new handle, unless `out_is_null`.
    template <class T>
    [[nodiscard]] T* out(T& value) noexcept {
        return out_is_null ? nullptr : &value;
    }

    // The arguments of calls, which tests may spoil. First the handles:
    std::array<void*, kKinds> handles{};
    bool out_is_null = false;
    std::uint32_t dimension;

    std::vector<float> coordinates, extents, shapes, places;
    std::vector<std::uint32_t> masks;
    std::vector<throng_filter> filters;
    std::vector<throng_edit> edits;
    std::vector<throng_world_edit> world_edits;
    std::vector<double> far_places;
    const throng_edit* edits_at = nullptr;
    std::size_t edits_count = 0;
    std::vector<float> corners;
    std::vector<std::uint32_t> reversed;
    std::vector<float> values;                       // as many as in `reversed`
    throng_array reordered{};                        // describes `values`
    std::string path, obstacle_path;                 // of a saved crowd, and of saved obstacles
    std::vector<float> straight, turned, thin, ball; // obstacles, and a ball around them all
    std::vector<float> balls;                        // that ball, once for each question
    std::vector<std::uint32_t> obstacle_masks;
    std::uint32_t obstacle_id = 7, obstacle_shape = 0; // of an obstacle to insert
    const void* obstacle_at = nullptr;                 // where that obstacle is

    Given<throng_memory_settings> memory_settings;
    Given<throng_memory_counts> memory_counts;
    Given<throng_executor_facts> executor_facts;
    Given<throng_executor_callbacks> callbacks;
    Given<throng_crowd_settings> settings;
    Given<throng_crowd_settings> obstacle_world;
    Given<throng_agents> agents;
    Given<throng_agents> moved, movers; ///< only their positions are read
    Given<throng_crowd_counts> counts;
    Given<throng_cell_stats> cell_stats;
    Given<throng_loop> loop;
    Given<throng_questions> questions, question, paths, one_path;
    Given<throng_hits> hits;
    Given<throng_hits_room> hits_room, neighbours_room;
    Given<throng_neighbourhood> neighbourhood;
    Given<throng_pairing> pairing, overlaps;
    Given<throng_pairs> pairs;
    Given<throng_pairs_room> pairs_room;
    Given<throng_contact_frame> contact_frame;
    Given<throng_lasting_settings> lasting_settings;
    Given<throng_lasting_frame> lasting_frame;
    Given<throng_nearest> nearest;
    Given<throng_near_hits> near_hits;
    Given<throng_near_room> near_room, everybody_room;
    Given<throng_points> points, point;
    Given<throng_query_costs> costs;
    Given<throng_obstacle_arrays> obstacle_arrays;
    Given<throng_obstacle_counts> obstacle_counts;
    Given<throng_obstacle_search> obstacle_search;
    Given<throng_questions> obstacle_paths, obstacle_ball; // for boxes see `question`
    Given<throng_questions> obstacle_balls;
    Given<throng_questions> seen; // balls, for agents past obstacles

    Array<std::uint32_t> numbers, order, ids, count_of_each;
    Array<std::uint32_t> names;                            ///< an id for each agent
    Array<std::uint64_t> keys;                             ///< of all agents
    Array<throng_agent_handle> agent_handles, new_handles; ///< of named() before the call, and new
    Array<throng_cell> cells;
    Array<float> local_places;
    Array<double> world_places;
    Array<throng_meeting> meetings, all_meetings; ///< of all paths, and of one path
    Array<throng_near> near;
    // The 3-D types, which are long enough for the plane's shorter elements too.
    Array<throng_obstacle_near3> near_obstacles, near_each, near_of_balls;
    Array<std::uint64_t> near_offsets;
    Array<throng_obstacle_hit3> obstacle_hits;
    Array<std::uint32_t> obstacle_ids;
    Array<std::uint8_t> clear;
    Array<std::int8_t> images; ///< of all agents, an axis after the other

    // The outputs of calls.
    throng_crowd* made_crowd = nullptr;
    throng_batch* made_batch = nullptr;
    throng_executor* made_executor = nullptr;
    throng_memory* made_memory = nullptr;
    throng_published* made_published = nullptr;
    throng_snapshot* made_snapshot = nullptr;
    throng_change* made_change = nullptr;
    throng_contacts* made_contacts = nullptr;
    throng_obstacles* made_obstacles = nullptr;
    throng_lasting* made_lasting = nullptr;
    throng_crowd* shown_crowd = nullptr;
    throng_convex2 region2{};
    throng_convex3 region3{};
    std::uint64_t sum = 0;
    std::uint32_t number = 0;
    throng_meeting meeting{}, before_all = THRONG_BEFORE_ALL;
    const throng_meeting* after = &before_all;
    throng_obstacle_near3 one_near{};
    throng_obstacle_hit3 one_hit{};

private:
    /// Appends all that a crowd says of its agents, with the index's memory or without.
    void tell(const throng_crowd* crowd, bool with_memory, std::vector<std::uint64_t>& said) const;

    std::array<void*, kKinds> own_{};
    throng_crowd* named_ = nullptr;
    std::vector<std::uint64_t> offsets_;
    std::vector<std::uint32_t> first_, second_, near_counts_;
    std::vector<throng_near> near_;
};

/// One handle or structure of a call.
struct HandleOf {
    Kind kind;
    const char* name;         // of the parameter in the C header
    bool may_be_null = false; // NULL is a valid value
};
struct StructOf {
    AnyGiven (*of)(Rig&); // given<>
    const char* name;
    bool may_be_null = false;
};
/// A structure that is a member of the rig.
template <auto kMember>
AnyGiven given(Rig& rig) {
    return AnyGiven(rig.*kMember);
}
/// An array that is a parameter of a call, outside structures.
struct ArrayOf {
    const char* name;
    void (*spoil)(Rig&, std::ptrdiff_t shift, bool is_null, bool is_short);
};

/// A function of throng.h that returns a status.
struct Call {
    const char* name;
    throng_status (*make)(Rig&);
    std::vector<HandleOf> handles{};
    std::vector<StructOf> structs{};
    std::vector<ArrayOf> arrays{};
    const char* out = nullptr; // name of a required output
    bool of_named = false;     // the call is about Rig::named()
};

/// The table of all calls.
[[nodiscard]] const std::vector<Call>& calls();

} // namespace throng::test
