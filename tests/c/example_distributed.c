/* A crowd over the ranks of a job, of which there is one: with the ranks of throng_mpi.h it is the
   same program. */
#include <throng/throng_distributed.h>

#include <stdio.h>

static throng_status run(throng_ranks* ranks, throng_share* share, throng_distributed* crowd) {
    const float places[] = {1, 1, 1.5f, 1, 50, 80};
    throng_share_arrays arrays = THRONG_SHARE_ARRAYS_INIT;
    uint64_t agents = 0, pairs = 0;
    uint32_t size = 0;
    int i;
    throng_status status = throng_share_resize(share, 3, 3); /* this process's part of the crowd */
    if (status.code == THRONG_OK) { status = throng_share_get(share, &arrays); }
    for (i = 0; i < 3 && status.code == THRONG_OK; ++i) {
        arrays.ids[i] = (uint64_t)i;
        arrays.positions[2 * i] = places[2 * i];
        arrays.positions[2 * i + 1] = places[2 * i + 1];
    }
    /* In every step: all go to their owners, and copies of those who are near come. */
    if (status.code == THRONG_OK) { status = throng_distributed_update(crowd, share, NULL); }
    if (status.code == THRONG_OK) {
        status = throng_distributed_count_pairs(crowd, NULL, NULL, &pairs);
    }
    if (status.code == THRONG_OK) { status = throng_distributed_size(crowd, &agents); }
    if (status.code == THRONG_OK) { status = throng_ranks_count(ranks, NULL, &size); }
    if (status.code == THRONG_OK) {
        printf("%d agents on %d rank, %d pair\n", (int)agents, (int)size, (int)pairs);
    }
    return status;
}

int main(void) {
    throng_distributed_settings settings = THRONG_DISTRIBUTED_SETTINGS_INIT;
    throng_ranks* ranks = NULL;
    throng_share* share = NULL;
    throng_distributed* crowd = NULL;
    throng_status status = throng_check_abi(THRONG_ABI);

    settings.high[0] = settings.high[1] = 100;
    settings.cell[0] = settings.cell[1] = 2;
    settings.reach = 2;
    settings.common_half_extent[0] = settings.common_half_extent[1] = 0.5f;
    if (status.code == THRONG_OK) { status = throng_ranks_one(&ranks); }
    if (status.code == THRONG_OK) { status = throng_share_create(2, 0, 0, &share); }
    if (status.code == THRONG_OK) { status = throng_distributed_create(ranks, &settings, &crowd); }
    if (status.code == THRONG_OK) { status = run(ranks, share, crowd); }
    if (status.code != THRONG_OK) {
        char text[200];
        throng_status_text(status, text, sizeof text);
        printf("%s\n", text);
    }
    throng_distributed_destroy(crowd);
    throng_share_destroy(share);
    throng_ranks_destroy(ranks);
    return status.code;
}
