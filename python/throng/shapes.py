"""Shapes to ask with, many of a kind at once.

They keep the arrays that they are made of, and copy nothing: a question reads what the arrays hold when
it is asked. Points are a float32 array of shape (n, 2) or (n, 3), or a tuple of one array for each axis;
of a crowd with an origin they may be float64, which are world coordinates. Values are a float32 array of
shape (n,), or one number for all.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple, Union

from throng._native import LARGEST
from throng.answers import Hits
from throng.keywords import Leaving, Unpack, takes

#: The names that the package takes from this module.
__all__ = [
    "Balls",
    "BodyBalls",
    "BodyCylinders",
    "BodySectors",
    "Boxes",
    "Capsules",
    "Cylinders",
    "Frusta",
    "OrientedBoxes",
    "Polygons",
    "Rays",
    "Sectors",
    "Segments",
]

#: float32 of shape (n, 2) or (n, 3), or a tuple of arrays of shape (n,): whatever speaks the buffer
#: protocol, which type checkers cannot tell.
Points = Any
#: float32 of shape (n,), or a number for all.
Values = Any


class Balls(NamedTuple):
    """Find agents whose centres lie in them, the rim included."""

    centres: Points
    radii: Values


class Boxes(NamedTuple):
    """Find agents whose boxes overlap them; touching counts."""

    lo: Points
    hi: Points


class Sectors(NamedTuple):
    """Fields of view: parts of balls within an angle of a direction.

    Find agents whose centres lie in them. The angle is given by its cosine: 0 sees what is in front,
    -1 everything. Directions need not be of unit length.
    """

    centres: Points
    radii: Values
    directions: Points
    cosines: Values


class Segments(NamedTuple):
    """Find agents whose boxes they hit."""

    starts: Points
    ends: Points


class Rays(NamedTuple):
    """All points origin + t * direction with 0 <= t <= length. Find agents whose boxes they hit."""

    origins: Points
    directions: Points
    lengths: Values = LARGEST


class Capsules(NamedTuple):
    """Discs (in space balls) that move along segments. Find agents whose discs they hit."""

    starts: Points
    ends: Points
    radii: Values


class Polygons(NamedTuple):
    """Convex, in the plane: float32 of shape (n, corners, 2), one to eight corners, in order.

    Where some polygons have fewer corners, repeat one. Find agents whose boxes overlap them.
    """

    corners: Any


class Frusta(NamedTuple):
    """In space: float32 of shape (n, 8, 3), four corners around the near side, then the four of the far
    side that belong to them. Find agents whose boxes overlap them."""

    corners: Any


class OrientedBoxes(NamedTuple):
    """Turned boxes: all points centre + the sum of t * half_edges[i], with -1 <= t <= 1 for each edge.

    half_edges is float32 of shape (n, 2, 2) or (n, 3, 3). Find agents whose boxes overlap them.
    """

    centres: Points
    half_edges: Any


class Cylinders(NamedTuple):
    """Upright: discs on the ground, and bands of heights from low to high.

    Find agents whose centres lie in them, the rims included. up is the axis that the heights are on, 1
    for y or 2 for z; by default it is the last axis. x cannot be up. The centres' coordinates on that
    axis are ignored. Heights are float32, relative to the crowd's origin.
    """

    centres: Points
    radii: Values
    low: Values = -LARGEST
    high: Values = LARGEST
    up: Optional[int] = None


class BodyBalls(NamedTuple):
    """Balls that see agents' bodies: find agents whose bodies they touch, the rim included.

    body says what an agent is to all of them: its "centre", its "box", or a "disc" (in space a ball)
    whose radius is its half extent on x.
    """

    centres: Points
    radii: Values
    body: str = "box"


class BodySectors(NamedTuple):
    """Sectors that see agents' bodies: find agents whose nearest point lies in them, as BodyBalls do."""

    centres: Points
    radii: Values
    directions: Points
    cosines: Values
    body: str = "box"


class BodyCylinders(NamedTuple):
    """Cylinders that see agents' bodies: find agents whose bodies they touch, as BodyBalls do."""

    centres: Points
    radii: Values
    low: Values = -LARGEST
    high: Values = LARGEST
    up: Optional[int] = None
    body: str = "box"


Paths = Union[Segments, Rays, Capsules]
Bodies = Union[BodyBalls, BodySectors, BodyCylinders]
Shapes = Union[Balls, Boxes, Sectors, Paths, Polygons, Frusta, OrientedBoxes, Cylinders, Bodies]

#: The extension's number for each: the numbers of throng::ShapeKind.
_NUMBERS = {
    Boxes: 0,
    Balls: 1,
    Sectors: 2,
    Segments: 3,
    Rays: 4,
    Capsules: 5,
    Polygons: 6,
    Frusta: 6,
    OrientedBoxes: 7,
    Cylinders: 8,
    BodyBalls: 9,
    BodySectors: 10,
    BodyCylinders: 11,
}


