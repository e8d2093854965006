"""Agents that are named by handles."""

from __future__ import annotations

import copy
import pickle
from typing import Any, Dict

import numpy as np
from support import TestCase, in_balls, lattice

import throng

BOUNDS = ((0, 0), (24, 24))


def empty() -> throng.Crowd:
    return throng.Crowd(bounds=BOUNDS, cell=2)


class OneByOne(TestCase):
    def test_names_are_given_once(self) -> None:
        crowd = empty()
        first = crowd.add((1, 2))
        second = crowd.add((3, 4))
        self.assertEqual((first.slot, second.slot), (0, 1))
        self.assertEqual(crowd.slots, 2)
        self.assertEqual(crowd.query_balls((1, 2), 0.5)[0].tolist(), [first.slot])
        self.assertEqual(crowd.handle_of(0), first)
        self.assertTrue(first in crowd and first.slot in crowd)
        crowd.check(first)
        crowd.remove(first)
        again = crowd.add((5, 6))
        self.assertEqual(again.slot, first.slot)
        self.assertNotEqual(again, first)
        self.assertFalse(first in crowd)
        self.assertTrue(again in crowd)
        self.assertEqual(len({first, second, again}), 3)
        self.assertIsNone(crowd.handle_of(7))

    def test_stale_and_foreign_ones_are_refused(self) -> None:
        crowd, other = empty(), empty()
        handle, foreign = crowd.add((1, 2)), other.add((1, 2))
        gone = crowd.add((3, 4))
        crowd.remove(gone)
        before = crowd.to_bytes()
        for bad, cause in ((gone, "handle_stale"), (foreign, "handle_foreign")):
            for call in (crowd.check, crowd.remove, lambda one: crowd.move(one, (9, 9))):
                self.assert_refused(throng.Error, ["handle"], call, bad, cause=cause)
            self.assertFalse(bad in crowd)
        self.assertEqual(crowd.to_bytes(), before)
        crowd.move(handle, (7, 8))
        self.assertEqual(crowd.query_balls((7, 8), 0.0)[0].tolist(), [handle.slot])
        null = throng.Handle(throng.NO_ID, 0, 0)
        self.assert_refused(throng.Error, ["handle"], crowd.check, null)

    def test_refused(self) -> None:
        crowd = empty()
        for bad in (0, (0, 1, 1), "handle", None, np.zeros(1, "u4,u4,u4")[0]):
            self.assert_refused(TypeError, ["handle"], crowd.check, bad)
        self.assert_refused(TypeError, ["handle"], crowd.remove, 0)
        self.assert_refused(TypeError, ["handles:"], crowd.remove, np.zeros((2, 3), np.uint32))
        self.assert_refused(TypeError, ["handle"], crowd.remove, [0, 1])
        self.assert_refused(throng.Error, ["position"], crowd.add, (np.nan, 0))
        self.assert_refused(throng.Error, ["half_extent"], crowd.add, (1, 1), 0.5)
        named = throng.Crowd(lattice(5, 2))
        self.assertEqual(self.assert_refused(throng.Error, [], named.add, (1, 1)).cause, "other_names")
        self.assertIsNone(named.handle_of(3))
        crowd.add((1, 1))
        ids = np.uint32([0])
        for call in (
            lambda: crowd.insert(9, (1, 1)),
            lambda: crowd.erase(0),
            lambda: crowd.move(0, (2, 2)),
            lambda: crowd.edit(erase=ids),
            lambda: crowd.edit(move=(ids, lattice(1, 2))),
            lambda: crowd.edit(insert=(ids + 9, lattice(1, 2))),
        ):
            self.assertEqual(self.assert_refused(throng.Error, [], call).cause, "other_names")
        self.assertEqual(len(crowd), 1)
        crowd.clear()
        crowd.insert(9, (1, 1))

    def test_extents_and_groups(self) -> None:
        none = np.zeros(0, np.float32)
        crowd = throng.Crowd(
            np.zeros((0, 2), np.float32), none, none.astype(np.uint32), bounds=BOUNDS, cell=2
        )
        wide = crowd.add((5, 5), (3, 1), 2)
        giant = crowd.add((20, 20), 5.0, 1)
        self.assertTrue(crowd.is_giant(giant.slot))
        box = throng.Boxes(np.float32([[7.5, 5.5]]), np.float32([[9, 9]]))
        self.assertEqual(crowd.query(box)[0].tolist(), [wide.slot])
        self.assertEqual(crowd.count(box, groups=1).tolist(), [0])
        crowd.move(giant, (6, 6))
        self.assertEqual(len(crowd.pairs()), 1)
        crowd.remove(giant)
        self.assertEqual(len(crowd), 1)

    def test_in_space_and_far_away(self) -> None:
        origin = (4e9, -1e9, 0)
        crowd = throng.Crowd(bounds=((0, 0, 0), (9, 9, 9)), cell=1, origin=origin)
        handle = crowd.add((4e9 + 1.5, -1e9 + 2, 3))
        self.assertEqual(crowd.count(throng.Balls(np.float32([[1.5, 2, 3]]), 0.0)).tolist(), [1])
        crowd.move(handle, (4e9 + 4, -1e9 + 5, 6))
        self.assertEqual(crowd.count(throng.Balls(np.float32([[4, 5, 6]]), 0.0)).tolist(), [1])

    def test_far_away_in_a_periodic_world(self) -> None:
        # No float near the place is as exact, so it must be put inside the world before it is rounded.
        far, inside = (1e9 + 3.3, 5.25), np.float32([3.3, 5.25])

        def edited(crowd: throng.Crowd) -> None:
            crowd.insert(0, (1, 1))
            crowd.edit(move=([0], np.array([far])))

        for come in (
            lambda crowd: crowd.add(far),
            lambda crowd: crowd.add_many(np.array([far])),
            lambda crowd: crowd.move(crowd.add((1, 1)), far),
            lambda crowd: crowd.insert(0, far),
            lambda crowd: crowd.edit(insert=([0], np.array([far]))),
            edited,
        ):
            crowd = throng.Crowd(bounds=((0, 0), (10, 10)), cell=1, periodic=True, origin=(0, 0))
            come(crowd)
            np.testing.assert_allclose(crowd.agents().positions, [inside], rtol=1e-6)

    def test_copies_have_handles_of_their_own(self) -> None:
        crowd = empty()
        handles = [crowd.add(place) for place in ((1, 1), (2, 2), (3, 3))]
        crowd.remove(handles[1])
        for twin in (copy.copy(crowd), pickle.loads(pickle.dumps(crowd))):
            self.assertFalse(handles[0] in twin)
            mine = twin.handle_of(2)
            assert mine is not None
            twin.remove(mine)
            self.assertEqual((len(twin), len(crowd)), (1, 2))


