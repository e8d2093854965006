"""Numbers of other types, lists and single points are taken, too."""

from __future__ import annotations

import array
import importlib.util
from typing import Any

import numpy as np
from support import TestCase, assert_same, in_balls, lattice

import throng


class Exporter:
    """An array that speaks one protocol, and is no NumPy array."""

    def __init__(self, values: Any, name: str) -> None:
        self._values = values
        setattr(self, name, getattr(values, name))


def forms(positions: Any) -> Any:
    """The same positions, of types that are not those of the library."""
    for name in ("float64", "float16", "int32", "int64", "uint8", "longdouble"):
        yield name, positions.astype(name)
    yield "other byte order", positions.astype(positions.dtype.newbyteorder())
    yield "list of tuples", [tuple(row) for row in positions.tolist()]
    yield "list of lists of whole numbers", positions.astype(int).tolist()
    yield "list of arrays", list(positions)
    yield "memoryview of doubles", memoryview(positions.astype(np.float64))
    yield "array interface", Exporter(positions.astype(np.float64), "__array_interface__")
    yield "a column each, of doubles", tuple(positions.T.astype(np.float64))
    yield "a list each", tuple(positions.T.tolist())
    yield "plain arrays", tuple(array.array("d", column) for column in positions.T.tolist())
    if importlib.util.find_spec("torch") is not None:
        import torch

        yield "torch", torch.from_numpy(positions)
        yield "torch, doubles", torch.from_numpy(positions.astype(np.float64))


