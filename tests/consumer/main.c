/* A host in C: one crowd, one question. */
#include <throng/throng.h>

#include <stdio.h>

int main(void) {
    const float xy[] = {0.0f, 0.0f, 3.0f, 4.0f, 9.0f, 9.0f};
    const throng_ball2 ball = {{0.0f, 0.0f}, 5.0f};
    const throng_agents agents = throng_agents_interleaved(2, xy, 3, 2 * sizeof(float));
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    throng_questions question = THRONG_QUESTIONS_INIT;
    throng_crowd* crowd = NULL;
    uint32_t ids[3];
    uint64_t near = 0;

    question.shape = THRONG_BALL2;
    question.shapes = &ball;
    question.count = 1;
    if (throng_check_abi(THRONG_ABI).code != THRONG_OK ||
        throng_crowd_create(&settings, &crowd).code != THRONG_OK ||
        throng_crowd_update(crowd, &agents, NULL).code != THRONG_OK ||
        throng_query_one(crowd, &question, ids, 3, &near).code != THRONG_OK ||
        throng_crowd_destroy(crowd).code != THRONG_OK) {
        return 1;
    }
    printf("%u near, by version %s\n", (unsigned)near, throng_version());
    return near == 2 ? 0 : 1;
}
