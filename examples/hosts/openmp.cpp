// A host on OpenMP: a parallel loop for each loop of Throng's, or tasks for a team that exists
// already.
#include "questions.hpp"
#include "scene.hpp"

#include <throng/jobs.hpp>
#include <throng/throng.hpp>

#include <algorithm>
#include <cstddef>

namespace {

/// A loop of its own for each of Throng's. All is done when it returns: no call waits.
void* parallel_loop(throng::JobFunction job, std::size_t count, void* context, void* user) {
    const int threads = *static_cast<const int*>(user);
    const auto jobs = static_cast<std::ptrdiff_t>(count);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (std::ptrdiff_t j = 0; j < jobs; ++j) {
        const auto begin = static_cast<std::size_t>(j);
        job(begin, begin + 1, context);
    }
    return nullptr;
}

/// For calls from inside a parallel region: there a loop of its own would be a team inside a team.
void* tasks(throng::JobFunction job, std::size_t count, void* context, void*) {
    const std::size_t length = count / 64 + 1;
    for (std::size_t begin = 0; begin < count; begin += length) {
        const std::size_t end = std::min(begin + length, count);
#pragma omp task firstprivate(job, begin, end, context)
        job(begin, end, context);
    }
    return context; // anything but null: there is something to wait for
}

void wait_for_tasks(void*, void*) {
#pragma omp taskwait
}

} // namespace

int main(int argc, char** argv) {
    int threads = static_cast<int>(hosts::threads_wanted(argc, argv));
    throng::CallbackExecutor loops({&parallel_loop, nullptr, &threads});
    throng::CallbackExecutor in_team({&tasks, &wait_for_tasks, nullptr});

    hosts::Scene scene;
    throng::Crowd<2> crowd;
    throng::Batch<2> batch(in_team);
    hosts::WholeCrowd answers;
    hosts::Parts parts;
    hosts::Hash hash;

    hosts::demand(crowd.set_statics(scene.castles(), loops));
    for (int frame = 0; frame < hosts::kFrames; ++frame) {
        scene.step();
        hosts::demand(crowd.update(scene.agents(), loops));

        // Whole batches from inside a team, whose threads take the tasks.
#pragma omp parallel num_threads(threads)
#pragma omp single
        answers.ask(batch, crowd, scene);
        answers.add_to(hash);

        // Parts, in a loop of the host's own.
        parts.cut(crowd.grid(), scene);
        const auto jobs = static_cast<std::ptrdiff_t>(parts.jobs());
#pragma omp parallel for num_threads(threads) schedule(dynamic)
        for (std::ptrdiff_t job = 0; job < jobs; ++job) {
            parts.ask(static_cast<std::size_t>(job));
        }
        parts.add_to(hash);
    }
    hosts::print(hash);
}
