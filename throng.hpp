// Everything of Throng that a host may include, but for the parts that need oneTBB.
#pragma once

#include "engine/assert.hpp"
#include "engine/brute_force.hpp"
#include "engine/hierarchical_bitset.hpp"
#include "engine/predicate.hpp"
#include "engine/row_grid.hpp"
#include "engine/validation.hpp"
#include "parallel/batch.hpp"
#include "parallel/callback_executor.hpp"
#include "parallel/thread_pool.hpp"
#include "simd/isa.hpp"
