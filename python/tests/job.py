"""What every rank of a job does, one rank or many: it compares its part of the answers with those of one
process that has the whole crowd. `mpirun -n 3 python3 job.py <folder>` runs it by MPI."""

from __future__ import annotations

import sys
import unittest
from typing import Any, Optional

import numpy as np
from support import TestCase

import throng
import throng.distributed as td

SIDE = 24.0
REACH = 2.5
AGENTS = 400


class Job(TestCase):
    """Of one process; an MPI job sets `comm`."""

    comm: Optional[Any] = None
    folder: Optional[str] = None

    def setUp(self) -> None:
        self.rank = 0 if self.comm is None else self.comm.Get_rank()
        self.ranks = 1 if self.comm is None else self.comm.Get_size()

    def crowd(self, dim: int, comm: Optional[Any], **settings: Any) -> td.Crowd:
        bounds = ((0.0,) * dim, (SIDE,) * dim)
        return td.Crowd(comm, bounds=bounds, cell=2.0, reach=REACH, **settings)

    def town(self, dim: int) -> Any:
        """Names, places and velocities of all agents: places are whole, so many are equally near."""
        random = np.random.default_rng(dim)
        ids = np.sort(random.choice(10**12, AGENTS, replace=False)).astype(np.uint64)
        places = random.integers(0, int(SIDE), (AGENTS, dim)).astype(np.float32)
        velocity = random.normal(0, 1, (AGENTS, dim)).astype(np.float64)
        return ids, places, velocity

    def part(self, dim: int, **more: Any) -> td.Share:
        """This rank's part of all, without regard to places."""
        ids, places, velocity = self.town(dim)
        mine = slice(self.rank, None, self.ranks)
        return td.Share(
            ids[mine],
            places[mine],
            velocity=velocity[mine],
            age=np.zeros(len(ids[mine]), np.uint16),
            with_owner=["age"],
            **{name: array[mine] for name, array in more.items()},
        )

    def test_an_agent_is_owned_once_and_its_columns_come_along(self) -> None:
        for dim in (2, 3):
            ids, places, velocity = self.town(dim)
            share = self.part(dim)
            crowd = self.crowd(dim, self.comm)
            for step in range(4):
                crowd.update(share)
                share["age"][: share.owned] += 1
                owned = share.ids[: share.owned]
                np.testing.assert_array_equal(owned, np.sort(owned))
                at = np.searchsorted(ids, share.ids)
                np.testing.assert_array_equal(ids[at], share.ids)
                np.testing.assert_array_equal(share["velocity"], velocity[at])
                np.testing.assert_array_equal(share["age"][: share.owned], step + 1)
                moved = share.positions[: share.owned]
                self.assertTrue(all(crowd.owner_of(place) == self.rank for place in moved))
                moved += np.float32(0.5) * share["velocity"][: share.owned].astype(np.float32)
            self.assertEqual(crowd.size(), AGENTS)
            self.assertEqual(len(share), share.owned + share.ghosts)
            self.assertEqual(share.ghosts > 0, self.ranks > 1)
            stats = crowd.stats()
            self.assertEqual((stats.owned, stats.ghosts), (share.owned, share.ghosts))
            self.assertGreater(crowd.memory(), 0)
            self.assertGreater(share.memory(), 0)

    def test_neighbours_are_those_of_one_process(self) -> None:
        for dim in (2, 3):
            ids, places, _ = self.town(dim)
            groups = np.arange(AGENTS, dtype=np.uint32) % 3 + 1
            share = self.part(dim, groups=groups)
            crowd = self.crowd(dim, self.comm, groups=True, half_extent=0.5)
            crowd.update(share)
            whole = td.Share(ids, places, groups=groups)
            alone = self.crowd(dim, None, groups=True, half_extent=0.5)
            alone.update(whole)
            reference = throng.Crowd(places, 0.5, groups)
            for mask in (throng.ALL_GROUPS, 2):
                near = crowd.neighbours(REACH, groups=mask)
                wanted = alone.neighbours(REACH, groups=mask)
                expected = reference.neighbours(REACH, groups=mask, order="ids")
                counts = crowd.count_neighbours(REACH, groups=mask)
                for i in range(share.owned):
                    agent = int(np.searchsorted(ids, share.ids[i]))
                    got = share.ids[near[i]]
                    np.testing.assert_array_equal(got, ids[wanted[agent]])  # the order, too
                    np.testing.assert_array_equal(np.sort(got), ids[np.sort(expected[agent])])
                    self.assertEqual(counts[i], len(got))
                self.assertEqual(crowd.count_pairs(mask), len(alone.pairs(mask)))
                self.assertEqual(len(alone.pairs(mask)), len(reference.pairs(groups=mask)))
            pairs = crowd.pairs()
            self.assertTrue(np.all(pairs.first < share.owned))

    def test_questions_of_any_place(self) -> None:
        for dim in (2, 3):
            ids, places, _ = self.town(dim)
            share = self.part(dim)
            crowd = self.crowd(dim, self.comm, half_extent=0.25)
            crowd.update(share)
            reference = throng.Crowd(places, 0.25)
            random = np.random.default_rng(10 + self.rank)
            # Some rank asks nothing.
            asked = 0 if self.rank == 1 else 30 + self.rank
            points = random.uniform(-2, SIDE + 2, (asked, dim)).astype(np.float32)
            balls = throng.Balls(points, 4.0)
            wanted = reference.query(balls)
            hits = crowd.query(balls)
            self.assertEqual(len(hits), asked)
            for q in range(asked):
                np.testing.assert_array_equal(np.sort(hits[q]), ids[np.sort(wanted[q])])
            np.testing.assert_array_equal(crowd.count(balls), reference.count(balls))
            np.testing.assert_array_equal(crowd.any(balls), reference.any(balls))
            without = ids[np.arange(asked) % AGENTS]
            left_out = crowd.query(balls, without=without)
            for q in range(asked):
                np.testing.assert_array_equal(left_out[q], hits[q][hits[q] != without[q]])
            self.assertEqual(len(crowd.query(balls, groups=0).ids), 0)

            near = crowd.nearest(points, 5)
            expected = reference.nearest(points, 5)
            np.testing.assert_array_equal(near.distances2, expected.distances2)
            np.testing.assert_array_equal(near.counts, expected.counts)
            np.testing.assert_array_equal(near.ids, ids[expected.ids])
            own = crowd.nearest_neighbours(3)
            all_own = reference.nearest_neighbours(3)
            for i in range(share.owned):
                agent = int(np.searchsorted(ids, share.ids[i]))
                np.testing.assert_array_equal(own[i], ids[all_own.ids[agent]])

            paths = throng.Segments(points, points[::-1].copy())
            times, first = crowd.first(paths)
            met = reference.first(paths)
            np.testing.assert_array_equal(times, met.times)
            some = met.ids != throng.NO_ID
            np.testing.assert_array_equal(first[some], ids[met.ids[some]])
            self.assertTrue(np.all(first[~some] == td.NO_GLOBAL_ID))
            every = crowd.meetings(paths)
            crossed = crowd.query(paths)
            for q in range(asked):
                at, who = every[q]
                self.assertTrue(np.all(np.diff(at) >= 0))
                np.testing.assert_array_equal(np.sort(who), np.sort(crossed[q]))

    def test_births_deaths_and_names(self) -> None:
        _, places, velocity = self.town(2)
        mine = slice(self.rank, None, self.ranks)
        share = td.Share(None, places[mine], velocity=velocity[mine])
        crowd = self.crowd(2, self.comm)
        crowd.name(share)
        crowd.update(share)
        self.assertEqual(crowd.size(), AGENTS)
        share.keep_only(share.positions[: share.owned, 0] < SIDE / 2)
        share.append(None, np.full((1, 2), 3.5, np.float32), velocity=np.zeros((1, 2)))
        crowd.name(share)
        crowd.update(share)
        self.assertEqual(crowd.size(), int(np.sum(places[:, 0] < SIDE / 2)) + self.ranks)
        kept = np.arange(share.owned // 2, dtype=np.uint32)
        share.keep_only(kept)
        self.assertEqual(share.owned, len(kept))
        crowd.update(share)

    def test_own_extents(self) -> None:
        ids, places, _ = self.town(2)
        half = np.random.default_rng(3).uniform(0, 1, places.shape).astype(np.float32)
        share = self.part(2, half_extents=half)
        crowd = self.crowd(2, self.comm, own_half_extents=True)
        crowd.update(share)
        at = np.searchsorted(ids, share.ids)
        np.testing.assert_array_equal(share.half_extents, half[at])
        self.assertEqual(crowd.count_pairs(), len(throng.Crowd(places, half).pairs()))

    def test_giants_and_statics(self) -> None:
        for dim in (2, 3):
            ids, places, _ = self.town(dim)
            random = np.random.default_rng(3)
            half = random.uniform(0, 0.9, places.shape).astype(np.float32)
            half[::20] *= np.float32(5)  # some are wider than a cell
            walls = random.uniform(0, SIDE, (30, dim)).astype(np.float32)
            sizes = random.uniform(0, 2, walls.shape).astype(np.float32)
            share = self.part(dim, half_extents=half)
            crowd = self.crowd(dim, self.comm, own_half_extents=True)
            crowd.set_statics(walls, sizes)
            crowd.update(share)
            bounds = ((0.0,) * dim, (SIDE,) * dim)
            reference = throng.Crowd(places, half, bounds=bounds, cell=(2.0,) * dim)
            reference.set_statics(walls, sizes)

            def named(found: Any) -> Any:
                statics = found >= throng.FIRST_STATIC
                names = ids[np.where(statics, 0, found)]
                first = found.astype(np.uint64) - np.uint64(throng.FIRST_STATIC)
                return np.where(statics, np.uint64(td.FIRST_GLOBAL_STATIC) + first, names)

            stats = crowd.stats()
            giants = int(np.sum(np.any(half > 1.0, axis=1)))  # of half a cell
            self.assertEqual((stats.giants, stats.statics), (giants, 30))
            points = random.uniform(0, SIDE, (20, dim)).astype(np.float32)
            for sets in (throng.Sets.ALL, throng.Sets.SMALL, throng.Sets.GIANTS, throng.Sets.STATICS):
                boxes = throng.Boxes(points - 2, points + 2)
                hits, wanted = crowd.query(boxes, sets=sets), reference.query(boxes, sets=sets)
                for q in range(len(points)):
                    np.testing.assert_array_equal(hits[q], named(wanted[q]))
                np.testing.assert_array_equal(
                    crowd.count(boxes, sets=sets), reference.count(boxes, sets=sets)
                )
                np.testing.assert_array_equal(
                    crowd.any(boxes, sets=sets), reference.any(boxes, sets=sets)
                )
                near, expected = (of.nearest(points, 4, sets=sets) for of in (crowd, reference))
                np.testing.assert_array_equal(near.ids, named(expected.ids))
                own = crowd.nearest_neighbours(2, sets=sets)
                all_own = reference.nearest_neighbours(2, sets=sets, order="ids")
                lists = crowd.neighbours(REACH, sets=sets)
                all_lists = reference.neighbours(REACH, sets=sets, order="ids")
                for i in range(share.owned):
                    agent = int(np.searchsorted(ids, share.ids[i]))
                    np.testing.assert_array_equal(own[i], named(all_own[agent]))
                    self.assertEqual(len(lists[i]), len(all_lists[agent]))
                paths = throng.Segments(points, points[::-1].copy())
                times, _ = crowd.first(paths, sets=sets)
                np.testing.assert_array_equal(times, reference.first(paths, sets=sets).times)
                met = crowd.meetings(paths, sets=sets)
                crossed = reference.count(paths, sets=sets)
                np.testing.assert_array_equal(np.diff(met.offsets), crossed)
            every = throng.PairSets.ALL
            self.assertEqual(crowd.count_pairs(sets=every), len(reference.pairs(sets=every)))
            discs = reference.pairs(sets=every, body="disc")
            self.assertEqual(crowd.count_pairs(sets=every, body="disc"), len(discs))
            self.assertTrue(np.all(crowd.pairs(sets=every).first < share.owned))
            with self.assertRaises(throng.Error) as raised:
                crowd.set_statics(walls + np.float32(self.rank), sizes)
                if self.ranks == 1:
                    crowd.set_statics(walls * np.float32(np.nan), sizes)
            self.assertIn(raised.exception.cause, ("ranks_differ", "not_finite"))
            self.assertEqual(crowd.count(boxes, sets=throng.Sets.STATICS).sum(), hits.offsets[-1])

    def test_bricks_follow_the_crowd(self) -> None:
        ids, places, velocity = self.town(2)
        places[: AGENTS // 2] *= np.float32(0.1)
        mine = slice(self.rank, None, self.ranks)
        share = td.Share(ids[mine], places[mine], velocity=velocity[mine])
        crowd = self.crowd(2, self.comm)
        crowd.update(share)
        crowd.balance()
        stats = crowd.stats()
        self.assertEqual(stats.next_imbalance < stats.imbalance, self.ranks > 1)
        before = crowd.brick()
        crowd.update(share)
        self.assertEqual(crowd.size(), AGENTS)
        self.assertEqual(crowd.brick() == before, self.ranks == 1)
        crowd.balance(np.ones(share.owned, np.uint32))

    def test_checkpoints(self) -> None:
        if self.folder is None:
            self.skipTest("there is no folder that all ranks see")
        ids, places, velocity = self.town(2)
        share = self.part(2)
        crowd = self.crowd(2, self.comm, half_extent=0.5)
        crowd.update(share)
        crowd.save(share, self.folder)
        none = np.empty((0, 2), np.float32)
        again = td.Share(
            None,
            none,
            velocity=np.empty((0, 2)),
            age=np.empty(0, np.uint16),
            with_owner=["age"],
        )
        loaded = td.load(self.comm, self.folder, again)
        np.testing.assert_array_equal(again.ids, share.ids)
        np.testing.assert_array_equal(again.positions, share.positions)
        np.testing.assert_array_equal(again["velocity"], share["velocity"])
        self.assertEqual(loaded.count_pairs(), crowd.count_pairs())
        self.assertEqual(loaded.dim, 2)

    def test_what_one_rank_refuses_all_refuse(self) -> None:
        share = self.part(2)
        crowd = self.crowd(2, self.comm)
        crowd.update(share)
        ids, places = share.ids.copy(), share.positions.copy()
        last = self.ranks - 1
        if self.rank == last:
            share.positions[0, 1] = np.nan
        error = self.assert_refused(throng.Error, ["positions[0]"], crowd.update, share)
        self.assertEqual(error.cause, "not_finite")
        self.assertEqual(len(share), len(ids))
        share.positions = places
        crowd.update(share)
        np.testing.assert_array_equal(share.ids, ids)
        self.assert_refused(throng.Error, ["radius"], crowd.neighbours, 2 * REACH)


    def test_what_one_rank_cannot_make_a_call_of_no_rank_waits_for(self) -> None:
        self.refuse_conversions()
        share = self.part(2)
        crowd = self.crowd(2, self.comm)
        crowd.update(share)
        balls = throng.Balls(np.ones((1, 2), np.float32), 1.0)
        odd = self.rank == self.ranks - 1
        wrong = throng.Balls(np.ones((1, 2)), 1.0) if odd else balls
        if odd:
            self.assert_refused(TypeError, ["centres"], crowd.query, wrong)
        else:
            error = self.assert_refused(throng.Error, [], crowd.query, wrong)
            self.assertEqual(error.cause, "ranks_differ")
        self.assertEqual(len(crowd.query(balls)), 1)
        # Where there is no crowd yet.
        bounds = ((0.0, "0"), (SIDE, SIDE)) if odd else ((0.0, 0.0), (SIDE, SIDE))
        if odd or self.ranks > 1:
            kind = TypeError if odd else throng.Error
            with self.assertRaises(kind):
                td.Crowd(self.comm, bounds=bounds, cell=2.0, reach=REACH)
        crowd.update(share)

    def test_what_goes_wrong_after_a_call_is_no_other_call(self) -> None:
        class Forgetful(td.Share):
            forgets = False

            def _take(self) -> None:
                if self.forgets:
                    self.forgets = False
                    raise MemoryError("forgotten")
                super()._take()

        ids, places, _ = self.town(2)
        share = Forgetful(ids[self.rank :: self.ranks], places[self.rank :: self.ranks])
        crowd = self.crowd(2, self.comm)
        share.forgets = self.rank == 0
        if share.forgets:
            self.assert_refused(MemoryError, ["forgotten"], crowd.update, share)
        else:
            crowd.update(share)
        self.assertEqual(crowd.size(), AGENTS)


def main() -> int:
    from mpi4py import MPI

    Job.comm, Job.folder = MPI.COMM_WORLD, sys.argv[1]
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(Job)
    result = unittest.TextTestRunner(verbosity=0).run(tests)
    good = result.wasSuccessful() and result.testsRun > 5 and not result.skipped
    return 0 if MPI.COMM_WORLD.allreduce(good, op=MPI.LAND) else 1


if __name__ == "__main__":
    sys.exit(main())
