// Measures the indexes, and checks their answers.
#include "benchmarks.hpp"
#include "machine/machine.hpp"

#include <throng/simd/isa/isa.hpp>

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
    // scripts/bench calls the program this way.
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
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return EXIT_SUCCESS;
}
