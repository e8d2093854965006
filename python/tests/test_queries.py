"""Answers to every kind of question, compared with NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from support import TestCase, assert_same, in_balls, lattice, over_boxes

import throng
from throng import FIRST_STATIC, NO_ID, PairSets, Sets

REASONS = {"none": "no_search", "rows": "only_way", "tiles": "skips_rows", "all": "holds_all"}


def of_bodies(positions: Any, others: Any, sums: Any) -> Any:
    """Squares of distances between centres, boxes and discs, whose half extents add up to these sums: row q says how
    far all others are from position q."""
    offsets = np.abs(others[None] - positions[:, None])
    sums = np.broadcast_to(np.float32(sums), offsets.shape)
    between = (offsets**2).sum(axis=2)
    return {
        "centre": between,
        "box": (np.maximum(offsets - sums, 0) ** 2).sum(axis=2),
        "disc": np.maximum(np.sqrt(between) - sums[:, :, 0], 0) ** 2,
    }


def nearest_of(distances2: Any, k: int) -> Any:
    """The k nearest of each row, by distance, then by id."""
    ids = np.broadcast_to(np.arange(distances2.shape[1]), distances2.shape)
    return np.lexsort((ids, distances2), axis=1)[:, :k]


class Shapes(TestCase):
    def setUp(self) -> None:
        self.worlds = []
        for dim in (2, 3):
            positions = lattice(400, dim, side=20)
            half = np.float32(0.5)
            self.worlds.append((dim, positions, half, throng.Crowd(positions, half)))

    def test_balls(self) -> None:
        # 3, 4, 5: agents five away are exactly on the rim.
        for dim, positions, _, crowd in self.worlds:
            centres = lattice(60, dim, seed=2)
            self.assert_hits(crowd.query_balls(centres, 5), in_balls(positions, centres, 5))

    def test_boxes(self) -> None:
        for dim, positions, half, crowd in self.worlds:
            lo = lattice(60, dim, seed=3)
            hi = lo + lattice(60, dim, seed=4, side=5) - 1 # some are inverted
            self.assert_hits(crowd.query_boxes(lo, hi), over_boxes(positions, half, lo, hi))
            touching = crowd.query_boxes(positions + half, positions + half)
            for i, ids in enumerate(touching):
                self.assertIn(i, ids)

    def test_sectors(self) -> None:
        for dim, positions, _, crowd in self.worlds:
            centres = lattice(40, dim, seed=5)
            directions = np.zeros((40, dim), np.float32)
            directions[:, 0] = 2
            # In front is the half plane, its border included; half is exact.
            in_front = positions[None, :, 0] >= centres[:, None, 0]
            expected = in_balls(positions, centres, 6) & in_front
            self.assert_hits(crowd.query_sectors(centres, 6, directions, 0), expected)
            everything = crowd.query_sectors(centres, 6, directions, -1)
            self.assert_hits(everything, in_balls(positions, centres, 6))

    def test_cylinders(self) -> None:
        for dim, positions, _, crowd in self.worlds:
            centres = lattice(40, dim, seed=5)
            low = lattice(40, dim, seed=6)[:, 0].copy()
            high = low + lattice(40, dim, seed=7, side=8)[:, 0] - 1 # some are inverted
            for up in range(1, dim):
                ground = [a for a in range(dim) if a != up]
                # 3, 4, 5: agents five away are exactly on the rim.
                around = in_balls(
                    np.ascontiguousarray(positions[:, ground]),
                    np.ascontiguousarray(centres[:, ground]),
                    5,
                )
                heights = positions[None, :, up]
                expected = around & (low[:, None] <= heights) & (heights <= high[:, None])
                hits = crowd.query_cylinders(centres, 5, low, high, up)
                self.assert_hits(hits, expected)
                self.assertGreater(len(hits.ids), 0)
                self.assert_hits(crowd.query_cylinders(centres, 5, up=up), around) # columns
                shapes = throng.Cylinders(centres, 5, low, high, up)
                self.assertEqual(crowd.count(shapes).tolist(), expected.sum(axis=1).tolist())
                self.assertEqual(crowd.any(shapes).tolist(), expected.any(axis=1).tolist())
            same = crowd.query_cylinders(centres, 5, low, high)
            self.assertEqual(same.ids.tolist(), hits.ids.tolist()) # the last axis is up
            for up in (0, dim, 1 << 31):
                ask = (crowd.query_cylinders, centres, 5, low, high, up)
                self.assert_refused(throng.Error, [], *ask, argument="cylinder")

    def test_bodies(self) -> None:
        for dim, positions, half, crowd in self.worlds:
            centres = lattice(40, dim, seed=5) + np.float32(0.25)
            distances = of_bodies(centres, positions, half)
            directions = np.ones((40, dim), np.float32)
            for body, distance2 in distances.items():
                expected = distance2 <= 9
                self.assert_hits(crowd.query_body_balls(centres, 3, body), expected)
                shapes = throng.BodyBalls(centres, 3, body)
                self.assertEqual(crowd.count(shapes).tolist(), expected.sum(axis=1).tolist())
                # All around, and without a band.
                all_around = crowd.query_body_sectors(centres, 3, directions, -1, body)
                self.assert_hits(all_around, expected)
                flat = centres.copy()
                flat[:, dim - 1] = 1000
                one = crowd.query_body_cylinders(centres, 3, body=body)
                self.assertEqual(one.ids.tolist(), crowd.query_body_cylinders(flat, 3, body=body).ids.tolist())
                self.assertTrue((np.diff(one.offsets) >= expected.sum(axis=1)).all())

                found = crowd.nearest(centres, 5, body=body)
                order = nearest_of(distance2, 5)
                assert_same(found.ids, order)
                assert_same(found.distances2, np.take_along_axis(distance2, order, 1))
            # Each agent's own nearest: both are bodies.
            between = of_bodies(positions, positions, 2 * half)
            for body in ("box", "disc"):
                others = between[body]
                np.fill_diagonal(others, np.inf)
                order = nearest_of(others, 4)
                found = crowd.nearest_neighbours(4, body=body)
                assert_same(found.ids, order)
                assert_same(found.distances2, np.take_along_axis(others, order, 1))
            box = crowd.query_body_balls(centres, 3)
            self.assertEqual(box.ids.tolist(), crowd.query_body_balls(centres, 3, "box").ids.tolist())
            for ask in (
                lambda body: crowd.query_body_balls(centres, 3, body),
                lambda body: crowd.nearest(centres, 3, body=body),
                lambda body: crowd.nearest_neighbours(3, body=body),
            ):
                self.assert_refused(ValueError, [], ask, "square")
                self.assert_refused(TypeError, [], ask, 2)
            self.assert_refused(throng.Error, [], crowd.query_body_balls, centres, -1, argument="body_ball")

    def test_segments_and_rays(self) -> None:
        for dim, positions, half, crowd in self.worlds:
            starts = lattice(40, dim, seed=6) - 10
            ends = starts.copy()
            ends[:, 0] += 25 # along x they are flat boxes, for which NumPy knows the answer
            expected = over_boxes(positions, half, starts, ends)
            self.assert_hits(crowd.query_segments(starts, ends), expected)
            along = np.zeros_like(starts)
            along[:, 0] = 5
            self.assert_hits(crowd.query_rays(starts, along, 5), expected)
            endless = over_boxes(positions, half, starts, np.where(along > 0, 1e6, starts))
            self.assert_hits(crowd.query_rays(starts, along), endless)

            path_hits = crowd.first(throng.Segments(starts, ends))
            rays = crowd.first(throng.Rays(starts, along))
            met = 0
            for q, row in enumerate(expected):
                who = np.flatnonzero(row)
                if len(who) == 0:
                    self.assertEqual(path_hits.ids[q], NO_ID)
                    continue
                met += 1
                way = np.maximum(positions[who, 0] - half - starts[q, 0], 0)
                self.assertEqual(path_hits.ids[q], who[way == way.min()].min())
                self.assertEqual(rays.ids[q], path_hits.ids[q])
                self.assertAlmostEqual(float(path_hits.times[q]), way.min() / 25, places=6)
                self.assertAlmostEqual(float(rays.times[q]), way.min() / 5, places=5)
            self.assertGreater(met, 10)

    def test_capsules(self) -> None:
        for dim, positions, _, _ in self.worlds:
            crowd = throng.Crowd(positions)
            starts = lattice(40, dim, seed=7)
            # A capsule of no length is a ball.
            self.assert_hits(crowd.query_capsules(starts, starts, 5), in_balls(positions, starts, 5))
            ends = starts.copy()
            ends[:, 0] += 8
            nearest = starts[:, None].repeat(len(positions), 1)
            nearest[:, :, 0] = np.clip(positions[None, :, 0], starts[:, None, 0], ends[:, None, 0])
            expected = ((nearest - positions[None]) ** 2).sum(axis=2) <= 25
            radii = np.full(40, 5, np.float32)
            self.assert_hits(crowd.query_capsules(starts, ends, radii), expected)

    def test_convex(self) -> None:
        _, positions, half, crowd = self.worlds[0]
        lo = lattice(40, 2, seed=8)
        hi = lo + 4
        corners = np.stack((lo, np.stack((hi[:, 0], lo[:, 1]), 1), hi,
                            np.stack((lo[:, 0], hi[:, 1]), 1)), axis=1)
        expected = over_boxes(positions, half, lo, hi)
        self.assert_hits(crowd.query_polygons(corners), expected)
        self.assert_hits(crowd.query_polygons(corners[:, ::-1]), expected)
        triangles = corners[:, [0, 1, 2, 2]] # a corner twice
        x, y = positions[None, :, 0] - lo[:, None, 0], positions[None, :, 1] - lo[:, None, 1]
        points = throng.Crowd(positions)
        self.assert_hits(points.query_polygons(triangles), (x >= y) & (y >= 0) & (x <= 4))

        _, positions, half, crowd = self.worlds[1]
        lo = lattice(40, 3, seed=8)
        side = np.array([(0, 0, 0), (4, 0, 0), (4, 4, 0), (0, 4, 0)], np.float32)
        frusta = lo[:, None] + np.concatenate((side, side + np.array((0, 0, 4), np.float32)))[None]
        expected = over_boxes(positions, half, lo, lo + 4)
        self.assert_hits(crowd.query_frusta(frusta), expected)

    def test_oriented_boxes(self) -> None:
        for dim, positions, half, crowd in self.worlds:
            centres = lattice(40, dim, seed=9)
            edges = np.broadcast_to(np.eye(dim, dtype=np.float32) * 2, (40, dim, dim))
            expected = over_boxes(positions, half, centres - 2, centres + 2)
            self.assert_hits(crowd.query_oriented_boxes(centres, edges), expected)
        _, positions, _, _ = self.worlds[0]
        diamonds = np.broadcast_to(np.array([(2, 2), (2, -2)], np.float32), (40, 2, 2))
        centres = lattice(40, 2, seed=9)
        expected = np.abs(positions[None] - centres[:, None]).sum(axis=2) <= 4
        self.assert_hits(throng.Crowd(positions).query_oriented_boxes(centres, diamonds), expected)

    def test_statics_with_gaps_are_measured_and_drawn(self) -> None:
        agents = np.array([[x, y] for x in range(6) for y in range(6)], np.float32)
        crowd = throng.Crowd(agents, half_extents=0.25)
        crowd.set_statics(np.array([[1, 1], [2, 2], [3, 3]], np.float32), half_extents=0.25)
        crowd.erase(FIRST_STATIC)
        crowd.insert(FIRST_STATIC + 1000, (4, 4), half_extent=0.25)
        hits = crowd.neighbours(1.5, sets=Sets.ALL, distances=True)
        places = {FIRST_STATIC + 1: (2, 2), FIRST_STATIC + 2: (3, 3), FIRST_STATIC + 1000: (4, 4)}
        seen = 0
        for agent, place in enumerate(agents):
            begin, end = hits.offsets[agent], hits.offsets[agent + 1]
            for name, distance in zip(hits.ids[begin:end], hits.distances[begin:end]):
                if name in places:
                    self.assertAlmostEqual(distance, np.hypot(*(np.array(places[name]) - place)), places=5)
                    seen += 1
        self.assertGreater(seen, 0)
        self.assertEqual(set(places), {name for name in crowd.agents().ids if name >= FIRST_STATIC})

    def test_count_any_and_explain_agree(self) -> None:
        for dim, positions, _, crowd in self.worlds:
            balls = throng.Balls(lattice(60, dim, seed=2, side=60), 3)
            counts = crowd.query(balls).counts()
            self.assertTrue((counts == 0).any() and (counts > 0).any())
            assert_same(crowd.count(balls), counts)
            assert_same(crowd.any(balls), counts > 0)
            self.assertEqual(crowd.any(balls).dtype, np.bool_)
            for q in range(10):
                one = throng.Balls(balls.centres[q : q + 1], 3)
                explanation = crowd.explain(one)
                self.assertEqual(explanation.hits, counts[q])
                self.assertIn(explanation.path, ("none", "rows", "tiles", "all"))
                self.assertEqual(explanation.reason, REASONS[explanation.path])
                self.assertGreater(explanation.predicted_rows, 0)
                self.assertEqual(explanation.predicted_all is None, explanation.path != "all")
                self.assertIs(explanation.large_first, False)


class Everyone(TestCase):
    def setUp(self) -> None:
        self.worlds = [(dim, lattice(300, dim, side=15)) for dim in (2, 3)]

    def test_neighbours(self) -> None:
        for _, positions in self.worlds:
            crowd = throng.Crowd(positions)
            near = in_balls(positions, positions, 5)
            self.assert_hits(crowd.neighbours(5, with_self=True), near)
            np.fill_diagonal(near, False)
            self.assert_hits(crowd.neighbours(5), near)
            stored = crowd.neighbours(5, order="storage")
            order = crowd.order()
            self.assert_hits(stored, near[order])
            assert_same(crowd.count_neighbours(5), near.sum(axis=1))
            counts = crowd.count_neighbours(5, order="storage")
            assert_same(counts, near[order].sum(axis=1))

    def test_bodies_as_neighbours(self) -> None:
        for dim, positions in self.worlds:
            half = np.abs(lattice(300, dim, seed=9, side=3)) / np.float32(4)
            crowd = throng.Crowd(positions, half)
            distances = of_bodies(positions, positions, half[None] + half[:, None])
            for body, distance2 in distances.items():
                near = distance2 <= 4
                np.fill_diagonal(near, False)
                self.assert_hits(crowd.neighbours(2, body=body), near)
                assert_same(crowd.count_neighbours(2, body=body), near.sum(axis=1))
                pairs = crowd.pairs(within=2, body=body)
                self.assertEqual(len(pairs.first), near.sum() // 2)
                self.assertTrue(near[pairs.first, pairs.second].all())
                self.assertEqual(crowd.count_pairs(within=2, body=body), near.sum() // 2)
            overlapping = crowd.pairs(within=0, body="disc")
            self.assertEqual(len(overlapping.first), ((distances["disc"] == 0).sum() - 300) // 2)
            for ask in (
                lambda body: crowd.neighbours(2, body=body),
                lambda body: crowd.count_pairs(within=2, body=body),
            ):
                self.assert_refused(ValueError, [], ask, "square")
                self.assert_refused(TypeError, [], ask, 2)
            discs = crowd.pairs(body="disc")
            wanted = {(min(pair), max(pair)) for pair in overlapping}
            self.assertEqual({(min(pair), max(pair)) for pair in discs}, wanted)
            self.assertEqual(len(discs.first), len(wanted))
            self.assertEqual(crowd.count_pairs(body="disc"), len(wanted))
            self.assertEqual(crowd.count_pairs(body="box"), crowd.count_pairs())
            self.assertEqual(crowd.count_pairs(within=1), crowd.count_pairs(within=1, body="centre"))
            self.assert_refused(throng.Error, [], crowd.pairs, body="centre", argument="body")

    def test_after_the_last_giant_has_left(self) -> None:
        # Its id is still below id_bound, so every answer has a slot for it.
        positions = np.array([(0, 0), (1, 0), (50, 50), (3, 0)], np.float32)
        halves = np.array([0.5, 0.5, 0.5, 20], np.float32)
        crowd = throng.Crowd(positions, halves, bounds=((0, 0), (60, 60)), cell=2)
        self.assertTrue(crowd.is_giant(3))
        crowd.erase(3)
        bound = crowd.stats().id_bound
        hits = crowd.neighbours(1)
        self.assertEqual(len(hits), bound)
        self.assertEqual([list(hits[i]) for i in range(3)], [[1], [0], []])
        counts = np.full(bound, 99, np.uint32)
        self.assertIs(crowd.count_neighbours(1, out=counts), counts)
        self.assertEqual(counts.tolist(), [1, 1, 0] + [0] * (bound - 3))
        self.assertEqual(crowd.count_neighbours(1).tolist(), counts.tolist())
        self.assertEqual(len(crowd.nearest_neighbours(1).counts), bound)

    def test_nonsense_in_empty_crowds(self) -> None:
        for crowd in (throng.Crowd(dim=2), throng.Crowd(np.zeros((3, 2), np.float32))):
            for radius in (float("nan"), -1.0, float("inf")):
                for order in ("ids", "storage"):
                    ask = (crowd.neighbours, crowd.count_neighbours)
                    for call in ask:
                        self.assert_refused(throng.Error, ["radius"], call, radius, order=order, argument="radius")

    def test_pairs(self) -> None:
        for _, positions in self.worlds:
            crowd = throng.Crowd(positions, 0.5)
            lap = over_boxes(positions, 0.5, positions - 0.5, positions + np.float32(0.5))
            expected = {(i, j) for i, j in zip(*np.nonzero(lap)) if i < j}
            pairs = crowd.pairs()
            found = [tuple(sorted(pair)) for pair in pairs]
            self.assertEqual(len(found), len(set(found)))
            self.assertEqual(set(found), expected)
            self.assertEqual(crowd.count_pairs(), len(expected))

    def test_pairs_within(self) -> None:
        for _, positions in self.worlds:
            crowd = throng.Crowd(positions, 0.5)
            distance2 = ((positions[None] - positions[:, None]) ** 2).sum(axis=2)
            expected = {(i, j) for i, j in zip(*np.nonzero(distance2 <= 1)) if i < j}
            rank = np.empty(len(positions), np.int64)
            rank[crowd.order()] = np.arange(len(positions))
            pairs = crowd.pairs(within=1)
            first, second = pairs.arrays
            self.assertTrue((rank[first] < rank[second]).all())
            found = [(min(pair), max(pair)) for pair in pairs]
            self.assertEqual(len(found), len(set(found)))
            self.assertEqual(set(found), expected)
            self.assertEqual(crowd.count_pairs(within=1), len(expected))
            into = (np.empty(len(found), np.uint32), np.empty(len(found), np.uint32))
            self.assertEqual(crowd.pairs(within=1, out=into), len(found))
            assert_same(into[0], first)
            assert_same(into[1], second)
            self.assert_refused(throng.Error, ["within"], crowd.pairs, within=-1.0, argument="within")
            self.assert_refused(throng.Error, ["within"], crowd.count_pairs, within=np.nan)
            for order in ("ids", "storage"):
                whole = crowd.neighbours(1, order=order)
                later = crowd.neighbours(1, later_only=True, order=order)
                for q in range(len(later)):
                    asker = q if order == "ids" else crowd.order()[q]
                    after = [i for i in whole[q] if rank[i] > rank[asker]]
                    self.assertEqual(later[q].tolist(), after)
                counts = crowd.count_neighbours(1, later_only=True, order=order)
                self.assertEqual(counts.tolist(), [len(later[q]) for q in range(len(later))])

    def test_nearest_with_conditions(self) -> None:
        for dim, positions in self.worlds:
            crowd = throng.Crowd(positions)
            points = lattice(50, dim, seed=3)
            offsets = positions[None] - points[:, None]
            distance2 = (offsets**2).sum(axis=2)

            def check(found: throng.NearestHits, allowed: npt.NDArray[np.bool_]) -> None:
                counts = np.minimum(allowed.sum(1), 6)
                assert_same(found.counts, counts)
                wanted = nearest_of(np.where(allowed, distance2, np.inf), 6)
                for row, expected, count in zip(found.ids, wanted, counts):
                    assert_same(row[:count], expected[:count])

            check(crowd.nearest(points, 6, least=2), distance2 >= 4)
            for axis in range(1, dim):
                height = offsets[:, :, axis]
                band = (height >= -1) & (height <= 3)
                check(crowd.nearest(points, 6, band=(1, 3), up=axis), band)
                if axis == dim - 1:
                    check(crowd.nearest(points, 6, least=1, band=(1, 3)), band & (distance2 >= 1))
            # Page by page.
            point = points[:1]
            whole = crowd.nearest(point, 30)
            page = crowd.nearest(point, 10)
            for i in (10, 20):
                page = crowd.nearest(point, 10, after=(page.distances2[0, -1], page.ids[0, -1]))
                assert_same(page.ids[0], whole.ids[0, i : i + 10])

            own = crowd.nearest(positions, 4, least=1, band=(0, 2))
            everyone = crowd.nearest_neighbours(4, with_self=True, least=1, band=(0, 2))
            assert_same(everyone.ids, own.ids)

            for name, wrong in (
                ("least", {"least": -1.0}),
                ("least", {"least": float("nan")}),
                ("band", {"band": (-1, 1)}),
                ("band", {"band": (1, 1), "up": 0}),
                ("band", {"band": (1, 1), "up": dim}),
                ("after", {"after": (float("nan"), 1)}),
            ):
                self.assert_refused(throng.Error, [name], crowd.nearest, points, 3, **wrong, argument=name)
            for wrong in ({"band": 3}, {"band": (1, 2, 3)}, {"up": 1}, {"after": 7}):
                self.assert_refused(TypeError, [], crowd.nearest, points, 3, **wrong)

    def test_nearest(self) -> None:
        for dim, positions in self.worlds:
            crowd = throng.Crowd(positions)
            points = lattice(50, dim, seed=3)
            distance2 = ((positions[None] - points[:, None]) ** 2).sum(axis=2)
            order = nearest_of(distance2, 6)
            found = crowd.nearest(points, 6)
            assert_same(found.ids, order)
            assert_same(found.distances2, np.take_along_axis(distance2, order, 1))
            assert_same(found.distances(), np.sqrt(found.distances2))
            self.assertTrue((found.counts == 6).all())
            near = crowd.nearest(points, 6, radius=1)
            assert_same(near.counts, np.minimum((distance2 <= 1).sum(1), 6))
            for q, row in enumerate(near):
                assert_same(row, order[q, : near.counts[q]])
                assert_same(near[q], row)
            empty = near.counts < 6
            self.assertTrue((near.ids[empty, 5] == NO_ID).all())
            self.assertTrue(np.isinf(near.distances2[empty, 5]).all())

            own = crowd.nearest(positions, 5)
            everyone = crowd.nearest_neighbours(5, with_self=True)
            assert_same(everyone.ids, own.ids)
            alone = crowd.nearest_neighbours(4, order="storage")
            for who, ids_of in zip(crowd.order(), alone.ids):
                self.assertNotIn(who, ids_of)

    def test_ids_that_no_agent_has(self) -> None:
        crowd = throng.Crowd(np.zeros((3, 2), np.float32))
        crowd.erase(1)
        self.assertEqual([ids.tolist() for ids in crowd.neighbours(1)], [[2], [], [0]])
        self.assertEqual(crowd.count_neighbours(1).tolist(), [1, 0, 1])


class Filters(TestCase):
    def setUp(self) -> None:
        self.positions = lattice(200, 2)
        self.groups = np.random.default_rng(1).integers(0, 8, 200).astype(np.uint32)
        self.crowd = throng.Crowd(self.positions, 0.5, self.groups)
        self.balls = throng.Balls(self.positions, 4.0)
        self.near = in_balls(self.positions, self.positions, 4)

    def test_one_for_all(self) -> None:
        hits = self.crowd.query(self.balls, groups=3)
        self.assert_hits(hits, self.near & ((self.groups & 3) != 0))
        hits = self.crowd.query(self.balls, without=7)
        expected = self.near.copy()
        expected[:, 7] = False
        self.assert_hits(hits, expected)

    def test_one_each(self) -> None:
        ids = np.arange(200, dtype=np.uint32)
        expected = self.near & ((self.groups[None] & self.groups[:, None]) != 0)
        np.fill_diagonal(expected, False)
        hits = self.crowd.query(self.balls, groups=self.groups, without=ids)
        self.assert_hits(hits, expected)
        backwards = self.crowd.query(self.balls, groups=self.groups, without=ids[::-1][::-1])
        self.assert_hits(backwards, expected)
        counts = self.crowd.count(self.balls, groups=self.groups, without=ids)
        assert_same(counts, expected.sum(axis=1))
        flags = self.crowd.any(self.balls, groups=0, without=ids)
        self.assertFalse(flags.any())

    def test_whole_crowds(self) -> None:
        expected = self.near & ((self.groups & 4) != 0)
        np.fill_diagonal(expected, False)
        self.assert_hits(self.crowd.neighbours(4, groups=4), expected)
        wanted = (self.groups & 4) != 0
        for i, j in self.crowd.pairs(groups=4):
            self.assertTrue(wanted[i] and wanted[j])
        found = self.crowd.nearest(self.positions, 3, groups=4)
        self.assertTrue(wanted[found.ids].all())

    def test_sets(self) -> None:
        positions = np.zeros((9, 2), np.float32)
        half = np.full(9, 0.5, np.float32)
        half[4] = 50
        crowd = throng.Crowd(positions, half, bounds=((-9, -9), (9, 9)), cell=2)
        crowd.set_statics(positions[:2], 3.0)
        self.assertEqual(crowd.stats().giants, 1)
        self.assertTrue(crowd.is_giant(4) and not crowd.is_giant(3))
        box = throng.Boxes(positions[:1], positions[:1])

        def who(sets: Any) -> Any:
            return sorted(crowd.query(box, sets=sets)[0].tolist())

        small = [0, 1, 2, 3, 5, 6, 7, 8]
        statics = [FIRST_STATIC, FIRST_STATIC + 1]
        self.assertEqual(who(Sets.SMALL), small)
        self.assertEqual(who(Sets.GIANTS), [4])
        self.assertEqual(who(Sets.STATICS), statics)
        self.assertEqual(who(Sets.SMALL | Sets.STATICS), small + statics)
        self.assertEqual(who(Sets.ALL), sorted([*small, 4, *statics]))
        self.assertEqual(crowd.count_pairs(PairSets.SMALL_SMALL), 28)
        self.assertEqual(crowd.count_pairs(PairSets.SMALL_GIANTS), 8)
        self.assertEqual(crowd.count_pairs(PairSets.STATICS), 18)
        self.assertEqual(len(crowd.pairs(PairSets.ALL)), 28 + 8 + 18)
        self.assertIn(FIRST_STATIC, crowd)
        self.assertNotIn(FIRST_STATIC + 2, crowd)
        # Single statics come, move and go.
        crowd.insert(FIRST_STATIC + 1000, positions[0], 0.5)
        crowd.erase(FIRST_STATIC)
        self.assertEqual(who(Sets.STATICS), [FIRST_STATIC + 1, FIRST_STATIC + 1000])
        crowd.move(FIRST_STATIC + 1000, positions[0] + 100.0)
        self.assertEqual(who(Sets.STATICS), [FIRST_STATIC + 1])
