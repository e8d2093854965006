"""What stands in the agents' world, by its true shape."""

from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING, Any, Dict, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from throng import _native
from throng._native import ALL_GROUPS, LARGEST
from throng.answers import Ids, as_array
from throng.asked import path_bytes
from throng.crowd import dim_of
from throng.errors import Error
from throng.keywords import Bounds, OneFilter, Team, Unpack, takes
from throng.native import Named, native_class
from throng.shapes import Balls, Boxes, Cylinders, Frusta, OrientedBoxes, Paths, Points, Polygons
from throng.shapes import Sectors, Segments, Values, given

if TYPE_CHECKING:
    from throng._native import Block

_THIN = 100  # the extension's number for walls and triangles


class Walls(NamedTuple):
    """In the plane: all points within half the thickness of segments, so the ends are round."""

    starts: Points
    ends: Points
    thickness: Values = 0.0


class Triangles(NamedTuple):
    """In space, without thickness: float32 of shape (n, 3, 3), three corners each."""

    corners: Any


class MovingBoxes(NamedTuple):
    """Boxes that move by their ways without turning, from time 0 to 1."""

    lo: Points
    hi: Points
    ways: Points


class MovingOrientedBoxes(NamedTuple):
    """Turned boxes that move by their ways without turning any more."""

    centres: Points
    half_edges: Any
    ways: Points


class MovingCapsules(NamedTuple):
    """All that is within radii of segments, which move by their ways without turning."""

    starts: Points
    ends: Points
    radii: Values
    ways: Points


Shapes = Union[Boxes, OrientedBoxes, Walls, Triangles]
Movers = Union[MovingBoxes, MovingOrientedBoxes, MovingCapsules]

#: The extension's numbers for them.
_MOVERS = {MovingBoxes: 101, MovingOrientedBoxes: 102, MovingCapsules: 103}


class _Rows:
    """Rows of an answer: id, distance or time, point, normal."""

    __slots__ = ("_numbers", "ids", "normals", "points")

    ids: Ids
    points: npt.NDArray[np.float32]  #: on the surface; zeros where there is no obstacle
    normals: npt.NDArray[np.float32]  #: of unit length, out of the obstacle

    def __init__(self, rows: Union[Block, npt.NDArray[np.uint32]]) -> None:
        words = np.asarray(rows, np.uint32)
        floats = words.view(np.float32)
        dim = words.shape[1] // 2 - 1
        self.ids = words[:, 0]
        self._numbers = floats[:, 1]
        self.points = floats[:, 2 : 2 + dim]
        self.normals = floats[:, 2 + dim :]

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<throng.{type(self).__name__}: {len(self)}>"


class ObstacleNear(_Rows):
    """Obstacles, and the places on their surfaces that are nearest to a point: ids[q] is NO_ID, and the
    distance infinite, where there is none."""

    __slots__ = ()

    @property
    def distances(self) -> npt.NDArray[np.float32]:
        """Inside of an obstacle below zero: minus the way out."""
        return self._numbers


class ObstaclesWithin:
    """The obstacles within each of many balls: within[q] is an ObstacleNear for ball q, the nearest first.

    All are one after another in near, and offsets[q] says where those of ball q begin.
    """

    __slots__ = ("_rows", "near", "offsets")

    offsets: npt.NDArray[np.uint64]  #: one more than there are balls
    near: ObstacleNear

    def __init__(self, offsets: Block, rows: Block) -> None:
        self.offsets = as_array(offsets, np.uint64)
        self._rows = as_array(rows, np.uint32)
        self.near = ObstacleNear(self._rows)

    def counts(self) -> npt.NDArray[np.int64]:
        """The number of obstacles within each ball, as a new array."""
        return np.diff(self.offsets.astype(np.int64))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, ball: int) -> ObstacleNear:
        at, count = operator.index(ball), len(self)
        if not -count <= at < count:
            raise IndexError(f"ball {at} of {count}")
        at %= count
        return ObstacleNear(self._rows[int(self.offsets[at]) : int(self.offsets[at + 1])])

    def __repr__(self) -> str:
        return f"<throng.ObstaclesWithin: {len(self.near)} within {len(self)} balls>"


class ObstacleHits(_Rows):
    """Obstacles that paths hit, when, and where on their surfaces: ids[q] is NO_ID, and the time infinite,
    for a path without a hit. Time runs as in PathHits."""

    __slots__ = ()

    @property
    def times(self) -> npt.NDArray[np.float32]:
        """At time 0 the path begins in the obstacle."""
        return self._numbers


