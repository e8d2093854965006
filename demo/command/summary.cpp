#include "summary.hpp"

#include "../output/export.hpp"
#include "../stage/names.hpp"

#include <throng/simd/isa/isa.hpp>

#include <cinttypes>
#include <cstdio>
#include <numeric>

namespace throng::demo {

void print_summary(const Stage& stage, const Executor& executor, const FrameTimes& times) {
    const Sight sight = stage.sight();
    const auto agents = static_cast<double>(sight.x.size());
    const auto hits = static_cast<double>(
        std::accumulate(sight.neighbours.begin(), sight.neighbours.end(), std::uint64_t{0}));
    const MemoryUse memory = stage.memory();
    std::printf("scene              %s, in %s\n", stage.scene(),
                stage.dim() == 2 ? "the plane" : "space");
    std::printf("agents             %zu\n", sight.x.size());
    if (!sight.wall_x.empty()) { std::printf("walls              %zu\n", sight.wall_x.size()); }
    std::printf("structure          %s\n", name_of(stage.structure()));
    std::printf("instruction set    %s\n", to_string(active_isa()));
    std::printf("threads            %zu%s\n", executor.threads(),
                executor.kind() == ExecutorKind::tbb ? ", oneTBB" : "");
    std::printf("frames             %zu\n\n", times.frames());

    std::printf("milliseconds       median    99 %%    ns an agent\n");
    for (const Part part : {Part::update, Part::query, Part::collide, Part::move, Part::frame}) {
        const double median = times.quantile(part, 0.5);
        std::printf("  %-13s %9.3f %8.3f %11.1f\n",
                    part == Part::frame ? "whole frame" : kPartNames[part], median,
                    times.quantile(part, 0.99), median * 1e6 / agents);
    }
    std::printf("\nneighbours         %.2f an agent, within %g\n", hits / agents,
                static_cast<double>(stage.radius()));
    std::printf("pairs that overlap %" PRIu64 "\n", stage.pairs());
    std::printf("memory             %.1f bytes an agent, and %.1f of scratch\n",
                static_cast<double>(memory.index()) / agents,
                static_cast<double>(memory.staging) / agents);
    std::printf("checksum           %016" PRIx64 "\n", checksum_of(sight));
}

} // namespace throng::demo
