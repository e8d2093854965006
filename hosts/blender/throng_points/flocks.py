"""How a flock moves: separation, cohesion and alignment, a pull back home, and speeds between two limits."""

from dataclasses import dataclass
from typing import Any, Tuple

import numpy as np

from .library import throng
from .refused import Refused


@dataclass(frozen=True)
class Rules:
    """Speeds are distances a step."""

    radius: float  #: of cohesion and alignment
    apart: float  #: the radius of separation
    separation: float
    cohesion: float
    alignment: float
    home: float  #: the pull to the origin, for each unit of distance beyond `range`
    range: float
    least_speed: float
    most_speed: float


def lengths(vectors: Any) -> Any:
    """Of each row. Only operations that IEEE 754 rounds, in a fixed order, so that the bits are the same on every
    machine, which those of np.linalg.norm need not be."""
    squares = vectors * vectors
    total = squares[:, 0]
    for axis in range(1, vectors.shape[1]):
        total = total + squares[:, axis]
    return np.sqrt(total)


def ratio(above: Any, below: Any) -> Any:
    """Zero where it would be of zero."""
    return np.divide(above, below, out=np.zeros_like(below), where=below > 0)


def step(positions: Any, velocities: Any, rules: Rules) -> Tuple[Any, Any]:
    """Positions and velocities one step later, as new arrays.

    The crowd is new in every step. Its cells, and with them the order in which sums are added up, then depend on
    the positions alone, so a step gives the same bits whatever was computed before it.
    """
    crowd = throng().Crowd(positions)
    velocities = (
        velocities
        + np.float32(rules.alignment) * crowd.alignment(rules.radius, velocities)
        + np.float32(rules.cohesion) * crowd.cohesion(rules.radius)
        + np.float32(rules.separation) * crowd.separation(rules.apart, "linear")
    )
    far = lengths(positions)
    beyond = np.maximum(far - np.float32(rules.range), np.float32(0))
    velocities = velocities - (np.float32(rules.home) * ratio(beyond, far))[:, None] * positions
    speeds = lengths(velocities)
    limited = np.clip(speeds, np.float32(rules.least_speed), np.float32(rules.most_speed))
    velocities = velocities * ratio(limited, speeds)[:, None]
    # The library looks at positions only, and would name them a step too late.
    bad = np.flatnonzero(~np.isfinite(velocities).all(1))
    if len(bad):
        raise Refused(f"the velocity of point {bad[0]} is NaN or infinite")
    return positions + velocities, velocities


def begin(count: int, dim: int, speed: float, seed: int) -> Any:
    """Velocities to begin with, in all directions: each component is within the speed."""
    random = np.random.default_rng(seed).random((count, dim), np.float32)
    return (random * np.float32(2) - np.float32(1)) * np.float32(speed)
