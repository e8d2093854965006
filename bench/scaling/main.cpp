// Measures how updates and questions of a whole crowd scale with threads, and checks every answer.
#include "../machine/bandwidth.hpp"
#include "../machine/disturbance.hpp"
#include "../machine/machine.hpp"
#include "../machine/team.hpp"
#include "options.hpp"
#include "report.hpp"
#include "studies.hpp"

#include <throng/simd/isa/isa.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <span>
#include <stdexcept>

namespace {

using namespace throng::bench;

constexpr int kBadUsage = 2;
constexpr int kNoSuchIsa = 77;

int measure(const Options& options, const Machine& machine) {
    if (throng::active_isa() == throng::Isa::none) {
        std::fprintf(stderr, "throng_scaling: this machine has no set of the build, or not the one "
                             "in THRONG_FORCE_ISA\n");
        return kNoSuchIsa;
    }
    const Disturbance disturbance;
    const Bandwidth bandwidth = measure_bandwidth(machine);
    const auto teams = make_teams(options.sources, options.threads);
    for (const auto& team : teams) {
        if (options.pin) { team->pin(machine.order); }
    }
    Report report(machine, bandwidth, throng::to_string(throng::active_isa()), options);
    measure_all(options, teams, report);
    disturbance.print();
    return report.all_right() ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

int main(int argc, char** argv) {
    const Machine machine = this_machine();
    Options options;
    try {
        options = parse(std::span<const char* const>(argv + 1, static_cast<std::size_t>(argc - 1)),
                        machine.processors);
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "throng_scaling: %s\n%s", error.what(), usage().c_str());
        return kBadUsage;
    }
    if (options.help || options.machine) {
        std::printf("%s", options.help ? usage().c_str() : (machine.name + "\n").c_str());
        return EXIT_SUCCESS;
    }
    try {
        return measure(options, machine);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "throng_scaling: there is not enough memory\n");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "throng_scaling: %s\n", error.what());
    }
    return EXIT_FAILURE;
}
