"""What every rank of a job does, one rank or many: it compares its part of the answers with those of one
process that has the whole crowd. `mpirun -n 3 python3 job.py <folder>` runs it by MPI."""

from __future__ import annotations

import sys
import unittest
from typing import Any, Iterator, Optional, Tuple

import numpy as np
from support import TestCase, assert_same

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

    def settled(self, dim: int, arrays: Any = None, **settings: Any) -> Tuple[td.Share, td.Crowd]:
        """This rank's part of all, with these arrays, and a crowd that has taken it."""
        share = self.part(dim, **(arrays or {}))
        crowd = self.crowd(dim, self.comm, **settings)
        crowd.update(share)
        return share, crowd

    def owned(self, share: td.Share, ids: Any) -> Iterator[Tuple[int, int]]:
        """Each agent that this rank owns: its local id, and its place among all."""
        return enumerate(np.searchsorted(ids, share.ids[: share.owned]).tolist())

    def test_an_agent_is_owned_once_and_its_columns_come_along(self) -> None:
        for dim in (2, 3):
            ids, places, velocity = self.town(dim)
            share = self.part(dim)
            crowd = self.crowd(dim, self.comm)
            for step in range(4):
                crowd.update(share)
                share["age"][: share.owned] += 1
                owned = share.ids[: share.owned]
                assert_same(owned, np.sort(owned))
                at = np.searchsorted(ids, share.ids)
                assert_same(ids[at], share.ids)
                assert_same(share["velocity"], velocity[at])
                assert_same(share["age"][: share.owned], step + 1)
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
            share, crowd = self.settled(dim, {"groups": groups}, groups=True, half_extent=0.5)
            whole = td.Share(ids, places, groups=groups)
            alone = self.crowd(dim, None, groups=True, half_extent=0.5)
            alone.update(whole)
            reference = throng.Crowd(places, 0.5, groups)
            for mask in (throng.ALL_GROUPS, 2):
                near = crowd.neighbours(REACH, groups=mask)
                wanted = alone.neighbours(REACH, groups=mask)
                expected = reference.neighbours(REACH, groups=mask, order="ids")
                counts = crowd.count_neighbours(REACH, groups=mask)
                for i, agent in self.owned(share, ids):
                    got = share.ids[near[i]]
                    assert_same(got, ids[wanted[agent]])  # the order, too
                    assert_same(np.sort(got), ids[np.sort(expected[agent])])
                    self.assertEqual(counts[i], len(got))
                self.assertEqual(crowd.count_pairs(mask), len(alone.pairs(mask)))
                self.assertEqual(len(alone.pairs(mask)), len(reference.pairs(groups=mask)))
            pairs = crowd.pairs()
            self.assertTrue(np.all(pairs.first < share.owned))

    def test_questions_of_any_place(self) -> None:
        for dim in (2, 3):
            ids, places, _ = self.town(dim)
            share, crowd = self.settled(dim, half_extent=0.25)
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
                assert_same(np.sort(hits[q]), ids[np.sort(wanted[q])])
            assert_same(crowd.count(balls), reference.count(balls))
            assert_same(crowd.any(balls), reference.any(balls))
            without = ids[np.arange(asked) % AGENTS]
            left_out = crowd.query(balls, without=without)
            for q in range(asked):
                assert_same(left_out[q], hits[q][hits[q] != without[q]])
            self.assertEqual(len(crowd.query(balls, groups=0).ids), 0)

            near = crowd.nearest(points, 5)
            expected = reference.nearest(points, 5)
            assert_same(near.distances2, expected.distances2)
            assert_same(near.counts, expected.counts)
            assert_same(near.ids, ids[expected.ids])
            own = crowd.nearest_neighbours(3)
            all_own = reference.nearest_neighbours(3)
            for i, agent in self.owned(share, ids):
                assert_same(own[i], ids[all_own.ids[agent]])

            paths = throng.Segments(points, points[::-1].copy())
            times, first = crowd.first(paths)
            met = reference.first(paths)
            assert_same(times, met.times)
            some = met.ids != throng.NO_ID
            assert_same(first[some], ids[met.ids[some]])
            self.assertTrue(np.all(first[~some] == td.NO_GLOBAL_ID))
            every = crowd.meetings(paths)
            crossed = crowd.query(paths)
            for q in range(asked):
                at, who = every[q]
                self.assertTrue(np.all(np.diff(at) >= 0))
                assert_same(np.sort(who), np.sort(crossed[q]))

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
        share, crowd = self.settled(2, {"half_extents": half}, own_half_extents=True)
        at = np.searchsorted(ids, share.ids)
        assert_same(share.half_extents, half[at])
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
                    assert_same(hits[q], named(wanted[q]))
                assert_same(crowd.count(boxes, sets=sets), reference.count(boxes, sets=sets))
                assert_same(crowd.any(boxes, sets=sets), reference.any(boxes, sets=sets))
                near, expected = (of.nearest(points, 4, sets=sets) for of in (crowd, reference))
                assert_same(near.ids, named(expected.ids))
                own = crowd.nearest_neighbours(2, sets=sets)
                all_own = reference.nearest_neighbours(2, sets=sets, order="ids")
                lists = crowd.neighbours(REACH, sets=sets)
                all_lists = reference.neighbours(REACH, sets=sets, order="ids")
                for i, agent in self.owned(share, ids):
                    assert_same(own[i], named(all_own[agent]))
                    self.assertEqual(len(lists[i]), len(all_lists[agent]))
                paths = throng.Segments(points, points[::-1].copy())
                times, _ = crowd.first(paths, sets=sets)
                assert_same(times, reference.first(paths, sets=sets).times)
                met = crowd.meetings(paths, sets=sets)
                crossed = reference.count(paths, sets=sets)
                assert_same(np.diff(met.offsets), crossed)
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
        share, crowd = self.settled(2, half_extent=0.5)
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
        assert_same(again.ids, share.ids)
        assert_same(again.positions, share.positions)
        assert_same(again["velocity"], share["velocity"])
        self.assertEqual(loaded.count_pairs(), crowd.count_pairs())
        self.assertEqual(loaded.dim, 2)

    def test_what_one_rank_refuses_all_refuse(self) -> None:
        share, crowd = self.settled(2)
        ids, places = share.ids.copy(), share.positions.copy()
        last = self.ranks - 1
        if self.rank == last:
            share.positions[0, 1] = np.nan
        error = self.assert_refused(throng.Error, ["positions[0]"], crowd.update, share)
        self.assertEqual(error.cause, "not_finite")
        self.assertEqual(len(share), len(ids))
        share.positions = places
        crowd.update(share)
        assert_same(share.ids, ids)
        self.assert_refused(throng.Error, ["radius"], crowd.neighbours, 2 * REACH)

    def test_what_one_rank_cannot_make_a_call_of_no_rank_waits_for(self) -> None:
        self.refuse_conversions()
        share, crowd = self.settled(2)
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
            self.assert_refused(kind, [], td.Crowd, self.comm, bounds=bounds, cell=2.0, reach=REACH)
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
