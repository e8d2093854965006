"""Arrays are read where they lie, and arrays that do not fit are refused."""

from __future__ import annotations

import array
from typing import Any

import numpy as np
from support import TestCase, assert_same, in_balls, lattice

import throng


def layouts(positions: Any) -> Any:
    """The same positions, in every layout."""
    count, dim = positions.shape
    yield "rows", positions
    yield "columns", np.asfortranarray(positions)
    yield "negative strides", np.ascontiguousarray(positions[::-1, ::-1])[::-1, ::-1]
    wide = np.full((count, dim + 3), np.nan, np.float32)
    wide[:, 2 : 2 + dim] = positions
    yield "a part of wider rows", wide[:, 2 : 2 + dim]
    sparse = np.full((count * 5, dim), np.nan, np.float32)
    sparse[::5] = positions
    yield "every fifth row", sparse[::5]
    huge = np.full((count, 4096), np.nan, np.float32)
    huge[:, :dim] = positions
    yield "rows of four pages", huge[:, :dim]
    fields = np.zeros(count, [("name", "u1"), ("at", np.float32, (dim,))])
    fields["at"] = positions
    yield "unaligned, in records", fields["at"]
    read_only = positions.copy()
    read_only.flags.writeable = False
    yield "read-only", read_only
    yield "memoryview", memoryview(positions)
    plain = array.array("f", positions.ravel().tolist())
    yield "array.array", memoryview(plain).cast("B").cast("f", (count, dim))
    yield "an array for each axis", tuple(np.ascontiguousarray(positions[:, a]) for a in range(dim))
    yield "a view for each axis", tuple(positions[:, a] for a in range(dim))
    yield "plain arrays", tuple(array.array("f", positions[:, a].tolist()) for a in range(dim))


class Layouts(TestCase):
    def test_every_layout_gives_the_same_answers(self) -> None:
        for dim in (2, 3):
            positions = lattice(300, dim)
            expected = throng.Crowd(positions).query_balls(positions, 3.0)
            self.assert_hits(expected, in_balls(positions, positions, 3))
            for name, same in layouts(positions):
                with self.subTest(name, dim=dim):
                    hits = throng.Crowd(same, dim=dim).query_balls(same, 3.0)
                    assert_same(hits.offsets, expected.offsets)
                    assert_same(hits.ids, expected.ids)

    def test_nothing_is_copied_or_written(self) -> None:
        # A million agents whose positions are all the same four bytes.
        one = np.array([2], np.float32)
        same = np.lib.stride_tricks.as_strided(one, (1_000_000, 2), (0, 0), writeable=False)
        crowd = throng.Crowd(same, bounds=((0, 0), (4, 4)), cell=1)
        self.assertEqual(crowd.count(throng.Balls(same[:1], 0.0))[0], 1_000_000)

    def test_values_for_all_or_each(self) -> None:
        positions = lattice(200, 2)
        crowd = throng.Crowd(positions)
        radii = np.arange(200, dtype=np.float32) / 20
        self.assert_hits(crowd.query_balls(positions, radii), in_balls(positions, positions, radii))
        back = crowd.query_balls(positions, radii[::-1])
        self.assert_hits(back, in_balls(positions, positions, radii[::-1]))
        for three in (3, 3.0, np.float32(3), np.float64(3), np.int64(3), np.array(3.0)):
            hits = crowd.query_balls(positions, three)
            self.assert_hits(hits, in_balls(positions, positions, 3))

    def test_empty(self) -> None:
        none = np.empty((0, 2), np.float32)
        crowd = throng.Crowd(none)
        self.assertEqual(len(crowd), 0)
        hits = crowd.query_balls(none, 1.0)
        self.assertEqual((len(hits), hits.offsets.tolist(), hits.ids.tolist()), (0, [0], []))
        self.assertEqual(len(crowd.neighbours(1.0)), 0)
        self.assertEqual(len(crowd.pairs()), 0)
        self.assertEqual(crowd.count(throng.Balls(none, 1.0)).tolist(), [])
        self.assertEqual(crowd.nearest(none, 3).ids.shape, (0, 3))
        self.assertEqual(len(crowd.first(throng.Rays(none, none))), 0)
        self.assertEqual(crowd.order().tolist(), [])
        point = np.zeros((1, 2), np.float32)
        self.assertEqual(len(crowd.query_balls(point, 1.0)[0]), 0)
        # A crowd with agents becomes an empty one.
        crowd.update(point)
        crowd.update(none, np.empty((0, 2), np.float32), np.empty(0, np.uint32))
        self.assertEqual(len(crowd), 0)


