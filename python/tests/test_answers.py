"""Results are arrays that own their memory, which is used again when they are gone."""

from __future__ import annotations

import gc

import numpy as np
from support import TestCase, assert_same, lattice

import throng


class Results(TestCase):
    def setUp(self) -> None:
        self.positions = lattice(100, 2)
        self.crowd = throng.Crowd(self.positions, 0.5)

    def test_hits_are_a_sequence(self) -> None:
        hits = self.crowd.query_balls(self.positions[:3], 5.0)
        offsets, ids = hits.arrays
        self.assertEqual((offsets.dtype, ids.dtype), (np.dtype(np.uint64), np.dtype(np.uint32)))
        self.assertEqual(len(hits), 3)
        parts = list(hits)
        self.assertEqual(len(parts), 3)
        for q, part in enumerate(parts):
            assert_same(hits[q], part)
            assert_same(hits[q - 3], part)
        assert_same(np.concatenate(parts), ids)
        assert_same(hits.counts(), [len(part) for part in parts])
        assert_same(hits.questions(), np.repeat([0, 1, 2], hits.counts()))
        for bad in (3, -4):
            with self.assertRaises(IndexError):
                hits[bad]
        for bad in ("0", (1, 2), 1.0):
            with self.assertRaisesRegex(TypeError, "integer"):
                hits[bad]
        self.assertIn(f"{len(ids)} ids for 3 questions", repr(hits))
        # As an index, without a conversion.
        self.assertEqual(self.positions[hits[0]].shape, (len(hits[0]), 2))

    def test_pairs_and_path_hits(self) -> None:
        pairs = self.crowd.pairs()
        first, second = pairs.arrays
        self.assertEqual(len(pairs), len(first))
        self.assertEqual(pairs[0], (first[0], second[0]))
        self.assertEqual(list(pairs), list(zip(first, second)))
        self.assertEqual(list(pairs[2:4]), list(pairs)[2:4])
        self.assertIn(str(len(pairs)), repr(pairs))
        path = throng.Segments(self.positions[:4], self.positions[:4])
        path_hits = self.crowd.first(path)
        ids, times = path_hits.arrays
        self.assertEqual(list(path_hits), list(zip(ids, times)))
        self.assertEqual(path_hits[1], (ids[1], times[1]))
        self.assertEqual(len(path_hits), 4)
        self.assertIn("4 paths", repr(path_hits))
        nearest = self.crowd.nearest(self.positions[:4], 3)
        distances2, ids = nearest.arrays
        self.assertEqual((distances2.shape, ids.shape), ((4, 3), (4, 3)))
        self.assertIn("3 nearest for 4 questions", repr(nearest))


class Memory(TestCase):
    def test_answers_outlive_everything(self) -> None:
        positions = lattice(1000, 2)
        crowd = throng.Crowd(positions, 0.5)
        expected = crowd.query_balls(positions, 5.0).ids.copy()
        part = crowd.query_balls(positions, 5.0)[7]
        before = part.copy()
        ids = crowd.query_balls(positions, 5.0).ids
        for other in (crowd.query_balls(positions + 1, 3.0), crowd.neighbours(2.0), crowd.pairs()):
            del other
        assert_same(ids, expected)
        crowd.update(positions[:10])
        crowd.release()
        del crowd
        gc.collect()
        assert_same(ids, expected)
        assert_same(part, before)
        ids[:] = 0 # they are the caller's

    def test_memory_comes_back(self) -> None:
        positions = lattice(1000, 2)
        crowd = throng.Crowd(positions, 0.5)
        for ask in (
            lambda: crowd.query_balls(positions, 5.0).ids,
            lambda: crowd.neighbours(5.0).ids,
            lambda: crowd.pairs().first,
            lambda: crowd.nearest(positions, 4).ids,
            lambda: crowd.count_neighbours(5.0),
            lambda: crowd.any(throng.Balls(positions, 1.0)),
            lambda: crowd.first(throng.Segments(positions, positions)).ids,
        ):
            for _ in range(3):
                del_me = ask()
                del del_me
            answer = ask()
            where = answer.ctypes.data
            self.assertNotEqual(ask().ctypes.data, where) # it is not lent twice
            before = crowd.memory().answers
            held = answer[:1] # a part holds the whole
            del answer
            self.assertEqual(crowd.memory().answers, before)
            del held
            self.assertGreater(crowd.memory().answers, before)
            self.assertEqual(ask().ctypes.data, where)
        crowd.release()
        memory = crowd.memory()
        self.assertEqual((memory.answers, memory.scratch, memory.staging), (0, 0, 0))

    def test_a_steady_frame_touches_no_new_page(self) -> None:
        import resource

        positions = lattice(100_000, 2, side=316)
        crowd = throng.Crowd(positions, 0.25)

        def frame() -> None:
            crowd.update(positions, 0.25)
            crowd.pairs()
            crowd.nearest(positions, 4)
            # Too many for malloc, which would keep less without any doing of ours.
            self.assertGreater(len(crowd.neighbours(6.0).ids), 10_000_000)

        for _ in range(5):
            frame()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(5):
            frame()
        # Without reuse, the answers of five frames would touch some fifty thousand new pages.
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before, 1000)

    def test_refused_calls_leak_nothing(self) -> None:
        import sys

        positions = lattice(10, 2)
        crowd = throng.Crowd(positions)
        wrong = positions.astype("c8")
        counts = sys.getrefcount(positions), sys.getrefcount(wrong)
        for _ in range(100):
            for call in (
                lambda: crowd.query_balls(positions, wrong),
                lambda: crowd.query_boxes(positions, wrong),
                lambda: crowd.update(positions, wrong),
                lambda: crowd.query(throng.Balls(positions, 1.0), groups=wrong),
                lambda: crowd.count(throng.Balls(positions, 1.0), out=wrong),
            ):
                self.assert_refused((TypeError, ValueError), [], call)
        self.assertEqual((sys.getrefcount(positions), sys.getrefcount(wrong)), counts)
        grows = bytearray(40)
        view = memoryview(grows).cast("f", (5, 2))
        crowd.update(view)
        view.release()
        grows.append(0) # no array holds it any more
