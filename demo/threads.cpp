#include "threads.hpp"

#include <stdexcept>

#if defined(THRONG_DEMO_HAS_TBB)
#include <throng/parallel/tbb_executor.hpp>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace throng::demo {

void with_threads(int threads, FunctionRef<void(Executor&)> body) {
    if (threads == 1) {
        body(serial_executor());
        return;
    }
#if defined(THRONG_DEMO_HAS_TBB)
    // An arena alone gets no more threads than the machine has cores.
    const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(threads));
    tbb::task_arena arena(threads);
    TbbExecutor executor;
    arena.execute([&] { body(executor); });
#else
    throw std::invalid_argument("--threads must be 1: this demo was built without oneTBB");
#endif
}

} // namespace throng::demo
