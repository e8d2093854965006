// Saving and loading an index of a million agents, compared with building it.
#include "benchmarks.hpp"
#include "measure/measure.hpp"

#include "../tests/support/scenes/scenes.hpp"
#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kCount = 1'000'000;

/// A file that is deleted at the end.
class ScratchFile {
public:
    ScratchFile()
        : path_((std::filesystem::temp_directory_path() /
                 ("throng_bench_" + std::to_string(getpid())))
                    .string()) {}
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    ~ScratchFile() { (void)std::remove(path_.c_str()); }
    [[nodiscard]] const char* path() const noexcept { return path_.c_str(); }

private:
    std::string path_;
};

enum class What : std::uint8_t { update, save, load };

/// Times one operation; `place` is memory or the path of a file.
template <class Index, class Place>
Status measure(Stopwatch& watch, What what, Index& index, Agents<2> agents, Place& place) {
    Status status;
    Index loaded; // new each time, as in a program that has just started
    watch.time([&] {
        switch (what) {
        case What::update:
            status = loaded.update(agents);
            break;
        case What::save:
            status = save(index, place);
            break;
        case What::load:
            status = load(loaded, place);
            break;
        }
    });
    return status;
}

template <class Index>
void run(benchmark::State& state, What what, bool in_file) {
    auto scene = scenes::make_uniform<2>(kCount);
    const ScratchFile file;
    const char* path = file.path();
    Index index;
    std::vector<std::byte> memory;
    if (!index.update(scene.agents()).ok() || !save(index, memory).ok() ||
        !save(index, path).ok()) {
        state.SkipWithError("the crowd was refused");
        return;
    }
    Stopwatch watch;
    for (auto _ : state) {
        const Status status = in_file ? measure(watch, what, index, scene.agents(), path)
                                      : measure(watch, what, index, scene.agents(), memory);
        if (!status.ok()) {
            state.SkipWithError("not done");
            return;
        }
        watch.end_iteration(state);
    }
    const auto bytes = static_cast<double>(memory.size());
    state.counters["ns_per_agent"] = watch.nanoseconds() / kCount;
    state.counters["gb_per_s"] = bytes / watch.nanoseconds();
    state.counters["bytes_per_agent"] = bytes / kCount;
}

template <class Index>
void add_frozen(const std::string& name) {
    const auto add = [&](const std::string& what, What call, bool in_file) {
        benchmark::RegisterBenchmark(
            ("frozen/" + what + "/" + name).c_str(),
            [=](benchmark::State& state) { run<Index>(state, call, in_file); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    };
    add("update", What::update, false);
    add("save/memory", What::save, false);
    add("save/file", What::save, true);
    add("load/memory", What::load, false);
    add("load/file", What::load, true);
}

} // namespace

void register_frozen() {
    add_frozen<RowGrid<2>>("row_grid");
    add_frozen<LooseTree<2>>("loose_tree");
}

} // namespace throng::bench
