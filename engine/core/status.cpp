#include "status.hpp"

#include "../../simd/isa/kernel_isas.hpp"

#include "limits.hpp"
#include "status_text.hpp"

#include <cstddef>
#include <iterator>

namespace throng {

namespace {

enum class Number { one, many };

/// How messages name an argument.
struct Spoken {
    const char* name; ///< as in the headers
    bool elements;    ///< whether it has several elements, one of which is to blame
};

/// In the order of Argument.
constexpr Spoken kSpoken[] = {{"an argument", false},
#define THRONG_FOR_ARGUMENT(name, number) {#name, Number::number == Number::many},
                              THRONG_FOR_EACH_ARGUMENT(THRONG_FOR_ARGUMENT)
#undef THRONG_FOR_ARGUMENT
};

constexpr Spoken kUnknown = {"an argument", false};

Spoken spoken(Argument argument) noexcept {
    const auto i = static_cast<std::size_t>(argument);
    return i < std::size(kSpoken) ? kSpoken[i] : kUnknown;
}

/// The argument to blame, by the name that the reader knows.
struct Blamed {
    const Status& status;
    const char* name;

    /// The argument alone, without an index.
    [[nodiscard]] std::string whole() const { return name; }
    /// The argument and, where it has several elements, the one to blame.
    [[nodiscard]] std::string element() const {
        if (spoken(status.argument).elements) {
            return whole() + "[" + std::to_string(status.index) + "]";
        }
        if (status.argument == Argument::id) {
            return whole() + " " + std::to_string(status.index);
        }
        return whole();
    }
    /// The same for an edit that is refused for its id.
    [[nodiscard]] std::string id() const {
        return (status.argument == Argument::edits ? "the id of " : "") + element();
    }
};

} // namespace

std::string to_string(const Status& status) {
    return status_text(status, spoken(status.argument).name);
}

std::string element(const Status& status, const char* name) {
    return Blamed{status, name}.element();
}

std::string status_text(const Status& status, const char* name) {
    const Blamed blamed = {status, name};
    static_assert(kLargest == 1e18f && kMostNearest == 1024, "as the sentences below say");
    switch (status.cause) {
    case Cause::ok:
        return "nothing is wrong";
    case Cause::not_finite:
        return blamed.element() + " is NaN or infinite";
    case Cause::too_large:
        return blamed.element() + " is beyond 1e18, the largest value allowed";
    case Cause::negative:
        return blamed.element() + " is negative";
    case Cause::not_positive:
        return blamed.element() + " is not greater than zero";
    case Cause::inverted:
        return blamed.element() + " is inverted: a low side exceeds the high side";
    // These three causes mostly blame an argument as a whole, not an element of it.
    case Cause::count_mismatch:
        if (status.argument == Argument::askers || status.argument == Argument::others) {
            return blamed.element() + " has fewer names than ids";
        }
        if (status.argument == Argument::filters) {
            return blamed.whole() + " has another count than what is asked";
        }
        if (status.argument == Argument::shapes) {
            return blamed.whole() + " has another count than one, which this call takes";
        }
        if (status.argument == Argument::arrays) {
            return blamed.element() + " has another count than order";
        }
        if (status.argument == Argument::cuts) {
            return blamed.whole() + " are those of another grid, or for another number of ranks";
        }
        if (status.argument == Argument::positions) {
            // Where agents have handles, the index is the number of positions wanted.
            return blamed.whole() + " has another count than " +
                   (status.index == 0
                        ? "there are agents"
                        : std::to_string(status.index) + ", one for each slot of a handle");
        }
        if (status.argument == Argument::handle && status.index != 0) {
            return blamed.whole() + " has another count than " + std::to_string(status.index) +
                   ", one for each agent";
        }
        if (status.argument == Argument::keys) {
            return blamed.whole() + " has another count than there are agents";
        }
        return blamed.whole() + " has another count than positions";
    case Cause::null_pointer:
        return blamed.whole() + " is a null pointer";
    case Cause::too_many:
        if (status.argument == Argument::convex) {
            return blamed.element() + " has more than eight sides";
        }
        if (status.argument == Argument::corners || status.argument == Argument::askers ||
            status.argument == Argument::others) {
            return blamed.element() + " is one more than there may be";
        }
        if (status.argument == Argument::k) {
            return blamed.whole() + " is more than 1024, the most there may be";
        }
        return (status.argument == Argument::id || status.argument == Argument::edits ||
                        status.argument == Argument::names
                    ? blamed.element()
                    : blamed.whole()) +
               " asks for more than the index can number";
    case Cause::id_taken:
        return blamed.id() + " is taken already";
    case Cause::id_unknown:
        return blamed.id() + " is not in the index";
    case Cause::not_stored:
        if (status.argument == Argument::edits) {
            return blamed.element() + " gives an extent or mask that this crowd does not keep";
        }
        return blamed.whole() + " was given, but this crowd does not keep it";
    case Cause::missing:
        if (status.argument == Argument::edits) {
            return blamed.element() + " lacks an extent or mask that this crowd keeps";
        }
        if (status.argument == Argument::bounds) {
            return "bounds are missing, which a cell or a period needs";
        }
        return blamed.whole() + " was not given, but this crowd keeps it";
    case Cause::not_configured:
        return "there are no cells yet: they come with the settings, or with the first update";
    case Cause::no_such_isa:
        if (status.argument != Argument::environment) {
            return "the kernel was compiled for an instruction set that this machine does not have";
        }
        return "THRONG_FORCE_ISA, if set, names an instruction set that this machine or build does "
               "not "
               "have; the build has kernels for " +
               simd::kernel_isas();
    case Cause::executor_failed:
        return blamed.whole() + " returned before block " + std::to_string(status.index) +
               " had run";
    case Cause::no_room:
        return blamed.whole() + " is too short";
    case Cause::out_of_range:
        if (status.argument == Argument::executor) {
            return blamed.whole() + " is not serial, and this process may run one thread only";
        }
        if (status.argument == Argument::shapes) {
            return blamed.whole() + " is of a kind that this call does not take";
        }
        if (status.argument == Argument::range) {
            return blamed.whole() + " ends before it begins, or behind the last element";
        }
        return blamed.element() + " has a value that it cannot have";
    case Cause::no_direction:
        return blamed.element() + " has a direction of zero length";
    case Cause::no_cosine:
        return blamed.element() + " has a cosine that no angle has";
    case Cause::not_convex:
        return blamed.whole() + " are not the corners of anything convex";
    case Cause::handle_stale:
        return blamed.element() + " is that of an agent that is gone";
    case Cause::handle_foreign:
        return blamed.element() + " was not given out by this crowd";
    case Cause::other_names:
        return blamed.whole() + " is not how the agents of this crowd are named";
    case Cause::wraps:
        if (status.argument == Argument::radius || status.argument == Argument::reach) {
            return blamed.whole() + " reaches half around this periodic world, or farther";
        }
        if (status.argument != Argument::period) {
            return blamed.element() +
                   " is too long for this periodic world: a question may have 4096 copies there, "
                   "an obstacle be one period wide";
        }
        return blamed.whole() + " is not the same for the crowd and the obstacles";
    case Cause::over_memory:
        return "this takes more memory than the cap allows";
    case Cause::cancelled:
        return "cancelled";
    case Cause::io_failed:
        return "the file cannot be opened, read or written";
    case Cause::not_an_index:
        return "the file holds no index";
    case Cause::other_version:
        return "the file holds an index of another version, dimension or byte order";
    case Cause::truncated:
        return "the file ends too early, or goes on behind its end";
    case Cause::corrupted:
        return "the file does not hold what was written to it";
    case Cause::rank_lost:
        return "another rank of the job is gone, or does not answer";
    case Cause::beyond_reach:
        if (status.argument == Argument::half_extents) {
            return blamed.element() + " is more than half the reach that the ranks agreed on";
        }
        return blamed.element() + " is beyond the reach that the ranks agreed on";
    case Cause::ranks_differ:
        return "the ranks of the job make different calls, or give different settings";
    }
    return "unknown cause " + std::to_string(static_cast<unsigned>(status.cause)) + " of " +
           blamed.element();
}

} // namespace throng
