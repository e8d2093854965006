#include "check.h"

#include <stdio.h>
#include <stdlib.h>

static size_t made, failed;

void check_that(int holds, const char* what, const char* file, int line) {
    ++made;
    if (holds) { return; }
    ++failed;
    printf("%s:%d: failed: %s\n", file, line, what);
}

void check_status(throng_status status, int code, const char* what, const char* file, int line) {
    char text[200];
    ++made;
    if (status.code == code && status.argument != NULL && status.reserved == 0) { return; }
    ++failed;
    throng_status_text(status, text, sizeof text);
    printf("%s:%d: failed: %s: code %d, wanted %d: %s\n", file, line, what, (int)status.code, code,
           text);
}

size_t checks_made(void) { return made; }

size_t checks_failed(void) { return failed; }

uint32_t draw(uint32_t* state, uint32_t end) {
    *state = *state * 1664525u + 1013904223u; /* constants from Numerical Recipes */
    return (uint32_t)(((uint64_t)*state * end) >> 32);
}

static int compare(const void* a, const void* b) {
    const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

void sort_ids(uint32_t* ids, size_t count) {
    if (count != 0) { qsort(ids, count, sizeof *ids, compare); }
}

void* need(size_t bytes) {
    void* const memory = calloc(1, bytes == 0 ? 1 : bytes);
    if (memory == NULL) { abort(); }
    return memory;
}
