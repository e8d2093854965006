// The header for hosts. Builds with oneTBB also have parallel/executors/tbb_executor.hpp;
// jobs.hpp is for hosts with a job system of their own, family.hpp has the other structures.
#pragma once

#include "engine/agents/grid_shape.hpp"
#include "engine/agents/handles.hpp"
#include "engine/agents/reorder.hpp"
#include "engine/agents/validation.hpp"
#include "engine/answers/predicate.hpp"
#include "engine/core/assert.hpp"
#include "engine/core/progress.hpp"
#include "engine/crowd/crowd.hpp"
#include "engine/crowd/images.hpp"
#include "engine/crowd/published_crowd.hpp"
#include "engine/crowd/snapshots.hpp"
#include "engine/frozen/frozen.hpp"
#include "engine/grid/row_grid.hpp"
#include "engine/obstacles/obstacles.hpp"
#include "parallel/batch/batch.hpp"
#include "parallel/executors/default_executor.hpp"
#include "parallel/executors/thread_pool.hpp"
#include "parallel/frames/contacts.hpp"
#include "parallel/frames/lasting_neighbours.hpp"
#include "parallel/sight/in_sight.hpp"
