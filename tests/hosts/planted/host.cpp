// A host that makes the one mistake named in its argument, to prove that each check can fail.
#include "../../../examples/hosts/questions.hpp"
#include "../../../examples/hosts/scene.hpp"

#include <throng/throng.hpp>

#include <cstddef>
#include <string_view>

int main(int argc, char** argv) {
    const std::string_view mistake = argc > 2 ? argv[2] : "none";
    const std::size_t wanted = hosts::threads_wanted(argc, argv);
    throng::ThreadPool pool(mistake == "many" ? wanted + 1 : mistake == "idle" ? 1 : wanted);

    hosts::Scene scene;
    throng::Crowd<2> crowd;
    throng::Batch<2> batch(pool);
    hosts::WholeCrowd whole;
    hosts::Parts parts;
    hosts::Hash hash;

    hosts::demand(crowd.set_statics(scene.castles(), pool));
    for (int frame = 0; frame < hosts::kFrames; ++frame) {
        scene.step();
        hosts::demand(crowd.update(scene.agents(), pool));
        whole.ask(batch, crowd, scene);
        whole.add_to(hash);

        // The lost part keeps its answers of the previous frame.
        parts.cut(crowd.grid(), scene);
        const std::size_t lost = mistake == "lost" && frame > 0 ? 1 : 0;
        for (std::size_t job = lost; job < parts.jobs(); ++job) {
            parts.ask(job);
        }
        parts.add_to(hash);
    }
    hosts::print(hash);
}
