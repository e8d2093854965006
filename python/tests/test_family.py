"""The other structures, against NumPy, against brute force and against Crowd."""

from __future__ import annotations

import unittest
from typing import Any, Callable, Iterator, Tuple

import numpy as np
from support import TestCase, assert_same, in_balls, lattice, over_boxes

import throng

try:
    from throng import family
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

BOUNDS = {dim: ((0,) * dim, (24,) * dim) for dim in (2, 3)}
Make = Callable[..., Any]


def kinds() -> Iterator[Tuple[int, Make]]:
    """Each structure in each number of dimensions, with and without a layout."""
    for dim in (2, 3):
        yield dim, lambda *arrays, dim=dim, **named: family.BruteForce(*arrays, dim=dim, **named)
        yield dim, lambda *arrays, dim=dim, **named: family.LooseTree(*arrays, dim=dim, **named)
        yield dim, lambda *arrays, dim=dim, **named: family.DoubleGrid(*arrays, dim=dim, **named)
        yield dim, lambda *arrays, dim=dim, **named: family.DoubleGrid(
            *arrays, bounds=BOUNDS[dim], cell=3, **named
        )
    yield 2, family.NestedIndex
    yield 2, lambda *arrays, **named: family.NestedIndex(*arrays, bounds=BOUNDS[2], **named)
    yield 2, family.TightQuadtree
    yield 2, lambda *arrays, **named: family.TightQuadtree(
        *arrays, bounds=BOUNDS[2], depth=5, split_above=4, **named
    )


def of_all_sizes(dim: int) -> Tuple[Any, Any, Any]:
    """Positions on a lattice, some outside of the bounds; extents; masks."""
    positions = lattice(300, dim, side=28) - np.float32(2)
    half = np.full((300, dim), 0.5, np.float32)
    half[::10, 0] = 2.0
    half[::75] = 5.0
    return positions, half, (1 << (np.arange(300) % 3)).astype(np.uint32)


def as_set(pairs: throng.Pairs) -> Any:
    found = [(min(pair), max(pair)) for pair in pairs]
    assert len(found) == len(set(found))
    return set(found)