class DLPack:
    """Nothing but __dlpack__."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def __dlpack__(self, **named: Any) -> Any:
        return self.values.__dlpack__(**named)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()


class Conversions(TestCase):
    def test_every_form_gives_the_same_answers(self) -> None:
        for dim in (2, 3):
            positions = lattice(200, dim)
            expected = throng.Crowd(positions).query_balls(positions, 3.0)
            self.assert_hits(expected, in_balls(positions, positions, 3))
            for name, same in [*forms(positions), ("dlpack", DLPack(positions))]:
                with self.subTest(name, dim=dim):
                    hits = throng.Crowd(same).query_balls(same, 3.0)
                    assert_same(hits.offsets, expected.offsets)
                    assert_same(hits.ids, expected.ids)
                    again = throng.PublishedCrowd(same).acquire().query_balls(same, 3.0)
                    assert_same(again.ids, expected.ids)

    def test_one_point_is_one_question(self) -> None:
        for dim in (2, 3):
            positions = lattice(100, dim)
            crowd = throng.Crowd(positions, 0.5)
            one = positions[:1]
            expected = crowd.query_balls(one, 4.0)[0]
            row = one[0]
            for point in (row, row.astype("f8"), row.tolist(), tuple(row.tolist()), row[::-1][::-1]):
                hits = crowd.query_balls(point, 4.0)
                self.assertEqual(len(hits), 1)
                assert_same(hits[0], expected)
                near = crowd.nearest(point, 3)
                assert_same(near.ids, crowd.nearest(one, 3).ids)
            up = (0,) * (dim - 1) + (1,)
            first = crowd.first(throng.Rays(tuple(row.tolist()), up, 50))
            self.assertEqual(first[0], crowd.first(throng.Rays(one, np.array([up], "f4"), 50))[0])
            # Of a crowd it would be a mistake.
            self.assert_refused(ValueError, ["positions:", f"({dim},)"], crowd.update, row)
            self.assert_refused(TypeError, ["positions:"], crowd.update, tuple(row.tolist()))

    def test_values(self) -> None:
        positions = lattice(60, 2)
        crowd = throng.Crowd(positions)
        radii = np.arange(60) / 16
        expected = crowd.query_balls(positions, radii.astype(np.float32))
        for same in (radii, radii.tolist(), tuple(radii), radii.astype(np.float16)):
            assert_same(crowd.query_balls(positions, same).ids, expected.ids)
        half = radii / 8
        crowd.update(positions, half.astype(np.float32))
        expected = crowd.query(throng.Boxes(positions, positions))
        for extents in (half, half.tolist(), np.stack((half, half), 1).tolist()):
            crowd.update(positions, extents)
            hits = crowd.query(throng.Boxes(positions.tolist(), positions.astype("f8")))
            assert_same(hits.ids, expected.ids)
        masks = np.arange(60) % 4
        crowd.update(positions, None, masks.astype(np.uint32))
        expected = crowd.query(throng.Balls(positions, 3.0), groups=2)
        for groups in (masks, masks.tolist(), masks.astype(np.uint8)):
            crowd.update(positions, None, groups)
            hits = crowd.query(throng.Balls(positions, 3.0), groups=2)
            assert_same(hits.ids, expected.ids)
        crowd.edit(erase=[3, 5], move=([7], [(1, 1)]), insert=([3], [(2.5, 2)], None, [6]))
        self.assertNotIn(5, crowd)
        self.assertEqual(crowd.nearest((2.5, 2.0), 1).ids[0, 0], 3)
        corners = [[(0, 0), (9, 0), (0, 9)]]
        self.assertEqual(
            crowd.count(throng.Polygons(corners))[0],
            crowd.count(throng.Polygons(np.array(corners, np.float32)))[0],
        )

    def test_world_coordinates(self) -> None:
        # Of a crowd with an origin, what is converted is a place of the world, like Python's own numbers.
        crowd = throng.Crowd(origin=(1e9, 1e9))
        world = [(1e9 + 1, 1e9 + 2), (1e9 + 3, 1e9 + 4)]
        crowd.update(world)
        self.assertEqual(crowd.query_balls(world[1], 0.5)[0].tolist(), [1])
        self.assertEqual(crowd.query_balls([(10**9 + 1, 10**9 + 2)], 0.5)[0].tolist(), [0])
        self.assertEqual(crowd.query_balls(np.float32([[3, 4]]), 0.5)[0].tolist(), [1])

    def test_empty_lists(self) -> None:
        crowd = throng.Crowd([], dim=2)
        self.assertEqual(len(crowd), 0)
        self.assertEqual(len(crowd.query_balls([], 1.0)), 0)
        crowd.update([(1, 2)])
        crowd.update([], [], [])
        self.assertEqual(len(crowd), 0)

    def test_arrays_that_fit_are_not_copied(self) -> None:
        one = np.array([2], np.float32)
        same = np.lib.stride_tricks.as_strided(one, (1_000_000, 2), (0, 0), writeable=False)
        self.assertTrue(throng.set_conversions(True))
        self.refuse_conversions()
        self.assertEqual(len(throng.Crowd(same, bounds=((0, 0), (4, 4)), cell=1)), 1_000_000)

    def test_what_is_no_array_of_numbers(self) -> None:
        good = lattice(10, 2)
        crowd = throng.Crowd(good)
        cases: Any = [
            (TypeError, good.astype(object), ["object"]),
            (TypeError, good.astype(np.complex64), ["complex64"]),
            (TypeError, good.astype(bool), ["bool"]),
            (TypeError, good.astype(str), ["<U"]),
            (TypeError, [("1", "2")], ["list of length 1", "numpy.asarray"]),
            (TypeError, [(1, 2), (3,)], ["list of length 2"]),
            (TypeError, [(1, None)], ["list"]),
            (TypeError, {"x": 1}, ["dict"]),
            (TypeError, None, ["NoneType"]),
            (TypeError, b"positions", ["bytes"]),
            (TypeError, np.ma.masked_array(good), ["masked", "compressed"]),
            (TypeError, (good[:, 0], np.ma.masked_array(good[:, 1])), ["masked"]),
            (ValueError, [(1, 2, 3)], ["list of length 1"]),
            (ValueError, good.astype("f8").T, ["(2, 10)"]),
        ]
        for kind, bad, words in cases:
            with self.subTest(repr(bad)[:60]):
                self.assert_refused(kind, ["positions:", *words], crowd.update, bad)
                self.assertEqual(len(crowd), 10)
        words = ["radii:", "masked"]
        masked = np.ma.masked_array(np.ones(10, np.float32), [True] + [False] * 9)
        self.assert_refused(TypeError, words, crowd.query_balls, good, masked)
        # Too large for a float32 is not finite, and NaN stays NaN: the library names the agent.
        far = good.astype(np.float64)
        far[4, 1] = 1e300
        self.assert_refused(throng.Error, ["positions[4]"], crowd.update, far)
        far[4, 1] = np.nan
        self.assert_refused(throng.Error, ["positions[4]"], crowd.update, far)
        whole = np.arange(10)
        for bad_mask, words in (
            (whole - 1, ["groups[0]", "-1"]),
            (whole + 2**32 - 5, ["groups[5]", "4294967296"]),
        ):
            self.assert_refused(ValueError, words, crowd.update, good, None, bad_mask)
        self.assert_refused(TypeError, ["groups:"], crowd.update, good, None, whole.astype("f4"))
        self.assert_refused(ValueError, ["erase[1]", "-3"], crowd.edit, erase=[1, -3])
        self.assert_refused(TypeError, ["erase:"], crowd.edit, erase=[1.5])
        self.assertEqual(len(crowd), 10)

    def test_numbers_that_are_no_ids(self) -> None:
        # Cut to 32 bits, or to whole numbers, each would be the name of agent 2, or of the last one.
        positions = lattice(10, 2)
        crowd = throng.Crowd(positions)
        obstacles = throng.Obstacles(throng.Boxes(positions, positions + 1))
        box = throng.Boxes(positions[:1], positions[:1] + 1)
        before = crowd.to_bytes()
        for id in (2**32 + 2, 2**64 + 2, -1, 2 - 2**32, np.int64(2**32 + 2), np.int32(-1)):
            self.assert_refused(ValueError, ["id:"], crowd.insert, id, (5, 5))
            self.assert_refused(ValueError, ["id:"], crowd.erase, id)
            self.assert_refused(ValueError, ["id:"], crowd.move, id, (5, 5))
            self.assertNotIn(id, crowd)
            self.assert_refused(ValueError, ["id:"], crowd.handle_of, id)
            self.assert_refused(ValueError, ["id:"], obstacles.insert, id, box)
            self.assert_refused(ValueError, ["id:"], obstacles.replace, id, box)
            self.assert_refused(ValueError, ["id:"], obstacles.erase, id)
            self.assertNotIn(id, obstacles)
            self.assert_refused(ValueError, ["without:"], crowd.query_balls, positions, 1.0, without=id)
        for id in (2.0, np.float32(2), "2", None):
            for one in (crowd, obstacles):
                self.assert_refused(TypeError, ["id:"], one.erase, id)
        # Of int64, as NumPy makes them; the same ids in range are taken.
        for bad in (2**32 + 2, -1):
            ids = np.array([1, bad])
            for some in (ids, ids.tolist(), ids[::-1][::-1]):
                words = ["[1]", str(bad)]
                self.assert_refused(ValueError, words, crowd.edit, erase=some)
                self.assert_refused(ValueError, words, crowd.edit, move=(some, positions[:2]))
                self.assert_refused(ValueError, words, crowd.edit, insert=(some, positions[:2]))
                self.assert_refused(
                    ValueError, words, crowd.query_balls, positions[:2], 1.0, without=some
                )
        self.assertEqual(crowd.to_bytes(), before)
        self.assertEqual(len(obstacles), 10)
        crowd.edit(erase=np.array([1, 9]))
        self.assertEqual(len(crowd), 8)


class SomeHits(TestCase):
    def setUp(self) -> None:
        self.positions = lattice(50, 2, side=12)
        self.crowd = throng.Crowd(self.positions)
        self.hits = self.crowd.neighbours(2.0)
        self.assertIn(0, self.hits.counts())
        self.assertGreater(len(self.hits.ids), 50)

    def assert_are(self, some: throng.Hits, questions: Any) -> None:
        self.assertEqual(len(some), len(questions))
        self.assertEqual(some.offsets.dtype, np.uint64)
        for ids, question in zip(some, questions):
            assert_same(ids, self.hits[int(question)])
        self.assertEqual(len(some.ids), sum(len(ids) for ids in some))

    def test_slices(self) -> None:
        numbers = range(50)
        for cut in (
            slice(None), slice(2, 4), slice(4, 2), slice(-3, None), slice(None, None, 3),
            slice(40, 3, -4), slice(0, 0), slice(60, 70), slice(50, 50),
        ): # fmt: skip
            self.assert_are(self.hits[cut], numbers[cut])
        self.assertTrue(np.shares_memory(self.hits[2:9].ids, self.hits.ids))

    def test_arrays(self) -> None:
        for some in ([3, 1, 1, 49], np.array([3, -1, 0]), np.array([7], np.uint8), [], np.array([], int)):
            self.assert_are(self.hits[some], np.arange(50)[np.asarray(some, int)])
        few = self.hits.counts() < 3
        self.assert_are(self.hits[few], np.flatnonzero(few))
        for bad in ([50], [-51], np.array([0.5]), np.array([[1]]), few[:49], ["1"]):
            with self.assertRaises(IndexError):
                self.hits[bad]

    def test_edge_index(self) -> None:
        edges = self.hits.to_edge_index()
        self.assertEqual((edges.shape, edges.dtype), ((2, len(self.hits.ids)), np.int64))
        assert_same(edges[0], self.hits.ids)
        assert_same(edges[1], self.hits.questions())

    def test_csr(self) -> None:
        if importlib.util.find_spec("scipy") is None:
            self.skipTest("lacks scipy")
        matrix = self.hits.to_csr()
        self.assertEqual(matrix.shape, (50, 50))
        self.assertTrue(np.shares_memory(matrix.indices, self.hits.ids))
        wanted = np.zeros((50, 50))
        wanted[self.hits.questions(), self.hits.ids] = 1
        assert_same(matrix.toarray(), wanted)
        x = self.positions[:, 0]
        sums = [x[ids].sum() for ids in self.hits]
        assert_same(matrix @ x, np.float32(sums))
        values = np.arange(len(self.hits.ids), dtype=np.float64)
        self.assertEqual(self.hits.to_csr(values, columns=70).sum(), values.sum())
        self.assertEqual(self.hits.to_csr(columns=2**40).shape, (50, 2**40))
        self.assertEqual(self.hits[:0].to_csr().shape, (0, 0))
        self.assert_refused(ValueError, ["columns"], self.hits.to_csr, None, 3)
        self.assert_refused(ValueError, ["values"], self.hits.to_csr, values[1:])
