#include "status.hpp"

#include "point.hpp"

namespace throng {

namespace {

/// As the argument is called in the headers; null when there is none.
const char* name_of(Argument argument) noexcept {
    switch (argument) {
    case Argument::none:
        return nullptr;
    case Argument::positions:
        return "positions";
    case Argument::half_extents:
        return "half_extents";
    case Argument::groups:
        return "groups";
    case Argument::bounds:
        return "bounds";
    case Argument::cell:
        return "cell";
    case Argument::id:
        return "id";
    case Argument::box:
        return "box";
    case Argument::ball:
        return "ball";
    case Argument::executor:
        return "executor";
    case Argument::environment:
        return "environment";
    case Argument::edits:
        return "edits";
    case Argument::radius:
        return "radius";
    case Argument::range:
        return "range";
    case Argument::scratch:
        return "scratch";
    case Argument::offsets:
        return "offsets";
    case Argument::counts:
        return "counts";
    case Argument::run:
        return "run";
    case Argument::segment:
        return "segment";
    case Argument::ray:
        return "ray";
    case Argument::capsule:
        return "capsule";
    case Argument::sector:
        return "sector";
    case Argument::convex:
        return "convex";
    case Argument::oriented_box:
        return "oriented_box";
    case Argument::corners:
        return "corners";
    case Argument::meetings:
        return "meetings";
    case Argument::points:
        return "points";
    case Argument::nearest:
        return "nearest";
    case Argument::k:
        return "k";
    case Argument::filters:
        return "filters";
    }
    return nullptr;
}

/// The argument, without a word about which element.
std::string whole(const Status& status) {
    const char* name = name_of(status.argument);
    return name == nullptr ? "an argument" : name;
}

/// The argument and, where it has several elements, the one to blame.
std::string element(const Status& status) {
    switch (status.argument) {
    case Argument::positions:
    case Argument::half_extents:
    case Argument::groups:
    case Argument::box:
    case Argument::ball:
    case Argument::segment:
    case Argument::ray:
    case Argument::capsule:
    case Argument::sector:
    case Argument::convex:
    case Argument::oriented_box:
    case Argument::corners:
    case Argument::edits:
    case Argument::points:
        return whole(status) + "[" + std::to_string(status.index) + "]";
    case Argument::id:
        return whole(status) + " " + std::to_string(status.index);
    case Argument::none:
    case Argument::bounds:
    case Argument::cell:
    case Argument::executor:
    case Argument::environment:
    case Argument::radius:
    case Argument::range:
    case Argument::scratch:
    case Argument::offsets:
    case Argument::counts:
    case Argument::run:
    case Argument::meetings:
    case Argument::nearest:
    case Argument::k:
    case Argument::filters:
        break;
    }
    return whole(status);
}

/// Of an edit that is refused for its id.
std::string id_of(const Status& status) {
    return (status.argument == Argument::edits ? "the id of " : "") + element(status);
}

} // namespace

std::string to_string(const Status& status) {
    static_assert(kLargest == 1e18f, "as the sentence below says");
    switch (status.cause) {
    case Cause::ok:
        return "nothing is wrong";
    case Cause::not_finite:
        return element(status) + " is NaN or infinite";
    case Cause::too_large:
        return element(status) + " is beyond 1e18, the largest value allowed";
    case Cause::negative:
        return element(status) + " is negative";
    case Cause::not_positive:
        return element(status) + " is not greater than zero";
    case Cause::inverted:
        return element(status) + " is inverted: a low side exceeds the high side";
    // Of these three no element is to blame: the arrays were not read.
    case Cause::count_mismatch:
        return whole(status) + " has another count than positions";
    case Cause::null_pointer:
        return whole(status) + " has a count but a null pointer";
    case Cause::too_many:
        if (status.argument == Argument::convex || status.argument == Argument::corners) {
            return element(status) + " is one more than there may be";
        }
        if (status.argument == Argument::k) { return "k is more than kMostNearest"; }
        return (status.argument == Argument::id || status.argument == Argument::edits
                    ? element(status)
                    : whole(status)) +
               " asks for more than the index can number";
    case Cause::id_taken:
        return id_of(status) + " is taken already";
    case Cause::id_unknown:
        return id_of(status) + " is not in the index";
    case Cause::not_stored:
        if (status.argument == Argument::edits) {
            return element(status) + " gives an extent or mask that this crowd does not keep";
        }
        return whole(status) + " was given, but this crowd does not keep it";
    case Cause::missing:
        if (status.argument == Argument::edits) {
            return element(status) + " lacks an extent or mask that this crowd keeps";
        }
        return whole(status) + " was not given, but this crowd keeps it";
    case Cause::not_configured:
        return "the grid has no shape yet: call configure() or update() first";
    case Cause::no_such_isa:
        if (status.argument != Argument::environment) {
            return "the kernel was compiled for an instruction set that this machine does not have";
        }
        return "THRONG_FORCE_ISA names an instruction set that this machine or build does not have";
    case Cause::executor_failed:
        return "executor returned before block " + std::to_string(status.index) + " had run";
    case Cause::no_room:
        return whole(status) + " is shorter than what must be said in it";
    case Cause::out_of_range:
        return whole(status) + " ends before it begins, or behind the last element";
    case Cause::no_direction:
        return element(status) + " has a direction of zero length";
    case Cause::no_cosine:
        return element(status) + " has a cosine that no angle has";
    case Cause::not_convex:
        return whole(status) + " are not the corners of anything convex";
    }
    return "unknown cause " + std::to_string(static_cast<unsigned>(status.cause)) + " of " +
           element(status);
}

} // namespace throng
