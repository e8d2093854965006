"""Crowds over many processes, as far as one process goes: `ctest -R '^mpi'` has jobs of several."""

from __future__ import annotations

import tempfile

import job
import numpy as np
from support import TestCase

import throng
import throng.distributed as td


class OneProcess(job.Job):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())


class Refusals(TestCase):
    def setUp(self) -> None:
        self.refuse_conversions()
        self.settings = {"bounds": ((0, 0), (8, 8)), "cell": 1.0, "reach": 1.0}
        self.crowd = td.Crowd(None, **self.settings)
        self.ids = np.arange(3, dtype=np.uint64)
        self.places = np.ones((3, 2), np.float32)

    def test_settings(self) -> None:
        for wrong, word in (
            ({"cell": 0.0}, "cell"),
            ({"reach": -1.0}, "reach"),
            ({"imbalance": 0.5}, "imbalance"),
            ({"most_agents": 0.5}, "most_agents"),
            ({"half_extent": 2.0}, "half_extents"),
            ({"periodic": True, "reach": 4.0}, "reach"),
        ):
            self.assert_refused(throng.Error, [word], td.Crowd, None, **{**self.settings, **wrong})
        flat = {**self.settings, "bounds": ((0,), (8,))}
        self.assert_refused(ValueError, ["bounds"], td.Crowd, None, **flat)

    def test_a_world_that_wraps(self) -> None:
        places = np.array([[0.25, 4], [7.75, 4]], np.float32)
        for periodic, near in ((False, 0), (True, 1), ((True, False), 1), ((False, True), 0)):
            crowd = td.Crowd(None, **{**self.settings, "periodic": periodic})
            crowd.update(td.Share(self.ids[:2], places))
            self.assertEqual(crowd.count_neighbours(1.0).tolist(), [near, near])

    def test_patience(self) -> None:
        for patience in (-1.0, float("nan")):
            settings = {**self.settings, "patience": patience}
            self.assert_refused(ValueError, ["patience"], td.Crowd, None, **settings)
        share = td.Share(self.ids, self.places)
        self.assert_refused(ValueError, ["patience"], td.load, None, "none", share, patience=-1.0)

    def test_arrays(self) -> None:
        def update(**arrays: object) -> None:
            share = td.Share(**{"ids": self.ids, "positions": self.places, **arrays})
            self.crowd.update(share)

        update()
        self.assert_refused(TypeError, ["ids"], update, ids=self.ids.astype(np.int64))
        self.assert_refused(TypeError, ["positions"], update, positions=self.places.astype(float))
        self.assert_refused(ValueError, ["positions"], update, positions=self.places.ravel())
        self.assert_refused(throng.Error, ["positions"], update, ids=self.ids[:2])
        self.assert_refused(throng.Error, ["groups"], update, groups=np.ones(3, np.uint32))
        self.assert_refused(throng.Error, ["half_extents"], update, half_extents=self.places)
        self.assert_refused(ValueError, ["columns"], update, speed=np.ones(2))
        self.assert_refused(TypeError, ["speed"], update, speed=np.array([None] * 3))
        self.assert_refused(ValueError, ["with_owner"], update, with_owner=["speed"])
        flat = td.Share(self.ids, np.ones((3, 3), np.float32))
        self.assert_refused(ValueError, ["2 dimensions"], self.crowd.update, flat)

    def test_shares(self) -> None:
        share = td.Share(self.ids, self.places, speed=np.ones(3))
        self.crowd.update(share)
        self.assertEqual(share.columns, ("speed",))
        self.assert_refused(ValueError, ["kept"], share.keep_only, np.array([1, 0], np.uint32))
        self.assert_refused(ValueError, ["kept"], share.keep_only, np.array([3], np.uint32))
        self.assert_refused(ValueError, ["kept"], share.keep_only, np.ones(2, bool))
        self.assert_refused(ValueError, ["columns"], share.append, self.ids, self.places)
        self.assert_refused(
            TypeError, ["speed"], share.append, self.ids, self.places, speed=np.ones(3, int)
        )
        self.assertEqual(len(share), 3)
        with self.assertRaises(TypeError):
            share["speed"] = np.ones(3, np.float32)
        share.positions = self.places[:1]
        share.ids = self.ids[:1]
        share["speed"] = np.ones(1)
        self.assert_refused(ValueError, ["keep_only"], self.crowd.update, share)
        self.assertIn("3 owned", repr(share))

    def test_deaths_where_arrays_are_not_as_long(self) -> None:
        crowd = td.Crowd(None, own_half_extents=True, groups=True, **self.settings)
        share = td.Share(
            self.ids,
            self.places,
            half_extents=np.full((3, 2), 0.25, np.float32),
            groups=np.ones(3, np.uint32),
        )
        crowd.update(share)
        for name in ("ids", "half_extents", "groups"):
            whole = getattr(share, name)
            for length in (0, 1):
                setattr(share, name, whole[:length])
                self.assert_refused(ValueError, [name], share.keep_only, np.array([0, 2], np.uint32))
            setattr(share, name, whole)
        self.assertEqual(share.owned, 3)
        share.keep_only(np.array([0, 2], np.uint32))
        self.assertEqual(share.ids.tolist(), [0, 2])

    def test_questions(self) -> None:
        share = td.Share(self.ids, self.places)
        balls = throng.Balls(self.places, 1.0)
        self.crowd.update(share)
        self.assert_refused(TypeError, ["paths"], self.crowd.first, balls)
        self.assert_refused(TypeError, ["without"], self.crowd.query, balls, without=self.places)
        self.assert_refused(ValueError, ["without"], self.crowd.query, balls, without=self.ids[:1])
        wrong = throng.Balls(self.places, -1.0)
        self.assert_refused(throng.Error, ["ball[0]"], self.crowd.count, wrong, cause="negative")
        self.assert_refused(throng.Error, ["counts"], self.crowd.balance, np.ones(2, np.uint32))
        self.assert_refused(ValueError, ["point"], self.crowd.owner_of, (np.nan, 1.0))
        self.assert_refused(ValueError, ["sets"], self.crowd.query, balls, sets=8)
        self.assert_refused(ValueError, ["sets"], self.crowd.count_pairs, sets=32)
        self.assert_refused(ValueError, ["body"], self.crowd.pairs, body="cube")
        self.assert_refused(TypeError, ["positions"], self.crowd.set_statics, self.places.astype(float))
        self.assert_refused(throng.Error, ["statics"], self.crowd.set_statics, self.places * np.float32(np.nan))
        self.assertIn("rank 0 of 1", repr(self.crowd))

    def test_without_mpi(self) -> None:
        class NoCommunicator:
            def py2f(self) -> int:
                raise RuntimeError("asked")

        with self.assertRaises((ImportError, RuntimeError)):
            td.Crowd(NoCommunicator(), **self.settings)
