// A host whose job system runs fibers. Whole batches wait on their fiber, while the thread runs
// others. Parts are asked by range calls, updates made in steps, and fibers yield between these.
#include "fibers.hpp"
#include "questions.hpp"
#include "scene.hpp"

#include <throng/jobs.hpp>
#include <throng/throng.hpp>

#include <algorithm>
#include <cstddef>

namespace {

constexpr std::size_t kAskers = 5;

/// Every kAskers-th part, from the first on.
void ask_some(hosts::Fiber& self, hosts::Parts& parts, std::size_t first) {
    for (std::size_t job = first; job < parts.jobs(); job += kAskers) {
        parts.ask(job);
        self.yield(); // may continue on another thread
    }
}

/// An update in steps: a few fibers run the blocks of each loop, and the caller waits for them.
void update_in_steps(hosts::Fiber& self, throng::CrowdChange<2>& change, throng::Crowd<2>& crowd,
                     const hosts::Scene& scene) {
    throng::Status status = change.update(crowd, scene.agents(), kAskers);
    while (status.ok() && change.blocks() != 0) {
        const std::size_t fibers = std::min(kAskers, change.threads_worth());
        hosts::FiberGroup workers;
        for (std::size_t f = 0; f < fibers; ++f) {
            self.start(workers, [&change, f, fibers](hosts::Fiber& worker) {
                for (std::size_t block = f; block < change.blocks(); block += fibers) {
                    change.run(block, block + 1);
                    worker.yield();
                }
            });
        }
        self.wait(workers);
        status = change.next();
    }
    hosts::demand(status);
}

void simulate(hosts::Fiber& self) {
    throng::CallbackExecutor executor(self.callbacks());

    hosts::Scene scene;
    throng::Crowd<2> crowd;
    throng::CrowdChange<2> change;
    throng::Batch<2> batch(executor);
    hosts::WholeCrowd answers;
    hosts::Parts parts;
    hosts::Hash hash;

    hosts::demand(crowd.set_statics(scene.castles(), executor));
    for (int frame = 0; frame < hosts::kFrames; ++frame) {
        scene.step();
        update_in_steps(self, change, crowd, scene);

        // Whole batches, which cut themselves into fibers.
        answers.ask(batch, crowd, scene);
        answers.add_to(hash);

        // Parts, by fibers of the host's own.
        parts.cut(crowd.grid(), scene);
        hosts::FiberGroup askers;
        for (std::size_t a = 0; a < kAskers; ++a) {
            self.start(askers, [&parts, a](hosts::Fiber& asker) { ask_some(asker, parts, a); });
        }
        self.wait(askers);
        parts.add_to(hash);
    }
    hosts::print(hash);
}

} // namespace

int main(int argc, char** argv) {
    hosts::Fibers fibers(hosts::threads_wanted(argc, argv));
    fibers.run(&simulate);
}
