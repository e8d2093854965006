/* A crowd from C99. It teaches the three rules of throng.h: structures begin as their _INIT macro,
   every call returns a status to look at, and answers lie in the batch until its next call. */
#include <throng/throng.h>

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 100, AGENTS = SIDE * SIDE };

static void demand(throng_status status) {
    char text[200];
    if (status.code == THRONG_OK) { return; }
    throng_status_text(status, text, sizeof text);
    printf("%s\n", text);
    exit(1);
}

int main(void) {
    static float xy[2 * AGENTS]; /* a metre apart, on a square */
    const throng_ball2 balls[] = {{{50, 50}, 2}, {{0, 0}, 2}};
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    throng_questions questions = THRONG_QUESTIONS_INIT;
    throng_neighbourhood neighbourhood = THRONG_NEIGHBOURHOOD_INIT;
    throng_hits hits = THRONG_HITS_INIT;
    throng_agents agents;
    throng_crowd* crowd = NULL;
    throng_batch* batch = NULL;
    uint32_t counts[2];
    uint64_t sum = 0;
    int i;

    for (i = 0; i < AGENTS; ++i) {
        xy[2 * i] = (float)(i % SIDE);
        xy[2 * i + 1] = (float)(i / SIDE);
    }
    agents = throng_agents_interleaved(2, xy, AGENTS, 2 * sizeof(float));

    demand(throng_check_abi(THRONG_ABI)); /* the library is the header's */
    demand(throng_crowd_create(&settings, &crowd));
    demand(throng_batch_create(NULL, &batch));         /* NULL: on the default executor */
    demand(throng_crowd_update(crowd, &agents, NULL)); /* every frame */

    questions.shape = THRONG_BALL2;
    questions.shapes = balls;
    questions.count = 2;
    demand(throng_count(batch, crowd, &questions, counts, 2, &sum));
    printf("%u and %u agents are near\n", (unsigned)counts[0], (unsigned)counts[1]);

    neighbourhood.radius = 1;
    neighbourhood.order = THRONG_ORDER_IDS;
    demand(throng_neighbours(batch, crowd, &neighbourhood, &hits));
    printf("agent 0 has %u and %u beside it, of %lu in all\n", (unsigned)hits.ids[0],
           (unsigned)hits.ids[1], (unsigned long)hits.total);

    /* By hand: 1 + 3 + 5 + 3 + 1, a corner of that, and two ends of each edge of the lattice. */
    i = counts[0] == 13 && counts[1] == 6 && hits.total == 4 * SIDE * (SIDE - 1);
    demand(throng_batch_destroy(batch)); /* and with it its answers */
    demand(throng_crowd_destroy(crowd));
    return i ? 0 : 1;
}