def kind_of(shapes: Shapes, argument: str, dim: int) -> int:
    """The extension's number for shapes of this kind."""
    kind = _NUMBERS.get(type(shapes))
    if kind is None:
        names = ", ".join(shape.__name__ for shape in _NUMBERS)
        raise TypeError(f"{argument}: expected one of {names}, got {type(shapes).__name__}")
    only: Tuple[type, ...] = (Frusta,) if dim == 2 else (Polygons,)
    if isinstance(shapes, only):
        raise TypeError(f"{argument}: there are no {type(shapes).__name__} in a {dim}D crowd")
    return kind


def given(shapes: Shapes, argument: str, dim: int) -> Tuple[int, Tuple[Any, ...]]:
    """What the extension takes for shapes: the number of their kind, and their arrays."""
    return kind_of(shapes, argument, dim), tuple(shapes)


class AsksByShape:
    """A form of query() for each kind of shape."""

    __slots__ = ()

    def _query_shapes(self, shapes: Shapes, leaving: Leaving) -> Hits:
        raise NotImplementedError

    @takes(Leaving)
    def query_balls(self, centres: Points, radii: Values, **leaving: Unpack[Leaving]) -> Hits:
        """The agents whose centres lie in each ball, the rim included: query(Balls(...))."""
        return self._query_shapes(Balls(centres, radii), leaving)

    @takes(Leaving)
    def query_boxes(self, lo: Points, hi: Points, **leaving: Unpack[Leaving]) -> Hits:
        """The agents whose boxes overlap each box; touching counts: query(Boxes(...))."""
        return self._query_shapes(Boxes(lo, hi), leaving)

    @takes(Leaving)
    def query_sectors(
        self,
        centres: Points,
        radii: Values,
        directions: Points,
        cosines: Values,
        **leaving: Unpack[Leaving],
    ) -> Hits:
        """The agents whose centres lie in each field of view: query(Sectors(...))."""
        return self._query_shapes(Sectors(centres, radii, directions, cosines), leaving)

    @takes(Leaving)
    def query_segments(self, starts: Points, ends: Points, **leaving: Unpack[Leaving]) -> Hits:
        """The agents whose boxes each segment hits: query(Segments(...))."""
        return self._query_shapes(Segments(starts, ends), leaving)

    @takes(Leaving)
    def query_rays(
        self,
        origins: Points,
        directions: Points,
        lengths: Values = LARGEST,
        **leaving: Unpack[Leaving],
    ) -> Hits:
        """The agents whose boxes each ray hits: query(Rays(...))."""
        return self._query_shapes(Rays(origins, directions, lengths), leaving)

    @takes(Leaving)
    def query_capsules(
        self, starts: Points, ends: Points, radii: Values, **leaving: Unpack[Leaving]
    ) -> Hits:
        """The agents whose discs each moving disc hits: query(Capsules(...))."""
        return self._query_shapes(Capsules(starts, ends, radii), leaving)

    @takes(Leaving)
    def query_polygons(self, corners: Any, **leaving: Unpack[Leaving]) -> Hits:
        """The agents whose boxes overlap each polygon, in the plane: query(Polygons(...))."""
        return self._query_shapes(Polygons(corners), leaving)

    @takes(Leaving)
    def query_frusta(self, corners: Any, **leaving: Unpack[Leaving]) -> Hits:
        """The agents whose boxes overlap each frustum, in space: query(Frusta(...))."""
        return self._query_shapes(Frusta(corners), leaving)

    @takes(Leaving)
    def query_oriented_boxes(
        self, centres: Points, half_edges: Any, **leaving: Unpack[Leaving]
    ) -> Hits:
        """The agents whose boxes overlap each turned box: query(OrientedBoxes(...))."""
        return self._query_shapes(OrientedBoxes(centres, half_edges), leaving)

    @takes(Leaving)
    def query_cylinders(
        self,
        centres: Points,
        radii: Values,
        low: Values = -LARGEST,
        high: Values = LARGEST,
        up: Optional[int] = None,
        **leaving: Unpack[Leaving],
    ) -> Hits:
        """The agents whose centres lie in each upright cylinder: query(Cylinders(...))."""
        return self._query_shapes(Cylinders(centres, radii, low, high, up), leaving)

    @takes(Leaving)
    def query_body_balls(
        self, centres: Points, radii: Values, body: str = "box", **leaving: Unpack[Leaving]
    ) -> Hits:
        """The agents whose bodies each ball touches: query(BodyBalls(...))."""
        return self._query_shapes(BodyBalls(centres, radii, body), leaving)

    @takes(Leaving)
    def query_body_sectors(
        self,
        centres: Points,
        radii: Values,
        directions: Points,
        cosines: Values,
        body: str = "box",
        **leaving: Unpack[Leaving],
    ) -> Hits:
        """The agents whose bodies each field of view touches: query(BodySectors(...))."""
        return self._query_shapes(BodySectors(centres, radii, directions, cosines, body), leaving)

    @takes(Leaving)
    def query_body_cylinders(
        self,
        centres: Points,
        radii: Values,
        low: Values = -LARGEST,
        high: Values = LARGEST,
        up: Optional[int] = None,
        body: str = "box",
        **leaving: Unpack[Leaving],
    ) -> Hits:
        """The agents whose bodies each upright cylinder touches: query(BodyCylinders(...))."""
        return self._query_shapes(BodyCylinders(centres, radii, low, high, up, body), leaving)
