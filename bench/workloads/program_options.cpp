#include "program_options.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace throng::bench {

ProgramOptions::ProgramOptions(std::vector<std::size_t> usual_threads, std::size_t usual_runs,
                               std::string usual_csv)
    : threads(std::move(usual_threads)), runs(usual_runs), csv(std::move(usual_csv)) {}

bool ProgramOptions::take(Arguments& arguments, const Limits& limits) {
    constexpr std::size_t kMostRuns = 10'000;
    const std::string_view option = arguments.option();
    if (selection.take(arguments)) { return true; }
    if (option == "--help" || option == "-h") {
        help = true;
    } else if (option == "--machine") {
        machine = true;
    } else if (option == "--threads") {
        threads = arguments.numbers(limits.fewest_threads, limits.most_threads);
        std::sort(threads.begin(), threads.end());
    } else if (option == "--runs") {
        runs = arguments.number(limits.fewest_runs, kMostRuns);
    } else if (option == "--quick") {
        selection.agents = {20'000};
        runs = limits.fewest_runs;
    } else if (option == "--csv") {
        csv = arguments.value();
    } else {
        return false;
    }
    return true;
}

std::vector<Source> sources_of(Arguments& arguments) {
    const auto sources = arguments.named<Source>({Source::pool, Source::tbb}, [](Source source) {
        return std::string_view(to_string(source));
    });
    if (!has_tbb() && std::find(sources.begin(), sources.end(), Source::tbb) != sources.end()) {
        throw std::invalid_argument(std::string(arguments.option()) +
                                    " cannot be 'tbb': this was built without oneTBB");
    }
    return sources;
}

} // namespace throng::bench
