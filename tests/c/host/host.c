/* A host in C that calls every function of throng.h, and checks the answers with plain loops.
 */
#include "host.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int is_answer(const scene* of, const uint32_t* ids, size_t count, const uint32_t* wanted,
              size_t wanted_count) {
    uint32_t* sorted;
    size_t i;
    int same;
    if (count != wanted_count) { return 0; }
    for (i = 0; i + 1 < count; ++i) {
        if (scene_set(of, scene_place(ids[i])) > scene_set(of, scene_place(ids[i + 1]))) {
            return 0;
        }
    }
    if (count == 0) { return 1; }
    sorted = (uint32_t*)need(count * sizeof *sorted);
    memcpy(sorted, ids, count * sizeof *sorted);
    sort_ids(sorted, count);
    same = memcmp(sorted, wanted, count * sizeof *sorted) == 0;
    free(sorted);
    return same;
}

void check_crowd(const scene* of, const throng_crowd* crowd) {
    uint32_t seed = 77, wanted[MOST], ids[MOST];
    int round;
    for (round = 0; round < 12; ++round) {
        float box[6];
        throng_questions question = THRONG_QUESTIONS_INIT;
        uint64_t total = 0;
        size_t count;
        scene_shape(THRONG_BOX2 - 2 + of->dimension, &seed, box);
        if (round == 0) { /* all agents */
            uint32_t a;
            for (a = 0; a < of->dimension; ++a) {
                box[a] = -100;
                box[of->dimension + a] = 100;
            }
        }
        question.shape = THRONG_BOX2 - 2 + of->dimension;
        question.shapes = box;
        question.count = 1;
        count = scene_answer(of, question.shape, box, THRONG_EVERYBODY, NULL, wanted);
        CHECK_OK(throng_query_one(crowd, &question, ids, MOST, &total));
        CHECK(is_answer(of, ids, (size_t)total, wanted, count));
    }
}

int main(void) {
    uint32_t dimension;
    host_words();
    for (dimension = 2; dimension <= 3; ++dimension) {
        host_crowds(dimension);
        host_agents(dimension);
        host_questions(dimension);
        host_visits(dimension);
        host_everybody(dimension);
        host_obstacles(dimension);
        host_around(dimension);
        host_sight(dimension);
        host_memory(dimension);
        host_executors(dimension);
        host_snapshots(dimension);
    }
    printf("%lu checks, %lu failed\n", (unsigned long)checks_made(),
           (unsigned long)checks_failed());
    return checks_failed() == 0 && checks_made() > 10000 ? EXIT_SUCCESS : EXIT_FAILURE;
}
