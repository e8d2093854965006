// Registers the benchmarks, and declares the parts that measure one crowd.
#pragma once

#include "crowd.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>

namespace throng::bench {

/// In the plane and in space: updates, small and large boxes, pairs, and edits, in a grid for
/// boxes.
void register_boxes(SceneKind scene, std::size_t count);
/// Updates of crowds as games have them.
void register_small_updates();
/// Balls and neighbours, in a grid for balls.
void register_balls(SceneKind scene, std::size_t count);

/// A thousand questions of each other shape, in a grid for boxes.
void register_shapes(SceneKind scene, std::size_t count);
/// Batches of balls and boxes of many sizes against the same questions one by one.
void register_packets(std::size_t count);
/// Every structure of the family under the same loads.
void register_family();
/// Large agents alone.
void register_giants();
/// Neighbours in sight past walls, against the same lists without walls.
void register_in_sight();
/// Questions about the walls of a city, and about triangles.
void register_obstacles();
/// Single edits of a LooseTree, and what they cost later questions.
void register_changes_of_crowds();
void register_tree_edits();
/// Lists of neighbours in keys of the host, against lists of ids.
void register_keys();
/// All sizes at once, and edits one at a time.
void register_double_grid();
/// A Crowd against a bare grid, and crowds of several sizes.
void register_crowd_class();
/// Large searches over sparse grids, with and without an occupancy pyramid.
void register_sparse();
/// Searches of a crowd, from a cell to the whole world, by every plan of the planner.
void register_planner();
/// Frames with questions about many long paths.
void register_frames_of_paths();
/// Sets of members among 10^8 numbers.
void register_bitset();
/// Lists of a grid's agents, alone and beside other grids.
void register_trips();
void register_worlds();
/// Saving and loading indexes.
void register_frozen();

/// How the questions of all agents are asked.
enum class Way : std::uint8_t { batch, single, count, any };
enum class Order : std::uint8_t { storage, callers };

template <template <std::size_t> class Shape, std::size_t Dim>
void ask_everyone(benchmark::State& state, Crowd<Shape, Dim>& crowd, Way way, Order order);

/// The questions of all agents, with about `hits` hits each, asked one by one, as packets, and
/// through Batch on one thread, in storage order and in the caller's order.
enum class PacketForm : std::uint8_t { ids, count, any };

template <template <std::size_t> class Shape, std::size_t Dim>
void compare_packets(benchmark::State& state, Crowd<Shape, Dim>& crowd, PacketForm form,
                     double hits);

/// Counts for every `apart`-th agent, as packets, to show how near packed questions must be.
template <template <std::size_t> class Shape, std::size_t Dim>
void packets_apart(benchmark::State& state, Crowd<Shape, Dim>& crowd, double hits,
                   std::size_t apart);

/// The balls of a whole crowd as one batch, through Batch on one thread: Way::batch or Way::count.
template <std::size_t Dim>
void ask_at_once(benchmark::State& state, Crowd<Ball, Dim>& crowd, Way way, Order order);

/// The neighbours of all agents, without the agents themselves, through Batch on one thread.
template <std::size_t Dim>
void neighbours_of_all(benchmark::State& state, Crowd<Ball, Dim>& crowd, throng::Order order);

/// The same with each pair once: as lists of later agents, or as pairs.
enum class HalfLists : std::uint8_t { lists, pairs };

template <std::size_t Dim>
void later_neighbours_of_all(benchmark::State& state, Crowd<Ball, Dim>& crowd, HalfLists form);

/// The k nearest through Batch on one thread: to every agent without itself, or to the agents'
/// positions as points in the caller's order; or to these points one by one.
enum class NearestWay : std::uint8_t { everyone, points, single, beyond, in_band };

template <std::size_t Dim>
void nearest_of_all(benchmark::State& state, Crowd<Ball, Dim>& crowd, NearestWay way,
                    std::uint32_t k);

/// Sums over the neighbours of all agents, by a kernel without lists or by lists and a loop over
/// them; counts; and a flock. The crowd's arrays are in storage order.
enum class Fused : std::uint8_t { offsets, offsets_by_lists, count, flock };

template <std::size_t Dim>
void fuse(benchmark::State& state, Crowd<Ball, Dim>& crowd, Fused way);

/// The same lists, counts and sums by centres, boxes or discs, with a common half extent or own
/// ones.
enum class BodyWay : std::uint8_t { lists, counts, fused };

template <std::size_t Dim>
void neighbours_by_body(benchmark::State& state, Crowd<Ball, Dim>& crowd, BodyWay way, Body body,
                        bool own);

/// Pairs over time: two alternating frames, between which all agents take a step; with ids in
/// storage order, or shuffled.
template <std::size_t Dim>
void contacts_of_frames(benchmark::State& state, Crowd<Box, Dim>& crowd, Order order);

/// The neighbours within 2 in each frame of a walking crowd: candidates of lasting lists, the lists
/// themselves, or an update and new lists.
enum class LastingWay : std::uint8_t { candidates, lists, fresh };

template <std::size_t Dim>
void lists_of_frames(benchmark::State& state, Crowd<Ball, Dim>& crowd, LastingWay way, float skin);

/// All pairs, through Batch on one thread.
enum class PairsWay : std::uint8_t { list, count };

template <std::size_t Dim>
void pairs_of_all(benchmark::State& state, Crowd<Box, Dim>& crowd, PairsWay way);

/// 64 boxes, each a tenth of the world: one by one, as a batch, and counted; and the least cost of
/// their lists, which is a plain copy of the same runs of ids.
enum class Large : std::uint8_t { ids, batch, count, copy };

template <std::size_t Dim>
void ask_large_boxes(benchmark::State& state, Crowd<Box, Dim>& crowd, Large large);

template <std::size_t Dim>
void update_all(benchmark::State& state, Crowd<Box, Dim>& crowd, Order order);
/// Puts the arrays of positions in storage order.
template <std::size_t Dim>
void reorder_all(benchmark::State& state, Crowd<Box, Dim>& crowd);

/// Edits of agents all over the crowd, one after another; or the same moves as one list.
enum class Edit : std::uint8_t { insert, erase, move, move_batch };

template <std::size_t Dim>
void edit_some(benchmark::State& state, Crowd<Box, Dim>& crowd, Edit edit);

} // namespace throng::bench
