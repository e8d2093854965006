"""All agents along paths, and when."""

from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np
from support import TestCase, acquired, assert_same, lattice, over_boxes

import throng


class Meetings(TestCase):
    def test_along_x(self) -> None:
        # Along x segments are flat boxes, for which NumPy knows the answer.
        for dim in (2, 3):
            positions = lattice(300, dim)
            half = np.full(300, 0.5, np.float32)
            half[::60] = 4.0
            groups = (1 << (np.arange(300) % 2)).astype(np.uint32)
            bounds = ((0,) * dim, (24,) * dim)
            crowd = throng.Crowd(positions, half, groups, bounds=bounds, cell=2, threads=3)
            self.assertEqual(crowd.stats().giants, 5)
            walls = lattice(20, dim, seed=9)
            crowd.set_statics(walls, 1.0)
            starts = lattice(300, dim, seed=6) - np.float32(5)
            ends = starts.copy()
            ends[:, 0] += 16
            everybody = np.concatenate((positions, walls))
            extents = np.concatenate((half, np.full(20, 1.0, np.float32)))
            ids = np.concatenate((np.arange(300), throng.FIRST_STATIC + np.arange(20)))
            hit = over_boxes(everybody, extents[:, None], starts, ends)
            near = everybody[:, 0] - extents
            times = np.maximum((near[None] - starts[:, :1]) / np.float32(16), 0)

            def expected(q: int, wanted: Any) -> List[Tuple[float, int]]:
                who = np.flatnonzero(hit[q] & wanted)
                return sorted((float(times[q, i]), int(ids[i])) for i in who)

            def check(met: throng.Meetings, wanted: Any) -> None:
                self.assertEqual(len(met), 300)
                for q in range(300):
                    mine = list(zip(met.times_of(q).tolist(), met[q].tolist()))
                    self.assertEqual(mine, expected(q, wanted))

            paths = throng.Segments(starts, ends)
            everyone = np.ones(320, bool)
            check(crowd.meetings(paths), everyone)
            check(crowd.meetings(paths, sets=throng.Sets.AGENTS), ids < throng.FIRST_STATIC)
            odd = np.concatenate((np.arange(300) % 2 == 1, np.ones(20, bool)))
            check(crowd.meetings(paths, groups=2), odd)
            met = crowd.meetings(paths)
            first = crowd.first(paths)
            some = met.counts() > 0
            assert_same(met.ids[met.offsets[:-1][some]], first.ids[some])
            assert_same(met.times[met.offsets[:-1][some]], first.times[some])
            # Without the first of each comes the second.
            later = crowd.meetings(paths, without=first.ids)
            for q in np.flatnonzero(some)[:50]:
                self.assertEqual(later[q].tolist(), met[q][1:].tolist())

    def test_rays_and_capsules(self) -> None:
        for dim in (2, 3):
            positions = lattice(200, dim)
            crowd = throng.Crowd(positions, 0.5)
            starts, ends = lattice(90, dim, seed=3), lattice(90, dim, seed=4)
            ways = ends - starts + np.float32(0.25)
            for paths in (throng.Rays(starts, ways), throng.Capsules(starts, ends, 0.5)):
                met, found, first = crowd.meetings(paths), crowd.query(paths), crowd.first(paths)
                self.assertGreater(len(met.ids), 30)
                for q in range(90):
                    self.assertEqual(sorted(met[q].tolist()), sorted(found[q].tolist()))
                    order = list(zip(met.times_of(q).tolist(), met[q].tolist()))
                    self.assertEqual(order, sorted(order))
                    if order:
                        self.assertEqual(order[0], (first.times[q], first.ids[q]))

    def test_in_a_periodic_world(self) -> None:
        crowd = throng.Crowd([(1, 5), (8, 5)], 0.5, bounds=((0, 0), (10, 10)), cell=1, periodic=True)
        met = crowd.meetings(throng.Segments([(6.5, 5)], [(26.5, 5)])) # twice around
        self.assertEqual(met[0].tolist(), [1, 0])
        np.testing.assert_allclose(met.times_of(0), [1 / 20, 4 / 20], rtol=1e-6)

    def test_of_snapshots_and_none(self) -> None:
        published = throng.PublishedCrowd(lattice(50, 2), 0.5)
        snapshot = acquired(published)
        path = throng.Segments([(0, 0)], [(24, 24)])
        self.assertGreater(len(snapshot.meetings(path)[0]), 0)
        none = throng.Crowd(dim=2).meetings(path)
        self.assertEqual((len(none), none[0].tolist(), none.times_of(-1).tolist()), (1, [], []))
        empty = np.zeros((0, 2), np.float32)
        self.assertEqual(len(snapshot.meetings(throng.Segments(empty, empty))), 0)
        self.assertIn("1 paths", repr(none))
        self.assert_refused(IndexError, [], none.times_of, 1)

    def test_refused(self) -> None:
        crowd = throng.Crowd(lattice(50, 2), 0.5)
        starts = lattice(200, 2)
        self.assert_refused(TypeError, ["paths:"], crowd.meetings, throng.Balls(starts, 1.0))
        ends = starts + np.float32(1)
        ends[130] = np.nan
        error = self.assert_refused(throng.Error, ["segment[130]"], crowd.meetings,
                                    throng.Segments(starts, ends))
        self.assertEqual(error.index, 130)
        self.assert_refused(ValueError, ["groups"], crowd.meetings,
                            throng.Segments(starts, starts), groups=np.ones(3, np.uint32))
