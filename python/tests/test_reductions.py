"""Sums over neighbours, and lists with distances, as plain loops in NumPy's floats make them."""

from __future__ import annotations

import ctypes
import importlib.util
import warnings
from typing import Any

import numpy as np
from support import TestCase, acquired, assert_same, lattice

import throng

OPS = ("sum", "mean", "min", "max")
WEIGHTS = ("flat", "linear", "poly6", "inverse")
ONE = np.float32(1)


def weight_of(name: str, distance2: Any, radius: float) -> Any:
    """In floats, as the kernels compute it."""
    part = np.float32(0) if radius == 0 else ONE / np.float32(radius)
    if name == "linear":
        return ONE - np.sqrt(distance2) * part
    if name == "poly6":
        left = ONE - distance2 * (part * part)
        return left * left * left
    if name == "inverse":
        return ONE / np.sqrt(distance2) if distance2 > 0 else np.float32(0)
    return ONE


def slope_of(name: str, distance2: Any, radius: float) -> Any:
    """By how much a weight grows on the way to a neighbour, over that way."""
    part = np.float32(0) if radius == 0 else ONE / np.float32(radius)
    if name == "linear":
        return part / np.sqrt(distance2) if distance2 > 0 else np.float32(0)
    if name == "poly6":
        left = ONE - distance2 * (part * part)
        return np.float32(6) * (part * part) * (left * left)
    cube = distance2 * np.sqrt(distance2)
    return ONE / cube if cube > np.float32(1e-30) else np.float32(0)


def square(way: Any) -> Any:
    """The square of a length, axis by axis."""
    sum2 = way[0] * way[0]
    for step in way[1:]:
        sum2 = sum2 + step * step
    return sum2


class Loop:
    """Plain loops, in the canonical order that sums are promised to be in."""

    def __init__(self, crowd: Any, positions: Any, radius: float, **named: Any) -> None:
        self.positions, self.radius = positions, radius
        hits = crowd.neighbours(radius, sets=throng.Sets.AGENTS, **named)
        place = np.zeros(len(positions) + 1, int)
        place[crowd.order()] = np.arange(len(crowd))
        # Small agents come in order(), giants after them.
        self.of = [sorted(ids.tolist(), key=lambda i: place[i]) for ids in hits]

    def way(self, one: int, other: int) -> Any:
        return self.positions[other] - self.positions[one]

    def distance2(self, one: int, other: int) -> Any:
        return square(self.way(one, other))

    def sums(self, values: Any, op: str, weight: str, empty: float = 0.0) -> Any:
        """values(one, other) are those of a neighbour."""
        rows = []
        for one, ids in enumerate(self.of):
            if op in ("min", "max"):
                met = [values(one, other) for other in ids]
                pick = np.fmin if op == "min" else np.fmax
                rows.append(pick.reduce(met) if met else np.full_like(values(one, one), empty))
                continue
            sum_ = np.zeros_like(values(one, one))
            weights = np.float32(0)
            for other in ids:
                share = weight_of(weight, self.distance2(one, other), self.radius)
                weights = weights + share
                sum_ = sum_ + share * values(one, other)
            if op == "mean":
                sum_ = sum_ / weights if weights > 0 else np.full_like(sum_, empty)
            rows.append(sum_)
        return np.stack(rows)

    def assert_sums(self, got: Any, wanted: Any) -> None:
        assert_same(got, wanted)

    def check_flock(self, crowd: Any, speeds: Any, weight: Any) -> None:
        """What pushes apart, pulls together and turns, compared with a crowd's."""
        apart = -self.sums(self.way, "sum", weight)
        self.assert_sums(crowd.separation(self.radius, weight), apart)
        self.assert_sums(crowd.cohesion(self.radius, weight), self.sums(self.way, "mean", weight))
        like = self.sums(lambda _, other: speeds[other], "mean", weight, np.nan) - speeds
        like = np.where(np.isnan(like), np.float32(0), like)
        self.assert_sums(crowd.alignment(self.radius, speeds, weight), like)

    def gradients(self, values: Any, weight: str) -> Any:
        rows = []
        for one, ids in enumerate(self.of):
            sum_ = np.zeros_like(self.way(one, one))
            for other in ids:
                share = slope_of(weight, self.distance2(one, other), self.radius) * values[other]
                sum_ = sum_ + share * self.way(one, other)
            rows.append(sum_)
        return np.stack(rows)


