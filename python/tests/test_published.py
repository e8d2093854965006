"""Crowds that are asked while they are updated."""

from __future__ import annotations

import threading

import numpy as np
from support import TestCase, acquired, assert_same, lattice, together

import throng


class Published(TestCase):
    def test_frames(self) -> None:
        for dim in (2, 3):
            published = throng.PublishedCrowd(dim=dim, threads=2)
            self.assertIsNone(published.acquire())
            self.assertIn("nothing published", repr(published))
            positions = lattice(200, dim)
            published.set_statics(positions[:3], 1.0)
            published.update(positions, 0.5)
            snapshot = acquired(published)
            self.assertEqual((snapshot.frame, snapshot.dim, len(snapshot)), (1, dim, 200))
            self.assertEqual(snapshot.threads, 2)
            self.assertIn("frame 1", repr(published))
            self.assertIn("200 agents", repr(snapshot))
            crowd = throng.Crowd(positions, 0.5)
            crowd.set_statics(positions[:3], 1.0)
            crowd.update(positions, 0.5)
            ids = crowd.query_balls(positions, 4.0).ids
            assert_same(snapshot.query_balls(positions, 4.0).ids, ids)
            assert_same(snapshot.pairs().first, crowd.pairs().first)
            published.update(positions[:9])
            self.assertEqual(len(snapshot), 200)
            later = acquired(published)
            self.assertEqual((later.frame, len(later)), (2, 9))
            same = throng.Crowd.from_bytes(snapshot.to_bytes())
            self.assertEqual(same.stats(), snapshot.stats())
            del published, later
            assert_same(snapshot.query_balls(positions, 4.0).ids, ids)

    def test_refused_updates_publish_nothing(self) -> None:
        positions = lattice(100, 2)
        published = throng.PublishedCrowd(positions, memory_cap=1_000_000)
        bad = positions.copy()
        bad[5] = np.nan
        self.assert_refused(throng.Error, ["positions[5]"], published.update, bad)
        self.assert_refused(TypeError, ["positions:"], published.update, positions.astype("c8"))
        self.assert_refused(MemoryError, ["cap"], published.update, lattice(100_000, 2))
        snapshot = acquired(published)
        self.assertEqual((snapshot.frame, len(snapshot)), (1, 100))
        del published # the snapshot keeps the budget that its memory is from
        self.assertEqual(len(snapshot.query_balls(positions, 100.0).ids), 10_000)

    def test_edits(self) -> None:
        for world in ({}, {"origin": (1e6, 1e6)}, {"bounds": ((0, 0), (40, 40)), "periodic": True}):
            positions = lattice(400, 2) + (1e6 if "origin" in world else 0)
            published = throng.PublishedCrowd(positions, 0.5, **world)
            published.set_statics(positions[:9], 2.0)
            crowd = throng.Crowd(positions, 0.5, **world)
            crowd.set_statics(positions[:9], 2.0)
            crowd.update(positions, 0.5)
            published.update(positions, 0.5)
            held = acquired(published)
            before = held.to_bytes()
            first = throng.FIRST_STATIC
            for step in range(6):
                ids = np.arange(step, 400, 57, np.uint32)
                edits = {
                    "erase": [first + step],
                    "move": (ids, positions[ids] + 0.25),
                    "insert": ([400 + step], positions[step : step + 1]),
                }
                published.edit(**edits)
                crowd.edit(**edits)
                self.assertEqual(acquired(published).to_bytes(), crowd.to_bytes())
            self.assertEqual(held.to_bytes(), before)
            published.edit_statics(insert=([first], positions[:1], 1.0))
            published.edit()
            self.assertEqual(acquired(published).stats().statics, crowd.stats().statics + 1)
            frame = acquired(published).frame
            self.assert_refused(throng.Error, ["edits[1]"], published.edit, erase=[7, 7])
            self.assert_refused(throng.Error, ["edits[0]"], published.edit_statics, erase=[7])
            self.assert_refused(TypeError, ["move"], published.edit, move=3)
            self.assertEqual(acquired(published).frame, frame)

    def test_readers_never_see_half_a_frame(self) -> None:
        # In frame f there are f agents, all at (f, f).
        published = throng.PublishedCrowd(bounds=((0, 0), (300, 300)), cell=4)
        done = threading.Event()

        def update() -> None:
            for frame in range(1, 200):
                published.update(np.full((frame, 2), frame, np.float32))
            done.set()

        def read() -> None:
            last = 0
            while not done.is_set():
                snapshot = published.acquire()
                if snapshot is None:
                    continue
                frame = snapshot.frame
                assert frame >= last and len(snapshot) == frame
                at = np.full((1, 2), frame, np.float32)
                assert snapshot.count(throng.Balls(at, 0))[0] == frame
                last = frame

        together(update, read, read, read)
        self.assertLessEqual(published.frames, 5)
        published.shrink()
        self.assertLessEqual(published.frames, 2)

    def test_reserve_changes_no_frame(self) -> None:
        published = throng.PublishedCrowd(bounds=((0, 0), (300, 300)), cell=4)
        published.reserve(10_000)
        self.assertEqual(published.frames, 2)
        self.assertIsNone(published.acquire())
        published.update(np.full((7, 2), 5, np.float32))
        published.reserve(20_000)
        snapshot = acquired(published)
        self.assertEqual((snapshot.frame, len(snapshot)), (1, 7))
        self.assert_refused(ValueError, ["agents asks for more"], published.reserve, 2**31)
        self.assert_refused(TypeError, ["agents"], published.reserve, "many")

    def test_several_update(self) -> None:
        published = throng.PublishedCrowd(dim=2)

        def update() -> None:
            for count in range(1, 50):
                published.update(np.zeros((count, 2), np.float32))

        together(update, update, update)
        snapshot = acquired(published)
        self.assertEqual(snapshot.frame, 147)
