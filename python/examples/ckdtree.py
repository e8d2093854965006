"""Throng in place of scipy.spatial.cKDTree.query_ball_point: which agents does each ball hold?

    python3 python/examples/ckdtree.py [agents]

Both are asked the same, compared, and timed; without scipy there is nothing to compare with.
"""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, Tuple

import numpy as np

import throng


def with_throng(positions: Any, centres: Any, radius: float) -> throng.Hits:
    crowd = throng.Crowd(positions)
    hits = crowd.query_balls(centres, radius)
    return hits  # hits[q] are the ids in ball q; hits.offsets, hits.ids are all of them


def with_scipy(positions: Any, centres: Any, radius: float) -> Any:
    from scipy.spatial import cKDTree  # type: ignore[import]

    tree = cKDTree(positions)
    return tree.query_ball_point(centres, radius)


def timed(call: Callable[[], Any]) -> Tuple[Any, float]:
    began = time.perf_counter()
    result = call()
    return result, (time.perf_counter() - began) * 1000


def main(agents: int = 50_000) -> int:
    radius = 2.0
    side = agents**0.5
    # On a lattice of eighths many centres lie exactly on rims, and all distances are exact: floats and
    # scipy's doubles must agree on each hit.
    positions = np.random.default_rng(1).integers(0, int(side * 8), (agents, 2)) / 8
    positions = positions.astype(np.float32)

    hits, ours = timed(lambda: with_throng(positions, positions, radius))
    print(f"throng: {ours:8.1f} ms, {len(hits.ids)} found")
    try:
        lists, theirs = timed(lambda: with_scipy(positions, positions, radius))
    except ImportError:
        print("scipy is not installed: nothing to compare with")
        return 0
    print(f"scipy:  {theirs:8.1f} ms, {sum(map(len, lists))} found")
    for ids, theirs_of_q in zip(hits, lists):
        if sorted(ids.tolist()) != sorted(theirs_of_q):
            print("they differ")
            return 1
    print(f"the same answers, in 1/{theirs / ours:.0f} of the time")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