class PeriodicLoop(Loop):
    """The same in a world that wraps on axes with a period, in the order of the lists. Kernels move
    the asker, and not the offset: sums are equal but for rounding."""

    def __init__(
        self, crowd: Any, positions: Any, periods: Any, radius: float, half: Any, body: str = "centre"
    ) -> None:
        self.positions, self.radius = positions, radius
        self.periods, self.half, self.body = np.float32(periods), half, body
        hits = crowd.neighbours(radius, sets=throng.Sets.AGENTS, body=body)
        self.of = [ids.tolist() for ids in hits]

    def assert_sums(self, got: Any, wanted: Any) -> None:
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=2e-5)

    def way(self, one: int, other: int) -> Any:
        """From the copy that is nearest on each axis."""
        way = super().way(one, other)
        for axis, period in enumerate(self.periods):
            for copy in (self.positions[one, axis] - period, self.positions[one, axis] + period):
                from_copy = self.positions[other, axis] - copy
                if abs(from_copy) < abs(way[axis]):
                    way[axis] = from_copy
        return way

    def distance2(self, one: int, other: int) -> Any:
        way, reach = np.abs(self.way(one, other)), self.half[one] + self.half[other]
        if self.body == "box":
            way = np.maximum(way - reach, np.float32(0))
        if self.body == "disc":
            gap = max(np.sqrt(square(way)) - reach[0], np.float32(0))
            return gap * gap
        return square(way)

    def all_near(self) -> Any:
        agents = range(len(self.positions))
        near = lambda one, other: self.distance2(one, other) <= np.float32(self.radius) ** 2
        return [[b for b in agents if b != a and near(a, b)] for a in agents]


