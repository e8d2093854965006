"""What a crowd is made of, in arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from support import TestCase, acquired, assert_same, lattice

import throng
from throng import Sets


def crowd_of(dim: int, positions: Any, **named: Any) -> Any:
    """With giants, groups and statics."""
    half = np.full(len(positions), 0.25, np.float32)
    half[::50] = 3.0
    groups = np.arange(1, len(positions) + 1, dtype=np.uint32)
    bounds = ((0,) * dim, (24,) * dim)
    crowd = throng.Crowd(positions, half, groups, bounds=bounds, cell=2, threads=2, **named)
    return crowd, np.repeat(half[:, None], dim, 1), groups


class Agents(TestCase):
    def test_are_those_of_the_arrays(self) -> None:
        for dim in (2, 3):
            positions = lattice(400, dim)
            crowd, half, groups = crowd_of(dim, positions)
            walls = lattice(9, dim, seed=2)
            crowd.set_statics(walls, 0.5)
            agents = crowd.agents(Sets.AGENTS)
            assert_same(agents.ids, crowd.order())
            assert_same(agents.positions, positions[agents.ids])
            assert_same(agents.half_extents, half[agents.ids])
            assert_same(agents.groups, groups[agents.ids])
            giants = crowd.agents(Sets.GIANTS)
            self.assertEqual(giants.ids.tolist(), list(range(0, 400, 50)))
            assert_same(giants.positions, positions[giants.ids])
            statics = crowd.agents(Sets.STATICS)
            assert_same(statics.ids - np.uint32(throng.FIRST_STATIC), range(9))
            assert_same(statics.positions, walls)
            self.assertEqual(statics.half_extents.tolist(), [[0.5] * dim] * 9)
            self.assertEqual(set(statics.groups.tolist()), {throng.ALL_GROUPS})
            self.assertEqual(len(crowd.agents()), 409)
            assert_same(crowd.agents(Sets.SMALL).ids, agents.ids[:-8])

    def test_follow_edits_and_last(self) -> None:
        crowd, _, _ = crowd_of(2, lattice(100, 2))
        before = crowd.agents()
        kept = before.positions.copy()
        crowd.edit(erase=[3, 50], move=([7, 0], [(1, 2), (3, 4)]))
        after = crowd.agents()
        assert_same(after.ids, crowd.order())
        place = after.ids.tolist().index(7)
        self.assertEqual(after.positions[place].tolist(), [1, 2])
        self.assertEqual(after.positions[after.ids.tolist().index(0)].tolist(), [3, 4])
        assert_same(before.positions, kept)

    def test_of_none_and_refused(self) -> None:
        crowd = throng.Crowd(dim=3)
        self.assertEqual(crowd.agents().positions.shape, (0, 3))
        self.assertEqual(len(crowd.cells()), 0)
        self.assert_refused(ValueError, ["sets"], crowd.agents, 64)
        snapshot = acquired(throng.PublishedCrowd(lattice(20, 2)))
        self.assertEqual(len(snapshot.agents()), 20)
        self.assertEqual(int(snapshot.cells().counts.sum()), 20)


class Cells(TestCase):
    def test_hold_their_agents(self) -> None:
        for dim in (2, 3):
            # Some outside of the bounds, in cells at the border.
            positions = lattice(400, dim, side=28) - np.float32(2)
            crowd, half, _ = crowd_of(dim, positions)
            cells = crowd.cells()
            self.assertEqual(cells.lo.shape, (len(cells), dim))
            self.assertEqual(int(cells.counts.sum()), 400)
            self.assertGreater(len(cells), cells.of_grid)
            spans, agents = cells.spans(), crowd.agents()
            self.assertEqual(int(spans[-1]), 392)
            inner = 0
            for c in range(cells.of_grid):
                self.assertEqual((cells.depths[c], spans[c + 1] - spans[c]), (0, cells.counts[c]))
                self.assertGreater(cells.counts[c], 0)
                for place in agents.positions[spans[c] : spans[c + 1]]:
                    if not np.all((place >= 0) & (place < 24)):
                        continue
                    inner += 1
                    self.assertTrue(np.all(cells.lo[c] <= place) and np.all(place <= cells.hi[c]))
            self.assertGreater(inner, 200)
            # The nodes of the giants hold all of them.
            giants = crowd.agents(Sets.GIANTS)
            lo = (giants.positions - giants.half_extents).min(0)
            hi = (giants.positions + giants.half_extents).max(0)
            root = cells.of_grid
            self.assertEqual(cells.depths[root], 0)
            self.assertTrue(np.all(cells.lo[root] <= lo) and np.all(cells.hi[root] >= hi))
            self.assertEqual(int(cells.counts[root:].sum()), 8)
