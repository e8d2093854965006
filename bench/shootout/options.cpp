#include "options.hpp"

#include "../measure/arguments.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace throng::shootout {

namespace {

using bench::list;
using bench::number;
using bench::refuse;

constexpr std::size_t kFewestAgents = 100, kMostAgents = 100'000'000;
constexpr std::size_t kMostQuestions = 10'000'000;
constexpr std::size_t kMostThreads = 1024;
constexpr std::size_t kMostSwept = 1'000'000;
constexpr std::array<const char*, 9> kWork = {"update",  "pairs", "frame", "box",  "radius",
                                              "nearest", "large", "ray",   "sweep"};

} // namespace

bool Options::wants(const std::string& name) const {
    return subjects.empty() || std::find(subjects.begin(), subjects.end(), name) != subjects.end();
}
bool Options::does(const std::string& work_name) const {
    return work.empty() || std::find(work.begin(), work.end(), work_name) != work.end();
}

bool Options::sweeps(std::size_t count) const {
    if (!does("sweep") || count > kMostSwept) { return false; }
    return std::none_of(agents.begin(), agents.end(),
                        [&](std::size_t other) { return other > count && other <= kMostSwept; });
}

const char* usage() noexcept {
    return R"(usage: throng_shootout [<option>...]

Measures the structures of the library against each other and against other libraries' indexes, on
the same crowds, the same questions and the same answers. Lists are separated by commas.

  --agents <list>            sizes of crowds, 100 to 100000000 (10000,100000,1000000,10000000)
  --subjects <list>          the indexes to measure (all that --list names)
  --work <list>              of update, pairs, frame, box, radius, nearest, large, ray, sweep (all)
  --scenes <list>            of uniform, clustered, mixed, sparse (all; 10000000 agents and more
                             stand in the first only)
  --dims <list>              2, 3 (both)
  --threads <list>           numbers of threads (1, and as many as there are processors)
  --questions <n>            the most of a kind, 100 to 10000000 (100000)
  --seconds-per-line <s>     about how long each line of the result may take (0.1)
  --budget <minutes>         crowds are left out, the largest first, when this is used up (60)
  --quick                    10000 and 100000 agents, 20000 questions, 0.02 seconds a line
  --csv <file>               where the figures go (shootout.csv)
  --list                     only names the indexes that can be measured, and those not found
  --help

Every answer is checked before its time counts; docs/figures/shootout.md says how each index is used. Exits
with 0; with 1 if an answer was wrong or something failed; with 2 if an option makes no sense or
the file cannot be written.
)";
}

Options parse(std::span<const char* const> arguments, std::span<const std::string> known,
              std::size_t processors) {
    Options options;
    options.threads = {1};
    if (processors > 1) { options.threads.push_back(processors); }
    options.command = "throng_shootout";
    for (const char* argument : arguments) {
        options.command.append(" ").append(argument);
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view option = arguments[i];
        const auto value = [&]() -> std::string_view {
            if (++i == arguments.size()) {
                throw std::invalid_argument(std::string(option) + " needs a value");
            }
            return arguments[i];
        };
        const auto numbers = [&](std::size_t least, std::size_t most) {
            auto all = list(
                value(), [&](std::string_view text) { return number(option, text, least, most); });
            std::sort(all.begin(), all.end());
            return all;
        };
        const auto names = [&](const auto& all) {
            return list(value(), [&](std::string_view text) {
                if (std::find(all.begin(), all.end(), text) == all.end()) { refuse(option, text); }
                return std::string(text);
            });
        };
        if (option == "--help" || option == "-h") {
            options.help = true;
        } else if (option == "--list") {
            options.list = true;
        } else if (option == "--agents") {
            options.agents = numbers(kFewestAgents, kMostAgents);
        } else if (option == "--subjects") {
            options.subjects = names(known);
        } else if (option == "--work") {
            options.work = names(kWork);
        } else if (option == "--scenes") {
            options.scenes = list(value(), [&](std::string_view text) {
                for (const SceneKind kind : kSceneKinds) {
                    if (name_of(kind) == text) { return kind; }
                }
                refuse(option, text);
            });
        } else if (option == "--dims") {
            options.dims = numbers(2, 3);
        } else if (option == "--threads") {
            options.threads = numbers(1, kMostThreads);
        } else if (option == "--questions") {
            options.questions = number<std::size_t>(option, value(), kFewestAgents, kMostQuestions);
        } else if (option == "--seconds-per-line") {
            options.seconds_per_line = number(option, value(), 0.001, 3600.0);
        } else if (option == "--budget") {
            options.budget_minutes = number(option, value(), 0.0, 100'000.0);
        } else if (option == "--quick") {
            options.agents = {10'000, 100'000};
            options.questions = 20'000;
            options.seconds_per_line = 0.02;
        } else if (option == "--csv") {
            options.csv = value();
        } else {
            throw std::invalid_argument("there is no option '" + std::string(option) + "'");
        }
    }
    return options;
}

} // namespace throng::shootout
