"""Pairs over time."""

from __future__ import annotations

from typing import Dict, Optional, Tuple

import numpy as np
from support import TestCase, acquired, assert_same

import throng
from throng.asked import Body

Pair = Tuple[int, int]


class Contacts(TestCase):
    def test_frames(self) -> None:
        for dim in (2, 3):
            random = np.random.default_rng(dim)
            positions = (random.random((400, dim)) * 12).astype(np.float32)
            crowd = throng.Crowd(positions, 0.5)
            published = throng.PublishedCrowd(dim=dim)
            contacts = throng.Contacts()
            then: Dict[Pair, int] = {}
            kept = []
            lasted = 0
            for frame in range(12):
                positions += random.uniform(-0.1, 0.1, positions.shape).astype(np.float32)
                crowd.update(positions, 0.5)
                published.update(positions, 0.5)
                asked = crowd if frame % 2 == 0 else acquired(published)
                within = 0.7 if frame % 5 == 4 else None
                bodies: Tuple[Optional[Body], ...] = (None, None, None, "disc", "box", "disc")
                body = bodies[frame % 6]
                got = contacts.update(asked, within=within, body=body)
                found = crowd.pairs(within=within, body=body)
                wanted = sorted((min(pair), max(pair)) for pair in found)
                now = {pair: k for k, pair in enumerate(wanted)}
                self.assertEqual([tuple(pair) for pair in got.pairs.tolist()], wanted)
                previous = [then.get(pair, throng.NO_CONTACT) for pair in wanted]
                self.assertEqual(got.previous.tolist(), previous)
                self.assertEqual(got.began.tolist(), [now[p] for p in wanted if p not in then])
                ended = [pair for pair in then if pair not in now]
                self.assertEqual([tuple(pair) for pair in got.ended.tolist()], ended)
                self.assertEqual(got.ended_previous.tolist(), [then[pair] for pair in ended])
                lasted += len(wanted) - len(got.began)
                ages = np.arange(len(then), dtype=np.float32)
                carried = got.carried(ages, -1)
                self.assertEqual(carried.tolist(), [then.get(pair, -1) for pair in wanted])
                self.assertIn(f"{len(wanted)} pairs", repr(got))
                then = now
                kept.append((got, got.pairs.copy()))
            self.assertGreater(lasted, 100)
            for got, pairs in kept:
                assert_same(got.pairs, pairs)
            self.assertGreater(contacts.memory(), 0)
            contacts.release()
            contacts.update(crowd)
            self.assertEqual(len(contacts.update(crowd).began), 0)
            contacts.clear()
            again = contacts.update(crowd)
            self.assertEqual(len(again.began), len(again))
            self.assertIn(f"{dim}D", repr(contacts))

    def test_refusals(self) -> None:
        contacts = throng.Contacts()
        self.assertEqual(contacts.memory(), 0)
        contacts.clear()
        contacts.release()
        self.assertIn("Contacts", repr(contacts))
        crowd = throng.Crowd(np.zeros((3, 2), np.float32), 0.5)
        count = len(contacts.update(crowd))
        self.assertEqual(count, 3)
        self.assert_refused(throng.Error, [], contacts.update, crowd, within=float("nan"), argument="within")
        self.assert_refused(throng.Error, [], contacts.update, crowd, body="centre", argument="body")
        self.assert_refused(ValueError, [], contacts.update, crowd, body="square")
        self.assert_refused(ValueError, [], contacts.update, crowd, sets=99)
        self.assert_refused(ValueError, [], contacts.update, throng.Crowd(np.zeros((3, 3), np.float32)))
        self.assertEqual(len(contacts.update(crowd).began), 0)
