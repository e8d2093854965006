"""A little simulation: discs that walk, and push away discs that they overlap.

    python3 python/examples/simulation.py [agents] [frames]

Positions stay in one NumPy array, which the crowd reads where it lies. The answers of a frame are
released before the next is asked for, so their memory is used again.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import throng

RADIUS = 0.5
SPEED = 0.05
PUSH = 0.5


def main(agents: int = 20_000, frames: int = 20) -> None:
    side = 1.6 * agents**0.5
    random = np.random.default_rng(1)
    positions = (random.random((agents, 2)) * side).astype(np.float32)
    angles = random.random(agents) * (2 * np.pi)
    steps = (np.stack((np.cos(angles), np.sin(angles)), axis=1) * SPEED).astype(np.float32)
    crowd = throng.Crowd(dim=2, bounds=((0, 0), (side, side)), threads=0)

    began = time.perf_counter()
    for frame in range(frames):
        positions += steps
        np.clip(positions, 0, side, out=positions)
        crowd.update(positions, RADIUS)

        # Boxes that overlap are candidates; discs that do push each other apart.
        first, second = crowd.pairs().arrays
        apart = positions[second] - positions[first]
        distance = np.maximum(np.sqrt((apart * apart).sum(axis=1)), np.float32(1e-6))
        depth = np.maximum(np.float32(2 * RADIUS) - distance, 0)
        push = apart * (PUSH * depth / distance)[:, None]
        for axis in range(2):
            positions[:, axis] += np.bincount(second, push[:, axis], agents)
            positions[:, axis] -= np.bincount(first, push[:, axis], agents)
        touching = int((depth > 0).sum())
        del first, second

    took = (time.perf_counter() - began) / frames
    print(f"{crowd}: {touching} pairs touch in the end, {took * 1000:.1f} ms a frame")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
