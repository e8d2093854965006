// A host's use of oneTBB around the engine.
#include "tbb_host.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

namespace throng::test {

void with_tbb_threads(int threads, FunctionRef<void()> work) {
    const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(threads));
    tbb::task_arena arena(threads);
    arena.execute([&] { work(); });
}

void HostTasks::run(std::size_t blocks, Body body) {
    tbb::task_group group;
    for (std::size_t b = 0; b < blocks; ++b) {
        group.run([body, b] { body(b); });
    }
    group.wait();
}

} // namespace throng::test
