"""Obstacles, against NumPy. All lie along the axes with coordinates that are multiples of a half, so that
both compute without rounding."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Iterator, List, Tuple

import numpy as np
from support import TestCase, assert_same, together

import throng


class Yard:
    """Boxes, turned boxes, and walls or triangles that are lines: all of them boxes for NumPy."""

    def __init__(self, dim: int, count: int = 60, seed: int = 3) -> None:
        self.dim = dim
        self.random = np.random.default_rng(seed)
        side = 40 if dim == 2 else 14
        lo = self.random.integers(0, side, (3 * count, dim)) * 0.5
        hi = lo + self.random.integers(0, 5, (3 * count, dim)) * 0.5
        for i in range(2 * count, 3 * count):
            along = int(self.random.integers(dim))
            for axis in range(dim):
                if axis != along:
                    hi[i, axis] = lo[i, axis]
        self.lo, self.hi, self.count = lo, hi, count
        self.groups = (1 << self.random.integers(0, 3, 3 * count)).astype(np.uint32)

    def shapes(self) -> Tuple[Any, Any, Any]:
        lo, hi = self.lo.astype(np.float32), self.hi.astype(np.float32)
        n = self.count
        edges = np.zeros((n, self.dim, self.dim), np.float32)
        for axis in range(self.dim):  # edge k lies along the next axis
            edges[:, axis - 1, axis] = ((hi - lo) / 2)[n : 2 * n, axis]
        turned = throng.OrientedBoxes(((lo + hi) / 2)[n : 2 * n], edges)
        from_, to = lo[2 * n :], hi[2 * n :]
        thin: Any = throng.Walls(from_, to)
        if self.dim == 3:
            thin = throng.Triangles(np.stack([from_, to, to], axis=1))
        return throng.Boxes(lo[:n], hi[:n]), turned, thin

    def points(self, count: int) -> Any:
        side = 44 if self.dim == 2 else 18
        return (self.random.integers(-2, side, (count, self.dim)) * 0.5).astype(np.float32)

    def wanted(self, groups: int, without: int) -> Any:
        ids = np.arange(len(self.lo))
        return ((self.groups & groups) != 0) & (ids != without)

    def distances(self, point: Any) -> Any:
        """To each obstacle; below zero inside of one."""
        below, above = self.lo - point, point - self.hi
        out = np.maximum(np.maximum(below, above), 0)
        inside = -np.minimum(-below, -above).min(axis=1)
        square = (out * out).sum(axis=1)
        return np.where(square > 0, np.sqrt(square), np.minimum(inside, 0)).astype(np.float32)

    def times(self, start: Any, end: Any) -> Any:
        """When a segment enters each obstacle; infinite if never."""
        start, way = start.astype(np.float64), end.astype(np.float64) - start
        enter, leave = np.zeros(len(self.lo)), np.ones(len(self.lo))
        for axis in range(self.dim):
            down, up = self.lo[:, axis] - start[axis], self.hi[:, axis] - start[axis]
            if way[axis] == 0:
                enter[(down > 0) | (up < 0)] = np.inf
                continue
            first, last = (down, up) if way[axis] > 0 else (up, down)
            enter = np.maximum(enter, first / way[axis])
            leave = np.minimum(leave, last / way[axis])
        return np.where(enter <= leave, enter, np.inf).astype(np.float32)


def in_order(keys: Any) -> List[int]:
    """The places of finite keys, by key, then by place."""
    return [i for i in np.argsort(keys, kind="stable").tolist() if np.isfinite(keys[i])]


def yards() -> Iterator[Tuple[int, Yard, throng.Obstacles]]:
    """One in the plane and one in space."""
    for dim in (2, 3):
        yard = Yard(dim)
        yield dim, yard, throng.Obstacles(*yard.shapes(), groups=yard.groups, threads=2)


class Obstacles(TestCase):
    def test_nearest(self) -> None:
        for dim, yard, obstacles in yards():
            self.assertEqual((obstacles.dim, len(obstacles)), (dim, 180))
            points = yard.points(3000)
            near = obstacles.nearest(points, within=1.5, groups=3, without=7)
            self.assertEqual(len(near), len(points))
            found = 0
            for q in range(0, 3000, 10):
                keys = np.where(yard.wanted(3, 7), yard.distances(points[q]), np.inf)
                keys[keys > 1.5] = np.inf
                order = in_order(keys)
                ball = throng.Balls(points[q : q + 1], 1.5)
                all_of_it = obstacles.within(ball, groups=3, without=7)
                self.assertEqual(all_of_it.ids.tolist(), order)
                assert_same(all_of_it.distances, keys[order])
                if not order:
                    self.assertEqual(near.ids[q], throng.NO_ID)
                    self.assertEqual(near.distances[q], np.inf)
                    continue
                found += 1
                self.assertEqual((near.ids[q], near.distances[q]), (order[0], keys[order[0]]))
                # The point is on the surface, the distance away against the normal.
                at = near.points[q] + near.distances[q] * near.normals[q]
                np.testing.assert_allclose(at, points[q], atol=1e-5)
            self.assertGreater(found, 100)

    def test_within_each(self) -> None:
        for _, yard, obstacles in yards():
            points = yard.points(2000)
            radii = (yard.random.integers(0, 5, 2000) * 0.5).astype(np.float32)
            within = obstacles.within_each(throng.Balls(points, radii), groups=3, without=7)
            self.assertEqual((len(within), within.offsets[0]), (2000, 0))
            self.assertEqual(within.offsets[-1], len(within.near))
            self.assertGreater(len(within.near), 2000)
            assert_same(within.counts(), [len(one) for one in within])
            for q in range(0, 2000, 10):
                keys = np.where(yard.wanted(3, 7), yard.distances(points[q]), np.inf)
                keys[keys > radii[q]] = np.inf
                order = in_order(keys)
                self.assertEqual(within[q].ids.tolist(), order)
                assert_same(within[q].distances, keys[order])
                alone = obstacles.within(
                    throng.Balls(points[q : q + 1], radii[q]), groups=3, without=7
                )
                assert_same(within[q].points, alone.points)
                assert_same(within[q].normals, alone.normals)
            self.assertEqual(within[-1].ids.tolist(), within[1999].ids.tolist())
            with self.assertRaises(IndexError):
                within[2000]
            radii[5] = -1
            error = self.assert_refused(
                throng.Error, ["ball[5]"], obstacles.within_each, throng.Balls(points, radii)
            )
            self.assertEqual(error.index, 5)
            lo = points.copy()
            self.assert_refused(
                TypeError, ["balls"], obstacles.within_each, throng.Boxes(lo, lo + np.float32(1))
            )
            few = obstacles.within_each(throng.Balls(points[:0], 1.0))
            self.assertEqual((len(few), len(few.near)), (0, 0))

    def test_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for dim, yard, obstacles in yards():
                obstacles.erase(9)
                path = os.path.join(folder, f"{dim}.throng")
                obstacles.save(path)
                data = obstacles.to_bytes()
                with open(path, "rb") as file:
                    self.assertEqual(file.read(), data)
                points = yard.points(300)
                near = obstacles.nearest(points)
                for copy in (
                    throng.Obstacles.load(path),
                    throng.Obstacles.load(path, dim=dim, threads=1),
                    throng.Obstacles.from_bytes(memoryview(data)),
                ):
                    self.assertEqual((copy.dim, len(copy)), (dim, 179))
                    assert_same(copy.nearest(points).ids, near.ids)
                    self.assertEqual(copy.to_bytes(), data)
                self.assertEqual(throng.Obstacles.load(path, threads=1).threads, 1)
                self.assert_refused(
                    throng.Error, ["dimension"], throng.Obstacles.load, path, dim=5 - dim
                )
                self.assert_refused(throng.Error, ["end"], throng.Obstacles.from_bytes, data[:-1])
                self.assert_refused(throng.Error, [], throng.Crowd.load, path)
                self.assert_refused(ValueError, ["path"], obstacles.save, "a\0b")
                self.assert_refused(
                    throng.Error, [], obstacles.save, os.path.join(folder, "no", "such")
                )

    def test_paths(self) -> None:
        for _, yard, obstacles in yards():
            starts, ends = yard.points(2000), yard.points(2000)
            ends[::3, 0] = starts[::3, 0]
            hits = obstacles.first(throng.Segments(starts, ends), groups=5)
            balls = obstacles.first(throng.Capsules(starts, ends, 0.0), groups=5)
            clear = obstacles.sight(starts, ends, groups=5)
            self.assertEqual(clear.dtype, np.bool_)
            assert_same(clear, hits.ids == throng.NO_ID)
            assert_same(hits.ids, balls.ids)
            self.assertTrue(0 < clear.sum() < len(clear))
            for q in range(0, 2000, 10):
                keys = yard.times(starts[q], ends[q])
                order = in_order(np.where(yard.wanted(5, -1), keys, np.inf))
                one = throng.Segments(starts[q : q + 1], ends[q : q + 1])
                every = obstacles.hits(one, groups=5)
                self.assertEqual(every.ids.tolist(), order)
                assert_same(every.times, keys[order])
                self.assertEqual(hits.ids[q], order[0] if order else throng.NO_ID)
                lengths = np.linalg.norm(every.normals, axis=1)
                np.testing.assert_allclose(lengths, 1, atol=1e-6)

    def test_moving(self) -> None:
        for dim, yard, obstacles in yards():
            lo = yard.points(300)
            hi = lo + (yard.random.integers(0, 4, lo.shape) * 0.5).astype(np.float32)
            ways = (yard.random.integers(-8, 9, lo.shape) * 0.5).astype(np.float32)
            hits = obstacles.first(throng.MovingBoxes(lo, hi, ways))
            edges = np.zeros((300, dim, dim), np.float32)
            for axis in range(dim):
                edges[:, axis, axis] = ((hi - lo) / 2)[:, axis]
            turned = throng.MovingOrientedBoxes((lo + hi) / 2, edges, ways)
            self.assertEqual(obstacles.first(turned).ids.tolist(), hits.ids.tolist())
            # What is as thin as a point touches what a path hits, and a capsule what a moving ball does.
            rods = obstacles.first(throng.MovingCapsules(lo, lo, 0.5, ways))
            balls = obstacles.first(throng.Capsules(lo, lo + ways, 0.5))
            self.assertEqual(rods.ids.tolist(), balls.ids.tolist())
            there = yard.lo, yard.hi
            zero = np.zeros(dim, np.float32)
            found = 0
            for q in range(300):
                # As a point on its way past obstacles that are wider by the box.
                yard.lo, yard.hi = there[0] - hi[q], there[1] - lo[q]
                keys = yard.times(zero, ways[q])
                yard.lo, yard.hi = there
                order = in_order(keys)
                one = throng.MovingBoxes(lo[q : q + 1], hi[q : q + 1], ways[q : q + 1])
                every = obstacles.hits(one)
                self.assertEqual(every.ids.tolist(), order)
                assert_same(every.times, keys[order])
                self.assertEqual(hits.ids[q], order[0] if order else throng.NO_ID)
                found += len(order)
            self.assertGreater(found, 100)
            self.assert_refused(
                ValueError, ["ways"], obstacles.first, throng.MovingBoxes(lo, hi, ways[:5])
            )
            ways[7] = np.nan
            error = self.assert_refused(
                throng.Error, ["box[7]"], obstacles.first, throng.MovingBoxes(lo, hi, ways)
            )
            self.assertEqual(error.index, 7)

    def test_boxes(self) -> None:
        for dim, yard, obstacles in yards():
            lo = yard.points(100)
            hi = lo + np.float32(1.5)
            for q in range(100):
                meets = (yard.lo <= hi[q]).all(axis=1) & (yard.hi >= lo[q]).all(axis=1)
                box = throng.Boxes(lo[q : q + 1], hi[q : q + 1])
                ids = obstacles.overlaps(box)
                assert_same(ids, np.flatnonzero(meets))
                edges = np.eye(dim, dtype=np.float32)[None] * np.float32(0.75)
                turned = throng.OrientedBoxes(((lo + hi) / 2)[q : q + 1], edges)
                assert_same(obstacles.overlaps(turned), ids)
                if dim == 2:
                    x, y = (lo[q, 0], hi[q, 0]), (lo[q, 1], hi[q, 1])
                    corners = [[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]]
                    polygon = throng.Polygons(np.float32([corners]))
                    assert_same(obstacles.overlaps(polygon), ids)
                    cylinder = throng.Cylinders(
                        ((lo + hi) / 2)[q : q + 1], (x[1] - x[0]) / 2, y[0], y[1]
                    )
                    assert_same(obstacles.overlaps(cylinder), ids)

    def test_sectors(self) -> None:
        for dim, yard, obstacles in yards():
            eyes = yard.points(50)
            ahead = np.zeros((1, dim), np.float32)
            ahead[0, 0] = 1
            found = 0
            for q in range(50):
                eye = eyes[q : q + 1]
                near = obstacles.within(throng.Balls(eye, 2.5))
                # All around, and in front: what ends behind the eye is not seen.
                everything = obstacles.overlaps(throng.Sectors(eye, 2.5, ahead, -1.0))
                assert_same(everything, np.sort(near.ids))
                in_front = obstacles.overlaps(throng.Sectors(eye, 2.5, ahead, 0.0))
                self.assertTrue(set(in_front) <= set(everything))
                self.assertTrue((yard.hi[in_front, 0] >= eye[0, 0] - 1e-5).all())
                found += len(in_front)
            self.assertGreater(found, 20)

    def test_changes(self) -> None:
        obstacles = throng.Obstacles(dim=2)
        origin = np.zeros((1, 2), np.float32)
        obstacles.insert(5, throng.Walls(origin, origin + np.float32([4, 0]), 1.0), groups=2)
        self.assertIn(5, obstacles)
        self.assertNotIn(4, obstacles)
        self.assertNotIn(-1, obstacles)
        self.assertNotIn("5", obstacles)
        point = np.float32([[2, 3]])
        self.assertEqual(obstacles.nearest(point).distances[0], 2.5)
        self.assertEqual(obstacles.nearest(point, groups=1).ids[0], throng.NO_ID)
        obstacles.replace(5, throng.Boxes(origin, origin + np.float32(1)))
        self.assertEqual(obstacles.nearest(np.float32([[0, 3]])).distances[0], 2)
        self.assertGreater(obstacles.memory(), 0)
        self.assertIn("1 in 2D", repr(obstacles))
        obstacles.erase(5)
        self.assertEqual(len(obstacles), 0)
        obstacles.set(throng.Boxes(origin, origin))
        obstacles.clear()
        obstacles.release()
        self.assertEqual(obstacles.nearest(point).ids[0], throng.NO_ID)

    def test_answers_stay(self) -> None:
        yard = Yard(2)
        obstacles = throng.Obstacles(*yard.shapes())
        points = yard.points(100)
        near = obstacles.nearest(points)
        ids, normals = near.ids.copy(), near.normals.copy()
        kept = [obstacles.nearest(yard.points(100)) for _ in range(8)]
        obstacles.clear()
        del obstacles
        assert_same(near.ids, ids)
        assert_same(near.normals, normals)
        self.assertEqual(len(kept), 8)

    def test_threads(self) -> None:
        yard = Yard(2, 300)
        points = yard.points(5000)
        alone = throng.Obstacles(*yard.shapes(), threads=1)
        self.assertEqual((alone.threads, alone.executor), (1, "serial"))
        wanted = alone.nearest(points)
        shared = throng.Obstacles(*yard.shapes(), threads=3, executor="pool")
        self.assertEqual((shared.threads, shared.executor), (3, "pool"))

        def ask() -> None:
            for _ in range(5):
                # Another thread sets the same obstacles again and again.
                near = shared.nearest(points)
                assert_same(near.ids, wanted.ids)
                assert_same(near.points, wanted.points)

        def change() -> None:
            for _ in range(5):
                shared.set(*yard.shapes())

        together(ask, ask, ask, change)

    def test_periodic(self) -> None:
        for dim in (2, 3):
            lo, hi = np.full((1, dim), 3, np.float32), np.full((1, dim), 5, np.float32)
            lo[0, 0], hi[0, 0] = 0, 1
            boxes = throng.Boxes(lo, hi)
            axes = (True,) + (False,) * (dim - 1)
            obstacles = throng.Obstacles(
                boxes, bounds=((0,) * dim, (8,) * dim), periodic=axes, threads=2
            )
            point = np.full((1, dim), 4, np.float32)
            point[0, 0] = 6.5
            near = obstacles.nearest(point)
            self.assertEqual(near.distances.tolist(), [1.5])
            self.assertEqual(near.points[0, 0], 8.0)
            end = point.copy()
            end[0, 0] = 9.5
            self.assertEqual(obstacles.first(throng.Segments(point, end)).times.tolist(), [0.5])
            self.assertEqual(obstacles.sight(point, end).tolist(), [False])
            ball = throng.Balls(point, np.full(1, 1.5, np.float32))
            self.assertEqual(obstacles.within(ball).ids.tolist(), [0])
            copy = throng.Obstacles.from_bytes(obstacles.to_bytes())
            self.assertEqual(copy.nearest(point).distances.tolist(), [1.5])
            crowd = throng.Crowd(bounds=((0,) * dim, (8,) * dim), periodic=axes)
            both = np.concatenate([point, point])
            both[1, 0] = 1.5
            crowd.update(both)
            self.assertEqual(len(crowd.neighbours_in_sight(obstacles, 3.5).ids), 0)
            obstacles.clear()
            self.assertEqual(len(crowd.neighbours_in_sight(obstacles, 3.5).ids), 2)
            hi[0, 0] = 8.5
            self.assert_refused(throng.Error, ["box"], obstacles.set, throng.Boxes(lo, hi), cause="wraps")
            obstacles.configure()
            self.assert_refused(
                throng.Error, [], crowd.neighbours_in_sight, obstacles, 3.5, cause="wraps"
            )
            with self.assertRaises(throng.Error):
                obstacles.configure(periodic=True)

    def test_refusals(self) -> None:
        boxes, turned, walls = Yard(2).shapes()
        obstacles = throng.Obstacles(boxes, turned, walls)
        before = obstacles.nearest(np.float32([[1, 1]])).distances[0]
        triangles = throng.Triangles(np.zeros((1, 3, 3), np.float32))
        nothing: Any = None
        point = np.zeros((1, 2), np.float32)
        segments = throng.Segments(point, point)
        self.assert_refused(ValueError, ["dim"], throng.Obstacles)
        self.assert_refused(TypeError, ["Walls", "Triangles"], obstacles.set, triangles)
        self.assert_refused(TypeError, ["Balls"], obstacles.set, throng.Balls(point, 1))
        self.assert_refused(ValueError, ["twice"], obstacles.set, boxes, boxes)
        self.assert_refused(ValueError, ["groups"], obstacles.set, boxes, groups=np.zeros(3, np.uint32))
        bad = throng.Boxes(np.float32([[0, 0], [np.nan, 0]]), np.float32([[1, 1], [1, 1]]))
        self.assert_refused(throng.Error, ["box[1]"], obstacles.set, bad, cause="not_finite", argument="box", index=1)
        wall = throng.Walls(point, point, -1.0)
        self.assert_refused(throng.Error, ["negative"], obstacles.insert, 1000, wall, argument="wall")
        error = self.assert_refused(throng.Error, ["taken"], obstacles.insert, 0, walls._replace(
            starts=point, ends=point))
        self.assertEqual(error.cause, "id_taken")
        self.assert_refused(throng.Error, ["1000"], obstacles.erase, 1000)
        self.assert_refused(ValueError, ["one"], obstacles.insert, 1000, walls)
        self.assert_refused(ValueError, ["starts"], obstacles.set, throng.Walls(point, point[:0]))
        self.refuse_conversions()
        self.assert_refused(TypeError, ["float32"], obstacles.nearest, np.zeros((1, 2)))
        self.assert_refused(throng.Error, ["within"], obstacles.nearest, point, within=-1, argument="within")
        self.assert_refused(TypeError, ["Segments"], obstacles.first, boxes)
        self.assert_refused(TypeError, ["Boxes"], obstacles.overlaps, segments)
        self.assert_refused(TypeError, ["Balls"], obstacles.within, segments)
        self.assert_refused(TypeError, ["Balls"], obstacles.within, nothing)
        two = np.zeros((2, 2), np.float32)
        self.assert_refused(ValueError, ["one"], obstacles.within, throng.Balls(two, 1))
        self.assert_refused(ValueError, ["one"], obstacles.hits, throng.Segments(two, two))
        space = throng.Obstacles(triangles)
        self.assertEqual((space.dim, len(space)), (3, 1))
        self.assert_refused(ValueError, ["(n, 3, 3)"], space.set, throng.Triangles(two))
        self.assert_refused(TypeError, ["Triangles"], space.set, walls)
        self.assertEqual(obstacles.nearest(np.float32([[1, 1]])).distances[0], before)
        self.assertEqual(len(obstacles), 180)
