// A host whose job system runs fibers. Updates and whole batches wait on their fiber, while the
// thread runs others. Parts are asked by range calls, and the fiber yields between these.
#include "fibers.hpp"
#include "questions.hpp"
#include "scene.hpp"

#include <throng/throng.hpp>

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

void simulate(hosts::Fiber& self) {
    throng::CallbackExecutor executor(self.callbacks());

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