class Refused(TestCase):
    """Where nothing is converted."""

    def setUp(self) -> None:
        self.refuse_conversions()
        self.crowd = throng.Crowd(lattice(10, 2), 0.5)

    def test_positions(self) -> None:
        good = lattice(10, 2)
        cases: Any = [
            (TypeError, good.astype(np.float64), ["float64", "float32", "(10, 2)", "origin"]),
            (TypeError, good.astype(np.float16), ["float16"]),
            (TypeError, good.astype(np.int32), ["int32"]),
            (TypeError, good.astype(good.dtype.newbyteorder()), [good.dtype.newbyteorder().str]),
            (TypeError, good.astype(object), ["object"]),
            (TypeError, good.astype("datetime64[s]"), ["datetime64"]),
            (TypeError, good.astype(np.complex64), ["complex64"]),
            (TypeError, np.zeros((10, 2), [("x", "f4"), ("y", "f4")]), ["'x'"]),
            (TypeError, good.tolist(), ["list of length 10", "copy"]),
            (TypeError, None, ["NoneType"]),
            (TypeError, 3.0, ["float"]),
            (TypeError, "positions", ["str"]),
            (TypeError, b"positions", ["bytes"]),
            (ValueError, good.T, ["(2, 10)", "(n, 2)"]),
            (ValueError, lattice(10, 3), ["(10, 3)"]),
            (ValueError, good.ravel(), ["(20,)"]),
            (ValueError, good[None], ["(1, 10, 2)"]),
            (ValueError, np.float32(1), ["()"]),
            (ValueError, np.array(1, np.float32), ["()"]),
            (ValueError, np.empty((0, 0), np.float32), ["(0, 0)"]),
            (ValueError, (), ["tuple of length 0"]),
            (ValueError, (good[:, 0],), ["tuple of length 1"]),
            (ValueError, (good, good), ["(10, 2)"]),
            (ValueError, (good[:, 0], good[:9, 1]), ["10 and 9"]),
            (TypeError, (good[:, 0], good[:, 1].astype("f8")), ["float64"]),
            (TypeError, (1.0, 2.0), ["got float"]),
            (TypeError, memoryview(good.astype("f8")), ["memoryview of d"]),
        ]
        for kind, bad, words in cases:
            with self.subTest(repr(bad)[:60]):
                for call in (self.crowd.update, self.crowd.set_statics):
                    self.assert_refused(kind, ["positions:", *words], call, bad)
                self.assertEqual(len(self.crowd), 10)
                self.assertEqual(self.crowd.stats().statics, 0)

    def test_every_argument_is_named(self) -> None:
        p = lattice(4, 2)
        d = p.astype(np.float64)
        one = np.ones(4, np.float32)
        corners = np.zeros((4, 3, 2), np.float32)
        edges = np.zeros((4, 2, 2), np.float32)
        crowd = self.crowd
        cases: Any = [
            ("centres", throng.Balls(d, 1.0)),
            ("radii", throng.Balls(p, one.astype("f8"))),
            ("radii", throng.Balls(p, "1")),
            ("lo", throng.Boxes(d, p)),
            ("hi", throng.Boxes(p, d)),
            ("centres", throng.Sectors(d, 1.0, p, 0.5)),
            ("radii", throng.Sectors(p, d, p, 0.5)),
            ("directions", throng.Sectors(p, 1.0, d, 0.5)),
            ("cosines", throng.Sectors(p, 1.0, p, d)),
            ("starts", throng.Segments(d, p)),
            ("ends", throng.Segments(p, d)),
            ("origins", throng.Rays(d, p)),
            ("directions", throng.Rays(p, d)),
            ("lengths", throng.Rays(p, p, d)),
            ("starts", throng.Capsules(d, p, 1.0)),
            ("ends", throng.Capsules(p, d, 1.0)),
            ("radii", throng.Capsules(p, p, None)),
            ("centres", throng.Cylinders(d, 1.0)),
            ("radii", throng.Cylinders(p, d)),
            ("low", throng.Cylinders(p, 1.0, d)),
            ("high", throng.Cylinders(p, 1.0, 0.0, d)),
            ("up", throng.Cylinders(p, 1.0, 0.0, 1.0, 1.5)), # type: ignore[arg-type]
            ("corners", throng.Polygons(corners.astype("f8"))),
            ("centres", throng.OrientedBoxes(d, edges)),
            ("half_edges", throng.OrientedBoxes(p, edges.astype("f8"))),
        ]
        for name, shapes in cases:
            with self.subTest(shapes=type(shapes).__name__, name=name):
                self.assert_refused(TypeError, [name + ":"], crowd.query, shapes)
        short = p[:3]
        cases = [
            ("radii", throng.Balls(p, one[:3])),
            ("hi", throng.Boxes(p, short)),
            ("directions", throng.Sectors(p, 1.0, short, 0.5)),
            ("cosines", throng.Sectors(p, 1.0, p, one[:3])),
            ("ends", throng.Segments(p, short)),
            ("directions", throng.Rays(p, short)),
            ("lengths", throng.Rays(p, p, one[:3])),
            ("ends", throng.Capsules(p, short, 1.0)),
            ("radii", throng.Cylinders(p, one[:3])),
            ("high", throng.Cylinders(p, 1.0, 0.0, one[:3])),
            ("up", throng.Cylinders(p, 1.0, up=-1)),
            ("corners", throng.Polygons(corners[:, :, :1])),
            ("half_edges", throng.OrientedBoxes(p, edges[:3])),
            ("half_edges", throng.OrientedBoxes(p, edges[:, :1])),
        ]
        for name, shapes in cases:
            with self.subTest(shapes=type(shapes).__name__, name=name):
                self.assert_refused(ValueError, [name + ":"], crowd.query, shapes)
        for number, words in [(9, "corners[8] is one more"), (0, "corners are not the corners")]:
            polygons = throng.Polygons(np.zeros((4, number, 2), np.float32))
            self.assert_refused(throng.Error, [words], crowd.query, polygons)
        frusta = throng.Frusta(np.zeros((1, 7, 3), np.float32))
        self.assert_refused(ValueError, ["corners:"], throng.Crowd(dim=3).query, frusta)

    def test_other_arguments(self) -> None:
        p = lattice(10, 2)
        crowd, update = self.crowd, self.crowd.update
        ids = np.arange(10, dtype=np.uint32)
        self.assert_refused(TypeError, ["half_extents:"], update, p, p.astype("f8"))
        self.assert_refused(TypeError, ["half_extents:"], update, p, "1")
        count = " has another count than "
        self.assert_refused(throng.Error, [f"half_extents{count}positions"], update, p, p[:9])
        self.assert_refused(ValueError, ["half_extents:"], update, p, lattice(10, 3))
        self.assert_refused(ValueError, ["half_extents:"], update, p, (1.0, 2.0, 3.0))
        self.assert_refused(TypeError, ["groups:", "int64"], update, p, None, ids.astype("i8"))
        self.assert_refused(throng.Error, [f"groups{count}positions"], update, p, None, ids[:9])
        self.assert_refused(TypeError, ["groups:"], update, p, None, 3)
        # An empty array is not None.
        empty = np.empty(0, np.float32)
        self.assert_refused(throng.Error, [f"half_extents{count}positions"], update, p, empty)
        self.assert_refused(throng.Error, ["half_extents"], update, p, np.empty((0, 2), "f4"))
        self.assert_refused(TypeError, ["radius:"], crowd.neighbours, "1")
        self.assert_refused(ValueError, ["radius:", "larger"], crowd.neighbours, 10**400)
        self.assert_refused(TypeError, ["sets:", "str"], crowd.query_balls, p, 1.0, sets="small")
        self.assert_refused(TypeError, ["sets:"], crowd.pairs, 1.5)
        self.assert_refused(ValueError, ["sets:", "-1"], crowd.neighbours, 1.0, sets=-1)
        self.assert_refused(TypeError, ["data:", "str"], throng.Crowd.from_bytes, "text")
        self.assert_refused(ValueError, ["data:"], throng.Crowd.from_bytes, memoryview(b"text")[::2])
        self.assert_refused(TypeError, ["k:"], crowd.nearest, p, 1.5)
        self.assert_refused(ValueError, ["k:", "-1"], crowd.nearest, p, -1)
        self.assert_refused(TypeError, ["points:", "float64"], crowd.nearest, p.astype("f8"))
        self.assert_refused(ValueError, ["groups:"], crowd.pairs, groups=1 << 32)
        self.assert_refused(ValueError, ["without:"], crowd.query_balls, p, 1.0, without=-1)
        balls = throng.Balls(p, 1.0)
        words = [f"without{count}what is asked"]
        self.assert_refused(throng.Error, words, crowd.query, balls, without=ids[:9])
        self.assert_refused(TypeError, ["groups:"], crowd.query, balls, groups=ids.astype("i4"))
        self.assert_refused(ValueError, ["sets:"], crowd.query, balls, sets=8)
        self.assert_refused(ValueError, ["sets:"], crowd.pairs, 32)
        self.assert_refused(ValueError, ["order:"], crowd.neighbours, 1.0, order="size")
        self.assert_refused(TypeError, ["shapes:", "Balls"], crowd.query, (p, 1.0))
        self.assert_refused(TypeError, ["paths:"], crowd.first, balls)
        self.assert_refused(throng.Error, ["shapes has another count"], crowd.explain, balls)
        frusta = throng.Frusta(np.zeros((1, 8, 3), np.float32))
        self.assert_refused(TypeError, ["Frusta"], crowd.query, frusta)
        polygons = throng.Polygons(np.zeros((1, 4, 2), np.float32))
        self.assert_refused(TypeError, ["Polygons"], throng.Crowd(dim=3).query, polygons)


