# The rooms of the library and of the demo, and their order: each room, and the rooms right below it. Files of
# a room include files of the same room, or of any room below. check_layers.cmake tests that.
room(simd/isa)
room(simd/views          simd/isa)
room(simd/shapes         simd/views)
room(simd/search         simd/shapes)
room(simd/kernels        simd/search)

room(engine/core         simd/isa)
room(engine/memory       engine/core)
room(engine/agents       engine/memory simd/kernels)
room(engine/archive      engine/agents)
room(engine/shapes       engine/agents)
room(engine/answers      engine/shapes)
room(engine/grid         engine/answers engine/archive)
room(engine/loose_tree  engine/answers engine/archive)
room(engine/obstacles    engine/loose_tree)
room(engine/crowd        engine/grid engine/loose_tree)
room(engine/family       engine/answers)
room(engine/frozen       engine/crowd)

room(parallel/executors  engine/core)
room(parallel/batch      engine/crowd)
room(parallel/frames     parallel/batch)

room(fused               engine/crowd)
room(c                   engine/frozen engine/obstacles parallel/frames parallel/executors)

room(demo/stage)
room(demo/structures     demo/stage)
room(demo/scenes         demo/structures)
room(demo/output         demo/stage)
room(demo/command        demo/scenes demo/output)
room(demo/view           demo/command)
