// A host on oneTBB that gives the crowd an arena of limited concurrency, and has work of its own in
// it at the same time.
#include "questions.hpp"
#include "scene.hpp"

#include <throng/parallel/executors/tbb_executor.hpp>
#include <throng/throng.hpp>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace {

/// Other work of the host, for example animation or sound.
std::uint64_t other_work() {
    std::atomic<std::uint64_t> sum = 0;
    tbb::parallel_for(0u, 200u, [&](std::uint32_t i) { sum += i * i; });
    return sum;
}

} // namespace

int main(int argc, char** argv) {
    const std::size_t threads = hosts::threads_wanted(argc, argv);
    // The host allows oneTBB more threads than the arena has slots, and than there are processors:
    // if Throng uses no more than the slots, the arena is the reason.
    const tbb::global_control most(tbb::global_control::max_allowed_parallelism, threads + 4);
    tbb::task_arena arena(static_cast<int>(threads));
    throng::TbbExecutor executor;

    hosts::Scene scene;
    throng::Crowd<2> crowd;
    throng::Batch<2> batch(executor);
    hosts::WholeCrowd answers;
    hosts::Parts parts;
    hosts::Hash hash;
    std::uint64_t other = 0;

    const auto frame = [&] {
        scene.step();
        tbb::task_group beside;
        beside.run([&] { other += other_work(); });
        hosts::demand(crowd.update(scene.agents(), executor));

        // Whole batches, which cut themselves into tasks of this arena.
        answers.ask(batch, crowd, scene);
        answers.add_to(hash);
        beside.wait();

        // Parts, in a loop of the host's own.
        parts.cut(crowd.grid(), scene);
        tbb::parallel_for(std::size_t{0}, parts.jobs(), [&](std::size_t job) { parts.ask(job); });
        parts.add_to(hash);
    };

    arena.execute([&] { hosts::demand(crowd.set_statics(scene.castles(), executor)); });
    for (int f = 0; f < hosts::kFrames; ++f) {
        arena.execute(frame);
    }
    if (other != hosts::kFrames * std::uint64_t{2'646'700}) { return 1; }
    hosts::print(hash);
}
