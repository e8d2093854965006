// A host with a work-stealing pool of its own, on which everything runs: Throng starts no thread.
#include "questions.hpp"
#include "scene.hpp"
#include "stealing_pool.hpp"

#include <throng/jobs.hpp>
#include <throng/throng.hpp>

#include <cstddef>

namespace {

/// A job of the host's: answers parts begin ... end - 1.
void ask_parts(std::size_t begin, std::size_t end, void* parts) {
    for (std::size_t job = begin; job < end; ++job) {
        static_cast<hosts::Parts*>(parts)->ask(job);
    }
}

} // namespace

int main(int argc, char** argv) {
    // This thread works too while it waits.
    hosts::StealingPool pool(hosts::threads_wanted(argc, argv) - 1);
    throng::CallbackExecutor executor(pool.callbacks());

    hosts::Scene scene;
    throng::Crowd<2> crowd;
    throng::Batch<2> batch(executor);
    hosts::WholeCrowd answers;
    hosts::Parts parts;
    hosts::Hash hash;

    hosts::demand(crowd.set_statics(scene.castles(), executor));
    for (int frame = 0; frame < hosts::kFrames; ++frame) {
        scene.step();
        hosts::demand(crowd.update(scene.agents(), executor));

        // Whole batches, which cut themselves into jobs of the pool.
        answers.ask(batch, crowd, scene);
        answers.add_to(hash);

        // Parts, as jobs of the host's own.
        parts.cut(crowd.grid(), scene);
        pool.finish(pool.enqueue(&ask_parts, parts.jobs(), &parts));
        parts.add_to(hash);
    }
    hosts::print(hash);
}
