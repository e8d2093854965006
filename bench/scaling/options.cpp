#include "options.hpp"

#include "../arguments.hpp"
#include "workload.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace throng::bench {

namespace {

constexpr std::size_t kMostAgents = 100'000'000;
constexpr std::size_t kLargeCrowd = 10'000'000;
constexpr std::size_t kMostThreads = 1024;

/// Powers of two, and all processors.
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
        break;
    }
    return "overhead";
}

const char* usage() noexcept {
    return R"(usage: throng_scaling [<option>...]

Measures how work on a whole crowd scales with threads. All contenders for one workload take turns,
in another order each round, and every answer is compared with that of one thread. Lists are
separated by commas.

  --agents <list>       sizes of crowds (10000,100000,1000000); for weak scaling, agents a thread
  --large               and 10000000, for which 8 GiB had better be free
  --threads <list>      numbers of threads (powers of two, and as many as there are processors)
  --executors <list>    of pool and tbb (both, where built with oneTBB)
  --workloads <list>    of update, pairs, pairs_count, neighbours, balls, balls_shuffled (all)
  --dims <list>         2, 3 (both)
  --scaling <list>      strong: the same crowd; weak: a crowd that grows with the threads, as far
                        as all of these have 20,000,000 agents together; overhead: Batch on the
                        serial executor against the same calls of RowGrid without it (all three)
  --runs <n>            how often each is measured, for a median (11, at least 5)
  --seconds <s>         fewer runs, but at least 5, where a workload takes longer than this (20)
  --csv <file>          where the figures go (scaling.csv)
  --machine             only prints the processor's name
  --help

Speedup and efficiency are reckoned from the serial executor, in agents a second; for the overhead,
from RowGrid without Batch. Exits with 0; with 1 if an answer was wrong or something failed; with 2
if an option makes no sense; with 77 if the machine lacks the instruction set that the environment
variable THRONG_FORCE_ISA names: scalar, sse2, sse4.2, avx2, avx512 or neon.
)";
}

Options parse(std::span<const char* const> arguments, std::size_t processors) {
    Options options;
    options.agents = {10'000, 100'000, 1'000'000};
    options.threads = usual_threads(processors);
    options.workloads.assign(workload_names().begin(), workload_names().end());
    options.sources = {Source::pool};
    if (has_tbb()) { options.sources.push_back(Source::tbb); }
    bool large = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view option = arguments[i];
        const auto value = [&]() -> std::string_view {
            if (++i == arguments.size()) {
                throw std::invalid_argument(std::string(option) + " needs a value");
            }
            return arguments[i];
        };
        const auto numbers = [&](std::size_t least, std::size_t most) {
            return list(value(),
                        [&](std::string_view text) { return number(option, text, least, most); });
        };
        // The named ones, in the order of `all`.
        const auto named = [&](const auto& all, const auto& name_of) {
            return list(value(), [&](std::string_view text) {
                for (const auto& one : all) {
                    if (name_of(one) == text) { return one; }
                }
                refuse(option, text);
            });
        };
        if (option == "--help" || option == "-h") {
            options.help = true;
        } else if (option == "--machine") {
            options.machine = true;
        } else if (option == "--agents") {
            options.agents = numbers(1, kMostAgents);
        } else if (option == "--large") {
            large = true;
        } else if (option == "--threads") {
            options.threads = numbers(1, kMostThreads);
            std::sort(options.threads.begin(), options.threads.end());
        } else if (option == "--executors") {
            options.sources = named(std::vector{Source::pool, Source::tbb}, [](Source source) {
                return std::string_view(to_string(source));
            });
        } else if (option == "--workloads") {
            options.workloads =
                named(std::vector<std::string>(workload_names().begin(), workload_names().end()),
                      [](const std::string& name) { return std::string_view(name); });
        } else if (option == "--dims") {
            options.dims = numbers(2, 3);
        } else if (option == "--scaling") {
            options.scalings =
                named(std::vector{Scaling::strong, Scaling::weak, Scaling::overhead},
                      [](Scaling scaling) { return std::string_view(to_string(scaling)); });
        } else if (option == "--runs") {
            options.runs = number<std::size_t>(option, value(), kFewestRuns, 10'000);
        } else if (option == "--seconds") {
            options.seconds = number(option, value(), 0.0, 86'400.0);
        } else if (option == "--csv") {
            options.csv = value();
        } else {
            throw std::invalid_argument("there is no option '" + std::string(option) + "'");
        }
    }
    if (large && std::find(options.agents.begin(), options.agents.end(), kLargeCrowd) ==
                     options.agents.end()) {
        options.agents.push_back(kLargeCrowd);
    }
    const bool wants_tbb = std::find(options.sources.begin(), options.sources.end(), Source::tbb) !=
                           options.sources.end();
    if (wants_tbb && !has_tbb()) {
        throw std::invalid_argument("--executors cannot be 'tbb': this was built without oneTBB");
    }
    return options;
}

} // namespace throng::bench
