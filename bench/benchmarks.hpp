// What is measured, of one crowd.
#pragma once

#include "crowd.hpp"

#include <throng/parallel/batch.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>

namespace throng::bench {

/// In the plane and in space: updates, boxes small and large, pairs, and edits, in a grid made for
/// boxes.
void register_boxes(SceneKind scene, std::size_t count);
/// Balls and neighbours, in a grid made for balls.
void register_balls(SceneKind scene, std::size_t count);

/// How the questions of a whole crowd are asked.
enum class Way : std::uint8_t { batch, single, count, any };
enum class Order : std::uint8_t { storage, callers };

template <template <std::size_t> class Shape, std::size_t Dim>
void ask_everyone(benchmark::State& state, Crowd<Shape, Dim>& crowd, Way way, Order order);

/// The balls of a whole crowd as one batch, through Batch on one thread: Way::batch or Way::count.
template <std::size_t Dim>
void ask_at_once(benchmark::State& state, Crowd<Ball, Dim>& crowd, Way way, Order order);

/// Everyone's neighbours, themselves left out, through Batch on one thread.
template <std::size_t Dim>
void neighbours_of_all(benchmark::State& state, Crowd<Ball, Dim>& crowd, throng::Order order);

/// Sums over everyone's neighbours: by a kernel that makes no lists, or by lists and a loop over
/// them; how many there are; and a flock. A crowd whose arrays are in storage order.
enum class Fused : std::uint8_t { offsets, offsets_by_lists, count, flock };

template <std::size_t Dim>
void fuse(benchmark::State& state, Crowd<Ball, Dim>& crowd, Fused way);

/// All pairs, through Batch on one thread.
enum class PairsWay : std::uint8_t { list, count };

template <std::size_t Dim>
void pairs_of_all(benchmark::State& state, Crowd<Box, Dim>& crowd, PairsWay way);

/// 64 boxes, each a tenth of the world.
enum class Large : std::uint8_t { ids, count };

template <std::size_t Dim>
void ask_large_boxes(benchmark::State& state, Crowd<Box, Dim>& crowd, Large large);

template <std::size_t Dim>
void update_all(benchmark::State& state, Crowd<Box, Dim>& crowd);

/// Edits of agents from all over the crowd, one after another; or the same moves as one batch.
enum class Edit : std::uint8_t { insert, erase, move, move_batch };

template <std::size_t Dim>
void edit_some(benchmark::State& state, Crowd<Box, Dim>& crowd, Edit edit);

} // namespace throng::bench
