"""What a call costs more through Python than straight through the C++ API.

    PYTHONPATH=<build>/python python3 python/bench/overhead.py <build>/python/libthrong_python_twin.so

Both make the same calls on the same crowd, by turns; their medians and their numbers of hits are
compared. --help has the rest.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import sys
import time
from typing import Callable, Dict, List, Tuple

import numpy as np
import numpy.typing as npt

import throng

EXTENT = 0.25
RADIUS = 2.0
K = 8
WARM_UP = 3  # turns until all memory is there


class Twin:
    """The C++ calls, in a library."""

    def __init__(self, library: str, positions: npt.NDArray[np.float32], threads: int) -> None:
        self._library = ctypes.CDLL(library)
        self._library.twin_run.restype = ctypes.c_int64
        agents, dim = positions.shape
        self._library.twin_make(
            positions.ctypes.data_as(ctypes.POINTER(ctypes.c_float)),
            ctypes.c_uint64(agents),
            ctypes.c_uint64(dim),
            ctypes.c_uint64(threads),
            ctypes.c_float(EXTENT),
            ctypes.c_float(RADIUS),
            ctypes.c_uint32(K),
        )

    def run(self, call: str) -> Tuple[int, int]:
        """Nanoseconds, and the number of hits."""
        found = ctypes.c_uint64()
        took = self._library.twin_run(call.encode(), ctypes.byref(found))
        return int(took), found.value

    def end(self) -> None:
        self._library.twin_end()


def timed(call: Callable[[], int]) -> Tuple[int, int]:
    """Nanoseconds, and the number of hits."""
    begin = time.perf_counter_ns()
    found = call()
    return time.perf_counter_ns() - begin, found


def calls_of(
    crowd: throng.Crowd, positions: npt.NDArray[np.float32]
) -> Dict[str, Callable[[], int]]:
    """The measured calls; each returns its number of hits, and releases them."""

    def update() -> int:
        crowd.update(positions, EXTENT)
        return len(crowd)

    return {
        "update": update,
        "query_balls": lambda: len(crowd.query_balls(positions, RADIUS).ids),
        "neighbours": lambda: len(crowd.neighbours(RADIUS).ids),
        "pairs": lambda: len(crowd.pairs()),
        "nearest": lambda: crowd.nearest(positions, K).ids.size,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("twin", help="the C++ library")
    parser.add_argument("--agents", type=int, default=100_000)
    parser.add_argument("--dim", type=int, choices=(2, 3), default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=8, help="an even number: each begins as often")
    parser.add_argument("--turns", type=int, default=9, help="in each round")
    options = parser.parse_args()

    side = options.agents ** (1 / options.dim)
    positions = np.random.default_rng(1).random((options.agents, options.dim)) * side
    positions = positions.astype(np.float32)
    took: Dict[str, Tuple[List[int], List[int]]] = {}
    for round in range(options.rounds):
        # Where memory lies depends on chance, and on which side allocates first: anew in each round.
        twin_first = round % 2 == 0
        if twin_first:
            twin = Twin(options.twin, positions, options.threads)
        crowd = throng.Crowd(positions, EXTENT, threads=options.threads)
        if not twin_first:
            twin = Twin(options.twin, positions, options.threads)
        for name, call in calls_of(crowd, positions).items():
            straight, through = took.setdefault(name, ([], []))
            for turn in range(WARM_UP + options.turns):
                times = {}
                for of_twin in (twin_first, not twin_first):
                    times[of_twin] = twin.run(name) if of_twin else timed(call)
                (a, found), (b, same) = times[True], times[False]
                if same != found:
                    print(f"{name}: {same} through Python, {found} without", file=sys.stderr)
                    return 1
                if turn >= WARM_UP:
                    straight.append(a)
                    through.append(b)
        twin.end()

    print(f"{options.agents} agents, {options.dim}D, {options.threads} threads, {throng.isa()}")
    print(f"{'':12} {'C++ us':>9} {'Python us':>10} {'ratio':>7}")
    for name, (straight, through) in took.items():
        in_cpp, in_python = statistics.median(straight), statistics.median(through)
        ratio = statistics.median(y / x for x, y in zip(straight, through))
        print(f"{name:12} {in_cpp / 1000:9.1f} {in_python / 1000:10.1f} {ratio:7.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