class Obstacles(Named):
    """Boxes, turned boxes, walls (in the plane) and triangles (in space), asked beside a crowd.

        obstacles = throng.Obstacles(throng.Walls(starts, ends, 0.5))
        near = obstacles.nearest(positions, within=3)   # ids, distances, points, normals
        hits = obstacles.first(throng.Capsules(positions, targets, 0.3))
        clear = obstacles.sight(eyes, others)           # bool

    Touching counts. Answers come by distance or time, then by id. docs/obstacles.md has the definitions.

    groups is a mask: obstacles that are in none of its groups are not found. without is the id of an
    obstacle that is not found. threads and executor are as a Crowd's. Calls of several threads may overlap;
    those that change something wait for the others. A call that fails has changed nothing.

    bounds, periodic: as in configure(), for obstacles beside a periodic crowd.
    """

    __slots__ = ()

    _native: Union[_native.Obstacles2, _native.Obstacles3]

    @takes(Team)
    def __init__(
        self,
        *shapes: Shapes,
        dim: Optional[int] = None,
        groups: Optional[Values] = None,
        bounds: Optional[Bounds] = None,
        periodic: Union[bool, Sequence[bool]] = False,
        **team: Unpack[Team],
    ) -> None:
        if dim is None and bounds is not None:
            dim = dim_of(None, None, bounds)
        if dim is None:
            dim = 2 if any(isinstance(one, Walls) for one in shapes) else None
        if dim is None and any(isinstance(one, Triangles) for one in shapes):
            dim = 3
        if dim is None and shapes:
            first: Any = shapes[0][0]
            dim = len(first) if isinstance(first, tuple) else np.shape(first)[-1]
        if not isinstance(dim, (int, np.integer)) or dim not in (2, 3):
            raise ValueError(f"dim: give 2 or 3, or obstacles from which it follows; got {dim!r}")
        self._dim = int(dim)
        self._native = native_class("Obstacles", self._dim)(team)
        if bounds is not None or periodic is not False:
            self.configure(bounds=bounds, periodic=periodic)
        if shapes:
            self.set(*shapes, groups=groups)

    def _read(self, shapes: Any) -> Tuple[int, Tuple[Any, ...]]:
        """The extension's number for obstacles of this kind, and their parts."""
        if isinstance(shapes, (Boxes, OrientedBoxes)):
            return given(shapes, "shapes", self._dim)
        if isinstance(shapes, Walls) and self._dim == 2:
            return _THIN, tuple(shapes)
        if isinstance(shapes, Triangles) and self._dim == 3:
            corners: Any = np.asarray(shapes.corners)
            if corners.ndim != 3 or corners.shape[1:] != (3, 3):
                raise ValueError(
                    f"corners: expected a float32 array of shape (n, 3, 3), got {corners.shape}"
                )
            return _THIN, (corners[:, 0], corners[:, 1], corners[:, 2])
        thin = "Walls" if self._dim == 2 else "Triangles"
        raise TypeError(
            f"shapes: expected Boxes, OrientedBoxes or {thin}, got {type(shapes).__name__}"
        )

    def _ways(self, paths: Any, argument: str) -> Tuple[int, Tuple[Any, ...]]:
        mover = _MOVERS.get(type(paths))
        return given(paths, argument, self._dim) if mover is None else (mover, tuple(paths))

    def configure(
        self, *, bounds: Optional[Bounds] = None, periodic: Union[bool, Sequence[bool]] = False
    ) -> None:
        """The world of a crowd with the same bounds and periodic axes: on a periodic axis every obstacle is there
        at all whole periods, and is found once, at the copy that is nearest or is hit first. Points are where the
        asker sees it. Obstacles wider than a period are refused. Forgets all obstacles."""
        self._native.configure({"bounds": bounds, "periodic": periodic})

    def set(self, *shapes: Shapes, groups: Optional[Values] = None) -> None:
        """Replaces all obstacles by Boxes, OrientedBoxes, and Walls or Triangles: each kind at most once.

        Their ids are 0, 1, 2 ...: boxes first, then turned boxes, then walls or triangles. groups are masks,
        uint32 of shape (n,) by id, or a number for all. Edges of turned boxes must be at right angles.
        """
        parts: Dict[int, Tuple[Any, ...]] = {}
        for one in shapes:
            kind, read = self._read(one)
            if kind in parts:
                raise ValueError(f"shapes: {type(one).__name__} are there twice")
            parts[kind] = read
        self._native.set(parts.get(0), parts.get(7), parts.get(_THIN), groups)

    def insert(self, id: int, shape: Shapes, *, groups: int = ALL_GROUPS) -> None:
        """Adds an obstacle: Boxes, OrientedBoxes, Walls or Triangles with one of them."""
        self._native.put(False, id, self._read(shape), groups)

    def replace(self, id: int, shape: Shapes, *, groups: int = ALL_GROUPS) -> None:
        """Exchanges the obstacle of this id."""
        self._native.put(True, id, self._read(shape), groups)

    def erase(self, id: int) -> None:
        """Removes an obstacle."""
        self._native.erase(id)

    def clear(self) -> None:
        """Forgets all obstacles."""
        self._native.clear()

    @takes(OneFilter)
    def nearest(
        self, points: Points, *, within: float = LARGEST, **one: Unpack[OneFilter]
    ) -> ObstacleNear:
        """The nearest obstacle to each point, of those no farther away than within. Fastest where neighbours
        in the array are neighbours in space."""
        return ObstacleNear(self._native.nearest(points, within, one))

    @takes(OneFilter)
    def first(self, paths: Union[Paths, Movers], **one: Unpack[OneFilter]) -> ObstacleHits:
        """The first obstacle that each of Segments, Rays or Capsules hits, or that each of MovingBoxes,
        MovingOrientedBoxes or MovingCapsules touches."""
        return ObstacleHits(self._native.first(self._ways(paths, "paths"), one))

    @takes(OneFilter)
    def sight(
        self, starts: Points, ends: Points, **one: Unpack[OneFilter]
    ) -> npt.NDArray[np.bool_]:
        """Whether no obstacle has a point in common with each segment."""
        segments = given(Segments(starts, ends), "segments", self._dim)
        return as_array(self._native.sight(segments, one), np.bool_)

    @takes(OneFilter)
    def within(self, ball: Balls, **one: Unpack[OneFilter]) -> ObstacleNear:
        """All obstacles no farther from the centre of one ball than its radius, the nearest first."""
        asked = given(ball, "ball", self._dim)
        if not isinstance(ball, Balls):
            raise TypeError(f"ball: expected Balls, got {type(ball).__name__}")
        return ObstacleNear(self._native.within(asked, one))

    @takes(OneFilter)
    def within_each(self, balls: Balls, **one: Unpack[OneFilter]) -> ObstaclesWithin:
        """The same for each of many balls. Fastest where neighbours in the array are neighbours in space."""
        asked = given(balls, "balls", self._dim)
        if not isinstance(balls, Balls):
            raise TypeError(f"balls: expected Balls, got {type(balls).__name__}")
        return ObstaclesWithin(*self._native.within_each(asked, one))

    @takes(OneFilter)
    def hits(self, path: Union[Paths, Movers], **one: Unpack[OneFilter]) -> ObstacleHits:
        """All obstacles that one path hits, or one shape that moves touches, by time."""
        return ObstacleHits(self._native.hits(self._ways(path, "path"), one))

    @takes(OneFilter)
    def overlaps(
        self,
        shape: Union[Boxes, OrientedBoxes, Sectors, Polygons, Frusta, Cylinders],
        **one: Unpack[OneFilter],
    ) -> Ids:
        """All obstacles that have a point in common with one box, turned box, sector, polygon, frustum or cylinder,
        by id."""
        return as_array(self._native.overlaps(given(shape, "shape", self._dim), one), np.uint32)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes all for Obstacles.load(): to a file beside the path, which is then renamed."""
        self._native.save(path_bytes(path))

    def to_bytes(self) -> bytes:
        """The same in memory, for Obstacles.from_bytes()."""
        return self._native.to_bytes()

    @classmethod
    @takes(Team)
    def load(
        cls,
        path: Union[str, os.PathLike[str]],
        *,
        dim: Optional[int] = None,
        **team: Unpack[Team],
    ) -> Obstacles:
        """The obstacles that were saved: they give the same answers, and take the same edits. The file says
        whether they are in the plane or in space."""
        return cls._loaded("load", path_bytes(path), dim, **team)

    @classmethod
    @takes(Team)
    def from_bytes(
        cls, data: Any, *, dim: Optional[int] = None, **team: Unpack[Team]
    ) -> Obstacles:
        """The same from bytes, a memoryview, an mmap or the like, which are read where they lie."""
        return cls._loaded("load_bytes", data, dim, **team)

    @classmethod
    def _loaded(cls, how: str, source: Any, dim: Optional[int], **team: Any) -> Obstacles:
        obstacles = cls(dim=2 if dim is None else dim, **team)
        try:
            getattr(obstacles._native, how)(source)
        except Error as error:
            if dim is not None or error.cause != "other_version":
                raise
            return cls._loaded(how, source, 3, **team)
        return obstacles

    def memory(self) -> int:
        """Bytes of the index, and of what is kept for the next set()."""
        return self._native.memory()

    def release(self) -> None:
        """Gives back what is kept for the next calls."""
        self._native.release()

    def __repr__(self) -> str:
        return f"<throng.Obstacles: {len(self)} in {self._dim}D>"