class Reductions(TestCase):
    def setUp(self) -> None:
        self.random = np.random.default_rng(3)

    def crowds(self) -> Any:
        for dim in (2, 3):
            rims = lattice(90, dim, side=9)
            yield dim, rims
            yield dim, self.random.random((120, dim), np.float32) * np.float32(8)

    def test_every_reduction(self) -> None:
        for dim, positions in self.crowds():
            crowd = throng.Crowd(positions)
            count = len(positions)
            for columns in (0, 1, 2, 3, 5):
                shape = (count,) if columns == 0 else (count, columns)
                values = self.random.normal(size=shape).astype(np.float32)
                loop = Loop(crowd, positions, 2.0)
                for op in OPS:
                    for weight in WEIGHTS if op in ("sum", "mean") else ("flat",):
                        with self.subTest(dim=dim, columns=columns, op=op, weight=weight):
                            wanted = loop.sums(lambda _, other: values[other], op, weight, 7.5)
                            got = crowd.reduce(2.0, values, op, weight, empty=7.5)
                            self.assertEqual(got.dtype, np.float32)
                            if op == "sum":
                                wanted = loop.sums(lambda _, other: values[other], op, weight)
                            assert_same(got, wanted)

    def test_gradients(self) -> None:
        for dim, positions in self.crowds():
            crowd = throng.Crowd(positions)
            values = self.random.normal(size=len(positions)).astype(np.float32)
            loop = Loop(crowd, positions, 2.0)
            for weight in WEIGHTS[1:]:
                with self.subTest(dim=dim, weight=weight):
                    got = crowd.reduce(2.0, values, "gradient", weight)
                    assert_same(got, loop.gradients(values, weight))
                    self.assertEqual(got.shape, (len(positions), dim))

    def test_a_gradient_is_that_of_the_sum(self) -> None:
        # By differences: of a probe that is moved a little, which all others do not see. Not of "inverse", which
        # jumps where a neighbour comes into the radius.
        random = np.random.default_rng(11)
        others = random.random((200, 2)) * 6
        values = np.append(random.normal(size=200), 0).astype(np.float32)

        def at(place: Any, op: Any, weight: Any) -> Any:
            positions = np.vstack([others, place]).astype(np.float32)
            return throng.Crowd(positions).reduce(2.0, values, op, weight)[-1]

        probe, step = np.array([3.0, 3.0]), 1 / 512
        for weight in ("linear", "poly6"):
            slopes = [
                (at(probe + way, "sum", weight) - at(probe - way, "sum", weight)) / (2 * step)
                for way in np.eye(2) * step
            ]
            got = at(probe, "gradient", weight)
            np.testing.assert_allclose(got, slopes, atol=0.03 * np.abs(got).max(), err_msg=weight)

    def test_which_neighbours(self) -> None:
        positions = lattice(80, 2, side=9)
        masks = (np.arange(80) % 3).astype(np.uint32)
        half = np.full(80, 0.25, np.float32)
        half[::20] = 3.0 # giants
        crowd = throng.Crowd(positions, half, masks, bounds=((0, 0), (9, 9)), cell=1)
        self.assertEqual(crowd.stats().giants, 4)
        crowd.set_statics(positions[:5])
        values = np.arange(80, dtype=np.float32)
        for named in ({}, {"groups": 2}, {"with_self": True}, {"body": "box"}, {"body": "disc"}):
            wanted = [
                values[ids].sum()
                for ids in crowd.neighbours(1.5, sets=throng.Sets.AGENTS, **named) # type: ignore[call-overload]
            ]
            assert_same(crowd.reduce(1.5, values, **named), np.float32(wanted))

    def test_flocks(self) -> None:
        for dim, positions in self.crowds():
            crowd = throng.Crowd(positions)
            speeds = self.random.normal(size=positions.shape).astype(np.float32)
            loop = Loop(crowd, positions, 2.0)
            for weight in WEIGHTS:
                with self.subTest(dim=dim, weight=weight):
                    loop.check_flock(crowd, speeds, weight)
            apart = -loop.sums(loop.way, "sum", "inverse")
            assert_same(crowd.separation(2.0), apart)

    def test_density(self) -> None:
        # Of agents that fill a lattice it is what a unit has of them, away from the rim.
        for dim, side in ((2, 40), (3, 20)):
            axes = np.meshgrid(*[np.arange(side)] * dim)
            positions = np.stack(axes, -1).reshape(-1, dim).astype(np.float32)
            crowd = throng.Crowd(positions)
            middle = ((positions > 8) & (positions < side - 9)).all(1)
            masses = np.full(len(positions), 2.5, np.float32)
            for weight in WEIGHTS:
                dense = crowd.density(7.5, weight=weight)[middle]
                share = 0.06 if weight != "inverse" else 0.25 # which misses the agent itself
                np.testing.assert_allclose(dense, 1.0, rtol=share, err_msg=weight)
                heavy = crowd.density(7.5, masses, weight)[middle]
                np.testing.assert_allclose(heavy, 2.5 * dense, rtol=1e-5)
            alone = crowd.density(0.5, weight="flat", with_self=False)
            assert_same(alone, np.zeros(len(positions)))

    def test_holes_and_threads(self) -> None:
        positions = lattice(50, 2, side=9)
        crowd = throng.Crowd(positions, threads=1)
        values = np.arange(50, dtype=np.float32)
        crowd.edit(erase=[3, 49])
        one = crowd.reduce(2.0, values, "mean", "linear", empty=5.0)
        self.assertGreaterEqual(len(one), 49)
        self.assertEqual(one[3], 5.0) # no agent, and so no neighbours
        crowd.threads = 3
        assert_same(crowd.reduce(2.0, values, "mean", "linear", empty=5.0), one)
        snapshot = acquired(throng.PublishedCrowd(positions))
        again = throng.Crowd(positions).separation(1.0)
        assert_same(snapshot.separation(1.0), again)
        self.assertEqual(throng.Crowd(dim=3).cohesion(1.0).shape, (0, 3))
        self.assertEqual(throng.Crowd(dim=2).reduce(1.0, []).shape, (0,))

    def test_values_of_other_types(self) -> None:
        positions = lattice(30, 2, side=6)
        crowd = throng.Crowd(positions)
        values = np.arange(60).reshape(30, 2)
        wanted = crowd.reduce(2.0, values.astype(np.float32))
        for same in (values, values.tolist(), np.asfortranarray(values.astype("f4")), values / 1):
            assert_same(crowd.reduce(2.0, same), wanted)

    def test_refused(self) -> None:
        positions = lattice(30, 2, side=6)
        crowd = throng.Crowd(positions)
        values = np.ones(30, np.float32)
        reduce = crowd.reduce
        self.assert_refused(ValueError, ["op:", "'most'"], reduce, 1.0, values, "most")
        self.assert_refused(ValueError, ["weight:", "'cubic'"], reduce, 1.0, values, "sum", "cubic")
        self.assert_refused(ValueError, ["weight:", "min"], reduce, 1.0, values, "min", "linear")
        gradient = ("gradient", "poly6")
        self.assert_refused(ValueError, ["weight:", "flat"], reduce, 1.0, values, "gradient")
        self.assert_refused(ValueError, ["values:", "(n,)"], reduce, 1.0, np.ones((30, 2), "f4"), *gradient)
        self.assert_refused(ValueError, ["body:", "disc"], reduce, 1.0, values, *gradient, body="disc")
        self.assert_refused(ValueError, ["values:", "at least 30"], reduce, 1.0, values[:29])
        self.assert_refused(ValueError, ["values:"], reduce, 1.0, np.ones((30, 2, 2), "f4"))
        self.assert_refused(ValueError, ["values:"], reduce, 1.0, np.float32(1))
        self.assert_refused(TypeError, ["values:"], reduce, 1.0, None)
        self.assert_refused(TypeError, ["values:"], reduce, 1.0, ["a"] * 30)
        self.assert_refused(TypeError, ["values:", "masked"], reduce, 1.0, np.ma.masked_array(values))
        self.assert_refused(throng.Error, ["radius"], reduce, -1.0, values)
        self.assert_refused(throng.Error, ["radius"], crowd.separation, np.nan)
        self.assert_refused(ValueError, ["body:"], reduce, 1.0, values, body="ball")
        self.assert_refused(ValueError, ["velocities:", "(n, 2)"], crowd.alignment, 1.0, values)
        self.assert_refused(ValueError, ["masses:"], crowd.density, 1.0, positions)
        self.assert_refused(ValueError, ["radius:"], crowd.density, 0.0)
        wraps = throng.Crowd(positions, bounds=((0, 0), (6, 6)), cell=1, periodic=True)
        self.assert_refused(throng.Error, ["radius"], wraps.cohesion, -1.0)
        self.assert_refused(ValueError, ["values:", "at least 30"], wraps.reduce, 1.0, values[:29])


