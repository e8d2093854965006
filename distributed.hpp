// The library throng::distributed: crowds over the processes of a job. See docs/distributed.md.
#pragma once

#include "distributed/checkpoint.hpp"
#include "distributed/cuts.hpp"
#include "distributed/distributed_grid.hpp"
#include "distributed/global_answers.hpp"
#include "distributed/one_rank.hpp"
#include "distributed/ranks.hpp"
#include "distributed/share.hpp"
#include "distributed/thread_ranks.hpp"
