#include "status.hpp"

#include "../engine/core/status_text.hpp"
#include "../engine/shapes/shapes.hpp"
#include "boundary.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace throng::c {

namespace {

// Fixed: hosts know these numbers, and may have saved them in files.
constexpr std::pair<throng_code, Cause> kSame[] = {
    {THRONG_OK, Cause::ok},
    {THRONG_NOT_FINITE, Cause::not_finite},
    {THRONG_TOO_LARGE, Cause::too_large},
    {THRONG_NEGATIVE, Cause::negative},
    {THRONG_NOT_POSITIVE, Cause::not_positive},
    {THRONG_INVERTED, Cause::inverted},
    {THRONG_COUNT_MISMATCH, Cause::count_mismatch},
    {THRONG_NULL_POINTER, Cause::null_pointer},
    {THRONG_TOO_MANY, Cause::too_many},
    {THRONG_ID_TAKEN, Cause::id_taken},
    {THRONG_ID_UNKNOWN, Cause::id_unknown},
    {THRONG_NOT_STORED, Cause::not_stored},
    {THRONG_MISSING, Cause::missing},
    {THRONG_NOT_CONFIGURED, Cause::not_configured},
    {THRONG_NO_SUCH_ISA, Cause::no_such_isa},
    {THRONG_EXECUTOR_FAILED, Cause::executor_failed},
    {THRONG_NO_ROOM, Cause::no_room},
    {THRONG_OUT_OF_RANGE, Cause::out_of_range},
    {THRONG_NO_DIRECTION, Cause::no_direction},
    {THRONG_NO_COSINE, Cause::no_cosine},
    {THRONG_NOT_CONVEX, Cause::not_convex},
    {THRONG_HANDLE_STALE, Cause::handle_stale},
    {THRONG_HANDLE_FOREIGN, Cause::handle_foreign},
    {THRONG_OTHER_NAMES, Cause::other_names},
    {THRONG_WRAPS, Cause::wraps},
    {THRONG_OVER_MEMORY, Cause::over_memory},
    {THRONG_CANCELLED, Cause::cancelled},
    {THRONG_IO_FAILED, Cause::io_failed},
    {THRONG_NOT_AN_INDEX, Cause::not_an_index},
    {THRONG_OTHER_VERSION, Cause::other_version},
    {THRONG_TRUNCATED, Cause::truncated},
    {THRONG_CORRUPTED, Cause::corrupted},
    {THRONG_RANK_LOST, Cause::rank_lost},
    {THRONG_BEYOND_REACH, Cause::beyond_reach},
    {THRONG_RANKS_DIFFER, Cause::ranks_differ},
};
static_assert(std::all_of(std::begin(kSame), std::end(kSame), [](const auto& pair) {
    return static_cast<int>(pair.first) == static_cast<int>(pair.second);
}));

const char* name_of(Argument argument, const Names& names) noexcept {
    switch (argument) {
    case Argument::none:
        return "";
    case Argument::positions:
        return names.positions;
    case Argument::half_extents:
        return names.half_extents;
    case Argument::groups:
        return names.groups;
    case Argument::bounds:
        return names.bounds;
    case Argument::cell:
        return "settings.cell";
    case Argument::origin:
        return "settings.origin";
    case Argument::period:
        return "settings.periodic";
#define THRONG_FOR_SHAPE(Shape, kind, KIND) case Argument::kind:
        THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
    case Argument::shapes:
        return names.shapes;
    case Argument::filters:
        return names.filters;
    case Argument::executor:
        return "executor";
    case Argument::environment:
        return "environment";
    case Argument::radius:
        return names.radius;
    case Argument::k:
        return "nearest.k";
    case Argument::points:
        return names.points;
    case Argument::nearest:
        return names.nearest;
    case Argument::offsets:
        return "out.offsets";
    case Argument::counts:
        return names.counts;
    case Argument::path_hits:
        return "meetings";
    case Argument::corners:
        return "corners";
    case Argument::id:
    case Argument::edits:
        return names.edits;
    case Argument::handle:
        return "handles";
    case Argument::memory:
        return "memory";
    case Argument::file:
        return "path";
    case Argument::statics:
        return "statics";
    case Argument::order:
        return "order";
    case Argument::arrays:
        return "arrays";
    case Argument::body:
        return names.body;
    case Argument::least:
        return "nearest.least";
    case Argument::band:
        return "nearest.band";
    case Argument::after:
        return "nearest.after";
    case Argument::skin:
        return "settings.skin";
    case Argument::wall:
        return "arrays.walls";
    case Argument::triangle:
        return "arrays.triangles";
    // Arguments of calls that throng.h does not have.
    case Argument::range:
    case Argument::scratch:
    case Argument::run:
    case Argument::progress:
    case Argument::askers:
    case Argument::others:
    case Argument::cuts:
        break;
    case Argument::columns:
        return "columns";
    case Argument::reach:
        return "settings.reach";
    case Argument::imbalance:
        return "settings.imbalance";
    case Argument::most_agents:
        return "settings.most_agents";
    case Argument::names:
        return "ids";
    case Argument::images:
        return "images";
    case Argument::keys:
        return "keys";
    }
    return "an argument";
}

/// Split a field's name such as "questions.shapes" at its last dot: the end, and the beginning.
std::string_view last_of(std::string_view name) noexcept {
    return name.substr(name.rfind('.') + 1);
}
std::string whole_of(std::string_view name) { return std::string(name.substr(0, name.rfind('.'))); }

/// The Argument of the engine that has this name in throng.h.
Argument argument_of(std::string_view name) noexcept {
    constexpr std::pair<std::string_view, Argument> kSpoken[] = {
        {"positions", Argument::positions},
        {"half_extents", Argument::half_extents},
        {"lo", Argument::bounds},
        {"low", Argument::bounds},
        {"shapes", Argument::convex},
        {"filters", Argument::filters},
        {"environment", Argument::environment},
        {"k", Argument::k},
        {"points", Argument::points},
        {"point", Argument::points},
        {"corners", Argument::corners},
        {"edits", Argument::edits},
        {"agents", Argument::edits},
        {"handles", Argument::handle},
        {"statics", Argument::statics},
        {"order", Argument::order},
        {"arrays", Argument::arrays},
        {"skin", Argument::skin},
        {"boxes", Argument::box},
        {"turned_boxes", Argument::oriented_box},
        {"walls", Argument::wall},
        {"triangles", Argument::triangle},
        {"id", Argument::id},
        {"columns", Argument::columns},
        {"reach", Argument::reach},
        {"periodic", Argument::period},
        {"imbalance", Argument::imbalance},
        {"most_agents", Argument::most_agents},
        {"ids", Argument::names},
        {"keys", Argument::keys},
    };
    for (const auto& [spoken, argument] : kSpoken) {
        if (spoken == last_of(name)) { return argument; }
    }
    return Argument::none;
}

/// Whether a name blamed for THRONG_TOO_MANY is a number of things, not an array.
bool is_number(std::string_view name) noexcept {
    return name.ends_with("count") || name.ends_with("room") || name == "threads";
}

/// The text for a status. Every value is allowed, since hosts make statuses too.
std::string text_of(const throng_status& status) {
    const char* const name = status.argument == nullptr ? "an argument" : status.argument;
    const Argument argument = argument_of(name);
    const auto blamed = [&] { return element({Cause::ok, argument, status.index}, name); };
    switch (status.code) {
    case THRONG_TOO_MANY:
        // Here `agents` is a number, as for reserve(); with other codes it is an array.
        if (std::string_view(name) == "agents") {
            return std::string(name) + " asks for more than the index can number";
        }
        if (is_number(name)) { return std::string(name) + " is more than there can be"; }
        break;
    case THRONG_MISSING:
        if (last_of(name) == "given") {
            return status_text({Cause::missing, Argument::bounds}, name);
        }
        break;
    case THRONG_NO_ROOM:
        if (status.index == 0) { break; }
        return std::string(name) + " is too short: there must be room for " +
               std::to_string(status.index);
    case THRONG_NULL_HANDLE:
        return std::string(name) + " is a null handle";
    case THRONG_DEAD_HANDLE:
        return std::string(name) + " is a handle that was destroyed, or never made";
    case THRONG_WRONG_HANDLE:
        return std::string(name) + " is a handle of another kind";
    case THRONG_READ_ONLY:
        return std::string(name) + " belongs to a snapshot, which must not be changed or destroyed";
    case THRONG_WRONG_SIZE:
        return std::string(name) + " has a struct_size that is no size of it, or is longer than "
                                   "this library knows it and has something there";
    case THRONG_WRONG_VALUE:
        if (last_of(name) == "shape") {
            return std::string(name) + " is of a kind that this call does not take";
        }
        // `name` is the count of one shape or point, which the part before the dot names.
        if (std::string_view(name).ends_with(".count")) {
            return whole_of(name) + " has another count than one, which this call takes";
        }
        return blamed() + " is or has a value that it cannot have";
    case THRONG_WRONG_DIMENSION:
        return std::string(name) + " is of another dimension than what is asked";
    case THRONG_WRONG_ABI:
        return "the library has another binary interface than the header";
    case THRONG_OUT_OF_MEMORY:
        return "there is not enough memory";
    case THRONG_CALLBACK_THREW:
        return "an exception came out of a callback";
    case THRONG_NOT_STARTED:
        return "the system would not start a thread";
    case THRONG_SYSTEM_FAILED:
        return "the system refused what the library needs of it, such as a lock";
    case THRONG_NOT_BUILT:
        return blamed() + " asks for what this library was built without";
    case THRONG_BEING_CHANGED:
        return std::string(name) + " is being changed in steps, which have not ended";
    default:
        break;
    }
    if (status.code < 0 || status.code > THRONG_RANKS_DIFFER) {
        return "unknown code " + std::to_string(status.code) + " of " + blamed();
    }
    return status_text({static_cast<Cause>(status.code), argument, status.index}, name);
}

} // namespace

throng_status status_of(const Status& status, const Names& names) noexcept {
    const bool lacks_bounds = status.cause == Cause::missing && status.argument == Argument::bounds;
    return {static_cast<std::int32_t>(status.cause), 0,
            lacks_bounds ? "settings.given" : name_of(status.argument, names), status.index};
}

throng_status status_of_reserve(const Status& status) noexcept {
    if (status.argument != Argument::positions) { return status_of(status); }
    return status_with(THRONG_TOO_MANY, "agents", status.index);
}

} // namespace throng::c

size_t throng_status_text(throng_status status, char* text, size_t room) {
    using namespace throng::c;
    std::size_t length = 0;
    if (text != nullptr && room != 0) { *text = '\0'; } // in case there is no memory for a text
    (void)guarded([&] {
        const std::string sentence = text_of(status);
        length = sentence.size();
        if (text != nullptr && room != 0) {
            const std::size_t written = std::min(length, room - 1);
            std::memcpy(text, sentence.data(), written);
            text[written] = '\0';
        }
        return kOk;
    });
    return length;
}
