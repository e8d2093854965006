/* The checks of the C program. */
#ifndef THRONG_TESTS_C_CHECK_H
#define THRONG_TESTS_C_CHECK_H

#include <throng/throng.h>

#include <stddef.h>
#include <stdint.h>

/* Counts the check; prints the line of one that fails. */
void check_that(int holds, const char* what, const char* file, int line);
/* Checks that a status has this code; prints the library's sentence for it if not. */
void check_status(throng_status status, int code, const char* what, const char* file, int line);

#define CHECK(what) check_that((what) ? 1 : 0, #what, __FILE__, __LINE__)
#define CHECK_OK(call) check_status((call), THRONG_OK, #call, __FILE__, __LINE__)
#define CHECK_REFUSED(call, code) check_status((call), (code), #call, __FILE__, __LINE__)

/* The outcome of all checks so far. */
size_t checks_made(void);
size_t checks_failed(void);

/* Random numbers below `end`, the same on every machine. */
uint32_t draw(uint32_t* state, uint32_t end);

/* Sorts ids. */
void sort_ids(uint32_t* ids, size_t count);

/* Allocates memory, or ends the program. */
void* need(size_t bytes);

#endif
