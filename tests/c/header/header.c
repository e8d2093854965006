/* throng.h and its companions must compile in every language and with every compiler, also when
   included twice and with all their optional parts. */
#include <throng/throng.h>

#include <throng/throng.h>

#include <throng/throng_distributed.h>
#include <throng/throng_family.h>
#include <throng/throng_mpi.h>

static throng_memory_settings memory_settings = THRONG_MEMORY_SETTINGS_INIT;
static throng_memory_counts memory_counts = THRONG_MEMORY_COUNTS_INIT;
static throng_executor_callbacks executor_callbacks = THRONG_EXECUTOR_CALLBACKS_INIT;
static throng_crowd_settings crowd_settings = THRONG_CROWD_SETTINGS_INIT;
static throng_agents agents = THRONG_AGENTS_INIT;
static throng_crowd_counts crowd_counts = THRONG_CROWD_COUNTS_INIT;
static throng_cell_stats cell_stats = THRONG_CELL_STATS_INIT;
static throng_questions questions = THRONG_QUESTIONS_INIT;
static throng_hits hits = THRONG_HITS_INIT;
static throng_hits_room hits_room = THRONG_HITS_ROOM_INIT;
static throng_neighbourhood neighbourhood = THRONG_NEIGHBOURHOOD_INIT;
static throng_pairing pairing = THRONG_PAIRING_INIT;
static throng_pairs pairs = THRONG_PAIRS_INIT;
static throng_pairs_room pairs_room = THRONG_PAIRS_ROOM_INIT;
static throng_contact_frame contact_frame = THRONG_CONTACT_FRAME_INIT;
static throng_lasting_settings lasting_settings = THRONG_LASTING_SETTINGS_INIT;
static throng_lasting_frame lasting_frame = THRONG_LASTING_FRAME_INIT;
static throng_nearest nearest = THRONG_NEAREST_INIT;
static throng_near_hits near_hits = THRONG_NEAR_HITS_INIT;
static throng_near_room near_room = THRONG_NEAR_ROOM_INIT;
static throng_points points = THRONG_POINTS_INIT;
static throng_query_costs query_costs = THRONG_QUERY_COSTS_INIT;
static throng_obstacle_arrays obstacle_arrays = THRONG_OBSTACLE_ARRAYS_INIT;
static throng_obstacle_counts obstacle_counts = THRONG_OBSTACLE_COUNTS_INIT;
static throng_obstacle_search obstacle_search = THRONG_OBSTACLE_SEARCH_INIT;
static throng_ranks_callbacks ranks_callbacks = THRONG_RANKS_CALLBACKS_INIT;
static throng_share_arrays share_arrays = THRONG_SHARE_ARRAYS_INIT;
static throng_distributed_settings distributed_settings = THRONG_DISTRIBUTED_SETTINGS_INIT;
static throng_distributed_facts distributed_facts = THRONG_DISTRIBUTED_FACTS_INIT;
static throng_global_questions global_questions = THRONG_GLOBAL_QUESTIONS_INIT;
static throng_global_hits global_hits = THRONG_GLOBAL_HITS_INIT;
static throng_global_near_hits global_near_hits = THRONG_GLOBAL_NEAR_HITS_INIT;
static throng_global_meetings global_meetings = THRONG_GLOBAL_MEETINGS_INIT;

size_t header_sizes(const float* x);
size_t header_sizes(const float* x) {
    agents = throng_agents_interleaved(3, x, 2, 12);
    agents = throng_agents_separate(3, x, x, x, 2);
    return memory_settings.struct_size + memory_counts.struct_size +
           executor_callbacks.struct_size + crowd_settings.struct_size + agents.struct_size +
           crowd_counts.struct_size + cell_stats.struct_size + questions.struct_size +
           hits.struct_size + hits_room.struct_size + neighbourhood.struct_size +
           pairing.struct_size + pairs.struct_size + pairs_room.struct_size +
           contact_frame.struct_size + lasting_settings.struct_size + lasting_frame.struct_size +
           nearest.struct_size + near_hits.struct_size + near_room.struct_size +
           points.struct_size + query_costs.struct_size + obstacle_arrays.struct_size +
           obstacle_counts.struct_size + obstacle_search.struct_size + ranks_callbacks.struct_size +
           share_arrays.struct_size + distributed_settings.struct_size +
           distributed_facts.struct_size + global_questions.struct_size + global_hits.struct_size +
           global_near_hits.struct_size + global_meetings.struct_size;
}
