"""Agents that others see past obstacles, against neighbours and single looks."""

from __future__ import annotations

from typing import Any, List

import numpy as np
from support import TestCase, lattice

import throng


def yard(dim: int) -> throng.Obstacles:
    """Boxes on the lattice of the agents, in two groups."""
    random = np.random.default_rng(5)
    lo = random.integers(0, 24 if dim == 2 else 8, (40, dim)).astype(np.float32) * 0.5
    sizes = random.integers(0, 4, (40, dim)).astype(np.float32) * 0.5
    groups = (1 << random.integers(0, 2, 40)).astype(np.uint32)
    return throng.Obstacles(throng.Boxes(lo, lo + sizes), groups=groups)


def scene(dim: int) -> Any:
    """Agents on a lattice, and the yard."""
    positions = lattice(300, dim, side=24 if dim == 2 else 8) * np.float32(0.5)
    return positions, throng.Crowd(positions, 0.25), yard(dim)


def seen(
    obstacles: throng.Obstacles, starts: Any, positions: Any, near: throng.Hits, hiding: int
) -> List[List[int]]:
    """What is left of these answers."""
    out: List[List[int]] = []
    for start, ids in zip(starts, near):
        clear = [False] * len(ids)
        if len(ids) != 0:
            begin = np.repeat(start[None, :], len(ids), axis=0)
            clear = obstacles.sight(begin, positions[ids], groups=hiding).tolist()
        out.append([int(i) for i, is_clear in zip(ids, clear) if is_clear])
    return out


class InSight(TestCase):
    def test_neighbours(self) -> None:
        for dim in (2, 3):
            with self.subTest(dim=dim):
                positions, crowd, obstacles = scene(dim)
                for hiding in (throng.ALL_GROUPS, 1, 0):
                    all_near = crowd.neighbours(2.0)
                    expected = seen(obstacles, positions, positions, all_near, hiding)
                    hits = crowd.neighbours_in_sight(obstacles, 2.0, hiding=hiding)
                    self.assertEqual([ids.tolist() for ids in hits], expected)
                    counts = crowd.count_neighbours_in_sight(obstacles, 2.0, hiding=hiding)
                    self.assertEqual(counts.tolist(), [len(ids) for ids in expected])
                    self.assertEqual(hits.ids.size < all_near.ids.size, hiding != 0)
                later = crowd.neighbours_in_sight(obstacles, 2.0, later_only=True, order="storage")
                whole = crowd.neighbours_in_sight(obstacles, 2.0)
                self.assertEqual(2 * later.ids.size, whole.ids.size)

    def test_fields_of_view(self) -> None:
        for dim in (2, 3):
            with self.subTest(dim=dim):
                positions, crowd, obstacles = scene(dim)
                ahead = np.zeros((20, dim), np.float32)
                ahead[:, 0] = 1
                shapes: List[Any] = [
                    throng.Balls(positions[:20], 2.0),
                    throng.Sectors(positions[:20], 3.0, ahead, 0.5),
                ]
                for shape in shapes:
                    expected = seen(
                        obstacles, positions[:20], positions, crowd.query(shape), throng.ALL_GROUPS
                    )
                    hits = crowd.query_in_sight(obstacles, shape)
                    self.assertEqual([ids.tolist() for ids in hits], expected)
                    out = np.zeros(20, np.uint32)
                    self.assertIs(crowd.count_in_sight(obstacles, shape, out=out), out)
                    self.assertEqual(out.tolist(), [len(ids) for ids in expected])

    def test_refusals(self) -> None:
        crowd = throng.Crowd(dim=2)
        crowd.update(lattice(10, 2), 0.25)
        obstacles = yard(2)
        with self.assertRaisesRegex(ValueError, "obstacles: expected 2 dimensions, got 3"):
            crowd.neighbours_in_sight(yard(3), 1.0)
        boxes = throng.Boxes(np.zeros((1, 2), np.float32), np.ones((1, 2), np.float32))
        self.assert_refused(TypeError, ["shapes: expected Balls or Sectors"], crowd.query_in_sight, obstacles, boxes)
        self.assert_refused(throng.Error, ["radius"], crowd.count_neighbours_in_sight, obstacles, -1.0)
        self.assert_refused(TypeError, [], crowd.neighbours_in_sight, None, 1.0)
        round_world = throng.Crowd(
            dim=2, bounds=((0.0, 0.0), (8.0, 8.0)), cell=(1.0, 1.0), periodic=(True, False)
        )
        round_world.update(lattice(10, 2, side=8), 0.25)
        self.assert_refused(throng.Error, [], round_world.neighbours_in_sight, obstacles, 1.0, cause="wraps")
