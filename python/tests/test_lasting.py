"""Lists that last."""

from __future__ import annotations


import numpy as np
from support import TestCase, assert_same, together

import throng


class LastingNeighbours(TestCase):
    def test_frames(self) -> None:
        for dim in (2, 3):
            for later_only in (False, True):
                random = np.random.default_rng(dim)
                positions = (random.random((500, dim)) * 14).astype(np.float32)
                crowd = throng.Crowd(dim=dim, threads=2)
                fresh = throng.Crowd(dim=dim)
                lists = throng.LastingNeighbours(1.5, 0.5, later_only=later_only)
                kept = []
                for _ in range(12):
                    lists.update(crowd, positions)
                    fresh.update(positions)
                    order = lists.order()
                    got = lists.neighbours(positions)
                    near = lists.candidates()
                    self.assertEqual(len(got), len(order))
                    rank = {int(id): k for k, id in enumerate(order)}
                    wanted = fresh.neighbours(1.5, order="ids")
                    for k, asker in enumerate(order.tolist()):
                        found = set(wanted[asker].tolist())
                        if later_only:
                            found = {id for id in found if rank[id] > k}
                        self.assertEqual(set(got[k].tolist()), found)
                        self.assertLessEqual(found, set(near[k].tolist()))
                    kept.append((got, got.ids.copy()))
                    positions += random.uniform(-0.05, 0.05, positions.shape).astype(np.float32)
                self.assertGreater(lists.made, 1)
                self.assertLess(lists.made, 8)
                for got, ids in kept:
                    assert_same(got.ids, ids)
                self.assertGreater(lists.memory(), 0)
                self.assertIn(f"{dim}D", repr(lists))

    def test_how_long(self) -> None:
        positions = np.array([[0, 0], [1, 0]], np.float32)
        crowd = throng.Crowd(dim=2)
        lists = throng.LastingNeighbours(2, 1, with_self=True)
        self.assertEqual((lists.made, lists.lasted, lists.moved, lists.memory()), (0, 0, 0, 0))
        lists.release()
        lists.update(crowd, positions, 0.25, np.array([1, 2], np.uint32))
        positions[1, 0] = 1.5
        lists.update(crowd, positions, 0.25, np.array([1, 2], np.uint32))
        self.assertEqual((lists.made, lists.lasted, lists.moved), (1, 1, 0.5))
        self.assertEqual(lists.neighbours(positions).counts().tolist(), [2, 2])
        lists.update(crowd, positions, 0.25, np.array([1, 3], np.uint32))
        self.assertEqual((lists.made, lists.lasted), (2, 0))
        positions[1, 0] += 0.6
        self.assert_refused(throng.Error, [], lists.neighbours, positions, cause="out_of_range", index=1)
        lists.release()
        self.assertEqual((len(lists.candidates()), len(lists.order())), (0, 0))
        lists.update(crowd, positions)
        self.assertEqual(lists.made, 3)

    def test_a_first_update_that_is_refused(self) -> None:
        lists = throng.LastingNeighbours(2, 1)
        broken = np.array([[0, np.nan]], np.float32)
        self.assert_refused(throng.Error, [], lists.update, throng.Crowd(dim=2), broken)
        crowd = throng.Crowd(dim=3)
        lists.update(crowd, np.zeros((2, 3), np.float32))
        self.assertEqual((lists.made, len(lists.candidates())), (1, 2))

    def test_worlds(self) -> None:
        crowd = throng.Crowd(
            bounds=((0, 0), (10, 10)), origin=(1e9, 0), periodic=(True, False), dim=2
        )
        positions = np.array([[1e9 + 9.5, 1], [1e9 + 0.25, 1]])
        lists = throng.LastingNeighbours(1, 0.5)
        lists.update(crowd, positions)
        positions[0, 0] += 0.125
        lists.update(crowd, positions)
        self.assertEqual((lists.lasted, lists.moved), (1, 0.125))
        self.assertEqual(lists.neighbours(positions).counts().tolist(), [1, 1])

    def test_refusals(self) -> None:
        for radius, skin, argument in ((-1, 1, "radius"), (1, -1, "skin"), (1, np.nan, "skin")):
            self.assert_refused(throng.Error, [], throng.LastingNeighbours, radius, skin, argument=argument)
        self.assert_refused(ValueError, [], throng.LastingNeighbours, 1, 1, sets=99)
        lists = throng.LastingNeighbours(1, 0.5)
        self.assertIn("made 0", repr(lists))
        positions = np.zeros((3, 2), np.float32)
        for early in (lists.order, lists.candidates, lambda: lists.neighbours(positions)):
            self.assert_refused(ValueError, [], early)
        crowd = throng.Crowd(dim=2)
        lists.update(crowd, positions)
        bad = positions.copy()
        bad[2, 1] = np.nan
        self.assert_refused(throng.Error, [], lists.update, crowd, bad, argument="positions", index=2)
        self.assertEqual(lists.neighbours(positions).counts().tolist(), [2, 2, 2])
        self.assert_refused(ValueError, [], lists.update, throng.Crowd(dim=3), np.zeros((3, 3), np.float32))
        self.assert_refused(TypeError, [], lists.update, crowd, positions.astype(np.complex64))
        self.assert_refused(throng.Error, [], lists.neighbours, positions[:2])

    def test_threads(self) -> None:
        positions = np.random.default_rng(1).random((20000, 2)).astype(np.float32) * 140
        crowd = throng.Crowd(dim=2)
        lists = throng.LastingNeighbours(1.5, 0.5)
        lists.update(crowd, positions)
        total = len(lists.neighbours(positions).ids)
        totals = []

        def work() -> None:
            for _ in range(5):
                lists.update(crowd, positions)
                totals.append(len(lists.neighbours(positions).ids))

        together(*[work] * 4)
        self.assertEqual(totals, [total] * 20)