class Keys(TestCase):
    def test_are_kept_for_agents(self) -> None:
        crowd = empty()
        first = crowd.add((1, 2), key=2**64 - 1)
        second = crowd.add((3, 4))
        self.assertEqual([crowd.key_of(agent.slot) for agent in (first, second)], [2**64 - 1, 0])
        crowd.set_key(second, 5)
        self.assertEqual(crowd.key_of(second.slot), 5)
        crowd.remove(first)
        self.assertEqual(crowd.key_of(first.slot), 0)
        again = crowd.add((1, 2))
        self.assertEqual((again.slot, crowd.key_of(again.slot)), (first.slot, 0))
        crowd.set_statics(lattice(2, 2))
        self.assertEqual(crowd.key_of(throng.FIRST_STATIC), throng.FIRST_STATIC)

    def test_answer_in_hits_and_arrays(self) -> None:
        crowd = empty()
        at = lattice(20, 2)
        names = np.arange(len(at), dtype=np.uint64) * 2**40 + 3
        handles = crowd.add_many(at, keys=names)
        hits = crowd.neighbours(1.5)
        keys = crowd.keys(hits)
        self.assertEqual(len(keys), len(hits))
        self.assertTrue(len(keys.keys) > 0)
        of_slot = np.zeros(crowd.slots, np.uint64)
        of_slot[handles["slot"]] = names
        for near, ids in zip(keys, hits):
            self.assertEqual(near.tolist(), of_slot[ids].tolist())
        self.assertEqual(keys[-1].tolist(), keys[len(keys) - 1].tolist())
        self.assertIs(keys.arrays[1], keys.keys)
        self.assertEqual(repr(keys), f"<throng.KeyHits: {len(keys.keys)} keys for {len(hits)} questions>")
        with self.assertRaises(IndexError):
            keys[len(keys)]
        nearest = crowd.nearest(at, 3)
        self.assertEqual(crowd.keys(nearest.ids).tolist(), of_slot[nearest.ids].tolist())
        crowd.set_keys(handles[:2], [7, 2**64 - 1])
        self.assertEqual(crowd.keys(handles["slot"][:2].copy()).tolist(), [7, 2**64 - 1])
        crowd.set_keys(handles[:2], np.array([8, 9], np.uint64))
        self.assertEqual(crowd.keys(handles["slot"][:3].copy()).tolist(), [8, 9, int(names[2])])
        for other in (pickle.loads(pickle.dumps(crowd)), copy.copy(crowd)):
            self.assertEqual(other.keys(crowd.order()).tolist(), crowd.keys(crowd.order()).tolist())
        self.assertEqual(crowd.keys(np.zeros(0, np.uint32)).tolist(), [])

    def test_refused(self) -> None:
        crowd = empty()
        at = lattice(3, 2)
        handles = crowd.add_many(at, keys=[1] * len(at))
        self.assertEqual(crowd.key_of(0), 1)
        with self.assertRaisesRegex(throng.Error, "keys has another count than there are agents"):
            crowd.set_keys(handles, np.zeros(2, np.uint64))
        for bad in (-1, 2**64):
            with self.assertRaisesRegex(ValueError, "^key: expected a whole number from 0 to"):
                crowd.set_key(throng.Handle(*handles[0].tolist()), bad)
        with self.assertRaisesRegex(ValueError, r"^keys\[1\]: expected a whole number from 0 to"):
            crowd.set_keys(handles[:2], np.array([1, -1]))
        with self.assertRaisesRegex(TypeError, "^keys: expected a contiguous uint64 array"):
            crowd.set_keys(handles[:2], np.array([1.0, 2.0]))
        with self.assertRaisesRegex(TypeError, "^ids: expected a contiguous uint32 array"):
            crowd.keys(np.array([1.0, 2.0]))


