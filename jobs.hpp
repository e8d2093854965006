// For hosts with a job system of their own: changes and questions in parts that it runs, and an
// executor made of its callbacks.
#pragma once

#include "engine/crowd/crowd_change.hpp"
#include "engine/grid/change.hpp"
#include "engine/grid/grid_parts.hpp"
#include "parallel/executors/callback_executor.hpp"
