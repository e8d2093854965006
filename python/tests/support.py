"""Crowds for the tests, and the answers that NumPy gives, computed as the library does: in floats, axis
by axis."""

from __future__ import annotations

import threading
import unittest
from typing import Any, Callable, List

import numpy as np

import throng

#: Arrays have the same shape, and the same elements.
assert_same = np.testing.assert_array_equal


def lattice(agents: int, dim: int, seed: int = 1, side: int = 24) -> Any:
    """Positions with whole coordinates, so that many lie exactly on rims and borders."""
    random = np.random.default_rng(seed)
    return random.integers(0, side, (agents, dim)).astype(np.float32)


def in_balls(positions: Any, centres: Any, radii: Any) -> Any:
    """Row q says which agents lie in ball q."""
    radii = np.broadcast_to(np.asarray(radii, np.float32), len(centres))
    sum2 = np.zeros((len(centres), len(positions)), np.float32)
    for axis in range(positions.shape[1]):
        offset = positions[None, :, axis] - centres[:, None, axis]
        sum2 = offset * offset if axis == 0 else sum2 + offset * offset
    return sum2 <= (radii * radii)[:, None]


def over_boxes(positions: Any, half: Any, lo: Any, hi: Any) -> Any:
    """Row q says which agents' boxes overlap box q."""
    half = np.broadcast_to(np.asarray(half, np.float32), positions.shape)
    below, above = positions - half, positions + half
    hit = np.ones((len(lo), len(positions)), bool)
    for axis in range(positions.shape[1]):
        hit &= below[None, :, axis] <= hi[:, None, axis]
        hit &= lo[:, None, axis] <= above[None, :, axis]
        hit &= (lo[:, axis] <= hi[:, axis])[:, None]
    return hit


class TestCase(unittest.TestCase):
    def assert_hits(self, hits: throng.Hits, expected: Any) -> None:
        """The ids are those of the columns that are true, in any order, each once."""
        self.assertEqual(len(hits), len(expected))
        for ids, row in zip(hits, expected):
            np.testing.assert_array_equal(np.sort(ids), np.flatnonzero(row))

    def refuse_conversions(self) -> None:
        """Until the end of the test nothing is converted."""
        self.addCleanup(throng.set_conversions, throng.set_conversions(False))

    def assert_refused(
        self, kind: Any, words: List[str], call: Callable[..., Any], *args: Any, **named: Any
    ) -> Any:
        """The call raises that exception, with these words in its message; and with the cause, the argument and the
        index that are named."""
        told = {name: named.pop(name) for name in ("cause", "argument", "index") if name in named}
        with self.assertRaises(kind) as caught:
            call(*args, **named)
        for word in words:
            self.assertIn(word, str(caught.exception))
        self.assertEqual({name: getattr(caught.exception, name) for name in told}, told)
        return caught.exception


def together(*works: Callable[[], None]) -> None:
    """Runs each on a thread of its own; raises the exception of the first that fails."""
    failures: List[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=guarded, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        if thread.is_alive():
            raise AssertionError("a thread waits for ever")
    if failures:
        raise failures[0]


def acquired(published: throng.PublishedCrowd) -> throng.Snapshot:
    """The last frame, which there is."""
    snapshot = published.acquire()
    assert snapshot is not None
    return snapshot
