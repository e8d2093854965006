"""What a sum over neighbours takes, in each of the ways of docs/hosts/hits.md: the sum of the ways to all neighbours of
100,000 agents. Prints the median of several runs in milliseconds.

    PYTHONPATH=build/release/python python3 python/bench/hits.py
"""

from __future__ import annotations

import statistics
import time
from typing import Any, Callable

import numpy as np

import throng

AGENTS, RADIUS, RUNS = 100_000, 2.0, 15


def milliseconds(call: Callable[[], Any]) -> float:
    call()
    took = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        call()
        took.append(time.perf_counter() - begin)
    return 1000 * statistics.median(took)


def main() -> None:
    random = np.random.default_rng(1)
    positions = random.random((AGENTS, 2), np.float32) * np.float32(AGENTS**0.5)
    crowd = throng.Crowd(positions)
    hits = crowd.neighbours(RADIUS)
    print(f"{len(hits.ids)} neighbours, {throng.isa()}, {crowd.threads} threads")

    def show(name: str, call: Callable[[], Any]) -> None:
        print(f"{name:44} {milliseconds(call):8.2f}")

    show("update", lambda: crowd.update(positions))
    show("separation, flat", lambda: crowd.separation(RADIUS, "flat"))
    show("separation, inverse", lambda: crowd.separation(RADIUS))
    show("reduce, mean of two columns", lambda: crowd.reduce(RADIUS, positions, "mean"))
    show("density, poly6", lambda: crowd.density(RADIUS))
    show("count_neighbours", lambda: crowd.count_neighbours(RADIUS))
    show("neighbours", lambda: crowd.neighbours(RADIUS))
    show("neighbours, vectors", lambda: crowd.neighbours(RADIUS, vectors=True))
    show("neighbours, distances", lambda: crowd.neighbours(RADIUS, distances=True))

    def by_numpy() -> Any:
        one = hits.questions()
        way = positions[one] - positions[hits.ids]
        return [np.bincount(one, way[:, a], len(hits)) for a in range(2)]

    show("NumPy on the lists", by_numpy)
    try:
        import scipy.sparse  # noqa: F401

        def by_csr() -> Any:
            return hits.counts()[:, None] * positions - hits.to_csr() @ positions

        show("scipy.sparse on the lists", by_csr)
    except ImportError:
        print("scipy is not installed")
    try:
        import numba

        @numba.njit  # type: ignore[misc]
        def pushes(offsets: Any, ids: Any, places: Any) -> Any:
            out = np.zeros_like(places)
            for one in range(len(offsets) - 1):
                for i in range(offsets[one], offsets[one + 1]):
                    for a in range(2):
                        out[one, a] += places[one, a] - places[ids[i], a]
            return out

        show("numba on the lists", lambda: pushes(hits.offsets, hits.ids, positions))
    except ImportError:
        print("numba is not installed")


if __name__ == "__main__":
    main()