class PeriodicWorlds(TestCase):
    def setUp(self) -> None:
        self.random = np.random.default_rng(7)

    def worlds(self) -> Any:
        """Crowds with giants, and on the borders agents whose neighbours are behind them."""
        for dim in (2, 3):
            for periodic in (True, (True,) + (False,) * (dim - 1)):
                for rims in (True, False):
                    positions = lattice(50, dim, side=6)
                    if not rims:
                        positions += self.random.random(positions.shape, np.float32) * np.float32(0.9)
                    half = np.full(50, 0.25, np.float32)
                    half[::20] = 1.25
                    bounds = ((0,) * dim, (6,) * dim)
                    crowd = throng.Crowd(
                        positions, half, bounds=bounds, cell=1, periodic=periodic, threads=2
                    )
                    self.assertEqual(crowd.stats().giants, 3)
                    periods = np.where(np.broadcast_to(periodic, dim), 6, 0)
                    yield crowd, positions, periods, np.repeat(half[:, None], dim, 1)

    def test_every_reduction(self) -> None:
        for crowd, positions, periods, half in self.worlds():
            values = self.random.normal(size=(50, 2)).astype(np.float32)
            # More than half of the world: images that are nearer are those that count.
            for radius in (1.0, 4.0):
                loop = PeriodicLoop(crowd, positions, periods, radius, half)
                self.assertEqual([sorted(ids) for ids in loop.of], loop.all_near())
                for op in OPS:
                    for weight in WEIGHTS if op in ("sum", "mean") else ("flat",):
                        with self.subTest(periods=periods, radius=radius, op=op, weight=weight):
                            empty = 7.5 if op != "sum" else 0.0
                            wanted = loop.sums(lambda _, other: values[other], op, weight, empty)
                            got = crowd.reduce(radius, values, op, weight, empty=7.5)
                            if op in ("min", "max"):
                                assert_same(got, wanted)
                            else:
                                loop.assert_sums(got, wanted)
                            crowd.threads = 1
                            assert_same(crowd.reduce(radius, values, op, weight, empty=7.5), got)
                            crowd.threads = 2
                for weight in WEIGHTS[1:]:
                    with self.subTest(periods=periods, radius=radius, weight=weight):
                        got = crowd.reduce(radius, values[:, 0], "gradient", weight)
                        loop.assert_sums(got, loop.gradients(values[:, 0], weight))
                column = crowd.reduce(radius, values[:, 1], "max", empty=1.5)
                both = crowd.reduce(radius, values, "max", empty=1.5)
                assert_same(column, both[:, 1])

    def test_flocks(self) -> None:
        for crowd, positions, periods, half in self.worlds():
            speeds = self.random.normal(size=positions.shape).astype(np.float32)
            for radius in (2.0, 4.0):  # the larger one reaches more than half around
                loop = PeriodicLoop(crowd, positions, periods, radius, half)
                for weight in WEIGHTS:
                    with self.subTest(periods=periods, radius=radius, weight=weight):
                        loop.check_flock(crowd, speeds, weight)

    def test_bodies(self) -> None:
        for crowd, positions, periods, half in self.worlds():
            for body in ("box", "disc"):
                loop = PeriodicLoop(crowd, positions, periods, 1.0, half, body)
                self.assertEqual([sorted(ids) for ids in loop.of], loop.all_near())
                for weight in WEIGHTS:
                    with self.subTest(periods=periods, body=body, weight=weight):
                        wanted = -loop.sums(loop.way, "sum", weight)
                        got = crowd.separation(1.0, weight, body=body)
                        loop.assert_sums(got, wanted)

    def test_the_same_as_on_an_open_plane(self) -> None:
        # No agent is near a border, so sums have the same order.
        inside = lattice(60, 2, side=9) + np.float32(10)
        values = np.arange(60, dtype=np.float32)
        bounds = ((0, 0), (30, 30))
        wraps = throng.Crowd(inside, bounds=bounds, cell=1, periodic=True)
        crowd = throng.Crowd(inside, bounds=bounds, cell=1)
        for op in OPS:
            for named in ({}, {"with_self": True}):
                wanted = crowd.reduce(2.0, values, op, **named)
                assert_same(wraps.reduce(2.0, values, op, **named), wanted)

    def test_density_is_even(self) -> None:
        # Of a lattice that fills the world, at the borders too.
        axes = np.meshgrid(*[np.arange(16)] * 2)
        positions = np.stack(axes, -1).reshape(-1, 2).astype(np.float32)
        crowd = throng.Crowd(positions, bounds=((0, 0), (16, 16)), cell=2, periodic=True)
        dense = crowd.density(5.0)
        np.testing.assert_allclose(dense, 1.0, rtol=0.06)
        np.testing.assert_allclose(dense, dense[0], rtol=1e-5)
        heavy = crowd.density(5.0, np.full(256, 2.5, np.float32))
        np.testing.assert_allclose(heavy, 2.5 * dense, rtol=1e-5)

    def test_holes_and_edits(self) -> None:
        positions = lattice(30, 2, side=6)
        crowd = throng.Crowd(positions, bounds=((0, 0), (6, 6)), cell=1, periodic=True)
        crowd.edit(erase=[4, 29])
        got = crowd.reduce(1.0, np.ones(30, np.float32), "mean", empty=5.0)
        self.assertEqual(got[4], 5.0)
        counts = crowd.reduce(1.0, np.ones(30, np.float32))
        assert_same(counts, crowd.count_neighbours(1.0)[: len(counts)])
        self.assertGreater(crowd.memory().answers, 0)
        crowd.clear()
        self.assertEqual(crowd.cohesion(1.0).any(), False)


