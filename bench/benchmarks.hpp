// What is measured, of one crowd.
#pragma once

#include "crowd.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>

namespace throng::bench {

/// In the plane and in space: updates, boxes small and large, and edits, in a grid made for boxes.
void register_boxes(SceneKind scene, std::size_t count);
/// Balls, in a grid made for balls.
void register_balls(SceneKind scene, std::size_t count);

/// How the questions of a whole crowd are asked.
enum class Way : std::uint8_t { batch, single, count, any };
enum class Order : std::uint8_t { storage, callers };

template <template <std::size_t> class Shape, std::size_t Dim>
void ask_everyone(benchmark::State& state, Crowd<Shape, Dim>& crowd, Way way, Order order);

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
