"""What is near each point: density, neighbours, and edges between them."""

from typing import Any, Tuple

import numpy as np

from .library import throng
from .refused import Refused

#: What "nearest" holds where there is no other point.
ALONE = -1.0


def density(positions: Any, radius: float, kernel: str) -> Any:
    """Points in a unit of area or volume, the point itself included, unless the kernel is "inverse"."""
    return throng().Crowd(positions).density(radius, weight=kernel)


def neighbours(positions: Any, radius: float) -> Tuple[Any, Any]:
    """How many other points are within the radius of each, and how far away the nearest is at any distance."""
    crowd = throng().Crowd(positions)
    counts = crowd.count_neighbours(radius)
    found = crowd.nearest_neighbours(1)
    nearest = np.where(found.counts > 0, found.distances()[:, 0], np.float32(ALONE))
    return counts, nearest


def edges(positions: Any, radius: float, most: int) -> Tuple[Any, Any]:
    """The pairs of points within the radius of each other, of shape (n, 2), each pair once, and their distances.
    More than `most` are refused before memory is taken for them."""
    crowd = throng().Crowd(positions)
    count = int(crowd.count_neighbours(radius, later_only=True).sum(dtype=np.int64))
    if count > most:
        raise Refused(f"{count} pairs are within {radius:g} of each other, more than the {most} allowed")
    hits = crowd.neighbours(radius, later_only=True, distances=True)
    return np.stack((hits.questions(), hits.ids), axis=1).astype(np.int32), hits.distances
