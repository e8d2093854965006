"""The other structures of the library, to compare with, or for the crowds that suit them better than Crowd does:
docs/structures.md says which suits what.

    tree = throng.family.TightQuadtree(positions, 0.25)      # in the plane
    tree.query_balls(centres, 2.0)                           # the same answers as any other's

Each takes the same crowds, edits and shapes, and gives the same answers in an order of its own, which never depends
on threads. Positions are float32, or are converted once. Any number of threads may ask at once; a thread that changes
a structure waits for those that ask, and the other way around. A call that fails has changed nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence

import numpy as np
import numpy.typing as npt

from throng import _native
from throng._native import ALL_GROUPS
from throng.answers import Hits, Meetings, NearestHits, Pairs, as_array
from throng.asked import checked
from throng.crowd import HalfExtents, Ids, as_positions, dim_of
from throng.drawing import Cells
from throng.keywords import Body, Bounds, Leaving, NearestOfAll, OneFilter, Size, Team, Unpack
from throng.keywords import joined, takes
from throng.native import Named, native_class
from throng.sets import Sets
from throng.shapes import AsksByShape, Paths, Points, Shapes, given

if not hasattr(_native, "TightQuadtree"):
    raise ImportError("throng.family: this package was built without it, with THRONG_FAMILY=OFF")

__all__ = ["BruteForce", "DoubleGrid", "LooseTree", "NestedIndex", "TightQuadtree"]


class Bytes(NamedTuple):
    """Bytes of heap, part by part, as in Memory."""

    nodes: int
    tables: int
    rows: int
    marks: int
    ids: int
    staging: int

    @property
    def total(self) -> int:
        """The sum of all parts."""
        return sum(self)


class Index(Named, AsksByShape):
    """What all structures can do. A question takes one mask of groups, and one id that is not found."""

    __slots__ = ()

    @takes(Team)
    def __init__(
        self,
        positions: Optional[Points] = None,
        half_extents: HalfExtents = None,
        groups: Optional[Ids] = None,
        *,
        dim: Optional[int] = None,
        **team: Unpack[Team],
    ) -> None:
        self._begin(positions, half_extents, groups, dim, team)

    def _begin(
        self,
        positions: Optional[Points],
        half_extents: HalfExtents,
        groups: Optional[Ids],
        dim: Optional[int],
        team: Team,
        **layout: Any,
    ) -> None:
        positions = as_positions(positions, in_world=False)
        self._dim = dim_of(dim, positions, layout.get("bounds"), layout.get("cell"))
        name = type(self).__name__  # of those that are in the plane only, without the number
        native = getattr(_native, name, None) or native_class(name, self._dim)
        self._native = native(team)
        if layout.get("bounds") is not None:
            self._native.configure(layout)
        if positions is not None:
            self.update(positions, half_extents, groups)
        elif half_extents is not None or groups is not None:
            raise ValueError("positions: not given, but half_extents or groups were")

    def update(
        self, positions: Points, half_extents: HalfExtents = None, groups: Optional[Ids] = None
    ) -> None:
        """Replaces all agents: see Crowd.update()."""
        self._native.update(positions, half_extents, groups)

    def insert(
        self,
        id: int,
        position: Sequence[float],
        half_extent: Optional[Size] = None,
        group: Optional[int] = None,
    ) -> None:
        """Adds one agent, under a free id: see Crowd.insert()."""
        self._native.insert(id, position, half_extent, group)

    def erase(self, id: int) -> None:
        """Removes one agent."""
        self._native.erase(id)

    def move(self, id: int, position: Sequence[float]) -> None:
        """Moves one agent; it keeps its extent and mask."""
        self._native.move(id, position)

    def clear(self) -> None:
        """Forgets all agents; keeps the memory."""
        self._native.clear()

    @takes(OneFilter)
    def query(self, shapes: Shapes, **one: Unpack[OneFilter]) -> Hits:
        """The agents that each shape finds."""
        return Hits.of(self._native.query(given(shapes, "shapes", self._dim), one))

    @takes(OneFilter)
    def count(self, shapes: Shapes, **one: Unpack[OneFilter]) -> npt.NDArray[np.uint32]:
        """The number of agents that each shape finds."""
        counts = self._native.count(given(shapes, "shapes", self._dim), one, False)
        return as_array(counts, np.uint32)

    @takes(OneFilter)
    def any(self, shapes: Shapes, **one: Unpack[OneFilter]) -> npt.NDArray[np.bool_]:
        """Whether each shape finds any agent."""
        found = self._native.count(given(shapes, "shapes", self._dim), one, True)
        return as_array(found, np.uint32) != 0

    def _query_shapes(self, shapes: Shapes, leaving: Leaving) -> Hits:
        if leaving["sets"] != Sets.ALL:
            raise ValueError("sets: only crowds have any")
        return self.query(shapes, groups=leaving["groups"], without=leaving["without"])

    def pairs(self, *, groups: int = ALL_GROUPS) -> Pairs:
        """All pairs of agents whose boxes overlap, each once."""
        return self._pairs(groups, "box")

    def _pairs(self, groups: int, body: Body) -> Pairs:
        return Pairs.of(self._native.pairs(groups, body))

    def cells(self) -> Cells:
        """Its nodes or cells, the outermost first."""
        return Cells.of(self._native.cells(), 0)

    def memory(self) -> Bytes:
        """Bytes of heap, part by part."""
        return Bytes(**self._native.memory())

    def validate(self) -> None:
        """Checks every invariant, slowly; raises AssertionError with the first that does not hold."""
        fault = self._native.validate()
        if fault is not None:
            raise AssertionError(fault)

    @property
    def threads(self) -> int:
        """The most threads that work on an update()."""
        return super().threads

    def __bool__(self) -> bool:
        """True, also for an empty one."""
        return True

    def __repr__(self) -> str:
        return f"<throng.family.{type(self).__name__}: {self._dim}D, {len(self)} agents>"


class BruteForce(Index):
    """A flat list, every test made: for a few dozen agents, and the truth in tests.

    Besides, it answers what only crowds do: meetings(), nearest(), order().
    """

    __slots__ = ()

    @takes(OneFilter)
    def meetings(self, paths: Paths, **one: Unpack[OneFilter]) -> Meetings:
        """All agents that each path hits, with their times, by time, then by id."""
        return Meetings.of(self._native.meetings(given(paths, "paths", self._dim), one))

    @takes(NearestOfAll)
    def nearest(self, points: Points, k: int = 1, **nearest: Unpack[NearestOfAll]) -> NearestHits:
        """The k agents nearest to each point: see Crowd.nearest()."""
        how = checked(joined(nearest, k=k), self._dim)
        return NearestHits.of(self._native.nearest(points, how))

    def order(self) -> npt.NDArray[np.uint32]:
        """The ids of all agents, in ascending order."""
        return as_array(self._native.order(), np.uint32)


class DoubleGrid(Index):
    """Loose cells that fit their agents, and a tight grid that lists which of them reach where: for crowds whose
    agents are of very different sizes, and all move.

    bounds, cell: where the loose cells lie, and their size, which suits about twelve agents. Without them they follow
        from the first update().
    """

    __slots__ = ()

    @takes(Team)
    def __init__(
        self,
        positions: Optional[Points] = None,
        half_extents: HalfExtents = None,
        groups: Optional[Ids] = None,
        *,
        dim: Optional[int] = None,
        bounds: Optional[Bounds] = None,
        cell: Optional[Size] = None,
        **team: Unpack[Team],
    ) -> None:
        if (bounds is None) != (cell is None):
            raise ValueError("cell: give bounds and cell, or neither")
        self._begin(positions, half_extents, groups, dim, team, bounds=bounds, cell=cell)

    def refit(self) -> None:
        """Shrinks cells to the agents that they have, where some have gone: once a frame, if agents are edited one by
        one. Answers stay the same."""
        self._native.refit()

    def release(self) -> None:
        """Gives back the memory that is kept for the next update()."""
        self._native.release()


class LooseTree(Index):
    """A packed quadtree, or octree, that is edited in place: for what is of any size and stands still, or moves a few
    at a time."""

    __slots__ = ()

    def pairs(self, *, groups: int = ALL_GROUPS, body: Body = "box") -> Pairs:
        """All pairs of agents whose boxes overlap, or with body="disc" whose discs do, each once."""
        return self._pairs(groups, body)

    def release(self) -> None:
        """Gives back the memory that is kept for the next update()."""
        self._native.release()


class NestedIndex(Index):
    """Each agent in the smallest node of a quadtree that holds it: what many programs have, to compare with.

    bounds: where the nodes lie; without them they follow from the first agents.
    """

    __slots__ = ()

    @takes(Team)
    def __init__(
        self,
        positions: Optional[Points] = None,
        half_extents: HalfExtents = None,
        groups: Optional[Ids] = None,
        *,
        bounds: Optional[Bounds] = None,
        **team: Unpack[Team],
    ) -> None:
        self._begin(positions, half_extents, groups, 2, team, bounds=bounds)


class TightQuadtree(Index):
    """The textbook quadtree: each agent is stored once, and leaves list the agents that they touch. For very uneven
    crowds that move little between frames.

    bounds: where the leaves lie; without them they follow from the first agents. depth: leaves are no smaller than
    2**-depth of the bounds, 1 to 16. split_above: more agents than these split a leaf.
    """

    __slots__ = ()

    @takes(Team)
    def __init__(
        self,
        positions: Optional[Points] = None,
        half_extents: HalfExtents = None,
        groups: Optional[Ids] = None,
        *,
        bounds: Optional[Bounds] = None,
        depth: Optional[int] = None,
        split_above: Optional[int] = None,
        **team: Unpack[Team],
    ) -> None:
        if bounds is None and (depth is not None or split_above is not None):
            raise ValueError("bounds: not given, but depth or split_above were")
        leaves = {
            "depth": 8 if depth is None else depth,
            "split_above": 8 if split_above is None else split_above,
        }
        self._begin(positions, half_extents, groups, 2, team, bounds=bounds, **leaves)

    def cleanup(self) -> None:
        """Gives back leaves that became empty: once a frame."""
        self._native.cleanup()

    def order(self) -> npt.NDArray[np.uint32]:
        """The ids of all agents in the order of the leaves: agents that ask in this order are the fastest."""
        return as_array(self._native.order(), np.uint32)
