"""What all cases of the Python door share: the yard in which they take place, and the list of cases."""

from __future__ import annotations

from typing import Any, Callable, Dict

import numpy as np

import throng

#: The rows of the table: a name, and a call that is refused.
CASES: Dict[str, Callable[[], Any]] = {}

NAN = float("nan")
INFINITE = float("inf")
TOO_LARGE = 2e18

#: Cells of 2 x 2, on 16 x 16.
LAID_OUT: Dict[str, Any] = {"bounds": ((0, 0), (16, 16)), "cell": 2, "threads": 1}


def case(name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Puts a function into the list of cases."""

    def put(call: Callable[[], Any]) -> Callable[[], Any]:
        assert name not in CASES, name
        CASES[name] = call
        return call

    return put


def cases(calls: Dict[str, Callable[[], Any]]) -> None:
    """The same for many that are short."""
    for name, call in calls.items():
        case(name)(call)


def places(*points: Any) -> Any:
    return np.array(points, np.float32)


def numbers(*values: float) -> Any:
    return np.array(values, np.float32)


#: Where the three agents of the yard stand.
STANDING = places((1, 1), (2, 1), (9, 9))


def empty_yard(**settings: Any) -> throng.Crowd:
    return throng.Crowd(**{**LAID_OUT, **settings})


def yard(**settings: Any) -> throng.Crowd:
    """With the three agents, which have neither sizes nor groups."""
    crowd = empty_yard(**settings)
    crowd.update(STANDING)
    return crowd
