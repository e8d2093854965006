// A host that starts a thread too many, and says other things on it: so the check can fail.
#include "../../../examples/hosts/questions.hpp"
#include "../../../examples/hosts/scene.hpp"

#include <throng/throng.hpp>

int main(int argc, char** argv) {
    throng::ThreadPool pool(hosts::threads_wanted(argc, argv) + 1);
    hosts::Scene scene;
    throng::Crowd<2> crowd;
    throng::CrowdBatch<2> batch(pool);
    hosts::WholeCrowd everybody;
    hosts::Hash hash;
    scene.step();
    hosts::demand(crowd.update(scene.agents(), pool));
    everybody.ask(batch, crowd, scene);
    everybody.add_to(hash);
    hosts::print(hash);
}