class Interrupted(TestCase):
    def test_what_an_argument_raises_is_not_lost(self) -> None:
        class Number:
            def __float__(self) -> float:
                raise KeyboardInterrupt

            def __index__(self) -> int:
                raise KeyboardInterrupt

        positions = lattice(10, 2)
        crowd = throng.Crowd(positions)
        for call in (
            lambda: crowd.neighbours(Number()),
            lambda: crowd.neighbours(1.0, groups=Number()),
            lambda: crowd.move(0, (Number(), 1)),
            lambda: throng.Crowd(dim=2, threads=Number()),
            lambda: throng.Crowd(dim=2, memory_cap=Number()),
        ):
            self.assert_refused(KeyboardInterrupt, [], call)


class Out(TestCase):
    def setUp(self) -> None:
        self.positions = lattice(50, 2)
        self.crowd = throng.Crowd(self.positions, 0.5)
        self.balls = throng.Balls(self.positions, 3.0)
        self.hits = self.crowd.query(self.balls)

    def test_hits(self) -> None:
        offsets, ids = np.zeros(60, np.uint64), np.zeros(len(self.hits.ids) + 7, np.uint32)
        count = self.crowd.query(self.balls, out=(offsets, ids))
        self.assertEqual(count, len(self.hits.ids))
        assert_same(offsets[:51], self.hits.offsets)
        assert_same(ids[:count], self.hits.ids)
        near = self.crowd.neighbours(3.0, with_self=True)
        offsets[:], ids[:] = 0, 0
        count = self.crowd.neighbours(3.0, with_self=True, out=(offsets, ids))
        assert_same(offsets[:51], near.offsets)
        assert_same(ids[:count], near.ids)

    def test_no_room_is_said_and_the_offsets_tell(self) -> None:
        offsets, ids = np.zeros(51, np.uint64), np.zeros(5, np.uint32)
        total = len(self.hits.ids)
        words = [f"out[1] is too short: there must be room for {total}"]
        error = self.assert_refused(
            throng.Error, words, self.crowd.query, self.balls, out=(offsets, ids)
        )
        self.assertEqual((error.cause, error.argument, error.index), ("no_room", "out[1]", total))
        assert_same(offsets, self.hits.offsets)
        assert_same(ids, self.hits.ids[:5])
        one = np.zeros(1, np.uint32)
        self.assert_refused(ValueError, ["out is too short", str(len(self.crowd.pairs()))], self.crowd.pairs, out=(one, one.copy()))

    def test_counts_and_flags(self) -> None:
        counts = np.zeros(50, np.uint32)
        self.assertIs(self.crowd.count(self.balls, out=counts), counts)
        assert_same(counts, self.hits.counts())
        self.assertIs(self.crowd.count_neighbours(3.0, with_self=True, out=counts), counts)
        assert_same(counts, self.hits.counts())
        flags = np.zeros(50, bool)
        self.assertIs(self.crowd.any(self.balls, out=flags), flags)
        self.assertTrue(flags.all())

    def test_pairs(self) -> None:
        pairs = self.crowd.pairs()
        first, second = np.zeros(500, np.uint32), np.zeros(500, np.uint32)
        count = self.crowd.pairs(out=(first, second))
        self.assertEqual(count, len(pairs))
        self.assertGreater(count, 10)
        assert_same(first[:count], pairs.first)
        assert_same(second[:count], pairs.second)

    def test_refused(self) -> None:
        offsets, ids = np.zeros(51, np.uint64), np.zeros(5000, np.uint32)
        read_only = ids.copy()
        read_only.flags.writeable = False
        query, balls = self.crowd.query, self.balls
        self.assert_refused(TypeError, ["out:", "offsets"], query, balls, out=offsets)
        self.assert_refused(TypeError, ["out[0]"], query, balls, out=(ids, ids))
        self.assert_refused(TypeError, ["out[0]"], query, balls, out=(None, ids))
        self.assert_refused(TypeError, ["out[1]"], query, balls, out=(offsets, offsets))
        self.assert_refused(ValueError, ["out[0]", "51"], query, balls, out=(offsets[:50], ids))
        words = ["out[1]", "read-only"]
        self.assert_refused(ValueError, words, query, balls, out=(offsets, read_only))
        words = ["out[1]", "stride of 8"]
        self.assert_refused(ValueError, words, query, balls, out=(offsets, ids[::2]))
        self.assert_refused(ValueError, ["out[1]"], query, balls, out=(offsets, ids[::-1]))
        self.assert_refused(ValueError, ["out[1]"], query, balls, out=(offsets, ids[None]))
        odd = np.frombuffer(bytearray(20_004), np.uint32, count=5_000, offset=1)
        words = ["out[1]", "not aligned", "4 bytes"]
        self.assert_refused(ValueError, words, query, balls, out=(offsets, odd))
        count = self.crowd.count
        self.assert_refused(ValueError, ["out:", "not aligned"], count, balls, out=odd)
        self.assert_refused(TypeError, ["out:", "int32"], count, balls, out=ids.astype("i4"))
        self.assert_refused(throng.Error, ["out is too short", "50"], count, balls, out=ids[:49])
        self.assert_refused(TypeError, ["out:", "bool"], self.crowd.any, balls, out=ids)

    def test_memory_is_not_shared(self) -> None:
        both = np.zeros(5000, np.uint64)
        halves = both[:51], both.view(np.uint32)
        words = ["out:", "share memory"]
        query, pairs = self.crowd.query, self.crowd.pairs
        self.assert_refused(ValueError, words, query, self.balls, out=halves)
        self.assert_refused(ValueError, words, self.crowd.neighbours, 3.0, out=halves)
        ids = both.view(np.uint32)
        self.assert_refused(ValueError, words, pairs, out=(ids, ids))
        self.assert_refused(ValueError, words, pairs, out=(ids[:900], ids[899:]))
        self.assertEqual(pairs(out=(ids[:900], ids[900:])), len(pairs())) # side by side
