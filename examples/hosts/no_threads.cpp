// A host without threads: the serial executor, and whole batches only. All other hosts must print
// the same answers.
#include "questions.hpp"
#include "scene.hpp"

#include <throng/throng.hpp>

int main() {
    hosts::Scene scene;
    throng::Crowd<2> crowd;
    throng::Batch<2> batch;       // on the serial executor
    throng::Batch<2> small_batch; // the same
    hosts::WholeCrowd answers;
    throng::Hits near, hits;
    throng::Pairs pairs;
    hosts::Hash hash;

    hosts::demand(crowd.set_statics(scene.castles()));
    for (int frame = 0; frame < hosts::kFrames; ++frame) {
        scene.step();
        hosts::demand(crowd.update(scene.agents()));

        answers.ask(batch, crowd, scene);
        answers.add_to(hash);

        // The questions that other hosts ask in parts.
        hosts::demand(small_batch.neighbours(crowd.grid(), hosts::kNear, near));
        hosts::demand(small_batch.query(crowd.grid(), scene.balls(), hits));
        hosts::demand(small_batch.pairs(crowd.grid(), pairs));
        hash.add(near.offsets, near.ids);
        hash.add(hits.offsets, hits.ids);
        hash.add(pairs);
    }
    hosts::print(hash);
}
