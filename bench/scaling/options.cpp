#include "options.hpp"

#include <stdexcept>
#include <string_view>

namespace throng::bench {

namespace {

/// Powers of two, and the number of all processors.
std::vector<std::size_t> usual_threads(std::size_t processors) {
    std::vector<std::size_t> threads;
    for (std::size_t count = 1; count < processors; count *= 2) {
        threads.push_back(count);
    }
    threads.push_back(processors);
    return threads;
}

} // namespace

const char* to_string(Scaling scaling) noexcept {
    switch (scaling) {
    case Scaling::strong:
        return "strong";
    case Scaling::weak:
        return "weak";
    case Scaling::overhead:
        return "overhead";
    case Scaling::hosts:
        break;
    }
    return "hosts";
}

std::string usage() {
    return std::string(R"(usage: throng_scaling [<option>...]

Measures how work on a whole crowd scales with threads. All contenders for one workload take turns,
in another order each round, and every answer is compared with that of one thread. Lists are
separated by commas.

)") + Selection::usage() +
           R"(  --threads <list>      numbers of threads (powers of two, and as many as there are processors)
  --executors <list>    of pool and tbb (both, where built with oneTBB)
  --scaling <list>      strong: the same crowd; weak: a crowd that grows with the threads, --agents
                        for each, as far as all of these have 20,000,000 agents together; overhead:
                        Batch on the serial executor against the same calls of RowGrid without it;
                        hosts: two threads that call at once, about a crowd each, on the same team,
                        against the same calls one after the other (strong,weak)
  --pin                 each thread on a processor of its own, one of each core first
  --runs <n>            how often each is measured, for a median (11, at least 5)
  --seconds <s>         fewer runs, but at least 5, where a workload takes longer than this (4)
  --quick               20,000 agents, 5 runs of one call: checks answers, measures nothing
  --csv <file>          where the figures go (scaling.csv)
  --machine             only prints the processor's name
  --help

Speedup and efficiency are reckoned from the serial executor, in agents a second; for the overhead,
from RowGrid without Batch; for hosts, from one after the other. Exits with 0; with 1 if an answer was wrong or something failed; with 2
if an option makes no sense; with 77 if the machine lacks the instruction set that the environment
variable THRONG_FORCE_ISA names: scalar, sse2, sse4.2, avx2, avx512 or neon.
)";
}

Options parse(std::span<const char* const> all, std::size_t processors) {
    constexpr ProgramOptions::Limits kLimits{1, 1024, kFewestRuns};
    Options options(usual_threads(processors));
    options.sources = {Source::pool};
    if (has_tbb()) { options.sources.push_back(Source::tbb); }
    for (Arguments arguments(all); arguments.next();) {
        const std::string_view option = arguments.option();
        if (option == "--quick") { options.shortest_run = 0.0; }
        if (options.take(arguments, kLimits)) { continue; }
        if (option == "--executors") {
            options.sources = sources_of(arguments);
        } else if (option == "--scaling") {
            options.scalings = arguments.named<Scaling>(
                {Scaling::strong, Scaling::weak, Scaling::overhead, Scaling::hosts},
                [](Scaling scaling) { return std::string_view(to_string(scaling)); });
        } else if (option == "--pin") {
            options.pin = true;
        } else if (option == "--seconds") {
            options.seconds = arguments.number(0.0, 86'400.0);
        } else {
            arguments.unknown();
        }
    }
    if (options.pin && options.threads.back() > processors) {
        throw std::invalid_argument("--pin needs a processor for each thread");
    }
    return options;
}

} // namespace throng::bench
