# The headers of each library that hosts may include: they are installed, and tests hold what they promise.
set(THRONG_PUBLIC_HEADERS
    jobs.hpp
    throng.h
    throng.hpp

    simd/isa/compiler.hpp
    simd/isa/export.hpp
    simd/isa/names_begin.hpp
    simd/isa/names_end.hpp
    simd/isa/isa.hpp
    simd/isa/same_library.hpp
    simd/isa/slack.hpp
    simd/isa/version.hpp
    simd/views/body.hpp
    simd/views/grid_view.hpp
    simd/views/neighbour_query.hpp
    simd/views/shape_blocks.hpp

    engine/agents/agents.hpp
    engine/agents/body.hpp
    engine/agents/buffers.hpp
    engine/agents/box.hpp
    engine/agents/edit.hpp
    engine/agents/filter.hpp
    engine/agents/found.hpp
    engine/agents/grid_shape.hpp
    engine/agents/handles.hpp
    engine/agents/names.hpp
    engine/agents/nearest.hpp
    engine/agents/point.hpp
    engine/agents/reorder.hpp
    engine/agents/validation.hpp
    engine/agents/view.hpp
    engine/agents/world_agents.hpp
    engine/archive/freezable.hpp
    engine/answers/ask_by_visit.hpp
    engine/answers/predicate.hpp
    engine/answers/spatial_index.hpp
    engine/answers/visitors.hpp
    engine/core/assert.hpp
    engine/core/executor.hpp
    engine/core/function_ref.hpp
    engine/core/id.hpp
    engine/core/limits.hpp
    engine/core/profile.hpp
    engine/core/progress.hpp
    engine/core/state_pointer.hpp
    engine/core/status.hpp
    engine/crowd/crowd.hpp
    engine/crowd/cell_stats.hpp
    engine/crowd/crowd_change.hpp
    engine/crowd/images.hpp
    engine/crowd/published_crowd.hpp
    engine/crowd/sets.hpp
    engine/crowd/snapshot_core.hpp
    engine/crowd/snapshots.hpp
    engine/frozen/frozen.hpp
    engine/grid/change.hpp
    engine/grid/grid_parts.hpp
    engine/grid/named_grid.hpp
    engine/grid/neighbour_loop.hpp
    engine/grid/query_stats.hpp
    engine/grid/row_grid.hpp
    engine/memory/capped_memory.hpp
    engine/memory/memory_source.hpp
    engine/memory/memory_use.hpp
    engine/shapes/ball.hpp
    engine/shapes/box_facts.hpp
    engine/shapes/capsule.hpp
    engine/shapes/convex.hpp
    engine/shapes/cylinder.hpp
    engine/shapes/direction.hpp
    engine/shapes/oriented_box.hpp
    engine/shapes/ray.hpp
    engine/shapes/ray_test.hpp
    engine/shapes/sector.hpp
    engine/shapes/segment.hpp
    engine/shapes/shape_facts.hpp
    engine/shapes/shapes.hpp
    engine/shapes/shapes_view.hpp
    engine/shapes/with_body.hpp
    engine/loose_tree/loose_tree.hpp
    engine/obstacles/moving.hpp
    engine/obstacles/obstacle_shapes.hpp
    engine/obstacles/obstacles.hpp

    parallel/batch/asked.hpp
    parallel/batch/batch.hpp
    parallel/frames/lasting_neighbours.hpp
    parallel/executors/callback_executor.hpp
    parallel/executors/default_executor.hpp
    parallel/executors/thread_pool.hpp
    parallel/frames/contacts.hpp
    parallel/sight/in_sight.hpp)
if(THRONG_TBB)
    list(APPEND THRONG_PUBLIC_HEADERS parallel/executors/tbb_executor.hpp)
endif()

# The public headers of throng::family, with three containers: two for its templates, one for users.
set(THRONG_FAMILY_HEADERS
    family.hpp
    throng_family.h

    engine/family/brute_force.hpp
    engine/family/double_grid/double_grid.hpp
    engine/family/nested_quadtree/nested_index.hpp
    engine/family/nested_quadtree/nested_quadtree.hpp
    engine/family/nested_quadtree/nested_quadtree_walks.hpp
    engine/family/occupancy_pyramid.hpp
    engine/family/tight_quadtree/tight_quadtree.hpp
    engine/memory/atomic_of.hpp
    engine/memory/free_list.hpp
    engine/memory/hierarchical_bitset.hpp
    engine/memory/vector.hpp)

# The public headers of throng::distributed.
set(THRONG_DISTRIBUTED_HEADERS
    distributed.hpp
    throng_distributed.h

    distributed/checkpoint.hpp
    distributed/cuts.hpp
    distributed/distributed_grid.hpp
    distributed/global_answers.hpp
    distributed/one_rank.hpp
    distributed/ranks.hpp
    distributed/share.hpp
    distributed/thread_ranks.hpp)

# The public headers of throng::mpi; the first is the only one that includes <mpi.h>.
set(THRONG_MPI_HEADERS distributed/mpi_ranks.hpp throng_mpi.h)
# That of throng::zoltan, whose source includes <zoltan.h>, which includes <mpi.h>.
set(THRONG_ZOLTAN_HEADERS distributed/zoltan_cuts.hpp)

# Kernels of users' own are templates on the instruction set, so these headers include xsimd, and no other
# public header does.
set(THRONG_FUSED_HEADERS
    fused/for_each_neighbour.hpp
    fused/on_active_isa.hpp

    engine/crowd/asker_copies.hpp

    simd/isa/arch.hpp
    simd/isa/bit_levels.hpp
    simd/isa/four_lanes.hpp
    simd/isa/lanes.hpp
    simd/search/agent_window.hpp
    simd/search/body_distance.hpp
    simd/search/neighbour_grids.hpp
    simd/search/neighbour_lanes.hpp
    simd/search/neighbour_walk.hpp
    simd/search/packet_copies.hpp
    simd/search/packet_window.hpp
    simd/search/storage_order.hpp
    simd/shapes/body_gaps.hpp
    simd/shapes/cell_lanes.hpp
    simd/shapes/row_spans.hpp
    simd/shapes/search_range.hpp
    simd/isa/vectors.hpp)
