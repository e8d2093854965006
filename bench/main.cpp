// Measures the indexes, and checks their answers.
#include "benchmarks.hpp"
#include "machine/machine.hpp"
#include "measure/rows_reporter.hpp"

#include <throng/simd/isa/isa.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

/// Takes "--csv <file>" out of the arguments. Null: they have none.
const char* take_csv(int& argc, char** argv) {
    for (int i = 1; i + 1 < argc; ++i) {
        if (std::strcmp(argv[i], "--csv") != 0) { continue; }
        const char* const path = argv[i + 1];
        std::copy(argv + i + 2, argv + argc + 1, argv + i);
        argc -= 2;
        return path;
    }
    return nullptr;
}

} // namespace

// scripts/bench calls the program with --machine, and with --csv.
int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "--machine") == 0) {
        std::printf("%s\n", throng::bench::this_machine().name.c_str());
        return EXIT_SUCCESS;
    }
    if (throng::active_isa() == throng::Isa::none) {
        std::fprintf(stderr, "throng_bench: this machine has no set of the build, or not the one "
                             "in THRONG_FORCE_ISA\n");
        return 77;
    }
    benchmark::AddCustomContext("isa", throng::to_string(throng::active_isa()));
    benchmark::AddCustomContext("machine", throng::bench::this_machine().name);
    const char* const csv = take_csv(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) { return EXIT_FAILURE; }
    throng::bench::register_small_updates();
    // All benchmarks of one crowd, then those of the next: only the latest crowd is kept.
    using throng::bench::SceneKind;
    for (const std::size_t count : {10'000u, 100'000u, 1'000'000u, 8'000'000u}) {
        for (const SceneKind scene : {SceneKind::uniform, SceneKind::clustered}) {
            throng::bench::register_boxes(scene, count);
            throng::bench::register_balls(scene, count);
            throng::bench::register_shapes(scene, count);
        }
    }
    for (const std::size_t count : {100'000u, 1'000'000u}) {
        throng::bench::register_packets(count);
    }
    throng::bench::register_family();
    throng::bench::register_giants();
    throng::bench::register_in_sight();
    throng::bench::register_obstacles();
    throng::bench::register_changes_of_crowds();
    throng::bench::register_keys();
    throng::bench::register_tree_edits();
    throng::bench::register_double_grid();
    throng::bench::register_crowd_class();
    throng::bench::register_sparse();
    throng::bench::register_planner();
    throng::bench::register_frames_of_paths();
    throng::bench::register_bitset();
    throng::bench::register_trips();
    throng::bench::register_worlds();
    throng::bench::register_frozen();
    if (csv == nullptr) {
        benchmark::RunSpecifiedBenchmarks();
    } else {
        throng::bench::RowsReporter rows(csv);
        benchmark::RunSpecifiedBenchmarks(&rows);
        if (!rows.wrote_all()) {
            std::fprintf(stderr, "throng_bench: cannot write %s\n", csv);
            return EXIT_FAILURE;
        }
    }
    benchmark::Shutdown();
    return EXIT_SUCCESS;
}
