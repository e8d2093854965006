// Registers a benchmark with its name and crowd.
#pragma once

#include "../crowd.hpp"

#include <benchmark/benchmark.h>

#include <string>

namespace throng::bench {

/// Registers call(state, crowd) as name/2d/uniform/1000.
template <template <std::size_t> class Shape, std::size_t Dim, class Call>
void add(const char* name, SceneKind scene, std::size_t count, const Call& call) {
    const std::string full = std::string(name) + "/" + std::to_string(Dim) + "d/" +
                             (scene == SceneKind::uniform ? "uniform/" : "clustered/") +
                             std::to_string(count);
    benchmark::RegisterBenchmark(
        full.c_str(),
        [=](benchmark::State& state) { call(state, Crowd<Shape, Dim>::get(scene, count)); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

} // namespace throng::bench
