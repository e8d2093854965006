/* The program of docs/hosts/c.md. */
#include <throng/throng.h>

#include <stdio.h>

int main(void) {
    const float xy[] = {1, 1, 2, 1, 50, 80};        /* x and y of three agents */
    const throng_ball2 ball = {{1.5f, 1.0f}, 2.0f}; /* which agents are near? */
    throng_agents agents = throng_agents_interleaved(2, xy, 3, 2 * sizeof(float));
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    throng_questions questions = THRONG_QUESTIONS_INIT;
    throng_hits hits = THRONG_HITS_INIT;
    throng_crowd* crowd = NULL;
    throng_batch* batch = NULL;
    throng_status status = throng_check_abi(THRONG_ABI);

    questions.shape = THRONG_BALL2;
    questions.shapes = &ball;
    questions.count = 1;
    if (status.code == THRONG_OK) { status = throng_crowd_create(&settings, &crowd); }
    if (status.code == THRONG_OK) { status = throng_batch_create(NULL, &batch); }
    if (status.code == THRONG_OK) { status = throng_crowd_update(crowd, &agents, NULL); }
    if (status.code == THRONG_OK) { status = throng_query(batch, crowd, &questions, &hits); }
    if (status.code == THRONG_OK) {
        printf("%d agents are near: %u and %u\n", (int)hits.total, hits.ids[0], hits.ids[1]);
    } else {
        char text[200];
        throng_status_text(status, text, sizeof text);
        printf("%s\n", text);
    }
    throng_batch_destroy(batch);
    throng_crowd_destroy(crowd);
    return status.code;
}
