/* What the C program checks with. */
#ifndef THRONG_TESTS_C_CHECK_H
#define THRONG_TESTS_C_CHECK_H

#include <throng/throng.h>

#include <stddef.h>
#include <stdint.h>

/* Counts, and names the line of what does not hold. */
void check_that(int holds, const char* what, const char* file, int line);
/* The same of a status; prints the sentence that the library has for it. */
void check_status(throng_status status, int code, const char* what, const char* file, int line);

#define CHECK(what) check_that((what) ? 1 : 0, #what, __FILE__, __LINE__)
#define CHECK_OK(call) check_status((call), THRONG_OK, #call, __FILE__, __LINE__)
#define CHECK_REFUSED(call, code) check_status((call), (code), #call, __FILE__, __LINE__)

/* Of all checks so far. */
size_t checks_made(void);
size_t checks_failed(void);

/* Numbers that are the same everywhere; below `end`. */
uint32_t draw(uint32_t* state, uint32_t end);

/* Of ids, ascending. */
void sort_ids(uint32_t* ids, size_t count);

/* Memory that is there, or the end of the program. */
void* need(size_t bytes);

#endif