class EachStructure(TestCase):
    def test_numbers_that_are_no_ids(self) -> None:
        for dim, make in kinds():
            positions = lattice(10, dim)
            index = make(positions)
            place = (5,) * dim
            for id in (2**32 + 2, 2**64 + 2, -1, 2 - 2**32, np.int64(2**32 + 2)):
                self.assert_refused(ValueError, ["id:"], index.insert, id, place)
                self.assert_refused(ValueError, ["id:"], index.erase, id)
                self.assert_refused(ValueError, ["id:"], index.move, id, place)
                self.assertNotIn(id, index)
            self.assert_refused(TypeError, ["id:"], index.erase, 2.0)
            self.assertEqual(len(index), 10)

    def test_answers_like_numpy(self) -> None:
        for dim, make in kinds():
            positions, half, masks = of_all_sizes(dim)
            index = make(positions, half, masks, threads=2)
            with self.subTest(repr(index)):
                self.assertEqual((index.dim, len(index)), (dim, 300))
                index.validate()
                centres = lattice(60, dim, seed=5)
                inside = in_balls(positions, centres, 3.0)
                self.assert_hits(index.query_balls(centres, 3.0), inside)
                balls = throng.Balls(centres, 3.0)
                assert_same(index.count(balls), inside.sum(1))
                assert_same(index.any(balls), inside.any(1))
                odd = (masks & 5) != 0
                self.assert_hits(index.query(balls, groups=5), inside & odd)
                without = inside.copy()
                without[:, 7] = False
                self.assert_hits(index.query(balls, without=7), without)
                lo, hi = centres, centres + np.float32(2)
                overlap = over_boxes(positions, half, lo, hi)
                self.assert_hits(index.query_boxes(lo, hi), overlap)
                pairs = over_boxes(positions, half, positions - half, positions + half)
                wanted = {(int(a), int(b)) for a, b in zip(*np.nonzero(np.triu(pairs, 1)))}
                self.assertEqual(as_set(index.pairs()), wanted)
                some = {(a, b) for a, b in wanted if odd[a] and odd[b]}
                self.assertEqual(as_set(index.pairs(groups=5)), some)

    def test_answers_like_a_crowd(self) -> None:
        for dim, make in kinds():
            positions, half, masks = of_all_sizes(dim)
            index = make(positions, half, masks)
            crowd = throng.Crowd(positions, half, masks)
            starts, ends = lattice(40, dim, seed=3), lattice(40, dim, seed=4)
            ways = ends - starts + np.float32(0.25)
            shapes: Any = [
                throng.Segments(starts, ends),
                throng.Rays(starts, ways),
                throng.Capsules(starts, ends, 1.0),
                throng.Sectors(starts, 6.0, ways, 0.5),
                throng.Cylinders(starts, 3.0, 2.0, 9.0),
                throng.BodyBalls(starts, 2.0, "disc"),
                throng.BodySectors(starts, 4.0, ways, 0.0),
                throng.BodyCylinders(starts, 2.0, 3.0, 8.0),
                throng.OrientedBoxes(starts, np.tile(np.eye(dim, dtype="f4"), (40, 1, 1))),
            ]
            if dim == 2:
                shapes.append(throng.Polygons(np.stack((starts, starts + 2, ends), 1)))
            for asked in shapes:
                with self.subTest(repr(index), shapes=type(asked).__name__):
                    hits = index.query(asked)
                    for mine, wanted in zip(hits, crowd.query(asked)):
                        assert_same(np.sort(mine), np.sort(wanted))
                    self.assertGreater(len(hits.ids), 0)

    def test_edits(self) -> None:
        for dim, make in kinds():
            positions, half, masks = of_all_sizes(dim)
            index = make(positions, half, masks)
            with self.subTest(repr(index)):
                positions = positions.copy()
                for id in range(0, 300, 3):
                    index.erase(id)
                    positions[id] = -1000
                for id in range(1, 300, 3):
                    positions[id] = positions[id][::-1]
                    index.move(id, positions[id])
                index.insert(0, (5,) * dim, 1.0, 7)
                positions[0] = 5
                if isinstance(index, family.DoubleGrid):
                    index.refit()
                if isinstance(index, family.TightQuadtree):
                    index.cleanup()
                index.validate()
                self.assertEqual(len(index), 201)
                self.assertTrue(0 in index and 1 in index and 3 not in index)
                centres = lattice(60, dim, seed=5)
                inside = in_balls(positions, centres, 3.0)
                self.assert_hits(index.query_balls(centres, 3.0), inside)
                # Everything moves.
                positions = lattice(250, dim, seed=8)
                index.update(positions, 0.25)
                self.assert_hits(index.query_balls(centres, 3.0), in_balls(positions, centres, 3.0))
                index.clear()
                self.assertEqual((len(index), len(index.pairs())), (0, 0))

    def test_cells_hold_all_agents(self) -> None:
        for dim, make in kinds():
            index = make(*of_all_sizes(dim))
            with self.subTest(repr(index)):
                cells = index.cells()
                self.assertEqual(cells.lo.shape, (len(cells), dim))
                self.assertEqual(cells.depths.min(), 0)
                # A quadtree's leaves list what touches them.
                if isinstance(index, family.TightQuadtree):
                    self.assertGreaterEqual(int(cells.counts.sum()), 300)
                else:
                    self.assertEqual(int(cells.counts.sum()), 300)
                self.assertGreater(index.memory().total, 300 * 8)

    def test_does_not_depend_on_threads(self) -> None:
        for dim, make in kinds():
            arrays = of_all_sizes(dim)
            one, three = make(*arrays, threads=1), make(*arrays, threads=3)
            self.assertEqual((one.threads, one.executor, three.threads), (1, "serial", 3))
            centres = lattice(60, dim, seed=5)
            assert_same(one.query_balls(centres, 4.0).ids, three.query_balls(centres, 4.0).ids)
            assert_same(one.pairs().first, three.pairs().first)

    def test_refuses(self) -> None:
        for dim, make in kinds():
            positions, half, masks = of_all_sizes(dim)
            index = make(positions, half, masks)
            centres = lattice(9, dim)
            before = index.query_balls(centres, 3.0).ids.tolist()
            with self.subTest(repr(index)):
                bad = positions.copy()
                bad[17] = np.nan
                self.assert_refused(throng.Error, ["positions[17]"], index.update, bad, half, masks, index=17)
                self.assert_refused(throng.Error, ["id"], index.erase, 300)
                self.assert_refused(throng.Error, ["id"], index.insert, 5, (1,) * dim, 1.0, 1)
                self.assert_refused(throng.Error, [], index.insert, 300, (1,) * dim)
                self.assert_refused(throng.Error, [], index.move, 5, (np.inf,) * dim)
                self.assert_refused(ValueError, ["half_extents"], index.update, positions, half[:9])
                error = self.assert_refused(
                    throng.Error, ["ball[4]"], index.query_balls, centres, np.float32([1] * 4 + [-1] * 5)
                )
                self.assertEqual(error.index, 4)
                balls = throng.Balls(centres, np.float32([1] * 4 + [-1] * 5))
                self.assertEqual(self.assert_refused(throng.Error, [], index.count, balls).index, 4)
                self.assert_refused(
                    ValueError, ["sets"], index.query_balls, centres, 1.0, sets=throng.Sets.SMALL
                )
                self.assert_refused(TypeError, ["groups"], index.query_balls, centres, 1.0, groups="a")
                self.assert_refused(TypeError, ["shapes"], index.query, centres)
                self.assertFalse("5" in index or -1 in index)
                self.assertEqual(index.query_balls(centres, 3.0).ids.tolist(), before)
                index.validate()

    def test_from_lists_and_of_no_agents(self) -> None:
        for dim, make in kinds():
            index = make([(1,) * dim, (2,) * dim])
            self.assertEqual(index.query_balls((1,) * dim, 0.0)[0].tolist(), [0])
            empty = make()
            self.assertEqual(len(empty), 0)
            self.assertTrue(empty)
            self.assertEqual(len(empty.query_balls((1,) * dim, 5.0)[0]), 0)
            self.assertIn("0 agents", repr(empty))
            self.assert_refused(ValueError, ["positions"], make, None, 1.0)


