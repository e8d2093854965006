#include "options.hpp"

#include <string_view>

namespace throng::bench {

std::string usage() {
    return std::string(R"(usage: throng_span [<option>...]

Times the blocks of each call one by one on one thread, and reckons how long the call would take on
more threads: the serial part, a greedy schedule of the blocks of each loop, the cost of waking
threads as measured here, and no less than the memory takes for the bytes that have to be moved.
Lists are separated by commas.

)") + Selection::usage() +
           R"(  --threads <list>      reckoned for these (2,4,8,16,32,64,128)
  --executor <name>     whose wake-ups are measured: pool, or tbb where built with oneTBB (pool)
  --runs <n>            how often each call is timed, for a median of each block (7, at least 3)
  --bandwidth <GB/s>    of another machine's memory, on all threads (what is measured here)
  --loops               a line for each loop too
  --check               instead, for 2 threads: what is reckoned, and what two threads take, by turns
  --quick               20,000 agents, 3 runs
  --csv <file>          where the figures go, but not those of --check (span.csv)
  --machine             only prints the processor's name
  --help

Where the caches hold all that a call goes over, memory is no limit. What the limit is: the largest
of the losses against an equal share of the work for each thread, if together they are more than 5 %.
Exits with 0; with 1 if something failed; with 2 if an option makes no sense; with 77 if the machine
lacks the instruction set that the environment variable THRONG_FORCE_ISA names.
)";
}

Options parse(std::span<const char* const> all) {
    constexpr ProgramOptions::Limits kLimits{2, 4096, 3};
    Options options;
    for (Arguments arguments(all); arguments.next();) {
        const std::string_view option = arguments.option();
        if (options.take(arguments, kLimits)) { continue; }
        if (option == "--executor") {
            options.source = sources_of(arguments)[0];
        } else if (option == "--bandwidth") {
            options.bandwidth = 1e9 * arguments.number(0.1, 1e6);
        } else if (option == "--loops") {
            options.loops = true;
        } else if (option == "--check") {
            options.check = true;
        } else {
            arguments.unknown();
        }
    }
    return options;
}

} // namespace throng::bench
