// Measures all indexes on the same crowds, and checks every answer.
#include "../machine/disturbance.hpp"
#include "../machine/machine.hpp"
#include "../machine/team.hpp"
#include "match.hpp"
#include "options.hpp"
#include "result.hpp"
#include "subject.hpp"

#include <throng/simd/isa/isa.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

namespace throng::shootout {

namespace {

constexpr int kBadUsage = 2;

/// Crowds of at least this size are only measured in the uniform scene, since others would take too
/// long.
constexpr std::size_t kOnlyUniform = 10'000'000;

std::vector<std::string> names_of(std::span<const Entry> entries) {
    std::vector<std::string> names;
    for (const Entry& entry : entries) {
        if (std::find(names.begin(), names.end(), entry.name) == names.end()) {
            names.push_back(entry.name);
        }
    }
    return names;
}

std::vector<std::string> remarks_for(const Options& options, std::span<const Entry> entries,
                                     const bench::Machine& machine) {
    const double bytes =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
    char memory[32];
    std::snprintf(memory, sizeof(memory), "%.0f", bytes / (1u << 30));
    char date[32] = "unknown";
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    if (gmtime_r(&now, &utc) != nullptr) { std::strftime(date, sizeof(date), "%F", &utc); }
    std::vector<std::string> remarks = {
        "machine," + machine.name,
        "cores," + std::to_string(machine.processors),
        std::string("memory,") + memory,
        std::string("isa,") + throng::to_string(throng::active_isa()),
        std::string("compiler,") + THRONG_SHOOTOUT_COMPILER,
        std::string("throng,") + THRONG_SHOOTOUT_VERSION,
    };
    std::string last;
    for (const Entry& entry : entries) {
        if (entry.kind == Kind::peer && entry.name != last) {
            remarks.push_back(entry.name + "," + entry.version);
        }
        last = entry.name;
    }
    for (const std::string& name : lacking()) {
        remarks.push_back("lacking," + name);
    }
    remarks.push_back(std::string("date,") + date);
    remarks.push_back("command," + options.command);
    return remarks;
}

/// A team for each number of threads.
std::vector<std::unique_ptr<bench::Team>> teams_for(const std::vector<std::size_t>& threads) {
    const bench::Source source = bench::has_tbb() ? bench::Source::tbb : bench::Source::pool;
    auto teams = bench::make_teams(std::span(&source, 1), threads);
    // A single thread asks without an executor.
    std::erase_if(teams, [&](const auto& team) {
        return (team->source() == bench::Source::serial && threads.front() != 1) ||
               (team->source() != bench::Source::serial && team->threads() == 1);
    });
    return teams;
}

class Tournament {
public:
    Tournament(const Options& options, const std::vector<Entry>& entries, Result& result)
        : options_(options), entries_(entries), result_(result),
          teams_(teams_for(options.threads)) {}

    void hold() {
        // The largest crowds come last, so that they are left out when time runs out.
        for (const std::size_t agents : options_.agents) {
            for (const SceneKind scene : options_.scenes) {
                if (agents >= kOnlyUniform && scene != options_.scenes.front()) { continue; }
                for (const std::size_t dim : options_.dims) {
                    dim == 2 ? play<2>(scene, agents) : play<3>(scene, agents);
                }
            }
        }
    }

private:
    template <std::size_t Dim>
    void play(SceneKind scene, std::size_t agents) {
        const double minutes = elapsed() / 60.0;
        std::fprintf(stderr, "%5.1f min  %s, %zuD, %zu agents%s\n", minutes,
                     std::string(name_of(scene)).c_str(), Dim, agents,
                     minutes > options_.budget_minutes ? ": left out, time is up" : "");
        if (minutes > options_.budget_minutes) { return; }
        Match<Dim> match(options_, entries_, forecast_, result_, scene, agents);
        for (const auto& team : teams_) {
            team->call([&](Executor& executor) { match.play({executor, team->threads()}); });
        }
    }

    [[nodiscard]] double elapsed() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

    const Options& options_;
    const std::vector<Entry>& entries_;
    Result& result_;
    std::vector<std::unique_ptr<bench::Team>> teams_;
    Forecast forecast_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void list(std::span<const Entry> entries) {
    std::string last;
    for (const Entry& entry : entries) {
        if (entry.name == last) { continue; }
        last = entry.name;
        std::printf("%-16s%s%s  %s\n", entry.name.c_str(), entry.in_plane ? " 2D" : "   ",
                    entry.in_space ? " 3D" : "   ", entry.version.c_str());
    }
    for (const std::string& name : lacking()) {
        std::printf("%-16s was not found when this was built\n", name.c_str());
    }
}

int run(std::span<const char* const> arguments) {
    const std::vector<Entry> entries = roster();
    const bench::Machine machine = bench::this_machine();
    Options options;
    std::unique_ptr<Result> result;
    try {
        options = parse(arguments, names_of(entries), machine.processors);
        if (options.help) {
            std::printf("%s", usage());
            return EXIT_SUCCESS;
        }
        if (options.list) {
            list(entries);
            return EXIT_SUCCESS;
        }
        result = std::make_unique<Result>(options.csv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "throng_shootout: %s\n", error.what());
        return kBadUsage;
    }
    for (const std::string& name : lacking()) {
        std::fprintf(stderr, "%s was not found when this was built, and is left out\n",
                     name.c_str());
    }
    const bench::Disturbance disturbance;
    Tournament(options, entries, *result).hold();
    std::vector<std::string> remarks = remarks_for(options, entries, machine);
    char percent[32];
    std::snprintf(percent, sizeof(percent), "%.1f", 100.0 * disturbance.share());
    remarks.push_back(std::string("disturbed,") + percent);
    result->finish(remarks);
    if (result->wrong() > 0) {
        std::fprintf(stderr, "throng_shootout: %zu answers were wrong\n", result->wrong());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

} // namespace

} // namespace throng::shootout

int main(int argc, char** argv) {
    try {
        return throng::shootout::run(
            std::span<const char* const>(argv + 1, static_cast<std::size_t>(argc - 1)));
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "throng_shootout: there is not enough memory\n");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "throng_shootout: %s\n", error.what());
    }
    return EXIT_FAILURE;
}