class OneStructure(TestCase):
    def test_brute_force_is_a_small_crowd(self) -> None:
        for dim in (2, 3):
            positions, half, masks = of_all_sizes(dim)
            brute = family.BruteForce(positions, half, masks)
            crowd = throng.Crowd(positions, half, masks, threads=2)
            points = lattice(30, dim, seed=6)
            for named in ({}, {"radius": 4.0, "least": 1.0}, {"body": "box", "groups": 3},
                          {"band": (1.0, 2.0)}, {"after": (9.0, 40)}):
                mine, wanted = brute.nearest(points, 5, **named), crowd.nearest(points, 5, **named)
                assert_same(mine.ids, wanted.ids)
                assert_same(mine.distances2, wanted.distances2)
                assert_same(mine.counts, wanted.counts)
            for paths in (throng.Segments(points, points[::-1]), throng.Capsules(points, points[::-1], 1)):
                met, all_met = brute.meetings(paths, groups=6), crowd.meetings(paths, groups=6)
                assert_same(met.ids, all_met.ids)
                assert_same(met.times, all_met.times)
                assert_same(met.offsets, all_met.offsets)
            self.assertEqual(brute.order().tolist(), list(range(300)))
            self.assertEqual(brute.nearest((1,) * dim).ids.shape, (1, 1))
            self.assert_refused(throng.Error, ["k"], brute.nearest, points, 10**9)
            self.assert_refused(throng.Error, ["radius"], brute.nearest, points, radius=-1.0)
            self.assert_refused(TypeError, ["band"], brute.nearest, points, band=1.0)
            self.assert_refused(TypeError, ["paths"], brute.meetings, throng.Balls(points, 1.0))
            bad = points.copy()
            bad[11] = np.nan
            self.assertEqual(self.assert_refused(throng.Error, [], brute.nearest, bad).index, 11)

    def test_discs_of_a_tree(self) -> None:
        positions = lattice(200, 2)
        radii = np.full(200, 1.5, np.float32)
        tree, crowd = family.LooseTree(positions, radii), throng.Crowd(positions, radii)
        self.assertEqual(as_set(tree.pairs(body="disc")), as_set(crowd.pairs(body="disc")))
        self.assertLess(len(tree.pairs(body="disc")), len(tree.pairs()))
        self.assert_refused(throng.Error, ["body"], tree.pairs, body="centre")

    def test_order_of_a_quadtree(self) -> None:
        tree = family.TightQuadtree(lattice(200, 2), 0.25)
        self.assertEqual(sorted(tree.order().tolist()), list(range(200)))

    def test_layouts_that_are_refused(self) -> None:
        self.assert_refused(ValueError, ["cell"], family.DoubleGrid, bounds=BOUNDS[2])
        self.assert_refused(ValueError, ["cell"], family.DoubleGrid, cell=2.0)
        self.assert_refused(throng.Error, ["cell"], family.DoubleGrid, bounds=BOUNDS[2], cell=0.0)
        self.assert_refused(ValueError, ["bounds"], family.TightQuadtree, depth=4)
        self.assert_refused(throng.Error, [], family.TightQuadtree, bounds=BOUNDS[2], depth=99)
        self.assert_refused(throng.Error, [], family.NestedIndex, bounds=((1, 1), (0, 0)))
        self.assert_refused(ValueError, ["positions"], family.NestedIndex, lattice(9, 3))
        self.assert_refused(ValueError, ["dim"], family.LooseTree)

    def test_memory_is_given_back(self) -> None:
        for index in (family.LooseTree(lattice(5000, 2)), family.DoubleGrid(lattice(5000, 2))):
            self.assertGreater(index.memory().staging, 0)
            index.release()
            self.assertEqual(index.memory().staging, 0)
