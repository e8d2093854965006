"""A crowd from NumPy. It teaches an update from an array, many questions in one call, and sums over neighbours without lists.

    pip install <the root of throng>     # once
    python3 crowd.py
"""

import sys

import numpy as np

import throng

SIDE = 100
RADIUS = 2.0

# Ten thousand agents on a square, one a square metre. Positions are float32, and read where they lie.
positions = np.random.default_rng(1).random((SIDE * SIDE, 2), dtype=np.float32) * SIDE

crowd = throng.Crowd(positions)
hits = crowd.query_balls(positions[:1000], RADIUS)  # a thousand questions, one call
counts = crowd.count_neighbours(RADIUS)  # of all agents, by id
print(f"{len(hits[0])} agents are near the first, at most {counts.max()} near one")

# The same by hand for a few, in the float32 of the library; an agent is in the ball around itself.
right = 0
for agent in range(1000):
    offsets = positions - positions[agent]
    inside = np.flatnonzero((offsets * offsets).sum(axis=1) <= np.float32(RADIUS * RADIUS))
    right += np.array_equal(np.sort(hits[agent]), inside) and counts[agent] == len(inside) - 1
print(f"{right} of 1000 are as plain NumPy has them")

# A few frames: all move, and the crowd is told.
for _ in range(10):
    positions += np.float32(0.05) * np.clip(crowd.separation(RADIUS), -1, 1)
    crowd.update(positions)
fewer = int(crowd.count_neighbours(RADIUS).max())
print(f"at most {fewer} when all have moved apart")
sys.exit(0 if right == 1000 and fewer < counts.max() else 1)