class Many(TestCase):
    def test_comes_and_goes_like_a_dictionary(self) -> None:
        random = np.random.default_rng(4)
        crowd = throng.Crowd(bounds=BOUNDS, cell=2, threads=2)
        alive: Dict[throng.Handle, Any] = {}
        gone = []
        for step in range(60):
            places = random.integers(0, 24, (random.integers(0, 40), 2)).astype(np.float32)
            added = crowd.add_many(places)
            self.assertEqual(added.dtype, throng.HANDLE_TYPE)
            for handle, place in zip(added, places):
                alive[throng.Handle(*handle.tolist())] = place
            names = list(alive)
            random.shuffle(names) # type: ignore[arg-type]
            leaving = names[: random.integers(0, 30)]
            crowd.remove(leaving if step % 2 else np.array(leaving, throng.HANDLE_TYPE))
            gone += leaving
            for handle in leaving:
                del alive[handle]
            for handle in list(alive)[:5]:
                alive[handle] = random.integers(0, 24, 2).astype(np.float32)
                crowd.move(handle, alive[handle])
            self.assertEqual(len(crowd), len(alive))
        slots = np.array([handle.slot for handle in alive])
        self.assertEqual(len(set(slots.tolist())), len(alive))
        self.assertLess(slots.max(), crowd.slots)
        places = np.full((crowd.slots, 2), -1000, np.float32)
        places[slots] = list(alive.values())
        centres = random.integers(0, 24, (50, 2)).astype(np.float32)
        self.assert_hits(crowd.query_balls(centres, 3.0), in_balls(places, centres, 3.0))
        self.assertTrue(all(handle in crowd for handle in alive))
        self.assertFalse(any(handle in crowd for handle in gone))
        # Everything moves; elements of empty slots are not read.
        moved = np.full((crowd.slots, 2), np.nan, np.float32)
        moved[slots] = places[slots][::-1]
        crowd.update(moved)
        self.assertTrue(all(handle in crowd for handle in alive))
        moved[np.isnan(moved)] = -1000
        self.assert_hits(crowd.query_balls(centres, 3.0), in_balls(moved, centres, 3.0))

    def test_name_agents_in_any_order(self) -> None:
        crowd = empty()
        positions = lattice(20, 2)
        handles = crowd.add_many(positions)
        crowd.remove(handles[::4])
        mixed = np.random.default_rng(3).permutation([i for i in range(20) if i % 4])
        places = lattice(20, 2)[::-1] * np.float32(0.5)
        crowd.update(places[mixed], names=handles[mixed])
        crowd.update(places[mixed], names=[throng.Handle(*handles[i].tolist()) for i in mixed])
        for i in mixed:
            self.assertIn(i, crowd.query_balls(places[i], 0.0)[0])
        self.assert_refused(
            throng.Error, ["handle[0]"], crowd.update, places[mixed], names=handles[:15]
        )
        self.assert_refused(
            throng.Error, ["handle"], crowd.update, places[mixed[1:]], names=handles[mixed[1:]]
        )
        self.assert_refused(throng.Error, ["names"], crowd.update, places[mixed], names=mixed)
        ids = throng.Crowd(bounds=BOUNDS, cell=2)
        ids.update(places[:3], names=[7, 2, 30])
        self.assertEqual(ids.query_balls(places[1], 0.0)[0].tolist(), [2])
        self.assert_refused(throng.Error, ["names", "1"], ids.update, places[:2], names=[5, 5])
        self.assert_refused(throng.Error, ["names"], ids.update, places[:2], names=[5, 6, 7])
        self.assert_refused(TypeError, ["names"], ids.update, places[:2], names=5)
        self.assertEqual(len(ids), 3)

    def test_move_many(self) -> None:
        crowd = empty()
        positions = lattice(20, 2)
        handles = crowd.add_many(positions)
        some = np.random.default_rng(3).permutation(20)[:7]
        places = positions.copy()
        places[some] = positions[::-1][some] * np.float32(0.5)
        crowd.move_many(handles[some], places[some])
        self.assert_hits(crowd.query_balls(places, 2.0), in_balls(places, places, 2.0))
        crowd.move_many([throng.Handle(*handles[i].tolist()) for i in (4, 5, 4)], positions[[0, 1, 2]])
        places[[4, 5]] = positions[[2, 1]]  # the last position of a name counts
        self.assert_hits(crowd.query_balls(places, 2.0), in_balls(places, places, 2.0))
        before = crowd.to_bytes()
        self.assert_refused(throng.Error, ["handle"], crowd.move_many, handles[:7], places)
        self.assert_refused(throng.Error, ["names"], crowd.move_many, some, places[some])
        self.assert_refused(TypeError, ["names"], crowd.move_many, 5, places[:1])
        crowd.move_many(handles[:0], places[:0])
        self.assertEqual(crowd.to_bytes(), before)
        far = throng.Crowd(bounds=BOUNDS, cell=2, origin=(1e9, 0))
        far.update(places)
        far.set_statics(places[:1])
        far.move_many(np.uint32([7, throng.FIRST_STATIC]), np.array([(1e9 + 3.25, 1), (1e9 + 9, 9)]))
        self.assertEqual(far.query_balls(np.float32([[3.25, 1]]), 0.0)[0].tolist(), [7])
        self.assertIn(throng.FIRST_STATIC, far.query_balls(np.float32([[9, 9]]), 0.0)[0])

    def test_all_or_none(self) -> None:
        crowd = empty()
        handles = crowd.add_many(lattice(9, 2))
        self.assertEqual(handles["slot"].tolist(), list(range(9)))
        crowd.remove(handles[4])
        before = crowd.to_bytes()
        self.assert_refused(throng.Error, ["handle"], crowd.remove, handles, cause="handle_stale", index=4)
        self.assert_refused(throng.Error, ["handle"], crowd.remove, handles[[1, 2, 1]])
        bad = lattice(4, 2)
        bad[2] = np.nan
        self.assertEqual(self.assert_refused(throng.Error, [], crowd.add_many, bad).index, 2)
        self.assert_refused(ValueError, ["half_extents"], crowd.add_many, lattice(4, 2), np.ones(3))
        self.assert_refused(TypeError, ["groups"], crowd.add_many, lattice(4, 2), None, 3)
        self.assertEqual(crowd.to_bytes(), before)
        crowd.remove(handles[::2][:2]) # not in one piece
        self.assertEqual(len(crowd), 6)
        self.assertEqual(len(crowd.add_many([])), 0)
        crowd.remove([])
