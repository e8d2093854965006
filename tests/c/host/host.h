/* The parts of the C program that calls every function once. */
#ifndef THRONG_TESTS_C_HOST_H
#define THRONG_TESTS_C_HOST_H

#include "truth.h"

#include <throng/throng.h>

#include <stddef.h>
#include <stdint.h>

/* Parts that run in the plane and in space. */
void host_crowds(uint32_t dimension);
void host_agents(uint32_t dimension);
void host_questions(uint32_t dimension);
void host_visits(uint32_t dimension);
void host_everybody(uint32_t dimension);
void host_obstacles(uint32_t dimension);
void host_around(uint32_t dimension);
void host_sight(uint32_t dimension);
void host_memory(uint32_t dimension);
void host_executors(uint32_t dimension);
void host_snapshots(uint32_t dimension);
/* Parts that do not depend on the dimension. */
void host_words(void);

/* Whether `ids` are the wanted ones, which are ascending. Within a set any order is right, but
   small agents come first and statics last. */
int is_answer(const scene* of, const uint32_t* ids, size_t count, const uint32_t* wanted,
              size_t wanted_count);
/* Asks for all agents in boxes all over the world, and checks the answers. */
void check_crowd(const scene* of, const throng_crowd* crowd);

#endif
