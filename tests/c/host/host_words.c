/* Versions, and sentences about statuses. */
#include "host.h"

#include "check.h"

#include <string.h>

static void check_sentence(throng_status status, const char* wanted) {
    char text[200], little[8];
    const size_t length = strlen(wanted);
    CHECK(throng_status_text(status, text, sizeof text) == length);
    CHECK(strcmp(text, wanted) == 0);
    /* The sentence is cut to the room, with a zero behind it; the returned length is the true one.
     */
    memset(little, 'x', sizeof little);
    CHECK(throng_status_text(status, little, sizeof little - 1) == length);
    CHECK(strncmp(little, wanted, sizeof little - 2) == 0);
    CHECK(little[sizeof little - 2] == '\0');
    CHECK(little[sizeof little - 1] == 'x');
    CHECK(throng_status_text(status, NULL, 0) == length);
}

static void check_every_code(void) {
    int32_t code;
    for (code = -1; code < 120; ++code) {
        throng_status status;
        char text[200];
        status.code = code;
        status.reserved = 0;
        status.argument = "somebody";
        status.index = 7;
        CHECK(throng_status_text(status, text, sizeof text) > 3);
        CHECK(strlen(text) < 120);
        status.argument = NULL; /* no call makes such a status, but it must not crash */
        CHECK(throng_status_text(status, text, sizeof text) > 3);
    }
}

void host_words(void) {
    throng_crowd* crowd = NULL;
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    float xy[4] = {0, 0, 0, 0};
    throng_agents agents = throng_agents_interleaved(2, xy, 2, 2 * sizeof(float));
    throng_status status;

    CHECK_OK(throng_check_abi(THRONG_ABI));
    CHECK_REFUSED(throng_check_abi(THRONG_ABI + 1), THRONG_WRONG_ABI);
    CHECK_REFUSED(throng_check_abi(0), THRONG_WRONG_ABI);
    CHECK(strchr(throng_version(), '.') != NULL);
    CHECK(throng_version() == throng_version());
    CHECK(strlen(throng_isa()) > 2);

    status = throng_crowd_create(&settings, &crowd);
    CHECK_OK(status);
    check_sentence(status, "nothing is wrong");
    xy[2] = (float)(1e300 * 1e10);
    status = throng_crowd_update(crowd, &agents, NULL);
    CHECK(status.code == THRONG_NOT_FINITE && status.index == 1);
    check_sentence(status, "positions[1] is NaN or infinite");
    CHECK_OK(throng_crowd_destroy(crowd));
    status = throng_crowd_update(crowd, &agents, NULL);
    CHECK(status.code == THRONG_DEAD_HANDLE && strcmp(status.argument, "crowd") == 0);
    check_sentence(status, "crowd is a handle that was destroyed, or never made");
    check_every_code();
}
