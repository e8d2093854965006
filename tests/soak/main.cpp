// throng_soak: tests that take hours. `throng_soak --help` lists them.
#include "soak.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr char kUsage[] = R"(usage: throng_soak churn [<operations>] [<seed>]
       throng_soak frames [<seconds>] [<seed>]
       throng_soak load [<agents>] [<frames>] [<readers>] [<seed>]
       throng_soak hoard
       throng_soak stand-still

churn   insertions, removals and moves in all structures (1e9): answers, memory
frames  crowds of all kinds on any number of threads (14400 s): answers, allocations, memory
load    many agents (1e7) in 1000 frames while 2 readers ask: how long the slowest take
hoard        keeps a mebibyte of each round for three seconds, which must be noticed
stand-still  is ended by the watchdog after a second

Ends with status 1 if anything was not as it should be, and aborts where nothing happens for a minute.
)";

/// The number at argument `i`, such as 1e9, or a default.
double number(int count, char** arguments, int i, double otherwise) {
    if (i >= count) { return otherwise; }
    char* end = nullptr;
    const double value = std::strtod(arguments[i], &end);
    if (end == arguments[i] || *end != '\0' || !(value >= 0.0 && value < 1e15)) {
        std::fprintf(stderr, "%s is no number that makes sense here\n%s", arguments[i], kUsage);
        std::exit(2);
    }
    return value;
}

} // namespace

int main(int count, char** arguments) {
    const auto whole = [&](int i, double otherwise) {
        return static_cast<std::size_t>(number(count, arguments, i, otherwise));
    };
    const char* const what = count < 2 ? "" : arguments[1];
    bool sound = false;
    if (std::strcmp(what, "churn") == 0 && count <= 4) {
        sound = throng::soak::churn(whole(2, 1e9), whole(3, 1));
    } else if (std::strcmp(what, "frames") == 0 && count <= 4) {
        sound = throng::soak::frames(number(count, arguments, 2, 14'400.0), whole(3, 1));
    } else if (std::strcmp(what, "load") == 0 && count <= 6) {
        sound = throng::soak::load(whole(2, 1e7), whole(3, 1000), whole(4, 2), whole(5, 1));
    } else if (std::strcmp(what, "hoard") == 0 && count == 2) {
        sound = throng::soak::frames(3.0, 1, std::size_t{1} << 20);
    } else if (std::strcmp(what, "stand-still") == 0 && count == 2) {
        sound = throng::soak::stand_still();
    } else {
        std::fputs(kUsage, std::strcmp(what, "--help") == 0 ? stdout : stderr);
        return std::strcmp(what, "--help") == 0 ? 0 : 2;
    }
    std::printf("%s\n", sound ? "sound" : "NOT SOUND");
    return sound ? 0 : 1;
}