KERNEL = ctypes.CFUNCTYPE(
    None, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32), ctypes.c_uint64, ctypes.c_void_p
)


class Kernels(TestCase):
    def test_a_function_of_ctypes(self) -> None:
        positions = lattice(60, 2, side=8)
        crowd = throng.Crowd(positions, threads=2)
        crowd.set_statics(positions[:3])
        crowd.edit(erase=[7])
        met = {}

        def note(agent: int, ids: Any, count: int, data: Any) -> None:
            met[agent] = [ids[i] for i in range(count)]

        crowd.visit_neighbours(2.0, KERNEL(note))
        hits = crowd.neighbours(2.0)
        self.assertEqual(sorted(met), [i for i in range(60) if i != 7])
        for agent, ids in met.items():
            self.assertEqual(ids, hits[agent].tolist())
        met.clear()
        crowd.visit_neighbours(2.0, KERNEL(note), with_self=True, sets=throng.Sets.AGENTS)
        self.assertIn(0, met[0])

    def test_numba(self) -> None:
        if importlib.util.find_spec("numba") is None:
            self.skipTest("lacks numba")
        with warnings.catch_warnings(): # of the package itself
            warnings.simplefilter("ignore", DeprecationWarning)
            import numba
            from numba import types

        args = (types.uint32, types.CPointer(types.uint32), types.uint64, types.voidptr)

        @numba.cfunc(types.void(*args)) # type: ignore[misc]
        def add(agent, ids, count, data): # type: ignore[no-untyped-def]
            out = numba.carray(data, (500,), types.float64)
            total = 0.0
            for i in range(count):
                total += ids[i]
            out[agent] = total

        positions = lattice(500, 2, side=30)
        crowd = throng.Crowd(positions)
        sums = np.zeros(500)
        crowd.visit_neighbours(2.0, add, sums)
        wanted = [float(ids.sum()) for ids in crowd.neighbours(2.0)]
        assert_same(sums, wanted)

    def test_refused(self) -> None:
        crowd = throng.Crowd(lattice(9, 2))
        for bad in (None, 0, True, "add", print, 1.5):
            self.assert_refused(TypeError, ["kernel:"], crowd.visit_neighbours, 1.0, bad)
        visit, none = crowd.visit_neighbours, KERNEL(lambda *given: None)
        self.assert_refused(throng.Error, ["radius"], visit, -1.0, none)
        self.assert_refused(TypeError, ["data:"], visit, 1.0, none, "text")


