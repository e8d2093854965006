// Structures of throng_distributed.h, of callers with older or newer headers.
#pragma once

#include "../../throng_distributed.h"
#include "../structs.hpp"

namespace throng::c {

THRONG_C_STRUCTURE(throng_ranks_callbacks, THRONG_RANKS_CALLBACKS_INIT, user)
THRONG_C_STRUCTURE(throng_share_arrays, THRONG_SHARE_ARRAYS_INIT, ghosts)
THRONG_C_STRUCTURE(throng_distributed_settings, THRONG_DISTRIBUTED_SETTINGS_INIT, question_bytes)
THRONG_C_STRUCTURE(throng_global_questions, THRONG_GLOBAL_QUESTIONS_INIT, filter_count)
THRONG_C_STRUCTURE(throng_global_hits, THRONG_GLOBAL_HITS_INIT, total)
THRONG_C_STRUCTURE(throng_global_near_hits, THRONG_GLOBAL_NEAR_HITS_INIT, reserved)
THRONG_C_STRUCTURE(throng_global_meetings, THRONG_GLOBAL_MEETINGS_INIT, total)
THRONG_C_STRUCTURE(throng_distributed_facts, THRONG_DISTRIBUTED_FACTS_INIT, next_imbalance)

} // namespace throng::c