class Measured(TestCase):
    def test_distances_and_vectors(self) -> None:
        for dim in (2, 3):
            positions = lattice(70, dim, side=7)
            half = np.full(70, 0.25, np.float32)
            half[::20] = 3.0
            bounds = ((0,) * dim, (7,) * dim)
            crowd = throng.Crowd(positions, half, bounds=bounds, cell=1)
            walls = lattice(9, dim, seed=5, side=7)
            crowd.set_statics(walls)
            crowd.edit(erase=[5])
            plain = crowd.neighbours(2.0)
            hits = crowd.neighbours(2.0, distances=True, vectors=True)
            assert hits.distances is not None and hits.vectors is not None
            assert_same(hits.offsets, plain.offsets)
            assert_same(hits.ids, plain.ids)
            everybody = np.concatenate((positions, walls))
            index = hits.ids.astype(np.int64)
            statics = index >= throng.FIRST_STATIC
            self.assertTrue(statics.any())
            index[statics] += 70 - throng.FIRST_STATIC
            ways = everybody[index] - positions[hits.questions()]
            assert_same(hits.vectors, ways)
            assert_same(hits.distances, np.sqrt((ways * ways).sum(1)))
            one = crowd.neighbours(2.0, vectors=True)
            self.assertIsNone(one.distances)
            assert_same(one.vectors, ways)
            # In the order of the index.
            stored = crowd.neighbours(2.0, order="storage", vectors=True)
            askers = crowd.order()[stored.questions()]
            index = stored.ids.astype(np.int64)
            index[index >= throng.FIRST_STATIC] += 70 - throng.FIRST_STATIC
            assert_same(stored.vectors, everybody[index] - positions[askers])

    def test_the_nearest_image(self) -> None:
        positions = lattice(60, 2, side=8)
        crowd = throng.Crowd(positions, bounds=((0, 0), (8, 8)), cell=1, periodic=(True, False))
        hits = crowd.neighbours(1.5, distances=True, vectors=True)
        ways = positions[hits.ids] - positions[hits.questions()]
        ways[:, 0] -= 8 * np.round(ways[:, 0] / 8)
        assert_same(hits.vectors, ways)
        self.assertLessEqual(float(np.max(hits.distances)), 1.5)
        self.assertTrue((np.abs(positions[hits.ids] - positions[hits.questions()])[:, 0] > 4).any())

    def test_memory_lasts_and_refusals(self) -> None:
        positions = lattice(60, 2, side=8)
        crowd = throng.Crowd(positions)
        far = crowd.neighbours(2.0, distances=True).distances
        kept = np.array(far)
        for _ in range(3):
            crowd.update(positions[::-1].copy())
            crowd.neighbours(2.5, distances=True, vectors=True)
        assert_same(far, kept)
        out = np.zeros(61, np.uint64), np.zeros(9, np.uint32)
        self.assert_refused(ValueError, ["out:"], crowd.neighbours, 2.0, out=out, distances=True)
        empty = throng.Crowd(dim=2).neighbours(1.0, distances=True, vectors=True)
        self.assertEqual((len(empty), len(empty.ids)), (0, 0))
